import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { CallbackBody } from '../../../../src/contract/schemas/callbacks.ts'
import { CallbackError } from '../../../../src/proxy/callbacks/callback-error.ts'
import type { CallbackDelivery } from '../../../../src/proxy/callbacks/callback-inbox.ts'
import { createAddressGuard } from '../../../../src/proxy/node/address-guard.ts'
import {
  forwardCallbacks,
  type ForwardCallbacksOptions,
} from '../../../../src/proxy/node/callbacks/forward-callbacks.ts'
import { parseWebhookSecrets } from '../../../../src/proxy/node/callbacks/webhook-signature.ts'

const createSecret = () => `whsec_${randomBytes(32).toString('base64')}`
/** With an order of members that a parser would not keep. */
const text = '{"state":"ROUTING", "10":1, "2":2, "entry":{"purpose":"Größe \uFFFD"}}'
const delivery: CallbackDelivery = {
  id: 'ab'.repeat(32),
  attempt: 1,
  body: Buffer.from(text),
  receivedAt: Date.UTC(2026, 10, 16, 10),
  signal: new AbortController().signal,
}

const closes: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

async function startApplication(respond: RequestListener = (_, response) => void response.end()) {
  const received: { readonly headers: IncomingHttpHeaders; readonly payload: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, payload: Buffer.concat(chunks).toString() })
      respond(request, response)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closes.push(() => void server.close().closeAllConnections())
  return { received, port: (server.address() as AddressInfo).port }
}

function forward(port: number, options: Partial<ForwardCallbacksOptions> = {}) {
  const forwarder = forwardCallbacks({
    env: 'test',
    url: `http://127.0.0.1:${port}/callbacks`,
    secrets: createSecret(),
    allowPrivate: true,
    ...options,
  })
  closes.push(forwarder.close)
  return (values: Partial<CallbackDelivery> = {}) =>
    Promise.resolve(forwarder.onCallback({} as CallbackBody, 'VOID', { ...delivery, ...values }))
}

/** Returns the payload if a receiver with this secret accepts the request. */
function verify(secret: string, { headers, payload }: { headers: IncomingHttpHeaders; payload: string }) {
  return new Webhook(secret).verify(payload, headers as Record<string, string>)
}

