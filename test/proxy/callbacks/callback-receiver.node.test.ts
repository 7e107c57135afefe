import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { CallbackBody } from '../../../src/contract/schemas/callbacks.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { type SpecOptions, specOptionValues } from '../../../src/emulator/control/spec-options.ts'
import { systemOver } from '../../spec/system.ts'
import { until } from '../until.ts'
import { type AppOptions, createApp, createKey, minute, useClock } from './callback-app.ts'

describe('createCallbackReceiver()', () => {
  it('accepts a signed callback and responds before it is processed', async () => {
    let finish = () => {}
    const isFinished = new Promise<void>((resolve) => (finish = resolve))
    const taken: CallbackBody[] = []
    const app = await createApp({
      onCallback: (callback) => {
        taken.push(callback)
        return isFinished
      },
    })
    const response = await app.send(await app.key.callback())
    assert.equal(response.status, 200)
    assert.equal(await response.text(), '')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(taken.length, 0, 'not processed yet')
    await until(() => taken.length >= 1)
    assert.deepEqual(
      taken.map(({ formId, packageId, state }) => [formId, packageId, state]),
      [[6025, 42, 'ROUTING']],
    )
    assert.deepEqual(app.counts(), { callback_verified: 1 })
    finish()
  })

  it('logs the package, but neither the entry nor the signature', async () => {
    const app = await createApp()
    const sent = await app.key.callback()
    await app.send(sent)
    await app.send({ ...sent, signature: await (await createKey()).sign(sent.body) })
    await until(() => app.taken.length >= 1)
    await app.send({ ...sent, signature: 'x' })
    assert.deepEqual(
      app.logs.map(([level, message, { formId, packageId, state }]) => [
        level,
        message,
        formId,
        packageId,
        state,
      ]),
      [
        ['info', 'A callback has arrived', 6025, 42, 'ROUTING'],
        ['warn', 'A callback was refused', undefined, undefined, undefined],
      ],
    )
    app.assertDiscreet(sent)
  })

  it('refuses with problem details and does not request credentials', async () => {
    const app = await createApp()
    const response = await app.send({ ...(await app.key.callback()), signature: '' })
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
    assert.equal(response.headers.get('www-authenticate'), null)
    const body = (await response.json()) as Record<string, unknown>
    assert.equal(body['status'], 401)
    assert.match(String(body['requestId']), /^[0-9a-f-]{36}$/)
  })

  it('accepts bodies of up to 256 kB and refuses larger ones, with or without a declared length (T27)', async () => {
    const app = await createApp()
    const most = await app.key.callback({ packageId: 1 }, 256 * 1024)
    assert.equal((await app.send(most)).status, 200)
    const larger = await app.key.callback({ packageId: 2 }, 256 * 1024 + 1)
    assert.equal((await app.send(larger)).status, 413)
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(64 * 1024))
      },
    })
    assert.equal((await app.send({ body: endless, signature: larger.signature })).status, 413)
    assert.ok(pulled < 10, `${pulled} pieces were read`)
    await until(() => app.taken.length >= 1)
  })

  it('refuses an encoded body, even if the decoded body is signed', async () => {
    const app = await createApp()
    const sent = await app.key.callback()
    for (const coding of ['gzip', 'br', 'identity', 'x']) {
      assert.equal((await app.send(sent, { 'content-encoding': coding })).status, 415, coding)
    }
    const zipped = new Uint8Array(gzipSync(sent.body))
    assert.equal((await app.send({ ...sent, body: zipped }, { 'content-encoding': 'gzip' })).status, 415)
    assert.equal((await app.send({ ...sent, body: zipped })).status, 401)
    assert.equal((await app.send(sent)).status, 200)
    await app.quiet()
    assert.equal(app.taken.length, 1)
  })

  it('returns 400 for an aborted body, and is ready for the next one each time', async () => {
    const app = await createApp({ maxConcurrent: 2 })
    const broken = () =>
      new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) })
    for (let count = 0; count < 5; count++) {
      assert.equal((await app.send({ body: broken(), signature: 'x' })).status, 400)
    }
    assert.equal((await app.send(await app.key.callback())).status, 200)
  })

  it('is ready again after any number of bodies that are too large or not signed', async () => {
    const app = await createApp({ maxConcurrent: 1, maxSize: 1000 })
    const large = await app.key.callback({}, 1001)
    for (let count = 0; count < 3; count++) {
      assert.equal((await app.send(large)).status, 413)
      assert.equal((await app.send({ ...(await app.key.callback()), signature: 'x' })).status, 401)
    }
    assert.equal((await app.send(await app.key.callback({}, 1000))).status, 200)
  })

  it('reads a limited number of bodies at a time (T23)', async () => {
    const app = await createApp({ maxConcurrent: 2 })
    const finish: (() => void)[] = []
    const slow = () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => void finish.push(() => controller.close()),
      })
    const waiting = [1, 2].map(() => app.send({ body: slow(), signature: 'x' }))
    const sent = await app.key.callback()
    assert.equal((await app.send(sent)).status, 503)
    finish[0]?.()
    assert.equal((await waiting[0])?.status, 401)
    assert.equal((await app.send(sent)).status, 200)
    finish[1]?.()
    assert.equal((await waiting[1])?.status, 401)
  })

  it('ends the oldest bodies if all together are too large (T23)', async () => {
    const app = await createApp({ maxReading: 10_000, maxSize: 5000 })
    const bodies: ReadableStreamDefaultController<Uint8Array>[] = []
    const statuses: (number | undefined)[] = []
    const slow = (index: number) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void bodies.push(controller),
      })
      void app.send({ body, signature: 'x' }).then(({ status }) => (statuses[index] = status))
    }
    for (const index of [0, 1, 2]) slow(index)
    for (const index of [0, 1, 2]) {
      bodies[index]?.enqueue(new Uint8Array(3000))
      assert.equal((await app.send(await app.key.callback({}, 900))).status, 200)
    }
    assert.deepEqual(statuses, [], 'control: they fit')
    bodies[2]?.enqueue(new Uint8Array(1500))
    await until(() => statuses[0] !== undefined)
    assert.deepEqual(statuses, [503])
    assert.equal((await app.send(await app.key.callback({}, 2000))).status, 200, 'what comes whole is read')
    await until(() => statuses[0] === 503)
    assert.equal(statuses[2], undefined, 'the youngest still arrives')
    for (const body of bodies.slice(1)) body.close()
    await until(() => statuses[1] !== undefined && statuses[2] !== undefined)
    assert.equal(statuses[2], 401, 'the youngest has arrived')
  })

  it('refuses a body that takes longer than the timeout to arrive (T23)', async (t) => {
    const clock = useClock(t)
    const app = await createApp({ bodyTimeout: 1000, maxConcurrent: 1 })
    let status: number | undefined
    const sent = app.send({ body: new ReadableStream(), signature: 'x' })
    void sent.then((response) => (status = response.status))
    // The timeout begins.
    await clock.pass(0)
    await clock.pass(999)
    assert.equal(status, undefined)
    await clock.pass(1)
    assert.equal(status, 408)
    assert.equal((await app.send(await app.key.callback())).status, 200, 'the next one is read')
  })

  it('refuses a signed body that is not a callback', async () => {
    const app = await createApp()
    for (const text of ['', 'x', 'null', '[]', '{}', '{"formId":6025}', '{"formId":"6025","packageId":42}']) {
      const sent = await app.key.signed(text)
      assert.equal((await app.send(sent)).status, 400, text)
    }
    await app.quiet()
    assert.deepEqual(app.taken, [])
    assert.equal((await app.send(await app.key.signed(loose))).status, 200, 'only the required fields')
    await until(() => app.taken.length >= 1)
    assert.deepEqual(app.taken, [
      {
        '@class': null,
        formId: 6025,
        packageId: 7,
        state: 'NEW',
        createdAt: null,
        stop: { name: 'Dean', stopNumber: null },
        lockId: null,
        entry: null,
      },
    ])
  })

  it('accepts a signed body with text in another charset', async () => {
    const app = await createApp()
    const text = JSON.stringify({ formId: 6025, packageId: 9, state: 'VOID', entry: { name: 'Zoë' } })
    const latin = new Uint8Array(Buffer.from(text, 'latin1'))
    assert.equal((await app.send({ body: latin, signature: await app.key.sign(latin) })).status, 200)
    await until(() => app.taken.length >= 1)
  })

  it('logs one refusal per minute, and the next one if the clock is set back', async () => {
    let time = 10 * minute
    const app = await createApp({ now: () => time })
    const refuse = async (at: number) => {
      time = at
      assert.equal((await app.send({ ...(await app.key.callback()), signature: 'x' })).status, 401)
      return app.logs.length
    }
    assert.equal(await refuse(10 * minute), 1)
    assert.equal(await refuse(11 * minute - 1), 1)
    assert.equal(await refuse(11 * minute), 2)
    assert.equal(await refuse(5 * minute), 3)
    assert.deepEqual(
      app.logs.map(([, , { suppressedBefore }]) => suppressedBefore),
      [0, 1, 0],
    )
  })

  it('continues if processing a callback fails', async () => {
    const app = await createApp({
      onCallback: ({ packageId }) => {
        if (packageId === 1) throw new Error('no way')
        if (packageId === 2) return Promise.reject(new Error('no way either'))
      },
    })
    for (const packageId of [1, 2, 3]) {
      assert.equal((await app.send(await app.key.callback({ packageId }))).status, 200)
    }
    await until(() => app.logs.filter(([level]) => level === 'info').length === 3)
    await app.quiet()
    assert.deepEqual(
      app.logs.filter(([level]) => level === 'error').map(([, , { packageId, error }]) => [packageId, error]),
      [
        [1, 'Error: no way'],
        [2, 'Error: no way either'],
      ],
    )
  })

  describe('with the emulator', () => {
    for (const signature of specOptionValues.signature) {
      for (const publicKey of specOptionValues.publicKey) {
        it(`verifies signatures in ${signature} with a key in ${publicKey} form, before and after a rotation (F59)`, async () => {
          const service = await createEmulated({ signature, publicKey })
          await service.change()
          await service.rotate()
          await service.change()
          assert.deepEqual(service.statuses, [200, 200])
          await until(() => service.taken.length >= 2)
          assert.equal(service.fetches(), 2)
          assert.deepEqual(
            service.taken.map(({ packageId, state }) => [packageId, state]),
            [
              [42, 'VOID'],
              [42, 'ROUTING'],
            ],
          )
        })
      }
    }

    it('refuses a signature in another encoding and names the encoding (T27)', async () => {
      for (const signature of specOptionValues.signature) {
        for (const encoding of specOptionValues.signature) {
          const service = await createEmulated({ signature }, { encoding })
          await service.change()
          assert.deepEqual(
            service.statuses,
            [signature === encoding ? 200 : 401],
            `${signature}, ${encoding}`,
          )
          if (signature === encoding) await until(() => service.taken.length >= 1)
          else assert.ok(JSON.stringify(service.logs).includes(`encoded as ${signature}`))
        }
      }
    })

    it('accepts each callback once among repeated, reordered and forged ones (T27, F56)', async () => {
      const service = await createEmulated()
      await service.system.control('PUT', '/quirks', ['unruly_callbacks'])
      await service.change(3)
      await until(() => service.taken.length >= 3)
      assert.equal(service.statuses.filter((status) => status === 200).length, 6)
      // Plausible callbacks with a forged signature wait, because the key cannot be requested during the cooldown.
      await service.quiet()
      assert.equal(service.taken.length, 3)
    })

    it('processes a callback once if the response was lost and the service repeats it (T28)', async () => {
      const service = await createEmulated({}, {}, 50)
      service.loseAnswers(1)
      await service.change()
      await until(() => service.statuses.length >= 1)
      await service.nextMinute()
      await until(() => service.statuses.length >= 2)
      assert.deepEqual(service.statuses, [200, 200])
      await service.quiet()
      assert.equal(service.taken.length, 1)
    })
  })

  describe('hints', () => {
    it('processes a callback once, however often it is sent (T28, F56)', async () => {
      const app = await createApp()
      const sent = await app.key.callback()
      const first = await Promise.all(Array.from({ length: 100 }, () => app.send(sent)))
      for (let count = 0; count < 900; count++) first.push(await app.send(sent))
      assert.ok(first.every(({ status }) => status === 200))
      await until(() => app.counts().callback_repeated === 999)
      assert.equal(app.taken.length, 1)
    })

    it('processes a repeated callback again after seven days (T28)', async () => {
      let now = 0
      const app = await createApp({ now: () => now })
      const sent = await app.key.callback()
      for (const [days, effects] of [
        [0, 1],
        [6.99, 1],
        [7, 2],
      ] as const) {
        now = days * 24 * 60 * minute
        assert.equal((await app.send(sent)).status, 200)
        await app.quiet()
        assert.equal(app.taken.length, effects, `${days} days`)
      }
    })

    it('ignores a form that is not served, and returns 200 all the same (T28)', async () => {
      const app = await createApp({ forms: [6025, 6026] })
      for (const formId of [1, 6024, 6027, 60_250]) {
        assert.equal((await app.send(await app.key.callback({ formId }))).status, 200)
      }
      await app.quiet()
      assert.deepEqual(app.taken, [])
      assert.equal(app.logs.filter(([level]) => level === 'warn').length, 4)
      assert.equal((await app.send(await app.key.callback({ formId: 6026 }))).status, 200)
      await until(() => app.taken.length >= 1)
    })

    it('processes 5,000 different callbacks at once, each once (F56)', async () => {
      const app = await createApp()
      const sent = await Promise.all(
        Array.from({ length: 5000 }, (_, index) => app.key.callback({ packageId: index + 1 })),
      )
      const responses = await Promise.all(sent.map((each) => app.send(each)))
      assert.ok(responses.every(({ status }) => status === 200))
      await until(() => app.taken.length >= 5000)
      await app.quiet()
      assert.equal(new Set(app.taken.map(({ packageId }) => packageId)).size, 5000)
      assert.equal(app.taken.length, 5000)
      assert.equal(app.fetches(), 1)
    })
  })

  it('discards a forged callback that has waited for the key, and logs that (T27)', async (t) => {
    const clock = useClock(t)
    const app = await createApp()
    await app.send(await app.key.callback({ packageId: 1 }))
    await clock.until(() => app.taken.length >= 1)
    await app.rotate()
    const sent = await app.key.callback({ packageId: 2 })
    const forged = { ...sent, signature: await (await createKey()).sign(sent.body) }
    assert.equal((await app.send(forged)).status, 202)
    assert.equal((await app.send(await app.key.callback({ packageId: 3 }))).status, 202)
    await clock.pass(minute)
    await clock.until(() => app.taken.length >= 2)
    assert.deepEqual(
      app.taken.map(({ packageId }) => packageId),
      [1, 3],
    )
    assert.ok(JSON.stringify(app.logs).includes('The signature of a pending callback does not match'))
  })

  describe('close()', () => {
    it('dispatches no pending callback that is being verified', async (t) => {
      const clock = useClock(t)
      let isClosing = false
      const logs: string[] = []
      const app = await createApp({
        log: (_level, message) => {
          logs.push(message)
          // The key has just arrived: its verification of pending callbacks begins before this microtask runs.
          if (isClosing && message.includes('new key')) queueMicrotask(() => app.receiver.close())
        },
      })
      await app.send(await app.key.callback({ packageId: 1 }))
      await clock.until(() => app.taken.length >= 1)
      await app.rotate()
      const sent = await app.key.callback({ packageId: 2 })
      assert.equal((await app.send(sent)).status, 202)
      isClosing = true
      await clock.pass(minute)
      await clock.until(() => logs.some((message) => message.includes('new key')))
      // A later verification finishes after the one that was interrupted.
      assert.equal((await app.send(await app.key.callback({ packageId: 3 }))).status, 200)
      await clock.until(() => app.taken.length >= 2)
      assert.deepEqual(
        app.taken.map(({ packageId }) => packageId),
        [1, 3],
      )
    })

    it('requests no key for callbacks that were discarded while the key was on its way', async (t) => {
      const clock = useClock(t)
      const app = await createApp()
      await app.send(await app.key.callback({ packageId: 1 }))
      await clock.until(() => app.taken.length >= 1)
      await app.rotate()
      assert.equal((await app.send(await app.key.callback({ packageId: 2 }))).status, 202)
      const slow = app.holdKey()
      await clock.pass(minute)
      assert.equal(app.fetches(), 2)
      app.receiver.close()
      slow.release()
      await clock.pass(10 * minute)
      assert.equal(app.fetches(), 2)
      assert.equal(app.taken.length, 1)
    })
  })
})

