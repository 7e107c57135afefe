import { type ClientError, SignedOutError, UnavailableError } from '../transport/errors.ts'

/**
 * State of one file:
 *
 * - `queued`: nothing is being sent. Without `hold`, it waits for its turn. `hold` names what it waits for otherwise: `start`
 *   (a person or a configuration), `offline` (a connection) or `signed-out` (a session);
 * - `sending`: `sent` of `total` bytes have been sent. If `total` is 0, the browser reports no progress. If `sent` equals
 *   `total`, the upload waits for the response. `speed` (bytes per second) and `secondsLeft` are null if they are not known.
 *   `isStalled`: nothing has moved for a while, although the upload may still continue;
 * - `verifying`: the outcome is not known, so the server is queried for the file, before what follows;
 * - `stored`: the server has confirmed it;
 * - `failed`: if `isUncertain`, the server may have stored the content, and it is not known whether it did;
 * - `gone`: the page removed the element during the upload. As far as is known, the last attempt stored nothing.
 *
 * `mayDuplicate`: it will never be known what an earlier attempt did, and another one may store a second copy.
 */
export type UploadState<T> =
  | { readonly kind: 'queued'; readonly hold?: Hold }
  | ({ readonly kind: 'sending'; readonly isStalled: boolean } & UploadProgress)
  | { readonly kind: 'verifying'; readonly next: 'send' | 'fail' | 'leave'; readonly error?: unknown }
  | { readonly kind: 'stored'; readonly value: T }
  | {
      readonly kind: 'failed'
      readonly error: unknown
      readonly isUncertain: boolean
      readonly mayDuplicate: boolean
    }
  | { readonly kind: 'gone'; readonly mayDuplicate: boolean }

type Hold = 'start' | 'offline' | 'signed-out'

export interface UploadProgress {
  readonly sent: number
  readonly total: number
  readonly speed: number | null
  readonly secondsLeft: number | null
}

/** A file in a list: to be sent, or stored before. */
export interface UploadItem<T, Details> {
  /** Negative, so that it differs from the ids of the services. */
  readonly key: number
  /** `undefined` if it was stored before it came into this list. */
  readonly file: File | undefined
  /** Name to show: with its path if it came with a folder. */
  readonly name: string
  /** Size in bytes of a file that was stored before. See `sizeOf()`. */
  readonly size: number | undefined
  /** The element's own facts about the file. */
  readonly details: Details
  readonly state: UploadState<T>
  /** Whether it has failed, even if it is tried again. */
  readonly hasFailed: boolean
  /** The number of the current attempt or query. Reports of earlier ones are refused. */
  readonly attempt: number
  /** The number of the `Idempotency-Key`. It changes when the proxy has reported the outcome of an attempt. */
  readonly keyNumber: number
  /** Whether the server may have stored the content in an attempt whose outcome is not known. */
  readonly mayBeStored: boolean
  /** Whether an attempt under an earlier key may have stored the content: a query may miss it, because lists lag behind. */
  readonly mayDuplicate: boolean
  /** Number of restarts after a lost connection since people started it. */
  readonly resumes: number
}

/** State of a list of uploads. */
export interface UploadsState<T, Details> {
  /** Oldest first. */
  readonly items: readonly UploadItem<T, Details>[]
  /** Key of the file that was added last. */
  readonly lastKey: number
  /** Whether the browser has no connection. */
  readonly isOffline: boolean
  /** Whether the session has ended. */
  readonly isSignedOut: boolean
  /** University id of the person whose files these are, if known. */
  readonly owner: string | undefined
}

/** A file to add to a list. */
export interface NewUpload<Details> {
  /** The file to send. */
  readonly file: File
  /** Name to show. */
  readonly name: string
  /** The caller's own facts about the file. */
  readonly details: Details
}

/** A stored file to add to a list. */
export interface StoredUpload<T, Details> {
  /** The response of the server when the file was stored. */
  readonly value: T
  /** Name to show. */
  readonly name: string
  /** Size in bytes. */
  readonly size: number
  /** The caller's own facts about the file. */
  readonly details: Details
}

