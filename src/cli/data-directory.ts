import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readSnapshot, type SnapshotError, writeSnapshot } from '../emulator/state/snapshot.ts'
import type { EmulatorState } from '../emulator/state/state.ts'
import { lockDirectory } from './directory-lock.ts'

/** The place on disk where an emulator keeps what it knows. */
export interface DataDirectory {
  /** State at the time of opening. Null: nothing has been saved yet. */
  readonly state: EmulatorState | null
  /** Where the contents of files and attachments go. It exists. */
  readonly objectsDirectory: string
  /**
   * Resolves once the state as it is now, or as it was at a later time, is on disk and outlives a loss of power. Saves
   * that come together, or while another is being written, share one write. Rejects where that write fails: then the
   * state of the last one that did not is on disk, and the next save tries again.
   */
  readonly save: (state: EmulatorState) => Promise<void>
  /** Lets other processes in once everything asked for has been written. */
  readonly close: () => Promise<void>
}

/** A data directory that cannot be used, with a message for whoever named it. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/**
 * Opens a directory for this process alone, and makes it where it is missing. Rejects with `DataDirectoryError` where
 * another process has it open, or its state cannot be read; such a state is left as it is.
 */
export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  const root = resolve(directory)
  const file = join(root, 'state.json')
  const temporary = `${file}.tmp`
  const objectsDirectory = join(root, 'objects')

  const unlock = await makeDirectory(root)
    .then(() => lockDirectory(root))
    .catch((error: unknown) => {
      throw explained(error)
    })

  /** What is on disk for certain. */
  let written: string | undefined
  let state: EmulatorState | null
  try {
    await rm(temporary, { force: true })
    await makeDirectory(objectsDirectory)
    // The last process may have been ended between naming its file and making that name last.
    await syncDirectory(root)
    written = await readText(file)
    state = written === undefined ? null : readState(file, written)
  } catch (error) {
    await unlock()
    throw explained(error)
  }

  let newest: EmulatorState
  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined
  let isClosed = false

  function schedule(): Promise<void> {
    const write = running.then(() => {
      waiting = undefined
      return writeDown(newest)
    })
    running = write.catch(() => {})
    return write
  }

  async function writeDown(present: EmulatorState): Promise<void> {
    const text = writeSnapshot(present)
    if (text === written) return
    try {
      const handle = await open(temporary, 'w', 0o600)
      try {
        await handle.writeFile(text)
        await handle.sync()
      } finally {
        await handle.close()
      }
      // From here on until its name is safe, either may be what a loss of power leaves.
      written = undefined
      await rename(temporary, file)
      await syncDirectory(root)
      written = text
    } catch (error) {
      // A full disk is the likeliest reason, and the half that was written may be large.
      await rm(temporary, { force: true }).catch(() => {})
      throw error
    }
  }

  return {
    state,
    objectsDirectory,
    save(present) {
      if (isClosed) return Promise.reject(new DataDirectoryError(`${root} is closed`))
      newest = present
      return (waiting ??= schedule())
    },
    async close() {
      if (isClosed) return await running
      isClosed = true
      // Whatever goes wrong here, those who asked for it hear of it.
      running = running.then(unlock)
      await running
    },
  }
}

/** Makes a directory that others cannot read, and whatever leads to it, so that a loss of power leaves them there. */
async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncDirectory(dirname(made))
}

/** Makes names in a directory outlive a loss of power. */
async function syncDirectory(path: string): Promise<void> {
  // Windows neither knows nor needs it.
  if (process.platform === 'win32') return
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** `undefined` where there is no such file. */
async function readText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!bytes) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw unreadable(file, 'it is not UTF-8', cause)
  }
}

function readState(file: string, text: string): EmulatorState {
  try {
    return readSnapshot(text)
  } catch (cause) {
    throw unreadable(file, (cause as SnapshotError).message, cause)
  }
}

function unreadable(file: string, reason: string, cause: unknown): DataDirectoryError {
  return new DataDirectoryError(
    `The state in ${file} cannot be read: ${reason}. It was left as it is: mend it, or move it away to begin anew.`,
    { cause },
  )
}

/** Whatever the system or the lock says becomes a message for whoever named the directory. */
function explained(error: unknown): DataDirectoryError {
  if (error instanceof DataDirectoryError) return error
  return new DataDirectoryError(error instanceof Error ? error.message : String(error), { cause: error })
}
