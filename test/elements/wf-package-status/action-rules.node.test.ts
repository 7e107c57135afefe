import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ForbiddenError,
  NotFoundError,
  type PageClient,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../../../src/client/index.ts'
import type { Session } from '../../../src/contract/schemas/session.ts'
import { toolNames, transitions } from '../../../src/contract/values/transitions.ts'
import { actionsFor } from '../../../src/elements/wf-package-status/actions/actions.ts'
import type { PackageStatusContent } from '../../../src/elements/wf-package-status/content.ts'
import { stateIconPath, stateLabel, voidReasonLabel } from '../../../src/elements/wf-package-status/labels.ts'
import {
  actionRefusal,
  changePackage,
  tookEffect,
} from '../../../src/elements/wf-package-status/actions/send-action.ts'
import { packageStatus } from '../../../src/locales/en-package-status.ts'
import { textsOf } from '../texts.ts'

const all = ['getPdf', ...Object.keys(transitions)]
const session = (operations = all, univid = '1') => ({ univid, allows: { operations } }) as unknown as Session

/** A package of person 1, with the flags that allow a void and all tools. */
function content(state: string, actions: object | null = {}): PackageStatusContent {
  const flags = { canVoid: true, canInitiatorVoid: false, canVoidAfter: true, tools: toolNames }
  return {
    found: { id: 42, state, initiator: { univid: '1' } },
    actions: actions && { ...flags, ...actions },
    inbox: null,
  } as unknown as PackageStatusContent
}

describe('actionsFor()', () => {
  it('offers what the state allows, in the order of the menu', () => {
    for (const [state, names] of [
      ['PRE_ROUTING', ['getPdf', 'routePackage']],
      ['DRAFT', ['getPdf']],
      ['ROUTING', ['getPdf', 'returnToInitiator', 'restartPackage', 'withdrawPackage', 'voidPackage']],
      ['COMPLETE', ['getPdf', 'returnPackage', 'removePackage', 'voidPackage']],
      ['VOID', ['getPdf', 'unvoidPackage', 'removePackage']],
      ['ON_HOLD', []],
    ] as const)
      assert.deepEqual(actionsFor(content(state), session(), false), names, state)
  })

  it('offers to the initiator to withdraw the request while it is in routing, instead of removing it (3.2)', () => {
    const names = (state: string, univid?: string) =>
      actionsFor(content(state), session(all, univid), false).filter((name) => /remove|withdraw/.test(name))
    assert.deepEqual(names('ROUTING', '01'), ['withdrawPackage'])
    assert.deepEqual(names('ROUTING', '2'), ['removePackage'])
    for (const ended of ['COMPLETE', 'VOID']) assert.deepEqual(names(ended, '01'), ['removePackage'], ended)
    const denied = content('ROUTING', { tools: ['restartPackage'] })
    assert.deepEqual(actionsFor(denied, session(), false), ['getPdf', 'restartPackage', 'voidPackage'])
  })

  it('offers to re-initiate a package only if it is known to be removed', () => {
    assert.deepEqual(actionsFor(content('PRE_ROUTING'), session(), true), [
      'getPdf',
      'routePackage',
      'reinitiatePackage',
    ])
    assert.deepEqual(actionsFor(content('COMPLETE', { tools: ['reinitiatePackage'] }), session(), true), [
      'getPdf',
      'voidPackage',
    ])
  })

  it('offers to start routing to the initiator only, once it is known who that is', () => {
    const offers = (...args: Parameters<typeof actionsFor>) => actionsFor(...args).includes('routePackage')
    const draft = content('PRE_ROUTING')
    assert.equal(offers(draft, session(), false), true)
    assert.equal(offers(draft, session(all, '2'), false), false)
    assert.equal(offers(draft, undefined, false), false)
    const { initiator: _, ...found } = draft.found
    assert.equal(offers({ ...draft, found }, session(), false), false)
  })

  it('offers only what the site serves and the flags and tools allow', () => {
    assert.deepEqual(actionsFor(content('ROUTING'), session(['restartPackage']), false), ['restartPackage'])
    assert.deepEqual(actionsFor(content('ROUTING', { canVoid: false, tools: [] }), session(), false), [
      'getPdf',
    ])
    assert.deepEqual(actionsFor(content('ROUTING', { tools: undefined }), undefined, false), [
      'getPdf',
      'voidPackage',
    ])
    const own = { canVoid: false, canInitiatorVoid: true, tools: [] }
    assert.deepEqual(actionsFor(content('ROUTING', own), session(), false), ['getPdf', 'voidPackage'])
  })

  it('offers nothing before the package and the rights are known', () => {
    assert.deepEqual(actionsFor(undefined, session(), false), [])
    assert.deepEqual(actionsFor(content('ROUTING', null), session(), false), [])
  })
})

