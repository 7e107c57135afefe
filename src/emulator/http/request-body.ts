/**
 * Returns the body of a request as a stream, or null if it is empty. Firefox has no `Request.prototype.body`, so the body
 * is read as a blob there.
 */
export async function streamBody(request: Request): Promise<ReadableStream<Uint8Array> | null> {
  const body = request.body as Request['body'] | undefined
  if (body !== undefined) return body
  const blob = await request.blob()
  return blob.size === 0 ? null : blob.stream()
}
