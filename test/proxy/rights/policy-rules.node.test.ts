import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { policyOperations } from '../../../src/proxy/rights/policy-operations.ts'
import { parsePolicy, PolicyError, readPolicy } from '../../../src/proxy/rights/policy-rules.ts'
import { JsonTextError } from '../../../src/proxy/rights/json-text.ts'

const rule = { name: 'Restart', people: ['10000009'], operations: ['restartPackage'] }

/** Every operation that a policy decides. */
const operations = [...policyOperations.keys()]

/** The messages about a rule that is empty. */
const emptyRule = (place: string) => [
  `${place}.name is missing. Write what the rule is for.`,
  `${place}.operations is missing. Add a list.`,
]

/** Each is not valid, with the message that an operator gets. */
const invalid: readonly (readonly [policy: unknown, ...messages: readonly string[]])[] = [
  [[], 'The policy is a list. Use an object.'],
  [null, 'The policy is null. Use an object.'],
  [true, 'The policy is true. Use an object.'],
  [{}, 'rules is missing. Add a list.'],
  [{ rules: {} }, 'rules is an object. Use a list.'],
  [{ rules: [], rule: [] }, 'rule is not a field. Did you mean rules?'],
  [{ rules: [3] }, 'rules[0] is 3. Use an object.'],
  [{ rules: [rule, {}] }, ...emptyRule('rules[1]')],
  [{ rules: ['x'.repeat(78)] }, `rules[0] is "${'x'.repeat(78)}". Use an object.`],
  [{ rules: ['x'.repeat(79)] }, `rules[0] is "${'x'.repeat(79)}…. Use an object.`],
  [{ groups: [], rules: [] }, 'groups is a list. Use an object.'],
  [{ groups: { deans: 'x' }, rules: [] }, 'groups.deans is "x". Use an object.'],
  [
    { groups: { deans: { people: ['x'], identity: [' a', '', 3] } }, rules: [] },
    'groups.deans.people[0] is "x", which is not a university id. Use up to 12 digits.',
    'groups.deans.identity[0] is " a". Write it without blanks.',
    'groups.deans.identity[1] is "". Write it without blanks.',
    'groups.deans.identity[2] is 3. Write it without blanks.',
  ],
  [{ rules: [{ ...rule, unles: [] }] }, 'rules[0].unles is not a field. Did you mean unless?'],
  [{ rules: [{ ...rule, name: ' ' }] }, 'rules[0].name is " ". Write what the rule is for.'],
  [
    { rules: [{ people: rule.people, operations: rule.operations }] },
    'rules[0].name is missing. Write what the rule is for.',
  ],
  [{ rules: [rule, rule] }, 'rules[1].name is the name of rules[0] too. Give each rule a name of its own.'],
  [
    { rules: [{ ...rule, people: [] }] },
    'rules[0] applies to nobody. Add people or groups, or "everyone": true.',
  ],
  [
    { rules: [{ ...rule, everyone: true }] },
    'rules[0] names everyone as well as people or groups. Remove one of them.',
  ],
  [{ rules: [{ ...rule, everyone: 'yes' }] }, 'rules[0].everyone is "yes". Use true, or remove it.'],
  [
    { rules: [{ ...rule, people: [10000009] }] },
    'rules[0].people[0] is 10000009, which is not a university id. Write it in quotation marks.',
  ],
  [
    { rules: [{ ...rule, people: ['demo-app'] }] },
    'rules[0].people[0] is "demo-app", which is not a university id. Use up to 12 digits.',
  ],
  [{ rules: [{ ...rule, people: '10000009' }] }, 'rules[0].people is "10000009". Use a list.'],
  [
    { groups: { registrar: {} }, rules: [{ ...rule, groups: ['registrars'] }] },
    'rules[0].groups[0] is "registrars", but there is no such group. Did you mean registrar?',
  ],
  [
    { rules: [{ ...rule, groups: ['deans'] }] },
    'rules[0].groups[0] is "deans", but there is no such group. Add it to "groups".',
  ],
  [
    { groups: { deans: { member: [] } }, rules: [] },
    'groups.deans.member is not a field. Use people, identity.',
  ],
  [{ groups: { '1': {} }, rules: [] }, 'groups.1 is "1". Begin it with a letter.'],
  [
    { groups: { ' a': {}, 'a b': {}, ['a'.repeat(65)]: {} }, rules: [] },
    'groups. a is " a". Begin it with a letter.',
    'groups.a b is "a b". Begin it with a letter.',
    `groups.${'a'.repeat(65)} is "${'a'.repeat(65)}". Begin it with a letter.`,
  ],
  [
    { rules: [{ ...rule, operations: ['restartPackages'] }] },
    'rules[0].operations[0] is "restartPackages", which is not an operation. Did you mean restartPackage?',
  ],
  [
    { rules: [{ ...rule, operations: ['getPackage'] }] },
    'rules[0].operations[0] is "getPackage", which no policy decides: the service or the proxy does. Remove it.',
  ],
  [
    { rules: [{ ...rule, operations: [3] }] },
    `rules[0].operations[0] is 3, which is not an operation. Use ${operations.join(', ')}.`,
  ],
  [{ rules: [{ ...rule, operations: [] }] }, 'rules[0].operations is empty. Add at least one, or remove it.'],
  [
    { rules: [{ ...rule, forms: ['6025'] }] },
    'rules[0].forms[0] is "6025", which is not the id of a form. Use a number.',
  ],
  [
    { rules: [{ ...rule, forms: [0, -1, 1.5] }] },
    'rules[0].forms[0] is 0, which is not the id of a form. Use a number.',
    'rules[0].forms[1] is -1, which is not the id of a form. Use a number.',
    'rules[0].forms[2] is 1.5, which is not the id of a form. Use a number.',
  ],
  [
    { rules: [{ ...rule, forms: [], grantees: [] }] },
    'rules[0].forms is empty. Add at least one, or remove it.',
    'rules[0].grantees is empty. Add at least one, or remove it.',
    'rules[0].operations[0] is "restartPackage", which shares nothing. Move it to a rule without "grantees".',
  ],
  [
    { rules: [{ ...rule, operations: ['createShare'], grantees: ['a b', 3] }] },
    'rules[0].grantees[0] is "a b". Use 1 to 64 letters, digits, _ or -.',
    'rules[0].grantees[1] is 3. Use 1 to 64 letters, digits, _ or -.',
  ],
  [
    { rules: [{ ...rule, operations: ['nothing'], forms: [6025] }] },
    `rules[0].operations[0] is "nothing", which is not an operation. Use ${operations.join(', ')}.`,
  ],
  [
    { groups: { deans: {} }, rules: [{ ...rule, groups: ['deans'], everyone: true }] },
    'rules[0] names everyone as well as people or groups. Remove one of them.',
  ],
  [
    { groups: { deans: {} }, rules: [{ ...rule, people: undefined, groups: ['deans'], everyone: true }] },
    'rules[0] names everyone as well as people or groups. Remove one of them.',
  ],
  [
    { rules: [{ ...rule, operations: ['restartPackage', 'deleteFile'], forms: [6025] }] },
    'rules[0].operations[1] is "deleteFile", which belongs to no form. Move it to a rule without "forms".',
  ],
  [
    { rules: [{ ...rule, grantees: ['partner-app'] }] },
    'rules[0].operations[0] is "restartPackage", which shares nothing. Move it to a rule without "grantees".',
  ],
  [
    { rules: [{ ...rule, if: ['boss'] }] },
    'rules[0].if[0] is "boss". Use initiator, approver, signed, owner.',
  ],
  [
    { rules: [{ ...rule, unless: ['owner'] }] },
    'rules[0].unless[0] is "owner", which does not apply to restartPackage. Use initiator or approver or signed.',
  ],
  [
    { rules: [{ ...rule, operations: ['removePackage', 'remind'], if: ['initiator'], unless: ['signed'] }] },
    'rules[0].unless[0] is "signed", which does not apply to remind. Use initiator or approver.',
  ],
  [
    { rules: [{ ...rule, operations: ['remind'], if: ['signed'] }] },
    'rules[0].if[0] is "signed", which does not apply to remind. Use initiator or approver.',
  ],
  [
    { rules: [{ ...rule, operations: ['packageDetails'], if: ['initiator'] }] },
    'rules[0].if[0] is "initiator", which does not apply to packageDetails. Use no condition.',
  ],
  [
    { rules: [{ ...rule, people: ['x'], unless: ['owner'], more: 1 }] },
    'rules[0].more is not a field. Use name, everyone, people, groups, operations, forms, grantees, if, unless.',
    'rules[0].people[0] is "x", which is not a university id. Use up to 12 digits.',
    'rules[0].unless[0] is "owner", which does not apply to restartPackage. Use initiator or approver or signed.',
  ],
]