describe('changePackage()', () => {
  it('sends the operation with the ids and the body', async () => {
    const sent: unknown[] = []
    const send = (input: unknown) => Promise.resolve(sent.push(input))
    const client = { extend: () => ({ voidPackage: send }) } as unknown as PageClient
    await changePackage([client, 6025, 42], 'voidPackage', { id: 42 })
    assert.deepEqual(sent, [{ params: { formId: 6025, packageId: 42 }, body: { id: 42 } }])
  })
})

describe('tookEffect()', () => {
  it('needs a change to the state that the action leads to', () => {
    for (const [name, before, after, isDone] of [
      ['voidPackage', 'ROUTING', 'VOID', true],
      ['voidPackage', 'ROUTING', 'ROUTING', false],
      ['voidPackage', 'ROUTING', 'COMPLETE', false],
      ['voidPackage', 'VOID', 'VOID', false],
      ['voidPackage', 'ROUTING', undefined, false],
      ['unvoidPackage', 'VOID', 'ROUTING', true],
      ['unvoidPackage', 'VOID', 'COMPLETE', true],
      ['unvoidPackage', 'VOID', 'PRE_ROUTING', false],
      ['restartPackage', 'ROUTING', 'ROUTING', false],
      ['reinitiatePackage', 'PRE_ROUTING', 'ROUTING', true],
      ['returnPackage', 'COMPLETE', 'ROUTING', true],
      ['removePackage', 'ROUTING', 'PRE_ROUTING', true],
      ['returnToInitiator', 'ROUTING', 'DRAFT', true],
      ['returnToInitiator', 'ROUTING', 'PRE_ROUTING', false],
    ] as const)
      assert.equal(tookEffect(name, before, after), isDone, `${name} ${before} ${after}`)
  })
})

describe('actionRefusal()', () => {
  it('says who refused an action, and keeps the reason unless it repeats that', () => {
    const byService = { detail: 'No', refusedBy: 'service' } as const
    for (const [error, refusal] of [
      [new ForbiddenError('a', 'b'), { problem: 'forbidden' }],
      [new NotFoundError('a', 'b'), { problem: 'conflictHere' }],
      [new RefusedError('a', 409, byService), { problem: 'conflict', detail: 'No' }],
      [new RefusedError('a', 400, byService), { problem: 'refused', detail: 'No' }],
      [new RefusedError('a', 409, { detail: 'No' }), { problem: 'conflictHere' }],
      [new RefusedError('a', 400, { detail: 'No' }), { problem: 'refusedHere', detail: 'No' }],
      [new SignedOutError('a', 'b'), { problem: 'signedOut' }],
      [new UnavailableError('a', 'b'), { problem: 'uncertain' }],
      [new UnavailableError('a', 'b', { cause: 413 }), { problem: 'uncertain', status: 413 }],
    ] as const)
      assert.deepEqual(actionRefusal(error, 'voidPackage'), refusal)
  })

  it('has a word of its own for a restart, which cannot be seen in the state', () => {
    assert.deepEqual(actionRefusal(new UnavailableError('a', 'b'), 'restartPackage'), {
      problem: 'restartUncertain',
    })
  })
})

describe('the labels of a package', () => {
  it('are those of the language, or readable forms of what it does not know', () => {
    const messages = textsOf(packageStatus)
    assert.equal(stateLabel('PRE_ROUTING', messages), 'Not in routing')
    assert.equal(stateLabel('ON_HOLD', messages), 'On hold')
    assert.equal(voidReasonLabel('INCORRECT_FORM', messages), 'Incorrect form')
    assert.equal(voidReasonLabel('LOST_FILE', messages), 'Lost file')
  })

  it('come with an icon for each state', () => {
    const states = ['PRE_ROUTING', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID', 'ON_HOLD']
    const paths = states.map(stateIconPath)
    assert.equal(new Set(paths).size, states.length)
    for (const path of paths) assert.match(path, /^M[\dMa\-lhvzL .0-9]+$/)
    assert.equal(stateIconPath('LOST'), stateIconPath('ON_HOLD'))
  })
})
