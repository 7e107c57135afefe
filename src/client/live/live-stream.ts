import type { ServerEvent } from './event-reader.ts'
import { createLiveConnection } from './live-connection.ts'
import { isPageVisible, type PageWindow } from '../reads/page-activity.ts'

export interface LiveStreamOptions {
  /** Root URL of the proxy without a trailing slash. */
  readonly root: string
  readonly fetch: typeof globalThis.fetch
  /**
   * Called with what may have changed, and the id of the event; with null if everything that is followed may have. Events of
   * lists have no ids of their own.
   */
  readonly onHint: (hint: LiveSubject | null, id: string) => void
  /**
   * Called when live events start or stop to arrive. Poll while they do not. After a gap, a stream reports what changed
   * during it; only changes before the first stream are never reported.
   */
  readonly onLive: (isLive: boolean) => void
  /**
   * Whether to tell the other pages of this browser when the user changes, and to listen to them. Default true. Set it to
   * false with a `fetch` of your own: its requests may be for another user than those of the other pages.
   */
  readonly isShared?: boolean
  /** Time without a byte in ms after which a stream is considered dead. Default 45 000, which is three heartbeats. */
  readonly silence?: number
  /** Page whose visibility counts. Default: the global one. */
  readonly window?: PageWindow
}

/** Names one package. */
export interface PackageRef {
  readonly formId: number
  readonly packageId: number
}

/** The subject of a stream: a package, or the lists of the person. */
export type LiveSubject = PackageRef | 'list'

/** Live events of the proxy. Never throws. */
export interface LiveStream {
  /** Replaces what to follow. Nothing closes the stream. */
  follow(subjects: readonly LiveSubject[]): void
  /** Starts again, also in the other visible pages, because another user may have signed in. */
  restart(): void
}

/** Maximum number of subjects of one stream. */
const maxSubjects = 200
/** Number of subjects that a stream may carry although they are not followed any more. */
const spare = 20
/** Time in ms in which changes of what is followed are collected. */
const settleTime = 75

/** Creates a client of the proxy's live events, with one stream while the page is visible. */
export function createLiveStream({
  root,
  fetch,
  onHint,
  onLive,
  isShared = true,
  silence = 45_000,
  window = globalThis,
}: LiveStreamOptions): LiveStream {
  /** By the part of the query that names it. */
  let followed: ReadonlyMap<string, LiveSubject> = new Map()
  /** Keys whose events arrive. */
  let carried: readonly string[] = []
  let isLive = false
  let settleTimer: ReturnType<typeof setTimeout> | undefined
  let channel: BroadcastChannel | undefined

  const connection = createLiveConnection({
    root,
    fetch,
    silence,
    onDisconnect: () => setCarried([]),
    onEvent(event) {
      // While the proxy cannot find changes, nothing is live until the next heartbeat or event.
      setCarried(event.get('event') === 'pause' ? [] : connection.keys)
      const hint = hintOf(event)
      const found = hint === null ? null : followed.get(hint ?? '')
      if (found !== undefined) onHint(found, connection.lastId)
    },
  })

  /** Applies changes of what is followed a moment later, all at once. */
  function update(): void {
    settleTimer ??= setTimeout(() => {
      settleTimer = undefined
      if (followed.size === 0) disconnect()
      else if (isPageVisible(window)) connect()
    }, settleTime)
  }

  /** Opens another stream if the current one lacks something that is followed or carries far too much. */
  function connect(): void {
    if (isShared) channel ??= openChannel(root, onUserChange)
    const keys = [...followed.keys()].slice(0, maxSubjects)
    const current = connection.keys
    if (current.length > keys.length + spare || !keys.every((key) => current.includes(key)))
      connection.connect(keys)
  }

  function disconnect(): void {
    closeChannel()
    connection.disconnect()
  }

  /** Closes the stream until the page is visible again. A refused one is then not requested again. */
  function suspend(): void {
    closeChannel()
    if (!connection.isRefused) connection.disconnect()
  }

  function closeChannel(): void {
    channel?.close()
    channel = undefined
  }

  function reset(): void {
    connection.reset()
    update()
  }

  function onUserChange(): void {
    reset()
    onHint(null, '')
  }

  function setCarried(keys: readonly string[]): void {
    carried = keys
    reportLive()
  }

  function reportLive(): void {
    const isCarried = followed.size > 0 && [...followed.keys()].every((key) => carried.includes(key))
    if (isCarried !== isLive) onLive((isLive = isCarried))
  }

  if (window.document) {
    window.document.addEventListener('visibilitychange', () => {
      if (isPageVisible(window)) update()
      else suspend()
    })
    // A page in the back/forward cache would hold the stream without reading it.
    window.addEventListener('pagehide', suspend)
    window.addEventListener('pageshow', update)
  }

  return {
    follow(subjects) {
      // Lists come first, so that they are never left out.
      const all = subjects.includes('list') ? ['list' as const, ...subjects] : subjects
      followed = new Map(all.map((subject) => [keyOf(subject), subject]))
      reportLive()
      update()
    },
    restart() {
      channel?.postMessage(userChanged)
      reset()
    },
  }
}

/** The message between pages. Another version of this package may post anything else. */
const userChanged = 'user'

/** Listens to the other pages with the same proxy. Returns `undefined` if the browser has no channels or blocks them. */
function openChannel(root: string, onUserChange: () => void): BroadcastChannel | undefined {
  try {
    const channel = new BroadcastChannel(`routeslip ${new URL(root, document.baseURI).href}`)
    channel.onmessage = ({ data }) => {
      if (data === userChanged) onUserChange()
    }
    return channel
  } catch {
    return undefined
  }
}

const listKey = 'list=1'

function keyOf(subject: LiveSubject): string {
  return subject === 'list' ? listKey : `package=${subject.formId}-${subject.packageId}`
}

/** Returns the key of what an event is about, null if it may be anything, and `undefined` if it is about nothing. */
function hintOf(event: ServerEvent): string | null | undefined {
  const type = event.get('event')
  if (type === 'list') return listKey
  if (type !== 'change') return type === 'resync' ? null : undefined
  try {
    return keyOf(JSON.parse(event.get('data') ?? '') as PackageRef)
  } catch {
    return null
  }
}
