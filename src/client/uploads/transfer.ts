import { type ClientError, SignedOutError, UnavailableError } from '../transport/errors.ts'
import type { UploadOptions } from './file-upload.ts'
import { createIdempotencyKey } from '../transport/idempotency-key.ts'

/**
 * State of one upload:
 *
 * - `waiting`: not started, or in the queue;
 * - `sending`: `sent` of `total` bytes have been sent, at `speed` bytes per second, with `secondsLeft` to go. Both are null
 *   if they are not known;
 * - `finishing`: everything has been sent. The upload is not complete until the response arrives;
 * - `checking`: no response arrived. The server is queried for the file;
 * - `paused`: sends again from the start, by itself when the connection is back, or after `start()` if signed out;
 * - `stored`: the server has confirmed it;
 * - `failed`: if `isUncertain`, the server may have stored the content, and it is not known whether it did;
 * - `cancelled`: as far as is known, nothing was stored by the last attempt.
 *
 * `mayDuplicate`: it will never be known what an earlier attempt did, and another one may store a second copy.
 *
 * `isStalled`: nothing has moved for a while. The upload may still continue; users may cancel it or start it again.
 */
export type TransferState<T> =
  | { readonly kind: 'waiting' | 'checking' }
  | {
      readonly kind: 'sending'
      readonly sent: number
      readonly total: number
      readonly speed: number | null
      readonly secondsLeft: number | null
      readonly isStalled: boolean
    }
  | { readonly kind: 'finishing'; readonly isStalled: boolean }
  | { readonly kind: 'paused'; readonly why: 'signed-out' | 'offline' }
  | { readonly kind: 'stored'; readonly value: T }
  | {
      readonly kind: 'failed'
      readonly error: unknown
      readonly isUncertain: boolean
      readonly mayDuplicate?: true
    }
  | ({ readonly kind: 'cancelled' } & Partial<Doubt>)

/** What is not known about an earlier attempt. */
interface Doubt {
  readonly isUncertain: true
  readonly mayDuplicate: true
}

/** The parameters of one attempt of a transfer. */
export type TransferSendOptions = {
  readonly [Name in keyof UploadOptions]-?: NonNullable<UploadOptions[Name]>
}

type Find<T> = (signal: AbortSignal) => Promise<T | undefined>

export interface TransferOptions<T> {
  /**
   * Sends the content once. Rejects with the client's errors. Calls `onProgress` with the number of bytes sent; first with
   * 0, when the upload leaves the queue. Has the same `idempotencyKey` as the attempt before until the proxy reports the
   * outcome of that one, so that the proxy stores one copy.
   */
  readonly send: (options: TransferSendOptions) => Promise<T>
  /**
   * Checks whether the server has the content. Returns `undefined` if it does not. If absent, an upload without a response is
   * uncertain until an attempt with the same key gets one.
   */
  readonly find?: Find<T> | undefined
  /** Called with each new state. Progress is limited to five calls per second. */
  readonly onChange: (state: TransferState<T>) => void
  /** Time in ms without progress or a response after which a transfer is stalled. Default 30 000. */
  readonly stall?: number
  /** Time in ms before the second check, because lists may lag behind. Default 3000. */
  readonly lag?: number
  /** Returns the time in ms of a clock that never goes back. Default `performance.now()`. */
  readonly now?: () => number
  /** Fires `online` and `offline`. Default: the global window, if there is one. */
  readonly window?: Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>
}

/** One upload. It is sent again only on request, or if the connection was lost. */
export interface Transfer<T> {
  readonly state: TransferState<T>
  /**
   * Sends an upload that is waiting, stalled, paused, cancelled or failed. If an earlier attempt may have been stored,
   * checks that first. Does nothing in any other state, so a second click sends nothing twice.
   */
  start(): void
  /** Cancels an upload that is not complete. If everything was sent, checks first whether it was stored. */
  cancel(): void
  /** Stops an upload that is not over at once, without a probe: nothing is sent or reported after `cancelled`. */
  abandon(): void
}

/** Minimum time between two reports of progress, in ms. */
const pace = 200

/** Maximum number of automatic restarts after a lost connection: an unstable one would restart forever. */
const maxResumes = 5

