// Writes dist/sbom.cdx.json and server/sbom.cdx.json (CycloneDX): the packages that an application installs with each of the
// two packages, or that their modules contain, at the tested versions.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const { packages } = read('package-lock.json')
mkdirSync('dist', { recursive: true })
write('dist/sbom.cdx.json', sbomOf('.', ''))
write('server/sbom.cdx.json', sbomOf('server', 'server'))

/** Returns the list for the package whose manifest is in a folder. `root` is its name in the lock file. */
function sbomOf(from, root) {
  const { name, version, dependencies } = read(join(from, 'package.json'))
  const manifest = { name, version, dependencies }
  // npm names the package after its folder, and lists everything in the lock file. So it runs in a folder with the right name,
  // and with a lock file that contains only what the package needs.
  const place = mkdtempSync(join(tmpdir(), 'sbom-'))
  try {
    const folder = join(place, name)
    mkdirSync(folder)
    write(join(folder, 'package.json'), manifest)
    write(join(folder, 'package-lock.json'), {
      name,
      version,
      lockfileVersion: 3,
      requires: true,
      packages: { '': manifest, ...installedWith(root) },
    })
    const output = execFileSync(
      'npm',
      ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error'],
      { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' },
    )
    const sbom = JSON.parse(output)
    // The same packages produce the same file on every machine, at any time.
    delete sbom.serialNumber
    delete sbom.metadata.timestamp
    return sbom
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** Returns the entries of the lock file that a package needs: its dependencies, and theirs. */
function installedWith(root) {
  const found = new Map()
  const visit = (path) => {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path]
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    )
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const place = placeOf(name, path)
      if (!place || found.has(place)) continue
      const { dev: _dev, peer: _peer, devOptional: _devOptional, ...entry } = packages[place]
      found.set(place, entry)
      visit(place)
    }
  }
  visit(root)
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the folder in which Node finds a package that a package at `from` imports. */
function placeOf(name, from) {
  const inside = `${from ? `${from}/` : ''}node_modules/${name}`
  if (packages[inside]) return inside
  return from ? placeOf(name, from.replace(/(?:^|\/)(?:node_modules\/(?:@[^/]+\/)?)?[^/]+$/, '')) : undefined
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function write(file, content) {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}
