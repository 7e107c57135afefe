import type { PageClient } from '../../client/index.ts'
import { attachments } from '../../locales/en.ts'
import { formattingLanguage, messagesFor } from '../messages.ts'
import { isRequiredNow, missingTypes, titleOf } from '../wf-attachments/attachment-rules.ts'
import type { OtherProblem } from './field-problems.ts'

/** An upload field, such as `<wf-attachments>`. It has no value until it has loaded. */
type UploadField = HTMLElement & {
  readonly value?: unknown
  readonly validity?: ValidityState
  readonly validationMessage?: string
}

/** Returns the uploads of a form that are not finished or have failed. */
export function uploadProblems(form: Element): OtherProblem[] {
  return [...form.querySelectorAll<UploadField>('wf-attachments, fs-uploader')]
    .filter(({ value, validity }) => value !== undefined && validity?.valid === false)
    .map((target) => ({ text: target.validationMessage ?? '', target }))
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
