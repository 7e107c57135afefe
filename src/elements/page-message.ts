import type { LitElement, ReactiveController } from 'lit'

/** An element that can load its content again. */
export interface MessageHost extends LitElement {
  refresh(): Promise<void>
}

/** The messages that elements have now, by the source of their content and by text. */
const groups = new WeakMap<object, Map<string, Set<PageMessage>>>()

const messageOf = new WeakMap<Element, PageMessage>()

/** If an element becomes visible or invisible, such as in a tab, another one may have to show the message. */
const observer =
  typeof ResizeObserver === 'undefined'
    ? undefined
    : new ResizeObserver((entries) => {
        // Later, because browsers report an error if the callback changes sizes.
        setTimeout(() => {
          for (const { target } of entries) messageOf.get(target)?.updateOthers()
        })
      })

/**
 * A message that several elements of a page may have at the same time, such as that the person is signed out. Only the first
 * of them in the page shows it, and only one announces it.
 */
export class PageMessage implements ReactiveController {
  readonly #host: MessageHost
  #message = ''
  /** The elements that have this message, with this one. */
  #group: Set<PageMessage> = new Set()
  #isRendered = false

  constructor(host: MessageHost) {
    this.#host = host
    host.addController(this)
    messageOf.set(host, this)
  }

  /** Notes the message that the element has now. Returns whether no other element has it. */
  join(source: object | undefined, message: string): boolean {
    const messages =
      source && message ? (groups.get(source) ?? new Map<string, Set<PageMessage>>()) : undefined
    const group = messages?.get(message) ?? new Set()
    if (source && messages) groups.set(source, messages.set(message, group))
    if (group !== this.#group) {
      this.#leave()
      this.#group = group.add(this)
      this.#message = message
      if (message) observer?.observe(this.#host)
      this.updateOthers()
    }
    return group.size === 1
  }

  /** Returns whether the element shows its message. Call this in `render()`. */
  shows(source: object | undefined, message: string): boolean {
    this.#isRendered = true
    this.join(source, message)
    return ![...this.#group].some((other) => other.#precedes(this))
  }

  /** Loads the content of the element again, and of all others that have the message. */
  async refreshAll(): Promise<void> {
    await Promise.all([...new Set([this, ...this.#group])].map((one) => one.#host.refresh()))
  }

  hostUpdate(): void {
    this.#isRendered = false
  }

  hostUpdated(): void {
    if (!this.#isRendered) this.#leave()
  }

  hostDisconnected(): void {
    this.#leave()
  }

  /** Whether this element is visible, and before another in the page. */
  #precedes(other: PageMessage): boolean {
    const position = other.#host.compareDocumentPosition(this.#host)
    return (position & Node.DOCUMENT_POSITION_PRECEDING) > 0 && isVisible(this.#host)
  }

  #leave(): void {
    if (!this.#message) return
    this.#message = ''
    this.#group.delete(this)
    this.updateOthers()
    this.#group = new Set()
    observer?.unobserve(this.#host)
  }

  /** Renders the other elements that have the message. */
  updateOthers(): void {
    for (const other of this.#group) if (other !== this) other.#host.requestUpdate()
  }
}

function isVisible(element: Partial<Element>): boolean {
  // Browsers of before 2024 cannot tell.
  return element.checkVisibility?.() ?? true
}
