import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Emulator } from '../../src/emulator/emulator.ts'
import { connectionOf } from '../../src/proxy/http/connection.ts'
import { createSlots } from '../../src/proxy/admission/slots.ts'
import { adminsPolicy } from '../../src/proxy/rights/admins-policy.ts'
import type { Send } from '../../src/proxy/upstream/send.ts'
import { everyOperation, people, requestOf, type Role, setUp } from './mount.ts'
import { until } from './until.ts'

const package42 = '/forms/6025/packages/42'

/** A JSON body that counts how often it is read. */
function countedBody(text: string) {
  const counted = {
    reads: 0,
    body: new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          counted.reads += 1
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    ),
  }
  return counted
}

const json = { 'content-type': 'application/json' }

describe('one person cannot slow down the rest', () => {
  describe('the body of a request', () => {
    const changes = [
      ['PUT', package42, { state: 'ROUTING' }],
      ['PUT', `${package42}/entry`, { purpose: 'x' }],
      ['PUT', `${package42}/void`, { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }],
      ['PUT', `${package42}/return`, { univid: '10000002' }],
      ['PUT', `${package42}/returnToInitiator`, { comment: 'x' }],
      ['POST', `${package42}/overrides`, {}],
      ['POST', '/shares', { granteeClientId: 'partner-app', fileAssetUuid: crypto.randomUUID() }],
    ] as const

    for (const [method, path, value] of changes) {
      it(`is not read if the person may not make the change: ${method} ${path} (T23)`, async () => {
        const { request, mutations } = setUp({ operations: everyOperation })
        const { body, ...counted } = countedBody(JSON.stringify(value))
        const { status } = await request(path, { as: 'outsider', method, body, headers: json })
        assert.equal(status, 403)
        assert.equal(counted.reads, 0)
        assert.equal(mutations().length, 0)
      })
    }

    it('is not read if the file belongs to another person (T12, T23)', async () => {
      const { request, upload } = setUp()
      const { uuid } = await upload('initiator')
      const counted = countedBody('{"filename":"b.txt"}')
      const { body } = counted
      const { status } = await request(`/files/${uuid}/meta`, {
        as: 'outsider',
        method: 'PUT',
        body,
        headers: json,
      })
      assert.deepEqual([status, counted.reads], [404, 0])
    })

    it('is not read if its headers show that it is not acceptable (T23)', async () => {
      const { request, journal } = setUp({ limits: { maxBodySize: 100 } })
      for (const [headers, expected] of [
        [{ 'content-type': 'text/plain' }, 415],
        [{ ...json, 'content-encoding': 'gzip' }, 415],
        [{ ...json, 'content-length': '101' }, 413],
      ] as const) {
        const counted = countedBody('{}')
        const { body } = counted
        const { status } = await request(`${package42}/entry`, {
          as: 'administrator',
          method: 'PUT',
          body,
          headers,
        })
        assert.deepEqual([status, counted.reads, journal.length], [expected, 0, 0])
      }
    })

    it('is read if the person may make the change (control)', async () => {
      const { request } = setUp({ identity: { policy: adminsPolicy([people.administrator]) } })
      const counted = countedBody('{"comment":"Please add the receipt."}')
      const { body } = counted
      const path = `${package42}/returnToInitiator`
      const { status } = await request(path, { as: 'administrator', method: 'PUT', body, headers: json })
      assert.deepEqual([status, counted.reads], [200, 1])
    })

    it('counts towards a limit per person until it has been parsed (T23)', async () => {
      const { proxy, request } = setUp({ limits: { bodiesPerPerson: 2 } })
      const put = (as: Role, body: BodyInit) =>
        request(`${package42}/entry`, { as, method: 'PUT', body, headers: json })
      const silentBodies: ReadableStreamDefaultController<Uint8Array>[] = []
      const silent = () =>
        new ReadableStream<Uint8Array>(
          { pull: (controller) => void silentBodies.push(controller) },
          { highWaterMark: 0 },
        )
      const gone = new AbortController()
      for (let count = 0; count < 2; count++) {
        const options = { as: 'administrator', method: 'PUT', body: silent(), headers: json } as const
        void proxy(requestOf(`${package42}/entry`, { ...options, signal: gone.signal }))
      }
      await until(() => silentBodies.length >= 2)
      const refused = await put('administrator', '{}')
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
      assert.notEqual((await put('firstApprover', '{}')).status, 429)
      // Who disconnects early does not get more places.
      gone.abort()
      assert.equal((await put('administrator', '{}')).status, 429)
      // None is read any longer than the test.
      for (const body of silentBodies) body.error(new Error('The connection is lost'))
    })
  })

  it('if a body has more values than any form: it is refused before it is parsed (T23)', async () => {
    const { request, mutations } = setUp()
    const put = (fields: number) => {
      const entry = Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index}`, 'a,[b']))
      return request(`${package42}/entry`, { as: 'administrator', method: 'PUT', json: entry })
    }
    const refused = await put(10_001)
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /more than 10000 values/)
    assert.equal(mutations().length, 0)
    await put(10_000)
    assert.equal(mutations().length, 1)
  })
})

describe('createSlots()', () => {
  const signal = new AbortController().signal
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  it('gives places in turns to those who wait, and no one more than allowed (T23)', async () => {
    const { take } = createSlots({ perHolder: 2, total: 3, wait: 60_000 })
    const order: string[] = []
    const releases: (() => void)[] = []
    const takeFor = (holder: string) =>
      void take({ holder, signal }).then((release) => {
        order.push(holder)
        releases.push(release)
      })
    for (let count = 0; count < 5; count++) takeFor('a')
    takeFor('b')
    await settle()
    assert.deepEqual(order, ['a', 'a', 'b'], 'one place is kept from the third request of a')
    takeFor('c')
    takeFor('d')
    for (let count = 0; count < 5; count++) {
      releases.shift()?.()
      await settle()
    }
    assert.deepEqual(order, ['a', 'a', 'b', 'a', 'c', 'd', 'a', 'a'])
  })

  it('gives a place of the person who holds the most to one who holds at least two fewer (T23)', async () => {
    const { take } = createSlots({ perHolder: 4, total: 6, wait: 60_000 })
    const revoked: string[] = []
    const hold = (holder: string) => take({ holder, signal, revoke: () => revoked.push(holder) })
    for (const holder of ['a', 'a', 'a', 'a', 'b', 'b']) await hold(holder)
    await hold('c')
    await hold('d')
    assert.deepEqual(revoked, ['a', 'a'])
    const releases = await Promise.all([hold('e'), hold('f')])
    assert.deepEqual(revoked, ['a', 'a', 'a', 'b'])
    // All hold one, so the next person waits.
    let isServed = false
    void hold('g').then(() => (isServed = true))
    await settle()
    assert.deepEqual([isServed, revoked.length], [false, 4])
    releases[0]?.()
    await settle()
    assert.equal(isServed, true)
  })

  it('refuses with Retry-After after the timeout, and forgets those who disconnect', async () => {
    const { take } = createSlots({ perHolder: 1, total: 1, wait: 20 })
    const release = await take({ holder: 'a', signal })
    await assert.rejects(take({ holder: 'b', signal }), { status: 503, retryAfter: 5 })
    const gone = new AbortController()
    const waiting = assert.rejects(take({ holder: 'c', signal: gone.signal }), { status: 400 })
    gone.abort()
    await waiting
    release()
    release()
    ;(await take({ holder: 'd', signal }))()
    ;(await take({ holder: 'a', signal }))()
  })
})

describe('shares of what all need', () => {
  /** A service that responds when the test releases it. */
  function holdCalls() {
    const held: { readonly univid: string; readonly respond: () => void }[] = []
    const intercept = async (request: Request, emulator: Emulator) => {
      const univid = request.headers.get('x-workflow-request-user') ?? ''
      await new Promise<void>((resolve) => held.push({ univid, respond: resolve }))
      return await emulator.fetch(request)
    }
    return { held, intercept }
  }

  it('limit the calls of one person, so that another person is served at once (T23)', async () => {
    const { held, intercept } = holdCalls()
    const { request } = setUp({ intercept, limits: { calls: 4, callsPerPerson: 3 } })
    const parts = [
      '',
      '/history',
      '/future_history',
      '/comments',
      '/attachments',
      '/attachments/types',
      '/entry',
    ]
    const all = parts.map((part) => request(package42 + part, { as: 'initiator' }))
    await until(() => held.length >= 3)
    const other = request(package42, { as: 'firstApprover' })
    await until(() => held.length >= 4)
    assert.equal(held[3]?.univid, people.firstApprover)
    held[3]?.respond()
    assert.equal((await other).status, 200)
    for (let index = 0; index < parts.length + 1; index++) {
      await until(() => held.length > index)
      held[index]?.respond()
    }
    for (const response of await Promise.all(all)) assert.equal(response.status, 200)
  })

  it('refuse a call that waits too long, which is no failure of the service', async () => {
    const { held, intercept } = holdCalls()
    const { request, log } = setUp({ intercept, limits: { calls: 1, callsPerPerson: 1, timeout: 40 } })
    const first = request(package42, { as: 'initiator' })
    await until(() => held.length >= 1)
    const refused = await request(package42, { as: 'firstApprover' })
    assert.ok(refused.status === 503 || held.length > 1, String(refused.status))
    if (refused.status === 503) assert.equal(refused.headers.get('retry-after'), '5')
    for (const { respond } of held) respond()
    await first
    assert.doesNotMatch(log.filter((line) => line.includes('firstApprover')).join(), /no response/)
  })

  it('end a download of the person with the most if another person has none (T23)', async () => {
    const ended: string[] = []
    const send: Send = async (request) => {
      const univid = request.headers['x-workflow-request-user'] ?? ''
      request.signal.addEventListener('abort', () => ended.push(univid))
      return {
        status: 200,
        header: (name) => (name === 'content-type' ? 'application/pdf' : null),
        bytes: async () => new Uint8Array(),
        stream: () => new ReadableStream(),
      }
    }
    const { proxy } = setUp({ send, limits: { files: 4, filesPerPerson: 3 } })
    const open: (() => void)[] = []
    const download = (as: Role) => {
      const request = requestOf(`${package42}/pdf`, { as })
      return proxy.handle(request, { ...connectionOf(request), onEnd: (end) => void open.push(end) })
    }
    for (const as of ['initiator', 'initiator', 'initiator', 'viewer'] as const) await download(as)
    assert.deepEqual(ended, [])
    assert.equal((await download('firstApprover')).status, 200)
    assert.deepEqual(ended, [people.initiator])
    assert.equal((await download('initiator')).status, 429, 'its quota is not free before the end')
  })
})

describe('a large response', () => {
  const events = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, index) => ({
        '@class': 'signature',
        actionDate: '2026-11-16T10:00:00',
        context: `event ${index} ${'x'.repeat(200)}`,
        person: { displayName: 'Ana', directoryRestricted: true, email: 'ana@example.edu' },
      })),
    )
  const history = `${package42}/history`

  it('is complete, in order and without contact details (T30)', async () => {
    const { request } = setUp({ intercept: () => new Response(events(1234)) })
    const rows = (await (await request(history, { as: 'initiator' })).json()) as { context: string }[]
    assert.equal(rows.length, 1234)
    assert.deepEqual(
      rows.map(({ context }) => Number(context.split(' ')[1])),
      Array.from({ length: 1234 }, (_, index) => index),
    )
    assert.doesNotMatch(JSON.stringify(rows), /ana@example/)
  })

  it('takes a place until it has been sent, and few people hold few of them (T23)', async () => {
    const large = new TextEncoder().encode(events(500))
    let texts = 0
    const send: Send = async () => ({
      status: 200,
      header: () => null,
      bytes: async (_limit, permit) => {
        await permit?.(large.length)
        texts++
        return large
      },
      stream: () => new ReadableStream(),
    })
    const { proxy } = setUp({ send, limits: { largeReads: 3, largeReadsPerPerson: 2 } })
    const sent: (() => void)[] = []
    let replies = 0
    let packageId = 0
    const read = (as: Role) => {
      const request = requestOf(`/forms/6025/packages/${++packageId}/history`, { as })
      void proxy
        .handle(request, { ...connectionOf(request), onEnd: (end) => void sent.push(end) })
        .then(() => replies++)
    }
    for (let count = 0; count < 10; count++) read('initiator')
    await until(() => replies >= 2)
    read('firstApprover')
    await until(() => replies >= 3)
    // The last one to come has been served.
    assert.deepEqual([texts, replies], [3, 3], 'all others wait before they are read')
    for (const end of sent.splice(0)) end()
    await until(() => replies >= 5)
    // None waits any longer than the test.
    await until(() => {
      for (const end of sent.splice(0)) end()
      return replies === packageId
    })
  })
})
