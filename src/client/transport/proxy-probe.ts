import { callHeader } from '../../contract/values/headers.ts'
import { NoProxyError, UnavailableError } from './errors.ts'

/** The part of a response that the client uses. A part of a page is one too. */
export type ProxyResponse = Pick<Response, 'ok' | 'status' | 'headers' | 'json'>

/** Distinguishes an endpoint without a proxy from a proxy that fails. */
export interface ProxyProbe {
  /** Returns whether a response is from a proxy. */
  isFromProxy(response: ProxyResponse): boolean
  /**
   * Returns the error of a response that is not from a proxy: its `cause` is the status of a server in between. Logs the first
   * `NoProxyError` to the console.
   */
  errorOf(operation: string, response: ProxyResponse): UnavailableError
}

/** Creates a probe for the proxy at `root`. */
export function createProxyProbe(root: string): ProxyProbe {
  let isFound = false
  let isLogged = false

  return {
    isFromProxy({ headers }) {
      const isMarked = headers.has(callHeader)
      isFound ||= isMarked
      return isMarked
    },
    errorOf(operation, { headers, status }) {
      // Where nothing is, servers send pages, redirects, 404 and 405. Where a proxy was before, they come from a server before it.
      if (isFound || (status >= 400 && status !== 404 && status !== 405))
        return new UnavailableError(operation, 'got a response that is not from the proxy', { cause: status })
      const error = new NoProxyError(operation, root)
      if (!isLogged) {
        console.error(
          `No Routeslip proxy found at ${root}. ${operation} got ${status || 'a redirect'} ${headers.get('content-type') ?? ''}. Set "endpoint" to the path of your proxy, or start one: see docs/proxy.md.`,
        )
      }
      isLogged = true
      return error
    },
  }
}
