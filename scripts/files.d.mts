/** Returns the paths of all files in a folder and its subfolders, sorted. */
export function filesBelow(folder: string): string[]
/** Returns a hash of the names and contents of files. */
export function hashFiles(files: readonly string[]): string
