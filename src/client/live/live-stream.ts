import type { ServerEvent } from './event-reader.ts'
import { createLiveConnection } from './live-connection.ts'
import { isPageVisible, type PageWindow } from '../reads/page-activity.ts'

export interface LiveStreamOptions {
  /** Root URL of the proxy without a trailing slash. */
  readonly root: string
  readonly fetch: typeof globalThis.fetch
  /**
   * Called with a package that may have changed, and the id of the event; with null if any of the followed packages may have.
   */
  readonly onHint: (hint: PackageRef | null, id: string) => void
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

/** Live events of the proxy. Never throws. */
export interface LiveStream {
  /** Replaces the packages to follow. An empty list closes the stream. */
  setPackages(packages: readonly PackageRef[]): void
  /** Starts again, also in the other visible pages, because another user may have signed in. */
  restart(): void
}

/** Maximum number of packages of one stream. */
const maxPackages = 200
/** Number of packages that a stream may carry although they are not followed any more. */
const spare = 20
/** Time in ms in which changes of the followed packages are collected. */
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
  let followed: ReadonlyMap<string, PackageRef> = new Map()
  /** Packages whose events arrive. */
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

  /** Applies changes of the followed packages a moment later, all at once. */
  function update(): void {
    settleTimer ??= setTimeout(() => {
      settleTimer = undefined
      if (followed.size === 0) disconnect()
      else if (isPageVisible(window)) connect()
    }, settleTime)
  }

  /** Opens another stream if the current one lacks a followed package or carries far too many. */
  function connect(): void {
    if (isShared) channel ??= openChannel(root, onUserChange)
    const keys = [...followed.keys()].slice(0, maxPackages)
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
    setPackages(packages) {
      followed = new Map(packages.map((ref) => [`${ref.formId}-${ref.packageId}`, ref]))
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

/** Returns the package that an event names, null if it may be any, and `undefined` if the event is about none. */
function hintOf(event: ServerEvent): string | null | undefined {
  const type = event.get('event')
  if (type !== 'change') return type === 'resync' ? null : undefined
  try {
    const { formId, packageId } = JSON.parse(event.get('data') ?? '') as Partial<PackageRef>
    return `${formId}-${packageId}`
  } catch {
    return null
  }
}
