import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Another emulator uses the directory. */
export class LockError extends Error {
  override readonly name = 'LockError'
}

/** Locks that this process holds: after a restart in a container, the process id in an old lock may be our own. */
const held = new Set<string>()

/**
 * Locks a directory and returns a function that unlocks it. Throws `LockError` if a running process has locked it. The
 * lock of a killed process is replaced. This is a safeguard against mistakes: two processes that replace the same old
 * lock at the same moment may both succeed.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'lock')
  const temporary = `${path}.${process.pid}.tmp`
  const holder = await readHolder(path)
  if (held.has(path) || (holder && isOther(holder))) throw inUse(directory, path, holder ?? process.pid)
  held.add(path)
  try {
    if (holder !== undefined) await rm(path, { force: true })
    // A link creates the file with its content: no other process sees an empty lock.
    await writeFile(temporary, `${process.pid}`, { mode: 0o600 })
    await link(temporary, path)
  } catch (error) {
    held.delete(path)
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw inUse(directory, path, (await readHolder(path)) ?? 0)
  } finally {
    await rm(temporary, { force: true })
  }
  return async () => {
    held.delete(path)
    await rm(path, { force: true })
  }
}

function inUse(directory: string, path: string, pid: number): LockError {
  return new LockError(
    `${directory} is in use by process ${pid}. Stop that process or choose another directory. ` +
      `If the process is not an emulator, delete ${path}.`,
  )
}

/** Returns the process id in a lock, 0 if it is not valid, and `undefined` if there is no lock. */
async function readHolder(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

/** Whether another process with this id is running. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
