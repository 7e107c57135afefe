import { readFileSync } from 'node:fs'
import { personaCookieName } from '../proxy/identity.ts'

/** The people that a visitor of the demo may be. */
export const personas = [
  { univid: '10000001', name: 'Amara Okafor', role: 'initiator' },
  { univid: '10000002', name: 'Daniel Reyes', role: 'first approver' },
  { univid: '10000003', name: 'Mei-Ling Zhou', role: 'second approver' },
  { univid: '10000009', name: 'Priya Raman', role: 'administrator' },
  { univid: '10000008', name: 'Theo Marchetti', role: 'outsider' },
] as const

const cookiePattern = new RegExp(`(?:^|;\\s*)${personaCookieName}=(\\d+)`)

/** The strictest policy under which the page still works: what a careful site sends. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ')

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

/** The site of a university with one page, on which `script` shows a package and takes files. */
export function createPage(script: string): (request: Request) => Promise<Response> {
  const template = read('page.html')
  const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
    '/routeslip.js': ['text/javascript; charset=utf-8', script],
    '/page.css': ['text/css; charset=utf-8', read('page.css')],
    '/crest.svg': ['image/svg+xml', read('crest.svg')],
  }

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method === 'POST' && pathname === '/persona') return await switchPersona(request)
    if (request.method !== 'GET') return new Response('Not allowed', { status: 405, headers })
    if (pathname === '/') return renderPage(request, template)

    const file = files[pathname]
    return file
      ? new Response(file[1], { headers: { ...headers, 'Content-Type': file[0] } })
      : new Response('Not found', { status: 404, headers })
  }
}

function renderPage(request: Request, template: string): Response {
  const chosen = cookiePattern.exec(request.headers.get('cookie') ?? '')?.[1]
  const persona = personas.find(({ univid }) => univid === chosen) ?? personas[0]
  const options = personas.map(
    ({ univid, name, role }) =>
      `<option value="${univid}"${univid === persona.univid ? ' selected' : ''}>${name} (${role})</option>`,
  )
  return new Response(template.replace('<!-- personas -->', options.join('')), {
    headers: {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Set-Cookie': cookieOf(persona.univid),
    },
  })
}

/** Signs in whom the visitor chose, and shows the page again. */
async function switchPersona(request: Request): Promise<Response> {
  if (request.headers.get('sec-fetch-site') !== 'same-origin') {
    return new Response('Only the page itself may do this', { status: 403, headers })
  }
  if (!(Number(request.headers.get('content-length') ?? Infinity) <= 1000)) {
    return new Response('Too large', { status: 413, headers })
  }
  const univid = new URLSearchParams(await request.text()).get('univid')
  const persona = personas.find((candidate) => candidate.univid === univid)
  if (!persona) return new Response('There is no such persona', { status: 400, headers })
  return new Response(null, {
    status: 303,
    headers: { ...headers, Location: '/', 'Set-Cookie': cookieOf(persona.univid) },
  })
}

function cookieOf(univid: string): string {
  return `${personaCookieName}=${univid}; Path=/; HttpOnly; SameSite=Strict`
}

function read(name: string): string {
  return readFileSync(new URL(`./demo/${name}`, import.meta.url), 'utf8')
}
