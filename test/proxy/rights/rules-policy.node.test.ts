import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPolicy } from '../../../src/proxy/rights/policy-rules.ts'
import type { PolicyQuestion } from '../../../src/proxy/rights/policy.ts'
import { rulesPolicy } from '../../../src/proxy/rights/rules-policy.ts'
import { random } from '../oracle.ts'

const policyFile = {
  groups: {
    registrar: { people: ['10000009'], identity: ['registrar'] },
    deans: { identity: ['dean'] },
    helpdesk: { people: ['10000003', '10000004'], identity: ['helpdesk'] },
    auditors: { identity: ['audit'] },
    archive: { identity: ['records', 'archive'] },
  },
  rules: [
    { name: 'r1', groups: ['registrar'], operations: ['unvoidPackage', 'restartPackage'] },
    { name: 'r2', groups: ['registrar'], operations: ['returnPackage'], forms: [6025] },
    {
      name: 'r3',
      groups: ['registrar'],
      operations: ['removePackage', 'reinitiatePackage'],
      unless: ['initiator'],
    },
    { name: 'r4', everyone: true, operations: ['returnToInitiator'], forms: [6025, 6030], if: ['approver'] },
    {
      name: 'r5',
      groups: ['deans'],
      operations: ['returnToInitiator'],
      forms: [6040],
      if: ['approver', 'initiator'],
    },
    { name: 'r6', groups: ['helpdesk'], operations: ['getOverrides'] },
    {
      name: 'r7',
      people: ['10000005'],
      operations: ['createOverride', 'deactivateOverride'],
      unless: ['initiator', 'approver'],
    },
    {
      name: 'r8',
      groups: ['registrar', 'deans'],
      operations: ['createOverride'],
      forms: [7000],
      if: ['approver'],
      unless: ['initiator'],
    },
    { name: 'r9', people: ['10000006'], operations: ['deleteLock'], forms: [6025] },
    { name: 'r10', groups: ['helpdesk'], operations: ['deleteLock'], forms: [6030], unless: ['initiator'] },
    { name: 'r11', groups: ['auditors'], operations: ['getFileMeta', 'presignFile'] },
    { name: 'r12', people: ['10000007'], operations: ['presignFile', 'updateFileMeta'] },
    { name: 'r13', groups: ['archive'], operations: ['deleteFile'] },
    {
      name: 'r14',
      everyone: true,
      operations: ['createShare'],
      grantees: ['partner-app'],
      if: ['owner'],
    },
    { name: 'r15', everyone: true, operations: ['revokeShare'], if: ['owner'] },
    {
      name: 'r16',
      groups: ['registrar'],
      operations: ['createShare'],
      grantees: ['archive-app', 'partner-app'],
      unless: ['owner'],
    },
    { name: 'r17', groups: ['auditors'], operations: ['getShares'] },
    { name: 'r18', groups: ['helpdesk'], operations: ['getShares'], grantees: ['partner-app'] },
    { name: 'r19', people: ['10000008'], operations: ['packageDetails'], forms: [6025, 7000] },
    { name: 'r20', groups: ['deans'], operations: ['packageDetails'] },
  ],
}

/** A question in the words of this test. `?` marks a role that nobody can find out. */
interface Asked {
  readonly id: number
  readonly groups: string
  readonly form: number
  readonly initiator: 'yes' | 'no' | '?'
  readonly approver: 'yes' | 'no' | '?'
  readonly owner: 'yes' | 'no' | '?'
  readonly grantee: string
}

// Who may do what, written by operation and without any code of the proxy.
const has = ({ groups }: Asked, ...wanted: readonly string[]) =>
  wanted.some((one) => groups.split(' ').includes(one))
const isRegistrar = (asked: Asked) => asked.id === 9 || has(asked, 'registrar')
const isHelpdesk = (asked: Asked) => asked.id === 3 || asked.id === 4 || has(asked, 'helpdesk')

