/** Writes a package into a folder. See packages.mjs. */
export function writePackage(name: string, folder: string, repository?: string): void
export const packageNames: readonly string[]
export const containedPackages: readonly string[]
