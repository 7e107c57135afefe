import { unwatchFile, watchFile } from 'node:fs'
import type { Log } from '../../proxy/observe/log.ts'
import { type ReadText, readTextFile, unreadableFile } from './config-values.ts'
import { parseRedisUrl } from './variable-types.ts'

/** Follows the address of Redis in a file. */
interface RedisUrlFile {
  /** Reads the file again. If it contains no address, nothing changes, and the log gets the reason. */
  readonly reload: () => void
  readonly close: () => void
}

interface RedisUrlFileOptions {
  readonly path: string
  /** The address when the process started. */
  readonly url: string
  /** Moves to another address. Resolves to false, or rejects, if that is not possible now. */
  readonly moveTo: (url: string) => Promise<boolean>
  readonly log: Log
  readonly readText?: ReadText
  /** Time in ms after which an address that did not work is tried again. Default 5 seconds. */
  readonly retryDelay?: number
}

/** Time between two looks at the file, in ms. */
const interval = 1000

/**
 * Moves to the address in a file when it changes, such as a new password. As long as the new one does not work, the previous
 * connections stay. No log line contains an address, because it holds the password.
 */
export function followRedisUrl({
  path,
  url,
  moveTo,
  log,
  readText = readTextFile,
  retryDelay = 5000,
}: RedisUrlFileOptions): RedisUrlFile {
  let current = url
  let wanted = url
  let moving: Promise<void> | undefined
  /** Ends the waiting for another try. */
  let wake = () => {}
  let isClosed = false

  async function move(): Promise<void> {
    while (!isClosed && wanted !== current) {
      const next = wanted
      const problem = await moveTo(next).then(
        (isMoved) => (isMoved ? undefined : 'Redis does not accept a connection'),
        (error: unknown) => String(error),
      )
      if (problem === undefined) {
        current = next
        log('info', 'The address of Redis has changed', { path })
      } else if (!isClosed) {
        log('error', 'The new address of Redis does not work, so the last one stays', {
          path,
          error: problem,
        })
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, retryDelay).unref()
        })
      }
    }
  }

  function start(): void {
    if (moving || isClosed || wanted === current) return
    moving = move().finally(() => {
      moving = undefined
      // The file may have changed in the meantime.
      start()
    })
  }

  function reload(): void {
    try {
      const read = parseRedisUrl(readText(path).replace(/\r?\n$/, ''))
      if (read === undefined)
        log('error', 'The file contains no address of Redis, so the last one stays', { path })
      else wanted = read
    } catch (error) {
      log('error', `The file of the address of Redis ${unreadableFile(error)}`, { path })
    }
    wake()
    start()
  }

  // Polling also notices a file that is replaced through a link, as Kubernetes does.
  watchFile(path, { interval, persistent: false }, reload)
  return {
    reload,
    close() {
      isClosed = true
      wake()
      unwatchFile(path, reload)
    },
  }
}
