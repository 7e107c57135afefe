// Writes the WordPress plugin with the scripts of `dist` as a zip file: node tools/wordpress/build.mjs [FILE]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesBelow } from '../../scripts/files.mjs'
import { parseTranslations, toBinary } from './translations.mjs'
import { zipOf } from './zip.mjs'

const given = process.argv[2] && resolve(process.argv[2])
process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
const source = 'integrations/wordpress/routeslip/'

/** The files of `dist` that the plugin needs: the script that loads elements on demand, and what it loads. */
const scripts =
  /^dist\/(?:routeslip-autoload\.js|(?:chunks|locales)\/.*|integrity\.json|THIRD_PARTY_LICENSES\.md)$/

/** Writes the zip file of this version. Returns its size in bytes. */
function writePlugin(file) {
  const { version } = JSON.parse(read('package.json'))
  const files = new Map()
  for (const path of filesBelow(source)) {
    const target = `routeslip/${path.slice(source.length)}`
    if (/\.(?:php|txt)$/.test(path))
      files.set(target, Buffer.from(withVersion(read(path).toString(), version)))
    else files.set(target, read(path))
    if (path.endsWith('.po'))
      files.set(target.replace(/\.po$/, '.mo'), toBinary(parseTranslations(read(path).toString())))
  }
  const built = filesBelow('dist').filter((path) => scripts.test(path))
  if (!built.includes('dist/routeslip-autoload.js')) throw new Error('dist is missing. Run: npm run build')
  for (const path of built) files.set(`routeslip/${path}`, read(path))
  files.set('routeslip/LICENSE', read('LICENSE'))
  const zip = zipOf(new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, zip)
  return zip.length
}

/** Puts the version of the package into the header of the plugin, its constant and its readme. */
function withVersion(text, version) {
  return text
    .replace(/^( \* Version: +)\S+$/m, `$1${version}`)
    .replace(/^(const VERSION += ')[^']+/m, `$1${version}`)
    .replace(/^(Stable tag: )\S+$/m, `$1${version}`)
}

function read(path) {
  return readFileSync(path)
}

const { version } = JSON.parse(read('package.json'))
const file = given ?? `release/routeslip-wordpress-${version}.zip`
console.log(`${file}: ${Math.round(writePlugin(file) / 1000)} kB`)
