import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { browserOperations } from '../../src/contract/services/browser-operations.ts'
import type { Rights } from '../../src/contract/routes/rights.ts'
import type { Environment } from '../../src/contract/values/values.ts'
import { matchPath } from '../../src/contract/values/path.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { checkConformance } from '../../src/conformance/conformance.ts'
import { cells } from '../../src/conformance/rights.ts'
import type { CheckResult, Target } from '../../src/conformance/target.ts'
import { createMemoryIndex } from '../../src/proxy/desk/package-index.ts'
import { createProxy, type Proxy } from '../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../src/proxy/mount/runtime.ts'
import { everyOperation, people } from '../proxy/mount.ts'

type Fetch = typeof globalThis.fetch
type Handler = (request: Request) => Promise<Response>

/** Wrappers that break a mount: around its handler and around its requests to the services. */
interface Bugs {
  readonly handler?: (handler: Handler, services: Fetch) => Handler
  readonly fetch?: (fetch: Fetch) => Fetch
}

const proxies = new Set<Proxy>()

async function closeProxies() {
  for (const proxy of proxies) await proxy.close()
}

describe('checkConformance() on our proxy', () => {
  after(closeProxies)
  let inTest: readonly CheckResult[]
  let inProd: readonly CheckResult[]

  // Every operation × role × state × environment. In prod the host allows everything it can, in test only the tools.
  before(async () => {
    inTest = await resultsOf(mount('test', ['tool']))
    inProd = await resultsOf(mount('prod', ['tool', 'policy', 'sharing']), [
      'rights: ',
      'overrides: ',
      'locks: ',
      'lists: ',
      'reminders: ',
    ])
  })

  it('tries each operation with each role in each state: 2 × 1141 cells (T4)', () => {
    const names = cells().map(
      ({ name, role, situation }) => `rights: ${name} as ${role}${situation ? `, ${situation}` : ''}`,
    )
    // 25 operations on packages in six situations, and 13 on files, shares, offices and new packages; each with six people and `nobody`.
    assert.equal(
      names.length,
      25 * 6 * 7 + 13 * 7,
      'routes.ts has other operations: count them here and in the title',
    )
    for (const results of [inTest, inProd]) {
      const made = results.map(({ name }) => name)
      assert.deepEqual(
        names.filter((name) => !made.includes(name)),
        [],
      )
    }
  })

  it('passes every cell of the rights matrix, and no denied call changes anything (T4)', () => {
    for (const results of [inTest, inProd]) {
      assert.deepEqual(failures(results, /^rights: (?!.*, if getActions )/), [])
    }
  })

  it('allows nothing if getActions fails in any of 22 ways (T4, T5)', () => {
    for (const results of [inTest, inProd]) {
      const made = results.filter(({ name }) => name.includes(', if getActions '))
      assert.equal(made.length, 6 * (22 + 1))
      assert.deepEqual(failures(made, /./), [])
    }
  })

  it('lets nobody act as somebody else, and sends getActions without bypass (T1, T2)', () => {
    assert.deepEqual(failures(inTest, /^identity: /), [])
    assert.deepEqual(failures(inProd, /^identity: /), [])
  })

  it('refuses other forms, other sites and unknown paths (T6, T7, T8, T9, T30)', () => {
    assert.deepEqual(failures(inTest, /^(?:paths|origins): /), [])
  })

  it('keeps files with their owners (T12, T13)', () => {
    assert.deepEqual(failures(inTest, /^files: /), [])
  })

  it('shows and releases the locks of frozen routes only to people with the rights (T4)', () => {
    const made = inProd.filter(({ name }) => name.startsWith('locks: '))
    assert.equal(made.length, 9)
    assert.deepEqual(failures([...inTest, ...inProd], /^locks: /), [])
  })

  it('lists requests only for people who may view them, and lets nobody else remind (T4)', () => {
    const made = inProd.map(({ name }) => name).filter((name) => /^(?:lists|reminders): /.test(name))
    assert.equal(made.length, 13)
    assert.deepEqual(failures(inProd, /^(?:lists|reminders): /), [])
    const withoutLists = inTest.filter(({ name }) => /^(?:lists|reminders): /.test(name))
    assert.deepEqual(withoutLists, [])
  })

  it('passes on no headers, credentials or extra fields of the services (T24, F16, F21, F22)', () => {
    assert.deepEqual(failures(inTest, /^responses: /), [])
  })

  it('serves session, document, callbacks and events as in the contract (T27)', () => {
    assert.deepEqual(failures(inTest, /^(?:session|openapi|callbacks|events): /), [])
  })

  it('passes all other checks', () => {
    assert.deepEqual(failures([...inTest, ...inProd], /./), [])
  })
})

