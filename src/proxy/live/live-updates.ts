import { personKey } from '../../contract/values/patterns.ts'
import type { ByteText } from '../../contract/values/byte-text.ts'
import type { CallbackBody } from '../../contract/schemas/callbacks.ts'
import type { Package } from '../../contract/schemas/workflow.ts'
import { type CallbackDelivery, createCallbackInbox } from '../callbacks/callback-inbox.ts'
import { createCallbackReceiver } from '../callbacks/callback-receiver.ts'
import type { CallbackStore, WaitingCallbacks } from '../callbacks/callback-store.ts'
import { createExpectedCallbacks } from '../callbacks/expected-callbacks.ts'
import { createReconciler } from '../changes/reconciler.ts'
import type { Desk } from '../desk/desk.ts'
import { Disconnect } from '../http/disconnect.ts'
import type { Identity } from '../identity/identity.ts'
import type { Limiter } from '../admission/limiter.ts'
import type { OpenLocks } from '../locks/open-locks.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { readBytes } from '../http/read-body.ts'
import type { Authorizer } from '../rights/authorizer.ts'
import { packageExists, readStatuses, statusText } from '../upstream/package-statuses.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { type Bus, createLocalBus, type Hint } from '../changes/bus.ts'
import { createEventStreams } from './event-streams.ts'
import { parseFollowed } from './followed-packages.ts'
import { streamRefusals } from './stream-refusals.ts'
import { createSlots } from '../admission/slots.ts'
import { viewablePackages } from './viewable-packages.ts'

/** How the proxy handles callbacks of the routing service. */
export interface CallbackOptions {
  /** Encoding of the signatures. Default `base64`. */
  readonly encoding?: ByteText
  /**
   * Called for each verified callback of a served form, with the current state of the package. The signature proves that
   * the callback comes from the service, but not from which environment: packages of both have the same ids. If `state`
   * differs from the state in the callback, the callback is late or belongs to the other environment, so read what you act
   * on. Browsers never get callbacks, because they contain entry data. To resume a frozen route, delete the lock that the
   * callback names; the proxy also lists it for the people who may release it.
   *
   * Callbacks of one package come one after the other. If the function throws or takes longer than `timeout`, it is called
   * again after 5 seconds, then up to eight more times in 75 hours; after that the callback is a dead letter, which is
   * logged and stays in the store. Throw a `CallbackError` to wait longer, or to give up. After a crash, a callback may come
   * twice, with the same `delivery.id`.
   */
  readonly onCallback?: (
    callback: CallbackBody,
    state: string,
    delivery: CallbackDelivery,
  ) => void | Promise<void>
  /** Age in ms at which an open lock raises an alarm in the log and the metrics. Default one day. */
  readonly lockAlarmAge?: number
  /** Maximum time for one call of `onCallback`, in ms. Its `delivery.signal` then aborts. Default 30 seconds. */
  readonly timeout?: number
  /** Maximum time that `close()` waits for `onCallback`, in ms. Default 10 seconds. */
  readonly closeTimeout?: number
}

export interface LiveUpdatesOptions {
  readonly forms: readonly number[]
  readonly upstream: Upstream
  readonly rights: Authorizer
  readonly bus?: Bus | undefined
  readonly callbacks: CallbackOptions
  readonly callbackStore: CallbackStore
  /** Gets the locks that callbacks name. */
  readonly locks: OpenLocks
  /** Learns of packages from callbacks and announced changes, if there are lists. */
  readonly desk?: Desk | undefined
  /** Called when any source has announced a change. */
  readonly onAnnounced: () => void
  /** Timeout for the body of a callback to arrive, in ms. */
  readonly bodyTimeout: number
  /** Counts the streams of each person. */
  readonly limiter: Limiter
  /** Maximum number of streams per person. */
  readonly streamsPerPerson: number
  /** Maximum number of streams in total. */
  readonly streams: number
  /** Time between two searches for changes that nothing has announced, in ms. */
  readonly watchInterval: number
  readonly log: Log
  readonly metrics?: Metrics | undefined
}

