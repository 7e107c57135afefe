import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createViewRights } from '../../../src/proxy/live/view-rights.ts'

/** The rights of a person who may view packages with even numbers. `onRead` runs during each read. */
function setUp(onRead: () => void = () => {}) {
  const clock = { time: 1000 }
  const reads: (readonly [string, number, readonly number[]])[] = []
  const rights = createViewRights({
    univid: '10000001',
    mayView: (univid, formId, ids) => {
      reads.push([univid, formId, ids])
      onRead()
      return Promise.resolve(new Set(ids.filter((id) => id % 2 === 0)))
    },
    maxAge: 60,
    now: () => clock.time,
  })
  const question = (packageId: number, since = 0, formId = 1) => ({ hint: { formId, packageId }, since })
  return { clock, reads, rights, question }
}

describe('createViewRights()', () => {
  it('reads the missing decisions of each form together, and keeps them', async () => {
    const { reads, rights, question } = setUp()
    assert.equal(rights.get(question(2)), undefined)
    assert.deepEqual(await rights.load([question(2), question(3), question(2), question(4, 0, 9)]), [])
    assert.deepEqual(reads, [
      ['10000001', 1, [2, 3]],
      ['10000001', 9, [4]],
    ])
    assert.equal(rights.get(question(2))?.isAllowed, true)
    assert.equal(rights.get(question(3))?.isAllowed, false)
    assert.equal(rights.get(question(4)), undefined, 'a package of another form')
    await rights.load([question(3), question(5)])
    assert.deepEqual(reads[2], ['10000001', 1, [5]])
    assert.equal(rights.requests(), 3)
  })

  it('uses a decision until it is too old', async () => {
    const { clock, reads, rights, question } = setUp()
    await rights.load([question(2)])
    clock.time += 60
    assert.equal(rights.get(question(2))?.requestedAt, 1000)
    await rights.load([question(2)])
    assert.equal(reads.length, 1)
    clock.time += 1
    assert.equal(rights.get(question(2)), undefined)
    await rights.load([question(2)])
    assert.equal(reads.length, 2)
    assert.equal(rights.get(question(2))?.requestedAt, 1061)
  })

  it('uses no decision that was requested before an event', async () => {
    const { reads, rights, question } = setUp()
    await rights.load([question(2)])
    const since = rights.requests()
    assert.ok(rights.get(question(2, since - 1)))
    assert.equal(rights.get(question(2, since)), undefined)
    await rights.load([question(2, since)])
    assert.equal(reads.length, 2)
    assert.ok(rights.get(question(2, since)))
  })

  it('uses no decision that arrives too late, and returns failures by form', async () => {
    const late = setUp(() => (late.clock.time += 61))
    const [failure, ...others] = await late.rights.load([late.question(2)])
    assert.deepEqual([failure?.formId, others], [1, []])
    assert.match(String(failure?.error), /arrived too late/)
    late.clock.time -= 61
    assert.equal(late.rights.get(late.question(2)), undefined)

    const failing = setUp(() => {
      throw new Error('down')
    })
    const failures = await failing.rights.load([failing.question(2), failing.question(2, 0, 7)])
    assert.deepEqual(
      failures.map(({ formId, error }) => [formId, String(error)]),
      [
        [1, 'Error: down'],
        [7, 'Error: down'],
      ],
    )
  })
})
