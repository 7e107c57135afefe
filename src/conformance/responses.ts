import { browserOperations, type OperationForBrowsers } from '../contract/browser-operations.ts'
import { Problem, problemType } from '../contract/problem.ts'
import type { BrowserOperation } from '../contract/routes.ts'
import { type ConformanceSuite, listOf, type ObservedResponse } from './suite.ts'
import { check, type Check, client, formId, people } from './target.ts'
import { inputFor, type Fixture } from './fixture.ts'

/** Operations that read something about one package. */
const reads = (Object.entries(browserOperations) as [BrowserOperation, OperationForBrowsers][])
  .filter(
    ([, { method, path, rights }]) => method === 'GET' && path.startsWith('/forms/') && rights !== 'policy',
  )
  .map(([name]) => name)

/** Operations whose answers hold what people have entered, under names of their own. */
const isOpen = (name: BrowserOperation) => name === 'getEntry'

/** What the quirk `foreign_headers` adds, by which it is known again. */
const foreign: Readonly<Record<string, RegExp>> = {
  'set-cookie': /SERVICE_SESSION/,
  'www-authenticate': /realm="service"/,
  location: /elsewhere[.]example/,
  'access-control-allow-origin': /^[*]$/,
  'content-security-policy': /default-src [*]/,
  'clear-site-data': /cookies/,
  'x-powered-by': /Servlet/,
}

/** Checks what of the services' answers reaches a browser. */
export async function* checkAnswers(bench: ConformanceSuite, world: Fixture): AsyncGenerator<Check> {
  const sample = await world.sample('getPackage', 'ROUTING')
  const ask = (name: BrowserOperation, version?: string) =>
    bench.call(name, people.initiator, {
      ...inputFor(name, sample),
      ...(version !== undefined && { version }),
    })

  const { packageId } = sample
  await bench.control('POST', `/${bench.env}/forms/${formId}/packages/${packageId}/comments`, {
    univid: people.initiator,
    comment: 'A comment',
  })
  for (const name of reads) {
    const { result, results = {}, response }: OperationForBrowsers = browserOperations[name]
    yield check(`answers: ${name} is kept by no cache, and has the type it says`, async () => {
      const { status, headers } = await ask(name)
      const type = headers.get('content-type') ?? ''
      const isTyped = response !== 'json' || /^application\/json(?:;|$)/.test(type)
      const isSafe =
        /no-store/.test(headers.get('cache-control') ?? '') &&
        headers.get('x-content-type-options') === 'nosniff'
      return status === 200 && isTyped && isSafe
        ? ''
        : `expected 200 with no-store and nosniff, got ${status} ${type} ${headers.get('cache-control')} ${headers.get('x-content-type-options')}`
    })
    if (response === 'file') {
      yield check(`answers: ${name} is saved and never shown in place`, async () => {
        const { headers } = await ask(name)
        const disposition = headers.get('content-disposition') ?? ''
        return disposition.startsWith('attachment') ? '' : `expected attachment, got ${disposition}`
      })
    }
    for (const [version, schema] of [[undefined, result] as const, ...Object.entries(results)]) {
      if (!schema) continue
      yield check(
        `answers: ${name}${version ? ` in version ${version}` : ''} is as the contract says`,
        async () => {
          const { status, json, text } = await ask(name, version)
          const parsed = schema.safeParse(json)
          return status === 200 && parsed.success && text.length > 2
            ? ''
            : `expected 200 and an answer of the contract, got ${status} ${JSON.stringify(json)?.slice(0, 200)}`
        },
      )
    }
  }

  await bench.control('PUT', '/quirks', ['foreign_headers'])
  for (const name of [...reads, 'updateEntry', 'getFileMeta'] as const) {
    yield check(`answers: none of the service's own headers come with ${name}`, async () => {
      const { headers } = await bench.call(name, people.firstApprover, inputFor(name, sample))
      const passed = Object.entries(foreign).filter(([header, value]) =>
        value.test(headers.get(header) ?? ''),
      )
      return passed.map(([header]) => `${header}: ${headers.get(header)}`).join(', ')
    })
  }
  await bench.control('PUT', '/quirks', ['unknown_values'])
  for (const name of reads.filter((each) => browserOperations[each].response === 'json' && !isOpen(each))) {
    yield check(`answers: ${name} holds no field that the contract does not name`, async () => {
      const { status, text } = await ask(name)
      return status === 200 && !text.includes('internal.example') ? '' : `got ${status} ${text.slice(0, 200)}`
    })
  }
  yield check('answers: events of a class that nobody knows keep their place', async () => {
    const { text } = await ask('getHistory')
    return text.includes('escalation') ? '' : 'expected the event of the class "escalation"'
  })
  await bench.control('PUT', '/quirks', ['echo_authorization', 'foreign_headers'])
  yield check('answers: a refusal of the service tells nothing of our credentials', async () => {
    const seen = await bench.call('getPackage', people.outsider, inputFor('getPackage', sample))
    const told = seen.text + [...seen.headers.values()].join()
    const isTold = told.includes(btoa(`${client.id}:${client.secret}`)) || told.includes(client.secret)
    return isTold ? `got ${seen.text}` : problemWrong(seen, [403, 404])
  })
  await bench.control('PUT', '/quirks', [])

  yield* checkFaults(bench, (name) => ask(name))
}

function* checkFaults(
  bench: ConformanceSuite,
  ask: (name: BrowserOperation) => Promise<ObservedResponse>,
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
    const title = `answers: where the service answers ${JSON.stringify(fault)}, the proxy answers ${statuses.join(' or ')}`
    yield check(title, async () => {
      await bench.control('PUT', '/quirks', ['foreign_headers', 'echo_authorization'])
      await bench.control('POST', '/faults', { operation: 'getPackage', times: 10, ...fault })
      const seen = await ask('getPackage')
      await bench.control('DELETE', '/faults')
      await bench.control('PUT', '/quirks', [])
      const basic = seen.headers.get('www-authenticate')
      return basic === null ? problemWrong(seen, statuses) : `WWW-Authenticate: ${basic}`
    })
  }
  yield check('answers: a refusal of the proxy itself is a problem too', async () =>
    problemWrong(await bench.raw({ method: 'GET', path: '/nothing', as: people.initiator }), [404]),
  )
  yield check('answers: that nobody is signed in is a problem too', async () =>
    problemWrong(await bench.raw({ method: 'GET', path: `/forms/${formId}/packages/42`, as: null }), [401]),
  )
}

/** What is wrong with an error; empty where it is problem details of one of these statuses. */
function problemWrong(
  { status, headers, json, received }: ObservedResponse,
  statuses: readonly number[],
): string {
  const type = headers.get('content-type') ?? ''
  const parsed = Problem.safeParse(json)
  const isProblem = type.startsWith(problemType) && parsed.success && parsed.data.status === status
  return isProblem && statuses.includes(status)
    ? ''
    : `expected ${statuses.join(' or ')} as ${problemType}, got ${status} as ${type} ${JSON.stringify(json)?.slice(0, 200)}; sent: ${listOf(received)}`
}
