import type { ReactiveController } from 'lit'
import { type KeptPlace, keptName, readKept } from './list-content.ts'
import { type ExtendedList, groupRows, keyOf, type Shown } from './shown-rows.ts'

/** Keeps the place in a list when the person leaves the page, and returns to it. */
export class ListPlace implements ReactiveController {
  readonly #host: ExtendedList
  readonly #shown: () => Shown | undefined
  /** The place to return to; `undefined` after that, and once the person has moved. */
  #kept: KeptPlace | undefined
  #listening: AbortController | undefined

  constructor(host: ExtendedList, shown: () => Shown | undefined) {
    this.#host = host
    this.#shown = shown
    this.#kept = readKept(host)
    if (this.#kept) sessionStorage.removeItem(keptName(host) ?? '')
    host.addController(this)
  }

  hostConnected(): void {
    this.#listening = new AbortController()
    const { signal } = this.#listening
    const keep = () => this.#keep()
    // The first comes before a router adds an entry to the history, the second before another page replaces this one.
    ;(window as Partial<Window>).navigation?.addEventListener('navigate', keep, { signal })
    window.addEventListener('pagehide', keep, { signal })
    const onMove = () => (this.#kept = undefined)
    for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
      window.addEventListener(type, onMove, { capture: true, passive: true, signal })
  }

  hostDisconnected(): void {
    this.#listening?.abort()
  }

  /** Returns to the place, after the list has loaded for the first time. */
  async restore(): Promise<void> {
    await this.#host.updateComplete
    const kept = this.#kept
    this.#kept = undefined
    const item = kept && this.#items[this.#keys.indexOf(kept.row ?? '')]
    if (!item) return
    // A box around the list may scroll instead of the window.
    item.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    window.scrollBy({ top: item.getBoundingClientRect().top - kept.top, behavior: 'instant' })
    if (document.activeElement === document.body)
      controlsOf(item)[kept.control]?.focus({ preventScroll: true })
  }

  #keep(): void {
    const name = keptName(this.#host)
    const kept = this.#kept ?? this.#find()
    if (!name || !kept) return
    // The storage may be full, and frames without an origin have none.
    try {
      sessionStorage.setItem(name, JSON.stringify(kept))
    } catch {}
  }

  /** Finds where the person is; `undefined` if the list has not loaded. */
  #find(): KeptPlace | undefined {
    const shown = this.#shown()
    if (!shown) return undefined
    const { view, parts, filter } = shown
    const items = this.#items
    const focused = this.#host.shadowRoot?.activeElement ?? null
    const withFocus = items.findIndex((one) => one.contains(focused))
    const onScreen = items.findIndex((one) => one.getBoundingClientRect().bottom > 0)
    const at = withFocus < 0 ? onScreen : withFocus
    const item = items[at]
    const control = item ? controlsOf(item).findIndex((one) => one === focused) : -1
    return { view, parts, filter, row: this.#keys[at], top: item?.getBoundingClientRect().top ?? 0, control }
  }

  get #items(): readonly HTMLElement[] {
    return [...this.#host.renderRoot.querySelectorAll<HTMLElement>('[part~=request]')]
  }

  /** The keys of the requests in the order on the screen. */
  get #keys(): readonly string[] {
    return groupRows(this.#shown()?.rows ?? []).flatMap(([, rows]) => rows.map(({ row }) => keyOf(row)))
  }
}

function controlsOf(item: HTMLElement): readonly HTMLElement[] {
  return [...item.querySelectorAll<HTMLElement>('a, button')]
}
