import { SignedOutError, UnavailableError } from './errors.ts'

/**
 * How far one upload is:
 *
 * - `waiting`: not begun, or in line behind others;
 * - `sending`: `sent` of `total` bytes have left, at `speed` bytes a second, `secondsLeft` to go; null: not known;
 * - `finishing`: all has left, and there is no answer yet, so it is not done;
 * - `checking`: there was no answer, or none was waited for; the server is asked whether it has the content;
 * - `paused`: goes on from zero, after the connection has come back by itself, after a sign-in by `start()`;
 * - `stored`: the server has confirmed it;
 * - `failed`: with `isUncertain`, the content may have arrived all the same, and that could not be found out;
 * - `cancelled`: and nothing was stored, as far as is known.
 *
 * `isStalled`: for a while nothing has moved. It may still go on by itself; people may cancel it or start it again.
 */
export type TransferState<T> =
  | { readonly kind: 'waiting' | 'checking' | 'cancelled' }
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
  | { readonly kind: 'failed'; readonly error: unknown; readonly isUncertain: boolean }

export interface TransferOptions<T> {
  /**
   * Sends the content once. Rejects with the client's errors; `onProgress` tells that `sent` of `total` bytes have left,
   * for the first time, with zero, when its turn has come.
   */
  readonly send: (signal: AbortSignal, onProgress: (sent: number, total: number) => void) => Promise<T>
  /**
   * Looks whether the server has what was sent; `undefined`: no. Absent where there is no way to look: then an end without
   * an answer stays uncertain.
   */
  readonly find?: ((signal: AbortSignal) => Promise<T | undefined>) | undefined
  /** Called with each new state, for progress at most five times a second. */
  readonly onChange: (state: TransferState<T>) => void
  /** Milliseconds without a byte, or without the answer, after which a transfer counts as stalled. Default 30 000. */
  readonly stall?: number
  /** Milliseconds until the second look: lists may lag behind what was stored. Default 3000. */
  readonly lag?: number
  /** Milliseconds of a clock that never goes back. Default `performance.now()`. */
  readonly now?: () => number
}

/** One upload, which is never sent again unless someone asks for it, or it is certain that nothing has arrived. */
export interface Transfer<T> {
  readonly state: TransferState<T>
  /**
   * Sends, or sends again: what waits, is stalled or paused, was cancelled or has failed. Where an earlier attempt may
   * have arrived, looks first. Does nothing in any other state, so a second click sends nothing twice.
   */
  start(): void
  /** Gives up what is not over. Where all has been sent, looks whether it was too late. Does nothing in other states. */
  cancel(): void
  /** Stops an upload that is not over at once, without a probe: nothing is sent or reported after `cancelled`. */
  abandon(): void
}

/** Milliseconds between two reports of progress. */
const pace = 200

/** How often a transfer goes on by itself after the connection was lost: a flapping one would send for ever. */
const mostResumes = 5

