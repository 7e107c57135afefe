import { isUtf8 } from 'node:buffer'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readSnapshot, writeSnapshot } from '../emulator/state/snapshot.ts'
import type { EmulatorState } from '../emulator/state/state.ts'
import { lockDirectory } from './directory-lock.ts'

/** Directory that holds the data of an emulator. */
export interface DataDirectory {
  /** State when the directory was opened; null if nothing has been saved yet. */
  readonly state: EmulatorState | null
  /** Directory for the contents of files and attachments. It exists. */
  readonly objectsDirectory: string
  /**
   * Resolves when the state, as it is now or later, is on disk, where it survives a kill of the process. Concurrent saves
   * share one write. Rejects if the write fails; the previous state is then still on disk.
   */
  readonly save: (state: EmulatorState) => Promise<void>
  /** Waits for all saves and unlocks the directory. */
  readonly close: () => Promise<void>
}

/** A data directory that cannot be used. The message is for the operator. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/**
 * Opens a directory for this process, and creates it if it does not exist. Rejects with `DataDirectoryError` if another
 * process uses it or if its state is not readable. An unreadable state is not changed.
 */
export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  const root = resolve(directory)
  const file = join(root, 'state.json')
  const temporary = `${file}.tmp`
  const objectsDirectory = join(root, 'objects')
  let unlock: (() => Promise<void>) | undefined
  let written: string | undefined
  let state: EmulatorState | null
  try {
    await mkdir(objectsDirectory, { recursive: true, mode: 0o700 })
    unlock = await lockDirectory(root)
    await rm(temporary, { force: true })
    written = await readStateText(file)
    state = written === undefined ? null : parseState(file, written)
  } catch (error) {
    await unlock?.()
    throw new DataDirectoryError((error as Error).message, { cause: error })
  }

  let latest: EmulatorState
  let lastWrite: Promise<void> = Promise.resolve()
  let nextWrite: Promise<void> | undefined
  let closing: Promise<void> | undefined

  async function save(): Promise<void> {
    nextWrite = undefined
    const text = writeSnapshot(latest)
    if (text === written) return
    try {
      await writeFile(temporary, text, { mode: 0o600, flush: true })
      await rename(temporary, file)
      written = text
    } catch (error) {
      // The disk may be full, and the incomplete file may be large.
      await rm(temporary, { force: true }).catch(() => {})
      throw error
    }
  }

  return {
    state,
    objectsDirectory,
    save(current) {
      if (closing) return Promise.reject(new DataDirectoryError(`${root} is closed`))
      latest = current
      if (!nextWrite) {
        nextWrite = lastWrite.then(save)
        lastWrite = nextWrite.catch(() => {})
      }
      return nextWrite
    },
    close: () => (closing ??= lastWrite.then(unlock)),
  }
}

async function readStateText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!bytes) return undefined
  if (!isUtf8(bytes)) throw unreadableState(file, 'it is not UTF-8')
  return bytes.toString()
}

function parseState(file: string, text: string): EmulatorState {
  try {
    return readSnapshot(text)
  } catch (cause) {
    throw unreadableState(file, (cause as Error).message)
  }
}

function unreadableState(file: string, reason: string): Error {
  return new Error(
    `The state in ${file} is not readable: ${reason}. Repair the file, or move it away to start again.`,
  )
}
