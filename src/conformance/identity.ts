import type { BrowserOperation } from '../contract/routes/routes.ts'
import { routes } from '../contract/routes/routes.ts'
import { type ConformanceSuite, summaryOf, namesOf, type Received } from './suite.ts'
import { check, type Check, client, formId, people } from './target.ts'
import { isOptional } from './rights.ts'
import { inputFor, type Fixture } from './fixture.ts'

/** Headers with which a browser could try to act as another user or as the application. */
const disguises: readonly Readonly<Record<string, string>>[] = [
  { 'x-workflow-request-user': people.administrator },
  { 'X-WORKFLOW-REQUEST-USER': client.id },
  { x_workflow_request_user: people.administrator },
  { 'x-workflow_request-user': people.administrator },
  { 'x-workflow-bypass-authorization': 'true' },
  { 'X-Workflow-Bypass-Authorization': 'TRUE' },
  { x_workflow_bypass_authorization: 'true' },
  { 'x-workflow-bypass_authorization': 'true' },
  { 'x-http-method-override': 'PUT', 'x-workflow-bypass-authorization': 'true' },
  { 'x-original-url': '/wf/api/v2/public-key', 'x-rewrite-url': '/wf/api/v2/public-key' },
  { forwarded: 'for=127.0.0.1;host=emulator.test', 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
]

/** Search parameters for the same purpose. */
const searches = [
  `x-workflow-request-user=${people.administrator}`,
  'x-workflow-bypass-authorization=true',
  `user=${people.administrator}`,
  'env=prod',
  '_method=PUT',
]

/** Checks that every call acts as the signed-in user. */
export async function* checkIdentity(suite: ConformanceSuite, fixture: Fixture): AsyncGenerator<Check> {
  for (const name of Object.keys(routes) as BrowserOperation[]) {
    yield check(`identity: ${name} rejects a client id as the signed-in user`, async () => {
      const situation = routes[name].path.startsWith('/forms/') ? 'ROUTING' : null
      const input = inputFor(name, await fixture.sample(name, situation))
      const { status, received } = await suite.call(name, client.id, input)
      const isRefused = status === 401 || (status === 404 && isOptional(name))
      return isRefused && received.length === 0
        ? ''
        : `expected 401 and no request to a service, got ${status}; sent: ${summaryOf(received)}`
    })
  }

  // Like some servers, the emulator now treats `_` and `-` in header names as equal.
  await suite.control('PUT', '/quirks', ['lenient_requests'])
  const { packageId } = await fixture.sample('getPackage', 'ROUTING')
  const path = `/forms/${formId}/packages/${packageId}`
  const calls = [
    ...disguises.map((headers) => ({ title: JSON.stringify(headers), path, headers })),
    ...searches.map((search) => ({ title: `?${search}`, path: `${path}?${search}`, headers: {} })),
  ]
  for (const { title, ...call } of calls) {
    yield check(`identity: ${title} neither grants access nor changes the user`, async () => {
      const { status, received } = await suite.raw({ method: 'GET', as: people.outsider, ...call })
      const wrong = received.find((each) => !isAs(people.outsider, each))
      const isKnown = status >= 400 && status < 500
      return isKnown && !wrong ? '' : `expected a refusal, got ${status}; sent: ${described(received)}`
    })
  }
  yield check('identity: a plain call reaches the service as the signed-in user', async () => {
    const { status, received } = await suite.raw({ method: 'GET', path, as: people.initiator })
    const isSent = received.length > 0 && received.every((each) => isAs(people.initiator, each))
    return status === 200 && isSent ? '' : `expected 200, got ${status}; sent: ${described(received)}`
  })
  await suite.control('PUT', '/quirks', [])
}

/** Whether a request has exactly the expected identity headers. */
function isAs(univid: string, { headers }: Received): boolean {
  const names = namesOf(headers)
  const users = names.filter((name) => name === 'x-workflow-request-user')
  return (
    users.length === 1 &&
    headers['x-workflow-request-user'] === univid &&
    !names.includes('x-workflow-bypass-authorization') &&
    headers['authorization'] === `Basic ${btoa(`${client.id}:${client.secret}`)}`
  )
}

function described(received: readonly Received[]): string {
  return received
    .map(({ method, url, headers }) => `${method} ${url} ${namesOf(headers).join(' ')}`)
    .join(', ')
}
