import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ForbiddenError,
  NotFoundError,
  type PageClient,
  UnavailableError,
} from '../../../src/client/index.ts'
import type { InboxSignature } from '../../../src/contract/schemas/workflow.ts'
import type { PackageTarget } from '../../../src/elements/element/package-element.ts'
import {
  type CardReads,
  latestStart,
  neededReads,
  removalOf,
} from '../../../src/elements/wf-package-status/card-reads.ts'
import {
  approversOf,
  holdersOf,
  loadCard,
  type PackageStatusContent,
  peekContent,
  waitsForNobody,
} from '../../../src/elements/wf-package-status/content.ts'

const { signal } = new AbortController()
const down = new UnavailableError('getStatus', 'got no response')
const holder = { id: 1, approver: 'Ana', permission: 'SIGNATURE_REQUIRED' } as InboxSignature
const viewer = { ...holder, id: 2, permission: 'VIEW_ONLY' }
const found = { id: 42, state: 'ROUTING' }
const rights = { packageId: 42, canView: true, inboxSignatures: [holder] }

const content = (state: string, inbox: PackageStatusContent['inbox']): PackageStatusContent => ({
  found: { id: 42, state },
  actions: null,
  inbox,
})

/** A client whose operations return these values, or throw these errors, and the calls that it got. */
function clientOf(responses: Readonly<Record<string, unknown>>) {
  const calls: string[] = []
  const read = async (name: string, args: unknown[]) => {
    calls.push(`${name} ${JSON.stringify(args)}`)
    const response = responses[name]
    return await (response instanceof Error ? Promise.reject(response) : Promise.resolve(response))
  }
  const names = ['getActions', 'getPackage', 'getStatus']
  const operations = names.map((name) => [name, (...args: unknown[]) => read(name, args)] as const)
  const getCached = (name: string, input: unknown, version?: string) => {
    calls.push(`${name} ${JSON.stringify([input, version])}`)
    return responses[name]
  }
  const client = { ...Object.fromEntries(operations), getCached } as unknown as PageClient
  const target: PackageTarget = [client, 6025, 42]
  return { target, calls }
}

describe('loadCard()', () => {
  it('takes the inboxes from the rights if the proxy sends them', async () => {
    const { target, calls } = clientOf({ getActions: [null, { packageId: 41 }, rights], getPackage: found })
    assert.deepEqual(await loadCard(target, false, signal), { found, actions: rights, inbox: [holder] })
    assert.deepEqual(calls, [
      'getActions [{"params":{"formId":6025},"query":{"id":[42]}},{"signal":{}}]',
      'getPackage [{"params":{"formId":6025,"packageId":42}},{"signal":{}}]',
    ])
  })

  it('requests nothing else without the right to view the package', async () => {
    for (const [getActions, kind] of [
      [[{ ...rights, canView: false }], ForbiddenError],
      [[null, { ...rights, packageId: 41 }], NotFoundError],
    ] as const) {
      const { target, calls } = clientOf({ getActions, getPackage: found })
      await assert.rejects(loadCard(target, false, signal), kind)
      assert.equal(calls.length, 1)
    }
  })

  it('otherwise loads the inboxes', async () => {
    const getActions = [{ ...rights, inboxSignatures: null }]
    for (const [getStatus, inbox] of [
      [[null, { id: 41 }, { id: 42, inboxSignatures: [viewer] }], [viewer]],
      [[null, { id: 42, inboxSignatures: null }], null],
      [[{ id: 41, inboxSignatures: [viewer] }], null],
    ] as const) {
      const { target, calls } = clientOf({ getActions, getPackage: found, getStatus })
      assert.deepEqual((await loadCard(target, true, signal)).inbox, inbox)
      assert.equal(
        calls.at(-1),
        'getStatus [{"params":{"formId":6025,"packageId":42},"query":{"id":[42]}},{"signal":{},"version":"1.2"}]',
      )
    }
  })

  it('shows a card without the inboxes if there is no earlier one that has them', async () => {
    const responses = { getActions: [{ ...rights, inboxSignatures: null }], getPackage: found }
    const first = await loadCard(clientOf({ ...responses, getStatus: down }).target, false, signal)
    assert.equal(first.inbox, null)
    await assert.rejects(loadCard(clientOf({ ...responses, getStatus: down }).target, true, signal), down)
    const refused = new ForbiddenError('getStatus', 'is not allowed')
    await assert.rejects(
      loadCard(clientOf({ ...responses, getStatus: refused }).target, false, signal),
      refused,
    )
  })
})

