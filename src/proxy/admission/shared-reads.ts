import type { AbortListener, DisconnectSignal, Holding } from '../http/connection.ts'
import { Disconnect } from '../http/disconnect.ts'
import { ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import { createRecords } from './records.ts'

/** A request that waits for the result of a read. */
export interface ReadingRequest {
  readonly signal: DisconnectSignal
  readonly holding: Holding
}

/** Reads that several requests wait for. */
interface SharedReads {
  /**
   * Returns the result of `read`, or of a read of the same holder with the same key that has just begun. The key names
   * everything that the result depends on, such as the person. The read ends early if all its readers disconnect.
   */
  readonly share: <T>(
    holder: string,
    key: string,
    reader: ReadingRequest,
    read: (reader: ReadingRequest) => T | Promise<T>,
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
  const holders = createRecords<Joinable[]>({
    create: () => [],
    isIdle: (reads) => reads.length === 0,
  })
  let changes = 0

  return {
    share<T>(
      holder: string,
      key: string,
      reader: ReadingRequest,
      read: (reader: ReadingRequest) => T | Promise<T>,
    ): Promise<T> {
      const running = holders.of(holder)
      const time = now()
      const isJoinable = (other: Joinable) =>
        other.key === key && other.changes === changes && time - other.start < maxAge
      const known = running.find(isJoinable)
      if (known) return known.join(reader) as Promise<T>

      const shared = new SharedRead<T>(key, changes, time, () => {
        const at = running.indexOf(shared)
        if (at >= 0) running.splice(at, 1)
      })
      running.push(shared)
      const result = shared.join(reader)
      void shared.begin(read)
      return result
    },
    forget: () => void (changes += 1),
  }
}

type Joinable = Pick<SharedRead<unknown>, 'key' | 'changes' | 'start' | 'join'>

/** One read, which also stands for its readers: it disconnects when all of them have, and holds what they hold. */
class SharedRead<T> extends Disconnect implements ReadingRequest, Holding {
  readonly key: string
  /** The number of changes before this read. */
  readonly changes: number
  readonly start: number
  /** Called when nobody may join any more. */
  readonly #onClose: () => void
  /** Readers that wait for the result. */
  readonly #waiting: Reader<T>[] = []
  /** Readers that do not have their whole response yet. */
  readonly #unsent: ReadingRequest[] = []
  readonly #repliedReleases: (() => void)[] = []
  readonly #sentReleases: (() => void)[] = []

  constructor(key: string, changes: number, start: number, onClose: () => void) {
    super()
    this.key = key
    this.changes = changes
    this.start = start
    this.#onClose = onClose
  }

  get signal(): DisconnectSignal {
    return this
  }

  get holding(): Holding {
    return this
  }

  join(request: ReadingRequest): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const reader = new Reader(request, this, resolve, reject)
      this.#waiting.push(reader)
      this.#unsent.push(request)
      request.signal.addEventListener('abort', reader)
      if (request.signal.aborted) this.leave(reader)
    })
  }

  async begin(read: (reader: ReadingRequest) => T | Promise<T>): Promise<void> {
    try {
      const result = await read(this)
      this.#settle((reader) => reader.resolve(result))
    } catch (error) {
      this.#settle((reader) => reader.reject(error))
    }
  }

  /** Ends the waiting of a reader who disconnects. */
  leave(reader: Reader<T>): void {
    const at = this.#waiting.indexOf(reader)
    if (at < 0) return
    const { reason } = reader.request.signal
    if (this.#waiting.length > 1) {
      this.#waiting.splice(at, 1)
      reader.reject(reason instanceof ProxyError ? reason : refusals.interrupted())
    } else {
      // The read fails now, and its last reader gets that error.
      this.#onClose()
      this.abort(reason)
    }
  }

  untilReply(release: () => void): void {
    this.#repliedReleases.push(release)
  }

  untilSent(release: () => void): void {
    this.#sentReleases.push(release)
  }

  revoke(reason: Error): void {
    for (const { holding } of [...this.#unsent]) holding.revoke(reason)
  }

  /** Frees what the read holds: some of it now, and the rest when the last reader has its response. */
  #settle(settle: (reader: Reader<T>) => void): void {
    this.#onClose()
    for (const release of this.#repliedReleases) release()
    if (this.#sentReleases.length > 0) {
      for (const request of [...this.#unsent]) request.holding.untilSent(() => this.#onSent(request))
    }
    for (const reader of this.#waiting.splice(0)) {
      reader.request.signal.removeEventListener('abort', reader)
      settle(reader)
    }
  }

  #onSent(request: ReadingRequest): void {
    this.#unsent.splice(this.#unsent.indexOf(request), 1)
    if (this.#unsent.length === 0) for (const release of this.#sentReleases.splice(0)) release()
  }
}

/** A request that waits for a read. */
class Reader<T> implements AbortListener {
  readonly request: ReadingRequest
  readonly resolve: (result: T) => void
  readonly reject: (error: unknown) => void
  readonly #read: SharedRead<T>

  constructor(
    request: ReadingRequest,
    read: SharedRead<T>,
    resolve: (result: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.request = request
    this.resolve = resolve
    this.reject = reject
    this.#read = read
  }

  /** The request has disconnected. */
  handleEvent(): void {
    this.#read.leave(this)
  }
}
