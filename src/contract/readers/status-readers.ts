import { id, object, orNull, requiredText, rows, text } from './field-readers.ts'
import type {
  InboxSignature,
  PackageStatus,
  PackageStatus12,
  ResponsibleOffice,
} from '../schemas/workflow.ts'

// Apart from the other readers, because a page that has only badges needs no others.

export const inboxSignature = object<InboxSignature>({
  id,
  approver: text,
  state: text,
  permission: text,
  responsibleOffice: orNull(object<ResponsibleOffice>({ id: orNull(id), name: text, naturalKey: text })),
})

const status = object<PackageStatus>({ id, state: requiredText })

const status12 = object<PackageStatus12>({
  id,
  state: requiredText,
  inboxSignatures: orNull(rows(inboxSignature)),
})

/** The readers of the JSON responses to `statusRoutes`, as those of `pageReaders`. */
export const statusReaders = {
  getStatus: rows(status),
  'getStatus;version=1.2': rows(status12),
}
