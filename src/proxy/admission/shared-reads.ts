import type { DisconnectSignal } from '../http/connection.ts'
import { createDisconnect } from '../http/disconnect.ts'
import { ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import type { Holding } from '../upstream/upstream.ts'

/** A request that waits for the result of a read. */
export interface ReadingRequest {
  readonly signal: DisconnectSignal
  readonly holding: Holding
}

/** Reads that several requests wait for. */
interface SharedReads {
  /**
   * Returns the result of `read`, or of a read with the same key that has just begun. The key names everything that the
   * result depends on, such as the person. The read ends early if all its readers disconnect.
   */
  readonly share: <T>(
    key: string,
    reader: ReadingRequest,
    read: (reader: ReadingRequest) => Promise<T>,
  ) => Promise<T>
  /** Later requests do not wait for the reads that have begun: something has changed since. */
  readonly forget: () => void
}

interface SharedReadsOptions {
  /** Time in ms for which others may join a read, and may miss a change that the proxy does not know of. Default 500. */
  readonly maxAge?: number
  /** Returns the time in ms, from any origin. Default `performance.now`. */
  readonly now?: () => number
}

/** Creates shared reads. A result is not kept: only requests that overlap share it. */
export function createSharedReads({
  maxAge = 500,
  now = () => performance.now(),
}: SharedReadsOptions = {}): SharedReads {
  // The key names the operation, so the results of one key have one type.
  const joinable = new Map<string, Pick<SharedRead<unknown>, 'start' | 'join'>>()

  return {
    async share<T>(
      key: string,
      reader: ReadingRequest,
      read: (reader: ReadingRequest) => Promise<T>,
    ): Promise<T> {
      const known = joinable.get(key)
      if (known && now() - known.start < maxAge) return (await known.join(reader)) as T

      const shared: SharedRead<T> = createSharedRead(now(), () => {
        if (joinable.get(key) === shared) joinable.delete(key)
      })
      joinable.set(key, shared)
      const result = shared.join(reader)
      shared.begin(read)
      return await result
    },
    forget: () => joinable.clear(),
  }
}

interface SharedRead<T> {
  readonly start: number
  readonly join: (reader: ReadingRequest) => Promise<T>
  readonly begin: (read: (reader: ReadingRequest) => Promise<T>) => void
}

/** Creates a read without readers. Calls `onClose` when nobody may join it any more. */
function createSharedRead<T>(start: number, onClose: () => void): SharedRead<T> {
  /** Readers that wait for the result. */
  const waiting = new Set<ReadingRequest>()
  /** Readers that do not have their whole response yet. */
  const unsent = new Set<ReadingRequest>()
  const disconnect = createDisconnect()
  const repliedReleases: (() => void)[] = []
  const sentReleases: (() => void)[] = []
  let settle!: (result: T | Promise<T>) => void
  const result = new Promise<T>((resolve) => (settle = resolve))

  const holding: Holding = {
    untilReply: (release) => void repliedReleases.push(release),
    untilSent: (release) => void sentReleases.push(release),
    revoke: (reason) => {
      for (const reader of [...unsent]) reader.holding.revoke(reason)
    },
  }

  /** Frees what the read holds: some of it now, and the rest when the last reader has its response. */
  function onSettled(): void {
    onClose()
    for (const release of repliedReleases) release()
    if (sentReleases.length === 0) return
    for (const reader of [...unsent]) {
      reader.holding.untilSent(() => {
        unsent.delete(reader)
        if (unsent.size === 0) for (const release of sentReleases.splice(0)) release()
      })
    }
  }

  return {
    start,
    async join(reader) {
      const { signal } = reader
      waiting.add(reader)
      unsent.add(reader)
      let leave!: (error: Error) => void
      const left = new Promise<never>((_, reject) => (leave = reject))
      const onAbort = {
        handleEvent() {
          waiting.delete(reader)
          if (waiting.size > 0) {
            return leave(signal.reason instanceof ProxyError ? signal.reason : refusals.interrupted())
          }
          // The read fails now, and its last reader gets that error.
          onClose()
          disconnect.abort(signal.reason)
        },
      }
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort.handleEvent()
      try {
        return await Promise.race([result, left])
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    begin: (read) => settle(read({ signal: disconnect, holding }).finally(onSettled)),
  }
}
