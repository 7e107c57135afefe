import type { CallbackBody } from '../../contract/callbacks.ts'
import type { ByteText } from '../../contract/byte-text.ts'
import type { Environment } from '../../contract/values.ts'
import type { PackageStatus12 } from '../../contract/workflow.ts'
import { type Bus, createLocalBus, type Hint } from './bus.ts'
import { createCallbackReceiver } from '../callbacks/callback-receiver.ts'
import { createEventStreams } from './event-streams.ts'
import { parseFollowedPackages } from './followed-packages.ts'
import type { Identity } from '../identity/identity.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { ProxyError } from '../problem.ts'
import { readBytes } from '../read-body.ts'
import { createReconciler } from '../callbacks/reconciler.ts'
import type { Authorizer } from '../rights/authorizer.ts'
import { createDedupeStore, type DedupeStore } from '../callbacks/dedupe-store.ts'
import type { Upstream } from '../upstream.ts'

/** What the host wants of callbacks. */
export interface CallbackOptions {
  /** How the service writes signatures. Default base64. */
  readonly encoding?: ByteText
  /**
   * Gets every verified callback of our forms, once, with the state that the package has now. Its signature proves the
   * service, not the environment: where that state is another than the callback's, it is late, or of the other
   * environment, whose packages have the same numbers; so read what you act on. Browsers never see it: it holds entry data.
   * To resume a frozen route, delete the lock that it names. One that fails may come again.
   */
  readonly onCallback?: (callback: CallbackBody, state: string) => void | Promise<void>
}

export interface LiveUpdatesOptions {
  readonly env: Environment
  readonly forms: readonly number[]
  readonly upstream: Upstream
  readonly rights: Authorizer
  readonly bus: Bus | undefined
  readonly dedupeStore: DedupeStore | undefined
  readonly callbacks: CallbackOptions
  /** Most streams of one person, and of all. */
  readonly streamsPerPerson: number
  readonly streams: number
  readonly log: Log
  readonly metrics: Metrics | undefined
}

/** Tells browsers what has changed, from whichever side it becomes known. */
export interface LiveUpdates {
  /** A stream of events for this person. */
  readonly open: (request: Request, person: Identity) => Response
  /** Takes a callback of the service. */
  readonly receiveCallback: (request: Request) => Promise<Response>
  /** Something about a package has changed, through this proxy. */
  readonly announceChange: (hint: Hint) => void
  readonly close: () => Promise<void>
}

/** Creates the live side of a mount. */
export function createLiveUpdates({
  env,
  forms,
  upstream: { call, download },
  rights,
  bus: givenBus,
  dedupeStore = createDedupeStore(),
  callbacks: { encoding = 'base64', onCallback },
  streamsPerPerson,
  streams,
  log,
  metrics,
}: LiveUpdatesOptions): LiveUpdates {
  // One that was handed in is its owner's to close: it may serve others still.
  const bus = givenBus ?? createLocalBus()
  const closing = new AbortController()
  const own = () => ({ as: 'application' as const, requestId: crypto.randomUUID(), signal: closing.signal })

  /** State and inboxes of packages as one text each, as the application sees them; packages that are not there left out. */
  async function states(formId: number, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const answer = await call('getStatus', {
      ...own(),
      params: { formId },
      query: { id: ids },
      version: '1.2',
    })
    const rows = (answer as readonly (PackageStatus12 | null)[]).filter((row) => row !== null)
    return new Map(
      rows.map(({ id, state, inboxSignatures }) => {
        const inboxes = (inboxSignatures ?? []).map((inbox) => inbox?.id ?? 0).sort((a, b) => a - b)
        return [id, [state, ...inboxes].join()]
      }),
    )
  }

  const events = createEventStreams({
    bus,
    mayView: (univid, formId, ids) =>
      viewable(
        rights,
        { person: { univid }, requestId: crypto.randomUUID(), signal: closing.signal },
        formId,
        ids,
      ),
    streamsPerPerson: streamsPerPerson,
    maxStreams: streams,
    log,
    ...(metrics && { metrics }),
  })
  const publish = (hint: Hint) => void bus.publish(hint)
  const reconciler = createReconciler({
    watched: events.watched,
    readStates: states,
    publish,
    log,
    ...(metrics && { metrics }),
  })
  const inTurn = createLanes(4)

  /** A callback is a hint, no more: it may be old, or of the other environment, whose packages have the same numbers. */
  async function follow(callback: CallbackBody): Promise<void> {
    const { formId, packageId } = callback
    await reconciler.verify({ formId, packageId })
    if (!onCallback) return
    const found = await states(formId, [packageId])
    const state = found.get(packageId)?.split(',')[0]
    if (state !== undefined) await onCallback(callback, state)
  }

  /** The service's answer on its key, however slow it is, leaves nothing behind. */
  async function fetchKey(): Promise<Uint8Array> {
    const late = new AbortController()
    const timer = setTimeout(
      () => late.abort(new DOMException('The deadline has passed', 'TimeoutError')),
      10_000,
    )
    try {
      const { stream } = await download('getPublicKey', { ...own(), signal: late.signal })
      return await readBytes(stream(), maxKeySize, () => new Error('The answer is too long for a key'))
    } finally {
      clearTimeout(timer)
    }
  }

  const receiver = createCallbackReceiver({
    forms,
    env,
    fetchKey,
    encoding,
    dedupeStore,
    onCallback: (callback) => inTurn(() => follow(callback)),
    log,
    ...(metrics && { metrics }),
  })

  return {
    open(request, { univid }) {
      const packages = parseFollowedPackages(new URL(request.url).searchParams)
      return events.open({
        univid,
        packages: packages.filter(({ formId }) => forms.includes(formId)),
        lastEventId: request.headers.get('last-event-id'),
        signal: request.signal,
      })
    },
    receiveCallback: receiver.receive,
    announceChange: publish,
    async close() {
      closing.abort(new DOMException('The proxy is closed', 'AbortError'))
      receiver.close()
      reconciler.close()
      events.close()
      if (!givenBus) await bus.close()
    },
  }
}

/** Longest answer on the public key, in bytes. */
const maxKeySize = 16 * 1024

/** Those of these packages that the person may view. What the service refuses to answer on is none that they may. */
async function viewable(
  rights: Authorizer,
  asked: Parameters<Authorizer['viewable']>[0],
  formId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  try {
    return await rights.viewable(asked, formId, ids)
  } catch (error) {
    const isRefused = error instanceof ProxyError && [403, 404, 422].includes(error.status)
    if (!isRefused) throw error
    if (ids.length <= 1) return new Set()
    // One of them may be to blame for all.
    const half = Math.ceil(ids.length / 2)
    const parts = [ids.slice(0, half), ids.slice(half)].map((part) => viewable(rights, asked, formId, part))
    return new Set((await Promise.all(parts)).flatMap((part) => [...part]))
  }
}

/** Runs tasks in so many lanes, each one after the other: a batch of thousands asks the service no faster than that. */
function createLanes(count: number): (task: () => Promise<void>) => Promise<void> {
  const lanes = Array.from({ length: count }, () => Promise.resolve())
  let next = 0
  return (task) => {
    const lane = next++ % count
    const done = (lanes[lane] ?? Promise.resolve()).then(task)
    lanes[lane] = done.catch(() => {})
    return done
  }
}
