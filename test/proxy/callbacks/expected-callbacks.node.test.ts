import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createExpectedCallbacks } from '../../../src/proxy/callbacks/expected-callbacks.ts'
import { type LiveEvent } from '../../../src/proxy/changes/bus.ts'

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