describe('checkConformance() on a proxy that', () => {
  after(closeProxies)

  it('runs tools for everyone fails the cells of all other roles (T4)', async () => {
    const results = await resultsOf(
      mount('test', ['tool'], {
        handler: (handle, services) => async (request) => {
          const restart = /packages\/(\d+)\/restart$/.exec(request.url)?.[1]
          if (restart === undefined || request.method !== 'PUT') return await handle(request)
          const user = request.headers.get('x-remote-user') ?? people.outsider
          return await services(
            `http://emulator.test/wf/workflow/test/api/developer/tools/forms/6025/packages/${restart}/restart`,
            { method: 'PUT', headers: { Authorization: basic, 'x-workflow-request-user': user } },
          )
        },
      }),
      ['rights: restartPackage'],
    )
    const right = results.filter(({ ok }) => ok).map(({ name }) => name)
    assert.deepEqual(
      right,
      ['PRE_ROUTING', 'removed', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID'].map(
        (state) => `rights: restartPackage as administrator, ${state}`,
      ),
    )
    assert.match(
      results.find(({ name }) => name === 'rights: restartPackage as viewer, ROUTING')?.detail ?? '',
      /^expected 403 or 404 and nothing changed, got 200; sent: PUT .*\/restart \(200\)$/,
    )
  })

  it('leaves out operations passes, and its other checks are skipped', async () => {
    const omitted = ['updateEntry', 'voidPackage', 'getHistory', 'uploadFile']
    const hide = async (response: Response) => {
      if (!response.ok) return response
      const session = (await response.json()) as {
        readonly allows: { readonly operations: readonly string[] }
      }
      const served = session.allows.operations.filter((name) => !omitted.includes(name))
      return Response.json({ ...session, allows: { ...session.allows, operations: served } }, response)
    }
    const pathsOf = omitted.map((name) => browserOperations[name as 'getHistory'])
    const results = await resultsOf(
      mount('test', ['tool'], {
        handler: (handler) => async (request) => {
          const { pathname } = new URL(request.url)
          const path = pathname.replace('/api/wf', '')
          if (path === '/session') return await hide(await handler(request))
          const isOmitted = pathsOf.some(
            ({ method, path: template }) => method === request.method && matchPath(template, path),
          )
          return isOmitted ? new Response(null, { status: 404 }) : await handler(request)
        },
      }),
    )
    assert.deepEqual(failures(results, /^(?!responses: 404)/), [])
    const skipped = results.filter((result) => result.skipped !== undefined)
    assert.ok(skipped.length > 10)
    assert.match(skipped.map((result) => result.skipped).join('\n'), /^the proxy leaves out getHistory$/m)
    // Control: what the session does not name has to be missing.
    const served = await resultsOf(
      mount('test', ['tool'], {
        handler: (handler) => async (request) =>
          new URL(request.url).pathname.endsWith('/session')
            ? await hide(await handler(request))
            : await handler(request),
      }),
      ['rights: getHistory'],
    )
    const details = served.filter(({ ok }) => !ok).map(({ detail }) => detail)
    assert.match(details[0] ?? '', /^GET \/session does not name getHistory, so expected 404 and no request/)
  })

  it('lists the requests of others, or of nobody, fails (T4)', async () => {
    const listOf = async (rows: readonly number[]) =>
      (
        await resultsOf(
          mount('prod', ['tool', 'policy'], {
            handler: (handle) => async (request) => {
              const response = await handle(request)
              if (!response.ok || !request.url.includes('/list?')) return response
              const found = (await response.json()) as { readonly rows: readonly object[] }
              const [row] = known
              if (found.rows[0]) known.push(found.rows[0])
              return Response.json({ ...found, rows: rows.length > 0 && row ? [row] : [] }, response)
            },
          }),
          ['lists: '],
        )
      )
        .filter(({ ok }) => !ok)
        .map(({ name }) => name)
    const known: object[] = []
    assert.deepEqual(await listOf([1]), [
      'lists: mine contains nothing that the person may not view',
      'lists: waiting contains nothing that the person may not view',
    ])
    known.length = 0
    assert.deepEqual(await listOf([]), [
      'lists: a request that was read is in the list of who has started it',
    ])
  })

  it('lets people change overrides that concern themselves fails (T4)', async () => {
    const results = await resultsOf(
      mount('test', ['tool', 'policy'], {
        handler: (handle, services) => async (request) => {
          const [, packageId, subject = ''] = /packages\/(\d+)\/overrides(\/\d+)?$/.exec(request.url) ?? []
          if (packageId === undefined || request.method === 'GET') return await handle(request)
          const path = `test/api/developer/forms/6025/packages/${packageId}/routing/overrides${subject}`
          return await services(`http://emulator.test/wf/${path}`, {
            method: request.method,
            headers: {
              ...{ Authorization: basic, 'content-type': 'application/json' },
              'x-workflow-request-user': people.administrator,
              'x-workflow-bypass-authorization': 'true',
            },
            body: (await request.text()) || null,
          })
        },
      }),
      ['overrides: '],
    )
    assert.equal(results.length, 4)
    for (const { ok, name } of results) assert.equal(ok, false, name)
  })

  it('refuses allowed users fails those cells (T4)', async () => {
    const results = await resultsOf(
      mount('test', ['tool'], {
        handler: (handle) => async (request) =>
          request.method === 'PUT' ? new Response(null, { status: 403 }) : await handle(request),
      }),
      ['rights: voidPackage', 'rights: restartPackage'],
    )
    assert.deepEqual(
      failures(results, /^rights: (?!.*nobody)(?!.*, if )/).map((each) => each.split(':')[1]),
      [
        ' voidPackage as initiator, ROUTING',
        ' voidPackage as firstApprover, ROUTING',
        ' voidPackage as administrator, ROUTING',
        ' voidPackage as administrator, COMPLETE',
        ' restartPackage as administrator, ROUTING',
      ],
    )
  })

  it('ignores a second row fails (T5)', async () => {
    const results = await resultsOf(
      mount('test', ['tool'], {
        fetch: (fetch) => async (input, init) => {
          const response = await fetch(input, init)
          if (!urlOf(input).includes('/actions?')) return response
          const text = await response.text()
          const rows: unknown = parseJson(text)
          const isTwo = Array.isArray(rows) && rows.length === 2
          return new Response(isTwo ? JSON.stringify(rows.slice(0, 1)) : text, response)
        },
      }),
      ['rights: updateEntry as firstApprover, ROUTING, if'],
    )
    assert.deepEqual(
      failures(results, /./).map((each) => /getActions returns (.*?):/.exec(each)?.[1]),
      ['two entries', 'two entries that differ', 'the id twice, once as text', 'one entry too many'],
    )
  })

  it('sends getActions with bypass fails (T1)', async () => {
    const results = await resultsOf(
      mount('test', ['tool'], {
        fetch: (fetch) => (input, init) => {
          const headers = new Headers(init?.headers)
          if (urlOf(input).includes('/actions?')) headers.set('x-workflow-bypass-authorization', 'true')
          return fetch(input, { ...init, headers })
        },
      }),
      ['identity: getActions is', 'rights: getActions as viewer'],
    )
    assert.deepEqual(
      failures(results, /^identity/).map((each) => each.split(': ')[1]),
      ['getActions is never sent with bypass authorization'],
    )
  })

  it('passes on the browser’s own headers fails (T1, T2)', async () => {
    let given = new Headers()
    const results = await resultsOf(
      mount('test', ['tool'], {
        handler: (handle) => async (request) => {
          given = request.headers
          return await handle(request)
        },
        fetch: (fetch) => (input, init) => {
          const headers = new Headers(init?.headers)
          for (const [name, value] of given) if (/^x[-_]workflow/.test(name)) headers.set(name, value)
          return fetch(input, { ...init, headers })
        },
      }),
      ['identity: {', 'identity: ?', 'identity: a plain call', 'identity: every'],
    )
    assert.equal(failures(results, /^identity: [{?]/).length, 9)
    assert.equal(failures(results, /^identity: every/).length, 1)
    assert.deepEqual(failures(results, /^identity: a plain call/), [])
  })

  it('passes on headers and bodies of the services fails (T24, F16)', async () => {
    let last = new Response()
    const results = await resultsOf(
      mount('test', ['tool'], {
        fetch: (fetch) => async (input, init) => {
          const response = await fetch(input, init)
          last = response.clone()
          return response
        },
        handler: (handle) => async (request) => {
          const response = await handle(request)
          const headers = new Headers(last.headers)
          for (const [name, value] of response.headers) headers.set(name, value)
          headers.delete('cache-control')
          return new Response(await last.text(), { status: response.status, headers })
        },
      }),
      ['responses: '],
    )
    const failed = failures(results, /./).join('\n')
    for (const name of [
      'getPackage is not cacheable',
      "getHistory has none of the service's own headers",
      'getPackage has only fields of the contract',
      'a refusal of the service does not reveal credentials',
      'if the service returns {"status":401}',
    ]) {
      assert.ok(failed.includes(name), name)
    }
  })

  it('returns files by their uuid alone fails (T12)', async () => {
    const results = await resultsOf(
      mount('test', ['tool'], {
        handler: (handle, services) => async (request) => {
          const uuid = /files\/([0-9a-f-]{36})\/meta$/.exec(request.url)?.[1]
          if (uuid === undefined || request.method !== 'GET') return await handle(request)
          return await services(`http://emulator.test/fs/test/api/v1/files/${uuid}/meta`, {
            headers: { Authorization: basic },
          })
        },
      }),
      ['files: '],
    )
    assert.deepEqual(
      failures(results, /./).map((each) => each.split(': ')[1]),
      [
        "getFileMeta of another user's file looks like a missing file",
        'metadata is returned as given, without keys of the proxy',
        ...results.map(({ name }) => name.split(': ')[1]).filter((name) => name?.startsWith('the owner')),
      ],
    )
  })

  it('reads packages of open pages at any time passes (T1, T4)', async (t) => {
    // Then the package of the checks is 474138375. In hexadecimal, it contains 42: 1c42c707.
    t.mock.method(Math, 'random', () => 0.473138375)
    let reads = 0
    const results = await resultsOf(
      mount('test', ['tool'], {
        handler: (handle, services) => async (request) => {
          reads += await readAsApplication(services, 42)
          return await handle(request)
        },
      }),
      ['identity: ', 'paths: ', 'origins: ', 'rights: uploadFile', 'keys: ', 'page: '],
    )
    assert.ok(results.length > 200)
    assert.ok(reads > 2 * 200, 'the services have got reads during the calls')
    assert.deepEqual(failures(results, /./), [])
  })

  it('reads the package of a call as the application fails (T1)', async () => {
    const results = await resultsOf(
      mount('test', ['tool'], {
        handler: (handle, services) => async (request) => {
          const packageId = /packages\/(\d+)/.exec(request.url)?.[1]
          if (packageId !== undefined) await readAsApplication(services, Number(packageId))
          return await handle(request)
        },
      }),
      ['identity: ', 'paths: '],
    )
    const failed = failures(results, /./).join('\n')
    for (const name of [
      'identity: getHistory rejects a client id as the signed-in user',
      'identity: ?env=prod neither grants access nor changes the user',
      'identity: a plain call reaches the service as the signed-in user',
      'identity: every request to the routing service names the signed-in user',
      'paths: GET /forms/6025/packages/42/unknown is refused by the proxy itself',
    ]) {
      assert.ok(failed.includes(name), name)
    }
  })

  it('is down or has no emulator fails without an exception', async () => {
    const down = mount('test', ['tool'], { handler: () => () => Promise.reject(new TypeError('refused')) })
    const all = await resultsOf(down, ['session: ', 'rights: getPackage'])
    assert.ok(all.length > 40)
    assert.ok(all.every(({ ok, detail }) => !ok && detail === 'refused'))

    const alone = { ...down, emulator: () => Promise.resolve(new Response(null, { status: 500 })) }
    const groups = await resultsOf(alone)
    assert.equal(groups.length, 12)
    assert.ok(groups.every(({ name, ok }) => !ok && name.endsWith('the checks can run')))
  })
})

const basic = `Basic ${btoa('demo-app:demo-secret')}`

/** Creates a mount whose policy grants the rights `may` to the administrator only. */
function mount(env: Environment, may: readonly Rights[], bugs: Bugs = {}): Target {
  const emulator = createEmulator({ control: true })
  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  const services: Fetch = async (input, init) => {
    const response = emulator.fetch(input, init)
    const signal = init?.signal
    // As over a network, an aborted request rejects immediately.
    return await Promise.race([
      response,
      new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      }),
    ])
  }
  const proxy = createProxy({
    env,
    forms: [6025],
    services: {
      workflow: { baseUrl: 'http://emulator.test/wf', ...credentials },
      storage: {
        baseUrl: `http://emulator.test/fs/${env}`,
        objectOrigins: ['http://emulator.test'],
        ...credentials,
      },
    },
    identity: {
      identify: ({ headers }) => {
        const univid = headers.get('x-remote-user')
        return univid === null ? null : { univid }
      },
      policy: ({ operation, person }) =>
        person.univid === people.administrator &&
        operation !== 'remind' &&
        operation !== 'getFormList' &&
        operation !== 'remindNote' &&
        may.includes(browserOperations[operation].rights),
    },
    ...(may.includes('policy') && {
      operations: everyOperation,
      storage: { packageIndex: createMemoryIndex() },
      lists: { callsPerSecond: 1000, interval: 5 },
    }),
    limits: { timeout },
    runtime: fetchRuntime(bugs.fetch?.(services) ?? services),
  })
  proxies.add(proxy)
  const handle = bugs.handler?.(proxy, services) ?? proxy

  return {
    env,
    administratorRights: may,
    timeout,
    emulator: (path, init) => emulator.fetch(`http://emulator.test${path}`, init),
    request: ({ method, path, as, headers, body }) =>
      handle(
        new Request(`https://northfield.test/api/wf${path}`, {
          method,
          headers: { ...headers, ...(as !== null && { 'x-remote-user': as }) },
          ...(body !== undefined && { body }),
        }),
      ),
  }
}

