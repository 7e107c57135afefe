import type { ServerEvent } from './event-reader.ts'
import { createLiveConnection } from './live-connection.ts'
import { createTabGroup } from './tab-group.ts'

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
   * Whether tabs of this browser share one stream. Default true. Set it to false with a `fetch` of your own: its requests
   * may be for another user than those of the other tabs.
   */
  readonly isShared?: boolean
  /** Time without a byte in ms after which a stream is considered dead. Default 45 000, which is three heartbeats. */
  readonly silence?: number
}

/** Names one package. */
export interface PackageRef {
  readonly formId: number
  readonly packageId: number
}

/** Live events of the proxy. Never throws. */
export interface LiveStream {
  /** Replaces the packages to follow. An empty list closes the stream and gives up the lead. */
  setPackages(packages: readonly PackageRef[]): void
  /** Starts again in all tabs, because another user may have signed in. */
  restart(): void
}

/** A message between tabs. Another version of this package may post anything. */
interface Message {
  /** Id of a tab and the packages that it follows. An empty list means that the tab leaves. */
  readonly from?: unknown
  readonly follows?: unknown
  /** Packages that the leader's stream carries. The other tabs reply with those that they follow. */
  readonly carries?: unknown
  /** Id of the last event. */
  readonly id?: unknown
  /** The package that may have changed, as `FORM-PACKAGE`; null: any. */
  readonly hint?: unknown
  readonly restart?: unknown
}

/** Maximum number of packages of one stream. */
const maxPackages = 200
/** Number of packages that a stream may carry although no tab follows them any more. */
const spare = 20
/** Time in ms in which changes of the followed packages are collected. */
const settleTime = 75

/** Creates a client of the proxy's live events. The leader of the tabs opens one stream for all of them. */
export function createLiveStream({
  root,
  fetch,
  onHint,
  onLive,
  isShared = true,
  silence = 45_000,
}: LiveStreamOptions): LiveStream {
  const tabId = Math.random()
  let own: ReadonlyMap<string, PackageRef> = new Map()
  /** Packages of other tabs, if this tab leads: from messages since the last heartbeat, and from messages before it. */
  let others = new Map<unknown, readonly string[]>()
  let olderOthers = others
  /** Packages whose events arrive. */
  let carried: readonly string[] = []
  let isLive = false
  let settleTimer: ReturnType<typeof setTimeout> | undefined
  let leaderTimer: ReturnType<typeof setTimeout> | undefined

  const connection = createLiveConnection({
    root,
    fetch,
    silence,
    onDisconnect: () => setCarried([]),
    onEvent(event, isHeartbeat) {
      if (isHeartbeat) {
        olderOthers = others
        others = new Map()
        update()
      }
      // While the proxy cannot find changes, nothing is live until the next heartbeat or event.
      setCarried(event.get('event') === 'pause' ? [] : connection.keys, hintOf(event))
    },
  })

  const tabs = createTabGroup({
    root,
    isShared,
    onLead() {
      disconnect()
      update()
    },
    onMessage(data) {
      const { from, follows, carries, id, hint, restart } = Object(data) as Message
      if (restart) {
        reset()
        onHint(null, '')
      } else if (tabs.isLeader) {
        if (areKeys(follows)) setTab(from, follows)
      } else if (areKeys(carries) && typeof id === 'string') {
        clearTimeout(leaderTimer)
        leaderTimer = setTimeout(() => setCarried([]), silence)
        connection.lastId = id
        setCarried(carries, hint)
        if (hint === undefined) announce()
      }
    },
  })

  function join(): void {
    if (own.size > 0 && tabs.join()) announce()
  }

  function leave(): void {
    tabs.leave()
    disconnect()
  }

  function disconnect(): void {
    clearTimeout(leaderTimer)
    connection.disconnect()
  }

  function reset(): void {
    clearTimeout(leaderTimer)
    connection.reset()
    update()
  }

  /** Applies changes of the followed packages a moment later, all at once. */
  function update(): void {
    settleTimer ??= setTimeout(() => {
      settleTimer = undefined
      if (own.size === 0) leave()
      else if (tabs.isLeader) reconnect()
      else announce()
    }, settleTime)
  }

  /** Opens another stream if the current one lacks a followed package or carries far too many. */
  function reconnect(): void {
    const followed = [own.keys(), ...new Map([...olderOthers, ...others]).values()].flatMap((keys) => [
      ...keys,
    ])
    const keys = [...new Set(followed)].slice(0, maxPackages)
    const current = connection.keys
    if (current.length > keys.length + spare || !keys.every((key) => current.includes(key)))
      connection.connect(keys)
  }

  /** Records which packages the stream carries, and the package of an event; both also in the other tabs. */
  function setCarried(keys: readonly string[], hint?: unknown): void {
    carried = keys
    if (tabs.isLeader) tabs.post({ carries: keys, id: connection.lastId, hint } satisfies Message)
    reportLive()
    const found = hint === null ? hint : own.get(hint as string)
    if (found !== undefined) onHint(found, connection.lastId)
  }

  function reportLive(): void {
    const isCarried = own.size > 0 && [...own.keys()].every((key) => carried.includes(key))
    if (isCarried !== isLive) onLive((isLive = isCarried))
  }

  function announce(): void {
    tabs.post({ from: tabId, follows: [...own.keys()] } satisfies Message)
  }

  function setTab(from: unknown, keys: readonly string[]): void {
    const before = others.get(from) ?? olderOthers.get(from)
    others.set(from, keys)
    if (before?.join() === keys.join()) return
    // A new tab does not know yet what the stream carries.
    setCarried(carried)
    update()
  }

  if (typeof document !== 'undefined') {
    // A page in the back/forward cache would hold the lead without reading the stream.
    addEventListener('pagehide', leave)
    addEventListener('pageshow', join)
    document.addEventListener('freeze', leave)
    document.addEventListener('resume', join)
  }

  return {
    setPackages(packages) {
      own = new Map(packages.map((ref) => [`${ref.formId}-${ref.packageId}`, ref]))
      reportLive()
      join()
      update()
    },
    restart() {
      tabs.post({ restart: true } satisfies Message)
      reset()
    },
  }
}

function areKeys(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string' && /^\d+-\d+$/.test(key))
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
