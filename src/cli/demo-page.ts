import { readFileSync } from 'node:fs'
import { personaCookieName } from '../proxy/identity/identity.ts'

/** Users that a visitor of the demo can sign in as. */
export const personas = [
  { univid: '10000001', name: 'Amara Okafor', role: 'initiator' },
  { univid: '10000002', name: 'Daniel Reyes', role: 'first approver' },
  { univid: '10000003', name: 'Mei-Ling Zhou', role: 'second approver' },
  { univid: '10000009', name: 'Priya Raman', role: 'administrator' },
  { univid: '10000008', name: 'Theo Marchetti', role: 'outsider' },
] as const

const cookiePattern = new RegExp(`(?:^|;\\s*)${personaCookieName}=(\\d+)`)

/** The strictest policy that works with the page, as a careful site sends it. */
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

/** Headers of all responses of the site. */
export const siteHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Creates the site of a university. Its page shows a package and uploads files with the elements. `scripts` are the
 * scripts of the elements by path. `handleConsole` handles `/console` and all paths below it.
 */
export function createPage(
  scripts: ReadonlyMap<string, string>,
  handleConsole: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  const template = readAsset('page.html')
  const files = new Map<string, readonly [type: string, content: string]>([
    ['/page.css', ['text/css; charset=utf-8', readAsset('page.css')]],
    ['/crest.svg', ['image/svg+xml', readAsset('crest.svg')]],
  ])
  for (const [path, script] of scripts) files.set(path, ['text/javascript; charset=utf-8', script])

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (/^\/console(\/|$)/.test(pathname)) return await handleConsole(request)
    if (request.method === 'POST' && pathname === '/persona') return await switchPersona(request)
    if (request.method !== 'GET')
      return new Response('Method not allowed', { status: 405, headers: siteHeaders })
    if (pathname === '/') return renderPage(request, template)

    const file = files.get(pathname)
    return file
      ? new Response(file[1], { headers: { ...siteHeaders, 'Content-Type': file[0] } })
      : new Response('Not found', { status: 404, headers: siteHeaders })
  }
}

function renderPage(request: Request, template: string): Response {
  const chosen = cookiePattern.exec(request.headers.get('cookie') ?? '')?.[1]
  const persona = personas.find(({ univid }) => univid === chosen) ?? personas[0]
  const options = personas.map(
    ({ univid, name, role }) =>
      `<option value="${univid}"${univid === persona.univid ? ' selected' : ''}>${name} (${role})</option>`,
  )
  // The emulator uses the time zone of this machine.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const page = template.replace('<!-- personas -->', options.join('')).replace('{timeZone}', timeZone)
  return new Response(page, {
    headers: {
      ...siteHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Set-Cookie': signInCookie(persona.univid),
    },
  })
}

/** Signs in as the chosen persona and redirects to the page. */
async function switchPersona(request: Request): Promise<Response> {
  const form = await readSiteForm(request)
  if (form instanceof Response) return form
  const univid = form.get('univid')
  const persona = personas.find((candidate) => candidate.univid === univid)
  if (!persona) return new Response('Unknown persona', { status: 400, headers: siteHeaders })
  return new Response(null, {
    status: 303,
    headers: { ...siteHeaders, Location: '/', 'Set-Cookie': signInCookie(persona.univid) },
  })
}

/** Reads a form of the site. Returns an error response if the form is from another site or too large. */
export async function readSiteForm(request: Request): Promise<URLSearchParams | Response> {
  if (request.headers.get('sec-fetch-site') !== 'same-origin') {
    return new Response('This form can only be sent from this site', { status: 403, headers: siteHeaders })
  }
  if (!(Number(request.headers.get('content-length') ?? Infinity) <= 10_000)) {
    return new Response('The form is too large', { status: 413, headers: siteHeaders })
  }
  return new URLSearchParams(await request.text())
}

function signInCookie(univid: string): string {
  return `${personaCookieName}=${univid}; Path=/; HttpOnly; SameSite=Strict`
}

function readAsset(name: string): string {
  return readFileSync(new URL(`./demo/${name}`, import.meta.url), 'utf8')
}