/** Actions of people and of the page. */
export type UploadsAction<T, Details> =
  /** Adds files and starts them, unless `hold` delays that. */
  | { readonly type: 'add'; readonly files: readonly NewUpload<Details>[]; readonly hold?: Hold | undefined }
  /** Sends a file that is held, stalled, failed or gone. If an earlier attempt may have stored it, verifies that first. */
  | { readonly type: 'start'; readonly key: number }
  /** Starts all files that are held until `start`. */
  | { readonly type: 'release' }
  /** Cancels an upload. The file leaves the list, unless everything was sent and it turns out to be stored. */
  | { readonly type: 'cancel'; readonly key: number }
  | { readonly type: 'remove'; readonly key: number }
  /** Removes the files whose state is listed; without `kinds`, all. Nothing more of them is sent. */
  | { readonly type: 'clear'; readonly kinds?: readonly UploadState<T>['kind'][] }
  /** Ends all uploads at once, because the page removed the element. */
  | { readonly type: 'abandon' }
  | { readonly type: 'describe'; readonly key: number; readonly details: Partial<Details> }
  /** Replaces all files with stored ones. */
  | { readonly type: 'restore'; readonly stored: readonly StoredUpload<T, Details>[] }
  /** Replaces the facts of a stored file. */
  | {
      readonly type: 'update'
      readonly key: number
      readonly value: T
      readonly name: string
      readonly size: number
    }
  | { readonly type: 'connection'; readonly isOffline: boolean }
  | { readonly type: 'signed-out' }
  /** The files of another person leave the list; the uploads that the sign-out interrupted continue. */
  | { readonly type: 'signed-in'; readonly univid: string }

/** Reports of the effects. */
type UploadsReport<T> = { readonly key: number; readonly attempt: number } & (
  | ({ readonly type: 'progress' } & UploadProgress)
  | { readonly type: 'stalled'; readonly sent: number }
  | { readonly type: 'stored'; readonly value: T }
  | { readonly type: 'failed'; readonly error: unknown }
  /** The server was queried: it does not have the file, or the query failed. */
  | { readonly type: 'missed'; readonly isLast: boolean }
  | { readonly type: 'unverified'; readonly error: unknown }
)

export type UploadsEvent<T, Details> = UploadsAction<T, Details> | UploadsReport<T>

/** Work that follows from an event. `send` and `find` end the previous work of the same file. */
export type UploadsEffect =
  | { readonly type: 'send'; readonly key: number }
  | { readonly type: 'stop'; readonly key: number }
  /** `isDelayed`: the second query waits, because lists lag behind. */
  | { readonly type: 'find'; readonly key: number; readonly isDelayed: boolean }

interface UploadsRules {
  /** Whether the server can be queried for a file. Otherwise, an upload without a response stays uncertain. */
  readonly canFind: boolean
}

/** Maximum number of automatic restarts after a lost connection: an unstable one would restart forever. */
const maxResumes = 5

export const noUploads: UploadsState<never, never> = {
  items: [],
  lastKey: 0,
  isOffline: false,
  isSignedOut: false,
  owner: undefined,
}

/** Returns the size of a file in bytes. Call this for rendering only: browsers block the page to read it. */
export function sizeOf({ file, size }: UploadItem<unknown, unknown>): number {
  return file?.size ?? size ?? NaN
}

/** Whether everything was sent, and the upload waits for the response. */
export function isComplete(state: UploadState<unknown>): boolean {
  return state.kind === 'sending' && state.total > 0 && state.sent >= state.total
}

/** Whether everything may have been sent, as far as the browser reports it. */
function mayBeComplete(state: UploadState<unknown>): boolean {
  return isComplete(state) || (state.kind === 'sending' && state.total === 0)
}

/** Whether nothing of an upload has moved for a while, although it may still continue. */
export function isStalled(state: UploadState<unknown>): boolean {
  return state.kind === 'sending' && state.isStalled
}

/** Whether an upload is over: it is stored, failed or gone. */
export function isFinished({ kind }: UploadState<unknown>): boolean {
  return kind === 'stored' || kind === 'failed' || kind === 'gone'
}

/** Whether a file is being uploaded now: it neither waits for a person nor for the network. */
export function isOnItsWay(state: UploadState<unknown>): boolean {
  return !isFinished(state) && !isStalled(state) && !(state.kind === 'queued' && state.hold)
}

