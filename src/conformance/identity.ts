import type { BrowserOperation } from '../contract/routes.ts'
import { routes } from '../contract/routes.ts'
import { type ConformanceSuite, listOf, namesOf, type Received } from './suite.ts'
import { check, type Check, client, formId, people } from './target.ts'
import { isOptional } from './rights.ts'
import { inputFor, type Fixture } from './fixture.ts'

/** What a browser might send to be taken for someone else, or for the application. */
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

/** The same as search parameters, which no operation of a package takes. */
const searches = [
  `x-workflow-request-user=${people.administrator}`,
  'x-workflow-bypass-authorization=true',
  `user=${people.administrator}`,
  'env=prod',
  '_method=PUT',
]

/** Checks that people are who they are signed in as, and nobody else. */
export async function* checkIdentity(bench: ConformanceSuite, world: Fixture): AsyncGenerator<Check> {
  for (const name of Object.keys(routes) as BrowserOperation[]) {
    yield check(`identity: ${name} takes no client id for a person`, async () => {
      const situation = routes[name].path.startsWith('/forms/') ? 'ROUTING' : null
      const input = inputFor(name, await world.sample(name, situation))
      const { status, received } = await bench.call(name, client.id, input)
      const isRefused = status === 401 || (status === 404 && isOptional(name))
      return isRefused && received.length === 0
        ? ''
        : `expected 401 and no call of a service, got ${status}; sent: ${listOf(received)}`
    })
  }

  // Names of headers are read as leniently here as some servers read them.
  await bench.control('PUT', '/quirks', ['lenient_requests'])
  const { packageId } = await world.sample('getPackage', 'ROUTING')
  const path = `/forms/${formId}/packages/${packageId}`
  const calls = [
    ...disguises.map((headers) => ({ title: JSON.stringify(headers), path, headers })),
    ...searches.map((search) => ({ title: `?${search}`, path: `${path}?${search}`, headers: {} })),
  ]
  for (const { title, ...call } of calls) {
    yield check(`identity: nobody is let in, or becomes someone else, by ${title}`, async () => {
      const { status, received } = await bench.raw({ method: 'GET', as: people.outsider, ...call })
      const wrong = received.find((each) => !isAs(people.outsider, each))
      const isKnown = status >= 400 && status < 500
      return isKnown && !wrong ? '' : `expected a refusal, got ${status}; sent: ${described(received)}`
    })
  }
  yield check(
    'identity: a call without any of this reaches the service as the person it is from',
    async () => {
      const { status, received } = await bench.raw({ method: 'GET', path, as: people.initiator })
      const isSeen = received.length > 0 && received.every((each) => isAs(people.initiator, each))
      return status === 200 && isSeen ? '' : `expected 200, got ${status}; sent: ${described(received)}`
    },
  )
  await bench.control('PUT', '/quirks', [])
}

/** Whether a request has exactly the headers of identity that it may have. */
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
