import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, describe, it } from 'node:test'
import { freePort } from '../../free-port.mjs'
import { runConformance } from '../../../src/cli/conformance/conformance.ts'
import { listen, ListenError, type LocalServer, toNodeListener } from '../../../src/cli/listen.ts'
import {
  browserOperations,
  type OperationForBrowsers,
} from '../../../src/contract/services/browser-operations.ts'
import type { Operation } from '../../../src/contract/services/operation.ts'
import { operations } from '../../../src/contract/services/operations.ts'
import { fillPath, matchPath } from '../../../src/contract/values/path.ts'
import type { BrowserOperation } from '../../../src/contract/routes/routes.ts'
import { createListener } from '../../../src/proxy/node/index.ts'
import { createProxy } from '../../../src/proxy/mount/proxy.ts'
import { trustedHeader } from '../../../src/proxy/identity/trusted-header.ts'
import { builtCommand } from '../built-command.ts'

// Runs the command against proxies that these tests serve.

const secret = 'a secret of the front server and the proxy'
const headers = ['x-remote-user: {univid}', `x-routeslip-front: ${secret}`]
const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
const served = new Set<LocalServer>()

after(async () => {
  for (const server of served) await server.close()
})

describe('routeslip conformance', () => {
  it('passes our proxy', async () => {
    const port = await freePort()
    const services = `http://127.0.0.1:${port}`
    const proxy = createProxy({
      env: 'test',
      forms: [6025],
      services: {
        workflow: { baseUrl: `${services}/wf`, ...credentials },
        storage: { baseUrl: `${services}/fs/test`, objectOrigins: [services], ...credentials },
      },
      identity: {
        identify: trustedHeader({ header: 'x-remote-user', secret }),
        policy: ({ operation, person }) =>
          person.univid === '10000009' &&
          operation !== 'remind' &&
          operation !== 'getFormList' &&
          operation !== 'remindNote' &&
          browserOperations[operation].rights === 'tool',
      },
      limits: { timeout: 1000 },
    })
    const server = await listen(createListener(proxy), 0, '')
    served.add(server)
    // Another test runs all checks against the same handler, without the command.
    const only = [
      ...['identity', 'paths', 'origins', 'files', 'responses', 'session', 'openapi', 'callbacks', 'events'],
      ...['rights: voidPackage', 'rights: uploadFile', 'rights: presignFile', 'rights: getPdf as initiator'],
    ]
    const { code, output } = await runChecks(`${server.url}api/wf`, port, only)
    await proxy.close()
    const [, passed = '0', failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
    assert.equal(failed, '0', output)
    assert.ok(Number(passed) > 300, output)
    assert.equal(code, 0)
    assert.match(output, new RegExp(`workflow routing +${services}/wf$`, 'm'))
    assert.match(output, /signed-in user +x-remote-user: {univid}$/m)
    assert.ok(!output.includes(secret))
  })

  it('reports the failures of a proxy without rights checks', async () => {
    const port = await freePort()
    const server = await listen(toNodeListener(proxyWithoutRights(`http://127.0.0.1:${port}`)), 0, '')
    served.add(server)
    const only = [
      'rights: voidPackage',
      'rights: getStatus',
      'rights: deleteFile',
      'origins',
      'openapi',
      'responses: if',
    ]
    const { code, output, errors } = await runChecks(`${server.url}api/wf/`, port, only, '--reporter', 'tap')
    assert.equal(code, 1)
    const failures = [...output.matchAll(/^not ok \d+ - (.*)$/gm)].map(([, name]) =>
      name?.replaceAll('\\', ''),
    )
    for (const name of [
      'rights: voidPackage as outsider, ROUTING',
      'rights: getStatus as outsider, DRAFT',
      'rights: deleteFile as outsider',
      'rights: voidPackage as administrator, ROUTING, if getActions returns status 500',
      'origins: GET /session with {"sec-fetch-site":"cross-site"} is refused',
      'responses: if the service returns {"status":401}, the proxy returns 502',
      'openapi: the document describes exactly the operations of the contract',
    ]) {
      assert.ok(failures.includes(name), name)
    }
    // Checks that pass are not reported.
    for (const name of [
      'rights: getStatus as viewer, ROUTING',
      'rights: voidPackage as administrator, ROUTING',
    ]) {
      assert.ok(!failures.includes(name), name)
    }
    assert.match(output, /^TAP version 14\n/)
    assert.match(output, /\n1[.][.]\d{3,}\n$/)
    assert.match(errors, /^ {2}credentials +client id demo-app/m)
  })

  it('rejects arguments that are not valid', async () => {
    for (const [url, header, message] of [
      [
        'localhost:8080',
        'x-remote-user: {univid}',
        '"localhost:8080" is not the address of a proxy. Use an address such as http://127.0.0.1:8080/api/wf.',
      ],
      [
        'http://127.0.0.1:1/',
        'x-remote-user',
        '--header is "x-remote-user". Use a name and a value, such as "x-remote-user: {univid}".',
      ],
    ] as const) {
      await assert.rejects(
        () => runConformance({ url, port: 0, headers: [header] }),
        new ListenError(message),
      )
    }
    const { code, errors } = await run(['conformance'])
    assert.equal(code, 1)
    assert.match(errors, /^error: missing required argument 'url'\n/)
  })
})

/** Creates a proxy that forwards all requests as the signed-in user, and returns the responses unchanged. */
function proxyWithoutRights(services: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const user = request.headers.get('x-remote-user')
    if (user === null) return new Response(null, { status: 401 })
    const { pathname, search } = new URL(request.url)
    for (const [name, { method, path }] of Object.entries<OperationForBrowsers>(browserOperations)) {
      const params = method === request.method ? matchPath(path, pathname.replace('/api/wf', '')) : undefined
      if (!params) continue
      const { service, upstream }: Operation = operations[name as BrowserOperation]
      const address = fillPath(upstream, { ...params, env: 'test' }) + search
      const type = request.headers.get('content-type')
      const response = await fetch(services + (service === 'workflow' ? '/wf' : '/fs/test') + address, {
        method,
        headers: {
          Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
          'x-workflow-request-user': user,
          Accept: request.headers.get('accept') ?? '*/*',
          ...(type !== null && { 'Content-Type': type }),
        },
        redirect: 'manual',
        ...(method !== 'GET' && { body: await request.arrayBuffer() }),
      })
      const { status, headers } = response
      const isEmpty = status === 204 || status === 304
      return new Response(isEmpty ? null : await response.arrayBuffer(), {
        status,
        headers: { 'Content-Type': headers.get('content-type') ?? 'text/plain' },
      })
    }
    return new Response(null, { status: 404 })
  }
}

/** Runs the command, which ends its process. In this one, the requests that it delays would go on for a minute. */
function runChecks(url: string, port: number, only: readonly string[], ...options: readonly string[]) {
  return run([
    ...['conformance', url, '--port', `${port}`],
    ...headers.flatMap((header) => ['--header', header]),
    ...only.flatMap((name) => ['--only', name]),
    ...options,
  ])
}

async function run(
  options: readonly string[],
): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [builtCommand, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output, errors }
}
