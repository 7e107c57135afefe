import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { browserOperations } from '../../../src/contract/services/browser-operations.ts'
import { ownerKey } from '../../../src/proxy/files/metadata.ts'
import { refusals } from '../../../src/proxy/http/refusals.ts'
import { everyOperation } from '../mount.ts'
import {
  actionsCall,
  asApplication,
  failed,
  flags,
  inPackage,
  like,
  missing,
  own,
  person,
  pkg,
  requestFor,
  setUp,
  signal,
  uuid,
} from './authorized.ts'

describe('authorize()', () => {
  it('leaves reads to the service, and refuses a change by anyone but the initiator early', async () => {
    const read = setUp()
    const query = { page: 1 }
    assert.deepEqual(await read.authorize(requestFor('getHistory', { query })), { query })
    assert.deepEqual(await read.authorize(requestFor('uploadFile')), { query: undefined })
    assert.deepEqual(await read.authorize(requestFor('createPackage')), { query: undefined })
    assert.deepEqual(read.calls, [])
    for (const [initiator, isAllowed] of [
      [{ univid: person.univid }, true],
      [{ univid: null }, true],
      [null, true],
      [{ univid: '10000002' }, false],
    ] as const) {
      const { authorize, calls } = setUp({ responses: { getPackage: pkg({ initiator }) } })
      const done = authorize(requestFor('routePackage'))
      if (isAllowed) assert.deepEqual(await done, { query: undefined })
      else await assert.rejects(done, like(refusals.notAllowed()))
      assert.deepEqual(calls, [['getPackage', inPackage]])
    }
  })

  it('names only packages that the person may view, each once', async () => {
    const rows = [flags(1, { canView: true }), flags(2), flags(3, { canView: true }), null, 'text']
    const { authorize, calls } = setUp({ responses: { getActions: rows } })
    const request = requestFor('getStatus', { query: { id: [3, 1, 2, 1, 4], page: 2 } })
    assert.deepEqual(await authorize(request), { query: { id: [3, 1], page: 2 } })
    assert.deepEqual(calls, [actionsCall(3, 1, 2, 4)])
  })

  it('takes no flags from a response that repeats a package, or has others besides a single one', async () => {
    const allowed = (id: number) => flags(id, { canView: true })
    for (const [ids, response, expected] of [
      [[1, 2], [allowed(1), allowed(2), allowed(1)], [2]],
      [[1, 2], [allowed(1), allowed(3)], [1]],
      [[1], [allowed(1), allowed(3)], []],
      [[1], [allowed(1), null], []],
      [[1], [allowed(1)], [1]],
      [[1], [{ ...allowed(1), canView: 'yes' }], []],
      [[1], [], []],
      [[1], { 0: allowed(1), length: 1 }, []],
      [[1], null, []],
    ] as const) {
      const { viewable } = setUp({ responses: { getActions: response } })
      const found = await viewable({ person, requestId: 'r1', signal }, 6025, ids)
      assert.deepEqual([...found], expected, JSON.stringify(response))
    }
  })

  it('lets people edit by the flag of the service', async () => {
    for (const [rows, isAllowed] of [
      [[flags(42, { canEdit: true })], true],
      [[flags(42)], false],
      [[], false],
    ] as const) {
      const { authorize, calls } = setUp({ responses: { getActions: rows, getPackage: pkg() } })
      const done = authorize(requestFor('updateEntry'))
      if (isAllowed) assert.deepEqual(await done, { query: undefined })
      else await assert.rejects(done, like(refusals.editNotAllowed()))
      assert.deepEqual(calls, [actionsCall(42), ['getPackage', inPackage]])
    }
  })

  it('lets people void by the flags of the service', async () => {
    for (const [more, found, isAllowed] of [
      [{ canVoid: true }, pkg(), true],
      [{ canInitiatorVoid: true }, pkg({ initiator: person }), true],
      [{ canInitiatorVoid: true }, pkg({ initiator: { univid: '1' } }), false],
      [{ canInitiatorVoid: true }, pkg(), false],
      [{ canVoidAfter: true }, pkg({ state: 'COMPLETE' }), true],
      [{ canVoid: true }, pkg({ state: 'COMPLETE' }), false],
    ] as const) {
      const { authorize } = setUp({ responses: { getActions: [flags(42, more)], getPackage: found } })
      const done = authorize(requestFor('voidPackage'))
      if (isAllowed) assert.deepEqual(await done, { query: undefined })
      else await assert.rejects(done, like(refusals.voidNotAllowed()))
    }
  })

  it('asks the policy about tools and overrides, with the package as the application reads it', async () => {
    const getHistory = [{ '@class': 'initiation' }]
    const responses = {
      ...{ getHistory, getPackage: pkg({ state: 'VOID' }), getActions: [flags(42, { canSign: true })] },
    }
    const { authorize, questions, calls } = setUp({ policy: () => true, responses })
    assert.deepEqual(await authorize(requestFor('unvoidPackage')), { query: undefined })
    const [question] = questions
    assert.ok(question && 'loadPackage' in question)
    const { loadPackage, loadActions, loadHistory, ...facts } = question
    const asked = { operation: 'unvoidPackage', person, formId: 6025, packageId: 42, state: 'VOID' }
    assert.deepEqual(facts, asked)
    assert.equal(await loadPackage(), responses.getPackage)
    assert.deepEqual(calls, [asApplication])
    assert.deepEqual(await loadActions(), responses.getActions[0])
    assert.deepEqual(calls, [asApplication, actionsCall(42)])
    assert.equal(await loadHistory(), getHistory)
    assert.deepEqual(calls.at(-1), ['getHistory', { ...inPackage, bypassAuthorization: true }])
    await assert.rejects(authorize(requestFor('restartPackage')), like(refusals.wrongState()))
    assert.deepEqual(await authorize(requestFor('getOverrides')), { query: undefined })
  })

  it('denies what no policy allows, and a package that does not exist alike', async () => {
    const denied = like(refusals.notAllowedHere())
    const without = setUp()
    await assert.rejects(without.authorize(requestFor('restartPackage')), denied)
    assert.deepEqual(without.calls, [])
    for (const answer of [false, 'yes', 1, undefined]) {
      const { authorize } = setUp({ policy: () => answer as boolean, responses: { getPackage: pkg() } })
      await assert.rejects(authorize(requestFor('restartPackage')), denied, String(answer))
    }
    const gone = setUp({ policy: () => true, responses: { getPackage: missing() } })
    await assert.rejects(gone.authorize(requestFor('restartPackage')), denied)
    for (const error of [failed(), Object.assign(new Error('x'), { status: 404 })]) {
      const broken = setUp({ policy: () => true, responses: { getPackage: error } })
      await assert.rejects(broken.authorize(requestFor('restartPackage')), (reason) => reason === error)
    }
    const noActions = setUp({
      policy: async (question) => 'loadActions' in question && (await question.loadActions()) !== null,
      responses: { getPackage: pkg(), getActions: missing() },
    })
    await assert.rejects(noActions.authorize(requestFor('restartPackage')), denied)
    const nullActions = setUp({
      policy: async (question) => 'loadActions' in question && (await question.loadActions()) === null,
      responses: { getPackage: pkg(), getActions: [] },
    })
    assert.deepEqual(await nullActions.authorize(requestFor('restartPackage')), { query: undefined })
  })

  it('gives a file to its owner, and to others if the policy allows it', async () => {
    const mine = { uuid, metadata: { [ownerKey]: person.univid } }
    for (const file of [mine, { uuid, metadata: { [ownerKey]: '2' } }, { uuid, metadata: null }]) {
      for (const answer of [true, false]) {
        const { authorize, calls, questions } = setUp({
          policy: () => answer,
          responses: { getFileMeta: file },
        })
        const done = authorize(requestFor('deleteFile', { params: { uuid } }))
        if (file === mine || answer) assert.deepEqual(await done, { query: undefined, file })
        else await assert.rejects(done, like(refusals.notFound()))
        assert.deepEqual(calls, [['getFileMeta', { ...own, params: { uuid } }]])
        assert.deepEqual(questions, file === mine ? [] : [{ operation: 'deleteFile', person, file }])
      }
    }
  })

  it('asks the policy about shares, with what the request names', async () => {
    const denied = like(refusals.sharingNotAllowed())
    const file = { uuid, metadata: { [ownerKey]: person.univid } }
    const share = { fileAssetUuid: uuid, granteeClientId: 'partner-app' }
    for (const [name, more, expected] of [
      ['createShare', { params: {}, body: { json: '', value: share } }, [file, true, 'partner-app']],
      ['revokeShare', { params: share }, [file, true, 'partner-app']],
      ['getShares', { params: {}, query: { granteeClientId: 'partner-app' } }, [null, false, 'partner-app']],
      ['getShares', { params: {} }, [null, false, null]],
    ] as const) {
      const { authorize, calls, questions } = setUp({ policy: () => true, responses: { getFileMeta: file } })
      const request = requestFor(name, more)
      assert.deepEqual(await authorize(request), { query: request.query })
      const [known, isOwner, granteeClientId] = expected
      assert.deepEqual(questions, [{ operation: name, person, file: known, isOwner, granteeClientId }])
      assert.deepEqual(calls, known ? [['getFileMeta', { ...own, params: { uuid } }]] : [])
    }
    const request = requestFor('revokeShare', { params: share })
    const without = setUp({ responses: { getFileMeta: file } })
    await assert.rejects(without.authorize(request), denied)
    assert.deepEqual(without.calls, [])
    await assert.rejects(
      setUp({ policy: () => false, responses: { getFileMeta: file } }).authorize(request),
      denied,
    )
    await assert.rejects(
      setUp({ policy: () => true, responses: { getFileMeta: missing() } }).authorize(request),
      denied,
    )
    const other = setUp({ policy: () => true, responses: { getFileMeta: { uuid, metadata: null } } })
    await other.authorize(request)
    assert.deepEqual(
      other.questions.map((question) => 'isOwner' in question && question.isOwner),
      [false],
    )
  })
})

