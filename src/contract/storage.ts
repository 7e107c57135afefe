import { z } from 'zod'
import { parseDuration } from './duration.ts'
import { uuidPattern } from './values.ts'

const uuid = z.string().regex(new RegExp(`^${uuidPattern}$`))

/** An ISO 8601 duration, or a number with one of `ns us ms s m h d`; without a unit, seconds (spec, Duration format). */
export const Duration = z.string().refine((value) => parseDuration(value) !== undefined, {
  error: 'expected a duration such as "PT10M", "10m" or "600"',
})
export type Duration = z.output<typeof Duration>

/** A stored file. */
export const FileAsset = z.object({
  uuid,
  filename: z.string().nullable().catch(null),
  /** In bytes. */
  fileSize: z.number().int().nonnegative().nullable().catch(null),
  /** Media type. */
  contentType: z.string().nullable().catch(null),
  /** Local date-time without zone, with fractional seconds. */
  uploadDate: z.string().nullable().catch(null),
  /** Local date-time without zone. From then on the file cannot be reached. */
  expirationDate: z.string().nullable().catch(null),
  metadata: z.record(z.string(), z.string()).nullable().catch(null),
})
export type FileAsset = z.output<typeof FileAsset>

/** The optional `meta` part of an upload. */
export const UploadMeta = z.strictObject({
  /** Overrides the uploaded name. */
  filename: z.string().min(1).max(255).optional(),
  /** Offset from the upload date; positive. */
  expiresIn: Duration.refine((value) => (parseDuration(value) ?? 0) > 0, {
    error: 'must be positive',
  }).optional(),
  /** Few and small: not meant as a database. */
  metadata: z.record(z.string().min(1).max(100), z.string().max(1000)).optional(),
})
export type UploadMeta = z.output<typeof UploadMeta>

/** What a presigned link is asked for with. */
export const PresignQuery = z.strictObject({
  /** Whether browsers may show the file in place instead of saving it. */
  inline: z.enum(['true', 'false']).optional(),
  /** How long the link lives: 1 second to 7 days. */
  expiresIn: Duration.optional(),
})
export type PresignQuery = z.output<typeof PresignQuery>