/** Timeout of the mounts for requests to a service, in milliseconds. */
const timeout = 200

/** Reads a package as a proxy does that looks for changes on its own. Returns the number of reads. */
async function readAsApplication(services: Fetch, packageId: number): Promise<number> {
  const packages = 'http://emulator.test/wf/workflow/test/api/developer/forms/6025/packages'
  const headers = { Authorization: basic, 'x-workflow-request-user': 'demo-app' }
  const responses = await Promise.all([
    services(`${packages}/status?id=${packageId}`, {
      headers: { ...headers, accept: 'application/vnd.workflow-v1.2+json' },
    }),
    services(`${packages}/${packageId}`, {
      headers: { ...headers, 'x-workflow-bypass-authorization': 'true' },
    }),
  ])
  return responses.length
}

async function resultsOf(target: Target, only?: readonly string[]): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = []
  for await (const result of checkConformance({ ...target, ...(only && { only }) })) results.push(result)
  return results
}

function failures(results: readonly CheckResult[], which: RegExp): string[] {
  return results
    .filter(({ name, ok }) => !ok && which.test(name))
    .map(({ name, detail }) => `${name}: ${detail}`)
}

function urlOf(input: Parameters<Fetch>[0]): string {
  return input instanceof Request ? input.url : String(input)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
