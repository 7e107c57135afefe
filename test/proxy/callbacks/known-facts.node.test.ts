import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDedupeStore } from '../../../src/proxy/callbacks/dedupe-store.ts'
import { createExpectedCallbacks } from '../../../src/proxy/callbacks/expected-callbacks.ts'
import { createKnownTexts } from '../../../src/proxy/changes/known-texts.ts'
import { type LiveEvent, packageKey } from '../../../src/proxy/changes/bus.ts'

const one = { formId: 6025, packageId: 42 }
const other = { formId: 6025, packageId: 43 }

describe('createExpectedCallbacks()', () => {
  function setUp() {
    const clock = { time: 0 }
    return { clock, expected: createExpectedCallbacks({ now: () => clock.time }) }
  }
  const eventOf = (hint: typeof one, id: string) => ({ ...hint, id }) as unknown as LiveEvent

  it('expects a callback with the state that a change led to, once', () => {
    const { expected } = setUp()
    assert.equal(expected.take(one, 'VOID'), false)
    expected.add(one, 'VOID', 'e1')
    assert.equal(expected.take(other, 'VOID'), false)
    assert.equal(expected.take(one, 'COMPLETE'), false)
    assert.equal(expected.take(one, 'VOID'), true)
    assert.equal(expected.take(one, 'VOID'), false)
  })

  it('expects a callback for a minute', () => {
    const { clock, expected } = setUp()
    expected.add(one, 'VOID', 'e1')
    clock.time = 30_000
    expected.add(other, 'VOID', 'e2')
    clock.time = 59_999
    assert.equal(expected.take(one, 'VOID'), true)
    expected.add(one, 'VOID', 'e3')
    clock.time = 90_000
    assert.equal(expected.take(other, 'VOID'), false)
    assert.equal(expected.take(one, 'VOID'), true)
  })

  it('expects only the callback of the last change of a package', () => {
    const { clock, expected } = setUp()
    expected.add(one, 'ROUTING', 'e1')
    expected.add(other, 'ROUTING', 'e2')
    clock.time = 30_000
    expected.add(one, 'VOID', 'e3')
    assert.equal(expected.take(one, 'ROUTING'), false)
    clock.time = 60_000
    assert.equal(expected.take(other, 'ROUTING'), false)
    assert.equal(expected.take(one, 'VOID'), true)
  })

  it('expects no callback after another change was announced', () => {
    const { expected } = setUp()
    expected.add(one, 'VOID', 'e1')
    expected.announced(eventOf(one, 'e1'))
    expected.announced(eventOf(other, 'e2'))
    assert.equal(expected.take(one, 'VOID'), true)
    expected.add(one, 'VOID', 'e3')
    expected.announced(eventOf(one, 'e4'))
    assert.equal(expected.take(one, 'VOID'), false)
  })
})

describe('createKnownTexts()', () => {
  it('reports a difference only from a text that was known before', () => {
    const texts = createKnownTexts()
    assert.equal(texts.has(one), false)
    texts.add(one)
    assert.equal(texts.has(one), true)
    assert.equal(texts.has(other), false)
    const read = (text: string, hint = one) => texts.startReading()(hint, text)
    assert.deepEqual([read('a'), read('a'), read('b'), read('b')], [false, false, true, false])
    texts.add(one)
    assert.equal(read('c'), true)
    assert.equal(read('a', other), false)
  })

  it('records no read that started before the package was outdated', () => {
    const texts = createKnownTexts()
    texts.startReading()(one, 'a')
    const early = texts.startReading()
    texts.outdate(one)
    const late = texts.startReading()
    assert.equal(early(one, 'b'), false)
    assert.equal(early(other, 'b'), false)
    assert.equal(late(one, 'a'), false)
    assert.equal(late(one, 'b'), true)
  })

  it('forgets all packages except those to keep', () => {
    const texts = createKnownTexts()
    texts.add(one)
    texts.add(other)
    texts.keep(new Set([packageKey(other)]))
    assert.deepEqual([texts.has(one), texts.has(other)], [false, true])
  })
})

describe('createDedupeStore()', () => {
  it('remembers a key that is used again after its time as a new one', async () => {
    const clock = { time: 0 }
    const store = createDedupeStore({ now: () => clock.time, max: 2 })
    assert.equal(await store.isFirst('a', 1), true)
    assert.equal(await store.isFirst('b', 10), true)
    clock.time = 999
    assert.equal(await store.isFirst('a', 1), false)
    clock.time = 1000
    assert.equal(await store.isFirst('a', 1), true)
    // The key is now younger than the other one, which is forgotten first.
    assert.equal(await store.isFirst('c', 1), true)
    assert.equal(await store.isFirst('a', 1), false)
    assert.equal(await store.isFirst('b', 10), true)
    await store.forget('b')
    assert.equal(await store.isFirst('b', 10), true)
  })
})