/** Creates a transfer that waits for its `start()`. */
export function createTransfer<T>({
  send,
  find,
  onChange,
  stall = 30_000,
  lag = 3000,
  now = () => performance.now(),
  window = globalThis,
}: TransferOptions<T>): Transfer<T> {
  let state: TransferState<T> = { kind: 'waiting' }
  /** The current send or check. */
  let attempt: AbortController | undefined
  let stallTimer: ReturnType<typeof setTimeout> | undefined
  let reportTimer: ReturnType<typeof setTimeout> | undefined
  let sent = 0
  let total = 0
  /** Whether the server may have stored the content in an attempt whose outcome is not known. */
  let mayBeStored = false
  /** Whether an attempt under an earlier key may have stored the content: a check may miss it, because lists may lag for long. */
  let doubt: Doubt | undefined
  let idempotencyKey: string | undefined
  let isOffline = false
  let resumes = 0

  function set(next: TransferState<T>): void {
    state = next
    clearTimeout(reportTimer)
    watchStall()
    listen(attempt || next.kind === 'paused' ? 'addEventListener' : 'removeEventListener')
    onChange(next)
  }

  function isStalled(): boolean {
    return 'isStalled' in state && state.isStalled
  }

  /** Restarts the timer that marks a transfer as stalled. */
  function watchStall(): void {
    clearTimeout(stallTimer)
    if (!('isStalled' in state) || state.isStalled) return
    stallTimer = setTimeout(() => {
      if (state.kind === 'sending') set({ ...state, sent, speed: null, secondsLeft: null, isStalled: true })
      else set({ kind: 'finishing', isStalled: true })
    }, stall)
  }

  /** Runs `work`, which replaces the current one, and sets the state that it returns. */
  function begin(work: (signal: AbortSignal) => Promise<TransferState<T>>): void {
    stop()
    const { signal } = (attempt = new AbortController())
    void work(signal)
      .catch((error: unknown) => stateAfter(error))
      .then((end) => {
        if (signal.aborted) return
        attempt = undefined
        set(end)
      })
  }

  /** Aborts the current send or check. */
  function stop(): void {
    if (!attempt) return
    recordDoubt()
    attempt.abort()
    attempt = undefined
  }

  /** Browsers report progress late, so any number of bytes may have been sent since an attempt has left the queue. */
  function recordDoubt(): void {
    mayBeStored ||= total > 0
  }

  async function deliver(signal: AbortSignal): Promise<TransferState<T>> {
    if (find && mayBeStored) {
      const found = await check(find, signal)
      if (found) return found
      signal.throwIfAborted()
      mayBeStored = false
    }
    sent = total = 0
    set({ kind: 'waiting' })

    try {
      idempotencyKey ??= createIdempotencyKey()
      return { kind: 'stored', value: await send({ signal, onProgress: progressOf(signal), idempotencyKey }) }
    } catch (error) {
      signal.throwIfAborted()
      const { outcome } = error as Partial<ClientError>
      if (outcome) {
        // The proxy would only repeat its response to this key.
        idempotencyKey = undefined
        if (outcome === 'unknown') doubt = { isUncertain: true, mayDuplicate: true }
        mayBeStored = !!doubt
      } else if (error instanceof UnavailableError && !error.limitedUntil) recordDoubt()
      if (!find || !mayBeStored) return stateAfter(error, mayBeStored)
      return (await check(find, signal)) ?? stateAfter(error)
    }
  }

  /** Queries the server, and queries it again after a while if it does not have the content. */
  async function check(find: Find<T>, signal: AbortSignal): Promise<TransferState<T> | undefined> {
    set({ kind: 'checking' })
    try {
      let value = await find(signal)
      if (value === undefined) {
        await new Promise((resolve) => setTimeout(resolve, lag))
        signal.throwIfAborted()
        value = await find(signal)
      }
      return value === undefined ? undefined : { kind: 'stored', value }
    } catch (error) {
      return stateAfter(error, true)
    }
  }

  function stateAfter(error: unknown, isUncertain = false): TransferState<T> {
    if (error instanceof SignedOutError) return { kind: 'paused', why: 'signed-out' }
    // Whether to send a second copy is for the person to decide.
    if (isOffline && error instanceof UnavailableError && !doubt) return { kind: 'paused', why: 'offline' }
    return { kind: 'failed', error, isUncertain, ...doubt }
  }

  function progressOf(signal: AbortSignal): (sent: number, total: number) => void {
    let lastReport = -Infinity
    let reported = 0
    let speed: number | null = null

    /** Returns the state with what has been sent until now. */
    function report(): TransferState<T> {
      const elapsed = now() - lastReport
      const latest = ((sent - reported) / elapsed) * 1000
      // There is no useful speed after a stall.
      speed = isStalled() || elapsed === Infinity ? null : (speed ?? latest) * 0.7 + latest * 0.3
      lastReport = now()
      reported = sent
      const secondsLeft = speed && (total - sent) / speed
      return { kind: 'sending', sent, total, speed, secondsLeft, isStalled: false }
    }

    return (nowSent, nowTotal) => {
      if (signal.aborted || (state.kind !== 'waiting' && nowSent <= sent)) return
      sent = nowSent
      total = nowTotal
      const untilReport = lastReport + pace - now()
      if (sent > 0 && sent >= total) set({ kind: 'finishing', isStalled: false })
      else if (untilReport <= 0 || isStalled()) set(report())
      else {
        watchStall()
        // Even if nothing more is sent, people see how much was. That does not postpone the stall.
        clearTimeout(reportTimer)
        reportTimer = setTimeout(() => onChange((state = report())), untilReport)
      }
    }
  }

  function listen(on: 'addEventListener' | 'removeEventListener'): void {
    window[on]?.('offline', onOffline)
    window[on]?.('online', onOnline)
  }

  function onOffline(): void {
    isOffline = true
    // The response to a complete upload may still arrive.
    if (state.kind !== 'sending') return
    stop()
    set({ kind: 'paused', why: 'offline' })
  }

  function onOnline(): void {
    isOffline = false
    if (state.kind === 'paused' && state.why === 'offline' && resumes++ < maxResumes) begin(deliver)
  }

  return {
    get state() {
      return state
    },

    start() {
      if ((attempt && !isStalled()) || state.kind === 'stored') return
      isOffline = (globalThis.navigator as Navigator | undefined)?.onLine === false
      resumes = 0
      begin(deliver)
    },

    cancel() {
      if (state.kind === 'stored' || state.kind === 'checking' || state.kind === 'cancelled') return
      if (state.kind === 'finishing' && find)
        begin(async (signal) => (await check(find, signal)) ?? { kind: 'cancelled', ...doubt })
      else {
        stop()
        set({ kind: 'cancelled', ...doubt })
      }
    },

    abandon() {
      if (state.kind === 'stored' || state.kind === 'failed' || state.kind === 'cancelled') return
      stop()
      set({ kind: 'cancelled', ...doubt })
    },
  }
}
