import type { FileAsset, UpdateMetaBody } from '../../contract/schemas/storage.ts'
import { dayOf, expiresIn } from '../upload/days.ts'

/** A metadata key with its value. */
export interface FileLabel {
  readonly key: string
  readonly value: string
}

/** The input about a file: its name, its last day and its metadata. */
export interface FileEdit {
  /** Name without the extension, which people cannot change. */
  readonly stem: string
  /** Last day, as in a date field. Empty: no end. */
  readonly day: string
  /** All metadata: the keys that the file has, in their order, then new ones. */
  readonly labels: readonly FileLabel[]
}

/** Why an edit cannot be saved. */
type EditProblem = 'blankName' | 'tooEarly' | 'tooLate' | 'unnamedLabel' | 'emptyLabel' | 'repeatedLabel'

/** An edit that cannot be saved, with the control that has to change. */
export interface InvalidEdit {
  readonly problem: EditProblem
  /** `stem`, `day`, or the index of a label. */
  readonly field: 'stem' | 'day' | number
}

/** Splits a file name. The extension begins with its dot; a name that begins with its only dot has none. */
export function splitName(filename: string): { readonly stem: string; readonly extension: string } {
  const dot = filename.lastIndexOf('.')
  return dot > 0
    ? { stem: filename.slice(0, dot), extension: filename.slice(dot) }
    : { stem: filename, extension: '' }
}

/** Returns the edit that changes nothing. */
export function editOf({ filename, expirationDate, metadata }: FileAsset): FileEdit {
  return {
    stem: splitName(filename ?? '').stem,
    day: dayOf(expirationDate),
    labels: Object.entries(metadata ?? {}).map(([key, value]) => ({ key, value })),
  }
}

/**
 * Returns the changes of an edit as the body of a request, with changed fields and keys only; `undefined` if nothing has
 * changed. The service ignores a blank name silently, so it is refused here. The file can be kept until `firstDay` at the
 * earliest, and until `lastDay` at the latest, unless that is empty.
 */
export function changeOf(
  asset: FileAsset,
  { stem, day, labels }: FileEdit,
  firstDay: string,
  lastDay = '',
): UpdateMetaBody | InvalidEdit | undefined {
  const before = editOf(asset)
  const body: { filename?: string; expiresIn?: string; metadata?: Record<string, string> } = {}

  if (!stem.trim()) return { problem: 'blankName', field: 'stem' }
  if (stem !== before.stem) body.filename = stem.trim() + splitName(asset.filename ?? '').extension

  if (day !== before.day) {
    const duration = day === '' ? '0s' : expiresIn(day, asset.uploadDate)
    if (duration === undefined || (day !== '' && day < firstDay)) return { problem: 'tooEarly', field: 'day' }
    if (lastDay && day > lastDay) return { problem: 'tooLate', field: 'day' }
    body.expiresIn = duration
  }

  const metadata = changedLabels(before.labels, labels)
  if ('problem' in metadata) return metadata
  if (metadata.changes.length > 0) body.metadata = Object.fromEntries(metadata.changes)
  return Object.keys(body).length > 0 ? body : undefined
}

/** Whether an edit cannot be saved. */
export function isInvalid(change: UpdateMetaBody | InvalidEdit | undefined): change is InvalidEdit {
  return change !== undefined && 'problem' in change
}

function changedLabels(
  before: readonly FileLabel[],
  after: readonly FileLabel[],
): InvalidEdit | { readonly changes: readonly (readonly [key: string, value: string])[] } {
  const changes: (readonly [string, string])[] = []
  for (const [field, label] of after.entries()) {
    const key = label.key.trim()
    const known = before[field]
    if (!known) {
      // A row that nobody has filled in.
      if (key === '' && label.value === '') continue
      if (key === '') return { problem: 'unnamedLabel', field }
      if (label.value === '') return { problem: 'emptyLabel', field }
      if (after.some((other, index) => index < field && other.key.trim() === key))
        return { problem: 'repeatedLabel', field }
    }
    // The service removes a key whose value is empty.
    if (known?.value !== label.value) changes.push([known?.key ?? key, label.value])
  }
  return { changes }
}
