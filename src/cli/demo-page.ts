import { readFileSync } from 'node:fs'
import { personaCookieName } from '../proxy/identity/identity.ts'
import { WorkingFiles } from './working-files.ts'

/** Users that a visitor of the demo can sign in as. */
export const personas = [
  { univid: '10000001', name: 'Amara Okafor', role: 'initiator' },
  { univid: '10000002', name: 'Daniel Reyes', role: 'first approver' },
  { univid: '10000003', name: 'Mei-Ling Zhou', role: 'second approver' },
  { univid: '10000009', name: 'Priya Raman', role: 'administrator' },
  { univid: '10000008', name: 'Theo Marchetti', role: 'outsider' },
] as const

/** University id of the person who may use `/admin`. */
export const administrator = '10000009'

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

/** The applications that the administrator can share files with, as an attribute. */
const grantees = JSON.stringify([{ clientId: 'partner-app', name: 'Grants Office' }]).replaceAll(
  '"',
  '&quot;',
)

/** The sentence above a request of the demo, by package id. Visitors have made all other requests themselves. */
const leads: Readonly<Record<string, string>> = {
  42: 'Conference travel to the annual meeting of the Society for Freshwater Science, Portland, 14 to 18 May 2027.',
}

/**
 * Creates the site of a university. Its pages show a package, upload files and send new requests with the elements.
 * `scripts` are the scripts of the elements by path. `handleConsole` handles `/console` and all paths below it.
 */
export function createPage(
  scripts: ReadonlyMap<string, string>,
  handleConsole: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  const pageTemplate = readTemplate('page.html')
  const formTemplate = readTemplate('form.html')
  const adminTemplate = readTemplate('admin.html')
  const deniedTemplate = readTemplate('denied.html')
  const workingFiles = new WorkingFiles()
  const files = new Map<string, readonly [type: string, content: string]>([
    ['/page.css', ['text/css; charset=utf-8', readAsset('page.css')]],
    ['/page.js', ['text/javascript; charset=utf-8', readAsset('page.js')]],
    ['/admin.js', ['text/javascript; charset=utf-8', readAsset('admin.js')]],
    ['/crest.svg', ['image/svg+xml', readAsset('crest.svg')]],
  ])
  for (const [path, script] of scripts) files.set(path, ['text/javascript; charset=utf-8', script])

  /** Renders the page of a path: a request, the form of a request, an empty form, or the administration. */
  function render(request: Request, { pathname, searchParams }: URL): Response | undefined {
    const persona = personaOf(request)
    if (pathname === '/admin') return renderAdmin(persona, toPackageId(searchParams.get('package')))
    if (pathname === '/new') {
      return renderPage(persona, formTemplate, { title: 'New travel request', id: '' })
    }
    const [, packageId = '42', edit] = /^\/requests\/([1-9]\d{0,8})(\/edit)?$/.exec(pathname) ?? []
    if (pathname !== '/' && !pathname.startsWith('/requests/')) return undefined
    if (edit)
      return renderPage(persona, formTemplate, { title: `Edit travel request ${packageId}`, id: packageId })
    const lead =
      leads[packageId] ?? 'Follow your request here. You get an email when somebody needs an answer.'
    const uuids = workingFiles.of(persona.univid).join(' ')
    return renderPage(persona, pageTemplate, { packageId, lead, workingFiles: uuids })
  }

  function renderAdmin(persona: (typeof personas)[number], packageId: number): Response {
    if (persona.univid !== administrator) return renderPage(persona, deniedTemplate, {}, 403)
    const values = { packageId: `${packageId}`, workingFiles: workingFiles.all().join(' '), grantees }
    return renderPage(persona, adminTemplate, values)
  }

  async function rememberFiles(request: Request): Promise<Response> {
    const form = await readSiteForm(request)
    if (form instanceof Response) return form
    const isList = workingFiles.remember(personaOf(request).univid, form.getAll('uuid'))
    return new Response(null, { status: isList ? 204 : 400, headers: siteHeaders })
  }

  return async (request) => {
    const url = new URL(request.url)
    const { pathname } = url
    if (/^\/console(\/|$)/.test(pathname)) return await handleConsole(request)
    if (request.method === 'POST' && pathname === '/persona') return await switchPersona(request)
    if (request.method === 'POST' && pathname === '/working-files') return await rememberFiles(request)
    if (request.method === 'POST' && pathname === '/new')
      return new Response(noScript, { headers: siteHeaders })
    if (request.method !== 'GET')
      return new Response('Method not allowed', { status: 405, headers: siteHeaders })

    const file = files.get(pathname)
    if (file) return new Response(file[1], { headers: { ...siteHeaders, 'Content-Type': file[0] } })
    return render(request, url) ?? new Response('Not found', { status: 404, headers: siteHeaders })
  }
}

/** The response to a form that the browser itself has sent, because the scripts did not load. */
const noScript =
  'Nothing was sent, because the form did not load completely. Go back and reload the page, or bring the request to the Travel Office, 120 Jessup Hall.'

/** Entry of the navigation that only the administrator sees. */
const administrationLink = '<li><a href="/admin">Administration</a></li>'

function personaOf(request: Request): (typeof personas)[number] {
  const chosen = cookiePattern.exec(request.headers.get('cookie') ?? '')?.[1]
  return personas.find(({ univid }) => univid === chosen) ?? personas[0]
}

/** Renders a template for a persona, who is signed in from now on. `values` replace their names in braces. */
function renderPage(
  persona: (typeof personas)[number],
  template: string,
  values: Readonly<Record<string, string>>,
  status = 200,
): Response {
  const options = personas.map(
    ({ univid, name, role }) =>
      `<option value="${univid}"${univid === persona.univid ? ' selected' : ''}>${name} (${role})</option>`,
  )
  // The emulator uses the time zone of this machine.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const page = template
    .replace('<!-- personas -->', options.join(''))
    .replace('<!-- administration -->', persona.univid === administrator ? administrationLink : '')
    .replace(/\{(\w+)\}/g, (placeholder, name: string) => ({ timeZone, ...values })[name] ?? placeholder)
  return new Response(page, {
    status,
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

/** Returns the id of a package in a query or form. Defaults to the example package. */
export function toPackageId(text: string | null): number {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 42
}

function signInCookie(univid: string): string {
  return `${personaCookieName}=${univid}; Path=/; HttpOnly; SameSite=Strict`
}

/** Reads the template of a page, with the parts that it includes. */
export function readTemplate(name: string): string {
  return readAsset(name).replace(/<!-- include (\S+) -->/g, (_, part: string) => readAsset(part))
}

function readAsset(name: string): string {
  return readFileSync(new URL(`./demo/${name}`, import.meta.url), 'utf8')
}
