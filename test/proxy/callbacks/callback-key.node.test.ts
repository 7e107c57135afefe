import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { UnverifiedCallback } from '../../../src/proxy/callbacks/callback-store.ts'
import { until } from '../until.ts'
import { createApp, createKey, minute, type Sent, useClock } from './callback-app.ts'

describe('the key of createCallbackReceiver()', () => {
  it('is fetched once for the first callbacks and then cached', async () => {
    const app = await createApp()
    assert.equal(app.fetches(), 0)
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 20 }, async () => app.send(await app.key.callback())))
    }
    assert.equal(app.fetches(), 1)
  })

  it('leaves no timer when it has arrived', async () => {
    const app = await createApp({ keyTimeout: 10 * minute })
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    assert.equal((await app.send(await app.key.callback())).status, 200)
    await until(() => timers() === before)
  })

  it('is not fetched for a malformed signature', async () => {
    const app = await createApp()
    for (let count = 0; count < 50; count++) {
      assert.equal((await app.send({ ...(await app.key.callback()), signature: 'x' })).status, 401)
    }
    assert.equal(app.fetches(), 0)
  })

  it('is fetched at most twice in a minute of invalid callbacks, while valid ones pass immediately (T29)', async (t) => {
    const clock = useClock(t)
    const app = await createApp()
    const stranger = await createKey()
    const bad = [
      await stranger.callback({ formId: 1 }),
      await stranger.callback(),
      await stranger.signed('x'),
      { ...(await app.key.callback()), signature: 'x' },
    ]
    let good = 0
    for (let second = 0; second < 59; second++) {
      const responses = await Promise.all([
        ...Array.from({ length: 40 }, (_, index) => app.send(bad[index % 4] as Sent)),
        app.send(await app.key.callback({ packageId: ++good })),
      ])
      assert.equal(responses.at(-1)?.status, 200)
      await clock.pass(1000)
    }
    await clock.until(() => app.taken.length === good)
    assert.ok(app.fetches() <= 2, `${app.fetches()} fetches`)
    await clock.pass(10 * minute)
    assert.equal(app.taken.length, good)
    assert.ok(app.logs.length < good + 20, 'one log line per minute of refusals')
  })

  it('may be outdated, so a callback that fails during the cooldown waits for the next key (T29)', async (t) => {
    const clock = useClock(t)
    const app = await createApp()
    await app.send(await app.key.callback({ packageId: 1 }))
    await app.rotate()
    await clock.pass(10_000)
    const sent = await app.key.callback({ packageId: 2 })
    for (let count = 0; count < 10; count++) assert.equal((await app.send(sent)).status, 202)
    const forged = await (await createKey()).callback({ packageId: 3 })
    assert.equal((await app.send(forged)).status, 202, 'not decidable yet')
    await clock.pass(49_999)
    assert.deepEqual([app.fetches(), app.taken.length], [1, 1])
    await clock.pass(1)
    await clock.until(() => app.taken.length >= 2)
    await clock.until(() => app.counts().callback_repeated === 9)
    assert.equal(app.fetches(), 2)
    await clock.until(() => app.counts().callback_refused === 1)
    assert.deepEqual(app.counts(), {
      callback_verified: 11,
      callback_pending: 11,
      callback_repeated: 9,
      callback_refused: 1,
    })
    await clock.pass(10 * minute)
    assert.equal(app.fetches(), 2, 'no unnecessary request')
    assert.equal(app.taken.length, 2)
  })

  it('is fetched immediately after the cooldown, and its decision is final', async (t) => {
    const clock = useClock(t)
    const app = await createApp()
    await app.send(await app.key.callback({ packageId: 1 }))
    await clock.pass(minute)
    await app.rotate()
    assert.equal((await app.send(await app.key.callback({ packageId: 2 }))).status, 200)
    await clock.pass(minute)
    assert.equal((await app.send(await (await createKey()).callback({ packageId: 3 }))).status, 401)
    assert.equal(app.fetches(), 3)
    await clock.until(() => app.taken.length >= 2)
  })

  it('does not make a body wait that cannot be a callback of a served form', async () => {
    const app = await createApp()
    await app.send(await app.key.callback({ packageId: 1 }))
    await app.rotate()
    for (const sent of [
      await app.key.callback({ formId: 1 }),
      await app.key.signed('x'),
      await app.key.signed('{}'),
      { ...(await app.key.callback()), signature: 'x' },
    ]) {
      assert.equal((await app.send(sent)).status, 401)
    }
    assert.equal((await app.send(await app.key.callback({ packageId: 2 }))).status, 202)
  })

  it('limits the number and the size of the callbacks that wait for it (T29)', async (t) => {
    const clock = useClock(t)
    for (const [options, size, expected] of [
      [{ maxPending: 5 }, 0, 5],
      [{ maxPendingSize: 40_000 }, 10_000, 4],
      [{}, 250_000, 67],
    ] as const) {
      const app = await createApp(options)
      await app.send(await app.key.callback({ packageId: 1 }))
      await app.rotate()
      app.respondWith(() => Promise.reject(new TypeError('fetch failed')))
      const sent = await app.key.callback({ packageId: 2 }, size)
      for (let count = 0; count < expected; count++) assert.equal((await app.send(sent)).status, 202)
      assert.equal((await app.send(sent)).status, 503)
      assert.equal((await app.send({ ...sent, signature: 'x' })).status, 401)
      app.respondWith()
      await clock.pass(minute)
      await clock.until(() => app.counts().callback_verified === expected + 1)
      assert.equal((await app.send(sent)).status, 200)
    }
  })

  it('returns 503 if a callback that waits for the key could not be stored, and stores no more than have a place', async (t) => {
    const clock = useClock(t)
    const stored: UnverifiedCallback[] = []
    let isFull = true
    const app = await createApp({
      maxPending: 5,
      unverified: {
        async add(callback) {
          await new Promise((resolve) => setImmediate(resolve))
          if (isFull) throw new Error('the disk is full')
          stored.push(callback)
        },
        remove: (callback) => Promise.resolve(void stored.splice(stored.indexOf(callback), 1)),
        list: () => Promise.resolve([]),
      },
    })
    app.respondWith(() => Promise.reject(new Error('down')))
    const statuses = (count: number) =>
      Promise.all(
        Array.from({ length: count }, async (_, index) =>
          app.send(await app.key.callback({ packageId: index + 1 })).then(({ status }) => status),
        ),
      )
    assert.deepEqual(await statuses(3), [503, 503, 503])
    isFull = false
    const all = await statuses(9)
    assert.deepEqual([all.filter((status) => status === 202).length, stored.length], [5, 5])
    app.respondWith()
    await clock.pass(minute)
    await clock.until(() => app.taken.length === 5 && stored.length === 0)
  })

  it('accepts callbacks signed with a new key while anyone fills the queue with forgeries (T29)', async (t) => {
    const clock = useClock(t)
    const app = await createApp({ maxPending: 1000 })
    await app.send(await app.key.callback({ packageId: 1 }))
    await app.rotate()
    const forged = await (await createKey()).callback({ packageId: 3 })
    const fill = async () => {
      let forgeries = 0
      while ((await app.send(forged)).status === 202) forgeries++
      return forgeries
    }
    await clock.pass(1000)
    assert.equal(
      await fill(),
      1000,
      'the one that finds no place is refused with the key that it causes to be requested',
    )
    assert.equal((await app.send(await app.key.callback({ packageId: 2 }))).status, 200)
    for (let packageId = 4; packageId < 7; packageId++) {
      await app.rotate()
      await fill()
      await clock.pass(1000)
      assert.equal((await app.send(await app.key.callback({ packageId }))).status, 200)
    }
    await clock.until(() => app.taken.length >= 5)
    assert.ok(app.fetches() <= 6, `${app.fetches()} requests for the key`)
  })

  it('is requested at most once per second, however many forgeries find no place (T29)', async (t) => {
    const clock = useClock(t)
    const app = await createApp({ maxPending: 5 })
    await app.send(await app.key.callback({ packageId: 1 }))
    const forged = await (await createKey()).callback()
    for (let second = 0; second < 10; second++) {
      for (let count = 0; count < 20; count++) await app.send(forged)
      await clock.pass(1000)
    }
    assert.ok(app.fetches() >= 5 && app.fetches() <= 11, `${app.fetches()} requests for the key`)
  })

  it('stays in use if a later request fails or returns no key (F59)', async (t) => {
    const clock = useClock(t)
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    const badResponses: (() => Promise<string | Uint8Array>)[] = [
      () => Promise.reject(new TypeError('fetch failed')),
      () => {
        throw new TypeError('fetch failed')
      },
      () => Promise.resolve('<!doctype html><title>Sign in</title>'),
      () => Promise.resolve(''),
      () => Promise.resolve('{"status":500,"detail":"Internal error"}'),
      () => Promise.resolve(rsa.export({ type: 'spki', format: 'pem' }).toString()),
      () => Promise.resolve(new Uint8Array(31)),
      () => Promise.resolve(new Uint8Array(32)),
      () => Promise.resolve('x'.repeat(1_000_000)),
      () => Promise.resolve(null as unknown as string),
    ]
    const app = await createApp()
    let good = 0
    const pass = async () => {
      assert.equal((await app.send(await app.key.callback({ packageId: ++good }))).status, 200)
    }
    await pass()
    const forged = await (await createKey()).callback()
    for (const [index, keyResponse] of badResponses.entries()) {
      await clock.pass(minute)
      app.respondWith(keyResponse)
      assert.equal((await app.send(forged)).status, 202, 'not decidable')
      assert.equal(app.fetches(), index + 2)
      await pass()
    }
    await app.rotate()
    const sent = await app.key.callback({ packageId: ++good })
    assert.equal((await app.send(sent)).status, 202)
    for (let count = 0; count < 5; count++) {
      await clock.pass(minute)
      await clock.until(() => app.fetches() === badResponses.length + 2 + count)
    }
    app.respondWith()
    await clock.pass(minute)
    await clock.until(() => app.taken.length === good)
    assert.equal(app.counts().callback_refused, badResponses.length)
    assert.ok(
      app.logs.some(([level, message]) => level === 'warn' && message.includes('could not be fetched')),
    )
  })

  it('decides on the first callbacks as soon as the service can deliver it (F59)', async (t) => {
    const clock = useClock(t)
    const app = await createApp()
    app.respondWith(() => Promise.reject(new TypeError('fetch failed')))
    for (let packageId = 1; packageId <= 5; packageId++) {
      assert.equal((await app.send(await app.key.callback({ packageId }))).status, 202)
    }
    assert.equal((await app.send(await app.key.callback({ formId: 1 }))).status, 401)
    assert.equal(app.fetches(), 1)
    await clock.pass(minute)
    await clock.until(() => app.fetches() === 2)
    app.respondWith()
    await clock.pass(minute)
    await clock.until(() => app.taken.length >= 5)
    assert.equal(app.fetches(), 3)
  })

  it('does not delay a response if it arrives slowly, and decides when it arrives (F59)', async (t) => {
    const clock = useClock(t)
    const app = await createApp()
    const slow = app.holdKey()
    const keyResponse = app.send(await app.key.callback())
    await clock.until(() => app.fetches() === 1)
    await clock.pass(500)
    assert.equal((await keyResponse).status, 202)
    assert.equal(app.taken.length, 0)
    slow.release()
    await clock.until(() => app.taken.length >= 1)
    assert.equal(app.fetches(), 1)
  })

  it('is fetched again if a request hangs, and an older response does not replace a newer one (F59)', async (t) => {
    const clock = useClock(t)
    const app = await createApp()
    const slow = app.holdKey()
    const sent = app.send(await app.key.callback({ packageId: 1 }))
    await clock.until(() => app.fetches() === 1)
    await clock.pass(500)
    assert.equal((await sent).status, 202)
    const old = await app.key.callback({ packageId: 3 })
    await app.rotate()
    assert.equal((await app.send(await app.key.callback({ packageId: 2 }))).status, 202)
    await clock.pass(minute)
    await clock.until(() => app.taken.length >= 1)
    slow.release()
    await clock.pass(0)
    assert.equal((await app.send(await app.key.callback({ packageId: 4 }))).status, 200)
    assert.equal((await app.send(old)).status, 202, 'signed with the previous key')
    await clock.pass(minute)
    await clock.until(() => app.taken.length >= 2)
    await clock.pass(10 * minute)
    assert.deepEqual(app.taken.map(({ packageId }) => packageId).sort(), [2, 4])
  })

  it('does not refuse a callback that arrived after its request had started (T29)', async (t) => {
    const clock = useClock(t)
    const app = await createApp()
    await app.send(await app.key.callback({ packageId: 1 }))
    await clock.pass(minute)
    const slow = app.holdKey()
    const forged = app.send(await (await createKey()).callback())
    await clock.until(() => app.fetches() === 2)
    // The service returns the key from before the rotation.
    await app.rotate()
    const sent = app.send(await app.key.callback({ packageId: 2 }))
    await clock.pass(1)
    slow.release()
    assert.equal((await forged).status, 401)
    assert.equal((await sent).status, 202)
    await clock.pass(minute)
    await clock.until(() => app.taken.length >= 2)
    assert.equal(app.fetches(), 3)
  })

  it('does not refuse such a callback if it arrives slowly, either (T29)', async (t) => {
    const clock = useClock(t)
    const app = await createApp()
    await app.send(await app.key.callback({ packageId: 1 }))
    await clock.pass(minute)
    const slow = app.holdKey()
    const forged = app.send(await (await createKey()).callback())
    await clock.until(() => app.fetches() === 2)
    const old = app.key
    await app.rotate()
    const sent = app.send(await app.key.callback({ packageId: 2 }))
    await clock.pass(500)
    assert.deepEqual([(await forged).status, (await sent).status], [202, 202])
    slow.release()
    await clock.until(() => app.counts().callback_refused === 1)
    // By the time these are verified, the verification of the other callback has finished.
    for (let packageId = 3; packageId < 10; packageId++) {
      assert.equal((await app.send(await old.callback({ packageId }))).status, 200)
    }
    await clock.until(() => app.taken.length >= 8)
    for (let minutes = 0; minutes < 2; minutes++) await clock.pass(minute)
    await clock.until(() => app.taken.length >= 9)
    assert.equal(app.taken.at(-1)?.packageId, 2)
  })

  it('loses no callback during a key rotation, in any order of events (T29)', async (t) => {
    const clock = useClock(t)
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant('good' as const) },
      { weight: 2, arbitrary: fc.constant('forged' as const) },
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 40_000 }) },
      { weight: 1, arbitrary: fc.constantFrom('down' as const, 'up' as const, 'slow' as const) },
    )
    const steps = fc.array(step, { maxLength: 20 })
    let parked = 0
    await fc.assert(
      fc.asyncProperty(steps, steps, async (before, after) => {
        const app = await createApp()
        const stranger = await createKey()
        const responses: Promise<Response>[] = []
        let good = 0
        let slow: { release: () => void } | undefined
        const sendGood = async () => {
          responses.push(app.send(await app.key.callback({ packageId: ++good })))
          // The callback is verified with the key of this moment before time passes or the key changes.
          await clock.settle()
        }
        await sendGood()
        await clock.until(() => app.taken.length >= 1)
        for (const each of [...before, 'rotate' as const, 'good' as const, ...after]) {
          if (typeof each === 'number') await clock.pass(each)
          else if (each === 'good') await sendGood()
          else if (each === 'forged') void app.send(await stranger.callback({ packageId: 100_000 }))
          else if (each === 'rotate') await app.rotate()
          else if (each === 'down') app.respondWith(() => Promise.reject(new TypeError('fetch failed')))
          else if (each === 'slow') slow ??= app.holdKey()
          else app.respondWith()
        }
        slow?.release()
        app.respondWith()
        await until(
          () => app.taken.length === good,
          () => clock.pass(minute),
        )
        for (const { status } of await Promise.all(responses)) assert.ok(status === 200 || status === 202)
        assert.equal(new Set(app.taken.map(({ packageId }) => packageId)).size, good)
        assert.ok(app.taken.every(({ packageId }) => packageId !== 100_000))
        for (const [index, time] of app.fetchTimes.entries()) {
          assert.ok(index === 0 || time - (app.fetchTimes[index - 1] ?? 0) >= minute)
        }
        parked += app.counts().callback_pending ?? 0
        app.receiver.close()
      }),
      { seed: 29, numRuns: 60 },
    )
    assert.ok(parked > 100, `${parked} callbacks were pending`)
  })
})
