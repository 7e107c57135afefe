import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  actionsCall,
  asApplication,
  failed,
  flags,
  like,
  own,
  person,
  pkg,
  requestFor,
  setUp,
  signal,
} from './authorized.ts'

describe('allowedActions()', () => {
  const states = [
    { id: 1, state: 'ROUTING', inboxSignatures: [] },
    { id: 2, state: 'COMPLETE', inboxSignatures: [] },
    { id: 3, state: 'PRE_ROUTING', inboxSignatures: null },
  ]
  const request = requestFor('getActions', { params: { formId: 6025 }, query: { id: [1, 2, 3] } })
  const rows = [flags(1, { canView: true, canVoid: true }), flags(2), flags(3, { canView: true })]

  it('returns the flags, and the tools that fit the state and that the policy allows', async () => {
    const all = setUp({ policy: () => true, responses: { getActions: rows, getStatus: states } })
    const more = ['createOverride', 'deactivateOverride', 'deleteLock']
    assert.deepEqual(await all.allowedActions(request), [
      {
        ...rows[0],
        tools: ['voidPackage', 'restartPackage', 'removePackage', 'returnToInitiator', ...more],
        inboxSignatures: [],
      },
      // Whoever may not view a package gets no tools, and costs no further call.
      { ...rows[1], tools: [], inboxSignatures: null },
      { ...rows[2], tools: ['reinitiatePackage', ...more], inboxSignatures: null },
    ])
    assert.deepEqual(all.calls, [
      actionsCall(1, 2, 3),
      ['getStatus', { ...own, params: { formId: 6025 }, query: { id: [1, 3] }, version: '1.2' }],
    ])
  })

  it('makes one call for the packages of others, and lets the policy read a few of many (T23)', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => index + 1)
    const ask = async (canView: boolean) => {
      const { allowedActions, calls } = setUp({
        policy: async (question) => 'loadPackage' in question && (await question.loadPackage()).id === 42,
        responses: {
          getActions: ids.map((id) => flags(id, { canView })),
          getStatus: ids.map((id) => ({ id, state: 'ROUTING', inboxSignatures: [] })),
          getPackage: pkg(),
        },
      })
      const found = await allowedActions({ ...request, query: { id: ids } })
      return { calls: calls.length, offered: found.filter(({ tools }) => tools.length > 0).length }
    }
    assert.deepEqual(await ask(false), { calls: 1, offered: 0 })
    assert.deepEqual(await ask(true), { calls: 22, offered: 20 })
  })

  it('asks the policy with the state and the flags, and reads the package once if it wants it', async () => {
    const { allowedActions, questions, calls } = setUp({
      async policy(question) {
        if (!('loadPackage' in question)) return false
        assert.deepEqual(await question.loadActions(), rows[0])
        return (await question.loadPackage()).id === 42 && question.operation === 'restartPackage'
      },
      served: ['deleteLock'],
      responses: { getActions: [rows[0]], getStatus: [states[0]], getPackage: pkg() },
    })
    const [first] = await allowedActions({ ...request, query: { id: [1] } })
    assert.deepEqual(first?.tools, ['voidPackage', 'restartPackage'])
    assert.deepEqual(
      questions.map(({ operation }) => operation),
      ['restartPackage', 'removePackage', 'returnToInitiator', 'deleteLock'],
    )
    for (const question of questions) {
      assert.ok('state' in question)
      const { person: whom, formId, packageId, state } = question
      assert.deepEqual([whom, formId, packageId, state], [person, 6025, 1, 'ROUTING'])
    }
    const packageCalls = calls.filter((each) => (each as [string])[0] === 'getPackage')
    assert.equal(packageCalls.length, 1)
  })

  it('lets the policy read the history once, as the application (3.1)', async () => {
    const getHistory = [{ '@class': 'initiation' }, null]
    const { allowedActions, calls } = setUp({
      policy: async (question) => 'loadHistory' in question && (await question.loadHistory()).length === 2,
      served: ['deleteLock'],
      responses: { getActions: [rows[0]], getStatus: [states[0]], getHistory },
    })
    const [first] = await allowedActions({ ...request, query: { id: [1] } })
    const tools = ['voidPackage', 'restartPackage', 'removePackage', 'returnToInitiator', 'deleteLock']
    assert.deepEqual(first?.tools, tools)
    const read = { ...own, params: { formId: 6025, packageId: 1 }, bypassAuthorization: true }
    assert.deepEqual(
      calls.filter((each) => (each as [string])[0] === 'getHistory'),
      [['getHistory', read]],
    )
  })

  it('offers no tool of a policy that fails, and none without a state', async () => {
    const failing = setUp({
      policy: () => Promise.reject(new Error('down')),
      responses: { getActions: rows, getStatus: states },
    })
    assert.deepEqual(
      (await failing.allowedActions(request)).map(({ tools }) => tools),
      [['voidPackage'], [], []],
    )
    for (const getStatus of [failed(), [], [null]]) {
      const { allowedActions } = setUp({ policy: () => true, responses: { getActions: rows, getStatus } })
      assert.deepEqual(
        await allowedActions(request),
        rows.map((row) => ({ ...row, tools: [], inboxSignatures: null })),
      )
    }
    const without = setUp({ responses: { getActions: failed(), getStatus: states } })
    await assert.rejects(without.allowedActions(request), like(failed()))
  })
})

describe('mayRelease()', () => {
  const asker = { person, requestId: 'r1', signal }
  const found = { formId: 6025, packageId: 42, state: 'ROUTING' }

  it('asks the policy, which may read the package and the flags', async () => {
    const responses = { getPackage: pkg(), getActions: [flags(42)], getHistory: [null] }
    const { mayRelease, questions, calls } = setUp({ policy: () => true, responses })
    assert.equal(await mayRelease(asker, found), true)
    const [question] = questions
    assert.ok(question && 'loadPackage' in question)
    const { loadPackage, loadActions, loadHistory, ...facts } = question
    assert.deepEqual(facts, { operation: 'deleteLock', person, ...found })
    assert.equal(await loadPackage(), responses.getPackage)
    assert.deepEqual(await loadActions(), flags(42))
    assert.deepEqual(await loadHistory(), [null])
    const history = ['getHistory', asApplication[1]]
    assert.deepEqual(calls, [asApplication, actionsCall(42), history])
  })

  it('is false if the policy denies it or fails, and if the mount does not serve the operation', async () => {
    assert.equal(await setUp({ policy: () => false }).mayRelease(asker, found), false)
    assert.equal(
      await setUp({ policy: () => Promise.reject(new Error('x')) }).mayRelease(asker, found),
      false,
    )
    assert.equal(await setUp().mayRelease(asker, found), false)
    assert.equal(await setUp({ policy: () => true, served: [] }).mayRelease(asker, found), false)
  })
})
