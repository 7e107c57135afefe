import { createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The package as npm would publish it. */
export interface Packed {
  /** Path of the tarball. */
  readonly file: string
  readonly bytes: Buffer
  /** Text of each file in it, by path. */
  readonly files: ReadonlyMap<string, string>
}

/** Packs what `npm run build` has made into `folder`. */
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