describe('peekContent()', () => {
  it('returns the package, the rights and the inboxes if the cache has them', () => {
    const { target, calls } = clientOf({ getPackage: found, getActions: [rights], getStatus: undefined })
    assert.deepEqual(peekContent(target), { found, actions: rights, inbox: [holder] })
    const params = '"params":{"formId":6025,"packageId":42}'
    assert.deepEqual(calls, [
      `getStatus [{${params},"query":{"id":[42]}},"1.2"]`,
      `getPackage [{${params}},null]`,
      `getActions [{${params},"query":{"id":[42]}},null]`,
    ])
  })

  it('returns the inboxes of the status if the rights have none, and null if neither has', () => {
    const getActions = [{ ...rights, inboxSignatures: null }]
    const getStatus = [{ id: 42, inboxSignatures: [viewer] }]
    assert.deepEqual(peekContent(clientOf({ getPackage: found, getActions, getStatus }).target)?.inbox, [
      viewer,
    ])
    assert.equal(peekContent(clientOf({ getPackage: found, getActions }).target)?.inbox, null)
  })

  it('returns nothing without the package or the rights', () => {
    assert.equal(peekContent(clientOf({ getPackage: found }).target), undefined)
    assert.equal(peekContent(clientOf({ getPackage: found, getActions: [null] }).target), undefined)
    assert.equal(peekContent(clientOf({ getActions: [rights] }).target), undefined)
  })
})

describe('holdersOf()', () => {
  it('leaves out people who may only view, and counts the rows that could not be read', () => {
    assert.deepEqual(holdersOf([viewer, holder, null, null]), { holders: [holder], leftOut: 2 })
    for (const inbox of [null, undefined, []]) assert.deepEqual(holdersOf(inbox), { holders: [], leftOut: 0 })
    assert.deepEqual(approversOf([null, holder]), [holder])
  })
})

describe('waitsForNobody()', () => {
  it('is true only for a package in routing that is known to be in no inbox', () => {
    for (const [state, inbox, isHeld] of [
      ['ROUTING', [], true],
      ['ROUTING', [viewer], true],
      ['ROUTING', [holder], false],
      ['ROUTING', [null], false],
      ['ROUTING', null, false],
      ['ROUTING', undefined, false],
      ['DRAFT', [], false],
    ] as const)
      assert.equal(waitsForNobody(content(state, inbox)), isHeld, `${state} ${JSON.stringify(inbox)}`)
  })
})

describe('neededReads()', () => {
  const ahead = ['getAttachmentTypes', 'getAttachments', 'getFutureHistory'] as const

  it('depends on who holds the package', () => {
    for (const [state, inbox, names] of [
      ['ROUTING', [holder], ['getHistory']],
      ['ROUTING', [], ahead],
      ['ROUTING', [null], []],
      ['ROUTING', null, []],
      ['DRAFT', [], ['getHistory', 'getComments']],
      ['PRE_ROUTING', [], ['getHistory', 'getAttachmentTypes', 'getAttachments']],
      ['COMPLETE', [], ['getHistory']],
      ['VOID', [holder], ['getHistory']],
      ['NEW_STATE', [holder], []],
    ] as const)
      assert.deepEqual(
        neededReads(content(state, inbox), {}, false),
        names,
        `${state} ${JSON.stringify(inbox)}`,
      )
  })

  it('includes the route for the initiator, who can start it', () => {
    assert.deepEqual(neededReads(content('PRE_ROUTING', []), {}, true), ['getHistory', ...ahead])
    assert.deepEqual(neededReads(content('ROUTING', [holder]), {}, true), ['getHistory'])
  })

  it('includes the documents for people who can sign, and the rest only if the form requires one', () => {
    const signing = { ...content('ROUTING', [holder]), actions: { canSign: true } } as PackageStatusContent
    const needed = (...types: (object | null)[]) =>
      neededReads(signing, { getAttachmentTypes: types } as unknown as CardReads, false)
    assert.deepEqual(neededReads(signing, {}, false), ['getHistory', 'getAttachmentTypes'])
    assert.deepEqual(needed(null, { id: 1 }), ['getHistory', 'getAttachmentTypes'])
    assert.deepEqual(needed({ id: 1, requiredBeforeComplete: true }), ['getHistory', ...ahead])
  })
})

describe('the reads of a card', () => {
  const history = (...classes: (string | null)[]) =>
    ({ getHistory: classes.map((name, id) => name && { id, '@class': name }) }) as CardReads

  it('tell the latest start or removal, among other events', () => {
    const start = latestStart(history('initiation', 're_initiate', null, 'signature', 'reinitiated'))
    assert.equal(start?.['@class'], 're_initiate')
    assert.equal(latestStart(history('signature', 'initiation_x', 'x_remove')), undefined)
    assert.equal(latestStart({}), undefined)
  })

  it('tell the removal of a package that is still removed', () => {
    assert.equal(removalOf(history('initiation', 'remove', 'signature'))?.['@class'], 'remove')
    assert.equal(removalOf(history('remove', 're_initiate')), undefined)
    assert.equal(removalOf({}), undefined)
  })
})
