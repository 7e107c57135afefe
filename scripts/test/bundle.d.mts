/** Types of what tests use of `bundle.mjs`. */
export function bundleNodeTests(files: readonly string[]): Promise<ReadonlyMap<string, string>>
