import { html, nothing, type ReactiveController, type TemplateResult } from 'lit'
import type { FieldErrors } from '../../../client/index.ts'
import { common } from '../../../locales/en.ts'
import { formFields } from '../../../locales/en-form-fields.ts'
import { formattingLanguage, messagesFor, messagesLanguage } from '../../text/messages.ts'
import { parentOf } from '../../element/form-element.ts'
import type { RouteslipElement } from '../../element/routeslip-element.ts'
import { captionOf, labelOf } from './field-captions.ts'
import { messageStyles } from './field-problems.styles.ts'
import { editEvents } from './form-buttons.ts'
import { type FormControl, isBox, isChoice, kindOf } from './form-controls.ts'
import type { FormFields } from './form-fields.ts'
import { isSentence, problemText } from './problem-text.ts'

/** A problem that no field has, such as a missing document. */
export interface OtherProblem {
  readonly text: string
  /** The part of the page to go to. */
  readonly target?: HTMLElement | undefined
}

/** A message in the page, and the elements that refer to it. */
interface ShownMessage {
  readonly element: HTMLElement
  /** The text as it was written. */
  text: string
  readonly marked: Set<HTMLElement>
}

/**
 * Shows which fields of a form are not valid: a message at each field, in the page itself, and a summary in the shadow
 * root of the host, which links to the fields. Each problem disappears when its field is edited.
 *
 * The message is placed before the control, after the legend of a group, or after a label that contains the control; if that is in a
 * row of boxes, before the row. An element with `data-problem`, set to the natural key, takes it instead.
 */
export class FieldProblems implements ReactiveController {
  readonly #host: RouteslipElement
  readonly #fields: () => FormFields | undefined
  readonly #shown = new Map<string, ShownMessage>()
  #errors: FieldErrors = {}
  #others: readonly OtherProblem[] = []
  #root: Node | undefined

  constructor(host: RouteslipElement, fields: () => FormFields | undefined) {
    this.#host = host
    this.#fields = fields
    host.addController(this)
  }

