import { hasExpired } from './find-file.ts'
import { ServiceError } from '../http/service-error.ts'
import type { ByteRange } from '../state/object-store.ts'
import type { EmulatorContext } from '../context.ts'

/**
 * Serves a presigned link to anyone, as the object store does: the content, or the single range that `headers` request.
 * Throws `ServiceError` 403 if the link has expired, and 404 if the object store has lost the content.
 */
export async function download(context: EmulatorContext, token: string, headers: Headers): Promise<Response> {
  const { state, objects } = context
  const link = state.links.get(token)
  if (!link || hasExpired(context, link.expiresAt)) {
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
