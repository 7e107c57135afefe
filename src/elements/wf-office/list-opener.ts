import { addStyles } from '../element/late-styles.ts'
import type { DropDown, DropDownHost } from './drop-down.ts'
import { loadDropDown } from './late.ts'

/** The field whose list is opened. */
interface ListOpenerHost extends DropDownHost {
  readonly isEditable: () => boolean
  readonly onOpen: () => void
}

/** Opens and closes the list of offices. Loads its code when the field gets the focus. */
export class ListOpener {
  readonly #host: ListOpenerHost
  #isOpen = false
  /** `undefined` until its code has loaded. */
  #list: DropDown | undefined

  constructor(host: ListOpenerHost) {
    this.#host = host
  }

  /** Whether the list is open, or will be when its code has loaded. */
  get isOpen(): boolean {
    return this.#isOpen && this.#host.isEditable()
  }

  get list(): DropDown | undefined {
    return this.#list
  }

  /** Loads the code of the list. If that fails, the list closes, and the field still takes numbers. */
  async load(): Promise<DropDown | undefined> {
    if (this.#list) return this.#list
    const DropDown = await loadDropDown().catch(() => undefined)
    if (!DropDown) this.close()
    // Several calls may wait for the code.
    if (!DropDown || this.#list) return this.#list
    addStyles(this.#host.element, DropDown.styles)
    this.#host.element.requestUpdate()
    return (this.#list = new DropDown(this.#host))
  }

  open(): void {
    if (!this.#host.isEditable()) return
    this.#host.onOpen()
    this.#setOpen(true)
    void this.load().then((list) => this.isOpen && list?.open())
  }

  close(): void {
    this.#list?.close()
    this.#setOpen(false)
  }

  /** Opens or closes the list, and moves the focus to the text. */
  toggle(): void {
    if (this.isOpen) this.close()
    else this.open()
    this.#host.element.focus()
  }

  /** Opens the list, and announces its note when the typing has paused. */
  async openAloud(): Promise<void> {
    this.open()
    const list = await this.load()
    if (this.isOpen) list?.announceLater()
  }

  /** Opens the list, or moves in it. With Alt, opens or closes it. */
  async onArrow({ key, altKey }: KeyboardEvent): Promise<void> {
    const isDown = key === 'ArrowDown'
    if (altKey && !isDown) return this.close()
    if (!this.#isOpen) void this.openAloud()
    if (!altKey) (await this.load())?.move(isDown ? 1 : -1)
  }

  #setOpen(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return
    this.#isOpen = isOpen
    this.#host.element.requestUpdate()
  }
}
