import { z } from 'zod'
import { parseDuration } from './duration.ts'
import { flagParameter, uuid } from './parameters.ts'
import { count, text } from './tolerant.ts'

/** An ISO 8601 duration, or a number with one of `ns us ms s m h d`; without a unit, seconds (spec, Duration format). */
export const Duration = z.string().refine((value) => parseDuration(value) !== undefined, {
  error: 'expected a duration such as "PT10M", "10m" or "600"',
})

/** A duration in JSON, where a number of seconds may be one. */
const JsonDuration = z.union([z.int().transform(String), z.string()]).pipe(Duration)
export type Duration = z.output<typeof Duration>

/** A stored file. */
export const FileAsset = z.object({
  uuid,
  filename: text,
  /** In bytes. */
  fileSize: count,
  /** Media type. */
  contentType: text,
  /** Local date-time without zone, with fractional seconds. */
  uploadDate: text,
  /** Local date-time without zone. From then on the file cannot be reached. */
  expirationDate: text,
  metadata: z.record(z.string(), z.string()).nullable().catch(null),
})
export type FileAsset = z.output<typeof FileAsset>

/** The optional `meta` part of an upload. */
export const UploadMeta = z.strictObject({
  /** Overrides the uploaded name. */
  filename: z.string().min(1).max(255).optional(),
  /** Offset from the upload date; positive. */
  expiresIn: JsonDuration.refine((value) => (parseDuration(value) ?? 0) > 0, {
    error: 'must be positive',
  }).optional(),
  /** Few and small: not meant as a database. */
  metadata: z.record(z.string().min(1).max(100), z.string().max(1000)).optional(),
})
export type UploadMeta = z.output<typeof UploadMeta>

/** What a presigned link is asked for with. */
export const PresignQuery = z.strictObject({
  /** Whether browsers may show the file in place instead of saving it. */
  inline: flagParameter.optional(),
  /** How long the link lives: 1 second to 7 days. */
  expiresIn: Duration.optional(),
})
export type PresignQuery = z.output<typeof PresignQuery>

/** Body that changes a file's meta. What is left out stays. */
export const UpdateMetaBody = z.strictObject({
  /** New name; blank or null is ignored. */
  filename: z.string().max(255).nullish(),
  /** Offset from the upload date; zero clears the expiration. */
  expiresIn: JsonDuration.refine((value) => (parseDuration(value) ?? 0) >= 0, {
    error: 'must not be negative',
  }).nullish(),
  /** Adds and changes keys; null or an empty string removes one; keys left out stay. */
  metadata: z.record(z.string().min(1).max(100), z.string().max(1000).nullable()).nullish(),
})
export type UpdateMetaBody = z.output<typeof UpdateMetaBody>
