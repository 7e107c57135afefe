import type { HistoryEvent } from '../../contract/schemas/history.ts'
import { eventKindOf, type Events, stopKeyOf } from './event-text.ts'

/** The number of events in a chunk. The browser skips the layout of chunks that are far from the screen. */
const chunkSize = 50

/** The number of events that "Show earlier" adds. At first, at least as many of the latest are shown. */
export const pageSize = 100

/** The number of events that "Show all" adds in each frame, so that the page stays responsive. */
const stepSize = 400

/** The longest history that fits on a screen. */
const maxShort = 10

/** The events of a package up to now, and which of them are shown. */
export interface EventList {
  /** All events, in the order of the service. */
  readonly source: Events
  /** The events that do not wait in an inbox. A chunk that did not change is the same object as before. */
  readonly chunks: readonly Events[]
  /** The events that wait in an inbox now. They come last. */
  readonly waiting: Events
  /** The number of earlier events that are left out: those of whole chunks. */
  readonly earlier: number
  /** Whether a person wants to see all events, and some are still left out. */
  readonly isShowingAll: boolean
  /** The keys of all events that have been in the list. */
  readonly known: ReadonlySet<string>
}

/** A chunk that is shown. */
export interface ShownChunk {
  readonly events: Events
  /** The shown event before its first one. */
  readonly before: HistoryEvent | null | undefined
  readonly isFull: boolean
}

/** Returns the list of these events. `before` is the list of the same package until now, if there was one. */
export function updateList(before: EventList | undefined, source: Events): EventList {
  const waiting = source.filter((event) => event?.isInInbox === true)
  const past = source.filter((event) => event?.isInInbox !== true)
  const most = Math.max(0, Math.floor((past.length - pageSize) / chunkSize) * chunkSize)
  // Stays the same if events are added, so that no shown event disappears.
  const earlier = Math.min(before?.earlier ?? most, most)
  return {
    source,
    chunks: [...Array(Math.ceil(past.length / chunkSize)).keys()].map((index) => {
      const chunk = past.slice(index * chunkSize, (index + 1) * chunkSize)
      const old = before?.chunks[index]
      return old && JSON.stringify(old) === JSON.stringify(chunk) ? old : chunk
    }),
    waiting,
    earlier,
    isShowingAll: before?.isShowingAll === true && earlier > 0,
    known: new Set([...(before?.known ?? []), ...past.filter((event) => event !== null).map(keyOf)]),
  }
}

/** Returns the actions in a list that were not in the list before. */
export function newsOf(before: EventList, { chunks }: EventList): readonly HistoryEvent[] {
  const found = new Map<string, HistoryEvent>()
  for (const event of chunks.flat()) {
    if (!event || ['passed', 'received', 'voided'].includes(eventKindOf(event))) continue
    const key = keyOf(event)
    if (!before.known.has(key) && !found.has(key)) found.set(key, event)
  }
  return [...found.values()]
}

/** Shows further events above the others. */
export function showEarlier(list: EventList, count = pageSize): EventList {
  const earlier = Math.max(0, list.earlier - count)
  return { ...list, earlier, isShowingAll: list.isShowingAll && earlier > 0 }
}

/** Begins to show all events, with `showStep()`. */
export function startShowingAll(list: EventList): EventList {
  return { ...list, isShowingAll: list.earlier > 0 }
}

/** Shows the events of the next frame. The last step is longer, so that the button for all stays until the end. */
export function showStep(list: EventList): EventList {
  return showEarlier(list, list.earlier > stepSize + pageSize ? stepSize : list.earlier)
}

/** Returns the chunks that are shown, or all; `undefined` in the place of those that are left out. */
export function shownChunks(
  { chunks, earlier }: EventList,
  showsAll: boolean,
): readonly (ShownChunk | undefined)[] {
  const first = showsAll ? 0 : earlier / chunkSize
  return chunks.map((events, index) =>
    index < first
      ? undefined
      : {
          events,
          before: index > first ? chunks[index - 1]?.at(-1) : undefined,
          isFull: events.length === chunkSize,
        },
  )
}

/** Returns the latest event that does not wait in an inbox; null if it could not be read. */
export function latestOf({ chunks }: EventList): HistoryEvent | null | undefined {
  return chunks.at(-1)?.at(-1)
}

/** Whether the past of a list is longer than a screen. */
export function isLong({ source, waiting }: EventList): boolean {
  return source.length - waiting.length > maxShort
}

/** Identifies an event by its fields, because the service gives events no ids. */
function keyOf(event: HistoryEvent): string {
  const { '@class': type, actionDate, person, state } = event
  return [type, state, actionDate, person?.univid ?? person?.displayName, stopKeyOf(event)].join()
}
