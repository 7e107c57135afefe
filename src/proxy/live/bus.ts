/** Something about a package has changed. No more than that: whoever may see it asks for the rest. */
export interface Hint {
  readonly formId: number
  readonly packageId: number
}

/** A hint with its place in the order of all. Ids are opaque; equal only for the same event. */
export interface LiveEvent extends Hint {
  readonly id: string
}

/** Carries hints to every process that serves the same environment. */
export interface Bus {
  /** Never rejects: what cannot be carried is logged, and delivered in this process at least. */
  readonly publish: (hint: Hint) => Promise<void>
  /** Calls the listener for each event in order, from now on. Answers how to stop. */
  readonly subscribe: (listener: (event: LiveEvent) => void) => () => void
  /** Events after the one with this id, oldest first; undefined where that one is not known any more, or never was. */
  readonly since: (id: string) => readonly LiveEvent[] | undefined
  /** Id of the newest event, or of the beginning. */
  readonly last: () => string
  readonly close: () => Promise<void>
}

export interface EventBufferOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** How many events are kept for whoever comes back. Default 1000. */
  readonly size?: number
}

/** Creates a bus for one process. Events of others never come, and ids of others mean nothing to it. */
export function createLocalBus(options: EventBufferOptions = {}): Bus {
  const feed = createEventBuffer(options)
  return {
    publish({ formId, packageId }) {
      feed.push({ id: feed.nextId(), formId, packageId })
      return Promise.resolve()
    },
    subscribe: feed.subscribe,
    since: feed.since,
    last: feed.last,
    close: () => Promise.resolve(),
  }
}

/** Names a package in maps. */
export function packageKey({ formId, packageId }: Hint): string {
  return `${formId}-${packageId}`
}

/** The newest events of a bus, and whoever listens to it. */
export interface EventBuffer extends Pick<Bus, 'subscribe' | 'since' | 'last'> {
  /** Keeps an event, and tells it to all listeners. */
  readonly push: (event: LiveEvent) => void
  /** Whether an event is still kept. */
  readonly has: (id: string) => boolean
  /** An id for an event of this process. No other process, no process after it and no Redis hands out the same. */
  readonly nextId: () => string
}

/** Creates what all buses have in common. Ids read `<milliseconds>-<counter>`, as those of Redis streams do. */
export function createEventBuffer({ now = Date.now, size = 1000 }: EventBufferOptions = {}): EventBuffer {
  const listeners = new Set<(event: LiveEvent) => void>()
  const events: LiveEvent[] = []
  let milliseconds = 0
  // Redis counts from 0 in each millisecond, and never gets here.
  let counter = 2 ** 32 + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
  let newest = nextId()
  /** Id of the event before the first one that is kept. */
  let before = newest

  function nextId(): string {
    milliseconds = Math.max(milliseconds, now())
    counter += 1
    return `${milliseconds}-${counter}`
  }

  function forget(): void {
    const oldest = now() - maxAge
    while (events[0] && (events.length > size || Number.parseInt(events[0].id, 10) < oldest)) {
      before = events[0].id
      events.shift()
    }
  }

  return {
    nextId,
    push(event) {
      events.push(event)
      newest = event.id
      forget()
      for (const listener of listeners) listener(event)
    },
    has: (id) => events.some((event) => event.id === id),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // Ids are looked up, never compared or read: what does not stand here letter for letter is not known.
    since(id) {
      forget()
      if (id === before) return [...events]
      const index = events.findLastIndex((event) => event.id === id)
      return index === -1 ? undefined : events.slice(index + 1)
    },
    last: () => newest,
  }
}

/** How long events are kept, in milliseconds. */
const maxAge = 10 * 60_000
