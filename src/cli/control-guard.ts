import { toProblemResponse, ServiceError } from '../emulator/http/service-error.ts'

/** Where the control interface of the emulator stands. */
const controlPath = '/_emulator'

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * Keeps web pages from driving the emulator: who calls its control interface has to use an address of this machine, which
 * a host name that was made to lead here (DNS rebinding) is not, and be no web page at all: the object store on the same
 * port serves pages that anyone may have uploaded.
 */
export function guardControl(
  handler: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(controlPath) || isOurs(request.headers)) return await handler(request)
    return toProblemResponse(
      new ServiceError(403, 'Only programs on this machine may control the emulator, and no web page'),
      pathname,
    )
  }
}

function isOurs(headers: Headers): boolean {
  const host = headers.get('host') ?? ''
  const site = headers.get('sec-fetch-site') ?? 'none'
  const origin = headers.get('origin')
  return loopback.test(host) && site === 'none' && origin === null
}
