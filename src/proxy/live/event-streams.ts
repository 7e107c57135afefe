import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { personKey } from '../../contract/values/patterns.ts'
import { type Bus, type Hint, type LiveEvent, packageKey } from '../changes/bus.ts'
import type { Desk } from '../desk/desk.ts'
import { createEventStream, type EventStream } from './event-stream.ts'
import { createFollowerIndex } from './follower-index.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { streamRefusals } from './stream-refusals.ts'
import { createViewRights, type MayView, type ViewQuestion, type ViewRights } from './view-rights.ts'

export interface EventStreamsOptions {
  /** Source of the events. */
  readonly bus: Bus
  readonly mayView: MayView
  /** Source of the changes of lists. Absent if the site keeps none. */
  readonly lists?: Pick<Desk, 'subscribe' | 'isBehind'> | undefined
  readonly log: Log
  readonly metrics?: Pick<Metrics, 'streams' | 'count'>
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Time between two heartbeats, in ms. Default 15 seconds. */
  readonly heartbeat?: number
  /**
   * Maximum age of a stream, in ms; each stream ends up to a tenth earlier. Browsers then reconnect, and the proxy identifies
   * the person again. Default 15 minutes.
   */
  readonly maxAge?: number
  /** Time for which a result of `mayView` is valid, in ms. Default 5 seconds. */
  readonly rightsMaxAge?: number
  /** Maximum number of streams in total. Default 5000. */
  readonly maxStreams?: number
  /** Maximum number of packages per stream. Default 200. */
  readonly maxPackages?: number
  /** Time for which events are collected before rights are read, in ms. Default 50. */
  readonly batchDelay?: number
  /** Number of people whose rights are read at a time. Default 16. */
  readonly maxParallel?: number
  /** Maximum number of unread bytes per stream. Default 64 kB. */
  readonly maxQueueSize?: number
}

/** A request to follow packages. */
interface EventStreamRequest {
  /** University id of the person. */
  readonly univid: string
  readonly packages: readonly Hint[]
  /** Whether to follow the lists of the person too. Default false. */
  readonly hasList?: boolean
  /** Id of the last event that the browser received, as the browser reports it; null on the first connection. */
  readonly lastEventId: string | null
  /** Ends the stream. */
  readonly signal: AbortSignal
  /** Called once when the stream has ended. */
  readonly onEnd?: () => void
}

/** Streams that announce changes to browsers. */
export interface EventStreams {
  /** Returns a stream of server-sent events. Throws `ProxyError` 503 if there are too many. */
  readonly open: (request: EventStreamRequest) => Response
  /** Returns the packages that are followed now, each once. */
  readonly watched: () => readonly Hint[]
  /**
   * Sets whether the service responds to reads of a form. While it does not, streams that follow the form get `pause` events
   * instead of heartbeats, because changes cannot be found. Pages then poll.
   */
  readonly setReachable: (formId: number, isReachable: boolean) => void
  /** Ends all streams. No stream can be opened afterwards. */
  readonly close: () => void
}

interface Viewer {
  readonly univid: string
  readonly streams: Set<Subscription>
  readonly rights: ViewRights
}

interface Subscription {
  readonly viewer: Viewer
  readonly stream: EventStream
  readonly endsAt: number
  /** The newest event of each package whose rights are not known yet, by package, in the order of ids. */
  readonly pending: Map<string, { readonly event: LiveEvent; readonly since: number }>
  /** The packages whose change may concern the lists of the person, and whose rights are not known yet, by `packageKey`. */
  readonly listed: Map<string, ViewQuestion>
  readonly packages: readonly Hint[]
  readonly hasList: boolean
  /** The packages that the person could view at the last decision, by `packageKey`. */
  readonly viewable: Set<string>
  /** Those about whose loss the lists have not been told. */
  readonly listViewable: Set<string>
  /** The packages about which nothing has been decided since the stream began. */
  readonly undecided: Set<Hint>
  lastId: string
  /** Whether an id has been sent since the last heartbeat. */
  hasSentId: boolean
}

/**
 * Creates streams of server-sent events (HTML, 9.2). An event only names a package that has changed. It is sent to people who
 * follow the package and may view it at that moment. People who have just lost access get one more event, so that their pages
 * stop showing the package. The same event comes at the start of a stream for each package that the person may not view.
 *
 * A package that does not exist looks the same as one that the person may not view: no data, no id and no delay in a stream
 * depends on any other event that the person may not see.
 *
 * A stream may also follow the lists of its person. Their event names nothing: it says that a package which the person may view,
 * or could view before in this stream, has changed in the index as one that the person started, holds or held.
 *
 * While rights cannot be read, events wait and no ids are sent, so that a browser that reconnects gets the events that waited.
 */
