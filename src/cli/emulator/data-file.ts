import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isRecord } from '../../contract/values/values.ts'
import { fromSnapshot, toSnapshot } from '../../emulator/state/snapshot.ts'
import { type EmulatorState, namedObjects } from '../../emulator/state/state.ts'
import { makeFolder } from '../../proxy/node/storage/make-folder.ts'

/** Time in ms in which changes are collected before the file is written. */
const collectTime = 100

/** The data of an emulator. */
interface EmulatorData {
  readonly state: EmulatorState
  /** Contents of files and attachments, by their `object` key. */
  readonly contents: Map<string, Uint8Array<ArrayBuffer>>
}

/** A JSON file that keeps the data of an emulator. */
interface DataFile extends EmulatorData {
  /** Whether the file existed before. */
  readonly isContinued: boolean
  /** Writes the file a moment later. Several changes cause one write. A write that fails is reported on standard error. */
  readonly saveSoon: () => void
  /** Writes changes that are not in the file yet. */
  readonly close: () => Promise<void>
}

/** A data file that cannot be used. The message is for the operator. */
class DataFileError extends Error {
  override readonly name = 'DataFileError'
}

/**
 * Opens a data file, or creates it with an initial state. Rejects with `DataFileError` if the file is not readable, and then
 * does not change it.
 */
export async function openDataFile(path: string, initial: () => EmulatorState): Promise<DataFile> {
  const found = await read(path)
  const data = found ?? { state: initial(), contents: new Map() }
  if (!found) await write(path, data)
  let isChanged = false
  let saving: Promise<void> | undefined

  async function saveChanges(): Promise<void> {
    try {
      while (isChanged) {
        await pause(collectTime)
        isChanged = false
        await write(path, data)
      }
    } catch (error) {
      isChanged = true
      console.error((error as Error).message)
    }
    saving = undefined
  }

  return {
    ...data,
    isContinued: found !== undefined,
    saveSoon() {
      isChanged = true
      saving ??= saveChanges()
    },
    async close() {
      await saving
      if (isChanged) await write(path, data)
    },
  }
}

async function read(path: string): Promise<EmulatorData | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    const reason = error.code === 'EISDIR' ? `${path} is a directory` : error.message
    throw new DataFileError(`${reason}. Use the path of a JSON file, such as emulator.json.`, {
      cause: error,
    })
  })
  if (text === undefined) return undefined
  try {
    const file: unknown = JSON.parse(text)
    const state = fromSnapshot(file)
    const { contents } = file as { readonly contents?: unknown }
    if (!isRecord(contents)) throw new TypeError('contents is missing or of another type')
    const entries = Object.entries(contents).map(([key, base64]) => {
      if (typeof base64 !== 'string') throw new TypeError(`the content ${key} is not a text`)
      return [key, Buffer.from(base64, 'base64')] as const
    })
    return { state, contents: new Map(entries) }
  } catch (cause) {
    throw new DataFileError(
      `${path} is not readable: ${(cause as Error).message}. Repair the file, or move it away to start again.`,
      { cause },
    )
  }
}

/** Replaces the whole file: if the process is killed meanwhile, the previous file remains. */
async function write(path: string, { state, contents }: EmulatorData): Promise<void> {
  const named = namedObjects(state)
  const texts: Record<string, string> = {}
  for (const [key, bytes] of contents) {
    if (named.has(key)) texts[key] = Buffer.from(bytes).toString('base64')
  }
  const text = JSON.stringify({ ...toSnapshot(state), contents: texts })
  try {
    makeFolder(dirname(path))
    await writeFile(`${path}.tmp`, text, { mode: 0o600 })
    await rename(`${path}.tmp`, path)
  } catch (cause) {
    throw new DataFileError(`${path} cannot be written: ${(cause as Error).message}`, { cause })
  }
}
