import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { HistoryEvent } from '../../contract/history.ts'
import { readHistory } from '../../contract/page-readers.ts'
import { make, makeEventRows, replaceRows } from './event-rows.ts'
import { eventKindOf, type EventLanguage, type Events, stopKeyOf } from './event-text.ts'

/** Events in a chunk: about as many as fit on a screen. */
const chunkSize = 20

/** The longest history that is shown as a whole at first. */
const maxWhole = 2 * chunkSize

/** Milliseconds of each frame that go into further chunks. */
const frameBudget = 20

/** Milliseconds after which a page that draws no frames, because it is hidden, gets further chunks. */
const hiddenDelay = 250

interface Chunk {
  readonly box: HTMLElement
  /** The number of its events that could not be read. */
  readonly unreadable: number
}

/**
 * The list of past events, with those that wait in an inbox last. Renders a long history in chunks, a few per frame, so
 * that the first events appear at once and the page stays responsive with 10,000 of them: Lit renders a template as a
 * whole, which `bench/history.ts` measures.
 */
export class EventList implements ReactiveController {
  /** The list itself. An update of the host does not touch it, and so costs the same at any length. */
  readonly element: HTMLElement = make('div', { role: 'list', part: 'list' })
  readonly #host: ReactiveControllerHost
  readonly #onNews: (event: HistoryEvent) => void
  readonly #waitingBox = make('div', { role: 'none' })
  #source: readonly unknown[] | undefined
  #past: readonly unknown[] = []
  #waiting: Events = []
  #language: EventLanguage | undefined
  #chunks: Chunk[] = []
  /** The number of earlier events that are left out until people want them; `undefined` until there are events. */
  #earlier: number | undefined
  /** Index of the chunk to render next; infinite when all of them are up to date. */
  #next = Infinity
  #frame = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Whether the whole history has been rendered once. Until then, no event counts as news. */
  #isKnown = false
  readonly #known = new Set<string>()

  /** @param onNews Called for each event that was not in the history before. */
  constructor(host: ReactiveControllerHost, onNews: (event: HistoryEvent) => void) {
    this.#host = host
    this.#onNews = onNews
    host.addController(this)
  }

  /** Whether the history has no events. */
  get isEmpty(): boolean {
    return this.#source?.length === 0
  }

  /** The events that wait in an inbox now. */
  get waiting(): Events {
    return this.#waiting
  }