/** Creates a transfer that waits for its `start()`. */
export function createTransfer<T>({
  send,
  find,
  onChange,
  stall = 30_000,
  lag = 3000,
  now = () => performance.now(),
}: TransferOptions<T>): Transfer<T> {
  let state: TransferState<T> = { kind: 'waiting' }
  /** What is under way. */
  let attempt: AbortController | undefined
  let stallTimer: ReturnType<typeof setTimeout> | undefined
  let sent = 0
  let total = 0
  /** Whether an attempt ended without an answer after enough had left for the server to have it. */
  let isInDoubt = false
  let isOffline = false
  let resumes = 0

  function set(next: TransferState<T>): void {
    state = next
    watch()
    listen(attempt || next.kind === 'paused' ? 'addEventListener' : 'removeEventListener')
    onChange(next)
  }

  /** Waits for a transfer that moves to stall. */
  function watch(): void {
    clearTimeout(stallTimer)
    if (!('isStalled' in state) || state.isStalled) return
    stallTimer = setTimeout(() => {
      if (state.kind === 'sending') set({ ...state, sent, speed: null, secondsLeft: null, isStalled: true })
      else set({ kind: 'finishing', isStalled: true })
    }, stall)
  }

  /** Runs `work` as the only thing under way, and says how it ended. */
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

  /** Cuts what is under way. */
  function stop(): void {
    if (!attempt) return
    noteDoubt()
    attempt.abort(new DOMException('The transfer was stopped', 'AbortError'))
    attempt = undefined
  }

  /** No server stores a body that was cut short; but where one can look, that is not relied on. */
  function noteDoubt(): void {
    if (sent > 0 && (find || sent >= total)) isInDoubt = true
  }

  async function deliver(signal: AbortSignal): Promise<TransferState<T>> {
    const found = isInDoubt && (await look(signal))
    if (found) return found
    signal.throwIfAborted()
    isInDoubt = false
    sent = 0
    set({ kind: 'waiting' })

    try {
      return { kind: 'stored', value: await send(signal, progressOf(signal)) }
    } catch (error) {
      // Any other error is an answer, and says that nothing was stored.
      if (signal.aborted || !(error instanceof UnavailableError)) throw error
      noteDoubt()
      return (isInDoubt && (await look(signal))) || stateAfter(error, isInDoubt && !find)
    }
  }

  /** Asks the server, twice where it says no at first. */
  async function look(signal: AbortSignal): Promise<TransferState<T> | undefined> {
    if (!find) return undefined
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
    // Without a way to look, only people can decide to send again what may have arrived.
    if (isOffline && error instanceof UnavailableError && (find || !isUncertain))
      return { kind: 'paused', why: 'offline' }
    return { kind: 'failed', error, isUncertain }
  }

  function progressOf(signal: AbortSignal): (sent: number, total: number) => void {
    let lastReport = -Infinity
    let reported = 0
    let speed: number | null = null

    return (nowSent, nowTotal) => {
      if (signal.aborted || (state.kind !== 'waiting' && nowSent <= sent)) return
      sent = nowSent
      total = nowTotal
      const elapsed = now() - lastReport
      const wasStalled = state.kind === 'sending' && state.isStalled
      if (sent > 0 && sent >= total) set({ kind: 'finishing', isStalled: false })
      else if (elapsed < pace && !wasStalled) watch()
      else {
        const latest = ((sent - reported) / elapsed) * 1000
        // What stood still has no speed that tells anything.
        speed = wasStalled || elapsed === Infinity ? null : (speed ?? latest) * 0.7 + latest * 0.3
        lastReport = now()
        reported = sent
        const secondsLeft = speed && (total - sent) / speed
        set({ kind: 'sending', sent, total, speed, secondsLeft, isStalled: false })
      }
    }
  }

  function listen(on: 'addEventListener' | 'removeEventListener'): void {
    if (typeof window === 'undefined') return
    window[on]('offline', onOffline)
    window[on]('online', onOnline)
  }

  function onOffline(): void {
    isOffline = true
    // What has been sent in full may still be answered.
    if (state.kind !== 'sending') return
    stop()
    set({ kind: 'paused', why: 'offline' })
  }

  function onOnline(): void {
    isOffline = false
    if (state.kind === 'paused' && state.why === 'offline' && resumes++ < mostResumes) begin(deliver)
  }

  return {
    get state() {
      return state
    },

    start() {
      const isStalled = 'isStalled' in state && state.isStalled
      if ((attempt && !isStalled) || state.kind === 'stored') return
      isOffline = typeof navigator !== 'undefined' && navigator.onLine === false
      resumes = 0
      begin(deliver)
    },

    cancel() {
      if (state.kind === 'stored' || state.kind === 'checking' || state.kind === 'cancelled') return
      if (state.kind === 'finishing' && find)
        begin(async (signal) => (await look(signal)) ?? { kind: 'cancelled' })
      else {
        stop()
        set({ kind: 'cancelled' })
      }
    },

    abandon() {
      if (state.kind === 'stored' || state.kind === 'failed' || state.kind === 'cancelled') return
      stop()
      set({ kind: 'cancelled' })
    },
  }
}
