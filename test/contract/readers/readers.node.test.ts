import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { z } from 'zod'
import {
  browserOperations,
  type OperationForBrowsers,
} from '../../../src/contract/services/browser-operations.ts'
import { formListReaders } from '../../../src/contract/readers/form-list-readers.ts'
import { listReaders, reminderReaders } from '../../../src/contract/readers/list-readers.ts'
import { lockReaders } from '../../../src/contract/readers/lock-readers.ts'
import { FormRequestList, Reminder, RequestList } from '../../../src/contract/schemas/lists.ts'
import { OpenLockList, Release } from '../../../src/contract/schemas/callbacks.ts'
import { readers } from '../../../src/contract/readers/readers.ts'
import { Session } from '../../../src/contract/schemas/session.ts'
import { resultKinds } from '../samples.ts'

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
const session = {
  univid: '10000001',
  env: 'test',
  forms: [6025],
  allows: { operations: ['getPackage'], maxFileSize: 1000, extensions: ['pdf'], resubmit: 'link' },
}
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
const locks = {
  locks: [
    {
      packageId: 42,
      lockId: 17,
      stop: { name: 'Department', stopNumber: 1 },
      since: '2026-11-16T09:42:10',
      mayRelease: true,
    },
  ],
  hasMore: false,
}
const reminder = {
  text: 'Amara Okafor asks you to act on this request.',
  language: 'en',
  noteLimit: 300,
  noteLead: null,
  sentAt: '2026-11-16T10:00:00.000Z',
  isUncertain: false,
  count: 1,
  limit: 5,
  refusal: 'wait',
  nextAt: null,
}

const list = {
  rows: [
    {
      formId: 6025,
      packageId: 42,
      state: 'ROUTING',
      started: '2026-11-16T10:00:00',
      received: null,
      initiator: 'Amara Okafor',
      inboxSignatures: null,
      reminder: { sentAt: null, isUncertain: false, count: 0, limit: 5 },
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
}

const all = { ...readers, ...lockReaders, ...listReaders, ...formListReaders, ...reminderReaders }
/** The other readers are tested in `responses.node.test.ts`, with responses of the emulator. */
const samples: Readonly<Partial<Record<keyof typeof all, unknown>>> = {
  getActions: [allowed],
  getRouteSummary: [routeSummary],
  getSession: session,
  getLocks: locks,
  getFormLocks: locks,
  releaseLock: { state: 'ROUTING', isPaused: false },
  getReminder: reminder,
  sendReminder: reminder,
  getList: list,
  getFormList: {
    ...list,
    rows: list.rows.map((row) => ({ ...row, stops: [{ name: 'Department', stopNumber: 1 }] })),
  },
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
  it('are all tested', () => {
    const isTested = (key: string) => key in samples || key in resultKinds
    assert.deepEqual(
      Object.keys(all).filter((key) => !isTested(key)),
      [],
    )
  })

  for (const [key, sample] of Object.entries(samples)) {
    const schema = schemaOf(key)
    const read: (value: unknown) => unknown = all[key as keyof typeof all]

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

  it('read a session of production', () => {
    assert.deepEqual(readers.getSession({ ...session, env: 'prod' }), { ...session, env: 'prod' })
  })

  it('ignore inherited properties', () => {
    assert.equal(readers.getSession(Object.create(session)), undefined)
  })
})

function schemaOf(key: string): z.ZodType {
  if (key === 'getSession') return Session
  if (key === 'releaseLock') return Release
  if (key in listReaders) return RequestList
  if (key in formListReaders) return FormRequestList
  if (key in reminderReaders) return Reminder
  if (Object.hasOwn(lockReaders, key)) return OpenLockList
  const [name = '', version] = key.split(';version=')
  const operation = (browserOperations as Readonly<Record<string, OperationForBrowsers>>)[name]
  assert.ok(operation)
  const schema = version ? operation.results?.[version] : operation.result
  assert.ok(schema)
  return schema
}
