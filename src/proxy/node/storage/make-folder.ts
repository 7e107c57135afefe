import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and those that contain it, unless they exist. Throws the error of the system. Node's own `recursive` option
 * never returns where the system refuses new folders as if their parent were missing, such as in `/proc`.
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    mkdirSync(path, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || parent === path || existsSync(parent)) throw error
    makeFolder(parent, mode)
    // Another process may have created it meanwhile.
    makeFolder(path, mode)
  }
}