const expected: Readonly<Record<string, (asked: Asked) => boolean>> = {
  unvoidPackage: isRegistrar,
  restartPackage: isRegistrar,
  returnPackage: (asked) => asked.form === 6025 && isRegistrar(asked),
  removePackage: (asked) => isRegistrar(asked) && asked.initiator === 'no',
  reinitiatePackage: (asked) => isRegistrar(asked) && asked.initiator === 'no',
  returnToInitiator(asked) {
    if (asked.form === 6040) {
      return has(asked, 'dean') && (asked.approver === 'yes' || asked.initiator === 'yes')
    }
    return asked.form !== 7000 && asked.approver === 'yes'
  },
  getOverrides: isHelpdesk,
  createOverride(asked) {
    if (asked.initiator !== 'no') return false
    if (asked.id === 5 && asked.approver === 'no') return true
    const isSenior = isRegistrar(asked) || has(asked, 'dean')
    return asked.form === 7000 && isSenior && asked.approver === 'yes'
  },
  deactivateOverride: ({ id, initiator, approver }) => id === 5 && initiator === 'no' && approver === 'no',
  deleteLock(asked) {
    if (asked.form === 6025) return asked.id === 6
    return asked.form === 6030 && isHelpdesk(asked) && asked.initiator === 'no'
  },
  getFileMeta: (asked) => has(asked, 'audit'),
  presignFile: (asked) => has(asked, 'audit') || asked.id === 7,
  updateFileMeta: ({ id }) => id === 7,
  deleteFile: (asked) => has(asked, 'records', 'archive'),
  createShare(asked) {
    if (asked.grantee === 'partner-app' && asked.owner === 'yes') return true
    return asked.grantee !== 'stranger-app' && isRegistrar(asked) && asked.owner === 'no'
  },
  revokeShare: ({ owner }) => owner === 'yes',
  getShares: (asked) => has(asked, 'audit') || (isHelpdesk(asked) && asked.grantee === 'partner-app'),
  packageDetails: (asked) => has(asked, 'dean') || (asked.id === 8 && [6025, 7000].includes(asked.form)),
}

describe('rulesPolicy()', () => {
  const questions = ask(2000)

  it('decides 2,000 questions about 20 rules as a table that was written apart from it', async () => {
    const decide = rulesPolicy(() => readPolicy(policyFile))
    const wrong: string[] = []
    const counts = { allowed: 0, denied: 0 }
    for (const { operation, asked, question } of questions) {
      const isExpected = expected[operation]!(asked)
      counts[isExpected ? 'allowed' : 'denied'] += 1
      if ((await decide(question)) !== isExpected) wrong.push(`${operation} ${JSON.stringify(asked)}`)
    }
    assert.deepEqual(wrong, [])
    assert.equal(policyFile.rules.length, 20)
    assert.ok(counts.allowed > 300 && counts.denied > 300, JSON.stringify(counts))
  })

  it('notices each of the rules and each condition, form and grantee in them', async () => {
    const missing = policyFile.rules.flatMap((rule, index) => [
      { what: `${rule.name}`, rules: policyFile.rules.toSpliced(index, 1) },
      ...(['if', 'unless', 'forms', 'grantees'] as const)
        .filter((key) => key in rule)
        .map((key) => ({
          what: `${key} of ${rule.name}`,
          rules: policyFile.rules.with(index, { ...rule, [key]: undefined }),
        })),
    ])
    const unnoticed: string[] = []
    for (const { what, rules } of missing) {
      const changed = readPolicy(JSON.parse(JSON.stringify({ ...policyFile, rules })))
      const decide = rulesPolicy(() => changed)
      let isNoticed = false
      for (const { operation, asked, question } of questions) {
        isNoticed ||= (await decide(question)) !== expected[operation]!(asked)
      }
      if (!isNoticed) unnoticed.push(what)
    }
    assert.deepEqual(unnoticed, [])
  })

  it('asks the services only if a rule depends on it', async () => {
    const decide = rulesPolicy(() => readPolicy(policyFile))
    const loads: string[] = []
    const restart = questionOf('restartPackage', { ...nobody, id: 9 }, loads)
    const refused = questionOf('createOverride', { ...nobody, id: 1 }, loads)
    assert.equal(await decide(restart), true)
    assert.equal(await decide(refused), false)
    assert.deepEqual(loads, [])
    assert.equal(await decide(questionOf('createOverride', { ...nobody, id: 5 }, loads)), true)
    assert.deepEqual(loads.sort(), ['actions', 'package'])
  })

  it('follows the rules of the moment', async () => {
    let rules = readPolicy({ rules: [] })
    const decide = rulesPolicy(() => rules)
    const question = questionOf('restartPackage', { ...nobody, id: 9 })
    assert.equal(await decide(question), false)
    rules = readPolicy(policyFile)
    assert.equal(await decide(question), true)
  })

  it('does not take a group from the prototype of an object', async () => {
    const rules = readPolicy(policyFile)
    const rule = { ...rules.rules[0]!, groups: ['constructor', 'toString'] }
    const decide = rulesPolicy(() => ({ ...rules, rules: [rule] }))
    assert.equal(await decide(questionOf('restartPackage', { ...nobody, id: 9 })), false)
  })
})

