import assert from 'node:assert/strict'
import { afterEach, type TestContext } from 'node:test'
import { type ByteText, decodeBytes, encodeBytes } from '../../../src/contract/values/byte-text.ts'
import type { CallbackBody } from '../../../src/contract/schemas/callbacks.ts'
import {
  type CallbackReceiver,
  type CallbackReceiverOptions,
  createCallbackReceiver,
} from '../../../src/proxy/callbacks/callback-receiver.ts'
import {
  type CallbackInbox,
  type CallbackInboxOptions,
  createCallbackInbox,
} from '../../../src/proxy/callbacks/callback-inbox.ts'
import { createMemoryCallbackStore } from '../../../src/proxy/callbacks/callback-store.ts'
import type { MetricEvent } from '../../../src/proxy/observe/metrics.ts'
import { until } from '../until.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/** Text that no log may contain. */
const privateText = 'Salary of Ada'
export const minute = 60_000

/** Receivers and inboxes of the current test. */
const opened: { readonly receiver: CallbackReceiver; readonly inbox: CallbackInbox }[] = []
afterEach(() => {
  for (const { receiver, inbox } of opened.splice(0)) {
    receiver.close()
    // Not awaited: the timers of a test may still be mocked.
    void inbox.close(0)
  }
})

export interface Sent {
  readonly body: Bytes
  readonly signature: string
}

/** Creates a key pair of the service, which signs callbacks. */
export async function createKey(known?: JsonWebKey) {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  const jwk = known ?? (await crypto.subtle.exportKey('jwk', pair.privateKey))
  const privateKey = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign'])

  async function sign(body: Bytes, encoding: ByteText = 'base64'): Promise<string> {
    return encodeBytes(new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, body)), encoding)
  }
  async function signed(text: string): Promise<Sent> {
    const body = new TextEncoder().encode(text)
    return { body, signature: await sign(body) }
  }
  return {
    raw: decodeBytes(jwk.x ?? '', 'base64url') ?? new Uint8Array(),
    sign,
    signed,
    /** Returns a signed callback with these members. Its entry fills it up to `size` bytes. */
    callback(values: Readonly<Record<string, unknown>> = {}, size = 0): Promise<Sent> {
      const write = (filling: string) =>
        JSON.stringify({
          '@class': 'developer',
          formId: 6025,
          packageId: 42,
          state: 'ROUTING',
          createdAt: '2026-11-16T10:00:00',
          stop: null,
          lockId: 17,
          entry: { purpose: `${privateText}, Größe ${filling}`, cost: 12.5, notice: null },
          ...values,
        })
      const length = new TextEncoder().encode(write('')).length
      return signed(write('x'.repeat(Math.max(0, size - length))))
    },
  }
}
export type Key = Awaited<ReturnType<typeof createKey>>

export type AppOptions = Partial<CallbackReceiverOptions & CallbackInboxOptions>

/** Creates a receiver with its inbox for a simulated service, which serves its key. */
export async function createApp(options: AppOptions = {}, first?: Key) {
  let key = first ?? (await createKey())
  let fetchKey: () => Promise<string | Uint8Array> = () => Promise.resolve(key.raw)
  const taken: CallbackBody[] = []
  const logs: Parameters<CallbackReceiverOptions['log']>[] = []
  const events: MetricEvent[] = []
  const fetchTimes: number[] = []
  const common: Pick<CallbackReceiverOptions & CallbackInboxOptions, 'log' | 'metrics'> = {
    log: (...line) => void logs.push(line),
    metrics: { count: (event) => void events.push(event) },
  }
  const { now } = options
  const inbox = createCallbackInbox({
    ...common,
    store: createMemoryCallbackStore({ ...(now && { now }) }),
    onCallback: (callback) => void taken.push(callback),
    ...options,
  })
  const receiver = createCallbackReceiver({
    ...common,
    forms: [6025],
    inbox,
    fetchKey: () => {
      fetchTimes.push(Date.now())
      return fetchKey()
    },
    ...options,
  })
  opened.push({ receiver, inbox })
  const app = {
    receiver,
    inbox,
    taken,
    logs,
    fetchTimes,
    get key() {
      return key
    },
    fetches: () => fetchTimes.length,
    counts(): Partial<Record<MetricEvent, number>> {
      const counts: Partial<Record<MetricEvent, number>> = {}
      for (const event of events) counts[event] = (counts[event] ?? 0) + 1
      return counts
    },
    async rotate() {
      key = await createKey()
    },
    /** Replaces the response to requests for the key. Without an argument, it is the key again. */
    respondWith(fetchResponse: () => Promise<string | Uint8Array> = () => Promise.resolve(key.raw)) {
      fetchKey = fetchResponse
    },
    /** Holds the response to the next request for the key, which is the key at the time of the request. */
    holdKey() {
      let release = () => {}
      const isReleased = new Promise<void>((resolve) => (release = resolve))
      fetchKey = async () => {
        app.respondWith()
        const { raw } = key
        await isReleased
        return raw
      }
      return { release }
    },
    send(
      { body, signature }: { body: Bytes | ReadableStream; signature: string },
      headers: HeadersInit = {},
    ) {
      const init = { method: 'POST', body, duplex: 'half' }
      const request = new Request('http://proxy.test/callbacks', init)
      for (const [name, value] of new Headers(headers)) request.headers.set(name, value)
      request.headers.set('X-Workflow-Verification', signature)
      return receiver.receive(request)
    },
    /** Waits until all callbacks are processed: sends one more, which is processed after all others. */
    async quiet() {
      const probe = await key.callback({ packageId: 999_999_999, createdAt: crypto.randomUUID() })
      await app.send(probe)
      for (let rounds = 0; rounds < 20; rounds++) await new Promise((resolve) => setTimeout(resolve, 0))
      const index = taken.findIndex(({ packageId }) => packageId === 999_999_999)
      if (index >= 0) taken.splice(index, 1)
    },
    assertDiscreet({ body, signature }: Sent) {
      const written = JSON.stringify(logs)
      for (const secret of [privateText, signature, new TextDecoder().decode(body)]) {
        assert.ok(!written.includes(secret), secret)
      }
    },
  }
  return app
}

/** Replaces the timers: time passes only with `pass()`. */
export function useClock({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 10, 16, 10) })

  // Operations of WebCrypto run in threads. On a busy machine, they would take minutes of the mocked time.
  let running = 0
  const { subtle } = crypto
  function track<Args extends unknown[], Result>(original: (...args: Args) => Promise<Result>) {
    return async (...args: Args): Promise<Result> => {
      running++
      return await original(...args).finally(() => running--)
    }
  }
  mock.method(subtle, 'verify', track(subtle.verify.bind(subtle)))
  mock.method(subtle, 'digest', track(subtle.digest.bind(subtle)))
  mock.method(subtle, 'importKey', track(subtle.importKey.bind(subtle)))

  const clock = {
    /** Advances the time by `milliseconds`, and waits until everything that is due has happened. */
    async pass(milliseconds: number) {
      mock.timers.tick(milliseconds)
      await clock.settle()
    },
    /** Waits until nothing happens any more unless time passes. */
    async settle() {
      for (let idleRounds = 0; idleRounds < 10; idleRounds = running > 0 ? 0 : idleRounds + 1) {
        await new Promise((resolve) => setImmediate(resolve))
        mock.timers.tick(0)
      }
    },
    /** Polls a condition. Time does not pass. */
    until: (condition: () => boolean) =>
      until(() => {
        mock.timers.tick(0)
        return condition()
      }),
  }
  return clock
}