/** Returns the state after an event, and the work that follows. An event that the state of its file forbids changes nothing. */
export function nextUploads<T, Details>(
  state: UploadsState<T, Details>,
  event: UploadsEvent<T, Details>,
  rules: UploadsRules,
): { readonly state: UploadsState<T, Details>; readonly effects: readonly UploadsEffect[] } {
  const effects: UploadsEffect[] = []
  const change = (
    isMeant: (item: UploadItem<T, Details>) => boolean,
    to: (item: UploadItem<T, Details>) => UploadItem<T, Details> | undefined,
    from = state,
  ) =>
    from.items.some(isMeant)
      ? { ...from, items: from.items.flatMap((item) => (isMeant(item) ? (to(item) ?? []) : item)) }
      : from
  const begin = (item: UploadItem<T, Details>) => begun(item, rules, effects)
  const stop = (item: UploadItem<T, Details>) => stopped(item, effects)

  function after(): UploadsState<T, Details> {
    switch (event.type) {
      case 'add': {
        const added = event.files.map((file, at) => {
          const item = newUpload<T, Details>(state.lastKey - at - 1, file)
          return event.hold ? held(item, event.hold) : begin(item)
        })
        return { ...state, items: [...state.items, ...added], lastKey: state.lastKey - added.length }
      }
      case 'start':
        return change(
          ({ key, state: { kind, ...facts } }) =>
            key === event.key &&
            (kind === 'failed' ||
              kind === 'gone' ||
              (kind === 'queued' && 'hold' in facts) ||
              ('isStalled' in facts && facts.isStalled)),
          (item) => begin({ ...stop(item), resumes: 0 }),
        )
      case 'release':
        return change((item) => isHeld(item, 'start'), begin)
      case 'cancel':
        return change(
          ({ key, state: { kind } }) => key === event.key && (kind === 'queued' || kind === 'sending'),
          (item) => {
            const ended = stop(item)
            return rules.canFind && mayBeComplete(item.state)
              ? verified(ended, { kind: 'verifying', next: 'leave' }, effects)
              : undefined
          },
        )
      case 'remove':
        return change(
          ({ key }) => key === event.key,
          (item) => void stop(item),
        )
      case 'clear':
        return change(
          ({ state: { kind } }) => event.kinds?.includes(kind) ?? true,
          (item) => void stop(item),
        )
      case 'abandon':
        return change(
          (item) => !isFinished(item.state) && !isHeld(item, 'start'),
          (item) => ({ ...stop(item), state: { kind: 'gone', mayDuplicate: item.mayDuplicate } }),
        )
      case 'describe':
        return change(
          ({ key }) => key === event.key,
          (item) => ({ ...item, details: { ...item.details, ...event.details } }),
        )
      case 'restore': {
        for (const item of state.items) stop(item)
        const items = event.stored.map(({ value, size, ...source }, at) => ({
          ...newUpload<T, Details>(state.lastKey - at - 1, { ...source, file: undefined }),
          size,
          state: { kind: 'stored' as const, value },
        }))
        return { ...state, items, lastKey: state.lastKey - items.length }
      }
      case 'update':
        return change(
          ({ key, state: { kind } }) => key === event.key && kind === 'stored',
          (item) => ({
            ...item,
            name: event.name,
            size: event.size,
            state: { kind: 'stored', value: event.value },
          }),
        )
      case 'connection': {
        const known = { ...state, isOffline: event.isOffline }
        return event.isOffline
          ? // The response to a complete upload may still arrive.
            change(
              ({ state: now }) => now.kind === 'sending' && !isComplete(now),
              (item) => held(stop(item), 'offline'),
              known,
            )
          : change(
              (item) => isHeld(item, 'offline') && item.resumes < maxResumes,
              (item) => begin({ ...item, resumes: item.resumes + 1 }),
              known,
            )
      }
      case 'signed-out':
        return state.isSignedOut ? state : { ...state, isSignedOut: true }
      case 'signed-in': {
        const isOther = state.owner !== undefined && state.owner !== event.univid
        // Not if only uploads are refused: they would be sent again for ever.
        const hasReturned = state.isSignedOut && !isOther
        return change(
          (item) => isOther || (hasReturned && isHeld(item, 'signed-out')),
          (item) => (isOther ? void stop(item) : begin({ ...item, resumes: 0 })),
          state.isSignedOut || state.owner !== event.univid
            ? { ...state, isSignedOut: false, owner: event.univid }
            : state,
        )
      }
      default:
        return change(
          ({ key, attempt }) => key === event.key && attempt === event.attempt,
          (item) => afterReport(item, event, state.isOffline, rules, effects),
        )
    }
  }

  return { state: after(), effects }
}

