import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { z } from 'zod'
import {
  browserOperations,
  type OperationForBrowsers,
} from '../../../src/contract/services/browser-operations.ts'
import { listReaders, reminderReaders } from '../../../src/contract/readers/list-readers.ts'
import { lockReaders } from '../../../src/contract/readers/lock-readers.ts'
import { Reminder, RequestList } from '../../../src/contract/schemas/lists.ts'
import { OpenLockList, Release } from '../../../src/contract/schemas/locks.ts'
import { readers } from '../../../src/contract/readers/readers.ts'
import { Session } from '../../../src/contract/schemas/session.ts'

/** A valid response of each operation, by the key of its reader. */
const actions = {
  canView: true,
  canEdit: false,
  canSign: false,
  canVoid: false,
  canInitiatorVoid: true,
  canAddApprover: false,
  canVoidAfter: false,
  packageId: 42,
  signatureId: null,
}
const allowed = { ...actions, tools: ['voidPackage'], inboxSignatures: null }
const person = {
  id: 501,
  displayName: 'Amara Okafor',
  hrdeptdesc: 'Biology',
  collegeName: null,
  personType: 'EMPLOYEE',
  title: null,
  univid: '10000001',
  email: null,
  campusPostalAddress: null,
  officePhone: null,
  naturalKey: '10000001',
  type: 'person',
  loginid: 'aokafor',
  jobCode: null,
  directoryRestricted: false,
  activeUser: true,
}
const found = {
  id: 42,
  state: 'ROUTING',
  subType: null,
  emailContent: { packageDetails: '<p>Hello</p>' },
  actions,
  routingDate: '2026-11-16T09:42:10',
  actionDate: null,
  initiator: person,
  voidReason: null,
  commentCount: 0,
  attachmentCount: 2,
}
const file = {
  uuid: '00000000-0000-4000-8000-000000000000',
  filename: 'a.pdf',
  fileSize: 3,
  contentType: 'application/pdf',
  uploadDate: '2026-11-16T09:42:10.123456',
  expirationDate: null,
  metadata: { purpose: 'travel' },
}
const inbox = {
  id: 9001,
  approver: 'Daniel Reyes',
  state: 'RECEIVED',
  permission: 'SIGNATURE_REQUIRED',
  responsibleOffice: { id: 301, name: 'Travel Office', naturalKey: '05-0100' },
}
const event = {
  '@class': 'signature',
  actionDate: '2026-11-16T10:00:00',
  person,
  stop: { name: 'Department', stopNumber: 1 },
  permission: 'SIGNATURE_REQUIRED',
  context: 'Head of department',
  resolution: { ...person, '@class': 'position', name: 'Dean of Sciences' },
  routingDate: '2026-11-16T09:42:10',
  office: {
    id: 301,
    lastSynced: null,
    name: 'Travel Office',
    naturalKey: '05-0100',
    scopeNaturalKey: 'department',
    state: 'IMPORTED',
  },
  state: 'APPROVED',
  autoSigned: false,
  inboxSigned: true,
  isInInbox: false,
}
const comment = {
  id: 71,
  comment: 'Please add the itinerary.',
  approversOnly: true,
  canDelete: false,
  createdAt: '2026-11-16T11:00:00',
  person,
  state: 'ACTIVE',
}
const attachmentType = {
  id: 11,
  naturalKey: 'itinerary',
  title: 'Itinerary',
  visiblePreRouting: true,
  requiredPreRouting: true,
  requiredBeforeComplete: false,
  mimeTypeRestrictions: { pdf: true },
}
const attachment = {
  id: 81,
  fileName: 'itinerary.pdf',
  description: '',
  attachmentType,
  person,
  fileSize: 1234,
  uploadTimestamp: '2026-11-16T11:05:00',
}
const session = {
  univid: '10000001',
  env: 'test',
  forms: [6025],
  allows: { operations: ['getPackage'], maxFileSize: 1000, extensions: ['pdf'], resubmit: 'link' },
}
const entry = { name: 'Amara Okafor', cost: 310.5, notes: null }
const entryWithEmail = { entry, emailContent: { packageDetails: '<p>Hello</p>' } }
const routeSummary = {
  type: 'DEFAULT_OFFICE',
  name: 'Default',
  stops: [
    {
      name: 'Chair',
      destinations: [
        {
          type: 'OFFICE_ROLE',
          subject: 'Chair of Biology',
          approverName: 'Daniel Reyes',
          permission: 'SIGNATURE_REQUIRED',
          approver: 1,
          isSelf: false,
        },
      ],
    },
  ],
}
const override = {
  subjectUnivid: '10000002',
  type: 'DELEGATE',
  reason: 'CONFLICT_OF_INTEREST',
  replacementUnivid: '10000003',
}
const share = {
  ownerClientId: 'travel',
  granteeClientId: 'payroll',
  fileAssetUuid: file.uuid,
  type: 'SINGLE_FILE',
  createdAt: '2026-11-16T09:42:10',
}
const locks = {
  locks: [{ packageId: 42, lockId: 17, stop: event.stop, since: '2026-11-16T09:42:10', mayRelease: true }],
  hasMore: false,
}
const reminder = {
  text: 'Amara Okafor asks you to act on this request.',
  language: 'en',
  sentAt: '2026-11-16T10:00:00.000Z',
  isUncertain: false,
  count: 1,
  limit: 5,
  refusal: 'wait',
  nextAt: null,
}

