import type { PageClient } from '../../../client/index.ts'
import type { Attachment } from '../../../contract/schemas/attachments.ts'
import type { Package } from '../../../contract/schemas/workflow.ts'
import type { Texts } from '../../../locales/messages.ts'
import type { FailedUpload } from '../../upload/upload-list.ts'
import { describeMissing, type MissingFacts } from '../../wf-package-status/missing.ts'
import type { OtherProblem } from '../fields/field-problems.ts'

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
 * Reads what a package may lack before routing. `isReviewed`: whether people see all of it, and not only the documents without
 * which routing cannot start. `stored` are attachments that the list may not have yet. Never rejects: what cannot be read is noted, and
 * the service checks documents as well.
 */
export async function readMissing(
  form: Element,
  client: PageClient,
  formId: number,
  found: Package,
  isReviewed: boolean,
  stored: readonly Attachment[] = [],
): Promise<MissingFacts> {
  const input = { params: { formId, packageId: found.id } }
  // A route in the review shows by itself what is unusual about it.
  const hasRoute = form.querySelector('wf-route[slot=review]:defined') !== null
  const names = [
    'getAttachmentTypes',
    'getAttachments',
    ...(isReviewed && !hasRoute ? (['getFutureHistory'] as const) : []),
  ] as const
  const [session, ...results] = await Promise.allSettled([
    client.getSession(),
    ...names.map((name) => client[name](input)),
  ])
  const reads = names.map((name, at) => {
    const result = results[at]
    const value = result?.status === 'fulfilled' ? result.value : undefined
    return [name, value && name === 'getAttachments' ? [...value, ...stored] : value] as const
  })
  return {
    content: { found, actions: null, inbox: [] },
    reads: Object.fromEntries(reads),
    failed: new Set(reads.flatMap(([name, value]) => (value ? [] : [name]))),
    person: session.status === 'fulfilled' ? session.value.univid : undefined,
  }
}

/** Returns the documents that the form requires before routing and the package lacks. */
export function missingDocuments(form: Element, facts: MissingFacts): OtherProblem[] {
  const text = describeMissing(form, facts).blocking
  const target = form.querySelector<HTMLElement>('wf-attachments') ?? undefined
  return text ? [{ text, target }] : []
}
