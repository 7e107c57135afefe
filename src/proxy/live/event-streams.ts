import { type Bus, type Hint, type LiveEvent, packageKey } from './bus.ts'
import { groupByForm } from '../group-by-form.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { baseHeaders, ProxyError } from '../problem.ts'

export interface EventStreamsOptions {
  /** Where events come from. */
  readonly bus: Bus
  /**
   * Tells which of these packages of one form, 100 at most, the person may view now. Rejects where that cannot be known,
   * and does so before the next sign of life but one: until then no id moves past what waits.
   */
  readonly mayView: (univid: string, formId: number, ids: readonly number[]) => Promise<ReadonlySet<number>>
  readonly log: Log
  readonly metrics?: Pick<Metrics, 'streams' | 'count'>
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Milliseconds between two signs of life. Default 15 seconds. */
  readonly heartbeat?: number
  /** Milliseconds after which a stream ends, so that identity is checked anew; up to a tenth less. Default 15 minutes. */
  readonly maxAge?: number
  /** Milliseconds for which an answer of `mayView` counts. Default 5 seconds. */
  readonly rightsMaxAge?: number
  /** Most streams of one person. Default 6. */
  readonly streamsPerPerson?: number
  /** Most streams in all. Default 5000. */
  readonly maxStreams?: number
  /** Most packages of one stream. Default 200. */
  readonly maxPackages?: number
  /** Milliseconds for which events are gathered before anybody's rights are asked for. Default 50. */
  readonly batchDelay?: number
  /** For how many people at a time rights are asked. Default 16. */
  readonly maxParallel?: number
  /** Most bytes that wait for a reader. Default 64 kB. */
  readonly maxQueueSize?: number
}

/** Who wants to follow what. */
export interface EventStreamRequest {
  /** University id of the person. */
  readonly univid: string
  readonly packages: readonly Hint[]
  /** Id of the last event that reached the browser, as it says; null for a first visit. */
  readonly lastEventId: string | null
  /** Ends the stream. */
  readonly signal: AbortSignal
}

/** Streams that tell browsers what has changed. */
export interface EventStreams {
  /** Answers with a stream of server-sent events. Throws `ProxyError` 429 or 503 where there are too many. */
  readonly open: (request: EventStreamRequest) => Response
  /** The packages that anybody follows now, each once. */
  readonly watched: () => readonly Hint[]
  /** Ends all streams, for good. */
  readonly close: () => void
}

interface Stream {
  readonly person: Person
  readonly packages: readonly Hint[]
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  readonly endsAt: number
  /** The newest event of each package that is not decided yet, by package, in the order of ids. */
  readonly waiting: Map<string, { readonly event: LiveEvent; readonly arrived: number }>
  /** Stops listening to the signal of the request. */
  readonly release: () => void
  lastId: string
  /** Whether no id has been written since the last sign of life. */
  isQuiet: boolean
}

interface Person {
  readonly univid: string
  readonly streams: Set<Stream>
  /** Whether the person may view a package, and when that was asked. */
  readonly answers: Map<string, { readonly isAllowed: boolean; readonly asked: number }>
  isAsking: boolean
}

/**
 * Creates streams of server-sent events (HTML, section 9.2). An event says that a package has changed and nothing else;
 * it is written to those who follow the package and may view it at that moment. A package that does not exist and one
 * that may not be viewed look the same: nothing in a stream, no id and no pause, depends on events that it must not tell.
 *
 * While rights cannot be asked, events wait and nobody gets ids, so that who comes back gets what waited.
 */