  /** The latest event that does not wait in an inbox. */
  get latest(): HistoryEvent | null | undefined {
    return read(this.#past.slice(-1))[0]
  }

  /** The number of earlier events that are left out. */
  get earlier(): number {
    return this.#earlier ?? 0
  }

  /** Whether the history is longer than a screen. */
  get isLong(): boolean {
    return this.#past.length > chunkSize / 2
  }

  /** The number of rendered events that could not be read. */
  get unreadable(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.unreadable, countUnreadable(this.#waiting))
  }

  /** Shows these events, which may be unread JSON. Rows that stay the same are not touched. */
  update(source: readonly unknown[], language: EventLanguage): void {
    const isNew = source !== this.#source
    if (isNew) {
      this.#source = source
      this.#past = source.filter((row) => !isWaiting(row))
      this.#waiting = read(source.filter(isWaiting))
      const { length } = this.#past
      // Stays the same when events are added, so that no shown event disappears.
      const most = length > maxWhole ? Math.floor((length - chunkSize / 2) / chunkSize) * chunkSize : 0
      this.#earlier = Math.min(this.#earlier ?? most, most)
    }
    // On each update, because these rows show how long ago their events were.
    replaceRows(this.#waitingBox, makeEventRows(this.#waiting, language, { before: this.latest }))
    if (this.#waiting.length === 0) this.#waitingBox.remove()
    else if (!this.#waitingBox.parentNode) this.element.append(this.#waitingBox)

    const { messages, formatting } = language
    const isSameLanguage =
      messages === this.#language?.messages && formatting.language === this.#language.formatting.language
    this.#language = language
    if (!isNew && isSameLanguage) return
    this.element.setAttribute('aria-label', messages.label)
    this.#renderAll(language)
  }

  /** Shows the earlier events, too. */
  showEarlier(): void {
    const boxes = Array.from({ length: this.earlier / chunkSize }, () => make('div', { role: 'none' }))
    this.element.prepend(...boxes)
    this.#chunks.unshift(...boxes.map((box) => ({ box, unreadable: 0 })))
    this.#earlier = 0
    // None of them is news.
    this.#isKnown = false
    if (this.#language) this.#renderAll(this.#language)
  }

  /** Scrolls to the events that wait in an inbox, or else to the latest one, and focuses it. */
  jumpToNow(): void {
    const rows = this.element.querySelectorAll<HTMLElement>('[part=event]')
    const now = this.element.querySelector<HTMLElement>('.now') ?? rows[rows.length - 1]
    if (now) now.tabIndex = -1
    now?.focus({ preventScroll: true })
    now?.scrollIntoView({ block: 'center' })
  }

  /** Removes everything, and forgets which events were shown. */
  clear(): void {
    this.#source = undefined
    this.#earlier = undefined
    this.#chunks = []
    this.#next = Infinity
    this.element.replaceChildren()
    this.#known.clear()
    this.#isKnown = false
  }

  hostConnected(): void {
    addEventListener('beforeprint', this.#onPrint)
  }

  hostDisconnected(): void {
    removeEventListener('beforeprint', this.#onPrint)
  }

  /** Renders the first chunk, and the others later. */
  #renderAll(language: EventLanguage): void {
    this.#next = 0
    this.#renderChunk(language)
    // The next frame shows the first chunk, so the others wait for the frame after it.
    if (this.#next < Infinity) this.#schedule(() => (this.#frame = requestAnimationFrame(this.#onFrame)))
  }

  /** Renders the next chunk, or brings it up to date. */
  #renderChunk(language: EventLanguage): void {
    const index = this.#next++
    const start = this.earlier + index * chunkSize
    const events = read(this.#past.slice(start, start + chunkSize))
    const [before] = index > 0 ? read(this.#past.slice(start - 1, start)) : []
    const isLast = start + chunkSize >= this.#past.length
    const box = this.#chunks[index]?.box ?? make('div', { role: 'none' })
    this.#chunks[index] = { box, unreadable: countUnreadable(events) }
    box.classList.toggle('chunk', events.length === chunkSize)
    // Without the time zone: ages would make every row out of date within a minute.
    const formatting = { language: language.formatting.language }
    replaceRows(box, makeEventRows(events, { ...language, formatting }, { before }))
    if (!box.parentNode) this.element.insertBefore(box, this.#waitingBox.parentNode && this.#waitingBox)
    for (const event of events) if (event) this.#noteEvent(event)
    if (!isLast) return
    for (const surplus of this.#chunks.splice(index + 1)) surplus.box.remove()
    this.#next = Infinity
    this.#isKnown = true
  }

  /** Remembers an event, and reports it if it is news. Compares its fields, because the service gives events no ids. */
  #noteEvent(event: HistoryEvent): void {
    const { '@class': type, actionDate, person, state } = event
    const key = [type, state, actionDate, person?.univid ?? person?.displayName, stopKeyOf(event)].join()
    const isAction = !['passed', 'received', 'voided'].includes(eventKindOf(event))
    if (this.#isKnown && isAction && !this.#known.has(key)) this.#onNews(event)
    this.#known.add(key)
  }

  #schedule(onFrame: () => void): void {
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    this.#frame = requestAnimationFrame(onFrame)
    this.#timer = setTimeout(this.#onFrame, hiddenDelay)
  }

  readonly #onFrame = (): void => this.#renderChunks(frameBudget)

  /** Renders chunks until the next one would probably exceed the budget, in milliseconds. */
  #renderChunks(budget: number): void {
    const end = performance.now() + budget
    while (this.#next < Infinity && this.#language) {
      const start = performance.now()
      this.#renderChunk(this.#language)
      if (this.#next < Infinity && 2 * performance.now() - start >= end) return this.#schedule(this.#onFrame)
    }
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    // The host shows the number of events that could not be read.
    this.#host.requestUpdate()
  }

  readonly #onPrint = (): void => {
    if (this.earlier > 0) this.showEarlier()
    if (this.#next < Infinity) this.#renderChunks(Infinity)
  }
}

function read(rows: readonly unknown[]): Events {
  return readHistory(rows) ?? []
}

function countUnreadable(events: Events): number {
  return events.filter((event) => event === null).length
}

function isWaiting(row: unknown): boolean {
  return (row as Partial<HistoryEvent> | null | undefined)?.isInInbox === true
}
