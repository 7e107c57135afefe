import { html, nothing, type TemplateResult } from 'lit'
import { ForbiddenError, NotFoundError } from '../../../client/index.ts'
import { formCopy } from '../../../locales/en-form-copy.ts'
import type { Texts } from '../../../locales/messages.ts'
import { WfErrorEvent } from '../../element/events.ts'
import { addStyles } from '../../element/late-styles.ts'
import type { RouteslipElement } from '../../element/routeslip-element.ts'
import { renderNotice } from '../../notices/notice.ts'
import { messagesFor } from '../../text/messages.ts'
import { type Earlier, copyable, leftOut, readEarlier } from './earlier-request.ts'
import type { EntryValues } from '../state/entry-merge.ts'
import type { ExtraSettings } from '../state/extras.ts'
import { captionOf, labelOf } from '../fields/field-captions.ts'
import { goTo, idOf } from '../fields/field-problems.ts'
import type { FormTarget } from '../state/form-content.ts'
import type { FormDraft } from './form-draft.ts'
import type { FormTexts } from '../state/form-texts.ts'
import { copyStyles } from './request-copy.styles.ts'
import type { RequestState } from '../state/request-state.ts'

/** The form that is filled in from an earlier request. */
interface RequestCopyHost {
  readonly element: RouteslipElement & ExtraSettings
  readonly state: RequestState
  readonly form: FormDraft
  readonly target: () => FormTarget | undefined
  readonly texts: () => FormTexts
  readonly announce: (text: string) => void
  /** Begins a new request instead of the draft on the screen. */
  readonly onStartNew: () => void
}

type CopyState =
  | { readonly is: 'nothing' | 'asking' | 'reading' }
  | { readonly is: 'failed'; readonly error: unknown }
  /** `rest`: values that no control of the page has taken so far. `isChanged`: whether others have. */
  | {
      readonly is: 'filled'
      readonly earlier: Earlier
      readonly rest: EntryValues
      readonly isChanged: boolean
    }

const nothingToDo: CopyState = { is: 'nothing' }

/** Fills in a new request from an earlier one, and says what was left out. Asks first if the form contains something already. */
export class RequestCopy {
  readonly #host: RequestCopyHost
  /** The earlier request that was offered last; 0 if none was. */
  #id = 0
  #state: CopyState = nothingToDo

  constructor(host: RequestCopyHost) {
    this.#host = host
    addStyles(host.element, [copyStyles])
  }