/** Announces changes to browsers, whichever source reports them. */
export interface LiveUpdates {
  /** Opens an event stream for a person. Throws `ProxyError`. */
  readonly open: (request: Request, person: Identity) => Promise<Response>
  /** Handles a callback of the service. */
  readonly receiveCallback: (request: Request) => Promise<Response>
  /**
   * Announces a change that was made through this proxy, and the state that it led to, if that is known. Resolves to the id of
   * the event, if it is known soon.
   */
  readonly announceChange: (hint: Hint, state?: string) => Promise<string | undefined>
  /** The state of the callbacks. */
  readonly callbacks: {
    /** Resolves to whether callbacks can be stored. */
    readonly canStore: () => Promise<boolean>
    /** Resolves to whether they can be verified. */
    readonly hasKey: () => Promise<boolean>
    /** When the oldest that has not taken effect arrived, in ms since 1970, and the number of dead letters. */
    readonly waiting: () => Promise<WaitingCallbacks>
  }
  /** See `Proxy`. */
  readonly replayCallback: (id: string) => Promise<boolean>
  readonly close: () => Promise<void>
}

/** Creates the live updates of a mount. */
export function createLiveUpdates({
  forms,
  upstream,
  rights,
  bus: givenBus,
  callbacks: { encoding = 'base64', onCallback, timeout: callbackTimeout = 30_000, closeTimeout = 10_000 },
  callbackStore: store,
  locks,
  desk,
  onAnnounced,
  bodyTimeout,
  limiter,
  streamsPerPerson,
  streams,
  watchInterval,
  log,
  metrics,
}: LiveUpdatesOptions): LiveUpdates {
  // A bus of the host stays open, because other mounts may use it.
  const bus = givenBus ?? createLocalBus()
  const closing = new Disconnect()
  const applicationCall = () => ({
    as: 'application' as const,
    requestId: crypto.randomUUID(),
    signal: closing,
  })

  /** Reads what people see of the status of packages, as the application, as one text each. */
  async function readStates(formId: number, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const { rows, isWhole } = await readStatuses(upstream, formId, ids, applicationCall())
    return new Map(
      ids.flatMap((id) => {
        const row = rows.get(id)
        return row ? [[id, statusText(row)] as const] : isWhole ? [[id, ''] as const] : []
      }),
    )
  }

  /** Reads the numbers of comments and attachments, as the application. */
  async function readCounts({ formId, packageId }: Hint): Promise<string> {
    const result = await upstream.call('getPackage', {
      ...applicationCall(),
      params: { formId, packageId },
      bypassAuthorization: true,
    })
    const { commentCount, attachmentCount } = result as Package
    return [commentCount, attachmentCount].join()
  }

  const events = createEventStreams({
    bus,
    mayView: (univid, formId, ids) =>
      viewablePackages(
        rights,
        { person: { univid }, requestId: crypto.randomUUID(), signal: closing },
        formId,
        ids,
      ),
    lists: desk,
    maxStreams: streams,
    log,
    ...(metrics && { metrics }),
  })
  /** Never rejects: a bus of the host may. */
  async function publishSafely(hint: Hint): Promise<string | undefined> {
    try {
      return (await bus.publish(hint)) ?? undefined
    } catch (error) {
      log('error', 'A change could not be announced', { ...hint, error: String(error) })
      return undefined
    }
  }
  const publish = (hint: Hint) => void publishSafely(hint)
  const reconciler = createReconciler({
    watched: events.watched,
    readStates,
    readCounts,
    publish,
    onReachable: events.setReachable,
    log,
    ...(metrics && { metrics }),
    interval: watchInterval,
  })
  const expected = createExpectedCallbacks()
  const stopListening = bus.subscribe((event) => {
    onAnnounced()
    expected.announced(event)
    reconciler.announced(event)
    locks.check(event)
    // Mounts with other forms may share the bus.
    if (!forms.includes(event.formId)) return
    desk?.noteChanges([event]).catch((error: unknown) => {
      log('error', 'A change could not be noted for the lists', { ...hintIn(event), error: String(error) })
    })
  })
  /** A batch of thousands of callbacks must not overload the service. */
  const statusReads = createSlots({ total: 4 })

  /** Calls the host with the state that the service has now: the callback may be late, or belong to the other environment. */
  async function callApplication(
    callback: CallbackBody,
    delivery: CallbackDelivery,
    onCallback: NonNullable<CallbackOptions['onCallback']>,
  ): Promise<void> {
    const { formId, packageId } = callback
    const facts = { ...applicationCall(), signal: delivery.signal }
    let state: string | undefined
    let exists = true
    const release = await statusReads.take({ holder: '' })
    try {
      state = (await readStatuses(upstream, formId, [packageId], facts)).rows.get(packageId)?.state
      if (state === undefined) exists = await packageExists(upstream, { formId, packageId }, facts)
    } finally {
      release()
    }
    if (state !== undefined) await onCallback(callback, state, delivery)
    else if (exists) throw new Error('The service gave no state of the package that can be read')
    else log('warn', 'A callback is about a package that does not exist here', { formId, packageId })
  }

  async function fetchKey(): Promise<Uint8Array> {
    const deadline = new AbortController()
    const timer = setTimeout(
      () => deadline.abort(new DOMException('The deadline has passed', 'TimeoutError')),
      10_000,
    )
    try {
      const { stream } = await upstream.download('getPublicKey', {
        ...applicationCall(),
        signal: deadline.signal,
      })
      return await readBytes(stream(), maxKeySize, () => new Error('The response is too long for a key'))
    } finally {
      clearTimeout(timer)
    }
  }

  const inbox = createCallbackInbox({
    store,
    // Whatever the state was before: the package may have been changed and changed back. Who may not view it learns nothing,
    // and who follows it reads it, so a late callback or one of the other environment does no harm.
    // The callback of a change that has been announced is announced only if the package has changed since.
    onArrival(hint, state) {
      if (state !== undefined && expected.take(hint, state)) reconciler.check(hint)
      else publish(hint)
    },
    async onCallback(callback, delivery) {
      // Before the callback is finished, so that its package is never lost.
      await desk?.noteChanges([hintIn(callback)])
      await locks.observe(callback, delivery.receivedAt)
      if (onCallback) await callApplication(callback, delivery, onCallback)
    },
    // The same bytes may be sent for another event, because they need not contain anything that occurs only once.
    onRepeatedCallback: reconciler.check,
    log,
    ...(metrics && { metrics }),
    timeout: callbackTimeout,
  })
  const receiver = createCallbackReceiver({
    forms,
    fetchKey,
    encoding,
    bodyTimeout,
    inbox,
    unverified: store.unverified,
    log,
    ...(metrics && { metrics }),
  })

  return {
    async open(request, { univid }) {
      const { packages: requested, hasList } = parseFollowed(new URL(request.url).searchParams)
      const packages = requested.filter(({ formId }) => forms.includes(formId))
      const release = await limiter.hold('streams', personKey(univid), streamsPerPerson)
      if (!release) throw streamRefusals.tooManyStreamsOfPerson()
      try {
        const response = events.open({
          univid,
          packages,
          hasList,
          lastEventId: request.headers.get('last-event-id'),
          signal: request.signal,
          onEnd: release,
        })
        reconciler.follow(packages)
        return response
      } catch (error) {
        release()
        throw error
      }
    },
    async receiveCallback(request) {
      const response = await receiver.receive(request)
      // The service does not repeat it.
      if (response.status >= 500) desk?.miss()
      return response
    },
    callbacks: {
      canStore: async () =>
        await (store.check?.() ?? Promise.resolve()).then(
          () => true,
          () => false,
        ),
      hasKey: receiver.hasKey,
      async waiting() {
        if (store.waiting) return await store.waiting()
        const all = await store.list()
        const times = all.flatMap(({ progress, receivedAt }) => (progress.dueAt === null ? [] : [receivedAt]))
        return { oldest: times.sort((a, b) => a - b)[0], dead: all.length - times.length }
      },
    },
    replayCallback: inbox.replay,
    async announceChange(hint, state) {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), maxPublishTime)
      const tooLate = new Promise<undefined>((resolve) => {
        late.signal.addEventListener('abort', () => resolve(undefined))
      })
      const eventId = await Promise.race([publishSafely(hint), tooLate]).finally(() => clearTimeout(timer))
      if (state !== undefined) expected.add(hint, state, eventId)
      return eventId
    },
    async close() {
      closing.abort(new DOMException('The proxy is closed', 'AbortError'))
      receiver.close()
      stopListening()
      reconciler.close()
      locks.close()
      events.close()
      await inbox.close(closeTimeout)
      await desk?.close()
      if (!givenBus) await bus.close()
    },
  }
}

function hintIn({ formId, packageId }: Hint): Hint {
  return { formId, packageId }
}

/** Time in ms for which the response to a change waits for the id of its event. */
const maxPublishTime = 500
/** Maximum size of the response to "public key", in bytes. */
const maxKeySize = 16 * 1024
