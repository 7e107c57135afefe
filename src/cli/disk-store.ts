import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ObjectStore } from '../emulator/state/object-store.ts'
import { streamFromGenerator } from '../emulator/http/stream.ts'

const keyFormat = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const objectPattern = new RegExp(`^${keyFormat}$`)
/** Name of an incomplete object: its key and a random name. */
const temporaryPattern = new RegExp(`^${keyFormat}[.]${keyFormat}$`)

/**
 * Stores objects as files of a directory, which it creates if necessary. If the process is killed, each object is either
 * complete or missing. Keys are UUIDs; all methods reject with a `TypeError` for others. Other files are not touched.
 */
export async function createDiskStore(directory: string): Promise<ObjectStore> {
  await mkdir(directory, { recursive: true })
  const leftovers = (await readdir(directory)).filter((name) => temporaryPattern.test(name))
  await Promise.all(leftovers.map((name) => rm(join(directory, name), { force: true })))

  function pathOf(key: string): string {
    if (!objectPattern.test(key))
      throw new TypeError(`${JSON.stringify(key)} is not a valid object key: not a UUID`)
    return join(directory, key)
  }

  return {
    async put(key, content) {
      const path = pathOf(key)
      const temporary = `${path}.${crypto.randomUUID()}`
      const file = createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true })
      try {
        await pipeline(content, file)
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      return file.bytesWritten
    },

    async get(key, range) {
      const path = pathOf(key)
      const size = await fileSize(path)
      if (size === undefined) return undefined
      return readFrom(path, range?.start ?? 0, Math.min(range?.end ?? Infinity, size - 1))
    },

    size: async (key) => await fileSize(pathOf(key)),
    delete: async (key) => await rm(pathOf(key), { force: true }),
    keys: async () => (await readdir(directory)).filter((name) => objectPattern.test(name)),
  }
}

async function fileSize(path: string): Promise<number | undefined> {
  return (
    await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
  )?.size
}

/** Opens the file at the first read, so that an unread stream keeps no file open. */
function readFrom(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  return streamFromGenerator(
    (async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      if (start <= end) yield* createReadStream(path, { start, end }) as AsyncIterable<Buffer>
    })(),
  )
}
