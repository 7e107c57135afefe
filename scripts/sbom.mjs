// Writes dist/sbom.cdx.json (CycloneDX): the packages that an application installs with this one, at the tested versions.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

// npm names the package after its folder, and --omit=dev also omits packages that both kinds of dependencies need. So it
// runs in a folder with the right name and without development dependencies.
const manifest = read('package.json')
const lock = read('package-lock.json')
delete manifest.devDependencies
delete lock.packages[''].devDependencies
for (const [path, { dev }] of Object.entries(lock.packages)) if (dev) delete lock.packages[path]

const place = mkdtempSync(join(tmpdir(), 'sbom-'))
try {
  const folder = join(place, manifest.name)
  mkdirSync(folder)
  write(join(folder, 'package.json'), manifest)
  write(join(folder, 'package-lock.json'), lock)
  const sbom = JSON.parse(
    execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error'], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    }),
  )
  // The same packages produce the same file on every machine, at any time.
  delete sbom.serialNumber
  delete sbom.metadata.timestamp
  mkdirSync('dist', { recursive: true })
  write('dist/sbom.cdx.json', sbom)
} finally {
  rmSync(place, { recursive: true })
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function write(file, content) {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}
