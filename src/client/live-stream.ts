import { callHeader } from '../contract/headers.ts'
import { createEventReader, type ServerEvent } from './event-reader.ts'
import { backoff, parseRetryAfter } from './retry.ts'

export interface LiveStreamOptions {
  /** Root URL of the proxy without a trailing slash. */
  readonly root: string
  readonly fetch: typeof globalThis.fetch
  /** Told of a package that may have changed; null: any of those followed may have. */
  readonly onHint: (hint: PackageRef | null) => void
  /**
   * Told whether hints can be relied on now. While they cannot, whoever shows something has to poll. They go on where they
   * stopped: what changes in between is told afterwards. Only what changed before the first time is not.
   */
  readonly onLive: (isLive: boolean) => void
  /**
   * Whether other pages of this browser take part in one stream. Default true. Pages that use a `fetch` of their own may
   * speak for other people than the browser's cookies do, and have to stay alone.
   */
  readonly isShared?: boolean
  /** Milliseconds without a byte after which a stream counts as dead. Default 45 000: three signs of life. */
  readonly silence?: number
}

/** A package that may have changed. */
export interface PackageRef {
  readonly formId: number
  readonly packageId: number
}

/** What the proxy tells of changes, as they happen. Never throws. */
export interface LiveStream {
  /** Replaces the packages to follow. None: lets go of the stream, and of the lead. */
  follow(packages: readonly PackageRef[]): void
  /** Someone else has signed in: begins anew, and trusts nothing heard before. */
  restart(): void
}

/** What pages of one browser say to each other. Another version of this kit may say anything. */
interface Message {
  /** A page that follows `follows`. None: it leaves. */
  readonly from?: unknown
  readonly follows?: unknown
  /** What the leader's stream carries now; whoever hears it says what it follows. */
  readonly carries?: unknown
  /** Id of the last event. */
  readonly id?: unknown
  /** The package that may have changed, as `FORM-PACKAGE`; null: any. */
  readonly hint?: unknown
  readonly restart?: unknown
}

/** Most packages of one stream. */
const most = 200
/** Packages that nobody follows any more which a stream may carry on. */
const spare = 20
/** Milliseconds in which changes of what is followed become one. */
const pause = 75

/**
 * Creates what listens to the proxy's live events. All pages of a browser share one stream: the page that holds a lock
 * leads, that is, opens it for what all of them follow, and passes on what it hears. Where there are no locks, each page
 * has a stream of its own.
 */
