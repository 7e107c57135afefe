import { browserOperations, type OperationForBrowsers } from '../contract/services/browser-operations.ts'
import { Entry } from '../contract/schemas/entry.ts'
import { callHeader } from '../contract/values/headers.ts'
import { Problem, problemType } from '../contract/schemas/problem.ts'
import type { BrowserOperation } from '../contract/routes/routes.ts'
import { type ConformanceSuite, summaryOf, type ObservedResponse } from './suite.ts'
import { check, type Check, client, formId, people } from './target.ts'
import { inputFor, type Fixture } from './fixture.ts'

/** Operations that read something about one package. */
const reads = (Object.entries(browserOperations) as [BrowserOperation, OperationForBrowsers][])
  .filter(
    ([, { method, path, rights }]) => method === 'GET' && path.startsWith('/forms/') && rights !== 'policy',
  )
  .map(([name]) => name)

/** Whether a response can have any field, because the form defines them. */
const hasFormFields = (name: BrowserOperation) =>
  (browserOperations[name] as OperationForBrowsers).result === Entry

/** Values of the headers that the quirk `foreign_headers` adds. */
const foreignHeaders: Readonly<Record<string, RegExp>> = {
  'set-cookie': /SERVICE_SESSION/,
  'www-authenticate': /realm="service"/,
  location: /elsewhere[.]example/,
  'access-control-allow-origin': /^[*]$/,
  'content-security-policy': /default-src [*]/,
  'clear-site-data': /cookies/,
  'x-powered-by': /Servlet/,
}

/** Checks which parts of the services' responses reach a browser. */
export async function* checkResponses(suite: ConformanceSuite, fixture: Fixture): AsyncGenerator<Check> {
  const sample = await fixture.sample('getPackage', 'ROUTING')
  const request = (name: BrowserOperation, version?: string) =>
    suite.call(name, people.initiator, {
      ...inputFor(name, sample),
      ...(version !== undefined && { version }),
    })

  const { packageId } = sample
  await suite.control('POST', `/${suite.env}/forms/${formId}/packages/${packageId}/comments`, {
    univid: people.initiator,
    comment: 'A comment',
  })
  for (const name of reads) {
    const { result, results = {}, response }: OperationForBrowsers = browserOperations[name]
    yield check(`responses: ${name} is not cacheable, is marked and has the right media type`, async () => {
      const { status, headers } = await request(name)
      const type = headers.get('content-type') ?? ''
      const isTyped = response !== 'json' || /^application\/json(?:;|$)/.test(type)
      const isSafe =
        /no-store/.test(headers.get('cache-control') ?? '') &&
        headers.get('x-content-type-options') === 'nosniff' &&
        headers.has(callHeader)
      return status === 200 && isTyped && isSafe
        ? ''
        : `expected 200 with no-store, nosniff and ${callHeader}, got ${status} ${type} ${headers.get('cache-control')} ${headers.get('x-content-type-options')} ${headers.get(callHeader)}`
    })
    if (response === 'file') {
      yield check(`responses: ${name} is an attachment`, async () => {
        const { headers } = await request(name)
        const disposition = headers.get('content-disposition') ?? ''
        return disposition.startsWith('attachment') ? '' : `expected attachment, got ${disposition}`
      })
    }
    for (const [version, schema] of [[undefined, result] as const, ...Object.entries(results)]) {
      if (!schema) continue
      yield check(
        `responses: ${name}${version ? ` in version ${version}` : ''} matches the contract`,
        async () => {
          const { status, json, text } = await request(name, version)
          const parsed = schema.safeParse(json)
          return status === 200 && parsed.success && text.length > 2
            ? ''
            : `expected 200 and a response that matches the contract, got ${status} ${JSON.stringify(json)?.slice(0, 200)}`
        },
      )
    }
  }

  await suite.control('PUT', '/quirks', ['foreign_headers'])
  for (const name of [...reads, 'updateEntry', 'getFileMeta'] as const) {
    yield check(`responses: ${name} has none of the service's own headers`, async () => {
      const { headers } = await suite.call(name, people.firstApprover, inputFor(name, sample))
      const passed = Object.entries(foreignHeaders).filter(([header, value]) =>
        value.test(headers.get(header) ?? ''),
      )
      return passed.map(([header]) => `${header}: ${headers.get(header)}`).join(', ')
    })
  }
  await suite.control('PUT', '/quirks', ['unknown_values'])
  for (const name of reads.filter(
    (each) => browserOperations[each].response === 'json' && !hasFormFields(each),
  )) {
    yield check(`responses: ${name} has only fields of the contract`, async () => {
      const { status, text } = await request(name)
      return status === 200 && !text.includes('internal.example') ? '' : `got ${status} ${text.slice(0, 200)}`
    })
  }
  yield check('responses: getHistory keeps events of an unknown class', async () => {
    const { text } = await request('getHistory')
    return text.includes('escalation') ? '' : 'expected the event of the class "escalation"'
  })
  await suite.control('PUT', '/quirks', ['echo_authorization', 'foreign_headers'])
  yield check('responses: a refusal of the service does not reveal credentials', async () => {
    const response = await suite.call('getPackage', people.outsider, inputFor('getPackage', sample))
    const revealed = response.text + [...response.headers.values()].join()
    const isRevealed =
      revealed.includes(btoa(`${client.id}:${client.secret}`)) || revealed.includes(client.secret)
    return isRevealed ? `got ${response.text}` : problemWrong(response, [403, 404])
  })
  await suite.control('PUT', '/quirks', [])

  yield* checkFaults(suite, (name) => request(name))
}

