import type { Transfer, TransferState } from '../../client/index.ts'

/** A file in an upload queue. */
export interface UploadItem<T, Details> {
  /** Negative, so that it differs from the ids of the service. */
  readonly key: number
  /** `undefined` if it was stored before it came into this queue. */
  readonly file: File | undefined
  /** Name to show: with its path if it came with a folder. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** The element's own facts about the file. */
  readonly details: Details
  readonly transfer: Transfer<T>
  /** Whether its upload was started. */
  readonly isStarted: boolean
}

/** A file to add to an upload queue. */
export interface NewUpload<Details> {
  readonly file: File
  readonly name: string
  readonly details: Details
}

/** An item as its queue keeps it. */
export interface QueuedItem<T, Details> extends UploadItem<T, Details> {
  isStarted: boolean
  /** Whether it has failed, even if it is tried again. */
  hasFailed: boolean
}

/** Returns the transfer of a file that was stored before. */
export function storedTransfer<T>(value: T): Transfer<T> {
  return { state: { kind: 'stored', value }, start() {}, cancel() {}, abandon() {} }
}

/** Whether a transfer has ended: it is stored, failed or cancelled. */
export function isFinished({ kind }: TransferState<unknown>): boolean {
  return kind === 'stored' || kind === 'failed' || kind === 'cancelled'
}

/** Whether a file is being uploaded now: it neither waits for a person nor for the network. */
export function isOnItsWay({ isStarted, transfer: { state } }: UploadItem<unknown, unknown>): boolean {
  const isHeld = state.kind === 'paused' || ('isStalled' in state && state.isStalled)
  return isStarted && !isHeld && !isFinished(state)
}

/** Whether a transfer waits for a sign-in. */
export function isSignedOut({ state }: Transfer<unknown>): boolean {
  return state.kind === 'paused' && state.why === 'signed-out'
}
