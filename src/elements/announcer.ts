import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit'
import { common } from '../locales/en.ts'
import { messagesFor } from './messages.ts'

/** Milliseconds in which several messages become one. */
const gathering = 300

/** Milliseconds after which a message that has been said leaves the page again: what it tells stands there anyway. */
const lifetime = 5000

/** Says to assistive technology what changes on the screen, politely and without one message cutting off another. */
export class Announcer implements ReactiveController {
  readonly #host: LitElement
  #text = ''
  #waiting: string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(host: LitElement) {
    this.#host = host
    host.addController(this)
  }

  /** Announces a message, together with others of the same moment. */
  announce(message: string): void {
    if (!this.#waiting.includes(message)) this.#waiting.push(message)
    if (this.#waiting.length > 1) return
    clearTimeout(this.#timer)
    // The same words again would be no change, and not be heard.
    if (this.#text) this.#show('')
    this.#timer = setTimeout(() => {
      const more = this.#waiting.length - 3
      const words = messagesFor(this.#host, 'common', common)
      this.#show([...this.#waiting.slice(0, 3), ...(more > 0 ? [words.more(more)] : [])].join(' '))
      this.#waiting = []
      this.#timer = setTimeout(() => this.#show(''), lifetime)
    }, gathering)
  }

  /** The region that is listened to. It has to be there before the first message. */
  render(): TemplateResult {
    return html`<div class="announcement" role="status">${this.#text}</div>`
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
    this.#text = ''
  }

  #show(text: string): void {
    this.#text = text
    this.#host.requestUpdate()
  }
}