describe('authorizeBody()', () => {
  const withDetails = (packageDetails: unknown) => ({ json: '', value: { emailContent: { packageDetails } } })

  it('asks the policy about a text in e-mails, also one that clears it', async () => {
    for (const [name, params, packageId] of [
      ['createPackage', { formId: 6025 }, null],
      ['updateEntry', { formId: 6025, packageId: 42 }, 42],
    ] as const) {
      for (const text of ['<p>Hi</p>', '']) {
        const { authorizeBody, questions, calls } = setUp({ policy: () => true })
        await authorizeBody(requestFor(name, { params, body: withDetails(text) }))
        assert.deepEqual(questions, [{ operation: name, isText: true, person, formId: 6025, packageId }])
        assert.deepEqual(calls, [])
      }
      const body = withDetails('a')
      const denied = like(refusals.packageDetailsNotAllowed())
      await assert.rejects(setUp().authorizeBody(requestFor(name, { params, body })), denied)
      const no = setUp({ policy: () => false })
      await assert.rejects(no.authorizeBody(requestFor(name, { params, body })), denied)
    }
  })

  it('asks nothing about any other body', async () => {
    const { authorizeBody, questions } = setUp({ policy: () => false })
    const values = [
      null,
      'text',
      [],
      {},
      { emailContent: null },
      { emailContent: 'text' },
      { packageDetails: '' },
    ]
    for (const body of [
      undefined,
      withDetails(null),
      withDetails(undefined),
      ...values.map((value) => ({ json: '', value })),
    ])
      await authorizeBody(requestFor('updateEntry', { body }))
    assert.deepEqual(questions, [])
  })

  it('is about the body only if the policy decides about shares in JSON', () => {
    const about = (authorizer: ReturnType<typeof setUp>) =>
      everyOperation.filter((name) => authorizer.isAboutBody(browserOperations[name]))
    assert.deepEqual(about(setUp({ policy: () => true })), ['createShare'])
    assert.deepEqual(about(setUp()), [])
  })
})
