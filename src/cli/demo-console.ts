import { readFileSync } from 'node:fs'
import type { Mail, StoredCallback } from '../emulator/state/stored-packages.ts'
import { personas, readPersonaForm, siteHeaders } from './demo-page.ts'

export interface ConsoleOptions {
  /** Address of both services with a trailing slash; empty until it is known. */
  readonly servicesUrl: () => string
  /** Where the routing service is to send its callbacks. */
  readonly callbackUrl: () => string
  /** Credentials with which the console reads. */
  readonly clientId: string
  readonly clientSecret: string
}

/** Demo page that replaces the screens of the routing service. */
export interface EmulatorConsole {
  /** Handles `/console` and its forms. Never rejects. */
  readonly handle: (request: Request) => Promise<Response>
  /** Sets the callback URLs of an emulator that has just started. */
  readonly prepare: () => Promise<void>
}

const inPackage = 'test/forms/6025/packages/42'

/** Messages after a success, by the name of the form. */
const done: Readonly<Record<string, string>> = {
  sign: 'Package signed. Pages that show it have been updated.',
  submit: 'Package submitted. Pages that show it have been updated.',
  comment:
    'Comment added. The service sends no callback for comments, so pages show it after their next poll.',
  deliver: 'Callbacks sent.',
  retry: 'Failed callbacks sent again.',
  advance: 'The clock has moved on.',
  reset: 'All data has been reset. Reload the pages that show the package.',
}

/** Durations by which users can advance the clock. */
const advances = { '1m': '1 minute', '1h': '1 hour', '1d': '1 day' }

/**
 * Creates the console. It is plain HTML: each form posts and redirects to the page. After each action, callbacks are sent
 * at once. The real service takes up to a minute.
 */