/** A callback with only the required fields, and values that a reader must tolerate. */
const loose =
  '\uFEFF{"formId":1,"formId":6025,"packageId":7,"state":"NEW","lockId":"x","stop":"Dean","new":1}'

/** Creates an emulator whose callbacks of form 6025 are sent to a receiver. */
async function createEmulated(
  chosen: Partial<SpecOptions> = {},
  options: AppOptions = {},
  callbackTimeout = 10_000,
) {
  let now = Date.UTC(2026, 10, 16, 10)
  let lost = 0
  let fetches = 0
  const statuses: number[] = []
  const emulator = createEmulator({
    control: true,
    now: () => now,
    specOptions: chosen,
    callbackTimeout,
    fetch: async (input, init) => {
      const { status } = await app.receiver.receive(new Request(input, init))
      statuses.push(status)
      return lost-- > 0 ? await new Promise<Response>(() => {}) : new Response(null, { status })
    },
  })
  const system = systemOver((path, init) => emulator.fetch(new URL(path, 'http://emulator.test'), init))
  const app = await createApp({
    now: () => now,
    encoding: emulator.specOptions.signature,
    fetchKey: async () => {
      fetches++
      return (await system.call('getPublicKey')).bytes
    },
    ...options,
  })
  await system.control('PUT', '/test/forms/6025/callback', { url: 'http://proxy.test/callbacks' })
  const service = {
    ...app,
    system,
    statuses,
    fetches: () => fetches,
    rotate: () => system.control('POST', '/rotate-key'),
    loseAnswers: (count: number) => (lost = count),
    async nextMinute() {
      now += minute
      await emulator.tick()
    },
    /** Changes the state of package 42 a number of times, and sends the batch of callbacks. */
    async change(times = 1) {
      for (let count = 0; count < times; count++) {
        const { state } = await system.ok<{ state: string }>('getPackage')
        if (state === 'VOID') await system.ok('unvoidPackage')
        else await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } })
      }
      await service.nextMinute()
    },
  }
  return service
}
