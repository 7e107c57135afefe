import type { Attachment } from '../../contract/schemas/attachments.ts'
import type { OperationRequest } from '../operation/operation-request.ts'
import { refusals } from '../http/refusals.ts'
import { baseHeaders, type Reply } from '../http/reply.ts'
import type { Upstream, UpstreamCall } from '../upstream/upstream.ts'
import { attachmentDisposition, cleanFilename, extensionOf } from './filename.ts'

/** Media types by extension. All other files are sent as plain bytes. Browsers save all of them and display none. */
const plainTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}

/**
 * Streams an attachment or the PDF of a package to the browser. The headers are written here; only a valid `Content-Length`
 * is taken from the service. Rejects with a `ProxyError`: 404 if the package has no such attachment, 502 if the body is
 * compressed or is not a PDF although one is expected.
 */
export async function downloadFile(
  operationRequest: OperationRequest,
  { call, download }: Upstream,
): Promise<Reply> {
  const { name, params, query, person, requestId, signal } = operationRequest
  const upstreamCall: UpstreamCall = { params, as: person, requestId, signal }
  const filename =
    name === 'getPdf'
      ? `package-${params['packageId']}.pdf`
      : filenameOf(Number(params['attachmentId']), await call('getAttachments', upstreamCall))

  const response = await download(name === 'getPdf' ? name : 'downloadAttachment', { ...upstreamCall, query })
  const isCompressed = (response.header('content-encoding') ?? 'identity') !== 'identity'
  const isPdf = /^application\/pdf(?:;|$)/i.test(response.header('content-type') ?? '')
  if (isCompressed || (name === 'getPdf' && !isPdf)) {
    await response.stream().cancel()
    throw refusals.unexpectedResponse()
  }
  const length = response.header('content-length') ?? ''
  return {
    status: 200,
    headers: {
      ...baseHeaders,
      'Content-Type': plainTypes[extensionOf(filename)] ?? 'application/octet-stream',
      'Content-Disposition': attachmentDisposition(filename),
      'Content-Security-Policy': "sandbox; default-src 'none'",
      ...(/^\d{1,15}$/.test(length) && { 'Content-Length': length }),
    },
    body: response.stream(),
  }
}

/** Returns the name of an attachment. Throws 404 if it does not belong to the package. */
function filenameOf(attachmentId: number, attachments: unknown): string {
  const found = (attachments as readonly (Attachment | null)[]).find((row) => row?.id === attachmentId)
  if (!found) throw refusals.notFound()
  return cleanFilename(found.fileName ?? '')
}
