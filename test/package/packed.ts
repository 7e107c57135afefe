import { createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePackage } from '../../scripts/packages.mjs'

/** Name of a package that is made from this repository. */
export type PackageName = 'routeslip' | 'routeslip-server'

/** The package that npm would publish. */
export interface Packed {
  /** Path of the tarball. */
  readonly file: string
  readonly bytes: Buffer
  /** The text of each file by path. */
  readonly files: ReadonlyMap<string, string>
}

/** Packs the output of `npm run build` into a tarball in `folder`. */
export function pack(name: PackageName, folder: string, repository?: string): Packed {
  const contents = join(folder, `${name}-contents`)
  writePackage(name, contents, repository)
  const output = execFileSync(
    'npm',
    ['pack', contents, '--json', '--loglevel=error', '--pack-destination', folder],
    { encoding: 'utf8' },
  )
  const [{ filename }] = JSON.parse(output) as [{ readonly filename: string }]
  const file = join(folder, filename)
  const bytes = readFileSync(file)
  const unpacked = createPackageFromTarballData(bytes)
  const root = `/node_modules/${unpacked.packageName}/`
  const files = unpacked
    .listFiles()
    .map((path) => [path.slice(root.length), unpacked.readFile(path)] as const)
  return { file, bytes, files: new Map(files) }
}
