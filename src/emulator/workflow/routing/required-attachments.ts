import { ServiceError } from '../../http/service-error.ts'
import type { PackageRecord } from '../../context.ts'

/** A rule of attachment types that blocks a step until an attachment of the type exists. */
type AttachmentRule = 'requiredPreRouting' | 'requiredBeforeComplete'

/** Returns the titles of the attachment types that a rule requires and the package lacks. */
export function missingAttachments({ form, pkg }: PackageRecord, rule: AttachmentRule): readonly string[] {
  return form.attachmentTypes
    .filter((type) => type[rule] && !pkg.attachments.some(({ type: id }) => id === type.id))
    .map(({ title }) => title)
}

/** Throws `ServiceError` 409 if required attachments are missing. */
export function requireAttachments(record: PackageRecord, rule: AttachmentRule): void {
  const titles = missingAttachments(record, rule)
  if (titles.length === 0) return
  const when = rule === 'requiredPreRouting' ? 'before routing begins' : 'before routing completes'
  throw new ServiceError(409, `Upload ${titles.join(', ')} ${when}`)
}