const all = { ...readers, ...lockReaders, ...listReaders, ...reminderReaders }
const samples: Readonly<Record<keyof typeof all, unknown>> = {
  getPackage: found,
  getActions: [allowed],
  getStatus: [{ id: 42, state: 'ROUTING' }],
  'getStatus;version=1.2': [{ id: 42, state: 'ROUTING', inboxSignatures: [inbox] }],
  getSession: session,
  getHistory: [event],
  getFutureHistory: [event],
  getComments: [comment],
  getAttachmentTypes: [attachmentType],
  getAttachments: [attachment],
  uploadAttachment: attachment,
  routePackage: found,
  voidPackage: found,
  unvoidPackage: found,
  restartPackage: found,
  returnPackage: found,
  removePackage: found,
  reinitiatePackage: found,
  returnToInitiator: found,
  uploadFile: file,
  getFileMeta: file,
  createPackage: found,
  getEntry: entry,
  'getEntry;version=1.1': entryWithEmail,
  updateEntry: entry,
  'updateEntry;version=1.1': entryWithEmail,
  createOverride: override,
  getOverrides: [override],
  searchOffices: [event.office],
  findOffices: [event.office],
  getOfficeRoute: { routeId: 1, routeType: 'DEFAULT_OFFICE', routeName: 'Default', optOutIfPossible: true },
  getRouteSummary: [routeSummary],
  updateFileMeta: file,
  createShare: share,
  getLocks: locks,
  getFormLocks: locks,
  releaseLock: { state: 'ROUTING', isPaused: false },
  getReminder: reminder,
  sendReminder: reminder,
  getList: {
    rows: [
      {
        formId: 6025,
        packageId: 42,
        state: 'ROUTING',
        started: '2026-11-16T10:00:00',
        received: null,
        initiator: 'Amara Okafor',
        inboxSignatures: null,
        reminder: { sentAt: null, count: 0, limit: 5 },
        actions,
      },
    ],
    next: 'abc',
    isPartial: false,
    known: {
      since: '2026-03-03T10:00Z',
      checkedAt: null,
      gaps: [{ from: '2026-03-04T10:00Z', to: '2026-03-04T10:10Z' }],
      isLimited: false,
    },
  },
  getShares: { content: [share], page: { totalElements: 1, totalPages: 1, number: 0, size: 20 } },
}

/** Returns all values that differ from a valid one in one place, which is missing or has another type. */
function* spoiled(value: unknown): Generator<unknown> {
  for (const other of [undefined, null, 'x', -1, 2 ** 53, 1.5, true, [], {}, [null]]) yield other
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const changed of spoiled(item)) yield value.with(index, changed)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      for (const changed of spoiled(item)) yield { ...value, [key]: changed }
    }
    yield { ...value, '@class': 'unknown', callbackUrl: 'https://internal.example' }
  }
}

describe('readers', () => {
  it('exist for each sample', () => {
    assert.deepEqual(Object.keys(all).toSorted(), Object.keys(samples).toSorted())
  })

  for (const [key, read] of Object.entries<(value: unknown) => unknown>(all)) {
    const schema = schemaOf(key)
    const sample = samples[key as keyof typeof all]

    it(`read a valid response of ${key} unchanged`, () => {
      assert.deepEqual(read(sample), sample)
      assert.deepEqual(schema.parse(sample), sample)
    })

    it(`read an invalid response of ${key} like the schema and never throw`, () => {
      let cases = 0
      for (const value of spoiled(sample)) {
        const parsed = schema.safeParse(value)
        assert.deepEqual(read(value), parsed.success ? parsed.data : undefined, JSON.stringify(value))
        cases++
      }
      assert.ok(cases > 20)
    })
  }

  it('keep the valid rows of a list and replace the others with null', () => {
    const list = [allowed, { ...allowed, canVoid: 'true' }, null, actions, allowed]
    assert.deepEqual(readers.getActions(list), [allowed, null, null, null, allowed])
  })

  it('drop fields outside the contract', () => {
    assert.deepEqual(readers.getPackage({ ...found, callbackUrl: 'https://internal.example' }), found)
  })

  it('read a person with only some of the fields', () => {
    const initiator = { displayName: 'Amara Okafor', univid: '10000001' }
    const nulls = Object.fromEntries(Object.keys(person).map((key) => [key, null]))
    const read = readers.getPackage({ ...found, initiator })
    assert.deepEqual(read?.initiator, { ...nulls, ...initiator })
  })

  it('read a session of production', () => {
    assert.deepEqual(readers.getSession({ ...session, env: 'prod' }), { ...session, env: 'prod' })
  })

  it('ignore inherited properties', () => {
    assert.equal(readers.getPackage(Object.create(found)), undefined)
  })
})

function schemaOf(key: string): z.ZodType {
  if (key === 'getSession') return Session
  if (key === 'releaseLock') return Release
  if (key === 'getList') return RequestList
  if (key in reminderReaders) return Reminder
  if (Object.hasOwn(lockReaders, key)) return OpenLockList
  const [name = '', version] = key.split(';version=')
  const operation = (browserOperations as Readonly<Record<string, OperationForBrowsers>>)[name]
  assert.ok(operation)
  const schema = version ? operation.results?.[version] : operation.result
  assert.ok(schema)
  return schema
}