describe('the role `signed`', () => {
  const rule = { name: 'r1', everyone: true, operations: ['removePackage'] }
  const withdrawal = { ...rule, if: ['initiator'], unless: ['signed'] }
  const start = { '@class': 'initiation', state: null, person: { univid: '10000001' } }
  const signature = (id: number, state: string | null) => {
    return { '@class': 'signature', state, person: { univid: `1000000${id}` } }
  }

  /** Decides for person 1. Returns the decision, and what was read for it. */
  async function decide(rules: readonly object[], history: unknown, initiator: 'yes' | 'no' = 'yes') {
    const loads: string[] = []
    const question = {
      ...questionOf('removePackage', { ...nobody, initiator }, loads),
      loadHistory: async () => {
        loads.push('history')
        if (history instanceof Error) throw history
        return history
      },
    } as unknown as PolicyQuestion
    return { isAllowed: await rulesPolicy(() => readPolicy({ rules }))(question), loads }
  }

  it('lets initiators withdraw what nobody else has signed (3.1)', async () => {
    const { isAllowed, loads } = await decide([withdrawal], [start, signature(2, 'RECEIVED')])
    assert.equal(isAllowed, true)
    assert.deepEqual(loads, ['package', 'history'])
    const own = await decide([withdrawal], [start, signature(1, 'APPROVED'), signature(2, 'BYPASSED_REMOVE')])
    assert.equal(own.isAllowed, true)
  })

  it('denies it after a signature, also if the history is not clear (3.1)', async () => {
    for (const event of [signature(2, 'APPROVED'), signature(2, 'VOIDED'), signature(2, null), null])
      assert.equal((await decide([withdrawal], [start, event])).isAllowed, false, JSON.stringify(event))
    await assert.rejects(decide([withdrawal], new Error('down')), /down/)
  })

  it('reads the history only if the decision depends on it (3.1)', async () => {
    const { isAllowed, loads } = await decide([withdrawal], [start], 'no')
    assert.equal(isAllowed, false)
    assert.deepEqual(loads, ['package'])
    const always = { ...rule, name: 'r2', if: ['initiator'] }
    assert.deepEqual(await decide([withdrawal, always], [start]), { isAllowed: true, loads: ['package'] })
  })

  it('is a condition of its own too (3.1)', async () => {
    const after = { ...rule, if: ['signed'] }
    assert.equal((await decide([after], [start, signature(2, 'APPROVED')])).isAllowed, true)
    assert.equal((await decide([after], [start, signature(2, 'RECEIVED')])).isAllowed, false)
  })
})

const nobody: Asked = {
  ...{ id: 1, groups: '', form: 6025, initiator: 'no', approver: 'no', owner: 'no' },
  grantee: 'partner-app',
}

function ask(count: number) {
  const next = random(20)
  const pick = <T>(all: readonly T[]) => all[Math.floor(next() * all.length)]!
  return Array.from({ length: count }, () => {
    const operation = pick(Object.keys(expected))
    const role = () => pick(['yes', 'yes', 'no', 'no', 'no', '?'] as const)
    const asked: Asked = {
      id: pick([1, 3, 4, 5, 5, 5, 6, 6, 7, 8, 9, 9, 20]),
      groups: pick([
        '',
        '',
        'registrar',
        'dean',
        'helpdesk',
        'audit',
        'records',
        'dean archive',
        'registrars',
      ]),
      form: pick([6025, 6030, 6040, 7000]),
      initiator: role(),
      approver: role(),
      owner: role(),
      grantee: pick(['partner-app', 'archive-app', 'stranger-app']),
    }
    return { operation, asked, question: questionOf(operation, asked) }
  })
}

/** Returns a question as the proxy asks it. */
function questionOf(operation: string, asked: Asked, loads: string[] = []): PolicyQuestion {
  const univid = String(10000000 + asked.id)
  const person = { univid, ...(asked.groups && { groups: asked.groups.split(' ') }) }
  const file = { uuid: 'a' }
  if (operation === 'packageDetails') {
    return { operation: 'createPackage', isText: true, person, formId: asked.form, packageId: null }
  }
  if (operation.endsWith('Share') || operation === 'getShares') {
    const known = asked.owner === '?' ? null : file
    const facts = { file: known, isOwner: asked.owner === 'yes', granteeClientId: asked.grantee }
    return { operation, person, ...facts } as unknown as PolicyQuestion
  }
  if (operation.includes('File')) return { operation, person, file } as unknown as PolicyQuestion
  const initiator =
    asked.initiator === '?' ? null : { univid: asked.initiator === 'yes' ? univid : '10000099' }
  return {
    ...{ operation, person, formId: asked.form, packageId: 42, state: 'ROUTING' },
    loadPackage: async () => (loads.push('package'), { initiator }),
    loadActions: async () => (
      loads.push('actions'),
      asked.approver === '?' ? null : { canSign: asked.approver === 'yes' }
    ),
  } as unknown as PolicyQuestion
}
