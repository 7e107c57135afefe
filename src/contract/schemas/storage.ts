import { z } from 'zod'
import { parseDuration } from '../values/duration.ts'
import { count, flagParameter, text, uuid } from './field-schemas.ts'

/** Maximum number of characters of a file name. */
const maxFilename = 255
const metadataKey = z.string().min(1).max(100)
const metadataValue = z.string().max(1000)

/** An ISO 8601 duration, or a number with a unit `ns us ms s m h d`. The default unit is seconds (spec, Duration format). */
export const Duration = z.string().refine((value) => parseDuration(value) !== undefined, {
  error: 'expected a duration such as "PT10M", "10m" or "600"',
})

/** A duration in JSON, which can also be a number of seconds. */
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
  /** Local date-time without a time zone, with fractional seconds. */
  uploadDate: text,
  /** Local date-time without a time zone, at which the file becomes unavailable. */
  expirationDate: text,
  metadata: z.record(z.string(), z.string()).nullable().catch(null),
})
export type FileAsset = z.output<typeof FileAsset>

/** The optional `meta` part of an upload. */
export const UploadMeta = z.strictObject({
  /** Replaces the name of the uploaded file. */
  filename: z.string().min(1).max(maxFilename).optional(),
  /** Offset from the upload date. It must be positive. */
  expiresIn: JsonDuration.refine((value) => (parseDuration(value) ?? 0) > 0, {
    error: 'must be positive',
  }).optional(),
  /** Key-value pairs of the client. */
  metadata: z.record(metadataKey, metadataValue).optional(),
})
export type UploadMeta = z.output<typeof UploadMeta>

/** Query of a request for a temporary link. */
export const PresignQuery = z.strictObject({
  /** Whether browsers show the file instead of saving it. */
  inline: flagParameter.optional(),
  /** Lifetime of the link, from 1 second to 7 days. */
  expiresIn: Duration.optional(),
})
export type PresignQuery = z.output<typeof PresignQuery>

/** Query of a browser that opens a file. */
export const InlineQuery = z.strictObject({
  /** Requests a link that shows the file. For a type that `mayOpenInline()` excludes, the link saves it all the same. */
  inline: z.literal('true').optional(),
})
export type InlineQuery = z.output<typeof InlineQuery>

/** Body that changes the metadata of a file. Omitted fields keep their values. */
export const UpdateMetaBody = z.strictObject({
  /** New name. The service ignores it if it is blank or null. */
  filename: z.string().max(maxFilename).nullish(),
  /** Offset from the upload date. Zero removes the expiration. */
  expiresIn: JsonDuration.refine((value) => (parseDuration(value) ?? 0) >= 0, {
    error: 'must not be negative',
  }).nullish(),
  /** Adds and changes keys. Null or an empty string removes a key; omitted keys keep their values. */
  metadata: z.record(metadataKey, metadataValue.nullable()).nullish(),
})
export type UpdateMetaBody = z.output<typeof UpdateMetaBody>
