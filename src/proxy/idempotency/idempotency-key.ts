import { keyHeader } from '../../contract/values/headers.ts'
import type { Connection, DisconnectSignal } from '../http/connection.ts'
import { refusals } from '../http/refusals.ts'
import { pathOf, searchOf } from '../http/request-url.ts'

/** A string of RFC 9651, 3.3.3, with 16 to 128 characters and without escapes. */
const pattern = /^"([ !#-[\]-~]{16,128})"$/

/**
 * Returns the key of a request (draft-ietf-httpapi-idempotency-key-header-07, 2.1); `undefined` if it has none. Throws
 * `ProxyError` if the key is not valid.
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const value = request.headers.get(keyHeader)
  if (value === null) return undefined
  const [, key] = pattern.exec(value) ?? []
  if (key === undefined) throw refusals.invalidKey()
  return key
}

/**
 * Returns what identifies a request apart from its body. The boundary of an upload differs in each repetition, and in
 * Firefox its length too, so the size of an upload does not count.
 */
export function requestHead(request: Request): string {
  const { method, headers } = request
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const size = type === 'multipart/form-data' ? '' : (headers.get('content-length') ?? '')
  const facts = [headers.get('accept') ?? '', type, size]
  return [method, `${pathOf(request)}?${searchOf(request) ?? ''}`, ...facts].join('\n')
}

/** Returns a connection for a change that ends even if its client disconnects: the client may repeat the request. */
export function lastingConnection(connection: Connection): Connection {
  return {
    disconnect: never,
    onEnd: (listener) => connection.onEnd(listener),
    body: connection.body,
    endSending: () => connection.endSending?.(),
  }
}

const never: DisconnectSignal = {
  aborted: false,
  reason: undefined,
  addEventListener: () => {},
  removeEventListener: () => {},
}
