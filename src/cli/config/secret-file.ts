import { unwatchFile, watchFile } from 'node:fs'
import type { Log } from '../../proxy/observe/log.ts'
import { type ReadText, readTextFile, unreadableFile } from './config-values.ts'
import { parseFrontSecret } from './variable-types.ts'

/** The secret of the front server while the proxy is running. */
interface SecretFile {
  /** Returns the secrets that are valid now. */
  readonly current: () => readonly string[]
  /** Reads the file again. If it contains no secret, nothing changes, and the log gets the reason. */
  readonly reload: () => void
  readonly close: () => void
}

interface SecretFileOptions {
  readonly path: string
  /** The secret when the process started. */
  readonly secret: string
  readonly log: Log
  readonly readText?: ReadText
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** Time between two looks at the file, in milliseconds. */
const interval = 1000
/** Time for which the previous secret stays valid, in milliseconds: the front server changes at another moment. */
const overlap = 5 * 60_000

/** Follows a secret: reads its file again when it changes. No request fails meanwhile. */
export function followSecret({
  path,
  secret,
  log,
  readText = readTextFile,
  now = Date.now,
}: SecretFileOptions): SecretFile {
  let current = secret
  let previous: { readonly secret: string; readonly until: number } | undefined

  function read(): string | undefined {
    try {
      const read = parseFrontSecret(readText(path).replace(/\r?\n$/, ''))
      if (read === undefined)
        log('error', 'The file contains no valid secret, so the last one stays', { path })
      return read
    } catch (error) {
      log('error', `The file of the secret ${unreadableFile(error)}`, { path })
      return undefined
    }
  }

  function reload(): void {
    const next = read()
    if (next === undefined || next === current) return
    previous = { secret: current, until: now() + overlap }
    current = next
    log('info', 'The secret of the front server has changed. The last one is valid for five more minutes', {
      path,
    })
  }

  // Polling also notices a file that is replaced through a link, as Kubernetes does.
  watchFile(path, { interval, persistent: false }, reload)
  return {
    current: () => (previous && now() < previous.until ? [current, previous.secret] : [current]),
    reload,
    close: () => unwatchFile(path, reload),
  }
}
