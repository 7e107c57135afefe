import type { PageClient } from '../../client/index.ts'
import { attachments } from '../../locales/en-attachments.ts'
import type { Texts } from '../../locales/messages.ts'
import { formattingLanguage, messagesFor } from '../text/messages.ts'
import { isRequiredNow, missingTypes, titleOf } from '../wf-attachments/attachment-rules.ts'
import type { FailedUpload } from '../upload/upload-list.ts'
import type { OtherProblem } from './field-problems.ts'

/** An upload field, such as `<wf-attachments>`. Its script may not have loaded. It has no value until its content has. */
type UploadField = HTMLElement & {
  readonly value?: unknown
  readonly failedFiles?: readonly FailedUpload[]
  readonly validity?: ValidityState
  readonly validationMessage?: string
}

/** Returns the uploads of a form that have failed, by file, or are not finished. `names` are the fields of the form itself. */
export function uploadProblems(
  form: Element,
  names: readonly string[],
  messages: Texts['formOutcome'],
): OtherProblem[] {
  const fields = [...form.querySelectorAll<UploadField>('wf-attachments, fs-uploader')]
  return fields.flatMap((field) => {
    const { value, failedFiles = [], validity, validationMessage: text = '' } = field
    const isOwnField = names.includes(field.getAttribute('name') ?? '')
    const isUnfinished = value !== undefined && validity?.valid === false && !isOwnField
    return [
      ...failedFiles.map(({ name, row }) => ({ text: messages.notUploaded(name), target: row ?? field })),
      ...(isUnfinished ? [{ text, target: field }] : []),
    ]
  })
}

/**
 * Returns the documents that the form requires before routing and the package lacks. If the requirements cannot be read, there
 * are none: the service checks them as well.
 */
export async function missingDocuments(
  form: Element,
  client: PageClient,
  params: { readonly formId: number; readonly packageId: number },
): Promise<OtherProblem[]> {
  const [types, found] = await Promise.all([
    client.getAttachmentTypes({ params }),
    client.getAttachments({ params }),
  ]).catch(() => [])
  const missing = missingTypes(types, found, (type) => isRequiredNow(type, 'PRE_ROUTING', 'routing')) ?? []
  if (missing.length === 0) return []
  const messages = messagesFor(form, 'attachments', attachments)
  const titles = missing.map((type) => titleOf(type, messages))
  const list = new Intl.ListFormat(formattingLanguage(form)).format(titles)
  const target = form.querySelector<HTMLElement>('wf-attachments') ?? undefined
  return [{ text: messages.wanted(missing.length, list), target }]
}