export function createLiveStream({
  root,
  fetch,
  onHint,
  onLive,
  isShared = true,
  silence = 45_000,
}: LiveStreamOptions): LiveStream {
  const self = Math.random()
  let own: ReadonlyMap<string, PackageRef> = new Map()
  /** What other pages follow, while this one leads: those heard since the last sign of life, and those heard before it. */
  let others = new Map<unknown, readonly string[]>()
  let earlier = others
  let channel: BroadcastChannel | undefined
  /** Lasts while this page takes part. */
  let part: AbortController | undefined
  let isLeader = false
  let stream: AbortController | undefined
  /** What the stream is asked for, and what of it is known to come. */
  let asked: readonly string[] = []
  let carried: readonly string[] = []
  let lastId = ''
  let isLive = false
  let retry = 1000
  let failures = 0
  let settling: ReturnType<typeof setTimeout> | undefined
  /** What happens unless a sign of life comes first; between two streams, the next attempt. */
  let alarm: ReturnType<typeof setTimeout> | undefined

  function setAlarm(action: () => void, delay: number): void {
    clearTimeout(alarm)
    alarm = setTimeout(action, delay)
  }

  function join(): void {
    if (part || own.size === 0) return
    const { signal } = (part = new AbortController())
    const lead = () => {
      if (signal.aborted) return
      isLeader = true
      disconnect()
      plan()
      return new Promise((release) => signal.addEventListener('abort', release))
    }
    if (!isShared) return void lead()
    try {
      const name = `routeslip ${new URL(root, document.baseURI).href}`
      navigator.locks.request(name, { signal }, lead).catch(lead)
      channel = new BroadcastChannel(name)
      channel.onmessage = hear
      say()
    } catch {
      // There is no such thing here, or it is blocked.
      void lead()
    }
  }

  function leave(): void {
    part?.abort()
    channel?.close()
    part = channel = undefined
    isLeader = false
    disconnect()
  }

  function plan(): void {
    settling ??= setTimeout(() => {
      settling = undefined
      if (own.size === 0) leave()
      else if (isLeader) adjust()
      else say()
    }, pause)
  }

  /** Opens another stream where the one that there is does not carry what is followed, or far more. */
  function adjust(): void {
    const followed = [own.keys(), ...new Map([...earlier, ...others]).values()].flatMap((keys) => [...keys])
    const keys = [...new Set(followed)].slice(0, most)
    const isAsked = keys.every((key) => asked.includes(key))
    if (!isAsked || asked.length > keys.length + spare) void connect(keys)
  }

  async function connect(keys: readonly string[]): Promise<void> {
    disconnect()
    asked = keys
    const mine = (stream = new AbortController())
    const isAlive = () => setAlarm(() => mine.abort(), silence)
    let after: number | undefined
    isAlive()
    try {
      const { status, headers, body } = await fetch(`${root}/events?package=${keys.join('&package=')}`, {
        // What cannot stand in a header is not our proxy's.
        headers: { [callHeader]: '1', ...(/^[!-~]+$/.test(lastId) && { 'Last-Event-ID': lastId }) },
        credentials: 'include',
        signal: mine.signal,
      })
      if ([401, 403, 404].includes(status)) {
        // Whoever may not follow, or cannot here, will not be able to in a moment either.
        after = Infinity
      } else if (headers.get('content-type')?.startsWith('text/event-stream') && body) {
        const read = createEventReader(take)
        const reader = body.getReader()
        let chunk
        while ((chunk = await reader.read()).value && stream === mine) {
          isAlive()
          read(chunk.value)
        }
      } else {
        after = parseRetryAfter(headers.get('retry-after'))
      }
    } catch {
      // As any other end.
    }
    mine.abort()
    if (stream !== mine) return
    disconnect()
    asked = keys
    const wait = (after ?? 0) + backoff(failures++, 30_000, Math.random, retry)
    if (wait < Infinity) setAlarm(() => void connect(keys), wait)
  }

  function disconnect(): void {
    clearTimeout(alarm)
    stream?.abort()
    stream = undefined
    asked = []
    carry([])
  }

  function take(event: ServerEvent): void {
    lastId = event.get('id') ?? lastId
    retry = Math.max(1000, Number(event.get('retry')) || retry)
    if (!event.has('event') && carried.length > 0) {
      // A sign of life: this stream has held for a while.
      failures = 0
      earlier = others
      others = new Map()
      plan()
    }
    carry(asked, hintIn(event))
  }

  /** This is what the stream carries now, and what it has brought. */
  function carry(keys: readonly string[], hint?: unknown): void {
    carried = keys
    if (isLeader) post({ carries: keys, id: lastId, hint })
    show()
    const found = hint === null ? hint : own.get(hint as string)
    if (found !== undefined) onHint(found)
  }

  function show(): void {
    const isCarried = own.size > 0 && [...own.keys()].every((key) => carried.includes(key))
    if (isCarried !== isLive) onLive((isLive = isCarried))
  }

  function say(): void {
    post({ from: self, follows: [...own.keys()] })
  }

  function post(message: Message): void {
    channel?.postMessage(message)
  }

  function hear({ data }: MessageEvent<unknown>): void {
    const { from, follows, carries, id, hint, restart } = Object(data) as Message
    if (restart) {
      reset()
      onHint(null)
    } else if (isLeader) {
      if (areKeys(follows)) note(from, follows)
    } else if (areKeys(carries)) {
      setAlarm(() => carry([]), silence)
      lastId = String(id)
      carry(carries, hint)
      if (hint === undefined) say()
    }
  }

  function note(from: unknown, keys: readonly string[]): void {
    const before = others.get(from) ?? earlier.get(from)
    others.set(from, keys)
    if (before?.join() === keys.join()) return
    // Whoever is new does not know yet.
    carry(carried)
    plan()
  }

  function reset(): void {
    lastId = ''
    failures = 0
    disconnect()
    plan()
  }

  if (typeof document !== 'undefined') {
    // A page that is put aside would keep the lead and do nothing with it.
    addEventListener('pagehide', leave)
    addEventListener('pageshow', join)
    document.addEventListener('freeze', leave)
    document.addEventListener('resume', join)
  }

  return {
    follow(packages) {
      own = new Map(packages.map((hint) => [`${hint.formId}-${hint.packageId}`, hint]))
      show()
      join()
      plan()
    },
    restart() {
      post({ restart: true })
      reset()
    },
  }
}

function areKeys(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((key) => /^\d+-\d+$/.test(String(key)))
}

/** The package that an event names; null where it may be any; undefined where there is none. */
function hintIn(event: ServerEvent): string | null | undefined {
  const type = event.get('event')
  if (type !== 'change') return type === 'resync' ? null : undefined
  try {
    const { formId, packageId } = JSON.parse(event.get('data') ?? '') as Partial<PackageRef>
    return `${formId}-${packageId}`
  } catch {
    return null
  }
}