describe('readPolicy()', () => {
  for (const [policy, ...messages] of invalid) {
    it(`reports: ${messages.join(' ')}`, () => {
      const error = errorOf(() => readPolicy(policy))
      assert.deepEqual(error.message.split('\n').sort(), [...messages].sort())
    })
  }

  it('fills in what a rule leaves out', () => {
    assert.deepEqual(readPolicy({ groups: { deans: {} }, rules: [rule] }), {
      groups: { deans: { people: [], identity: [] } },
      rules: [{ ...rule, everyone: false, groups: [], if: [], unless: [] }],
    })
    assert.deepEqual(readPolicy({ rules: [] }), { groups: {}, rules: [] })
  })

  it('accepts rules for people and groups at once, and names as long as they may be', () => {
    const longest = 'a'.repeat(64)
    const policy = {
      groups: { [longest]: { people: [], identity: ['a b'] }, 'b-_1': { people: ['1'], identity: [] } },
      rules: [
        {
          ...{ ...rule, name: ' x ', everyone: false, groups: [longest, 'b-_1'] },
          ...{ operations: ['createShare'], grantees: [longest], if: [], unless: ['owner'] },
        },
      ],
    }
    const { everyone: _, ...written } = policy.rules[0]!
    assert.deepEqual(readPolicy({ ...policy, rules: [written] }), policy)
  })
})

describe('parsePolicy()', () => {
  it('reports JSON that is not valid, on one line', () => {
    const { name, message, cause } = errorOf(() => parsePolicy('{\n "rules":\n\t [,]}'))
    assert.ok(cause instanceof JsonTextError)
    assert.deepEqual(
      [name, message],
      [
        'PolicyError',
        'The file is not valid JSON in line 3: a character is not expected here. Check the quotation marks, commas and brackets.',
      ],
    )
  })

  it('reads the example of docs/policy.md', async () => {
    const { readFile } = await import('node:fs/promises')
    const document = await readFile(new URL('../../../docs/policy.md', import.meta.url), 'utf8')
    const [, example = ''] = /```json\n(\{\n {2}"groups"[\s\S]*?)```/.exec(document) ?? []
    assert.ok(parsePolicy(example).rules.length > 3)
  })
})

function errorOf(act: () => unknown): PolicyError {
  try {
    act()
  } catch (error) {
    if (error instanceof PolicyError) return error
    throw error
  }
  assert.fail('The policy is accepted')
}
