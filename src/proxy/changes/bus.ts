/** Announces that a package has changed. It contains nothing else: browsers read the package with their own rights. */
export interface Hint {
  /** Id of the form. */
  readonly formId: number
  /** Id of the package. */
  readonly packageId: number
}

/** A hint with its place in the order of all events. Ids are opaque, and equal only for the same event. */
export interface LiveEvent extends Hint {
  /** Id of the event. */
  readonly id: string
}

/** Carries hints to every process that serves the same environment. */
export interface Bus {
  /**
   * Publishes a hint and resolves to the id of its event, if it is known. If the hint cannot reach other processes, logs that
   * and delivers it in this process. Never rejects.
   */
  readonly publish: (hint: Hint) => Promise<string | void>
  /** Calls the listener for each event from now on, in order. Returns a function that removes the listener. */
  readonly subscribe: (listener: (event: LiveEvent) => void) => () => void
  /** Returns the events after the one with this id, oldest first; undefined if the id is unknown or too old. */
  readonly since: (id: string) => readonly LiveEvent[] | undefined
  /** Returns the id of the newest event, or a start id before the first event. */
  readonly last: () => string
  /** Whether hints reach other processes at the moment. Absent if only one process uses the bus. */
  readonly isConnected?: () => boolean
  /** Ends the connection to other processes. */
  readonly close: () => Promise<void>
}

export interface EventBufferOptions {
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Number of events that are kept for browsers that reconnect. Default 1000. */
  readonly size?: number
}

/** Creates a bus for one process. It knows neither the events nor the ids of other processes. */
export function createLocalBus(options: EventBufferOptions = {}): Bus {
  const buffer = createEventBuffer(options)
  return {
    publish({ formId, packageId }) {
      const id = buffer.nextId()
      buffer.push({ id, formId, packageId })
      return Promise.resolve(id)
    },
    subscribe: buffer.subscribe,
    since: buffer.since,
    last: buffer.last,
    close: () => Promise.resolve(),
  }
}

/** Returns a key for a package, for use in maps. */
export function packageKey({ formId, packageId }: Hint): string {
  return `${formId}-${packageId}`
}

/** The newest events of a bus, and the listeners of the bus. */
interface EventBuffer extends Pick<Bus, 'subscribe' | 'since' | 'last'> {
  /** Adds an event and calls all listeners. */
  readonly push: (event: LiveEvent) => void
  /** Whether the buffer contains an event. */
  readonly has: (id: string) => boolean
  /** Returns an id for an event of this process, which no other process, no later process and no Redis uses. */
  readonly nextId: () => string
}

/** Creates an empty buffer. Ids have the form `<milliseconds>-<counter>`, as those of Redis streams. */
export function createEventBuffer({ now = Date.now, size = 1000 }: EventBufferOptions = {}): EventBuffer {
  const listeners = new Set<(event: LiveEvent) => void>()
  const events: LiveEvent[] = []
  let milliseconds = 0
  // Redis counts from 0 in each millisecond and never reaches this number.
  let counter = 2 ** 32 + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
  let newest = nextId()
  /** Id of the event before the oldest one in the buffer. */
  let before = newest

  function nextId(): string {
    milliseconds = Math.max(milliseconds, now())
    counter += 1
    return `${milliseconds}-${counter}`
  }

  function dropOld(): void {
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
      dropOld()
      for (const listener of listeners) listener(event)
    },
    has: (id) => events.some((event) => event.id === id),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // Ids from browsers are only compared with known ids, never parsed.
    since(id) {
      dropOld()
      if (id === before) return [...events]
      const index = events.findLastIndex((event) => event.id === id)
      return index === -1 ? undefined : events.slice(index + 1)
    },
    last: () => newest,
  }
}

/** Maximum age of a buffered event, in ms. */
const maxAge = 10 * 60_000
