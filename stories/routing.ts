import { type BrowserOperation, routes } from '../src/contract/routes/routes.ts'
import { readPolicy } from '../src/proxy/rights/policy-rules.ts'
import { rulesPolicy } from '../src/proxy/rights/rules-policy.ts'
import { type Backend, createBackend, people, type Rights } from './backend.ts'

/** Creates a backend that performs something before it responds to the first request. */
export function after(
  perform: (backend: Backend) => Promise<void>,
  person: string = people.administrator,
  rights: Rights = {},
): Backend {
  const backend = createBackend(person, {}, [6025], {}, rights)
  const done = perform(backend)
  let isDone = false
  backend.intercept = (request) => {
    if (isDone) return undefined
    return done.then(() => {
      isDone = true
      return backend.emulator.fetch(request)
    })
  }
  return backend
}

/** A backend whose policy lets initiators withdraw a request until somebody else has signed it. */
export function withdrawable(person: string = people.initiator): Backend {
  const withdrawal = { name: 'Withdraw', operations: ['removePackage'], everyone: true }
  const rules = readPolicy({
    rules: [
      { ...withdrawal, if: ['initiator'], unless: ['signed'] },
      { name: 'Remove', operations: ['removePackage'], people: [people.administrator] },
    ],
  })
  return createBackend(person, {}, [6025], {}, { policy: rulesPolicy(() => rules) })
}

/** Lets the first approver sign after the proxy has checked that nobody has, in the moment of the withdrawal. */
export function signMeanwhile(backend: Backend): Backend {
  backend.intercept = (request) =>
    request.url.endsWith('/remove')
      ? sign(backend, people.firstApprover).then(() => backend.emulator.fetch(request))
      : undefined
  return backend
}

/** Advances the clock, then signs the package as an approver who has it in the inbox. */
export async function sign(backend: Backend, univid: string, later = '1h'): Promise<void> {
  await call(backend, 'POST', '/_emulator/clock', { advance: later })
  await call(backend, 'POST', '/_emulator/test/forms/6025/packages/42/sign', { univid })
}

export async function voidPackage(backend: Backend): Promise<void> {
  await tool(backend, 'PUT', '', { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' })
}

export async function tool(backend: Backend, method: string, path: string, body?: unknown): Promise<void> {
  await call(backend, method, `/wf/workflow/test/api/developer/tools/forms/6025/packages/42${path}`, body)
}

/** Sends a request to the emulator, as the service's own screens and the administrator's applications would. */
export async function call(
  { emulator }: Backend,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const response = await emulator.fetch(
    new Request(`http://emulator.test${path}`, {
      method,
      headers: {
        Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
        'x-workflow-request-user': people.administrator,
        'x-workflow-bypass-authorization': 'true',
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

/** Returns the package to its initiator, an hour later. */
export async function returnIt(backend: Backend): Promise<void> {
  await call(backend, 'POST', '/_emulator/clock', { advance: '1h' })
  await tool(backend, 'PUT', '/returnToInitiator', { comment: 'Add the <b>receipts</b>.' })
}

/** Lets a callback freeze the route at its second stop. It goes to an application that the proxy knows nothing of. */
export async function hold(backend: Backend, url = 'http://127.0.0.1:9/callbacks'): Promise<void> {
  await call(backend, 'PUT', '/_emulator/test/forms/6025/stops/2/callback', { url, freeze: true })
  await sign(backend, people.firstApprover)
}

/** Lets a callback to the proxy freeze the route at its second stop, and waits until the proxy has stored the lock. */
export async function freeze(backend: Backend): Promise<void> {
  await hold(backend, 'https://northfield.test/api/wf/callbacks')
  const { intercept } = backend
  const stored = new Promise<void>((resolve) => {
    backend.intercept = (request) => {
      // These requests of the proxy itself do not wait for the story: for the public key, then for the state of the package.
      if (request.headers.get('x-workflow-request-user') !== 'demo-app') return intercept(request)
      if (request.url.includes('/status?')) resolve()
      return undefined
    }
  })
  const response = await call(backend, 'POST', '/_emulator/callbacks/deliver')
  const callbacks = (await response.json()) as { readonly state: string }[]
  if (callbacks.some(({ state }) => state !== 'delivered'))
    throw new Error(`The proxy did not accept the callback: ${JSON.stringify(callbacks)}`)
  await stored
  backend.intercept = intercept
}

/** Lets everyone release locks. */
export const releasing: Rights = { operations: Object.keys(routes) as BrowserOperation[], policy: () => true }

/** Ends the route without its required document, as if nobody at the last stop had to sign. */
export async function skipToEnd(backend: Backend): Promise<void> {
  await sign(backend, people.firstApprover)
  const found = backend.emulator.packages.test.get(42)
  if (found) Object.assign(found, { inbox: [], position: [9, 9] })
}

/** The document that package 42 requires before it can be completed. */
export const receipt = {
  id: 1,
  type: 2,
  fileName: 'receipt.pdf',
  description: '',
  contentType: 'application/pdf',
  person: people.initiator,
  fileSize: 1,
  uploadTimestamp: '2026-11-16T10:00:00',
  object: 'receipt',
}

/** Lets the initiator of package 42 approve at the first stop, nobody at the second, and the dean at the third. */
export function useOddRoute({ emulator }: Backend): void {
  const form = emulator.forms.test.get(6025)
  if (!form) throw new Error('Form 6025 does not exist')
  const stop = (name: string, office: string, role: string) => ({
    name,
    destinations: [{ type: 'OFFICE_ROLE', office, role, permission: 'SIGNATURE_REQUIRED' }] as const,
  })
  const route = [
    stop('Laboratory', '11-0420-0010', 'Head'),
    stop('Department', '11-0430', 'Chair'),
    stop('College', '05-0333', 'Dean'),
  ]
  emulator.forms.test.set(6025, { ...form, route })
}
