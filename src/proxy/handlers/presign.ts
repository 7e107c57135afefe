import { mayOpenInline } from '../../contract/values/inline-types.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import type { Log } from '../observe/log.ts'
import { refusals } from '../http/refusals.ts'
import { emptyReply, type Reply } from '../http/reply.ts'
import type { Upstream, UpstreamCall } from '../upstream/upstream.ts'

export interface PresignOptions {
  /** Lifetime of a download link, in seconds. */
  readonly linkSeconds: number
  /** Origins to which a download link may lead. */
  readonly objectOrigins: readonly string[]
  readonly log: Log
}

/**
 * Redirects to a download link of the storage service. The link shows the file only if the browser requests that and the
 * type of the file is safe; otherwise, it saves the file. Throws `ProxyError` if the link leads to an unknown origin.
 */
export async function redirectToLink(
  call: UpstreamCall,
  { contentType }: Pick<FileAsset, 'contentType'>,
  upstream: Upstream,
  { linkSeconds, objectOrigins, log }: PresignOptions,
): Promise<Reply> {
  const isInline = call.query?.['inline'] === 'true' && mayOpenInline(contentType)
  const query = { expiresIn: `${linkSeconds}s`, ...(isInline && { inline: 'true' }) }
  const link = new URL(String(await upstream.call('presignFile', { ...call, query })))
  // The origin of a `blob:` URL is that of the page that created it.
  const isPlain = /^https?:$/.test(link.protocol) && !link.username && !link.password
  if (!isPlain || !objectOrigins.includes(link.origin)) {
    log('error', 'presignFile: the link leads to an origin that is not configured', { origin: link.origin })
    throw refusals.unexpectedResponse()
  }
  return emptyReply(303, { Location: link.href })
}
