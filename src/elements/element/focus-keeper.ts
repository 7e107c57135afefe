import type { LitElement, ReactiveController } from 'lit'

/**
 * Keeps the focus inside an element if an update removes or moves the focused control. Otherwise, people who use a keyboard
 * would have to start again at the top of the page.
 */
export class FocusKeeper implements ReactiveController {
  readonly #host: LitElement
  readonly #next: (container: Element | null, removed: Element) => HTMLElement | null
  #focused: Element | null = null
  /** Whether the content has gone, and the focus with it. */
  #hasLost = false
  #containers: readonly (Element | null | undefined)[] = []

  /**
   * `next` returns the control that gets the focus. It receives the list item that contained the removed control. If
   * that item was removed too, it receives the next or previous item; null if none is left. It also receives the removed
   * control. If `next` returns null, the message that has replaced the content gets the focus.
   */
  constructor(host: LitElement, next: (container: Element | null, removed: Element) => HTMLElement | null) {
    this.#host = host
    this.#next = next
    host.addController(this)
  }

  hostUpdate(): void {
    this.#focused = this.#host.shadowRoot?.activeElement ?? null
    const item = this.#focused?.closest('li')
    this.#containers = [item, item?.nextElementSibling, item?.previousElementSibling]
  }

  hostUpdated(): void {
    const focused = this.#focused
    if (this.#hasLost && document.activeElement === document.body)
      this.#host.renderRoot.querySelector<HTMLElement>('.message')?.focus()
    if (!focused || focused === this.#host.shadowRoot?.activeElement) return
    const next = focused.isConnected
      ? (focused as HTMLElement)
      : this.#next(this.#containers.find((item) => item?.isConnected) ?? null, focused)
    next?.focus()
    this.#hasLost = !next
  }
}
