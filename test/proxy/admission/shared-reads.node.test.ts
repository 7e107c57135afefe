import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Emulator } from '../../../src/emulator/emulator.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import { createSharedReads, type ReadingRequest } from '../../../src/proxy/admission/shared-reads.ts'
import { people, requestOf, setUp } from '../mount.ts'
import { until } from '../until.ts'

/** A request that waits, with what a test does to it. */
function createReader() {
  const gone = new AbortController()
  const sent: (() => void)[] = []
  const reader: ReadingRequest = {
    signal: gone.signal,
    holding: {
      untilReply: () => {},
      untilSent: (release) => void sent.push(release),
      revoke: (reason) => gone.abort(reason),
    },
  }
  return {
    reader,
    disconnect: () => gone.abort(),
    isRevoked: () => gone.signal.aborted,
    endSending: () => {
      for (const release of sent.splice(0)) release()
    },
  }
}

/** Reads that the test ends, each with its number. */
function createReads() {
  const begun: {
    readonly reader: ReadingRequest
    readonly end: () => void
    readonly fail: (error: Error) => void
  }[] = []
  const read = (reader: ReadingRequest) =>
    new Promise<number>((resolve, reject) => {
      const number = begun.length
      begun.push({ reader, end: () => resolve(number), fail: reject })
      const handleEvent = () => reject(new Error('aborted', { cause: reader.signal.reason }))
      reader.signal.addEventListener('abort', { handleEvent })
    })
  return { begun, read }
}

describe('createSharedReads()', () => {
  it('gives all requests with one key the result of one read (T23)', async () => {
    const { share } = createSharedReads()
    const { begun, read } = createReads()
    const all = Array.from({ length: 50 }, () => share('1', 'a', createReader().reader, read))
    const other = share('1', 'b', createReader().reader, read)
    assert.equal(begun.length, 2)
    for (const { end } of begun) end()
    assert.deepEqual(new Set(await Promise.all(all)), new Set([0]))
    assert.equal(await other, 1)
    const later = share('1', 'a', createReader().reader, read)
    begun[2]?.end()
    assert.equal(await later, 2, 'a result is not kept')
  })

  it('gives all of them the error of the read', async () => {
    const { share } = createSharedReads()
    const { begun, read } = createReads()
    const all = [1, 2].map(() => share('1', 'a', createReader().reader, read))
    begun[0]?.fail(new TypeError('broken'))
    for (const each of all) await assert.rejects(each, TypeError)
  })

  it('begins another read after the maximum age, and after a change', async () => {
    let time = 0
    const { share, forget } = createSharedReads({ maxAge: 500, now: () => time })
    const { begun, read } = createReads()
    const all = [share('1', 'a', createReader().reader, read)]
    time = 499
    all.push(share('1', 'a', createReader().reader, read))
    time = 500
    all.push(share('1', 'a', createReader().reader, read))
    forget()
    all.push(share('1', 'a', createReader().reader, read))
    // The end of an old read leaves the new one joinable.
    begun[0]?.end()
    await all[0]
    all.push(share('1', 'a', createReader().reader, read))
    for (const { end } of begun) end()
    assert.deepEqual(await Promise.all(all), [0, 0, 1, 2, 2])
  })

  it('ends a read when its last request disconnects, and not before', async () => {
    const { share } = createSharedReads()
    const { begun, read } = createReads()
    const [first, second, third] = [createReader(), createReader(), createReader()]
    const left = share('1', 'a', first.reader, read)
    const last = share('1', 'a', second.reader, read)
    first.disconnect()
    await assert.rejects(left, { status: 400 })
    assert.equal(begun[0]?.reader.signal.aborted, false)
    second.disconnect()
    await assert.rejects(last, { message: 'aborted' })
    const next = share('1', 'a', third.reader, read)
    begun[1]?.end()
    assert.equal(await next, 1, 'nobody joins a read that has ended early')
  })

  it('keeps what a read holds until the last response has been sent', async () => {
    const { share } = createSharedReads()
    const { begun, read } = createReads()
    const [first, second, gone] = [createReader(), createReader(), createReader()]
    const all = [first, second].map(({ reader }) => share('1', 'a', reader, read))
    const left = assert.rejects(share('1', 'a', gone.reader, read))
    gone.disconnect()
    const freed: string[] = []
    begun[0]?.reader.holding.untilReply(() => freed.push('reply'))
    begun[0]?.reader.holding.untilSent(() => freed.push('sent'))
    assert.deepEqual(freed, [])
    begun[0]?.end()
    await Promise.all([...all, left])
    assert.deepEqual(freed, ['reply'])
    first.endSending()
    gone.endSending()
    assert.deepEqual(freed, ['reply'])
    second.endSending()
    assert.deepEqual(freed, ['reply', 'sent'])
  })

  it('revokes the requests whose response has not been sent', async () => {
    const { share } = createSharedReads()
    const { begun, read } = createReads()
    const [first, second] = [createReader(), createReader()]
    const all = [first, second].map(({ reader }) => share('1', 'a', reader, read))
    begun[0]?.reader.holding.untilSent(() => {})
    begun[0]?.end()
    await Promise.all(all)
    first.endSending()
    begun[0]?.reader.holding.revoke(new ProxyError(503, 'busy'))
    assert.deepEqual([first.isRevoked(), second.isRevoked()], [false, true])

    const waiting = [createReader(), createReader()].map(({ reader }) => share('1', 'b', reader, read))
    begun[1]?.reader.holding.revoke(new ProxyError(503, 'busy'))
    await assert.rejects(waiting[0] as Promise<number>, { status: 503 })
    await assert.rejects(waiting[1] as Promise<number>, { cause: new ProxyError(503, 'busy') })
  })
})

