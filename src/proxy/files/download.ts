import type { Attachment } from '../../contract/attachments.ts'
import { attachmentDisposition, cleanFilename } from './filename.ts'
import { baseHeaders, ProxyError } from '../problem.ts'
import type { OperationRequest } from '../rights/authorizer.ts'
import { notThere, type Upstream, type UpstreamCall } from '../upstream.ts'

/** Media types that are sent as what they are; everything else is some bytes. Nothing is ever shown in place. */
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

/** Answers an attachment or the PDF of a package as a download, with headers of ours. */
export async function downloadFile(
  asked: OperationRequest,
  { call, download: begin }: Upstream,
): Promise<Response> {
  const { name, params, query, person, requestId, signal } = asked
  const ask: UpstreamCall = { params, as: person, requestId, signal }
  const filename =
    name === 'getPdf'
      ? `package-${params['packageId']}.pdf`
      : filenameOf(Number(params['attachmentId']), await call('getAttachments', ask))

  const answer = await begin(name, { ...ask, query })
  const isPacked = (answer.header('content-encoding') ?? 'identity') !== 'identity'
  if (
    isPacked ||
    (name === 'getPdf' && !/^application\/pdf(?:;|$)/i.test(answer.header('content-type') ?? ''))
  ) {
    await answer.stream().cancel()
    throw new ProxyError(502, 'The service gave an unexpected answer. Try again in a moment.')
  }
  const length = answer.header('content-length') ?? ''
  return new Response(answer.stream(), {
    headers: {
      ...baseHeaders,
      'Content-Type': plainTypes[extensionOf(filename)] ?? 'application/octet-stream',
      'Content-Disposition': attachmentDisposition(filename),
      'Content-Security-Policy': "sandbox; default-src 'none'",
      ...(/^\d{1,15}$/.test(length) && { 'Content-Length': length }),
    },
  })
}

/** The name of an attachment, which proves that it is one of this package. */
function filenameOf(attachmentId: number, attachments: unknown): string {
  const found = (attachments as readonly (Attachment | null)[]).find((row) => row?.id === attachmentId)
  if (!found) throw new ProxyError(404, notThere)
  return cleanFilename(found.fileName ?? '')
}

function extensionOf(filename: string): string {
  return /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''
}
