import { z } from 'zod'
import { Person } from './person.ts'
import { count, flag, id, orNull, rows, text } from './field-schemas.ts'

/** An attachment type of a form, with its rules. */
export const AttachmentType = z.object({
  id,
  naturalKey: text,
  title: text,
  /** Whether the initiator may upload it before routing starts. */
  visiblePreRouting: flag,
  /** Whether the initiator must upload it before routing starts. */
  requiredPreRouting: flag,
  /** Whether routing needs it to complete. */
  requiredBeforeComplete: flag,
  /** If `pdf` is true, only PDF files are allowed. */
  mimeTypeRestrictions: orNull(z.object({ pdf: flag })),
})
export type AttachmentType = z.output<typeof AttachmentType>

/** An uploaded attachment of a package. */
export const Attachment = z.object({
  id,
  fileName: text,
  description: text,
  attachmentType: orNull(AttachmentType),
  person: orNull(Person),
  /** In bytes. */
  fileSize: count,
  /** Local date-time. */
  uploadTimestamp: text,
})
export type Attachment = z.output<typeof Attachment>

export const AttachmentTypeList = rows(AttachmentType)
export const AttachmentList = rows(Attachment)

/** The optional `description` part of an upload. */
export const AttachmentDescription = z.string()
export type AttachmentDescription = z.output<typeof AttachmentDescription>
