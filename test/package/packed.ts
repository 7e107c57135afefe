import { createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The package that npm would publish. */
export interface Packed {
  /** Path of the tarball. */
  readonly file: string
  readonly bytes: Buffer
  /** The text of each file by path. */
  readonly files: ReadonlyMap<string, string>
}

/** Packs the output of `npm run build` into a tarball in `folder`. */
export function pack(folder: string): Packed {
  const output = execFileSync(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder],
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
