import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPublicKey, readSignature } from '../../../src/contract/values/public-key.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts'
import { type QuirkName, quirkNames } from '../../../src/emulator/control/quirks.ts'

const forms = '/wf/workflow/test/api/developer/forms/6025'
const tools = '/wf/workflow/test/api/developer/tools/forms/6025'
const credentials = `Basic ${btoa('demo-app:demo-secret')}`

describe('quirks', () => {
  it('are inactive at first, and are replaced as a whole', async () => {
    const emulator = createEmulator({ control: true })
    assert.deepEqual(await control(emulator, 'GET', '/quirks'), [])
    await control(emulator, 'PUT', '/quirks', ['huge_ids', 'foreign_headers'])
    await control(emulator, 'PUT', '/quirks', ['unknown_values'])
    assert.deepEqual(await control(emulator, 'GET', '/quirks'), ['unknown_values'])
    await control(emulator, 'PUT', '/quirks', [])
    assert.deepEqual(await control(emulator, 'GET', '/quirks'), [])
  })

  it('reject unknown names without a change', async () => {
    const emulator = createEmulator({ control: true })
    await control(emulator, 'PUT', '/quirks', ['huge_ids'])
    const body = JSON.stringify(['unknown_values', 'quicksand'])
    const response = await emulator.fetch('http://emulator.test/_emulator/quirks', { method: 'PUT', body })
    assert.equal(response.status, 400)
    assert.deepEqual(await control(emulator, 'GET', '/quirks'), ['huge_ids'])
  })

  it('are cleared by a reset', async () => {
    const emulator = createEmulator({ control: true })
    await control(emulator, 'PUT', '/quirks', quirkNames)
    await control(emulator, 'POST', '/reset', {})
    assert.deepEqual(await control(emulator, 'GET', '/quirks'), [])
  })

  describe('lenient_requests', () => {
    it('reads _ as - in header names', async () => {
      const headers = { Authorization: credentials, x_workflow_request_user: '10000001' }
      const get = (emulator: Emulator) =>
        emulator.fetch(`http://emulator.test${forms}/packages/42`, { headers })
      assert.equal((await get(createEmulator())).status, 400)
      assert.equal((await get(trapped('lenient_requests'))).status, 200)
    })

    it('drops path parameters, decodes %2e and %2f, and collapses slashes', async () => {
      for (const path of [
        `${forms}/packages/42;v=1`,
        `${forms};jsessionid=ABC/packages/42`,
        `${forms}//packages///42`,
        `${forms}/packages/41/..;/42`,
        `${forms}/packages/41/%2e%2e;x/42`,
        `${forms}/packages%2f42`,
        `${forms}/packages%2F42`,
      ]) {
        assert.equal((await get(createEmulator(), path)).status, 404, path)
        assert.equal((await get(trapped('lenient_requests'), path)).status, 200, path)
      }
    })

    it('does not change other requests', async () => {
      const emulator = trapped('lenient_requests')
      assert.equal((await get(emulator, `${forms}/packages/42`)).status, 200)
      assert.equal((await get(emulator, `${forms}/packages/43`)).status, 404)
    })
  })

  describe('echo_authorization', () => {
    it('repeats the credentials in error messages and nowhere else', async () => {
      const detail = async (emulator: Emulator, path: string) => (await get(emulator, path)).text()
      const emulator = trapped('echo_authorization')
      assert.ok((await detail(emulator, `${forms}/packages/43`)).includes(credentials))
      assert.ok(!(await detail(emulator, `${forms}/packages/42`)).includes(credentials))
      assert.ok(!(await detail(createEmulator(), `${forms}/packages/43`)).includes(credentials))
    })

    it('does not change validation failures', async () => {
      const create = async (emulator: Emulator) => {
        const response = await send(emulator, 'POST', `${forms}/packages`, { entry: {} })
        assert.equal(response.status, 400)
        return (await response.json()) as Record<string, unknown>
      }
      const expected = await create(createEmulator())
      assert.deepEqual(expected["entry['purpose']"], ['validation.required'])
      assert.deepEqual(await create(trapped('echo_authorization')), expected)
    })
  })

  describe('foreign_headers', () => {
    it('sends headers that must not reach browsers', async () => {
      for (const path of [`${forms}/packages/42`, `${forms}/packages/43`, `${forms}/packages/42/pdf`]) {
        const trappedHeaders = (await get(trapped('foreign_headers'), path)).headers
        const plainHeaders = (await get(createEmulator(), path)).headers
        for (const name of [
          'set-cookie',
          'www-authenticate',
          'location',
          'access-control-allow-origin',
          'content-security-policy',
          'clear-site-data',
          'x-powered-by',
        ]) {
          assert.ok(trappedHeaders.has(name), `${path}: ${name}`)
          assert.ok(!plainHeaders.has(name), `${path}: ${name}`)
        }
        assert.equal(trappedHeaders.get('content-type'), plainHeaders.get('content-type'))
      }
    })

    it('puts 8-bit bytes into file names', async () => {
      const disposition = async (emulator: Emulator) => {
        const id = await attach(emulator)
        const response = await get(emulator, `${forms}/packages/42/attachments/${id}`)
        assert.equal(await response.text(), 'hello')
        return response.headers.get('content-disposition')
      }
      assert.equal(await disposition(createEmulator()), 'inline; filename=a.txt')
      assert.equal(await disposition(trapped('foreign_headers')), 'inline; filename=\xe9a.txt')
    })
  })

  describe('unknown_values', () => {
    it('adds an event of unknown class and state at both ends of the history', async () => {
      const path = `${forms}/packages/42/history`
      const classes = async (emulator: Emulator) => (await rows(emulator, path)).map((row) => row['@class'])
      assert.deepEqual(await classes(createEmulator()), ['initiation', 'signature', 'signature'])
      assert.deepEqual(await classes(trapped('unknown_values')), [
        'escalation',
        'initiation',
        'signature',
        'signature',
        'escalation',
      ])
      const [event] = await rows(trapped('unknown_values'), path)
      assert.equal(event?.['state'], 'ESCALATED')
      assert.match(String(event['callbackUrl']), /^https:\/\/internal\./)
    })

    it('adds a field with an internal URL to each object and removes none', async () => {
      const path = `${forms}/packages/42`
      const plain = (await (await get(createEmulator(), path)).json()) as Record<string, unknown>
      const found = (await (await get(trapped('unknown_values'), path)).json()) as Record<string, object>
      assert.deepEqual(Object.keys(found), [...Object.keys(plain), 'internalUrl'])
      assert.ok('internalUrl' in (found['initiator'] ?? {}))
      assert.equal(JSON.stringify(plain).includes('internalUrl'), false)
    })

    it('does not change errors', async () => {
      const response = await get(trapped('unknown_values'), `${forms}/packages/43`)
      assert.equal((await response.text()).includes('internalUrl'), false)
    })
  })

  describe('huge_ids', () => {
    it('repeats the last row of a list with an id above 2^53', async () => {
      for (const [path, key] of [
        [`${forms}/packages/status?id=42`, 'id'],
        [`${forms}/packages/actions?id=42`, 'packageId'],
      ] as const) {
        const plain = await (await get(createEmulator(), path)).text()
        const text = await (await get(trapped('huge_ids'), path)).text()
        assert.equal(text, `${plain.slice(0, -1)},${plain.slice(1).replace('42', '9007199254740993')}`)
        assert.match(plain, new RegExp(`"${key}":42`))
      }
    })

    it('does not change empty lists and single objects', async () => {
      for (const path of [`${forms}/packages/42/comments`, `${forms}/packages/42`]) {
        const [plain, found] = await Promise.all(
          [createEmulator(), trapped('huge_ids')].map(async (emulator) => (await get(emulator, path)).text()),
        )
        assert.equal(found, plain)
      }
    })
  })

  describe('unruly_callbacks', () => {
    it('sends each callback twice, latest first, each after two forged copies', async () => {
      const { sent, isGenuine } = await callbacks('unruly_callbacks')
      assert.deepEqual(
        sent.map(({ state }) => state),
        [...Array<string>(6).fill('ROUTING'), ...Array<string>(6).fill('VOID')],
      )
      assert.deepEqual(await Promise.all(sent.map(isGenuine)), [
        ...[false, false, true, false, false, true],
        ...[false, false, true, false, false, true],
      ])
    })

    it('is inactive by default', async () => {
      const { sent, isGenuine } = await callbacks()
      assert.deepEqual(
        sent.map(({ state }) => state),
        ['VOID', 'ROUTING'],
      )
      assert.deepEqual(await Promise.all(sent.map(isGenuine)), [true, true])
    })
  })

  it('do not change text from a fault that is not JSON', async () => {
    for (const name of quirkNames) {
      const emulator = trapped(name)
      emulator.faults.add([{ operation: '*', times: 1, garbage: '{"id":' }])
      const response = await get(emulator, `${forms}/packages/42`)
      assert.equal(response.status, 200, name)
      assert.equal(await response.text(), '{"id":', name)
    }
  })

  it('do not repair a response that a fault cuts', async () => {
    for (const name of quirkNames) {
      const emulator = trapped(name)
      emulator.faults.add([{ operation: '*', times: 1, cut: true }])
      const response = await get(emulator, `${forms}/packages/42`)
      assert.equal(response.status, 200, name)
      await assert.rejects(response.text(), name)
    }
  })
})