export function createConsole({
  servicesUrl,
  callbackUrl,
  clientId,
  clientSecret,
}: ConsoleOptions): EmulatorConsole {
  const template = readFileSync(new URL('./demo/console.html', import.meta.url), 'utf8')
  const credentials = {
    Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    'x-workflow-request-user': clientId,
  }

  async function callEmulator<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(servicesUrl() + path, { signal: AbortSignal.timeout(5000), ...init })
    if (response.ok) return (await response.json()) as T
    const { detail } = (await response.json()) as { detail?: string }
    throw new RefusedError(response.status, detail ?? `The emulator returned status ${response.status}`)
  }
  const read = <T>(what: string) =>
    callEmulator<T>(`wf/workflow/test/api/developer/forms/6025/packages/42${what}`, { headers: credentials })
  const control = <T>(method: string, path: string, body?: object) =>
    callEmulator<T>(`_emulator/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })

  async function prepare(): Promise<void> {
    const url = callbackUrl()
    // Callbacks of states do not report signatures; callbacks of stops report that the next approvers have the package.
    for (const place of ['', 'stops/1/', 'stops/2/']) {
      await control('PUT', `test/forms/6025/${place}callback`, { url })
    }
  }

  const actions: Readonly<Record<string, (form: URLSearchParams) => Promise<unknown>>> = {
    sign: (form) => control('POST', `${inPackage}/sign`, { univid: form.get('univid') }),
    submit: (form) => control('POST', `${inPackage}/submit`, { univid: form.get('univid') }),
    comment: (form) =>
      control('POST', `${inPackage}/comments`, {
        univid: form.get('univid'),
        comment: form.get('comment'),
        approversOnly: form.has('approversOnly'),
      }),
    deliver: () => Promise.resolve(),
    retry: () => control('POST', 'callbacks/retry'),
    advance: (form) => control('POST', 'clock', { advance: form.get('advance') }),
    reset: async () => {
      await control('POST', 'reset', { scenario: 'small' })
      await prepare()
    },
  }

  async function act(request: Request, name: string): Promise<Response> {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action) return new Response('Not found', { status: 404, headers: siteHeaders })
    const form = await readPersonaForm(request)
    if (form instanceof Response) return form
    try {
      await action(form)
      await control('POST', 'callbacks/deliver')
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      return await show(error.status, { title: 'Refused', text: `The service refuses: ${error.message}.` })
    }
    return new Response(null, {
      status: 303,
      headers: { ...siteHeaders, Location: `/console?done=${name}` },
    })
  }

  async function show(status: number, notice?: Notice): Promise<Response> {
    const [found, history, comments, clock, callbacks, outbox] = await Promise.all([
      read<Package>(''),
      read<readonly HistoryEvent[]>('/history'),
      read<readonly Comment[]>('/comments'),
      control<{ now: string }>('GET', 'clock'),
      control<readonly StoredCallback[]>('GET', 'callbacks'),
      control<readonly Mail[]>('GET', 'outbox'),
    ])
    const names = new Map(
      history.flatMap(({ person }) => (person ? [[person.univid, person.displayName]] : [])),
    )
    return page(status, {
      title: notice ? `${notice.title} · ` : '',
      notice: notice ? noticeOf(notice.text) : '',
      state: packageOf(found, history),
      people: options(personas.map(({ univid, name, role }) => [univid, `${name} (${role})`])),
      comments: list(comments.map(commentOf), 'There are no comments.'),
      now: time(clock.now),
      advances: options(Object.entries(advances)),
      callbacks: list(newest(callbacks).map(callbackOf), 'No callbacks yet.'),
      outbox: list(
        newest(outbox).map((mail) => mailOf(mail, names)),
        'No emails yet.',
      ),
    })
  }

  function page(status: number, parts: Readonly<Record<string, string>>): Response {
    const html = template.replaceAll(/<!-- (\w+) -->|\{(\w+)\}/g, (_, comment: string, word: string) => {
      return parts[comment ?? word] ?? ''
    })
    return new Response(html, {
      status,
      headers: { ...siteHeaders, 'Content-Type': 'text/html; charset=utf-8' },
    })
  }

  return {
    prepare,
    async handle(request) {
      const { pathname, searchParams } = new URL(request.url)
      try {
        if (request.method === 'POST') return await act(request, pathname.slice('/console/'.length))
        if (request.method !== 'GET')
          return new Response('Not allowed', { status: 405, headers: siteHeaders })
        if (pathname !== '/console') return new Response('Not found', { status: 404, headers: siteHeaders })
        const text = done[searchParams.get('done') ?? '']
        return await show(200, text ? { title: 'Done', text } : undefined)
      } catch {
        const text =
          'The emulator is not running. It starts again within half a minute: then load this page again.'
        return page(503, { title: 'Not running · ', notice: noticeOf(text) })
      }
    },
  }
}

/** The emulator has said no, and why. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface Notice {
  readonly title: string
  readonly text: string
}

interface Person {
  readonly univid: string
  readonly displayName: string
}

interface Package {
  readonly state: string
  readonly initiator: Person
}

interface HistoryEvent {
  readonly person?: Person
  readonly stop?: { readonly name: string | null } | null
  readonly permission?: string
  readonly isInInbox?: boolean
}

interface Comment {
  readonly comment: string
  readonly approversOnly: boolean
  readonly createdAt: string
  readonly person: Person
}

/** What the page begins with, and where the focus is. */
function noticeOf(text: string): string {
  return `<p class="notice" tabindex="-1" autofocus>${escape(text)}</p>`
}

/** The state of the package, and a button for each who can do something about it. */
function packageOf({ state, initiator }: Package, history: readonly HistoryEvent[]): string {
  const rows = history.flatMap(({ person, stop, permission = '', isInInbox }) => {
    if (!isInInbox || !person) return []
    const button = permission.startsWith('SIGNATURE') ? buttonFor('sign', 'Sign', person) : ''
    return `<span><bdi>${escape(person.displayName)}</bdi>, ${escape(stop?.name ?? '')}: ${words(permission)}</span>${button}`
  })
  if (state === 'DRAFT')
    rows.push(`<span>Returned to the initiator</span>${buttonFor('submit', 'Submit', initiator)}`)
  return `<p>State: <strong>${words(state)}</strong></p>${list(rows, 'The package is not in any inbox.')}`
}

function buttonFor(action: string, verb: string, { univid, displayName }: Person): string {
  return `<form action="/console/${action}" method="post"><button name="univid" value="${escape(univid)}">${verb} as <bdi>${escape(displayName)}</bdi></button></form>`
}

function commentOf({ comment, approversOnly, createdAt, person }: Comment): string {
  const to = approversOnly ? ', for approvers only' : ''
  return `${time(createdAt)} <bdi>${escape(person.displayName)}</bdi>${to}: <bdi>${escape(comment)}</bdi>`
}

function callbackOf({ body, state }: StoredCallback): string {
  const sent = JSON.parse(body) as { createdAt: string; state: string; stop: { name: string } | null }
  const what = sent.stop ? `arrived at stop ${escape(sent.stop.name)}` : `state ${words(sent.state)}`
  return `${time(sent.createdAt)} ${what}: <strong>${words(state)}</strong>`
}

function mailOf({ sentAt, subject, recipients }: Mail, names: ReadonlyMap<string, string>): string {
  const to = recipients.map(({ univid, email }) => escape(names.get(univid) ?? email ?? univid))
  return `${time(sentAt)} <bdi>${escape(subject)}</bdi>, to ${to.join(', ')}`
}

function newest<T>(rows: readonly T[]): readonly T[] {
  return rows.slice(-6).reverse()
}

function list(rows: readonly string[], none: string): string {
  if (rows.length === 0) return `<p>${none}</p>`
  return `<ul class="rows">${rows.map((row) => `<li>${row}</li>`).join('')}</ul>`
}

function options(rows: readonly (readonly [value: string, label: string])[]): string {
  return rows.map(([value, label]) => `<option value="${value}">${escape(label)}</option>`).join('')
}

function time(local: string): string {
  return `<time datetime="${escape(local)}">${escape(local.replace('T', ' '))}</time>`
}

/** `SIGNATURE_REQUIRED` as words. */
function words(value: string): string {
  return escape(value.toLowerCase().replaceAll('_', ' '))
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
