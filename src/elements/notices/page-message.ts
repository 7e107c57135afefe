import type { LitElement, ReactiveController, TemplateResult } from 'lit'
import { common } from '../../locales/en.ts'
import { messagesFor } from '../text/messages.ts'
import { type Announcer, isVisible } from './announcer.ts'
import { byPlace, isBefore } from './document-order.ts'
import { type NoticePart, renderNotice } from './notice.ts'
import { reportOutage, retryOutage, withNames } from './outage.ts'

/** The content of an element that a message is about. */
interface Subject {
  /** Returns what people call the content, in the language of the element. */
  readonly name: () => string
  /** Loads the content again. */
  readonly refresh: () => Promise<unknown>
  /** Whether the latest attempt to load it failed, in whole or in part. */
  readonly hasFailed: () => boolean
}

/** All elements of the page that have a message now. */
const holders = new Set<PageMessage>()

/** If an element becomes visible or invisible, such as in a tab, another one may have to show the message. */
const observer =
  (globalThis.ResizeObserver as typeof ResizeObserver | undefined) &&
  // Later, because browsers report an error if the callback changes sizes.
  new ResizeObserver(() => setTimeout(updateAll))

/**
 * A message that several elements of a page may have at the same time, such as that the person is signed out. Only the first
 * visible one of them shows it, and only one announces it. If something could not be loaded, people can try again.
 */
export class PageMessage implements ReactiveController {
  readonly host: LitElement
  readonly announcer: Announcer
  readonly #subject: Subject
  /** Where the element's content comes from. */
  #source: unknown
  #text = ''
  #isRendered = false
  #isQuiet = false
  #isTrying = false

  /** Lets the message be announced while a visible element has the same, although that of `announcer` is not visible. */
  constructor(announcer: Announcer, subject: Subject) {
    this.announcer = announcer
    this.#subject = subject
    this.host = announcer.host
    announcer.isShownElsewhere = () => this.#others.some(({ host }) => isVisible(host))
    this.host.addController(this)
  }

  /** Notes the message that the element has now. Returns whether no other element has it. */
  join(source: unknown, text: string): boolean {
    if (this.#source !== source || this.#text !== text) {
      this.#source = source
      this.#text = text
      holders.add(this)
      observer?.observe(this.host)
      updateAll()
    }
    return this.#others.length === 0
  }

  /** Returns whether the element shows its message. Call this in `render()`. */
  shows(source: unknown, text: string): boolean {
    this.#isRendered = true
    this.join(source, text)
    this.#isQuiet = this.#others.some(({ host }) => isVisible(host) && isBefore(host, this.host))
    return !this.#isQuiet
  }

  /** Whether the element shows nothing now, because another one shows its message. */
  get isQuiet(): boolean {
    return this.#isRendered && this.#isQuiet
  }

  /** Announces an outage once for the page. `isSaid`: whether a form has said the text. */
  report(text: string, isSaid?: boolean): void {
    const { name, refresh } = this.#subject
    reportOutage(this.announcer, name(), text, refresh, isSaid)
  }

  /** Renders a notice that something could not be loaded, with a button that loads everything again. */
  renderNotice(part: NoticePart, text: unknown): TemplateResult {
    return renderNotice(part, text, this.#texts, this.#isTrying, () => void this.#tryAgain())
  }

  /** Renders that something could not be loaded, after the names of all contents with this message, in the order of the page. */
  renderFailure(text: string): TemplateResult {
    const names = [this, ...this.#others].sort(byPlace).map((one) => one.#subject.name())
    return this.renderNotice('failure', withNames(this.host, names, text))
  }

  hostUpdate(): void {
    this.#isRendered = false
  }

  hostUpdated(): void {
    // An element may still update after it has left the page.
    if (!this.#isRendered || !this.host.isConnected) this.hostDisconnected()
  }

  hostDisconnected(): void {
    if (!holders.delete(this)) return
    this.#text = ''
    observer?.unobserve(this.host)
    updateAll()
  }

  get #texts() {
    return messagesFor(this.host, 'common', common)
  }

  async #tryAgain(): Promise<void> {
    if (this.#isTrying) return
    const { refresh, hasFailed } = this.#subject
    this.#isTrying = true
    this.host.requestUpdate()
    await (retryOutage(this.announcer) ?? refresh())
    this.#isTrying = false
    this.host.requestUpdate()
    if (hasFailed()) this.announcer.announce(this.#texts.stillUnavailable)
  }

  get #others(): readonly PageMessage[] {
    return [...holders].filter(
      (one) => one !== this && one.#source === this.#source && one.#text === this.#text,
    )
  }
}

function updateAll(): void {
  for (const { host } of holders) if (!host.isUpdatePending) host.requestUpdate()
}
