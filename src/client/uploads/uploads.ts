import { createIdempotencyKey } from '../transport/idempotency-key.ts'
import type { UploadOptions } from './file-upload.ts'
import { createProgressMeter } from './progress.ts'
import {
  nextUploads,
  noUploads,
  type UploadItem,
  type UploadsAction,
  type UploadsEffect,
  type UploadsEvent,
  type UploadsState,
} from './upload-state.ts'

/** The parameters of one attempt. */
export type SendOptions = {
  readonly [Name in keyof UploadOptions]-?: NonNullable<UploadOptions[Name]>
}

/** How files are sent. */
export interface UploadWork<T, Details> {
  /**
   * Sends a file once. Rejects with the client's errors. Calls `onProgress` with the number of bytes sent; first with 0, when
   * the upload leaves the queue. Has the same `idempotencyKey` as the attempt before until the proxy reports the outcome of
   * that one, so that the proxy stores one copy.
   */
  send(item: UploadItem<T, Details>, options: SendOptions): Promise<T>
  /**
   * Queries the server for a file whose upload got no response. Resolves with `undefined` if it does not have it. If absent,
   * an upload without a response is uncertain until an attempt with the same key gets one.
   */
  find?(item: UploadItem<T, Details>, signal: AbortSignal): Promise<T | undefined>
  /** Called after each change, with the state before it. */
  onChange(before: UploadsState<T, Details>): void
}

/** Options of `createUploads()`. */
export interface UploadsOptions {
  /** Time in ms without progress or a response after which an upload is stalled. Default 30,000. */
  readonly stall?: number
  /** Time in ms before the second query, because lists may lag behind. Default 3000. */
  readonly lag?: number
  /** Returns the time in ms of a clock that never goes back. Default `performance.now()`. */
  readonly now?: () => number
  /** Fires `online` and `offline`. Default: the global window, if there is one. */
  readonly window?: Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>
}

/** A list of files that are sent, and of those that are stored. */
export interface Uploads<T, Details> {
  /** The current state, which is replaced after each change. */
  readonly state: UploadsState<T, Details>
  /** Carries out an action. */
  dispatch(action: UploadsAction<T, Details>): void
}

/** Runs the effects of `nextUploads()`. */
export function createUploads<T, Details>(
  work: UploadWork<T, Details>,
  { stall = 30_000, lag = 3000, now = () => performance.now(), window = globalThis }: UploadsOptions = {},
): Uploads<T, Details> {
  let state: UploadsState<T, Details> = noUploads
  const rules = { canFind: work.find !== undefined }
  /** The current attempt or query of each file. */
  const running = new Map<number, AbortController>()
  /** The `Idempotency-Key` of each file, with its number. */
  const keys = new Map<number, { readonly number: number; readonly text: string }>()
  let isListening = false

  function dispatch(event: UploadsEvent<T, Details>): void {
    const before = state
    const next = nextUploads(before, event, rules)
    state = next.state
    if (state === before) return
    for (const effect of next.effects) run(effect)
    listen()
    work.onChange(before)
  }

  function run(effect: UploadsEffect): void {
    const { key } = effect
    running.get(key)?.abort()
    running.delete(key)
    const item = state.items.find((one) => one.key === key)
    if (effect.type === 'stop' || !item) return
    const abort = new AbortController()
    running.set(key, abort)
    if (effect.type === 'send') void send(item, abort.signal)
    else void find(item, abort.signal, effect.isDelayed)
  }

  async function send(item: UploadItem<T, Details>, signal: AbortSignal): Promise<void> {
    const { key, attempt } = item
    const meter = createProgressMeter({
      stall,
      now,
      onProgress: (progress) => dispatch({ type: 'progress', key, attempt, ...progress }),
      onStall: (sent) => dispatch({ type: 'stalled', key, attempt, sent }),
    })
    signal.addEventListener('abort', meter.stop)
    if (keys.get(key)?.number !== item.keyNumber)
      keys.set(key, { number: item.keyNumber, text: createIdempotencyKey() })
    const idempotencyKey = keys.get(key)!.text
    try {
      const value = await work.send(item, { signal, idempotencyKey, onProgress: meter.report })
      end({ type: 'stored', key, attempt, value })
    } catch (error) {
      end({ type: 'failed', key, attempt, error })
    }

    function end(event: UploadsEvent<T, Details>): void {
      meter.stop()
      if (signal.aborted) return
      running.delete(key)
      dispatch(event)
    }
  }

  async function find(item: UploadItem<T, Details>, signal: AbortSignal, isDelayed: boolean): Promise<void> {
    const { key, attempt } = item
    try {
      if (isDelayed) await new Promise((resolve) => setTimeout(resolve, lag))
      if (signal.aborted) return
      const value = await work.find?.(item, signal)
      if (signal.aborted) return
      if (value === undefined) dispatch({ type: 'missed', key, attempt, isLast: isDelayed })
      else dispatch({ type: 'stored', key, attempt, value })
    } catch (error) {
      if (!signal.aborted) dispatch({ type: 'unverified', key, attempt, error })
    }
  }

  /** Listens to the connection only while a file needs it. */
  function listen(): void {
    const isNeeded = state.items.some(
      ({ state: { kind, ...facts } }) =>
        kind === 'sending' ||
        kind === 'verifying' ||
        (kind === 'queued' && !('hold' in facts && facts.hold === 'start')),
    )
    if (isNeeded === isListening) return
    isListening = isNeeded
    const change = isNeeded ? 'addEventListener' : 'removeEventListener'
    window[change]?.('offline', onConnection)
    window[change]?.('online', onConnection)
  }

  function onConnection({ type }: Event): void {
    dispatch({ type: 'connection', isOffline: type === 'offline' })
  }

  return {
    get state() {
      return state
    },
    dispatch(action) {
      const isStart = action.type === 'add' || action.type === 'start' || action.type === 'release'
      if (isStart)
        state = { ...state, isOffline: (globalThis.navigator as Navigator | undefined)?.onLine === false }
      dispatch(action)
    },
  }
}
