import {
  callHeader,
  eventHeader,
  keyHeader,
  personHeader,
  replayedHeader,
} from '../../contract/values/headers.ts'
import type { Finding } from './finding.ts'
import { refusals } from './refusals.ts'
import { emptyReply, type Reply } from './reply.ts'

/** The origin of a request relative to the proxy: the value of `Sec-Fetch-Site`. */
export type Site = 'same-origin' | 'same-site' | 'cross-site' | 'none'

/** Refuses requests that pages of other sites make, including reads. */
interface CsrfGuard {
  /**
   * Throws `ProxyError` unless a page of this site, or of a listed origin, makes the request. A call must carry a header
   * that pages of other origins may send only with permission. A navigation cannot carry one: the person may have followed
   * a link on such a page, or typed the address.
   */
  readonly check: (request: Request, isNavigation: boolean) => void
  /** Replies to a CORS preflight request. Throws `ProxyError` if the origin is not listed. */
  readonly preflight: (request: Request) => Reply
  /** Adds the headers that let the page of a listed origin read the reply. */
  readonly allowReading: (request: Request, reply: Reply) => Reply
}

/**
 * Creates the guard. `origins` are the other origins whose pages may call, such as `https://forms.example.edu`. Throws
 * `RangeError` if one of them is not an origin.
 */
export function createCsrfGuard(
  origins: readonly string[],
  site: (request: Request) => Site | null,
): CsrfGuard {
  for (const origin of origins) {
    if (!/^https?:\/\//.test(origin) || new URL(origin).origin !== origin) {
      throw new RangeError(
        `"${origin}" is not an origin. Give the scheme, host and port alone, such as https://forms.example.edu`,
      )
    }
  }
  const isListed = (origin: string | null) => origin !== null && origins.includes(origin)

  return {
    check(request, isNavigation) {
      const from = site(request)
      const isOurs = isNavigation
        ? from === 'same-origin' || from === 'none' || isListed(refererOrigin(request.headers.get('referer')))
        : request.headers.has(callHeader) &&
          (from === 'same-origin' || (from !== 'none' && isListed(request.headers.get('origin'))))
      if (!isOurs) throw refusals.otherSite(isNavigation ? findInLink(from) : findInCall(request, from))
    },

    preflight(request) {
      const origin = request.headers.get('origin')
      if (origin === null || !isListed(origin)) {
        throw refusals.otherSite(origin === null ? originMissing : originNotAllowed)
      }
      return emptyReply(204, {
        ...corsHeaders(origin),
        'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
        'Access-Control-Allow-Headers': `${callHeader}, content-type, ${keyHeader}, last-event-id`,
        'Access-Control-Max-Age': '600',
      })
    },

    allowReading(request, reply) {
      if (origins.length === 0) return reply
      const origin = request.headers.get('origin')
      if (origin === null || !isListed(origin)) return reply
      return { ...reply, headers: { ...reply.headers, ...corsHeaders(origin) } }
    },
  }
}

const fetchSiteMissing: Finding = {
  cause: 'fetch_site_missing',
  text: 'Sec-Fetch-Site is missing. Browsers send it over HTTPS and to this machine only, and a server in between may remove it.',
}
const originMissing: Finding = { cause: 'origin_missing', text: 'A preflight request has no Origin.' }
const originNotAllowed: Finding = {
  cause: 'origin_not_allowed',
  text: 'The page of another origin made this request, and that origin is not in ROUTESLIP_ORIGINS.',
}

/** Returns why a call does not come from a page of this site. */
function findInCall(request: Request, from: Site | null): Finding {
  if (!request.headers.has(callHeader)) {
    return {
      cause: 'call_header_missing',
      text: `${callHeader} is missing. The elements and the client send it.`,
    }
  }
  if (from === null) return fetchSiteMissing
  if (from === 'none') {
    return {
      cause: 'other_site',
      text: 'Sec-Fetch-Site is none: no page made this request, but a browser itself.',
    }
  }
  return originNotAllowed
}

/** Returns why a link is not on a page of this site. */
function findInLink(from: Site | null): Finding {
  if (from === null) return fetchSiteMissing
  return {
    cause: 'other_site',
    text: 'A link on another site led here, and the Referer names no origin of ROUTESLIP_ORIGINS.',
  }
}

/** CORS headers (Fetch, 3.3). The browser sends the session along, because it determines the person. */
function corsHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': `Retry-After, ${callHeader}, ${personHeader}, ${eventHeader}, ${replayedHeader}`,
  }
}

function refererOrigin(address: string | null): string | null {
  return address !== null && URL.canParse(address) ? new URL(address).origin : null
}
