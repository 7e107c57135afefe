import type { LitElement, ReactiveController } from 'lit'
import { writtenForms } from '../element/form-element.ts'

/** The attributes of an element that follows controls of a form. */
interface FollowedAttributes extends LitElement {
  /** Id of the control for the office. */
  readonly for: string
  readonly officeName: string
  readonly subTypeName: string
}

/** Values that a page may change without an event that we know appear with these. */
const events = ['change', 'reset', 'wf-load', 'wf-form-saved'] as const

/** Follows the controls of a form: their values, and whether somebody has edited the form since it was saved. */
export class FollowedControls implements ReactiveController {
  office = ''
  subType = ''
  /** Whether the form has been edited since it was saved or reset. */
  isEdited = false
  /** When the form was saved; `undefined` if the page has not seen it. */
  savedAt: Date | undefined
  readonly #host: FollowedAttributes

  constructor(host: FollowedAttributes) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {
    document.addEventListener('input', this.#onEdit)
    for (const name of events) document.addEventListener(name, this.#onEvent)
    // The controls may follow in the document.
    if (document.readyState === 'loading')
      document.addEventListener('DOMContentLoaded', this.#onEvent, { once: true })
    this.#read()
  }

  hostDisconnected(): void {
    document.removeEventListener('input', this.#onEdit)
    for (const name of [...events, 'DOMContentLoaded']) document.removeEventListener(name, this.#onEvent)
  }

  get #form(): HTMLFormElement | null | undefined {
    const around = this.#host.closest<HTMLFormElement>('form')
    return around ?? this.#followed?.form ?? this.#host.closest('wf-form')?.querySelector('form')
  }

  get #followed(): Control | null {
    const root = this.#host.getRootNode() as Document | ShadowRoot
    return root.getElementById(this.#host.for) as Control | null
  }

  #read(): void {
    if (!this.#host.isConnected) return
    const elements = this.#form?.elements
    const named = (name: string) =>
      valueOf(name ? (elements?.namedItem(name) as Control | undefined) : undefined)
    this.office = this.#host.for ? valueOf(this.#followed) : named(this.#host.officeName)
    this.subType = named(this.#host.subTypeName)
    this.#host.requestUpdate()
  }

  readonly #onEdit = (event: Event): void => {
    const form = this.#form
    if (!form || (event.target as Control).form !== form || this.isEdited || writtenForms.has(form)) return
    this.isEdited = true
    this.#host.requestUpdate()
  }

  readonly #onEvent = (event: Event): void => {
    if (event.type === 'change') this.#onEdit(event)
    if (event.type === 'wf-form-saved') this.savedAt = new Date()
    if (event.type === 'wf-form-saved' || (event.type === 'reset' && event.target === this.#form))
      this.isEdited = false
    // A form is reset after its event.
    setTimeout(() => this.#read())
  }
}

type Control = HTMLInputElement | HTMLSelectElement

/**
 * Returns the value of a control, also if it is an element whose script has not loaded yet. Empty if it is not valid, such as the first
 * digits of an office.
 */
function valueOf(control: Control | null | undefined): string {
  const { value, validity } = (control ?? {}) as Partial<Control>
  return validity?.valid === false ? '' : (value ?? control?.getAttribute('value') ?? '')
}
