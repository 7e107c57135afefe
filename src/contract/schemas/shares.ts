import { z } from 'zod'
import { clientId, count, rows, text, uuid } from './field-schemas.ts'
import { shareSortProperties } from '../values/values.ts'

/** Access of one client to files of another. */
export const Share = z.object({
  ownerClientId: text,
  granteeClientId: z.string(),
  /** Null for ALL_FILES. */
  fileAssetUuid: text,
  /** SINGLE_FILE or ALL_FILES, or a type that the spec does not list. */
  type: text,
  /** Local date-time without fractions. */
  createdAt: text,
})
export type Share = z.output<typeof Share>

/** One page of a client's shares. */
export const SharePage = z.object({
  content: rows(Share),
  page: z
    .object({ totalElements: count, totalPages: count, number: count, size: count })
    .nullable()
    .catch(null),
})
export type SharePage = z.output<typeof SharePage>

/** Body that shares a single file. */
export const ShareBody = z.strictObject({ granteeClientId: clientId, fileAssetUuid: uuid })
export type ShareBody = z.output<typeof ShareBody>

const index = z.string().regex(/^\d{1,6}$/)

/** Query of the list of shares. */
export const SharesQuery = z.strictObject({
  /** Zero-based. Default 0. */
  page: index.optional(),
  /** Default 20. */
  size: index.refine((size) => Number(size) > 0, { error: 'must be at least 1' }).optional(),
  /** `property,direction`. */
  sort: z
    .string()
    .regex(new RegExp(`^(?:${shareSortProperties.join('|')})(?:,(?:asc|desc))?$`), {
      error: `expected property,direction, where property is one of ${shareSortProperties.join(', ')} and direction asc or desc`,
    })
    .optional(),
  granteeClientId: clientId.optional(),
  /** Also finds ALL_FILES shares, because they include the file. */
  fileAssetUuid: uuid.optional(),
})
export type SharesQuery = z.output<typeof SharesQuery>

/** Query that revokes the share of a single file. */
export const RevokeShareQuery = z.strictObject({ fileAssetUuid: uuid })
export type RevokeShareQuery = z.output<typeof RevokeShareQuery>
