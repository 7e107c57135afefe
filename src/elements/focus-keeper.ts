import type { LitElement, ReactiveController } from 'lit'

/**
 * Keeps the focus inside an element when an update takes away the control that had it: `next` says where it goes.
 * Without this, people who use a keyboard would find themselves at the top of the page.
 */
export class FocusKeeper implements ReactiveController {
  readonly #host: LitElement
  readonly #next: (container: Element | null) => HTMLElement | null
  #focused: Element | null = null
  #containers: readonly (Element | null | undefined)[] = []

  /** `next` is given the list item that the control stood in, else the one after or before it, if one is still there. */
  constructor(host: LitElement, next: (container: Element | null) => HTMLElement | null) {
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
    if (this.#focused && !this.#focused.isConnected) {
      this.#next(this.#containers.find((item) => item?.isConnected) ?? null)?.focus()
    }
  }
}
