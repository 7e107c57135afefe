import type { Mail, StoredCallback } from '../emulator/state/stored-packages.ts'
import {
  type ConsoleComment,
  type ConsoleEvent,
  latest,
  type ConsoleNotice,
  type ConsolePackage,
  type ListedPackage,
  callbackHtml,
  commentHtml,
  listHtml,
  mailHtml,
  noticeHtml,
  optionsHtml,
  packageHtml,
  packageOptionsHtml,
  timeHtml,
} from './demo-console-html.ts'
import { personas, readSiteForm, readTemplate, siteHeaders, toPackageId } from './demo-page.ts'

interface ConsoleOptions {
  /** Addresses of both services with a trailing slash, and of the recipient of callbacks; empty until they are known. */
  readonly addresses: () => { readonly services: string; readonly callbacks: string }
  /** Client id that the console uses to read. */
  readonly clientId: string
  readonly clientSecret: string
  /** Stops both services for 20 seconds. */
  readonly failServices: () => Promise<void>
  /** Makes the site and the proxy forget what they know of requests and files, after a reset of the services. */
  readonly forget: () => Promise<void>
}

/** Demo page that replaces the screens of the routing service. */
interface EmulatorConsole {
  /** Handles `/console` and its forms. Never rejects. */
  readonly handle: (request: Request) => Promise<Response>
  /** Sets the callback URLs of an emulator that has just started. */
  readonly setUp: () => Promise<void>
}

const form = 'test/forms/6025'

/** Messages after a success, by the name of the action. */
const doneMessages: Readonly<Record<string, string>> = {
  sign: 'Package signed. Pages that show it update now.',
  submit: 'Package submitted. Pages that show it update now.',
  comment: 'Comment added. The service sends no callback for comments, so pages show it within 5 seconds.',
  deliver: 'Callbacks sent.',
  retry: 'Failed callbacks sent again.',
  advance: 'Clock moved forward.',
  pause: 'Requests that reach the stop College now pause there.',
  unpause: 'Requests that reach the stop College do not pause any more.',
  reset: 'Data and lists reset. Reload the pages that show a request.',
}

/** Durations by which users can advance the clock. */
const advances = { '1m': '1 minute', '1h': '1 hour', '1d': '1 day' }

/**
 * Creates the console. It is plain HTML: each form posts and redirects to the page. After each action, callbacks are sent
 * at once. The real service takes up to a minute.
 */
