import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import {
  as,
  sendRequest,
  beginUpload,
  endAll,
  exampleEnv,
  formOf,
  fromPage,
  frontSecret,
  journal,
  launch,
  receiveResponse,
  start,
  type Started,
  startEmulator,
  until,
  without,
} from '../proxy-command.ts'
import { startSecretGate } from '../secret-gate.ts'

// Tests the command `routeslip proxy` only through HTTP and signals.

/** If a test times out, its processes are still stopped. */
const withTimeout = { timeout: 45_000 }

const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
const initiator = '10000001'
const administrator = '10000009'
const packagePath = 'api/wf/forms/6025/packages/42'

after(() => rmSync(folder, { recursive: true }))

describe('routeslip proxy with the configuration of docs/proxy.md', () => {
  let emulator: string
  let proxy: Started
  before(async () => {
    emulator = await startEmulator()
    proxy = await start(exampleEnv(emulator))
  })
  after(endAll)

  it('serves metrics and readiness only on their own port, if they have one', async () => {
    const { url, output } = await start({ ...exampleEnv(emulator), ROUTESLIP_METRICS_PORT: '0' })
    const [, metrics] = /^Metrics on (.+)$/m.exec(output()) ?? []
    const statusOf = async (address: string) =>
      (await sendRequest(address, { headers: as(initiator) })).status
    for (const path of ['metrics', 'readyz', 'healthz']) {
      assert.equal(await statusOf(`${metrics}api/wf/${path}`), 200, path)
      assert.equal(await statusOf(`${url}api/wf/${path}`), path === 'healthz' ? 200 : 404, path)
      assert.equal(await statusOf(`${proxy.url}api/wf/${path}`), 200, `${path}, without such a port`)
    }
    assert.equal(await statusOf(`${metrics}${packagePath}`), 404)
    assert.equal(await statusOf(`${url}${packagePath}`), 200)
  })

  it('identifies users only by the front server', async () => {
    const { url } = proxy
    const response = await sendRequest(`${url}${packagePath}`, { headers: as(initiator) })
    assert.equal(response.status, 200)
    assert.equal((JSON.parse(response.body.toString()) as { id: number }).id, 42)

    const sent = await journal(emulator)
    for (const headers of [
      fromPage,
      { ...fromPage, 'x-remote-user': initiator },
      { ...as(initiator), 'x-routeslip-front': `${frontSecret}!` },
      { ...as(initiator), 'x-remote-user': 'demo-app' },
    ]) {
      assert.equal((await sendRequest(`${url}${packagePath}`, { headers })).status, 401)
    }
    assert.deepEqual(await journal(emulator), sent)
    assert.equal((await sendRequest(`${url}elsewhere`, { headers: as(initiator) })).status, 404)
  })

  it('starts with the ten lines for production, and with no fewer', withTimeout, async () => {
    const document = readFileSync('docs/proxy.md', 'utf8')
    const [, block = ''] = /^## Ten lines for production\n\n```ini\n([^`]+)```/m.exec(document) ?? []
    const lines = block.trimEnd().split('\n')
    assert.equal(lines.length, 10)
    const secrets = { workflow: 'demo-secret', storage: 'demo-secret', front: frontSecret }
    for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(folder, name), secret)
    const env = Object.fromEntries(
      lines.map((line) => {
        const [, name = '', value = ''] = /^(\w+)=(\S+)$/.exec(line) ?? assert.fail(line)
        const real = value
          .replace('/etc/routeslip', folder)
          .replace('https://workflow.example.edu', `${emulator}wf`)
          .replace('https://files.example.edu', `${emulator}fs/prod`)
          .replace('https://objects.example.edu', new URL(emulator).origin)
          .replace('travel-prod', 'demo-app')
        return [name, real]
      }),
    )
    const { url } = await start({ ...env, ROUTESLIP_PORT: '0' })
    const session = await sendRequest(`${url}api/wf/session`, { headers: as(initiator) })
    assert.equal((JSON.parse(session.body.toString()) as { env: string }).env, 'prod')
    for (const name of Object.keys(env)) {
      const { child, errors } = launch({ ...without(env, name), ROUTESLIP_PORT: '0' })
      await once(child, 'close')
      assert.equal(child.exitCode, 1, name)
      assert.match(errors(), new RegExp(name.replace(/_FILE$/, '')))
    }
  })

  it('streams files without warnings of Node', async () => {
    const path = `${proxy.url}${packagePath}/pdf`
    assert.equal((await sendRequest(path, { headers: as(initiator) })).status, 200)
    assert.equal(proxy.errors(), '')
  })

  it('lets only users in ROUTESLIP_ADMINS run the tools that have no flag', async () => {
    const restart = (univid: string) =>
      sendRequest(`${proxy.url}${packagePath}/restart`, { method: 'PUT', headers: as(univid) })
    assert.equal((await restart(initiator)).status, 403)
    assert.equal((await restart(administrator)).status, 200)
  })

  it('logs lines of JSON without secrets and links', async () => {
    const link = await store(proxy)
    await fetch(`${emulator}_emulator/faults`, {
      method: 'POST',
      body: JSON.stringify([{ operation: 'getPackage', status: 401, times: 9 }]),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal((await sendRequest(`${proxy.url}${packagePath}`, { headers: as(initiator) })).status, 502)
    proxy.child.kill()
    await once(proxy.child, 'close')

    const lines = linesOf(proxy.output())
    assert.ok(lines.some(({ level, univid }) => level === 'info' && univid === initiator))
    assert.ok(lines.some(({ level, env }) => level === 'error' && env === 'test'))
    // A call that was under way may be logged after it.
    assert.ok(lines.some(({ message }) => message === 'Stopping the proxy'))
    const text = proxy.output() + proxy.errors()
    for (const hidden of [frontSecret, 'demo-secret', btoa('demo-app:demo-secret'), 'hidden-content', link]) {
      assert.ok(!text.includes(hidden), hidden)
    }
  })
})

describe('routeslip proxy', () => {
  afterEach(endAll)

  it('serves test and prod from one file, and warns if they share credentials (T10)', async () => {
    const emulator = await startEmulator()
    const common = without(exampleEnv(emulator), 'ROUTESLIP_ENV', 'ROUTESLIP_STORAGE_URL')
    const config = join(folder, 'mounts.json')
    writeFileSync(
      config,
      JSON.stringify({
        ...common,
        mounts: [
          {
            ROUTESLIP_ENV: 'test',
            ROUTESLIP_BASE_PATH: '/api/wf-test',
            ROUTESLIP_STORAGE_URL: `${emulator}fs/test`,
          },
          { ROUTESLIP_ENV: 'prod', ROUTESLIP_STORAGE_URL: `${emulator}fs/prod` },
        ],
      }),
    )
    const { url, output } = await start({}, '--config', config)
    const ids = '/forms/6025/packages/42/history'
    assert.equal((await sendRequest(`${url}api/wf-test${ids}`, { headers: as(initiator) })).status, 200)
    // Package 42 is in test alone.
    assert.equal((await sendRequest(`${url}api/wf${ids}`, { headers: as(initiator) })).status, 404)
    const environments = (await journal(emulator)).map(({ url }) => /\/(test|prod)\//.exec(url)?.[1])
    assert.deepEqual([...new Set(environments)], ['test', 'prod'])
    assert.equal((await sendRequest(`${url}api/wf-tes${ids}`, { headers: as(initiator) })).status, 404)
    const warnings = linesOf(output()).filter(({ level }) => level === 'warn')
    assert.deepEqual(
      warnings.map(({ message }) => message),
      [
        'Callbacks are kept in memory, so a crash loses them, and each restart loses the open locks. Set ROUTESLIP_DATA to a directory, or REDIS_URL.',
        'Test and prod share the client id and the client secret of the workflow service',
        'Test and prod share the client id and the client secret of the storage service',
      ],
    )
  })

  it('does not start with a wrong configuration, and names each variable', async () => {
    const config = join(folder, 'wrong.json')
    writeFileSync(config, '{"ROUTESLIP_PORT": "http", "ROUTESLIP_FORM": 6025}')
    const env = without(exampleEnv('http://127.0.0.1:9/'), 'ROUTESLIP_PORT')
    const wrong = { ROUTESLIP_FORMS: '', ROUTESLIP_IDENTITY_SECRET: 'short' }
    const { child, output, errors } = launch({ ...env, ...wrong }, '--config', config)
    await once(child, 'close')
    assert.equal(child.exitCode, 1)
    assert.equal(output(), '')
    assert.deepEqual(
      errors()
        .trim()
        .split('\n')
        .map((line) => line.slice(0, line.indexOf('.'))),
      [
        'ROUTESLIP_FORM is not a variable of the proxy',
        'ROUTESLIP_PORT is "http"',
        'ROUTESLIP_FORMS is empty',
        'ROUTESLIP_IDENTITY_SECRET is not usable',
      ],
    )
  })

  it('names a port that is taken and the next step', async () => {
    const emulator = await startEmulator()
    const env = exampleEnv(emulator)
    const { port } = new URL(emulator)
    const { child, errors } = launch({ ...env, ROUTESLIP_PORT: port })
    await once(child, 'close')
    assert.equal(child.exitCode, 1)
    assert.equal(errors(), `Port ${port} is taken. Choose another with ROUTESLIP_HOST and ROUTESLIP_PORT.\n`)
  })

  it('pauses requests to a service that fails as often as the variables say', async () => {
    const env = {
      ...exampleEnv(await startEmulator()),
      // Nothing listens there.
      ROUTESLIP_WORKFLOW_URL: 'http://127.0.0.1:9/wf',
      ROUTESLIP_BREAKER_CALLS: '2',
      ROUTESLIP_BREAKER_PERCENT: '100',
      ROUTESLIP_BREAKER_WINDOW_SECONDS: '600',
      ROUTESLIP_BREAKER_PAUSE_SECONDS: '77',
    }
    const proxy = await start(env)
    const pauses = () => linesOf(proxy.output()).filter(({ seconds }) => seconds === 77)
    const read = () => sendRequest(`${proxy.url}${packagePath}`, { headers: as(initiator) })
    assert.ok((await read()).status >= 500)
    assert.equal(pauses().length, 0, 'control: one failure is not enough')
    await read()
    await until(() => pauses().length >= 1)
  })

  it('uses a secret that changes in its file (F16)', async () => {
    const file = join(folder, 'secret')
    writeFileSync(file, 'no-longer-good\n')
    const env = without(exampleEnv(await startEmulator()), 'ROUTESLIP_WORKFLOW_CLIENT_SECRET')
    const { url } = await start({ ...env, ROUTESLIP_WORKFLOW_CLIENT_SECRET_FILE: file })
    assert.equal((await sendRequest(`${url}${packagePath}`, { headers: as(initiator) })).status, 502)
    writeFileSync(file, 'demo-secret\n')
    await until(
      async () => (await sendRequest(`${url}${packagePath}`, { headers: as(initiator) })).status === 200,
    )
  })

  it('follows its policy file, and keeps the last valid one', withTimeout, async () => {
    const path = join(folder, 'policy.json')
    const write = (groups: object, ...operations: readonly string[]) =>
      writeFileSync(
        path,
        JSON.stringify({
          groups,
          rules: operations.map((name) => ({ name, groups: ['staff'], operations: [name] })),
        }),
      )
    const staff = { staff: { identity: ['registrar'] } }
    write(staff, 'getOverrides')
    const { url, child, output } = await start({
      ...without(exampleEnv(await startEmulator()), 'ROUTESLIP_ADMINS'),
      ROUTESLIP_POLICY: path,
      ROUTESLIP_GROUPS_HEADER: 'x-groups',
    })
    const statusOf = async (target: string, method = 'GET', groups = 'registrar') => {
      const headers = { ...as(administrator), 'x-groups': groups }
      return (await sendRequest(`${url}${packagePath}/${target}`, { method, headers })).status
    }
    const isLogged = (text: string) => linesOf(output()).filter(({ message }) => message === text).length
    assert.equal(await statusOf('overrides'), 200)
    assert.equal(await statusOf('overrides', 'GET', 'registrars'), 403, 'another group')
    assert.equal(await statusOf('restart', 'PUT'), 403, 'no rule allows it')

    const events = await follow(url)
    write(staff, 'restartPackage')
    child.kill('SIGHUP')
    await until(async () => (await statusOf('restart', 'PUT')) === 200)
    assert.equal(await statusOf('overrides'), 403)

    writeFileSync(path, '{ "rules": [{}] }')
    await until(() => isLogged('The policy is not valid, so the previous one stays in force') > 0)
    assert.equal(await statusOf('restart', 'PUT'), 200)

    // Without a signal, because the proxy looks at the file.
    write(staff, 'getOverrides')
    await until(async () => (await statusOf('overrides')) === 200)
    assert.equal(child.exitCode, null)
    let isEnded = false
    const setEnded = () => (isEnded = true)
    // It rejects when the process is killed after the test.
    events.ended.then(setEnded, setEnded)
    await new Promise(setImmediate)
    assert.equal(isEnded, false, 'the stream is still open')
  })

  it('accepts a new secret of the front server without a restart', withTimeout, async () => {
    const emulator = await startEmulator()
    const path = join(folder, 'front')
    writeFileSync(path, `${frontSecret}\n`)
    const env = without(exampleEnv(emulator), 'ROUTESLIP_IDENTITY_SECRET')
    const { url, child } = await start({ ...env, ROUTESLIP_IDENTITY_SECRET_FILE: path })
    const next = 'another-secret-that-nobody-may-ever-see'
    const statusWith = async (secret: string) => {
      const headers = { ...as(initiator), 'x-routeslip-front': secret }
      return (await sendRequest(`${url}${packagePath}`, { headers })).status
    }
    assert.deepEqual([await statusWith(frontSecret), await statusWith(next)], [200, 401])
    writeFileSync(path, next)
    child.kill('SIGHUP')
    await until(async () => (await statusWith(next)) === 200)
    assert.equal(await statusWith(frontSecret), 200, 'for five minutes')
    assert.equal(child.exitCode, null)
  })

  it('follows its client secrets on change and on SIGHUP, and drops no request', withTimeout, async (t) => {
    const emulator = await startEmulator()
    const gate = await startSecretGate(emulator)
    t.after(gate.close)
    const file = join(folder, 'client-secret')
    const replace = (secret: string) => {
      writeFileSync(`${file}.next`, `${secret}\n`)
      renameSync(`${file}.next`, file)
    }
    replace('first')
    gate.accept('first')
    const { url, child } = await start({
      ...without(exampleEnv(gate.url), 'ROUTESLIP_WORKFLOW_CLIENT_SECRET', 'ROUTESLIP_STORAGE_CLIENT_SECRET'),
      ROUTESLIP_WORKFLOW_CLIENT_SECRET_FILE: file,
      ROUTESLIP_STORAGE_CLIENT_SECRET_FILE: file,
    })
    const statusOf = async () =>
      (await sendRequest(`${url}${packagePath}`, { headers: as(initiator) })).status
    assert.equal(await statusOf(), 200)
    assert.deepEqual([...new Set(gate.received)], ['first'])

    const upload = await beginUpload(url, emulator, as(initiator))
    const pdf = () => request(`${url}${packagePath}/pdf`, { headers: as(initiator) }).end()
    const complete = await receiveResponse(pdf())
    const release = gate.hold('/pdf')
    const [half] = (await once(pdf(), 'response')) as [IncomingMessage]
    const [begin] = (await once(half, 'data')) as [Buffer]
    assert.ok(begin.length < complete.body.length, 'control: the rest is held back')

    // The service accepts both secrets for a moment, so no request fails.
    replace('second')
    gate.accept('first', 'second')
    child.kill('SIGHUP')
    const statuses = new Set<number>()
    await until(async () => {
      statuses.add(await statusOf())
      return gate.received.at(-1) === 'second'
    })
    assert.deepEqual([...statuses], [200])

    release()
    const received = [begin]
    for await (const chunk of half) received.push(chunk as Buffer)
    assert.deepEqual([half.statusCode, Buffer.concat(received)], [200, complete.body])
    upload.finish()
    const { status, body } = await upload.response
    assert.equal(status, 200, body.toString())

    // Without a signal, and although the service refuses the old secret at once.
    gate.accept('third')
    assert.equal(await statusOf(), 502, 'control: the service refuses the old secret')
    replace('third')
    assert.equal(await statusOf(), 200)
    assert.equal(gate.received.at(-1), 'third')
    assert.equal(child.exitCode, null)
  })

  it('finishes an upload after SIGTERM, ends live streams, and exits with 0', withTimeout, async () => {
    const emulator = await startEmulator()
    const { url, child } = await start(exampleEnv(emulator))
    const events = await follow(url)
    const upload = await beginUpload(url, emulator, as(initiator))
    child.kill()
    await events.ended
    await assert.rejects(fetch(`${url}api/wf/healthz`))
    assert.equal(child.exitCode, null)

    upload.finish()
    const { status, headers, body } = await upload.response
    assert.equal(status, 200, body.toString())
    assert.equal(headers.connection, 'close')
    await once(child, 'close')
    assert.equal(child.exitCode, 0)
    const [stored] = (await journal(emulator)).filter(({ operation }) => operation === 'uploadFile')
    assert.equal(stored?.status, 200)
  })

  it('aborts an upload that takes longer than ROUTESLIP_SHUTDOWN_SECONDS', withTimeout, async () => {
    const emulator = await startEmulator()
    const { url, child } = await start({ ...exampleEnv(emulator), ROUTESLIP_SHUTDOWN_SECONDS: '0' })
    const upload = await beginUpload(url, emulator, as(initiator))
    child.kill()
    await assert.rejects(upload.response)
    await once(child, 'close')
    assert.equal(child.exitCode, 0)
  })

  it('exits at once after a second signal', withTimeout, async () => {
    const emulator = await startEmulator()
    const { url, child } = await start({ ...exampleEnv(emulator), ROUTESLIP_SHUTDOWN_SECONDS: '3600' })
    const upload = await beginUpload(url, emulator, as(initiator))
    child.kill('SIGINT')
    await until(() =>
      fetch(`${url}api/wf/healthz`).then(
        () => false,
        () => true,
      ),
    )
    child.kill('SIGINT')
    await assert.rejects(upload.response)
    await once(child, 'close')
    assert.equal(child.exitCode, 0)
  })
})

type Line = Readonly<Record<string, unknown>>

/** Returns the log entries of the output, without the line that names the address. */
function linesOf(output: string): readonly Line[] {
  return output
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Routeslip proxy on '))
    .map((line) => JSON.parse(line) as Line)
}

/** Stores a file and returns its download link. */
async function store({ url }: Started): Promise<string> {
  const { type, body } = formOf(Buffer.from('hidden-content'))
  const stored = await sendRequest(`${url}api/wf/files`, {
    method: 'POST',
    headers: { ...as(initiator), 'content-type': type },
    body,
  })
  assert.equal(stored.status, 200, stored.body.toString())
  const { uuid } = JSON.parse(stored.body.toString()) as { uuid: string }
  const { status, headers } = await sendRequest(`${url}api/wf/files/${uuid}/download`, {
    headers: as(initiator),
  })
  assert.equal(status, 303)
  return headers.location ?? ''
}

/** Opens a stream of live events and waits for its first bytes. */
async function follow(url: string): Promise<{ readonly ended: Promise<unknown> }> {
  const sent = request(`${url}api/wf/events?package=6025-42`, { headers: as(initiator) }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  assert.equal(response.statusCode, 200)
  const ended = once(response, 'end')
  await once(response, 'data')
  response.resume()
  return { ended }
}
