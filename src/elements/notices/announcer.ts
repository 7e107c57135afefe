import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit'
import { common } from '../../locales/en.ts'
import { messagesFor } from '../text/messages.ts'

/** Milliseconds in which several messages are collected into one. */
export const collectionTime = 300

/** Milliseconds until the text is removed again. The page shows the same information elsewhere. */
const lifetime = 5000

/** The timers of the announcer. By default, those of the page. */
interface AnnouncerTimers {
  setTimeout(callback: () => void, delay: number): ReturnType<typeof setTimeout>
}

/** Announces changes to assistive technology in a polite live region, so that no message interrupts another. */
export class Announcer implements ReactiveController {
  /** The element that announces. */
  readonly host: LitElement
  /**
   * Returns who announces instead, if the element is not visible: a live region that is not displayed is not heard, and pages hide
   * elements that have nothing to show.
   */
  other: (() => Announcer | undefined) | undefined
  readonly #timers: AnnouncerTimers
  #text = ''
  #waiting: string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(host: LitElement, timers: AnnouncerTimers = globalThis) {
    this.host = host
    this.#timers = timers
    host.addController(this)
  }

  /**
   * Announces a message, together with others of the same moment. Equal messages are announced once. A message that sums
   * up others comes first, and replaces those of them that wait.
   */
  announce(message: string, replaced?: readonly string[]): void {
    if (!replaced && this.#waiting.includes(message)) return
    const others = this.#waiting.filter((one) => one !== message && !replaced?.includes(one))
    this.#waiting = replaced ? [message, ...others] : [...others, message]
    if (this.#waiting.length > 1) return
    clearTimeout(this.#timer)
    // A live region announces only changes, so the same text must be removed first.
    if (this.#text) this.#show('')
    this.#timer = this.#timers.setTimeout(() => {
      const more = this.#waiting.length - 3
      const messages = messagesFor(this.host, 'common', common)
      const text = [...this.#waiting.slice(0, 3), ...(more > 0 ? [messages.more(more)] : [])].join(' ')
      this.#waiting = []
      const other = this.other?.()
      if (other) return other.announce(text)
      this.#show(text)
      this.#timer = this.#timers.setTimeout(() => this.#show(''), lifetime)
    }, collectionTime)
  }

  /** Whether a message has not been announced yet. */
  isWaiting(message: string): boolean {
    return this.#waiting.includes(message)
  }

  /** Renders the live region. It must exist before the first message. */
  render(): TemplateResult {
    return html`<div class="announcement" role="status">${this.#text}</div>`
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
    this.#text = ''
  }

  /** Removes what was announced or waits: it may name people whom the next person at this computer must not see. */
  clear(): void {
    this.hostDisconnected()
    this.#show('')
  }

  #show(text: string): void {
    this.#text = text
    this.host.requestUpdate()
  }
}
