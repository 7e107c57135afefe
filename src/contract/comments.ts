import { z } from 'zod'
import { Person } from './person.ts'
import { flag, id, orNull, rows, text } from './tolerant.ts'

/** Something that someone said about a package. Written in the service's own screens; there is no call for it. */
export const Comment = z.object({
  id,
  comment: text,
  /** Whether only approvers may see it. */
  approversOnly: flag,
  /** Whether the request user may delete it, in the service's own screens. */
  canDelete: flag,
  /** Local date-time. */
  createdAt: text,
  person: orNull(Person),
  /** ACTIVE or INACTIVE, or a state that the spec does not list. */
  state: text,
})
export type Comment = z.output<typeof Comment>

export const CommentList = rows(Comment)
