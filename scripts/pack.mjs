// `npm run pack` writes everything that a release consists of to `release/`: both packages, the plugin for WordPress, a list of
// the packages that each of them brings (SBOM), and the checksums of these files. `--to FOLDER` writes to another folder, and
// `--no-build` packs what has been built before.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packageNames, repositoryAddress, writePackage } from './packages.mjs'

const { values } = parseArgs({ options: { to: { type: 'string' }, 'no-build': { type: 'boolean' } } })
const root = fileURLToPath(new URL('..', import.meta.url))
const target = values.to === undefined ? join(root, 'release') : resolve(values.to)
process.chdir(root)

/** The lists of packages, by package. */
const sboms = { routeslip: 'dist/sbom.cdx.json', 'routeslip-server': 'server/sbom.cdx.json' }

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
if (!values['no-build']) run(process.execPath, 'scripts/build.mjs')
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
for (const name of packageNames) {
  const folder = `packages/${name}`
  rmSync(folder, { recursive: true, force: true })
  writePackage(name, folder, repositoryAddress())
  run('npm', 'pack', `./${folder}`, '--silent', '--pack-destination', target)
  copyFileSync(sboms[name], join(target, `${name}-${version}.cdx.json`))
}
run(process.execPath, 'tools/wordpress/build.mjs', join(target, `routeslip-wordpress-${version}.zip`))
const files = readdirSync(target).sort()
const hashOf = (file) =>
  createHash('sha256')
    .update(readFileSync(join(target, file)))
    .digest('hex')
writeFileSync(join(target, 'SHA256SUMS'), files.map((file) => `${hashOf(file)}  ${file}\n`).join(''))
for (const file of [...files, 'SHA256SUMS']) console.log(join(target, file))

function run(program, ...args) {
  execFileSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: program === 'npm' && process.platform === 'win32',
  })
}
