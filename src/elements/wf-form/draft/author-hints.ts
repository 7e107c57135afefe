import { submitButtonsOf } from '../../element/form-element.ts'
import { purposesOf } from '../fields/form-buttons.ts'
import type { FormDraft } from './form-draft.ts'
import type { RequestState } from '../state/request-state.ts'

/** Tells the author of a page in the console why a press sends nothing: each reason once for each element. */
export class AuthorHints {
  readonly #element: Element
  readonly #form: Pick<FormDraft, 'form' | 'isInside'>
  #isStopReported = false

  constructor(
    element: Element,
    form: Pick<FormDraft, 'form' | 'isInside'>,
    state: Pick<RequestState, 'busy'>,
  ) {
    this.#element = element
    this.#form = form
    element.addEventListener(
      'click',
      (event) =>
        setTimeout(() => {
          if (event.defaultPrevented && !state.busy && this.#isOurs(event)) this.reportStopped()
        }),
      { capture: true },
    )
  }

  #isOurs({ target }: Event): boolean {
    const button = target instanceof Element ? target.closest('button, input') : null
    const { form } = this.#form
    return form !== undefined && button !== null && purposesOf(submitButtonsOf(form)).has(button)
  }

  /** Names the submit buttons that stay the page's. Those with `data-wf="page"` are meant to. */
  nameOtherButtons(): void {
    const { form, isInside } = this.#form
    if (!form) return
    const buttons = submitButtonsOf(form)
    const ours = purposesOf(buttons)
    const others = buttons.filter(
      (one) => !ours.has(one) && one.dataset['wf'] !== 'page' && (!isInside || this.#element.contains(one)),
    )
    if (others.length > 0)
      console.info(
        '<wf-form> leaves these buttons to the page. Mark those that save or submit the request with data-wf="save" or data-wf="submit", and the others with data-wf="page":',
        ...others,
      )
  }

  /** States that a script of the page has kept a press of one of our buttons from us. */
  reportStopped(): void {
    if (this.#isStopReported) return
    this.#isStopReported = true
    console.info(
      'A script of the page has canceled or stopped the click or the submit event, so this <wf-form> sends nothing. If the request is to be sent, the script calls submit() or save():',
      this.#element,
    )
  }
}