describe('forwardCallbacks()', () => {
  it('sends requests that receivers of Standard Webhooks accept, with either secret', async () => {
    const { received, port } = await startApplication()
    const [current, old] = [createSecret(), createSecret()]
    const send = forward(port, { secrets: `${current}, ${old}` })
    await send()
    const [first] = received
    assert.ok(first)
    for (const secret of [current, old]) {
      assert.deepEqual(verify(secret, first), {
        type: 'package.callback',
        timestamp: '2026-11-16T10:00:00.000Z',
        data: { env: 'test', state: 'VOID', callback: JSON.parse(text) as unknown },
      })
    }
    assert.ok(first.payload.includes(`"callback":${text}`), 'as the service has sent it')
    assert.throws(() => verify(createSecret(), first), 'control: another secret')
    const altered = { ...first, payload: first.payload.replace('VOID', 'DRAFT') }
    assert.throws(() => verify(current, altered), 'control: another payload')
  })

  it('keeps the id and renews the timestamp in each attempt, with the secrets of that moment', async () => {
    const { received, port } = await startApplication()
    const secrets = [createSecret(), createSecret()]
    let time = Date.now() - 60_000
    const send = forward(port, { now: () => time, secrets: () => secrets[received.length] ?? createSecret() })
    await send()
    time += 60_000
    await send({ attempt: 2 })
    for (const [index, request] of received.entries()) verify(secrets[index] ?? '', request)
    const values = (name: string) => received.map(({ headers }) => headers[name])
    assert.deepEqual(values('webhook-id'), [delivery.id, delivery.id])
    const [first, second] = values('webhook-timestamp').map(Number)
    assert.equal((second ?? 0) - (first ?? 0), 60)
  })

  it('fails after all other responses, and decides by them when to send again', async () => {
    const now = () => Date.UTC(2026, 10, 16, 10)
    const hour = 3_600_000
    const cases = [
      [500, '120', { retryAfter: 0, isFinal: false }],
      [410, undefined, { retryAfter: 0, isFinal: true }],
      [429, '120', { retryAfter: 120_000, isFinal: false }],
      [503, 'Mon, 16 Nov 2026 11:00:00 GMT', { retryAfter: hour, isFinal: false }],
      [503, 'Mon, 16 Nov 2026 09:00:00 GMT', { retryAfter: 0, isFinal: false }],
      [503, '999999999999', { retryAfter: 24 * hour, isFinal: false }],
      [429, '-5', { retryAfter: 0, isFinal: false }],
      [429, 'soon', { retryAfter: 0, isFinal: false }],
    ] as const
    for (const [status, value, expected] of cases) {
      const { port } = await startApplication((_, response) => {
        if (value !== undefined) response.setHeader('retry-after', value)
        response.writeHead(status).end('Please wait')
      })
      const error: unknown = await forward(port, { now })().catch((reason: unknown) => reason)
      assert.ok(error instanceof CallbackError)
      const { retryAfter, isFinal } = error
      assert.deepEqual({ retryAfter, isFinal }, expected, `${status} ${value}`)
      assert.match(error.message, new RegExp(String(status)))
    }
  })

  it('does not follow redirects', async () => {
    const other = await startApplication()
    for (const status of [301, 307, 308]) {
      const { port } = await startApplication((_, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${other.port}/` }).end()
      })
      await assert.rejects(forward(port)(), new RegExp(`returned ${status}`))
    }
    assert.equal(other.received.length, 0)
    await forward(other.port)()
    assert.equal(other.received.length, 1, 'control')
  })

  it('ends an attempt whose time is over', async () => {
    const late = new AbortController()
    const { port } = await startApplication(() => late.abort(new Error('too late')))
    await assert.rejects(forward(port)({ signal: late.signal }), /too late/)
  })

  it('connects to no address that is not public, whatever a name resolves to', async () => {
    const { received, port } = await startApplication()
    const url = `http://app.example.edu:${port}/`
    const resolved: string[] = []
    const lookup: ForwardCallbacksOptions['lookup'] = (hostname, _options, callback) => {
      resolved.push(hostname)
      callback(null, [
        { address: '192.0.0.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ])
    }
    await assert.rejects(forward(port, { url, lookup, allowPrivate: false })(), /not public/)
    assert.deepEqual([resolved, received], [['app.example.edu'], []])
    const local: typeof lookup = (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }])
    await forward(port, { url, lookup: local })()
    assert.equal(received.length, 1, 'control: allowed')
    assert.throws(() => forward(port, { allowPrivate: false }), /not public/)
  })

  it('refuses secrets that are not valid', () => {
    for (const secrets of [
      '',
      'secret',
      'whsec_',
      'whsec_YQ==',
      `${createSecret()},`,
      'whsec_!'.padEnd(60, 'A'),
    ])
      assert.throws(() => forward(1, { secrets }), TypeError, secrets)
    assert.equal(parseWebhookSecrets([1, 2, 3].map(createSecret).join()), undefined)
    assert.equal(parseWebhookSecrets(`${createSecret()}, ${createSecret()}`)?.length, 2)
  })
})

describe('createAddressGuard()', () => {
  const isAllowed = (host: string, allowPrivate = false) =>
    createAddressGuard({ allowPrivate }).isAllowedHost(new URL(`http://${host}/`).hostname)

  it('accepts public addresses, and names', () => {
    const addresses = ['8.8.8.8', '172.15.0.1', '[2600::1]', '[::ffff:8.8.8.8]', '[64:ff9b::808:808]']
    for (const host of [...addresses, 'app.example.edu']) assert.ok(isAllowed(host), host)
  })

  it('refuses a name if one of its addresses is private', () => {
    const resolve = (...addresses: string[]) => {
      const results: unknown[] = []
      const { lookup } = createAddressGuard({
        allowPrivate: false,
        lookup: (_, __, callback) =>
          callback(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          ),
      })
      lookup('app.example.edu', { all: true }, (error, found) => results.push(error?.message ?? found))
      return results[0]
    }
    assert.deepEqual(resolve('8.8.8.8'), [{ address: '8.8.8.8', family: 4 }])
    for (const addresses of [
      ['8.8.8.8', '10.0.0.1'],
      ['10.0.0.1', '8.8.8.8'],
    ])
      assert.match(String(resolve(...addresses)), /not public/)
    assert.match(String(resolve()), /no address/)
  })

  it('refuses private addresses in every notation, unless they are allowed', () => {
    const hosts = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '10.1.2.3', '172.31.0.1', '192.168.1.1']
    for (const host of [
      ...hosts,
      '100.64.0.1',
      '[::1]',
      '[fd12::1]',
      '[::ffff:10.0.0.1]',
      '[::ffff:7f00:1]',
    ]) {
      assert.ok(!isAllowed(host), host)
      assert.ok(isAllowed(host, true), host)
    }
  })

  it('never allows link-local addresses, where clouds serve secrets', () => {
    const secrets = ['169.254.169.254', '[fe80::1]', '[fd00:ec2::254]', '[::ffff:169.254.169.254]']
    for (const host of [...secrets, '0.0.0.0', '[::]', '[64:ff9b::169.254.169.254]'])
      assert.ok(!isAllowed(host, true), host)
  })

  it('refuses one address of each special range of the IANA that is not a private network', () => {
    const ranges = ['192.0.0.8', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1']
    const more = ['198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255']
    const six = [
      '100::1',
      '100:0:0:1::1',
      '2001::1',
      '2001:2::1',
      '2001:db8::1',
      '2002:a00:1::',
      '2620:4f:8000::1',
    ]
    const late = ['3fff::1', '5f00::1', 'fec0::1', 'ff02::1', '64:ff9b:1::1', '::ffff:0:8.8.8.8', '4000::1']
    for (const host of [...ranges, ...more, ...[...six, ...late].map((address) => `[${address}]`)])
      assert.ok(!isAllowed(host, true), host)
  })
})