export function createConsole({
  addresses,
  clientId,
  clientSecret,
  failServices,
  forget,
}: ConsoleOptions): EmulatorConsole {
  const template = readTemplate('console.html')
  const credentials = {
    Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    'x-workflow-request-user': clientId,
  }

  async function callEmulator<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(addresses().services + path, {
      signal: AbortSignal.timeout(30_000),
      ...init,
    })
    if (response.ok) return (await response.json()) as T
    const { detail } = (await response.json()) as { detail?: string }
    throw new RejectedError(response.status, detail ?? `The emulator returned status ${response.status}`)
  }
  const read = <T>(packageId: number, path: string) =>
    callEmulator<T>(`wf/workflow/test/api/developer/forms/6025/packages/${packageId}${path}`, {
      headers: credentials,
    })
  const control = <T>(method: string, path: string, body?: object) =>
    callEmulator<T>(`_emulator/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })

  async function setUp(): Promise<void> {
    const url = addresses().callbacks
    // State callbacks do not report signatures. Stop callbacks report that the package has reached the next approvers.
    for (const place of ['', 'stops/1/', 'stops/2/']) {
      await control('PUT', `${form}/${place}callback`, { url })
    }
  }

  /** Sets whether the callback of the second stop, College, freezes the route (spec, Events). */
  async function setFreeze(freeze: boolean): Promise<void> {
    await control('PUT', `${form}/stops/2/callback`, { url: addresses().callbacks, freeze })
  }

  type Action = (fields: URLSearchParams, packageId: number) => Promise<unknown>
  const actions: Readonly<Record<string, Action>> = {
    sign: (fields, packageId) =>
      control('POST', `${form}/packages/${packageId}/sign`, { univid: fields.get('univid') }),
    submit: (fields, packageId) =>
      control('POST', `${form}/packages/${packageId}/submit`, { univid: fields.get('univid') }),
    comment: (fields, packageId) =>
      control('POST', `${form}/packages/${packageId}/comments`, {
        univid: fields.get('univid'),
        comment: fields.get('comment'),
        approversOnly: fields.has('approversOnly'),
      }),
    deliver: () => Promise.resolve(),
    pause: () => setFreeze(true),
    unpause: () => setFreeze(false),
    stop: failServices,
    retry: () => control('POST', 'callbacks/retry'),
    advance: (fields) => control('POST', 'clock', { advance: fields.get('advance') }),
    reset: async () => {
      await control('POST', 'reset', { scenario: 'demo' })
      await forget()
      await setUp()
    },
  }

  async function act(request: Request, name: string): Promise<Response> {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action) return new Response('Not found', { status: 404, headers: siteHeaders })
    const fields = await readSiteForm(request)
    if (fields instanceof Response) return fields
    const packageId = toPackageId(fields.get('package'))
    try {
      await action(fields, packageId)
      if (name !== 'stop') await control('POST', 'callbacks/deliver')
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error
      return await show(packageId, error.status, {
        title: 'Rejected',
        text: `The service rejected this: ${error.message}.`,
      })
    }
    return new Response(null, {
      status: 303,
      headers: { ...siteHeaders, Location: `/console?package=${packageId}&done=${name}` },
    })
  }

  async function show(packageId: number, status: number, notice?: ConsoleNotice): Promise<Response> {
    const [packages, currentPackage, history, comments, clock, callbacks, outbox] = await Promise.all([
      control<readonly ListedPackage[]>('GET', `${form}/packages`),
      read<ConsolePackage>(packageId, ''),
      read<readonly ConsoleEvent[]>(packageId, '/history'),
      read<readonly ConsoleComment[]>(packageId, '/comments'),
      control<{ now: string }>('GET', 'clock'),
      control<readonly StoredCallback[]>('GET', 'callbacks'),
      control<readonly Mail[]>('GET', 'outbox'),
    ])
    const names = new Map(
      history.flatMap(({ person }) => (person ? [[person.univid, person.displayName]] : [])),
    )
    return page(status, {
      title: notice ? `${notice.title} · ` : '',
      notice: notice ? noticeHtml(notice.text) : '',
      id: String(packageId),
      packages: packageOptionsHtml(packages, packageId),
      state: packageHtml(currentPackage, history),
      people: optionsHtml(personas.map(({ univid, name, role }) => [univid, `${name} (${role})`])),
      comments: listHtml(comments.map(commentHtml), 'There are no comments.'),
      now: timeHtml(clock.now),
      advances: optionsHtml(Object.entries(advances)),
      callbacks: listHtml(latest(callbacks).map(callbackHtml), 'No callbacks yet.'),
      outbox: listHtml(
        latest(outbox).map((mail) => mailHtml(mail, names)),
        'No emails yet.',
      ),
    })
  }

  function showStopped(): Response {
    const text =
      'Both services are stopped. They start again within 30 seconds, with all their data. Look at the page of a request meanwhile, then reload this page.'
    return page(503, { title: 'Stopped · ', id: '42', notice: noticeHtml(text), hidden: 'hidden' })
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
    setUp,
    async handle(request) {
      const { pathname, searchParams } = new URL(request.url)
      try {
        if (request.method === 'POST') return await act(request, pathname.slice('/console/'.length))
        if (request.method !== 'GET')
          return new Response('Method not allowed', { status: 405, headers: siteHeaders })
        if (pathname !== '/console') return new Response('Not found', { status: 404, headers: siteHeaders })
        const text = doneMessages[searchParams.get('done') ?? '']
        const packageId = toPackageId(searchParams.get('package'))
        return await show(packageId, 200, text ? { title: 'Done', text } : undefined)
      } catch (error) {
        if (error instanceof RejectedError) {
          return new Response(error.message, { status: error.status, headers: siteHeaders })
        }
        return showStopped()
      }
    },
  }
}

/** The emulator rejected a request. The message is its reason. */
class RejectedError extends Error {
  override readonly name = 'RejectedError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
