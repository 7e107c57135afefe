import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { uuidPattern, wholeText } from '../contract/patterns.ts'
import type { ByteRange, ObjectStore } from '../emulator/state/object-store.ts'
import { streamFromGenerator } from '../emulator/http/stream.ts'

const finished = wholeText(uuidPattern)

/** Name of what is still being written: the key, then a name of its own. */
const unfinished = wholeText(`${uuidPattern}[.]${uuidPattern}`)

const chunkSize = 64 * 1024

/**
 * Keeps objects as files of a directory, which is made where it is missing and which only one process may use at a time.
 * Whenever the process ends, even by a kill or with the machine, an object is there whole or not at all. Keys are uuids;
 * everything rejects with a `TypeError` for others. Files of other names are left alone.
 */
export async function createDiskStore(directory: string): Promise<ObjectStore> {
  await mkdir(directory, { recursive: true })
  const leftOver = (await readdir(directory)).filter((name) => unfinished.test(name))
  await Promise.all(leftOver.map((name) => rm(join(directory, name), { force: true })))

  return {
    async put(key, content) {
      const path = pathOf(key)
      const temporary = `${path}.${crypto.randomUUID()}`
      const file = await open(temporary, 'wx', 0o600)
      try {
        let size = 0
        try {
          for await (const chunk of content) {
            await file.appendFile(chunk)
            size += chunk.length
          }
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(temporary, path)
        await syncDirectory()
        return size
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },

    async get(key, range) {
      const path = pathOf(key)
      const size = await sizeOf(path)
      return size === undefined ? undefined : read(path, clamp(range, size))
    },

    size: async (key) => sizeOf(pathOf(key)),
    delete: (key) => rm(pathOf(key), { force: true }),
    keys: async () => (await readdir(directory)).filter((name) => finished.test(name)),
  }

  function pathOf(name: string): string {
    if (!finished.test(name))
      throw new TypeError(`${JSON.stringify(name)} is no key of an object; expected a UUID`)
    return join(directory, name)
  }

  /** Makes a rename last. */
  async function syncDirectory(): Promise<void> {
    // Windows opens no directories.
    if (process.platform === 'win32') return
    const opened = await open(directory, 'r')
    try {
      await opened.sync()
    } finally {
      await opened.close()
    }
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function clamp(range: ByteRange | undefined, size: number): ByteRange {
  return { start: range?.start ?? 0, end: Math.min(range?.end ?? Infinity, size - 1) }
}

/** A part of a file, opened when the first byte is asked for: a stream that nobody reads holds nothing open. */
function read(path: string, { start, end }: ByteRange): ReadableStream<Uint8Array> {
  return streamFromGenerator(
    (async function* () {
      const file = await open(path, 'r')
      try {
        for (let at = start; at <= end;) {
          const buffer = new Uint8Array(Math.min(chunkSize, end + 1 - at))
          const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
          if (bytesRead === 0) throw new Error(`${path} is shorter than it was`)
          at += bytesRead
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await file.close()
      }
    })(),
  )
}
