import { callHeader, personHeader } from '../contract/headers.ts'
import { baseHeaders, ProxyError } from './problem.ts'

/** Where a request comes from, as the browser says in `Sec-Fetch-Site`. */
export type Site = 'same-origin' | 'same-site' | 'cross-site' | 'none'

/** Keeps pages of other sites out, reads too. */
export interface CsrfGuard {
  /**
   * Throws `ProxyError` unless a page of this site, or of an origin on the list, makes the call. A call carries a header
   * that others need permission for. A navigation cannot: it may be followed from such a page or typed in.
   */
  readonly check: (request: Request, isNavigation: boolean) => void
  /** Answers the question that browsers ask before a call of a page on another origin. */
  readonly preflight: (request: Request) => Response
  /** The answer, readable by the page on another origin that asked for it, if it is on the list. */
  readonly readable: (request: Request, response: Response) => Response
}

/** Creates the guard. `origins`: pages on other origins that may call, such as `https://forms.example.edu`. */
export function createCsrfGuard(
  origins: readonly string[],
  site: (request: Request) => Site | null,
): CsrfGuard {
  for (const origin of origins) {
    if (!/^https?:\/\//.test(origin) || new URL(origin).origin !== origin) {
      throw new RangeError(
        `"${origin}" is no origin. Give scheme, host and port alone, such as https://forms.example.edu`,
      )
    }
  }
  const isListed = (origin: string | null) => origin !== null && origins.includes(origin)

  return {
    check(request, isNavigation) {
      const from = site(request)
      const isOurs = isNavigation
        ? from === 'same-origin' || from === 'none' || isListed(originOf(request.headers.get('referer')))
        : request.headers.has(callHeader) &&
          (from === 'same-origin' || (from !== 'none' && isListed(request.headers.get('origin'))))
      if (!isOurs) throw new ProxyError(403, 'Only pages of this site may ask this.')
    },

    preflight(request) {
      const origin = request.headers.get('origin')
      if (origin === null || !isListed(origin))
        throw new ProxyError(403, 'Only pages of this site may ask this.')
      return new Response(null, {
        status: 204,
        headers: {
          ...baseHeaders,
          ...corsHeaders(origin),
          'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
          'Access-Control-Allow-Headers': `${callHeader}, content-type, last-event-id`,
          'Access-Control-Max-Age': '600',
        },
      })
    },

    readable(request, response) {
      if (origins.length === 0) return response
      const origin = request.headers.get('origin')
      if (origin === null || !isListed(origin)) return response
      for (const [name, value] of Object.entries(corsHeaders(origin))) response.headers.set(name, value)
      return response
    },
  }
}

/** CORS (Fetch, 3.3). The session of the person goes along: that is who decides. */
function corsHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': `Retry-After, ${personHeader}`,
  }
}

function originOf(address: string | null): string | null {
  return address !== null && URL.canParse(address) ? new URL(address).origin : null
}
