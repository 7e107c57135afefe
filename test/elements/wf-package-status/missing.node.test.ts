import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MissingFacts, missingOf } from '../../../src/elements/wf-package-status/missing.ts'
import { route } from '../../../src/locales/en-route.ts'
import { textsOf } from '../texts.ts'

const receipt = { id: 1, title: 'Receipt', requiredBeforeComplete: true }
const plan = { id: 2, title: 'Plan', requiredPreRouting: true }
const types = [receipt, plan, { id: 3, title: 'Other' }, null]
const attached = (...ids: readonly number[]) => ids.map((id) => ({ attachmentType: { id } }))

/** An inbox, whose approver is the signed-in person if its id is 7. */
const inbox = (id: number, permission: string | null = 'SIGNATURE_REQUIRED') => ({
  ...{ id, permission, approver: `A${id}` },
  responsibleOffice: null,
})

/** A signature at a stop, of the person with this university id, or of nobody. */
const signature = (stopNumber: number, univid: string | null, more: object = {}) => ({
  '@class': 'signature',
  stop: { name: `S${stopNumber}`, stopNumber },
  person: univid === null ? null : { univid, displayName: `P${univid}` },
  permission: 'SIGNATURE_REQUIRED',
  isInInbox: false,
  state: null,
  office: null,
  resolution: null,
  ...more,
})

interface Situation {
  readonly state?: string
  readonly inbox?: readonly unknown[] | null
  readonly actions?: object
  readonly reads?: object
  readonly failed?: readonly string[]
  readonly person?: string
  readonly lock?: object
}

/** What a package that person 1 has started lacks, as the kinds with their facts. */
function lacks({ state = 'ROUTING', inbox = [], actions, reads = {}, failed = [], ...more }: Situation) {
  const facts = {
    content: { found: { id: 42, state, initiator: { univid: '1' } }, actions: actions ?? null, inbox },
    ...{ reads, failed: new Set(failed), person: '2' },
    ...more,
  } as unknown as MissingFacts
  return missingOf(facts, textsOf(route)).map((one) => {
    switch (one.kind) {
      case 'signature':
        return one.kind
      case 'documents':
        return `${one.until}: ${one.types.map(({ title }) => title).join()}`
      case 'release':
        return `release at ${one.stop}, ${one.isOwn}`
      case 'check':
        return `unchecked: ${one.of}`
      default:
        return `${one.kind} at ${one.stop}`
    }
  })
}

describe('what is missing before routing starts', () => {
  const start = { state: 'PRE_ROUTING', person: '1' } as const
  const reads = { getAttachmentTypes: types, getAttachments: attached(1, 2), getFutureHistory: [] }

  it('is nothing if all documents and people are there', () => {
    const getFutureHistory = [signature(1, '2'), signature(2, '3')]
    assert.deepEqual(lacks({ ...start, reads: { ...reads, getFutureHistory } }), [])
  })

  it('are documents, those that routing needs first', () => {
    assert.deepEqual(lacks({ ...start, reads: { ...reads, getAttachments: attached(3) } }), [
      'routing: Plan',
      'completion: Receipt',
    ])
    assert.deepEqual(lacks({ ...start, reads: { ...reads, getAttachments: attached(2) } }), [
      'completion: Receipt',
    ])
  })

  it('are people at stops, also at those that the service leaves out', () => {
    const getFutureHistory = [signature(1, null), signature(2, '3'), signature(4, '2')]
    assert.deepEqual(lacks({ ...start, reads: { ...reads, getFutureHistory } }), [
      'person at S1',
      'person at Stop 3',
    ])
  })

  it('is another approver than the person, whose id may have leading zeros', () => {
    const getFutureHistory = [
      signature(1, '001'),
      signature(2, '1', { permission: 'VIEW_ONLY' }),
      signature(3, '2'),
    ]
    const facts = { ...start, reads: { ...reads, getFutureHistory } }
    assert.deepEqual(lacks(facts), ['otherApprover at S1'])
    assert.deepEqual(lacks({ ...facts, person: '2' }), [])
  })

  it('could not be checked if a read has failed, and not before', () => {
    assert.deepEqual(lacks(start), [])
    for (const [failed, texts] of [
      [['getAttachmentTypes'], ['unchecked: documents']],
      [['getAttachments'], ['unchecked: documents']],
      [
        ['getAttachments', 'getFutureHistory'],
        ['unchecked: documents', 'unchecked: route'],
      ],
      [['getHistory', 'getComments', 'getLocks', 'getSession'], []],
    ] as const)
      assert.deepEqual(lacks({ ...start, failed }), texts, failed.join())
    assert.deepEqual(lacks({ ...start, reads, failed: Object.keys(reads) }), [], 'still known')
  })

  it('is known for a draft too, and for no ended package', () => {
    const all = { ...start, reads: { ...reads, getAttachments: [] }, failed: ['getFutureHistory'] }
    assert.deepEqual(lacks({ ...all, state: 'DRAFT' }), ['routing: Plan', 'completion: Receipt'])
    for (const state of ['COMPLETE', 'VOID', 'ON_HOLD'])
      assert.deepEqual(lacks({ ...all, state, actions: { canSign: true } }), [], state)
  })
})

