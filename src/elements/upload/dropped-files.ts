import type { TakenFiles } from './file-intake.ts'

/** Where files stood that were dropped in a folder; of files from their dialog browsers tell it themselves. */
const paths = new WeakMap<File, string>()

/** Path of a file from the folder on that it was chosen with, such as `trip/receipts/a.pdf`; else ''. */
export function pathInFolder(file: File): string {
  return paths.get(file) ?? file.webkitRelativePath
}

/** All files of what was dropped; of folders, where `isDeep`, all that is in them. */
export async function filesOf(data: DataTransfer, isDeep: boolean): Promise<TakenFiles> {
  const files: File[] = []
  const leftOut: string[] = []

  async function walk(entry: FileSystemEntry): Promise<void> {
    const path = entry.fullPath.slice(1)
    try {
      if (entry.isFile) {
        const file = await new Promise<File>((...settle) => (entry as FileSystemFileEntry).file(...settle))
        if (path.includes('/')) paths.set(file, path)
        files.push(file)
      } else if (!(await walkAll((entry as FileSystemDirectoryEntry).createReader()))) leftOut.push(path)
    } catch {
      leftOut.push(path)
    }
  }

  /** Whether there was anything. */
  async function walkAll(reader: FileSystemDirectoryReader): Promise<boolean> {
    for (let isEmpty = true; ; isEmpty = false) {
      // It answers some at a time, and none when there are no more.
      const some = await new Promise<FileSystemEntry[]>((...settle) => reader.readEntries(...settle))
      if (some.length === 0) return !isEmpty
      for (const entry of some) await walk(entry)
    }
  }

  // All read before anything is awaited: afterwards the list is empty.
  const dropped = [...data.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => (isDeep && item.webkitGetAsEntry()) || item.getAsFile())
  for (const one of dropped) {
    if (one instanceof File) files.push(one)
    else if (one) await walk(one)
  }
  return { files, leftOut }
}
