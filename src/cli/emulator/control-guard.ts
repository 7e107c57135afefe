import { toProblemResponse, ServiceError } from '../../emulator/http/service-error.ts'

/** Path of the emulator's control API. */
const controlPath = '/_emulator'

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * Protects the control API from web pages. Requests must use a loopback address, which DNS rebinding cannot do, and must
 * not come from a page: the object store on the same port may serve uploaded pages.
 */
export function guardControlApi(
  handler: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(controlPath) || isLocalProgram(request.headers)) return await handler(request)
    return toProblemResponse(
      new ServiceError(403, 'Only programs on this machine can control the emulator. Web pages cannot'),
      pathname,
    )
  }
}

function isLocalProgram(headers: Headers): boolean {
  const host = headers.get('host') ?? ''
  const site = headers.get('sec-fetch-site') ?? 'none'
  const origin = headers.get('origin')
  return loopback.test(host) && site === 'none' && origin === null
}