/** Creates an emulator with the given quirk. */
function trapped(name: QuirkName, options: EmulatorOptions = {}): Emulator {
  const emulator = createEmulator(options)
  emulator.quirks.active.add(name)
  return emulator
}

function get(emulator: Emulator, path: string): Promise<Response> {
  return emulator.fetch(`http://emulator.test${path}`, {
    headers: { Authorization: credentials, 'x-workflow-request-user': '10000001' },
  })
}

function send(emulator: Emulator, method: string, path: string, body?: unknown): Promise<Response> {
  return emulator.fetch(`http://emulator.test${path}`, {
    method,
    headers: { Authorization: credentials, 'x-workflow-request-user': '10000001' },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
}

async function rows(emulator: Emulator, path: string): Promise<Record<string, unknown>[]> {
  return (await (await get(emulator, path)).json()) as Record<string, unknown>[]
}

async function attach(emulator: Emulator): Promise<number> {
  const body = new FormData()
  body.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
  const response = await send(emulator, 'POST', `${forms}/packages/42/attachments/types/3`, body)
  return ((await response.json()) as { id: number }).id
}

async function control(emulator: Emulator, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await emulator.fetch(`http://emulator.test/_emulator${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.equal(response.status, 200)
  return await response.json()
}

interface Sent {
  readonly state: string
  readonly body: string
  readonly signature: string
}

/** Returns the callbacks that an application receives when package 42 is voided and unvoided within a minute. */
async function callbacks(...names: readonly QuirkName[]) {
  const sent: Sent[] = []
  const emulator = createEmulator({
    control: true,
    now: () => 0,
    fetch: (_, init) => {
      const body = init?.body as string
      const { state } = JSON.parse(body) as { state: string }
      const signature = new Headers(init?.headers).get('x-workflow-verification') ?? ''
      sent.push({ state, body, signature })
      return Promise.resolve(new Response())
    },
  })
  await control(emulator, 'PUT', '/quirks', names)
  await control(emulator, 'PUT', '/test/forms/6025/callback', { url: 'https://app.example/callbacks' })
  const body = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
  assert.equal((await send(emulator, 'PUT', `${tools}/packages/42`, body)).status, 200)
  assert.equal((await send(emulator, 'PUT', `${tools}/packages/42/unvoid`)).status, 200)
  await control(emulator, 'POST', '/clock', { advance: '1m' })

  const response = await get(emulator, '/wf/api/v2/public-key')
  const raw = readPublicKey(await response.text())
  assert.ok(raw)
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', true, ['verify'])
  const isGenuine = async ({ body, signature }: Sent) => {
    const bytes = readSignature(signature, 'base64')
    return (
      bytes !== undefined &&
      (await crypto.subtle.verify('Ed25519', key, bytes, new TextEncoder().encode(body)))
    )
  }
  return { sent, isGenuine }
}