describe('what is missing before a signature', () => {
  const actions = { canSign: true, signatureId: 7 }
  const reads = { getAttachmentTypes: types, getAttachments: attached(2), getFutureHistory: [] }
  const sign = { actions, inbox: [inbox(7)], reads } as const

  it('are the documents without which the service may refuse the last required signature', () => {
    assert.deepEqual(lacks(sign), ['signature: Receipt'])
    const others = [inbox(8, 'SIGNATURE_PERMITTED'), inbox(9, 'VIEW_AND_EDIT'), inbox(10, 'VIEW_ONLY')]
    assert.deepEqual(lacks({ ...sign, inbox: [...others, inbox(7)] }), ['signature: Receipt'])
    const getFutureHistory = [signature(3, '3', { permission: 'VIEW_ONLY' })]
    assert.deepEqual(lacks({ ...sign, reads: { ...reads, getFutureHistory } }), ['signature: Receipt'])
    assert.deepEqual(lacks({ ...sign, reads: { ...reads, getAttachments: attached(1, 2) } }), [])
  })

  it('are no documents while somebody else must sign, or may have to', () => {
    for (const [name, more] of [
      ['at this stop', { inbox: [inbox(7), inbox(8)] }],
      ['unreadable', { inbox: [inbox(7), null] }],
      ['unknown permission', { inbox: [inbox(7), inbox(8, 'CO_SIGN')] }],
      ['later', { reads: { ...reads, getFutureHistory: [signature(3, '3')] } }],
      ['unreadable later', { reads: { ...reads, getFutureHistory: [null] } }],
      ['not known', { reads: { ...reads, getFutureHistory: undefined } }],
      ['only this person, who need not sign', { inbox: [inbox(7, 'SIGNATURE_PERMITTED')] }],
    ] as const)
      assert.deepEqual(lacks({ ...sign, ...more }), [], name)
  })

  it('is the own signature, if the inboxes do not name the person', () => {
    const office = { ...sign, actions: { canSign: true, signatureId: null } }
    assert.deepEqual(lacks(office), ['signature', 'signature: Receipt'])
    assert.deepEqual(lacks({ ...sign, inbox: null }), ['signature'])
    assert.deepEqual(lacks({ ...sign, actions: { canSign: false, signatureId: 7 } }), [])
  })

  it('is another approver, if the person made the request', () => {
    const own = signature(1, '1', { isInInbox: true })
    const getHistory = [signature(1, '1', { state: 'APPROVED' }), own]
    const facts = { ...sign, reads: { getHistory }, person: '1' }
    assert.deepEqual(lacks(facts), ['otherApprover at S1'])
    assert.deepEqual(lacks({ ...facts, person: '2' }), [])
    assert.deepEqual(lacks({ ...facts, reads: { getHistory: getHistory.slice(0, 1) } }), [])
  })

  it('could not be checked if a read has failed', () => {
    const failed = ['getAttachments', 'getFutureHistory']
    assert.deepEqual(lacks({ ...sign, reads: { getAttachmentTypes: types }, failed }), [
      'unchecked: documents',
      'unchecked: route',
    ])
  })
})

describe('what is missing if nobody holds a package', () => {
  const reads = { getAttachmentTypes: types, getAttachments: attached(2), getFutureHistory: [] }

  it('are the documents, if nothing else comes', () => {
    assert.deepEqual(lacks({ reads }), ['completion: Receipt'])
    assert.deepEqual(lacks({ reads: { ...reads, getFutureHistory: undefined } }), [])
    assert.deepEqual(lacks({ reads, inbox: [null] }), [], 'somebody may hold it')
  })

  it('is the release at the next stop, and by whom if the lock is known', () => {
    const getFutureHistory = [signature(2, '3'), signature(3, '4')]
    const held = { reads: { ...reads, getFutureHistory } }
    assert.deepEqual(lacks(held), ['release at S2, undefined'])
    for (const mayRelease of [true, false])
      assert.deepEqual(lacks({ ...held, lock: { mayRelease, stop: { name: 'Dean', stopNumber: 2 } } }), [
        `release at Dean, ${mayRelease}`,
      ])
    assert.deepEqual(lacks({ lock: { mayRelease: true, stop: { name: 'Dean' } } }), ['release at Dean, true'])
  })

  it('is no release if nobody is named at the next stop, unless there is a lock', () => {
    const held = { reads: { ...reads, getFutureHistory: [signature(2, null)] } }
    assert.deepEqual(lacks(held), ['person at S2'])
    assert.deepEqual(lacks({ ...held, lock: { mayRelease: false, stop: null } }), [
      'release at S2, false',
      'person at S2',
    ])
  })

  it('could not be checked if a read has failed', () => {
    assert.deepEqual(lacks({ failed: ['getAttachments', 'getFutureHistory', 'getLocks'] }), [
      'unchecked: documents',
      'unchecked: route',
      'unchecked: pause',
    ])
  })
})
