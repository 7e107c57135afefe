import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A directory that another process holds. */
export class LockError extends Error {
  override readonly name = 'LockError'
}

/** The process that made a lock. */
interface Holder {
  readonly pid: number
  /** Tells it from other processes that have had this number; empty where the system does not say. */
  readonly identity: string
}

const lockPattern = /^lock\.(\d{1,15})$/
const leftoverPattern = /^lock\.[0-9a-f-]{36}\.tmp$/

/**
 * Keeps other processes of this machine out of a directory, and answers how to let them in again. Throws `LockError`
 * where one that still runs holds it; the lock of one that has ended, in whatever way, does not count.
 *
 * Node has no lock that ends with its process, and removing a dead one's file races with others who do the same. So
 * nobody does: locks are numbered, the highest counts, and whoever finds its holder dead adds the next one. The file of
 * a number is made whole or not at all, by a link, and by one process only.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const own: Holder = { pid: process.pid, identity: await identify(process.pid) }
  for (;;) {
    const last = await lastLock(directory)
    const holder = await readHolder(pathOf(directory, last))
    if (holder && (await isRunning(holder))) {
      throw new LockError(
        `${directory} is in use by process ${holder.pid}. End that first, or choose another directory. ` +
          `(If it is something else that has this number now, delete ${pathOf(directory, last)}.)`,
      )
    }

    const number = last + 1
    const path = pathOf(directory, number)
    if (!(await makeLock(directory, path, own))) continue
    // Others may have come and gone since we looked, and have taken higher numbers.
    if ((await lastLock(directory)) === number) {
      await clean(directory, number)
      // An empty lock is nobody's. It stays, so that no number is ever used twice.
      return () => truncate(path).catch(() => {})
    }
    await rm(path, { force: true })
  }
}

function pathOf(directory: string, number: number): string {
  return join(directory, `lock.${number}`)
}

/** Highest number of a lock. 0: there is none. */
async function lastLock(directory: string): Promise<number> {
  const names = await readdir(directory)
  return Math.max(0, ...names.map((name) => Number(lockPattern.exec(name)?.[1] ?? 0)))
}

/** `undefined` where nobody holds the lock. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const { pid, identity } = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>
    return Number.isInteger(pid) && Number(pid) > 0
      ? { pid: Number(pid), identity: `${identity}` }
      : undefined
  } catch {
    // Not there, let go, or cut short by a loss of power.
    return undefined
  }
}

/** Whether the lock is ours now: not where somebody else was first. */
async function makeLock(directory: string, path: string, own: Holder): Promise<boolean> {
  const temporary = join(directory, `lock.${randomUUID()}.tmp`)
  try {
    await writeFile(temporary, JSON.stringify(own), { mode: 0o600 })
    await link(temporary, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // ENOENT: whoever was first has swept ours away as a left-over.
    if (code === 'EEXIST' || code === 'ENOENT') return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Removes what dead processes have left. */
async function clean(directory: string, number: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const isOld = Number(lockPattern.exec(name)?.[1] ?? number) < number
    if (isOld || leftoverPattern.test(name)) await rm(join(directory, name), { force: true })
  }
}

async function isRunning({ pid, identity }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const present = await identify(pid)
  return present === identity || present === '' || identity === ''
}

/**
 * Tells a process from others that have had its number: when it began, in which run of the machine. On Linux only; empty
 * elsewhere.
 */
async function identify(pid: number): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name of the program, which may hold anything (proc_pid_stat(5)).
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    // Ended, but its parent has not asked how: it does nothing any more.
    const isOver = fields[0] === 'Z' || fields[0] === 'X'
    return isOver ? 'over' : `${boot.trim()} ${fields[19]}`
  } catch {
    return ''
  }
}
