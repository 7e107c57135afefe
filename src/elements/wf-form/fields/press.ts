import { elementsOf, submitButtonsOf } from '../../element/form-element.ts'

/** An element of a form that a page can disable: a button, a field or a group of fields. */
type Usable = HTMLElement & { disabled?: boolean; value?: unknown }

/**
 * A press of a button, after which the page may disable what people use. Gives back the fields at once, because they are still to be
 * read, and the buttons if nothing was sent.
 */
export class Press {
  /** The elements that could be used, with the content of the buttons. */
  readonly #usable = new Map<Usable, { readonly value: unknown; readonly content: readonly Node[] }>()
  readonly #observer = new MutationObserver(() => this.#giveBack())
  readonly #form: HTMLFormElement
  #wanted: ReadonlySet<Usable> = new Set()
  #isOver = false

  constructor(form: HTMLFormElement) {
    this.#form = form
  }

  /** Notes what can be used now, before the page learns of the press. */
  note(): void {
    for (const one of [...elementsOf(this.#form), ...submitButtonsOf(this.#form)] as Usable[])
      if (!one.disabled && !this.#usable.has(one))
        this.#usable.set(one, { value: one.value, content: [...one.childNodes] })
  }

  /** The press is being carried out. The fields that can be used now stay so. */
  begin(): void {
    this.#isOver = false
    this.#keep((one) => !one.disabled && !isButton(one))
  }

  /** The press has been carried out. If it has sent nothing, all can be used, until the person does something else. */
  end(isSent: boolean): void {
    this.#isOver = true
    if (isSent) this.forget()
    else this.#keep(() => true)
  }

  /** The person does something else. */
  forget(): void {
    if (!this.#isOver) return
    this.#observer.disconnect()
    this.#usable.clear()
  }

  /** Gives back everything that is wanted when the page disables it: each once. */
  #keep(isWanted: (one: Usable) => boolean): void {
    this.#wanted = new Set([...this.#usable.keys()].filter(isWanted))
    this.#giveBack()
    for (const one of [this.#form, ...this.#wanted])
      this.#observer.observe(one, { attributeFilter: ['disabled'], subtree: one === this.#form })
  }

  #giveBack(): void {
    for (const one of this.#wanted) {
      const { value, content = [] } = this.#usable.get(one) ?? {}
      if (!one.disabled || !this.#usable.delete(one)) continue
      one.disabled = false
      if (!isButton(one)) continue
      if (one.value !== value) one.value = value
      one.replaceChildren(...content)
    }
  }
}

function isButton({ localName, type }: Usable & { readonly type?: string }): boolean {
  return localName === 'button' || /^(?:submit|image)$/.test(type ?? '')
}