/** Returns a file after a report of its current attempt. */
function afterReport<T, Details>(
  item: UploadItem<T, Details>,
  report: UploadsReport<T>,
  isOffline: boolean,
  rules: UploadsRules,
  effects: UploadsEffect[],
): UploadItem<T, Details> | undefined {
  const { state } = item
  const isSent = state.kind === 'sending' || (state.kind === 'queued' && !state.hold)
  if (report.type === 'stored')
    return isSent || state.kind === 'verifying'
      ? { ...item, state: { kind: 'stored', value: report.value } }
      : item
  if (state.kind === 'verifying') {
    if (report.type === 'unverified') return ended(item, report.error, true, isOffline)
    if (report.type !== 'missed') return item
    if (!report.isLast) {
      effects.push({ type: 'find', key: item.key, isDelayed: true })
      return item
    }
    if (state.next === 'send') return begun({ ...item, mayBeStored: false }, rules, effects)
    return state.next === 'leave' ? undefined : ended(item, state.error, false, isOffline)
  }
  if (!isSent) return item
  switch (report.type) {
    case 'progress': {
      const { sent, total, speed, secondsLeft } = report
      return { ...item, state: { kind: 'sending', sent, total, speed, secondsLeft, isStalled: false } }
    }
    case 'stalled':
      return state.kind === 'sending'
        ? { ...item, state: { ...state, sent: report.sent, speed: null, secondsLeft: null, isStalled: true } }
        : item
    case 'failed':
      return afterFailure(item, report.error, isOffline, rules, effects)
    default:
      return item
  }
}

function afterFailure<T, Details>(
  item: UploadItem<T, Details>,
  error: unknown,
  isOffline: boolean,
  rules: UploadsRules,
  effects: UploadsEffect[],
): UploadItem<T, Details> {
  const { outcome } = error as Partial<ClientError>
  let failed = item
  if (outcome) {
    // The proxy would only repeat its response to this key.
    const mayDuplicate = item.mayDuplicate || outcome === 'unknown'
    failed = { ...item, keyNumber: item.keyNumber + 1, mayDuplicate, mayBeStored: mayDuplicate }
  } else if (error instanceof UnavailableError && !error.limitedUntil) failed = doubted(item)
  return rules.canFind && failed.mayBeStored
    ? verified(failed, { kind: 'verifying', next: 'fail', error }, effects)
    : ended(failed, error, failed.mayBeStored, isOffline)
}

/** Returns a file whose attempt has failed: held if it can continue by itself later. */
function ended<T, Details>(
  item: UploadItem<T, Details>,
  error: unknown,
  isUncertain: boolean,
  isOffline: boolean,
): UploadItem<T, Details> {
  const { mayDuplicate } = item
  if (error instanceof SignedOutError) return held(item, 'signed-out')
  // Whether to send a second copy is for the person to decide.
  if (isOffline && error instanceof UnavailableError && !mayDuplicate) return held(item, 'offline')
  const state = { kind: 'failed', error, isUncertain: isUncertain || mayDuplicate, mayDuplicate } as const
  return { ...item, hasFailed: true, state }
}

function held<T, Details>(item: UploadItem<T, Details>, hold: Hold): UploadItem<T, Details> {
  return { ...item, state: { kind: 'queued', hold } }
}

function isHeld({ state }: UploadItem<unknown, unknown>, hold: Hold): boolean {
  return state.kind === 'queued' && state.hold === hold
}

/** Sends a file, or verifies first whether an earlier attempt has stored it. */
function begun<T, Details>(
  item: UploadItem<T, Details>,
  rules: UploadsRules,
  effects: UploadsEffect[],
): UploadItem<T, Details> {
  if (rules.canFind && item.mayBeStored) return verified(item, { kind: 'verifying', next: 'send' }, effects)
  effects.push({ type: 'send', key: item.key })
  return { ...item, attempt: item.attempt + 1, state: { kind: 'queued' } }
}

function verified<T, Details>(
  item: UploadItem<T, Details>,
  state: UploadState<T>,
  effects: UploadsEffect[],
): UploadItem<T, Details> {
  effects.push({ type: 'find', key: item.key, isDelayed: false })
  return { ...item, attempt: item.attempt + 1, state }
}

/** Ends the current attempt or query of a file. */
function stopped<T, Details>(item: UploadItem<T, Details>, effects: UploadsEffect[]): UploadItem<T, Details> {
  if (isFinished(item.state) || (item.state.kind === 'queued' && item.state.hold)) return item
  effects.push({ type: 'stop', key: item.key })
  return { ...doubted(item), attempt: item.attempt + 1 }
}

/** Browsers report progress late, so any number of bytes may have been sent since an attempt has left the queue. */
function doubted<T, Details>(item: UploadItem<T, Details>): UploadItem<T, Details> {
  return item.state.kind === 'sending' ? { ...item, mayBeStored: true } : item
}

function newUpload<T, Details>(
  key: number,
  { file, name, details }: Omit<NewUpload<Details>, 'file'> & { readonly file: File | undefined },
): UploadItem<T, Details> {
  return {
    key,
    file,
    name,
    size: undefined,
    details,
    state: { kind: 'queued', hold: 'start' },
    hasFailed: false,
    attempt: 0,
    keyNumber: 0,
    mayBeStored: false,
    mayDuplicate: false,
    resumes: 0,
  }
}
