import { parseDuration } from '../contract/duration.ts'
import type { UploadMeta } from '../contract/storage.ts'
import type { Environment } from '../contract/values.ts'
import type { Clock } from './clock.ts'
import { Refusal } from './refusal.ts'
import type { EmulatorState, StoredFile } from './state.ts'
import type { Handlers } from './handlers.ts'

const day = 86_400_000

/** The file storage service and, as `download`, the object store behind its links. */
export function createStorage(
  state: EmulatorState,
  clock: Clock,
  objectsUrl: string,
): Pick<Handlers, 'uploadFile' | 'getFileMeta' | 'presignFile'> & {
  readonly download: (token: string) => Response
} {
  return {
    uploadFile({ env, client, file, body = {} }) {
      const now = clock.now()
      const expiresAt = expiryOf(env, now, body)
      const asset = {
        uuid: crypto.randomUUID(),
        filename: body.filename ?? file.name,
        fileSize: file.size,
        contentType: file.type || 'application/octet-stream',
        uploadDate: clock.local(now, 'microseconds'),
        expirationDate: expiresAt === null ? null : clock.local(expiresAt, 'microseconds'),
        metadata: body.metadata ?? {},
      }
      state.files[env].set(asset.uuid, { asset, owner: client, content: file, expiresAt })
      return asset
    },

    getFileMeta({ env, client, params }) {
      const { asset, expiresAt } = find(env, client, params.uuid)
      if (isOver(expiresAt)) throw new Refusal(404, 'The file asset has expired')
      return asset
    },

    presignFile({ env, client, params, query }) {
      const file = find(env, client, params.uuid)
      if (isOver(file.expiresAt)) throw new Refusal(400, 'The file asset has expired')
      const lifetime = query.expiresIn === undefined ? 3_600_000 : (parseDuration(query.expiresIn) ?? NaN)
      if (!(lifetime >= 1000 && lifetime <= 7 * day)) {
        throw new Refusal(400, 'expiresIn must lie between 1 second and 7 days')
      }
      for (const [old, link] of state.links) if (isOver(link.expiresAt)) state.links.delete(old)
      const token = crypto.randomUUID()
      state.links.set(token, { file, inline: query.inline === 'true', expiresAt: clock.now() + lifetime })
      return `${objectsUrl}/${token}`
    },

    download(token) {
      const link = state.links.get(token)
      if (!link || isOver(link.expiresAt)) throw new Refusal(403, 'The link has expired')
      const { content, asset } = link.file
      return new Response(content, {
        headers: {
          'Content-Type': asset.contentType ?? 'application/octet-stream',
          'Content-Length': String(content.size),
          'Content-Disposition': disposition(link.inline ? 'inline' : 'attachment', asset.filename ?? 'file'),
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        },
      })
    },
  }

  function find(env: Environment, client: string, uuid: string): StoredFile {
    const file = state.files[env].get(uuid)
    if (!file || file.owner !== client) throw new Refusal(404, 'There is no such file asset')
    return file
  }

  function isOver(instant: number | null): boolean {
    return instant !== null && instant <= clock.now()
  }
}

/** Files of the test deployment end after 30 days, whatever was asked for (spec, Limits). */
function expiryOf(env: Environment, now: number, { expiresIn }: UploadMeta): number | null {
  const asked = expiresIn === undefined ? undefined : parseDuration(expiresIn)
  if (asked !== undefined && !(asked > 0)) throw new Refusal(400, 'expiresIn must be positive')
  const latest = env === 'test' ? now + 30 * day : Infinity
  const expiresAt = Math.min(latest, asked === undefined ? Infinity : now + asked)
  if (expiresAt === Infinity) return null
  if (Number.isNaN(new Date(expiresAt).getTime())) throw new Refusal(400, 'expiresIn is too long')
  return expiresAt
}

/** A Content-Disposition with both forms of the file name (RFC 6266). */
function disposition(type: 'inline' | 'attachment', filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
