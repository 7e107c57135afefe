/**
 * Returns the body of a request as a stream, or null if it is empty. Outside pages, it is the stream of the request, so that
 * large uploads need no memory. Pages read the body as a blob first: Firefox has no `Request.prototype.body`, and WebKit
 * fails to read the stream of a FormData body with files.
 */
export async function streamBody(request: Request): Promise<ReadableStream<Uint8Array> | null> {
  const isPage = 'document' in globalThis
  const body = request.body as Request['body'] | undefined
  if (body !== undefined && !isPage) return body
  const blob = await request.blob()
  return blob.size === 0 ? null : blob.stream()
}