export function createEventStreams({
  bus,
  mayView,
  log,
  metrics,
  now = Date.now,
  heartbeat = 15_000,
  maxAge = 15 * 60_000,
  rightsMaxAge = 5_000,
  streamsPerPerson = 6,
  maxStreams = 5_000,
  maxPackages = 200,
  batchDelay = 50,
  maxParallel = 16,
  maxQueueSize = 64 * 1024,
}: EventStreamsOptions): EventStreams {
  const streams = new Set<Stream>()
  const people = new Map<string, Person>()
  const followers = new Map<string, { readonly hint: Hint; readonly streams: Set<Stream> }>()
  /** People with events to decide on, first come first served. */
  const due = new Set<Person>()
  /** People for whom the last question failed. */
  const blind = new Set<Person>()
  let asking = 0
  let isClosed = false
  let beats: ReturnType<typeof setInterval> | undefined
  let gathering: ReturnType<typeof setTimeout> | undefined
  /** Id of the newest event at the last sign of life: by the next, all up to there is decided. */
  let mark = bus.last()

  const unsubscribe = bus.subscribe((event) => {
    for (const stream of followers.get(packageKey(event))?.streams ?? []) wait(stream, event)
  })

  function open({ univid, packages, lastEventId, signal }: EventStreamRequest): Response {
    signal.throwIfAborted()
    if (packages.length > maxPackages) throw tooManyPackages(maxPackages)
    if (isClosed || streams.size >= maxStreams) {
      throw new ProxyError(503, 'Too many pages follow changes at present. Try again later.', { retryAfter })
    }
    const person = people.get(univid) ?? { univid, streams: new Set(), answers: new Map(), isAsking: false }
    if (person.streams.size >= streamsPerPerson) {
      throw new ProxyError(429, 'You follow changes in too many pages. Close one of them.', { retryAfter })
    }

    const missed = lastEventId ? bus.since(lastEventId) : []
    const firstId = lastEventId && missed ? lastEventId : bus.last()
    const { body, controller } = createBody(() => forget(stream))
    const onAbort = () => forget(stream) && controller.close()
    signal.addEventListener('abort', onAbort, { once: true })
    const stream: Stream = {
      person,
      packages,
      controller,
      endsAt: now() + maxAge * (1 - Math.random() / 10),
      waiting: new Map(),
      release: () => signal.removeEventListener('abort', onAbort),
      lastId: firstId,
      isQuiet: false,
    }
    remember(stream)

    const id = field('id', firstId)
    write(stream, `retry: 3000\n: hello\n${id}\n${missed ? '' : `${id}${message('resync', {})}\n`}`)
    const followed = new Set(packages.map(packageKey))
    for (const event of missed ?? []) if (followed.has(packageKey(event))) wait(stream, event)

    return new Response(body, {
      headers: {
        ...baseHeaders,
        'Content-Type': 'text/event-stream; charset=utf-8',
        // nginx would hold events back.
        'X-Accel-Buffering': 'no',
      },
    })
  }

  function createBody(cancel: () => void) {
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>(
      {
        start: (given) => {
          controller = given
        },
        cancel,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxQueueSize }),
    )
    return { body, controller }
  }

  function remember(stream: Stream): void {
    if (streams.size === 0) {
      mark = bus.last()
      beats = setInterval(beat, heartbeat)
    }
    streams.add(stream)
    stream.person.streams.add(stream)
    people.set(stream.person.univid, stream.person)
    for (const hint of stream.packages) {
      const key = packageKey(hint)
      const entry = followers.get(key) ?? { hint, streams: new Set() }
      entry.streams.add(stream)
      followers.set(key, entry)
    }
    metrics?.streams(streams.size)
  }

  /** Leaves no trace of a stream. Answers whether there was one. */
  function forget(stream: Stream): boolean {
    if (!streams.delete(stream)) return false
    const { person } = stream
    stream.release()
    stream.waiting.clear()
    person.streams.delete(stream)
    if (person.streams.size === 0) {
      people.delete(person.univid)
      due.delete(person)
      blind.delete(person)
    }
    for (const hint of stream.packages) {
      const key = packageKey(hint)
      const entry = followers.get(key)
      entry?.streams.delete(stream)
      if (entry?.streams.size === 0) followers.delete(key)
    }
    if (streams.size === 0) clearInterval(beats)
    metrics?.streams(streams.size)
    return true
  }

  function end(stream: Stream): void {
    const { desiredSize } = stream.controller
    if (!forget(stream)) return
    // What nobody reads would be kept for as long as the connection lives.
    if (desiredSize === maxQueueSize) stream.controller.close()
    else stream.controller.error(new Error('The reader of a stream of events is too slow'))
  }

  function write(stream: Stream, text: string): void {
    const bytes = encoder.encode(text)
    if ((stream.controller.desiredSize ?? 0) < bytes.byteLength) end(stream)
    else stream.controller.enqueue(bytes)
  }

  /** Lets an event wait until it is known whether it may be told. An older one of the package has nothing to add. */
  function wait(stream: Stream, event: LiveEvent): void {
    const key = packageKey(event)
    stream.waiting.delete(key)
    stream.waiting.set(key, { event, arrived: now() })
    due.add(stream.person)
    gathering ??= setTimeout(() => {
      gathering = undefined
      serveAll()
    }, batchDelay)
  }

  function serveAll(): void {
    for (const person of due) {
      if (asking >= maxParallel) return
      if (person.isAsking) continue
      due.delete(person)
      person.isAsking = true
      asking += 1
      void serve(person).finally(() => {
        person.isAsking = false
        asking -= 1
        serveAll()
      })
    }
  }

  /** Asks what a person may view of what has changed, and writes that. Never rejects. */
  async function serve(person: Person): Promise<void> {
    for (const [key, { asked }] of person.answers) if (!isFresh(asked)) person.answers.delete(key)
    const unknown = new Map<string, Hint>()
    for (const { waiting } of person.streams) {
      for (const [key, { event }] of waiting) if (!person.answers.has(key)) unknown.set(key, event)
    }

    const outcomes = await Promise.all(
      groupByForm(unknown.values()).map(([formId, ids]) => ask(person, formId, ids)),
    )
    const isBlind = outcomes.includes(false)
    if (!isBlind) blind.delete(person)
    else if (person.streams.size > 0) blind.add(person)
    for (const stream of person.streams) deliver(stream)
    if (!isBlind && hasUnknown(person)) due.add(person)
  }

  /** Whether an answer has become too old, or an event has come, while the others were asked for. */
  function hasUnknown({ streams, answers }: Person): boolean {
    return [...streams].some(({ waiting }) =>
      [...waiting.keys()].some((key) => !isFresh(answers.get(key)?.asked ?? -Infinity)),
    )
  }

  /** Answers whether there was an answer. */
  async function ask(person: Person, formId: number, ids: readonly number[]): Promise<boolean> {
    // Rights may be withdrawn while the question is under way.
    const asked = now()
    try {
      const allowed = await mayView(person.univid, formId, ids)
      if (!isFresh(asked)) throw new Error('The answer came too late')
      for (const packageId of ids) {
        person.answers.set(packageKey({ formId, packageId }), { isAllowed: allowed.has(packageId), asked })
      }
      return true
    } catch (error) {
      if (blind.size === 0)
        log('warn', 'Live events wait: rights cannot be asked', { formId, error: String(error) })
      return false
    }
  }

  function deliver(stream: Stream): void {
    let text = ''
    for (const [key, { event, arrived }] of stream.waiting) {
      const answer = stream.person.answers.get(key)
      if (!answer || !isFresh(answer.asked)) continue
      // The event may be the very one that gives the right, so a no counts only for what came before the question.
      if (!answer.isAllowed && answer.asked < arrived) continue
      stream.waiting.delete(key)
      if (!answer.isAllowed) continue
      const { id, formId, packageId } = event
      text += `${idField(stream, id)}${message('change', { formId, packageId })}\n`
      metrics?.count('event_delivered')
    }
    if (text) write(stream, text)
  }

  function isFresh(asked: number): boolean {
    return now() - asked <= rightsMaxAge
  }

  function idField(stream: Stream, id: string): string {
    if (blind.size > 0) return ''
    stream.lastId = id
    stream.isQuiet = false
    return field('id', id)
  }

  /** Shows all readers that they are connected, and moves the ids on of those for whom there was nothing. */
  function beat(): void {
    const settled = mark
    mark = bus.last()
    for (const stream of streams) {
      if (now() >= stream.endsAt) {
        end(stream)
        continue
      }
      const isBehind = stream.isQuiet && settled !== stream.lastId
      write(stream, `: \n${isBehind ? idField(stream, settled) : ''}\n`)
      stream.isQuiet = true
      if (stream.waiting.size > 0) due.add(stream.person)
    }
    for (const person of blind) due.add(person)
    serveAll()
  }

  return {
    open,
    watched: () => [...followers.values()].map(({ hint }) => hint),
    close() {
      isClosed = true
      unsubscribe()
      clearTimeout(gathering)
      for (const stream of streams) end(stream)
    },
  }
}

