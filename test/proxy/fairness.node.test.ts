import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adminsPolicy } from '../../src/proxy/rights/admins-policy.ts'
import { createWorkQueue } from '../../src/proxy/work-queue.ts'
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
        const { ask, mutations } = setUp({ operations: everyOperation })
        const { body, ...counted } = countedBody(JSON.stringify(value))
        const { status } = await ask(path, { as: 'outsider', method, body, headers: json })
        assert.equal(status, 403)
        assert.equal(counted.reads, 0)
        assert.equal(mutations().length, 0)
      })
    }

    it('is not read if the file belongs to another person (T12, T23)', async () => {
      const { ask, upload } = setUp()
      const { uuid } = await upload('initiator')
      const counted = countedBody('{"filename":"b.txt"}')
      const { body } = counted
      const { status } = await ask(`/files/${uuid}/meta`, {
        as: 'outsider',
        method: 'PUT',
        body,
        headers: json,
      })
      assert.deepEqual([status, counted.reads], [404, 0])
    })

    it('is not read if its headers show that it is not acceptable (T23)', async () => {
      const { ask, journal } = setUp({ limits: { maxBodySize: 100 } })
      for (const [headers, expected] of [
        [{ 'content-type': 'text/plain' }, 415],
        [{ ...json, 'content-encoding': 'gzip' }, 415],
        [{ ...json, 'content-length': '101' }, 413],
      ] as const) {
        const counted = countedBody('{}')
        const { body } = counted
        const { status } = await ask(`${package42}/entry`, {
          as: 'administrator',
          method: 'PUT',
          body,
          headers,
        })
        assert.deepEqual([status, counted.reads, journal.length], [expected, 0, 0])
      }
    })

    it('is read if the person may make the change (control)', async () => {
      const { ask } = setUp({ policy: adminsPolicy([people.administrator]) })
      const counted = countedBody('{"comment":"Please add the receipt."}')
      const { body } = counted
      const path = `${package42}/returnToInitiator`
      const { status } = await ask(path, { as: 'administrator', method: 'PUT', body, headers: json })
      assert.deepEqual([status, counted.reads], [200, 1])
    })

    it('counts towards a limit per person until it has been parsed (T23)', async () => {
      const { proxy, ask } = setUp({ limits: { bodiesPerPerson: 2 } })
      const put = (as: Role, body: BodyInit) =>
        ask(`${package42}/entry`, { as, method: 'PUT', body, headers: json })
      let reading = 0
      const silent = () =>
        new ReadableStream<Uint8Array>({ pull: () => void reading++ }, { highWaterMark: 0 })
      const gone = new AbortController()
      for (let count = 0; count < 2; count++) {
        const options = { as: 'administrator', method: 'PUT', body: silent(), headers: json } as const
        void proxy(requestOf(`${package42}/entry`, { ...options, signal: gone.signal }))
      }
      await until(() => reading === 2)
      const refused = await put('administrator', '{}')
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
      assert.notEqual((await put('firstApprover', '{}')).status, 429)
      // Who disconnects early does not get more places.
      gone.abort()
      assert.equal((await put('administrator', '{}')).status, 429)
    })
  })

  describe('work that keeps the processor busy', () => {
    it('runs in turns between people, in order for each of them (T23)', async () => {
      const { run } = createWorkQueue()
      const order: string[] = []
      const ask = (univid: string, count: number) =>
        Array.from({ length: count }, (_, index) => run(univid, () => void order.push(`${univid}${index}`)))
      await Promise.all([...ask('a', 5), ...ask('b', 2), ...ask('c', 1)])
      assert.deepEqual(order, ['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3', 'a4'])
    })

    it('lets everything else run after each piece, and rests as long as the piece took (T23)', async (t) => {
      let time = 0
      const rests: number[] = []
      t.mock.method(performance, 'now', () => time)
      t.mock.method(globalThis, 'setTimeout', (next: () => void, rest: number) => {
        rests.push(rest)
        setImmediate(next)
      })
      const { run } = createWorkQueue()
      let turns = 0
      const seen: number[] = []
      const piece = () => {
        seen.push(turns)
        setImmediate(() => turns++)
        time += 150
      }
      await Promise.all([run('a', piece), run('a', piece), run('b', piece)])
      assert.deepEqual(seen, [0, 1, 2])
      assert.deepEqual(rests.slice(0, 2), [150, 150])
    })

    it('continues after a piece that fails, which only its owner notices', async () => {
      const { run } = createWorkQueue()
      const failed = run('a', () => {
        throw new RangeError('too deep')
      })
      const fine = run('b', () => 7)
      await assert.rejects(failed, RangeError)
      assert.equal(await fine, 7)
      assert.equal(await run('a', () => 8), 8)
    })
  })
})
