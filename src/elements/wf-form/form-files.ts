import { elementsOf } from '../element/form-element.ts'
import type { Texts } from '../../locales/messages.ts'
import { textOf } from './field-captions.ts'
import type { OtherProblem } from './field-problems.ts'

/**
 * Returns the file inputs of the page whose file would be lost: they are not sent with the request. Also tells the page author. Those
 * with `data-kind="none"` belong to the page.
 */
export function fileProblems(form: HTMLFormElement, messages: Texts['formOutcome']): readonly OtherProblem[] {
  return elementsOf(form)
    .filter(isLost)
    .map((input) => {
      console.error(
        'Files of an <input type="file"> are not sent with the request. Use <wf-attachments> or <fs-uploader> instead, or data-kind="none" if another script sends them.',
        input,
      )
      return {
        text: messages.fileNotSent(textOf(input.labels?.[0]) || input.ariaLabel || input.title || input.name),
        target: input,
      }
    })
}

/** Whether a file was chosen, or has to be. */
function isLost(element: Element): element is HTMLInputElement {
  return (
    element instanceof HTMLInputElement &&
    element.type === 'file' &&
    element.dataset['kind'] !== 'none' &&
    !element.matches(':disabled') &&
    (element.required || Boolean(element.files?.length))
  )
}
