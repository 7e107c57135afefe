import { parseDuration } from '../../contract/values/duration.ts'
import type { Environment } from '../../contract/values/values.ts'
import { day, hour, second } from '../clock.ts'
import { findAccessible, findOwn, findReadable, hasExpired } from './find-file.ts'
import type { Handlers } from '../http/handler.ts'
import { ServiceError } from '../http/service-error.ts'
import type { EmulatorContext } from '../context.ts'

/** The last instant whose local date has a year of four digits in each time zone. */
const lastInstant = Date.UTC(9999, 11, 30)

/** Handlers of file assets. */
export const fileHandlers = {
  uploadFile(context, { env, client, file, body }) {
    const { state, clock } = context
    const offset = body?.expiresIn === undefined ? undefined : parseOffset(body.expiresIn)
    if (offset === 0)
      throw new ServiceError(400, 'expiresIn must be positive. Leave it out for no expiration.')
    const now = clock.now()
    const expiresAt = calculateExpiry(env, now, offset)
    const asset = {
      uuid: crypto.randomUUID(),
      filename: isBlank(body?.filename) ? file.name : body.filename,
      fileSize: file.size,
      contentType: file.type || 'application/octet-stream',
      uploadDate: clock.local(now, 'microseconds'),
      expirationDate: formatExpiry(context, expiresAt),
      metadata: { ...body?.metadata },
    }
    state.files[env].set(asset.uuid, {
      asset,
      owner: client,
      object: file.object,
      uploadedAt: now,
      expiresAt,
      isDeleted: false,
    })
    return asset
  },

  getFileMeta(context, { env, client, params }) {
    return findReadable(context, env, client, params.uuid).asset
  },

  updateFileMeta(context, { env, client, params, body }) {
    const file = findOwn(context, env, client, params.uuid)
    const { filename, expiresIn, metadata } = body
    const expiresAt =
      expiresIn == null
        ? file.expiresAt
        : calculateExpiry(env, file.uploadedAt, parseOffset(expiresIn) || undefined)
    file.expiresAt = expiresAt
    file.asset = {
      ...file.asset,
      filename: isBlank(filename) ? file.asset.filename : filename,
      expirationDate: formatExpiry(context, expiresAt),
      metadata: mergeMetadata(file.asset.metadata, metadata),
    }
    return file.asset
  },

  presignFile(context, { env, client, params, query }) {
    const { state, clock, specOptions, objectsUrl } = context
    const file = findAccessible(context, env, client, params.uuid)
    if (hasExpired(context, file.expiresAt)) {
      throw new ServiceError(400, 'The file asset has expired. Upload the file again.')
    }
    const lifetime = query.expiresIn === undefined ? hour : (parseDuration(query.expiresIn) ?? NaN)
    if (!(lifetime >= second && lifetime <= 7 * day)) {
      throw new ServiceError(400, 'expiresIn must be between 1 second and 7 days')
    }

    for (const [old, link] of state.links) if (hasExpired(context, link.expiresAt)) state.links.delete(old)
    const token = crypto.randomUUID()
    state.links.set(token, {
      object: file.object,
      filename: file.asset.filename ?? 'file',
      contentType: file.asset.contentType ?? 'application/octet-stream',
      inline: query.inline === 'true',
      expiresAt: clock.now() + Math.round(lifetime),
    })
    const url = `${objectsUrl}/${token}`
    return specOptions.presign === 'json' ? Response.json(url) : new Response(url)
  },

  deleteFile(context, { env, client, params }) {
    // The content stays in the object store, which has a lifecycle of its own (spec, States and transitions). Existing
    // links work until they expire.
    findOwn(context, env, client, params.uuid).isDeleted = true
    return new Response(null, { status: 204 })
  },
} satisfies Partial<Handlers>

function formatExpiry({ clock }: EmulatorContext, expiresAt: number | null): string | null {
  return expiresAt === null ? null : clock.local(expiresAt, 'microseconds')
}

/** Parses `expiresIn` to milliseconds. Throws `ServiceError` 400 if it is negative or not a duration. */
function parseOffset(expiresIn: string): number {
  const offset = parseDuration(expiresIn) ?? NaN
  if (Number.isNaN(offset))
    throw new ServiceError(400, 'expiresIn must be a duration such as "PT10M" or "10m"')
  if (offset < 0)
    throw new ServiceError(400, 'expiresIn must not be negative. It counts from the upload date.')
  // Round to whole milliseconds, but never round a positive duration to zero.
  return offset > 0 ? Math.max(1, Math.round(offset)) : 0
}

/** Returns when a file expires, or null if it never does. */
function calculateExpiry(env: Environment, uploadedAt: number, offset: number | undefined): number | null {
  const expiresAt = offset === undefined ? Infinity : uploadedAt + offset
  if (offset !== undefined && expiresAt > lastInstant) {
    throw new ServiceError(400, 'expiresIn is too long: the expiration date must be before the year 10000')
  }
  // The test deployment deletes files after 30 days (spec, Limits).
  if (env === 'test') return Math.min(expiresAt, uploadedAt + 30 * day)
  return expiresAt === Infinity ? null : expiresAt
}

/** Merges changes into metadata. Null and empty strings remove keys; keys that are left out stay. */
function mergeMetadata(
  metadata: Readonly<Record<string, string>> | null,
  changes: Readonly<Record<string, string | null>> | null | undefined,
): Record<string, string> {
  // A Map, because an assignment to the key `__proto__` of an object would not add it.
  const merged = new Map(Object.entries(metadata ?? {}))
  for (const [key, value] of Object.entries(changes ?? {})) {
    if (value) merged.set(key, value)
    else merged.delete(key)
  }
  return Object.fromEntries(merged)
}

function isBlank(text: string | null | undefined): text is null | undefined | '' {
  return text == null || text.trim() === ''
}