  /** The number of entries in the summary. */
  get count(): number {
    return Object.keys(this.#errors).length + this.#others.length
  }

  /** Replaces all problems. `errors` contains codes of the service or sentences, by natural key. */
  show(errors: FieldErrors, others: readonly OtherProblem[] = []): void {
    this.#removeOld()
    this.#errors = errors
    this.#others = others
    this.#host.requestUpdate()
  }

  clear(): void {
    this.show({})
  }

  /** Moves the focus to the summary. */
  async focus(): Promise<void> {
    await this.#host.updateComplete
    this.#host.renderRoot.querySelector<HTMLElement>('[part=problems]')?.focus()
  }

  /** Renders the summary: the fields in the order of the page, then keys that the page does not have, then the others. */
  render(): TemplateResult | typeof nothing {
    if (this.count === 0) return nothing
    const names = this.#fields()?.names ?? []
    const ordered = [...new Set([...names, ...Object.keys(this.#errors)])].filter((name) =>
      Object.hasOwn(this.#errors, name),
    )
    return html`
      <div
        part="problems"
        role="group"
        aria-labelledby="problems-title"
        aria-describedby="problems-list"
        tabindex="-1"
        lang=${messagesLanguage(this.#host)}
      >
        <h2 part="problems-title" id="problems-title">${this.#texts.title}</h2>
        <ul id="problems-list">
          ${ordered.map((name) => this.#renderProblem(this.#textOf(name, true), this.#controlOf(name), () => this.#captionOf(name)))}
          ${this.#others.map(({ text, target }) => this.#renderProblem(text, target))}
        </ul>
      </div>
    `
  }

  hostConnected(): void {
    this.#root = this.#host.getRootNode()
    for (const type of editEvents) this.#root.addEventListener(type, this.#onEdit)
    this.#removeOld()
    this.#host.requestUpdate()
  }

  hostDisconnected(): void {
    for (const type of editEvents) this.#root?.removeEventListener(type, this.#onEdit)
    for (const name of [...this.#shown.keys()]) this.#removeMessage(name)
  }

  hostUpdated(): void {
    if (!this.#host.isConnected) return
    for (const name of [...this.#shown.keys()]) {
      if (!Object.hasOwn(this.#errors, name)) this.#removeMessage(name)
    }
    for (const name of Object.keys(this.#errors)) this.#showMessage(name)
  }

  #renderProblem(text: string, target: HTMLElement | undefined, caption = () => target): TemplateResult {
    if (!target) return html`<li part="problem">${text}</li>`
    const onClick = (event: Event) => {
      event.preventDefault()
      goTo(target, caption() ?? target)
    }
    return html`<li><a part="problem" href="#${idOf(target)}" @click=${onClick}>${text}</a></li>`
  }

  get #texts() {
    return messagesFor(this.#host, 'formFields', formFields)
  }

  /** The control that people can go to. */
  #controlOf(name: string): FormControl | undefined {
    const control = this.#fields()?.controlOf(name)
    return control?.type === 'hidden' ? undefined : control
  }

  #captionOf(name: string): HTMLElement | undefined {
    const fields = this.#fields()
    return fields && captionOf(fields, name)
  }

  /** `isAlone`: for the summary, in which the sentence of a browser would name no field. */
  #textOf(name: string, isAlone = false): string {
    const fields = this.#fields()
    const control = this.#controlOf(name)
    const facts = {
      label: fields ? labelOf(fields, name) : name,
      kind: control ? kindOf(control) : 'text',
      entry: control && fields ? entryOf(control, fields.controlsOf(name).length) : 'none',
    } as const
    const language = formattingLanguage(this.#host)
    return (this.#errors[name] ?? [])
      .map((code) => {
        const text = problemText(code, facts, this.#texts, language)
        return isAlone && isSentence(code)
          ? messagesFor(this.#host, 'common', common).labelled(facts.label, text)
          : text
      })
      .join(' ')
  }

  #showMessage(name: string): void {
    const fields = this.#fields()
    const controls = fields?.controlsOf(name) ?? []
    const [control] = controls
    if (!fields || !control || !this.#controlOf(name)) return this.#removeMessage(name)
    const message = this.#shown.get(name) ?? { element: createMessage(), text: '', marked: new Set() }
    this.#shown.set(name, message)
    const { element, marked } = message
    const text = this.#textOf(name)
    // Not compared with what is on the screen, which a translator may have changed.
    if (message.text !== text) element.textContent = message.text = text
    const language = messagesLanguage(this.#host)
    // Each assignment of `lang` renders all elements again.
    if (element.lang !== language) element.lang = language

    const caption = captionOf(fields, name)
    // Another script may have put something between the two. There is no fight for a place.
    if (!element.isConnected) place(element, control, caption, name)
    // A group is described once, not at each of its buttons.
    const group = caption?.localName === 'legend' ? caption.parentElement : null
    for (const one of controls) {
      if (!marked.has(one)) one.setAttribute('aria-invalid', 'true')
      marked.add(one)
    }
    for (const one of group ? [group] : controls) {
      describe(one, element.id)
      marked.add(one)
    }
  }

  #removeMessage(name: string): void {
    const message = this.#shown.get(name)
    if (!message) return
    this.#shown.delete(name)
    message.element.remove()
    for (const one of message.marked) unmark(one, message.element.id)
  }

  /** Removes messages of an earlier form, which a script has put back into the page together with its HTML. */
  #removeOld(): void {
    const own = new Set([...this.#shown.values()].map(({ element }) => element))
    for (const old of this.#host.querySelectorAll<HTMLElement>('.wf-problem')) {
      if (own.has(old)) continue
      for (const described of this.#host.querySelectorAll(`[aria-describedby~="${CSS.escape(old.id)}"]`))
        for (const one of [described, ...described.querySelectorAll('[aria-invalid]')]) unmark(one, old.id)
      old.remove()
    }
  }

  readonly #onEdit = ({ target }: Event): void => {
    const fields = this.#fields()
    const name = Object.keys(this.#errors).find((name) =>
      fields?.controlsOf(name).some((one) => one === target),
    )
    if (name === undefined) return
    const errors = Object.entries(this.#errors).filter(([other]) => other !== name)
    this.show(Object.fromEntries(errors), this.#others)
  }
}

function entryOf(control: FormControl, count: number): 'text' | 'choice' | 'box' | 'date' {
  if (count === 1 && control.type !== 'radio' && isBox(control)) return 'box'
  if (isChoice(control)) return 'choice'
  return control.type === 'date' ? 'date' : 'text'
}

/** Makes ids unique on the page. */
let count = 0

function createMessage(): HTMLElement {
  const element = document.createElement('span')
  element.className = 'wf-problem'
  element.id = `wf-problem-${++count}`
  return element
}

/** Returns the id of an element, which gets one if it has none. */
export function idOf(target: HTMLElement): string {
  return (target.id ||= `wf-field-${++count}`)
}

function unmark(element: Element, id: string): void {
  element.removeAttribute('aria-invalid')
  const others = idsOf(element).filter((other) => other !== id)
  if (others.length > 0) element.setAttribute('aria-describedby', others.join(' '))
  else element.removeAttribute('aria-describedby')
}

function idsOf(element: Element): string[] {
  return element.getAttribute('aria-describedby')?.split(/\s+/).filter(Boolean) ?? []
}

function describe(element: HTMLElement, id: string): void {
  const ids = idsOf(element)
  if (!ids.includes(id)) element.setAttribute('aria-describedby', [...ids, id].join(' '))
}

/** Puts a message where people look for it. */
function place(
  message: HTMLElement,
  control: FormControl,
  caption: HTMLElement | undefined,
  name: string,
): void {
  const root = control.getRootNode() as Document | ShadowRoot
  const { styleSheet } = messageStyles
  if (styleSheet && !root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets.push(styleSheet)

  const own = root.querySelector(`[data-problem="${CSS.escape(name)}"]`)
  const label = control.closest('label')
  if (own) own.append(message)
  else if (caption?.localName === 'legend') caption.after(message)
  else if (label && !isInRow(label)) label.after(message)
  else outOfRows(label ?? control).before(message)
}

/** Returns the outermost row of boxes around an element, in which a message would be a column; otherwise the element. */
function outOfRows(element: Element): Element {
  let outermost = element
  for (let one: Element | null = element; one && !isForm(one); one = one.parentElement)
    if (isInRow(one)) outermost = one.parentElement ?? one
  return outermost
}

/** A control of the name `localName` hides that of its form. */
function isForm(element: Element): boolean {
  return element instanceof HTMLFormElement
}

/** Whether the siblings of an element stand beside it. */
function isInRow({ parentElement }: Element): boolean {
  if (!parentElement || isForm(parentElement)) return false
  const { display, flexDirection, gridTemplateColumns } = getComputedStyle(parentElement)
  if (display.endsWith('flex')) return flexDirection.startsWith('row')
  return display.endsWith('grid') && gridTemplateColumns.split(' ').length > 1
}

/**
 * Fired at a field that a person wants to go to and that is not visible. The page should show it, as by opening the tab that contains
 * it.
 */
const revealEvent = 'wf-field-reveal'

/** Scrolls the caption of a field into view, because it names what to enter, and focuses the field. */
export function goTo(target: HTMLElement, caption: HTMLElement): void {
  for (let one: Element | null = target; one; one = parentOf(one)) {
    if (one instanceof HTMLDetailsElement) one.open = true
    // As the browser does if it finds a text there.
    if (Element.prototype.getAttribute.call(one, 'hidden') === 'until-found') {
      one.dispatchEvent(new CustomEvent('beforematch', { bubbles: true }))
      one.removeAttribute('hidden')
    }
  }
  if (!target.checkVisibility())
    target.dispatchEvent(new CustomEvent(revealEvent, { bubbles: true, composed: true }))
  // In the middle, where no header that stays at the edge covers it.
  caption.scrollIntoView({ block: 'center' })
  target.focus({ preventScroll: true })
  // Something that is not a control, such as a list of documents. The page's controls stay as they are.
  if (target.matches(':focus-within, input, select, textarea, button')) return
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}
