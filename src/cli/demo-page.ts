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

/** Path of the page with the lists of requests. */
const startPath = '/start'

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
 * `scripts` are the scripts of the elements by path. `handleConsole` handles `/console` and all paths below it. The pages
 * remember the files of each person in `workingFiles`.
 */
export function createPage(
  scripts: ReadonlyMap<string, string>,
  handleConsole: (request: Request) => Promise<Response>,
  workingFiles = new WorkingFiles(),
): (request: Request) => Promise<Response> {
  const pageTemplate = readTemplate('page.html')
  const startTemplate = readTemplate('start.html')
  const formTemplate = readTemplate('form.html')
  const adminTemplate = readTemplate('admin.html')
  const deniedTemplate = readTemplate('denied.html')
  const files = new Map<string, readonly [type: string, content: string]>([
    ['/page.css', ['text/css; charset=utf-8', readAsset('page.css')]],
    ['/page.js', ['text/javascript; charset=utf-8', readAsset('page.js')]],
    ['/admin.js', ['text/javascript; charset=utf-8', readAsset('admin.js')]],
    ['/crest.svg', ['image/svg+xml', readAsset('crest.svg')]],
  ])
  for (const [path, script] of scripts) files.set(path, ['text/javascript; charset=utf-8', script])

  /** Renders the page of a path: the lists of requests, a request, the form of a request, an empty form, one that is filled in from an earlier request, or the administration. */
  function render(request: Request, { pathname, searchParams }: URL): Response | undefined {
    const persona = personaOf(request)
    if (pathname === '/admin') return renderAdmin(persona, toPackageId(searchParams.get('package')))
    if (pathname === startPath) {
      const formList = persona.univid === administrator ? formListSection(localTimeZone()) : ''
      return renderPage(persona, startTemplate, { current: startPath, formList })
    }
    if (pathname === '/new') {
      const copy = toId(searchParams.get('copy'))
      return renderPage(persona, formTemplate, {
        current: pathname,
        title: 'New travel request',
        id: '',
        copy,
      })
    }
    const [, packageId = '42', edit] = /^\/requests\/([1-9]\d{0,8})(\/edit)?$/.exec(pathname) ?? []
    if (pathname !== '/' && !pathname.startsWith('/requests/')) return undefined
    if (edit) {
      const title = `Edit travel request ${packageId}`
      return renderPage(persona, formTemplate, { request: packageId, title, id: packageId, copy: '' })
    }
    const lead =
      leads[packageId] ?? 'Follow your request here. You get an email when somebody needs an answer.'
    const uuids = workingFiles.of(persona.univid).join(' ')
    return renderPage(persona, pageTemplate, {
      current: `/requests/${packageId}`,
      request: packageId,
      packageId,
      lead,
      notice: searchParams.has('submitted') ? submittedNotice : '',
      workingFiles: uuids,
    })
  }

  function renderAdmin(persona: (typeof personas)[number], packageId: number): Response {
    if (persona.univid !== administrator) return renderPage(persona, deniedTemplate, {}, 403)
    return renderPage(persona, adminTemplate, {
      current: '/admin',
      request: `${packageId}`,
      packageId: `${packageId}`,
      workingFiles: workingFiles.all().join(' '),
      grantees,
    })
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

/** What the page that follows a submission says first. It takes the focus, so that everybody notices it. */
const submittedNotice =
  '<p class="notice for-participants" tabindex="-1" autofocus>Your request has been submitted.</p>'

/** The list of the form, which only the administrator sees. */
const formListSection = (timeZone: string): string => `<h2>All travel requests</h2>
        <wf-list
          endpoint="/api/wf"
          view="form"
          forms="6025"
          form-names='{"6025": "Travel request"}'
          title-field="purpose"
          detail-url="/requests/{packageId}"
          inbox-url="/console"
          time-zone="${timeZone}"
        ></wf-list>`

/** The time zone of this machine, which the emulator uses. */
function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Entry of the navigation that only the administrator sees. */
const administrationLink = '<li><a href="/admin">Administration</a></li>'

function personaOf(request: Request): (typeof personas)[number] {
  const chosen = cookiePattern.exec(request.headers.get('cookie') ?? '')?.[1]
  return personas.find(({ univid }) => univid === chosen) ?? personas[0]
}

/**
 * Renders a template for a persona, who is signed in from now on. `values` replace their names in braces and in comments.
 * `current` is the path that the navigation marks. `request` is the number of the request to which it leads, by default 42.
 */
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
  const known: Readonly<Record<string, string>> = {
    timeZone: localTimeZone(),
    request: '42',
    personas: options.join(''),
    administration: persona.univid === administrator ? administrationLink : '',
    ...values,
  }
  const page = template
    .replace(
      /<!-- (\w+) -->|\{(\w+)\}/g,
      (whole, part?: string, word?: string) => known[part ?? word ?? ''] ?? whole,
    )
    .replace(`<li><a href="${known.current}"`, '$& aria-current="page"')
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
    headers: {
      ...siteHeaders,
      Location: pageAfterSwitch(request),
      'Set-Cookie': signInCookie(persona.univid),
    },
  })
}

/** The lists stay, and show those of the other person. A request may not be available to that person. */
function pageAfterSwitch(request: Request): string {
  const from = request.headers.get('referer') ?? ''
  return URL.canParse(from) && new URL(from).pathname === startPath ? startPath : '/'
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
  return Number(toId(text) || 42)
}

/** Returns an id in a query or form; empty if there is none. */
function toId(text: string | null): string {
  return text && /^[1-9]\d{0,8}$/.test(text) ? text : ''
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
