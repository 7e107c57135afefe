import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPolicy } from '../../../src/proxy/rights/policy-rules.ts'
import type { PolicyQuestion } from '../../../src/proxy/rights/policy.ts'
import {
  type KnownRoles,
  meetsConditions,
  reasonAgainst,
  type RuleQuestion,
  rulesPolicy,
} from '../../../src/proxy/rights/rules-policy.ts'

const person = { univid: '10000009' }

/** Why a rule is not about a question. */
function reasonOf(rule: object, question: Partial<RuleQuestion>, groups: object = {}) {
  const written = { name: 'rule', operations: ['restartPackage'], ...rule }
  const isForAll = !('people' in rule) && !('groups' in rule)
  const policy = readPolicy({ groups, rules: [{ ...written, ...(isForAll && { everyone: true }) }] })
  return reasonAgainst(policy, policy.rules[0]!, {
    ...{ person, operation: 'restartPackage', formId: 6025, granteeClientId: null },
    ...question,
  })
}

describe('reasonAgainst()', () => {
  it('is null for a rule about the question', () => {
    assert.equal(reasonOf({}, {}), null)
    assert.equal(reasonOf({ forms: [6030, 6025] }, {}), null)
    const shares = { operations: ['createShare'], grantees: ['a', 'b'] }
    assert.equal(reasonOf(shares, { operation: 'createShare', formId: null, granteeClientId: 'b' }), null)
  })

  it('names the first part that differs', () => {
    const shares = { operations: ['createShare'], grantees: ['a', 'b'] }
    const asked = { operation: 'createShare', formId: null }
    assert.equal(reasonOf({ forms: [6030], people: ['1'] }, { operation: 'returnPackage' }), 'operation')
    assert.equal(reasonOf({ forms: [6030], people: ['1'] }, {}), 'form')
    assert.equal(reasonOf({ forms: [6025] }, { formId: null }), 'form')
    assert.equal(reasonOf({ ...shares, people: ['1'] }, { ...asked, granteeClientId: 'c' }), 'grantee')
    assert.equal(reasonOf(shares, { ...asked, granteeClientId: null }), 'grantee')
    assert.equal(reasonOf({ people: ['1'] }, {}), 'person')
  })

  it('does not apply a rule with forms to an operation that belongs to none', () => {
    const policy = readPolicy({ rules: [] })
    const rule = {
      ...{ name: 'rule', everyone: true, people: [], groups: [], operations: ['deleteFile', 'other'] },
      ...{ forms: [6025], if: [], unless: [] },
    }
    for (const operation of rule.operations)
      assert.equal(
        reasonAgainst(policy, rule, { person, operation, formId: 6025, granteeClientId: null }),
        'form',
        operation,
      )
  })

  it('applies a rule to members of its groups, by university id and by the groups of the sign-in', () => {
    const groups = {
      deans: { people: ['10000001'], identity: ['dean', 'vice-dean'] },
      others: { people: ['10000009'], identity: ['other'] },
    }
    const reason = (univid: string, of?: readonly string[]) =>
      reasonOf({ groups: ['deans'] }, { person: { univid, ...(of && { groups: of }) } }, groups)
    assert.equal(reason('10000001'), null)
    assert.equal(reason('10000002', ['x', 'vice-dean']), null)
    assert.equal(reason('10000009', ['other', 'deans']), 'person')
    assert.equal(reason('10000002', []), 'person')
    assert.equal(reasonOf({ people: ['10000008'], groups: ['deans', 'others'] }, {}, groups), null)
    assert.equal(reasonOf({ people: ['10000009'], groups: ['deans'] }, {}, groups), null)
  })
})

describe('meetsConditions()', () => {
  const meets = (wanted: readonly string[], unless: readonly string[], known: KnownRoles) => {
    const rule = { name: 'rule', everyone: true, operations: ['restartPackage'], if: wanted, unless }
    return meetsConditions(readPolicy({ rules: [rule] }).rules[0]!, known)
  }

  it('needs one of the roles in if, and none of those in unless', () => {
    assert.equal(meets([], [], {}), true)
    assert.equal(meets(['initiator', 'approver'], [], { initiator: false, approver: true }), true)
    assert.equal(meets(['initiator', 'approver'], [], { initiator: false, approver: false }), false)
    assert.equal(meets([], ['initiator', 'approver'], { initiator: false, approver: false }), true)
    assert.equal(meets([], ['initiator', 'approver'], { initiator: false, approver: true }), false)
    assert.equal(meets(['initiator'], ['approver'], { initiator: true, approver: true }), false)
  })

  it('is not met by a role that is not known', () => {
    assert.equal(meets(['initiator'], [], {}), false)
    assert.equal(meets([], ['initiator'], {}), false)
    assert.equal(meets([], ['initiator'], { initiator: undefined }), false)
  })
})

describe('rulesPolicy() about files', () => {
  /** A rule can name roles that the file of a policy does not accept for an operation. */
  const decide = (rule: object, question: object) => {
    const whole = {
      ...{ name: 'rule', everyone: true, people: [], groups: [], if: [], unless: [] },
      ...rule,
    }
    return rulesPolicy(() => ({ groups: {}, rules: [whole as never] }))(question as PolicyQuestion)
  }
  const file = { uuid: 'a' }

  it('takes the person for another one than the owner, who needs no policy', async () => {
    const question = { operation: 'deleteFile', person, file }
    assert.equal(await decide({ operations: ['deleteFile'], unless: ['owner'] }, question), true)
    assert.equal(await decide({ operations: ['deleteFile'], if: ['owner'] }, question), false)
    assert.equal(await decide({ operations: ['deleteFile'], unless: ['initiator'] }, question), false)
  })

  it('does not know the owner of a file that does not exist', async () => {
    const question = { operation: 'createShare', person, file: null, isOwner: false, granteeClientId: 'a' }
    assert.equal(await decide({ operations: ['createShare'], unless: ['owner'] }, question), false)
    assert.equal(
      await decide({ operations: ['createShare'], unless: ['owner'] }, { ...question, file }),
      true,
    )
  })

  it('knows no role for a text', async () => {
    const question = { operation: 'createPackage', isText: true, person, formId: 6025, packageId: null }
    const operations = ['packageDetails']
    assert.equal(await decide({ operations }, question), true)
    assert.equal(await decide({ operations, unless: ['owner'] }, question), false)
    assert.equal(await decide({ operations: ['createPackage'] }, question), false)
  })
})