describe('identical reads at the same time', () => {
  const package42 = '/forms/6025/packages/42'

  /** A service that receives each request at once and responds when the test releases it. */
  function holdCalls() {
    const held: { readonly url: string; readonly univid: string | null; readonly respond: () => void }[] = []
    const intercept = async (request: Request, emulator: Emulator) => {
      const univid = request.headers.get('x-workflow-request-user')
      // The service decides now, so that a change after this moment does not show.
      const response = await emulator.fetch(request)
      if (request.method !== 'GET') return response
      await new Promise<void>((resolve) => held.push({ url: request.url, univid, respond: resolve }))
      return response
    }
    return { held, intercept }
  }

  it('of one person call the service once, and those of others never share them (T23, T25)', async (t) => {
    t.mock.method(performance, 'now', () => 0)
    const { held, intercept } = holdCalls()
    const { request } = setUp({ intercept })
    const path = `${package42}/history`
    const own = Array.from({ length: 40 }, () => request(path, { as: 'initiator' }))
    const others = Array.from({ length: 40 }, () => request(path, { as: 'firstApprover' }))
    const outsiders = Array.from({ length: 40 }, () => request(path, { as: 'outsider' }))
    const another = request(package42, { as: 'initiator' })
    await until(() => held.length >= 4)
    for (const { respond } of held) respond()
    const texts = await Promise.all(own.map(async (response) => (await response).text()))
    assert.equal(new Set(texts).size, 1)
    assert.ok((texts[0]?.length ?? 0) > 100)
    for (const response of await Promise.all(others)) assert.equal(response.status, 200)
    for (const response of await Promise.all(outsiders)) assert.equal(response.status, 403)
    assert.equal((await another).status, 200)
    assert.equal(held.length, 4)
    assert.deepEqual(
      new Set(held.map(({ univid }) => univid)),
      new Set([people.initiator, people.firstApprover, people.outsider]),
    )
  })

  it('go on for the others if the first of them disconnects (T23)', async () => {
    const { held, intercept } = holdCalls()
    const { proxy, request } = setUp({
      async intercept(sent, emulator) {
        const response = await intercept(sent, emulator)
        sent.signal.throwIfAborted()
        return response
      },
    })
    const client = new AbortController()
    const first = proxy(requestOf(`${package42}/history`, { as: 'initiator', signal: client.signal }))
    await until(() => held.length >= 1)
    const other = request(`${package42}/history`, { as: 'initiator' })
    // By now, it would have sent a call of its own.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    client.abort()
    assert.equal((await first).status, 400)
    held[0]?.respond()
    assert.equal((await other).status, 200)
    assert.equal(held.length, 1)
  })

  it('warn of no leak, however many requests wait for one of them', async () => {
    const warnings: string[] = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on('warning', note)
    try {
      const { held, intercept } = holdCalls()
      const { proxy } = setUp({ intercept })
      const gone = Array.from({ length: 20 }, () => new AbortController())
      const replies = gone.map(({ signal }) =>
        proxy(requestOf(`${package42}/history`, { as: 'initiator', signal })),
      )
      await until(() => held.length >= 1)
      held[0]?.respond()
      for (const reply of await Promise.all(replies)) assert.equal(reply.status, 200)
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(warnings, [])
      // Control: Node warns of 11 listeners. Since version 24, it does so only if the target is no signal.
      const target = new EventTarget()
      for (let count = 0; count < 11; count++) target.addEventListener('abort', () => {})
      await until(() => warnings.length > 0)
    } finally {
      process.off('warning', note)
    }
  })

  it('of offices call the service once for all people (T23)', async () => {
    const { held, intercept } = holdCalls()
    const { request } = setUp({ intercept })
    const all = (['initiator', 'firstApprover', 'outsider'] as const).map((as) =>
      request('/offices/search?searchTerm=05', { as }),
    )
    await until(() => held.length > 0)
    // By now, each of them would have sent a call of its own.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    for (const { respond } of held) respond()
    const replies = await Promise.all(all)
    for (const reply of replies) assert.equal(reply.status, 200)
    assert.equal(new Set(await Promise.all(replies.map((reply) => reply.text()))).size, 1)
    assert.equal(held.length, 1)
    assert.deepEqual(
      replies.map((reply) => reply.headers.get('x-routeslip-person')),
      [people.initiator, people.firstApprover, people.outsider],
    )
  })

  it('do not show what was true before a change that has been made (T23)', async (t) => {
    t.mock.method(performance, 'now', () => 0)
    const { held, intercept } = holdCalls()
    const { request } = setUp({ intercept })
    const before = request(package42, { as: 'initiator' })
    await until(() => held.length >= 1)
    const change = request(`${package42}/void`, {
      as: 'initiator',
      method: 'PUT',
      json: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' },
    })
    await until(() => held.length >= 3)
    for (const { respond } of held.slice(1)) respond()
    assert.equal((await change).status, 200)
    const after = request(package42, { as: 'initiator' })
    await until(() => held.length >= 4)
    for (const { respond } of held) respond()
    const stateOf = async (response: Promise<Response>) =>
      ((await (await response).json()) as { state: string }).state
    assert.deepEqual([await stateOf(before), await stateOf(after)], ['ROUTING', 'VOID'])
  })
})
