import type { PageClient } from '../../../client/index.ts'
import { readRights } from '../../element/package-element.ts'
import type { EntryValues } from '../state/entry-merge.ts'
import { formatField } from '../fields/field-kinds.ts'
import { type Fields, same, valueOf } from '../state/field-state.ts'
import { formClient } from '../state/form-client.ts'
import { type FormControl, isBox, isSecret, kindOf, numberStyleOf, offers } from '../fields/form-controls.ts'
import type { FormFields } from '../fields/form-fields.ts'

/** A request from which a new one is filled in. */
export interface Earlier {
  /** Its values, with the sub-type if a control has it. */
  readonly entry: EntryValues
  /** The text of its emails to approvers. */
  readonly packageDetails: string | null
  /** Its documents, as people read them; `undefined` if they could not be read. */
  readonly documents: readonly string[] | undefined
}

/** Reads a request as the person. Rejects with `ForbiddenError` or `NotFoundError` if the person may not. */
export async function readEarlier(
  pageClient: PageClient,
  formId: number,
  packageId: number,
  subTypeName: string,
): Promise<Earlier> {
  const client = formClient(pageClient)
  const params = { formId, packageId }
  await readRights([client, formId, packageId], new AbortController().signal)
  const [{ entry, emailContent }, found, attachments] = await Promise.all([
    client.getEntry({ params }, { version: '1.1' }),
    subTypeName ? client.getPackage({ params }) : undefined,
    client.getAttachments({ params }).catch(() => undefined),
  ])
  const isComplete = attachments?.every((one) => one !== null) ?? false
  const documents = attachments?.flatMap((one) => {
    if (!one) return []
    const { fileName, attachmentType } = one
    return [[attachmentType?.title, fileName].filter(Boolean).join(': ')]
  })
  return {
    entry: { ...entry, ...(found?.subType && { [subTypeName]: found.subType }) },
    packageDetails: emailContent?.packageDetails ?? null,
    documents: isComplete ? documents : undefined,
  }
}

/** Returns the values that the controls of the page take from an earlier request. `others`: controls that are no fields of it. */
export function copyable(fields: FormFields, entry: EntryValues, others: readonly string[]): EntryValues {
  return Object.fromEntries(
    fields.names.flatMap((name) => {
      if (!Object.hasOwn(entry, name) || others.includes(name)) return []
      const value = entry[name] ?? null
      return isCopied(fields.controlsOf(name), value) ? [[name, value]] : []
    }),
  )
}

/**
 * Returns the fields that have another content than in the earlier request because they were left out: first those of the page, then
 * those that it lacks. A hidden field of the page is one of them only if `data-label` names what people see instead of it.
 */
export function leftOut(fields: FormFields, known: Fields, rest: EntryValues): readonly string[] {
  const onPage = fields.names.filter((name) => Object.hasOwn(rest, name))
  const all = [...onPage, ...Object.keys(rest).filter((name) => !onPage.includes(name))]
  return all.filter((name) => {
    const field = known.get(name)
    const controls = fields.controlsOf(name)
    if (controls.length > 0 && controls.every(isUnseen)) return false
    return !isEmpty(rest[name]) && !(field && same(valueOf(field), rest[name]))
  })
}

/** A date belongs to one request, and a file and a secret to the person. What the page itself writes is not copied either. */
function isCopied(controls: readonly FormControl[], value: unknown): boolean {
  const [first] = controls
  if (!first || controls.some((one) => one.closest('[data-no-copy]') || isSecret(one) || !isForPeople(one)))
    return false
  if (controls.some((one) => isDate(one) || isFile(one)) || isDay(value)) return false
  // If nothing was entered, the page may have a choice of its own. But a box that is not checked is a value.
  if (isEmpty(value)) return controls.every(isBox)
  return offers(controls, formatField(value, kindOf(first), numberStyleOf(first)))
}

function isForPeople(control: FormControl): boolean {
  return control.type !== 'hidden' && control.type !== 'output' && !control.readOnly
}

/** Whether people have never seen a control or its name. */
function isUnseen(control: FormControl): boolean {
  return control.type === 'hidden' && !control.dataset.label
}

function isDate(control: FormControl): boolean {
  // The property is `text` in browsers that have no control of their own for a type.
  const type = control.getAttribute('type') ?? ''
  return kindOf(control) === 'date' || /^(?:datetime-local|month|week|time)$/i.test(type)
}

function isFile(control: FormControl): boolean {
  return control.type === 'file' || control.localName === 'fs-uploader'
}

/** Whether a value is a day, also in a field of another kind. */
function isDay(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value)
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
