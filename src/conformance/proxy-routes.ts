import { browserOperations } from '../contract/services/browser-operations.ts'
import { verificationHeader } from '../contract/schemas/callbacks.ts'
import { keyHeader } from '../contract/values/headers.ts'
import type { BrowserOperation } from '../contract/routes/routes.ts'
import { ownRoutes } from '../contract/routes/own-routes.ts'
import { isRecord } from '../contract/values/values.ts'
import { Session } from '../contract/schemas/session.ts'
import { type ConformanceSuite, summaryOf, mutationsOf } from './suite.ts'
import { check, type Check, formId, people } from './target.ts'
import type { Fixture } from './fixture.ts'

/** Checks the routes that the proxy serves itself. */
export async function* checkProxyRoutes(suite: ConformanceSuite, fixture: Fixture): AsyncGenerator<Check> {
  yield check('session: it names the signed-in user and what the site serves', async () => {
    const { status, json } = await suite.raw({ method: 'GET', path: '/session', as: people.viewer })
    const { data } = Session.safeParse(json)
    if (status !== 200 || !data)
      return `expected a session, got ${status} ${JSON.stringify(json)?.slice(0, 200)}`
    const { univid, env, forms, allows } = data
    const isRight = univid === people.viewer && env === suite.env && forms.includes(formId)
    const known = { ...browserOperations, ...ownRoutes }
    const unknown = allows.operations.filter((name) => !Object.hasOwn(known, name))
    if (unknown.length > 0) return `unknown operations: ${unknown.join(', ')}`
    return isRight
      ? ''
      : `expected ${people.viewer}, ${suite.env} and ${formId}, got ${JSON.stringify(data).slice(0, 200)}`
  })
  yield check('session: it needs a signed-in user', async () => {
    const { status } = await suite.raw({ method: 'GET', path: '/session', as: null })
    return status === 401 ? '' : `expected 401, got ${status}`
  })

  yield check('openapi: the document describes exactly the operations of the contract', async () => {
    const { status, json } = await suite.raw({
      method: 'GET',
      path: '/openapi.json',
      as: null,
      headers: { 'x-routeslip': null },
    })
    const version = isRecord(json) ? json['openapi'] : undefined
    if (status !== 200 || !String(version).startsWith('3.1'))
      return `expected OpenAPI 3.1, got ${status} ${String(version)}`
    const paths = isRecord(json) && isRecord(json['paths']) ? json['paths'] : {}
    const found = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(isRecord(methods) ? methods : {}).map((method) => `${method} ${path}`),
    )
    const lineOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
      `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`
    const expected = Object.values({ ...browserOperations, ...ownRoutes }).map(lineOf)
    // A proxy may describe only what it serves.
    const optional = Object.entries(browserOperations)
      .filter(([name]) => suite.isOmitted(name as BrowserOperation))
      .map(([, operation]) => lineOf(operation))
    const missing = expected.filter((each) => !found.includes(each) && !optional.includes(each))
    const spare = found.filter((each) => !expected.includes(each))
    const differences = [...missing.map((each) => `without ${each}`), ...spare.map((each) => `with ${each}`)]
    return differences.join(', ')
  })

  const callback = `{"@class":"developer","formId":${formId},"packageId":42,"state":"ROUTING"}`
  for (const signature of [null, '', 'x', btoa('x'.repeat(63)), `${'A'.repeat(86)}==, ${'A'.repeat(86)}==`]) {
    yield check(`callbacks: the signature ${JSON.stringify(signature)} is refused`, async () => {
      const { status, received } = await suite.raw({
        method: 'POST',
        path: '/callbacks',
        as: null,
        headers: { [verificationHeader]: signature, 'x-routeslip': null, 'sec-fetch-site': null },
        body: callback,
      })
      return status === 401 && mutationsOf(received).length === 0
        ? ''
        : `expected 401 and nothing changed, got ${status}; sent: ${summaryOf(received)}`
    })
  }

  yield* checkKeys(suite, fixture)

  const { packageId } = await fixture.sample('getPackage', 'ROUTING')
  const events = {
    method: 'GET',
    path: `/events?package=${formId}-${packageId}`,
    headers: { accept: 'text/event-stream' },
  }
  yield check('events: the stream needs a signed-in user', async () => {
    const response = await suite.open({ ...events, as: null })
    await response.body?.cancel()
    return response.status === 401 ? '' : `expected 401, got ${response.status}`
  })
  yield check('events: the stream starts immediately and has the type text/event-stream', async () => {
    const response = await suite.open({ ...events, as: people.initiator })
    const type = response.headers.get('content-type') ?? ''
    const reader = response.body?.getReader()
    const late = setTimeout(() => void reader?.cancel(), 5000)
    const first = await reader?.read()
    clearTimeout(late)
    await reader?.cancel()
    const isStream = response.status === 200 && type.startsWith('text/event-stream')
    return isStream && first?.value !== undefined
      ? ''
      : `expected a text/event-stream that starts within 5 seconds, got ${response.status} ${type}`
  })
}

/** Checks that a change with an `Idempotency-Key` runs once. */
async function* checkKeys(suite: ConformanceSuite, fixture: Fixture): AsyncGenerator<Check> {
  const { packageId } = await fixture.sample('voidPackage', 'ROUTING')
  const change = (key: string, voidReason = 'INCORRECT_FORM') =>
    suite.raw({
      method: 'PUT',
      path: `/forms/${formId}/packages/${packageId}/void`,
      as: people.initiator,
      headers: { [keyHeader]: key },
      body: JSON.stringify({ id: packageId, state: 'VOID', voidReason }),
    })
  const key = `"${crypto.randomUUID()}"`

  yield check('keys: a key that is not valid gets 400, and nothing is sent', async () => {
    const { status, received } = await change('unquoted')
    return status === 400 && received.length === 0
      ? ''
      : `expected 400, got ${status}; sent: ${summaryOf(received)}`
  })
  yield check('keys: a repeated change gets the same reply, and is sent once', async () => {
    const first = await change(key)
    const second = await change(key)
    const isOnce = mutationsOf(first.received).length === 1 && mutationsOf(second.received).length === 0
    return first.status === 200 && second.status === 200 && second.text === first.text && isOnce
      ? ''
      : `expected 200 twice and one change, got ${first.status} and ${second.status}; sent: ${summaryOf([...first.received, ...second.received])}`
  })
  yield check('keys: the key of another change gets 422', async () => {
    const { status, received } = await change(key, 'DUPLICATE_TRANSACTION')
    return status === 422 && mutationsOf(received).length === 0
      ? ''
      : `expected 422 and nothing changed, got ${status}; sent: ${summaryOf(received)}`
  })
}