function* checkFaults(
  suite: ConformanceSuite,
  request: (name: BrowserOperation) => Promise<ObservedResponse>,
): Generator<Check> {
  const faults: readonly (readonly [object, readonly number[]])[] = [
    [{ status: 401 }, [502]],
    [{ status: 302 }, [502]],
    [{ status: 404 }, [404]],
    [{ status: 409 }, [409]],
    [{ status: 429 }, [429, 503]],
    [{ status: 500 }, [502, 503]],
    [{ status: 503 }, [502, 503]],
    [{ garbage: true }, [502]],
    [{ garbage: '{"id":42' }, [502]],
    [{ garbage: '[]' }, [502]],
    [{ cut: true }, [502]],
  ]
  for (const [fault, statuses] of faults) {
    const title = `responses: if the service returns ${JSON.stringify(fault)}, the proxy returns ${statuses.join(' or ')}`
    yield check(title, async () => {
      await suite.control('PUT', '/quirks', ['foreign_headers', 'echo_authorization'])
      await suite.control('POST', '/faults', { operation: 'getPackage', times: 10, ...fault })
      const response = await request('getPackage')
      await suite.control('DELETE', '/faults')
      await suite.control('PUT', '/quirks', [])
      const basic = response.headers.get('www-authenticate')
      return basic === null ? problemWrong(response, statuses) : `WWW-Authenticate: ${basic}`
    })
  }
  yield check('responses: 404 of the proxy itself has problem details', async () =>
    problemWrong(await suite.raw({ method: 'GET', path: '/nothing', as: people.initiator }), [404]),
  )
  yield check('responses: 401 has problem details', async () =>
    problemWrong(await suite.raw({ method: 'GET', path: `/forms/${formId}/packages/42`, as: null }), [401]),
  )
}

/** Returns what is wrong with an error, or an empty string if it is problem details with one of these statuses. */
function problemWrong(
  { status, headers, json, received }: ObservedResponse,
  statuses: readonly number[],
): string {
  const type = headers.get('content-type') ?? ''
  const parsed = Problem.safeParse(json)
  const isProblem = type.startsWith(problemType) && parsed.success && parsed.data.status === status
  if (!headers.has(callHeader)) return `expected the header ${callHeader} on ${status}`
  return isProblem && statuses.includes(status)
    ? ''
    : `expected ${statuses.join(' or ')} as ${problemType}, got ${status} as ${type} ${JSON.stringify(json)?.slice(0, 200)}; sent: ${summaryOf(received)}`
}
