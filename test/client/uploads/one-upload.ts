import {
  createUploads,
  isComplete,
  type SendOptions,
  type UploadsOptions,
  type UploadState,
} from '../../../src/client/index.ts'

/** The state of a file in the words of these tests. */
export type Summary =
  | { readonly kind: 'waiting' | 'checking' }
  | Extract<UploadState<string>, { kind: 'sending' | 'stored' }>
  | { readonly kind: 'finishing'; readonly isStalled: boolean }
  | { readonly kind: 'paused'; readonly why: 'offline' | 'signed-out' }
  | {
      readonly kind: 'failed'
      readonly error: unknown
      readonly isUncertain: boolean
      readonly mayDuplicate?: true
    }
  /** The page has abandoned it, or it has left the list. */
  | { readonly kind: 'cancelled'; readonly mayDuplicate?: true }

export interface OneUploadOptions extends UploadsOptions {
  readonly send: (options: SendOptions) => Promise<string>
  readonly find?: ((signal: AbortSignal) => Promise<string | undefined>) | undefined
  readonly onChange?: (state: Summary) => void
}

/** Creates a list with one file, which waits for `start()`. */
export function createOneUpload({ send, find, onChange, ...options }: OneUploadOptions): {
  readonly state: Summary
  start(): void
  cancel(): void
  abandon(): void
} {
  let shown: UploadState<string> | undefined
  const stateNow = () => uploads.state.items[0]?.state
  const uploads = createUploads<string, object>(
    {
      send: (_item, parameters) => send(parameters),
      ...(find && { find: (_item, signal) => find(signal) }),
      onChange() {
        const state = stateNow()
        if (state === shown) return
        shown = state
        onChange?.(summaryOf(state))
      },
    },
    options,
  )
  shown = { kind: 'queued', hold: 'start' }
  const report = onChange
  onChange = undefined
  uploads.dispatch({
    type: 'add',
    files: [{ file: new File(['x'], 'a.pdf'), name: 'a.pdf', details: {} }],
    hold: 'start',
  })
  onChange = report
  const { key } = uploads.state.items[0]!
  return {
    get state() {
      return summaryOf(stateNow())
    },
    start: () => uploads.dispatch({ type: 'start', key }),
    cancel: () => uploads.dispatch({ type: 'cancel', key }),
    abandon: () => uploads.dispatch({ type: 'abandon' }),
  }
}

function summaryOf(state: UploadState<string> | undefined): Summary {
  switch (state?.kind) {
    case undefined:
      return { kind: 'cancelled' }
    case 'queued':
      return state.hold === 'offline' || state.hold === 'signed-out'
        ? { kind: 'paused', why: state.hold }
        : { kind: 'waiting' }
    case 'sending':
      return isComplete(state) ? { kind: 'finishing', isStalled: state.isStalled } : state
    case 'verifying':
      return { kind: 'checking' }
    case 'stored':
      return state
    case 'failed':
    case 'gone': {
      const { kind, mayDuplicate, ...facts } = state
      const doubt = mayDuplicate ? { mayDuplicate } : {}
      return kind === 'gone' ? { kind: 'cancelled', ...doubt } : ({ kind, ...facts, ...doubt } as Summary)
    }
  }
}