  /** The form shows a request. If it is a new one, fills it in, once for each earlier request. */
  offer(id: number): void {
    const { form, state } = this.#host
    // A form that continues a draft is filled after that has loaded.
    if (id === this.#id || !form.isFilled) return
    this.#id = id
    const isDraft = form.isContinued && state.isDraft
    const isKept = form.restoredAt !== undefined && form.isChanged
    if (!id || form.submittedAt !== undefined || (state.found && !isDraft)) this.#set(nothingToDo)
    else if (isDraft || isKept || state.creation) this.#set({ is: 'asking' })
    else void this.#read()
  }

  /** Fills controls that have appeared on the page since. */
  follow(): void {
    const { state } = this.#host
    if (this.#state.is !== 'filled' || state.found || state.busy || this.#isUndone) return
    this.#fill(this.#state.earlier, this.#state.rest)
  }

  /** Another person has signed in, or the person begins again. */
  clear(): void {
    this.#id = 0
    this.#state = nothingToDo
  }

  render(): unknown {
    const state = this.#state
    switch (state.is) {
      case 'nothing':
      case 'reading':
        return nothing
      case 'asking':
        return this.#renderQuestion()
      case 'failed':
        return this.#renderFailure(state.error)
      case 'filled':
        return this.#isUndone ? nothing : this.#renderFilled(state.earlier, state.rest)
    }
  }

  #set(state: CopyState): void {
    this.#state = state
    this.#host.element.requestUpdate()
  }

  async #read(): Promise<void> {
    const { element, state, target, announce } = this.#host
    const [client, formId] = target() ?? []
    if (!client || !formId) return
    const reading: CopyState = { is: 'reading' }
    this.#set(reading)
    const id = this.#id
    try {
      const earlier = await readEarlier(client, formId, id, element.subTypeName)
      if (this.#state !== reading) return
      // The person was faster, and has saved the form.
      if (state.found || state.busy) return this.#set({ is: 'asking' })
      this.#fill(earlier, earlier.entry)
      announce(this.#messages.filled(`${id}`))
    } catch (error) {
      if (this.#state !== reading) return
      this.#set({ is: 'failed', error })
      announce(this.#failureText(error))
      element.dispatchEvent(new WfErrorEvent(error))
    }
  }

  /** Whether the page or the person has reset the form. */
  get #isUndone(): boolean {
    const { state, form } = this.#host
    return this.#state.is === 'filled' && this.#state.isChanged && !state.found && !form.isChanged
  }

  #fill(earlier: Earlier, values: EntryValues): void {
    const { element, form } = this.#host
    if (!form.fields) return
    const { summaryName, detailsName } = element
    const copied = copyable(form.fields, values, [summaryName, detailsName])
    const rest = Object.entries(values).filter(([name]) => !Object.hasOwn(copied, name))
    if (Object.keys(copied).length > 0) form.dispatch({ type: 'copiedFrom', values: copied })
    this.#set({ is: 'filled', earlier, rest: Object.fromEntries(rest), isChanged: form.isChanged })
  }

  /** Replaces what the form contains. The notice about a saved draft goes with it; the draft stays. */
  #replace(): void {
    const { state, form, onStartNew } = this.#host
    if (state.busy) return
    if (state.found) {
      this.clear()
      return onStartNew()
    }
    form.discard()
    void this.#read()
  }

  #empty(): void {
    if (this.#host.state.busy) return
    this.#set(nothingToDo)
    this.#host.form.discard()
  }

  #renderQuestion(): unknown {
    const { state, form } = this.#host
    const t = this.#messages
    // First, the outcome of what was sent has to be known.
    if (state.creation || (state.found && !state.isDraft)) return nothing
    const effect = state.found ? t.startsNew : form.isChanged ? t.replaces : ''
    return html`<div class="notice" part="copied" role="group" aria-labelledby="copied">
      <p id="copied"><strong>${t.ask(`${this.#id}`)}</strong> ${effect}</p>
      ${this.#renderButton(t.fillIn, () => this.#replace())}
      ${this.#renderButton(t.leave, () => this.#set(nothingToDo))}
    </div>`
  }

  #renderFailure(error: unknown): TemplateResult {
    const { common } = this.#host.texts()
    const text = this.#failureText(error)
    return isRefused(error)
      ? html`<div class="notice" part="copied"><p>${text}</p></div>`
      : renderNotice('failure', text, common, false, () => void this.#read())
  }

  #renderFilled(earlier: Earlier, rest: EntryValues): unknown {
    const { state, form, element } = this.#host
    const { fields } = form
    const t = this.#messages
    if (!fields || (state.found && !state.isDraft)) return nothing
    const names = leftOut(fields, form.known.fields, rest)
    const hasEmailText = Boolean(earlier.packageDetails)
    const email = hasEmailText
      ? [
          element.detailsName && fields.names.includes(element.detailsName)
            ? this.#renderName(element.detailsName)
            : html`<li>${t.emailText}</li>`,
        ]
      : []
    const items = [...names.map((name) => this.#renderName(name)), ...email]
    const documents = earlier.documents ?? []
    return html`<div class="notice" part="copied" role="group" aria-labelledby="copied">
      <div>
        <p id="copied"><strong>${t.filled(`${this.#id}`)}</strong> ${state.found ? nothing : t.unsaved}</p>
        ${
          items.length > 0
            ? [
                html`<p>${t.notCopied}</p>`,
                html`<ul part="left-out">
                  ${items}
                </ul>`,
              ]
            : nothing
        }
        ${
          documents.length > 0
            ? [
                html`<p>${t.uploadAgain}</p>`,
                html`<ul part="upload-again">
                  ${documents.map((one) => html`<li><bdi>${one}</bdi></li>`)}
                </ul>`,
              ]
            : nothing
        }
        ${earlier.documents ? nothing : html`<p>${t.documentsUnknown(`${this.#id}`)}</p>`}
      </div>
      ${state.found ? nothing : this.#renderButton(t.empty, () => this.#empty())}
    </div>`
  }

  /** A field, with a link to its control if people see it. */
  #renderName(name: string): unknown {
    const { fields } = this.#host.form
    const control = fields?.controlOf(name)
    if (!fields) return nothing
    const label = labelOf(fields, name)
    if (!control || !fields.isVisible(name)) return html`<li><bdi>${label}</bdi></li>`
    const onClick = (event: Event) => {
      event.preventDefault()
      goTo(control, captionOf(fields, name) ?? control)
    }
    return html`<li><a href="#${idOf(control)}" @click=${onClick}>${label}</a></li>`
  }

  #renderButton(label: string, onClick: () => void): TemplateResult {
    const { busy } = this.#host.state
    return html`<button type="button" aria-disabled=${busy !== undefined} @click=${onClick}>${label}</button>`
  }

  #failureText(error: unknown): string {
    const t = this.#messages
    return (isRefused(error) ? t.forbidden : t.failed)(`${this.#id}`)
  }

  get #messages(): Texts['formCopy'] {
    return messagesFor(this.#host.element, 'formCopy', formCopy)
  }
}

/** Whether the person may not read the request, or it does not exist. */
function isRefused(error: unknown): boolean {
  return error instanceof ForbiddenError || error instanceof NotFoundError
}