export function createEventStreams({
  bus,
  mayView,
  lists,
  log,
  metrics,
  now = Date.now,
  heartbeat = 15_000,
  maxAge = 15 * 60_000,
  rightsMaxAge = 5_000,
  maxStreams = 5_000,
  maxPackages = 200,
  batchDelay = 50,
  maxParallel = 16,
  maxQueueSize = 64 * 1024,
}: EventStreamsOptions): EventStreams {
  const subscriptions = new Set<Subscription>()
  const viewers = new Map<string, Viewer>()
  const followers = createFollowerIndex<Subscription>()
  /** Viewers with pending events. */
  const queue = createKeyedQueue({ run: decide, delay: batchDelay, maxParallel })
  /** Viewers whose rights could not be read the last time. */
  const failing = new Set<Viewer>()
  /** Forms about which the service does not respond. */
  const unreachable = new Set<number>()
  let isClosed = false
  let heartbeats: ReturnType<typeof setInterval> | undefined
  /** Id of the newest event at the last heartbeat. At the next heartbeat, all events up to this one are decided. */
  let checkpoint = bus.last()

  const unsubscribe = bus.subscribe((event) => {
    for (const subscription of followers.of(event)) enqueue(subscription, event)
  })
  const stopLists = lists?.subscribe(({ hint, people }) => {
    for (const person of people) {
      const viewer = viewers.get(person)
      if (!viewer) continue
      const question = { hint, since: viewer.rights.requests() }
      for (const { hasList, listed } of viewer.streams) if (hasList) listed.set(packageKey(hint), question)
      queue.add(viewer)
    }
  })

  function open({
    univid,
    packages,
    hasList = false,
    lastEventId,
    signal,
    onEnd,
  }: EventStreamRequest): Response {
    signal.throwIfAborted()
    if (packages.length > maxPackages) throw streamRefusals.tooManyPackages(maxPackages)
    if (isClosed || subscriptions.size >= maxStreams) throw streamRefusals.tooManyStreams()
    const viewer = viewers.get(personKey(univid)) ?? createViewer(univid)

    const missed = lastEventId ? bus.since(lastEventId) : []
    const firstId = lastEventId && missed ? lastEventId : bus.last()
    const stream = createEventStream({
      signal,
      maxQueueSize,
      onEnd() {
        remove(subscription)
        onEnd?.()
      },
    })
    const subscription: Subscription = {
      viewer,
      stream,
      endsAt: now() + maxAge * (1 - Math.random() / 10),
      pending: new Map(),
      listed: new Map(),
      packages,
      hasList,
      viewable: new Set(),
      listViewable: new Set(),
      undecided: new Set(packages),
      lastId: firstId,
      hasSentId: true,
    }
    add(subscription)

    const id = eventField('id', firstId)
    stream.write(`retry: 3000\n: hello\n${id}\n${missed ? '' : `${id}${eventFields('resync', {})}\n`}`)
    const followed = new Set(packages.map(packageKey))
    for (const event of missed ?? []) if (followed.has(packageKey(event))) enqueue(subscription, event)
    // Changes of lists have no ids, so those between two streams are not known.
    if (lists && hasList && lastEventId) stream.write(listEvent)
    if (isPaused(subscription)) stream.write(pauseEvent)
    queue.add(viewer)
    return stream.response
  }

  function createViewer(univid: string): Viewer {
    return {
      univid,
      streams: new Set(),
      rights: createViewRights({ univid, mayView, maxAge: rightsMaxAge, now }),
    }
  }

  function add(subscription: Subscription): void {
    if (subscriptions.size === 0) {
      checkpoint = bus.last()
      heartbeats = setInterval(beat, heartbeat)
    }
    const { viewer } = subscription
    subscriptions.add(subscription)
    viewer.streams.add(subscription)
    viewers.set(personKey(viewer.univid), viewer)
    followers.add(subscription, subscription.packages)
    metrics?.streams(subscriptions.size)
  }

  function remove(subscription: Subscription): void {
    const { viewer } = subscription
    subscriptions.delete(subscription)
    subscription.pending.clear()
    subscription.listed.clear()
    viewer.streams.delete(subscription)
    if (viewer.streams.size === 0) {
      viewers.delete(personKey(viewer.univid))
      queue.delete(viewer)
      failing.delete(viewer)
    }
    followers.remove(subscription, subscription.packages)
    if (subscriptions.size === 0) clearInterval(heartbeats)
    metrics?.streams(subscriptions.size)
  }

  /** Keeps an event until rights are known. It replaces an older event of the same package. */
  function enqueue({ pending, viewer }: Subscription, event: LiveEvent): void {
    const key = packageKey(event)
    pending.delete(key)
    pending.set(key, { event, since: viewer.rights.requests() })
    queue.add(viewer)
  }

  /**
   * Reads the rights on the pending events and the new streams of a viewer, and sends the events that the viewer may see.
   * Resolves to whether an event arrived, or a decision expired, in the meantime. Never rejects.
   */
  async function decide(viewer: Viewer): Promise<boolean> {
    const failures = await viewer.rights.load(questionsOf(viewer))
    const [failure] = failures
    if (failure && failing.size === 0) {
      const { formId, error } = failure
      log('warn', 'Live events are delayed: rights could not be read', { formId, error: String(error) })
    }
    if (failures.length === 0) failing.delete(viewer)
    else if (viewer.streams.size > 0) failing.add(viewer)
    for (const subscription of viewer.streams) {
      begin(subscription)
      deliver(subscription)
    }
    return failures.length === 0 && questionsOf(viewer).some((question) => !viewer.rights.get(question))
  }

  /** Returns what has to be known about the rights of a viewer now. */
  function questionsOf({ streams }: Viewer): readonly ViewQuestion[] {
    return [...streams].flatMap(({ pending, undecided, listed }) => [
      ...listed.values(),
      ...[...undecided].map((hint) => ({ hint, since: 0 })),
      ...[...pending.values()].map(({ event, since }) => ({ hint: event, since })),
    ])
  }

  /**
   * Records which packages of a new stream the person may view, as far as that is known. The page may have read the others
   * before it opened the stream, when the person could still view them, so it gets an event to read these once more. This happens
   * whether they have changed or not, so that it reveals nothing.
   */
  function begin({ viewer, undecided, viewable, listViewable, stream }: Subscription): void {
    let text = ''
    for (const hint of undecided) {
      const decision = viewer.rights.get({ hint, since: 0 })
      if (!decision) continue
      undecided.delete(hint)
      const { formId, packageId } = hint
      if (decision.isAllowed) for (const set of [viewable, listViewable]) set.add(packageKey(hint))
      else text += `${eventFields('change', { formId, packageId })}\n`
    }
    if (text) stream.write(text)
  }

  function deliver(subscription: Subscription): void {
    const { viewer, pending, stream, viewable, listed, listViewable } = subscription
    let text = ''
    for (const [key, { event, since }] of pending) {
      const decision = viewer.rights.get({ hint: event, since })
      if (!decision) continue
      pending.delete(key)
      const couldView = viewable.delete(key)
      if (decision.isAllowed) for (const set of [viewable, listViewable]) set.add(key)
      else if (!couldView) continue
      const { id, formId, packageId } = event
      text += `${idField(subscription, id)}${eventFields('change', { formId, packageId })}\n`
      metrics?.count('event_delivered')
    }
    let isListChanged = false
    for (const [key, question] of listed) {
      const decision = viewer.rights.get(question)
      if (!decision) continue
      listed.delete(key)
      const couldView = listViewable.delete(key)
      if (decision.isAllowed) listViewable.add(key)
      isListChanged ||= decision.isAllowed || couldView
    }
    if (isListChanged) {
      text += listEvent
      metrics?.count('event_delivered')
    }
    if (text) stream.write(text)
  }

  function isPaused({ packages, hasList }: Subscription): boolean {
    if (hasList && lists?.isBehind()) return true
    return unreachable.size > 0 && packages.some(({ formId }) => unreachable.has(formId))
  }

  function idField(subscription: Subscription, id: string): string {
    if (failing.size > 0) return ''
    subscription.lastId = id
    subscription.hasSentId = true
    return eventField('id', id)
  }

  /** Keeps all connections alive, and sends a newer id to browsers that have received no event. */
  function beat(): void {
    const settled = checkpoint
    checkpoint = bus.last()
    for (const subscription of subscriptions) {
      const { stream, endsAt, hasSentId, lastId } = subscription
      if (now() >= endsAt) {
        stream.end()
        continue
      }
      const isBehind = !hasSentId && settled !== lastId
      if (isPaused(subscription)) stream.write(pauseEvent)
      else stream.write(`: \n${isBehind ? idField(subscription, settled) : ''}\n`)
      subscription.hasSentId = false
    }
    queue.addNow(failing)
  }

  return {
    open,
    watched: followers.packages,
    setReachable(formId, isReachable) {
      if (isReachable) return void unreachable.delete(formId)
      unreachable.add(formId)
      for (const subscription of subscriptions)
        if (isPaused(subscription)) subscription.stream.write(pauseEvent)
    },
    close() {
      isClosed = true
      unsubscribe()
      stopLists?.()
      queue.close()
      for (const { stream } of subscriptions) stream.end()
    },
  }
}

const listEvent = 'event: list\ndata: {}\n\n'
const pauseEvent = 'event: pause\ndata: {}\n\n'

/** Returns the fields of a server-sent event with JSON data (HTML, 9.2.5). The caller adds the blank line. */
function eventFields(event: string, data: unknown): string {
  return eventField('event', event) + eventField('data', JSON.stringify(data))
}

/** Returns one field of a server-sent event, on one line whatever the value contains. */
function eventField(name: string, value: string): string {
  return `${name}: ${value.replaceAll(/[\r\n\0]/g, '')}\n`
}
