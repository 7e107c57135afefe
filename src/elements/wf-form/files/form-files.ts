import type { Texts } from '../../../locales/messages.ts'
import { textOf } from '../fields/field-captions.ts'
import type { OtherProblem } from '../fields/field-problems.ts'
import { isForAttachments } from '../fields/form-controls.ts'

/** The texts about file inputs of the page. */
export interface FileTexts {
  readonly reasons: Texts['formOutcome']
  readonly attachments: Texts['attachments']
  readonly common: Texts['common']
}

/**
 * Returns what keeps file inputs from being submitted, as far as the page can know. `isNew`: whether the request has no
 * attachments yet. Also tells the page author which files would be lost.
 */
export function fileProblems(
  inputs: readonly HTMLInputElement[],
  isNew: boolean,
  texts: FileTexts,
): readonly OtherProblem[] {
  return inputs.flatMap((input) => {
    if (!isForAttachments(input)) return isWanted(input) ? [notSent(input, texts)] : []
    if (input.validity.customError) return [refusedByPage(input, texts)]
    return isNew && input.required && !input.files?.length ? [requiredFile(input, texts)] : []
  })
}

/** Whether a file was chosen, or has to be. */
export function isWanted(input: HTMLInputElement): boolean {
  return input.required || Boolean(input.files?.length)
}

/** Returns the problem that files of an input cannot be sent, and tells the page author why. */
export function notSent(input: HTMLInputElement, { reasons }: FileTexts): OtherProblem {
  console.error(
    isForAttachments(input)
      ? 'The form has no type of attachment with the natural key or ID in data-attachment-type, or the person may not add one in this state of the request:'
      : 'Files of an <input type="file"> are not sent with the request. Add data-attachment-type with the natural key of a type of attachment, or data-kind="none" if another script sends them:',
    input,
  )
  return { text: reasons.fileNotSent(labelOf(input)), target: input }
}

/** Returns the problem that the page refuses the content of a control. */
export function refusedByPage(control: HTMLInputElement, { common }: FileTexts): OtherProblem {
  return { text: common.labelled(labelOf(control), control.validationMessage), target: control }
}

/** Returns the problem that no file is chosen. */
export function requiredFile(input: HTMLInputElement, { attachments }: FileTexts): OtherProblem {
  return { text: attachments.wanted(1, labelOf(input)), target: input }
}

function labelOf(input: HTMLInputElement): string {
  return textOf(input.labels?.[0]) || input.ariaLabel || input.title || input.name
}
