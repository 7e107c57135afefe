import { verificationHeader } from '../../contract/schemas/callbacks.ts'
import { isRecord } from '../../contract/values/values.ts'
import type { StoredCallback } from '../state/stored-packages.ts'

/** Awkward behaviours of real services. The emulator imitates them on request, so that naive clients fail their tests. */
export const quirkNames = [
  /** Reads `_` as `-` in header names, drops `;params`, decodes `%2e` and collapses `//`, as servlet containers do. */
  'lenient_requests',
  /** Repeats the Authorization header in error messages. */
  'echo_authorization',
  /** Sends Set-Cookie, WWW-Authenticate, Location, CORS and Clear-Site-Data headers, and 8-bit bytes in file names. */
  'foreign_headers',
  /** Adds history events of an unknown class and state, and a field with an internal URL to each object. */
  'unknown_values',
  /** Repeats the last row of each list with an id above 2^53. */
  'huge_ids',
  /** Sends callbacks twice and in reverse order, each after forged copies of it. */
  'unruly_callbacks',
] as const
export type QuirkName = (typeof quirkNames)[number]

/** The active quirks and their effects. */
export interface Quirks {
  /** Names of the active quirks. Change the set to switch quirks on and off. */
  readonly active: Set<QuirkName>
  /** Returns path and headers as the service reads them. */
  readonly request: (request: Request) => { readonly pathname: string; readonly headers: Headers }
  /** Returns the response as the service sends it. */
  readonly response: (request: Request, response: Response) => Promise<Response>
  /** Returns the callbacks in the order in which they are sent. */
  readonly inOrder: (callbacks: readonly StoredCallback[]) => readonly StoredCallback[]
  /** Returns forged copies of a callback. */
  readonly forgeries: (callback: StoredCallback) => Promise<readonly RequestInit[]>
}

/** Creates the quirks, with none of them active. */
export function createQuirks(): Quirks {
  const active = new Set<QuirkName>()

  return {
    active,

    request(request) {
      const { pathname } = new URL(request.url)
      if (!active.has('lenient_requests')) return { pathname, headers: request.headers }
      const headers = new Headers()
      for (const [name, value] of request.headers) headers.append(name.replaceAll('_', '-'), value)
      const plain = pathname
        .replace(/;[^/]*/g, '')
        .replace(/%2e/gi, '.')
        .replace(/%2f/gi, '/')
        .replace(/\/{2,}/g, '/')
      return { pathname: new URL(plain, 'http://emulator.test').pathname, headers }
    },

    async response(request, response) {
      if (active.size === 0) return response
      const headers = new Headers(response.headers)
      if (active.has('foreign_headers')) {
        for (const [name, value] of extraHeaders) headers.append(name, value)
        const disposition = headers.get('content-disposition')
        if (disposition !== null)
          headers.set('Content-Disposition', disposition.replace('filename=', 'filename=\xe9'))
      }
      const { status, statusText } = response
      const changesText = textQuirks.some((name) => active.has(name))
      if (!changesText || !/json/.test(headers.get('content-type') ?? '')) {
        return new Response(response.body, { status, statusText, headers })
      }

      // A response that a fault has cut or replaced is passed on unchanged.
      const copy = response.clone()
      let text = await response.text().catch(() => '')
      const value = parseJsonOrUndefined(text)
      if (value === undefined) return new Response(copy.body, { status, statusText, headers })
      if (!response.ok && active.has('echo_authorization') && isRecord(value) && 'detail' in value) {
        const sent = request.headers.get('authorization') ?? ''
        text = JSON.stringify({ ...value, detail: `${String(value['detail'])} (Authorization: ${sent})` })
      }
      if (response.ok && active.has('unknown_values')) text = withUnknownValues(text)
      if (response.ok && active.has('huge_ids')) text = withHugeIds(text)
      headers.delete('content-length')
      return new Response(text, { status, statusText, headers })
    },

    inOrder: (callbacks) =>
      active.has('unruly_callbacks')
        ? [...callbacks].reverse().flatMap((callback) => [callback, callback])
        : callbacks,

    async forgeries({ body }) {
      if (!active.has('unruly_callbacks')) return []
      const { privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
      const bytes = new TextEncoder().encode(body)
      const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, bytes))
      const forged = btoa(String.fromCharCode(...signature))
      return ['', forged].map((value) => ({
        method: 'POST',
        headers: { 'Content-Type': 'application/json', [verificationHeader]: value },
        body,
      }))
    },
  }
}

/** Quirks that change the text of JSON responses. */
const textQuirks: readonly QuirkName[] = ['echo_authorization', 'unknown_values', 'huge_ids']

const extraHeaders: readonly (readonly [string, string])[] = [
  ['Set-Cookie', 'SERVICE_SESSION=secret; Path=/'],
  ['WWW-Authenticate', 'Basic realm="service"'],
  ['Location', 'https://elsewhere.example/'],
  ['Access-Control-Allow-Origin', '*'],
  ['Content-Security-Policy', 'default-src *'],
  ['Clear-Site-Data', '"cookies"'],
  ['X-Powered-By', 'Servlet/4.0'],
]

const unknownEvent = {
  '@class': 'escalation',
  actionDate: '2026-11-16T10:00:00',
  person: null,
  stop: null,
  state: 'ESCALATED',
  callbackUrl: 'https://internal.example/callbacks/17',
}

function withUnknownValues(text: string): string {
  const changed: unknown = JSON.parse(text, (_, value: unknown) =>
    isRecord(value) ? { ...value, internalUrl: 'https://internal.example/objects/17' } : value,
  )
  const isHistory = Array.isArray(changed) && changed.some((row) => isRecord(row) && '@class' in row)
  return JSON.stringify(isHistory ? [unknownEvent, ...(changed as unknown[]), unknownEvent] : changed)
}

/** JavaScript cannot represent the id as a number, so the function writes it into the JSON text. */
function withHugeIds(text: string): string {
  const rows: unknown = JSON.parse(text)
  const last: unknown = Array.isArray(rows) ? rows.at(-1) : undefined
  if (!Array.isArray(rows) || !isRecord(last)) return text
  const marked = Object.fromEntries(
    Object.entries(last).map(([key, value]) => [key, /^(id|packageId)$/.test(key) ? '@huge' : value]),
  )
  return JSON.stringify([...(rows as unknown[]), marked]).replaceAll('"@huge"', '9007199254740993')
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
