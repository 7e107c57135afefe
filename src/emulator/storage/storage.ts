import { parseDuration } from '../../contract/duration.ts'
import type { Environment } from '../../contract/values.ts'
import { type Clock, day, hour, second } from '../clock.ts'
import type { Handlers } from '../http/handlers.ts'
import type { ByteRange, ObjectStore } from '../state/object-store.ts'
import { ServiceError } from '../http/service-error.ts'
import { createShares } from './shares.ts'
import { shareKey, type EmulatorState } from '../state/state.ts'
import type { StoredFile } from '../state/stored-files.ts'
import type { SpecOptions } from '../control/spec-options.ts'

export interface StorageOptions {
  /** Contains the file assets, links and shares. */
  readonly state: EmulatorState
  readonly clock: Clock
  /** Stores the contents of files. */
  readonly objects: ObjectStore
  /** Base URL of presigned links. The storage appends a slash and a token. */
  readonly objectsUrl: string
  /** Whether a presigned link is returned as text or as a JSON string. Read at each call. */
  readonly specOptions: Pick<SpecOptions, 'presign'>
}

export interface StorageService extends Pick<
  Handlers,
  | 'uploadFile'
  | 'getFileMeta'
  | 'updateFileMeta'
  | 'presignFile'
  | 'deleteFile'
  | 'createShare'
  | 'getShares'
  | 'revokeShare'
> {
  /**
   * Serves a presigned link to anyone, as the object store does: the content, or the single range that `headers` request.
   * Throws `ServiceError` 403 if the link has expired, and 404 if the object store has lost the content.
   */
  readonly download: (token: string, headers: Headers) => Promise<Response>
}

/** The last instant whose local date has a year of four digits in each time zone. */
const lastInstant = Date.UTC(9999, 11, 30)

/** Creates the handlers of the file storage service, and `download` for its presigned links. They throw `ServiceError`. */
export function createStorage({
  state,
  clock,
  objects,
  objectsUrl,
  specOptions,
}: StorageOptions): StorageService {
  return {
    uploadFile({ env, client, file, body }) {
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
        expirationDate: formatExpiry(expiresAt),
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

    getFileMeta({ env, client, params }) {
      return findReadable(env, client, params.uuid).asset
    },

    updateFileMeta({ env, client, params, body }) {
      const file = findOwn(env, client, params.uuid)
      const { filename, expiresIn, metadata } = body
      const expiresAt =
        expiresIn == null
          ? file.expiresAt
          : calculateExpiry(env, file.uploadedAt, parseOffset(expiresIn) || undefined)
      file.expiresAt = expiresAt
      file.asset = {
        ...file.asset,
        filename: isBlank(filename) ? file.asset.filename : filename,
        expirationDate: formatExpiry(expiresAt),
        metadata: mergeMetadata(file.asset.metadata, metadata),
      }
      return file.asset
    },

    presignFile({ env, client, params, query }) {
      const file = findAccessible(env, client, params.uuid)
      if (hasExpired(file.expiresAt)) {
        throw new ServiceError(400, 'The file asset has expired. Upload the file again.')
      }
      const lifetime = query.expiresIn === undefined ? hour : (parseDuration(query.expiresIn) ?? NaN)
      if (!(lifetime >= second && lifetime <= 7 * day)) {
        throw new ServiceError(400, 'expiresIn must be between 1 second and 7 days')
      }

      for (const [old, link] of state.links) if (hasExpired(link.expiresAt)) state.links.delete(old)
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

    deleteFile({ env, client, params }) {
      // The content stays in the object store, which has a lifecycle of its own (spec, States and transitions). Existing
      // links work until they expire.
      findOwn(env, client, params.uuid).isDeleted = true
      return new Response(null, { status: 204 })
    },

    ...createShares({
      state,
      clock,
      findFile: (env, uuid) => {
        const file = state.files[env].get(uuid)
        return file && !file.isDeleted && !hasExpired(file.expiresAt) ? file : undefined
      },
    }),

    async download(token, headers) {
      const link = state.links.get(token)
      if (!link || hasExpired(link.expiresAt)) {
        throw new ServiceError(
          403,
          'The link has expired or does not exist. Request a new link from the application that issued it.',
        )
      }
      const size = await objects.size(link.object)
      const range = size === undefined ? undefined : parseRange(headers, size)
      const common = {
        'Accept-Ranges': 'bytes',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      }
      if (range === 'unsatisfiable') {
        return new Response(null, { status: 416, headers: { ...common, 'Content-Range': `bytes */${size}` } })
      }

      const content = await objects.get(link.object, range)
      if (size === undefined || !content) throw new ServiceError(404, 'The object does not exist')
      return new Response(content, {
        status: range ? 206 : 200,
        headers: {
          ...common,
          ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }),
          'Content-Type': link.contentType,
          'Content-Length': String(range ? range.end - range.start + 1 : size),
          'Content-Disposition': contentDisposition(link.inline ? 'inline' : 'attachment', link.filename),
        },
      })
    },
  }

  /** Returns a file that was not deleted and that the client owns or has a share of. It may have expired. */
  function findAccessible(env: Environment, client: string, uuid: string): StoredFile {
    const file = state.files[env].get(uuid)
    const isAllowed =
      file &&
      (file.owner === client ||
        state.shares[env].has(shareKey(file.owner, client, uuid)) ||
        state.shares[env].has(shareKey(file.owner, client, null)))
    if (!isAllowed || file.isDeleted) {
      throw new ServiceError(404, 'The file asset does not exist, was deleted, or is not shared with you')
    }
    return file
  }

  function findReadable(env: Environment, client: string, uuid: string): StoredFile {
    const file = findAccessible(env, client, uuid)
    if (hasExpired(file.expiresAt))
      throw new ServiceError(404, 'The file asset has expired. Upload the file again.')
    return file
  }

  function findOwn(env: Environment, client: string, uuid: string): StoredFile {
    const file = findReadable(env, client, uuid)
    if (file.owner !== client) {
      throw new ServiceError(
        403,
        'A share gives read access only. Ask the owner of the file to change or delete it.',
      )
    }
    return file
  }

  function hasExpired(instant: number | null): boolean {
    return instant !== null && instant <= clock.now()
  }

  function formatExpiry(expiresAt: number | null): string | null {
    return expiresAt === null ? null : clock.local(expiresAt, 'microseconds')
  }
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

/**
 * Parses the Range header. Returns `undefined`, which means the whole content, if the header is missing or not valid, has
 * several ranges or another unit, or comes with If-Range: the responses have no validator (RFC 9110, 14.2 and 13.1.5).
 */
function parseRange(headers: Headers, size: number): ByteRange | 'unsatisfiable' | undefined {
  const found = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.get('range') ?? '')
  if (!found || headers.has('if-range')) return undefined
  const [, first = '', last = ''] = found
  if (first === '') {
    if (last === '') return undefined
    if (Number(last) === 0) return 'unsatisfiable'
    // An empty file has no last bytes.
    return size === 0 ? undefined : { start: Math.max(0, size - Number(last)), end: size - 1 }
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= size) return 'unsatisfiable'
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Returns a Content-Disposition with both notations of the file name (RFC 6266). */
function contentDisposition(type: 'inline' | 'attachment', filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
