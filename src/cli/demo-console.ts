import { readFileSync } from 'node:fs'
import type { Mail, StoredCallback } from '../emulator/state/stored-packages.ts'
import {
  type ConsoleComment,
  type ConsoleEvent,
  latest,
  type ConsoleNotice,
  type ConsolePackage,
  callbackHtml,
  commentHtml,
  listHtml,
  mailHtml,
  noticeHtml,
  optionsHtml,
  packageHtml,
  timeHtml,
} from './demo-console-html.ts'
import { personas, readSiteForm, siteHeaders } from './demo-page.ts'

export interface ConsoleOptions {
  /** Address of both services with a trailing slash; empty until it is known. */
  readonly servicesUrl: () => string
  /** Address to which the routing service sends its callbacks. */
  readonly callbackUrl: () => string
  /** Client id that the console uses to read. */
  readonly clientId: string
  readonly clientSecret: string
}

/** Demo page that replaces the screens of the routing service. */
export interface EmulatorConsole {
  /** Handles `/console` and its forms. Never rejects. */
  readonly handle: (request: Request) => Promise<Response>
  /** Sets the callback URLs of an emulator that has just started. */
  readonly setUp: () => Promise<void>
}

const inPackage = 'test/forms/6025/packages/42'

/** Messages after a success, by the name of the action. */
const doneMessages: Readonly<Record<string, string>> = {
  sign: 'Package signed. Pages that show it update now.',
  submit: 'Package submitted. Pages that show it update now.',
  comment: 'Comment added. The service sends no callback for comments, so pages show it within 15 seconds.',
  deliver: 'Callbacks sent.',
  retry: 'Failed callbacks sent again.',
  advance: 'Clock moved forward.',
  reset: 'Data reset. Reload the pages that show the package.',
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
    throw new RejectedError(response.status, detail ?? `The emulator returned status ${response.status}`)
  }
  const read = <T>(path: string) =>
    callEmulator<T>(`wf/workflow/test/api/developer/forms/6025/packages/42${path}`, { headers: credentials })
  const control = <T>(method: string, path: string, body?: object) =>
    callEmulator<T>(`_emulator/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })

  async function setUp(): Promise<void> {
    const url = callbackUrl()
    // State callbacks do not report signatures. Stop callbacks report that the package has reached the next approvers.
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
      await setUp()
    },
  }

  async function act(request: Request, name: string): Promise<Response> {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action) return new Response('Not found', { status: 404, headers: siteHeaders })
    const form = await readSiteForm(request)
    if (form instanceof Response) return form
    try {
      await action(form)
      await control('POST', 'callbacks/deliver')
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error
      return await show(error.status, {
        title: 'Rejected',
        text: `The service rejected this: ${error.message}.`,
      })
    }
    return new Response(null, {
      status: 303,
      headers: { ...siteHeaders, Location: `/console?done=${name}` },
    })
  }

  async function show(status: number, notice?: ConsoleNotice): Promise<Response> {
    const [currentPackage, history, comments, clock, callbacks, outbox] = await Promise.all([
      read<ConsolePackage>(''),
      read<readonly ConsoleEvent[]>('/history'),
      read<readonly ConsoleComment[]>('/comments'),
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
        return await show(200, text ? { title: 'Done', text } : undefined)
      } catch {
        const text = 'The emulator is not running. It restarts within 30 seconds. Then reload this page.'
        return page(503, { title: 'Not running · ', notice: noticeHtml(text) })
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
