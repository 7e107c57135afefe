/** A file that was chosen, dropped or pasted. */
export interface IncomingFile {
  readonly file: File
  /** Path from the folder that it was chosen with, such as `trip/receipts/a.pdf`; empty without a folder. */
  readonly path: string
}

export interface DroppedFiles {
  /** Includes hidden files; see `isHidden()`. */
  readonly files: readonly IncomingFile[]
  /** Paths of empty folders and of entries that could not be read. */
  readonly skipped: readonly string[]
}

/** Whether systems keep a file in a folder without showing it to people. A file that people choose by itself is not hidden. */
export function isHidden({ path }: IncomingFile): boolean {
  return path.includes('/') && /\/(?:\.|(?:thumbs\.db|desktop\.ini|icon\r)$)/i.test(path)
}

/** Adds to each file the path that browsers report for files from the folder dialog. */
export function withPaths(files: Iterable<File>): readonly IncomingFile[] {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath }))
}

/** Reads all files of a drop, with all files in its folders. */
export async function readDroppedFiles(data: DataTransfer): Promise<DroppedFiles> {
  const files: IncomingFile[] = []
  const skipped: string[] = []

  async function readEntry(entry: FileSystemEntry): Promise<void> {
    const path = entry.fullPath.slice(1)
    try {
      if (entry.isFile) {
        const file = await new Promise<File>((resolve, reject) =>
          (entry as FileSystemFileEntry).file(resolve, reject),
        )
        files.push({ file, path: path.includes('/') ? path : '' })
      } else if ((await readFolder(entry as FileSystemDirectoryEntry)) === 0) skipped.push(path)
    } catch {
      skipped.push(path)
    }
  }

  /** Returns the number of entries. */
  async function readFolder(folder: FileSystemDirectoryEntry): Promise<number> {
    const reader = folder.createReader()
    for (let count = 0; ;) {
      // Each call returns some of the entries; the call after the last of them returns none.
      const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      )
      if (entries.length === 0) return count
      for (const entry of entries) await readEntry(entry)
      count += entries.length
    }
  }

  // The list becomes empty at the first `await`, so all items are read before.
  const dropped = [...data.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile())
  for (const item of dropped) {
    if (item instanceof File) files.push({ file: item, path: '' })
    else if (item) await readEntry(item)
  }
  return { files, skipped }
}
