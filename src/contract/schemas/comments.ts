import { z } from 'zod'
import { Person } from './person.ts'
import { flag, id, orNull, rows, text } from './field-schemas.ts'

/** A comment on a package. People write comments on the service's own screens; no operation creates one. */
export const Comment = z.object({
  id,
  comment: text,
  /** Whether only approvers can see it. */
  approversOnly: flag,
  /** Whether the request user may delete it on the service's own screens. */
  canDelete: flag,
  /** Local date-time. */
  createdAt: text,
  person: orNull(Person),
  /** ACTIVE or INACTIVE, or a state that the spec does not list. */
  state: text,
})
export type Comment = z.output<typeof Comment>

export const CommentList = rows(Comment)
