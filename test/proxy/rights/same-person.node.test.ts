import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSamePerson, personKey } from '../../../src/contract/values/patterns.ts'
import { adminsPolicy } from '../../../src/proxy/rights/admins-policy.ts'
import { readPolicy } from '../../../src/proxy/rights/policy-rules.ts'
import type { Policy } from '../../../src/proxy/rights/policy.ts'
import { rulesPolicy } from '../../../src/proxy/rights/rules-policy.ts'
import { everyOperation, people, type Role, setUp, type SetUp } from '../mount.ts'

// Two university ids are the same person if they are equal without leading zeros: front servers and services write them in
// different ways.

const withZeros = (univid: string) => `000${univid}`

/** A mount on which the person comes with leading zeros, which the services do not write. */
function mountFor(as: Role, { identity, ...options }: SetUp = {}) {
  return setUp({
    operations: everyOperation,
    identity: { identify: () => ({ univid: withZeros(people[as]) }), ...identity },
    // The service decides by the id that it knows.
    intercept: (request, emulator) => {
      const headers = new Headers(request.headers)
      const user = headers.get('x-workflow-request-user') ?? ''
      headers.set('x-workflow-request-user', /^\d+$/.test(user) ? personKey(user) : user)
      return emulator.fetch(new Request(request, { headers }))
    },
    ...options,
  })
}

describe('isSamePerson()', () => {
  it('ignores leading zeros, and nothing else', () => {
    assert.ok(isSamePerson('10000001', '0010000001'))
    assert.ok(isSamePerson('0', '000'))
    for (const [one, other] of [
      ['1', '10'],
      ['10000001', '10000002'],
      ['', '0'],
      [undefined, undefined],
      [null, null],
      ['1', null],
    ] as const)
      assert.ok(!isSamePerson(one, other), `${one} ${other}`)
  })
})

describe('a person whose id has leading zeros (T4)', () => {
  const voiding = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
  const path = '/forms/6025/packages/42'

  it('has the rights of the initiator', async () => {
    const { request, mutations } = mountFor('initiator')
    assert.equal((await request(`${path}/void`, { method: 'PUT', json: voiding })).status, 200)
    assert.equal(mutations().length, 1)
    const other = mountFor('outsider')
    assert.equal(
      (await other.request(`${path}/void`, { method: 'PUT', json: voiding })).status,
      403,
      'control',
    )
  })

  it('cannot make an override that concerns them', async () => {
    const json = {
      subjectUnivid: people.firstApprover,
      type: 'DELEGATE',
      reason: 'CONFLICT_OF_INTEREST',
      replacementUnivid: people.viewer,
    }
    for (const [as, expected] of [
      ['firstApprover', 403],
      ['viewer', 403],
      ['administrator', 200],
    ] as const) {
      const { request } = mountFor(as, { identity: { policy: () => true } })
      assert.equal((await request(`${path}/overrides`, { method: 'POST', json })).status, expected, as)
    }
  })

  it('meets the rules of a policy that are about them', async () => {
    const rules = readPolicy({
      rules: [
        { name: 'named', people: ['10000001'], operations: ['returnPackage'] },
        { name: 'not own', everyone: true, operations: ['restartPackage'], unless: ['initiator'] },
      ],
    })
    const question = (univid: string, operation: string) =>
      ({
        person: { univid },
        operation,
        formId: 6025,
        packageId: 42,
        state: 'ROUTING',
        loadPackage: () => Promise.resolve({ initiator: { univid: '10000001' } }),
        loadActions: () => Promise.resolve(null),
      }) as unknown as Parameters<Policy>[0]
    const policy = rulesPolicy(() => rules)
    assert.equal(await policy(question('0010000001', 'returnPackage')), true)
    assert.equal(await policy(question('10000010', 'returnPackage')), false, 'control')
    assert.equal(await policy(question('0010000001', 'restartPackage')), false)
    assert.equal(await policy(question('0010000002', 'restartPackage')), true, 'control')
    assert.equal(await adminsPolicy(['010000001'])(question('10000001', 'restartPackage')), true)
    assert.equal(await adminsPolicy(['010000001'])(question('10000010', 'restartPackage')), false, 'control')
  })

  it('owns the files that they have uploaded without zeros', async () => {
    const plain = setUp({ operations: everyOperation })
    const { uuid } = await plain.upload('initiator')
    for (const [as, expected] of [
      ['initiator', 200],
      ['viewer', 404],
    ] as const) {
      const { request } = mountFor(as, { intercept: (sent) => plain.emulator.fetch(sent) })
      assert.equal((await request(`/files/${uuid}/meta`)).status, expected, as)
    }
  })
})