/**
 * Reads which packages are to be followed: `?package=6025-42&package=6025-43`. Throws `ProxyError` 400 where anything
 * else stands there, or more than `max` packages. Default 200.
 */
export function parseFollowedPackages(search: URLSearchParams, max = 200): readonly Hint[] {
  const packages = new Map<string, Hint>()
  for (const [name, value] of search) {
    const [, formId, packageId] = /^([1-9]\d{0,15})-([1-9]\d{0,15})$/.exec(value) ?? []
    const hint = { formId: Number(formId), packageId: Number(packageId) }
    if (name !== 'package' || !Number.isSafeInteger(hint.formId) || !Number.isSafeInteger(hint.packageId)) {
      throw new ProxyError(400, 'This address takes packages only, each as package=FORM-PACKAGE.')
    }
    packages.set(packageKey(hint), hint)
  }
  if (packages.size === 0)
    throw new ProxyError(400, 'Say which packages to follow, each as package=FORM-PACKAGE.')
  if (packages.size > max) throw tooManyPackages(max)
  return [...packages.values()]
}

function tooManyPackages(max: number): ProxyError {
  return new ProxyError(400, `No more than ${max} packages can be followed at a time.`)
}

function message(event: string, data: unknown): string {
  return field('event', event) + field('data', JSON.stringify(data))
}

/** One line, whatever the value holds. */
function field(name: string, value: string): string {
  return `${name}: ${value.replaceAll(/[\r\n\0]/g, '')}\n`
}

/** Seconds after which asking again makes sense. */
const retryAfter = 30

const encoder = new TextEncoder()
