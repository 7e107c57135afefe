import { acceptVersion, callHeader, keyHeader } from '../../contract/values/headers.ts'
import type { ClientOperation, OperationOptions } from './operation-input.ts'
import { createIdempotencyKey } from './idempotency-key.ts'
import type { SendToProxy } from './page-parts.ts'
import type { ProxyResponse } from './proxy-probe.ts'
import { readResponse, type ResponseReader } from './response.ts'

interface RequestOptions extends ResponseReader {
  readonly send: SendToProxy
  /** See `ClientOptions`. */
  readonly timeout: number
}

/** Sends one call and returns the value of its response. Rejects as `readResponse` does. */
export type ClientRequest = (
  operation: ClientOperation,
  path: string,
  options: OperationOptions & { readonly body?: unknown },
) => Promise<unknown>

export function createRequest({ send: sendTo, timeout, ...reader }: RequestOptions): ClientRequest {
  return async (operation, path, { body, ...options }) => {
    const { signal, version, idempotencyKey = createIdempotencyKey() } = options
    const init: RequestInit = {
      method: operation.method,
      // If the proxy has another origin, the session cookie is that of the proxy.
      credentials: 'include',
      // A proxy redirects only links. Following a redirect to a sign-in page of another origin looks like an outage.
      redirect: 'manual',
      // A deletion may begin when the person leaves the page.
      keepalive: operation.method === 'DELETE',
      headers: {
        [callHeader]: '1',
        ...(operation.method !== 'GET' && { [keyHeader]: idempotencyKey }),
        Accept: version ? acceptVersion(version) : 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: JSON.stringify(body),
    }
    // `AbortSignal.any` would still listen to `signal` after the call has ended.
    const abort = new AbortController()
    const onAbort = () => abort.abort(signal?.reason)
    const onTimeout = () => abort.abort(new DOMException('Timed out', 'TimeoutError'))
    let timer = setTimeout(onTimeout, timeout)
    signal?.addEventListener('abort', onAbort)

    async function send(): Promise<ProxyResponse> {
      const response = await sendTo(path, { ...init, signal: abort.signal })
      // A long body over a slow connection takes its time.
      clearTimeout(timer)
      timer = setTimeout(onTimeout, timeout * 12)
      return response
    }

    try {
      return await readResponse(reader, operation, send(), options)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }
}
