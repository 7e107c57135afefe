import { bundleNodeTests } from '../scripts/test/bundle.mjs'

/** Bundles a program that a test starts several times, because tsx takes long at each start. Returns its path. */
export async function bundleProgram(file: string): Promise<string> {
  const bundle = (await bundleNodeTests([file])).get(file)
  if (bundle === undefined) throw new Error(`${file} was not bundled.`)
  return bundle
}
