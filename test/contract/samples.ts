import fc from 'fast-check'
import type { OperationName } from '../../src/contract/services/operations.ts'
import { clientIdPattern, unividPattern, uuidPattern, wholeText } from '../../src/contract/values/patterns.ts'
import {
  overrideReasons,
  overrideTypes,
  shareSortProperties,
  voidReasons,
} from '../../src/contract/values/values.ts'

/** Bodies and queries of one schema, written by hand instead of derived from it. */
export interface Written {
  readonly valid: fc.Arbitrary<unknown>
  /** Required keys. */
  readonly required?: readonly string[]
  /** Values that look valid but are not. */
  readonly invalid: readonly unknown[]
  /** Whether other keys are allowed. */
  readonly isOpen?: boolean
}

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const univid = fc.stringMatching(wholeText(unividPattern))
const uuid = fc.stringMatching(wholeText(uuidPattern))
const client = fc.stringMatching(wholeText(clientIdPattern))
const officeKey = fc.constantFrom('05', '05-0333', '05-0333-0001', '99-9999-9999')
const flag = fc.constantFrom('true', 'false')
const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const nullish = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 })
const entry = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }).filter((key) => key !== '__proto__'),
  fc.jsonValue({ maxDepth: 2 }),
)
const duration = fc.constantFrom('1s', '600', '2h', 'P1D', 'PT10M', 'PT0.5S', '1500ms')
const metadataKey = fc.string({ minLength: 1, maxLength: 100 }).filter((key) => key !== '__proto__')

const emailContent = nullish(fc.record({ packageDetails: nullish(text) }, { requiredKeys: [] }))
const subType = nullish(fc.constantFrom('DOMESTIC', 'FOREIGN', 'x'))
const ids: Written = {
  valid: fc.record({ id: fc.array(fc.oneof(id, id.map(String)), { minLength: 1, maxLength: 100 }) }),
  required: ['id'],
  invalid: [
    ...['1e3', '0x10', '', ' 12', '+1', '042', '0', '-1', '1.0', '４２', '9007199254740992', 0, -1, 1.5].map(
      (each) => ({ id: [each] }),
    ),
    ...[[], [null], [1, '..'], Array.from({ length: 101 }, (_, index) => index + 1), 42, '42'].map((id) => ({
      id,
    })),
  ],
}

/** Samples by operation and part: `query`, `body`, or `body` in a version. */
export const written: Readonly<Record<string, Written>> = {
  'createPackage body': {
    valid: fc.record(
      { state: fc.constantFrom('PRE_ROUTING', 'DRAFT', 'ROUTING'), subType, emailContent, entry },
      { requiredKeys: ['entry'] },
    ),
    required: ['entry'],
    invalid: [
      { entry: {}, state: 'VOID' },
      { entry: {}, state: 'routing' },
      { entry: {}, state: null },
      { entry: {}, subType: '' },
      { entry: [] },
      { entry: null },
      { entry: {}, emailContent: { packageDetails: 1 } },
      { entry: {}, emailContent: { deltaSummary: 'x' } },
    ],
  },
  'routePackage body': {
    valid: fc.record(
      { id, state: fc.constant('ROUTING'), subType, emailContent },
      { requiredKeys: ['state'] },
    ),
    required: ['state'],
    invalid: [
      { state: 'DRAFT' },
      { state: 'ROUTING', id: '42' },
      { state: 'ROUTING', id: 2 ** 53 },
      { state: 'ROUTING', id: null },
      { state: 'ROUTING', subType: '' },
      { state: 'ROUTING', entry: {} },
    ],
  },
  'getPdf query': {
    valid: fc.record({ includeRouting: flag, mergeAttachments: flag }, { requiredKeys: [] }),
    invalid: [{ includeRouting: true }, { includeRouting: 'TRUE' }, { mergeAttachments: '1' }],
  },
  'getActions query': ids,
  'getStatus query': ids,
  'updateEntry body': { valid: entry, isOpen: true, invalid: [[], null, 'x', 1] },
  'updateEntry body 1.1': {
    valid: fc.record(
      {
        entry,
        sendDeltaEmail: nullish(fc.boolean()),
        emailContent: nullish(
          fc.record({ deltaSummary: nullish(text), packageDetails: nullish(text) }, { requiredKeys: [] }),
        ),
      },
      { requiredKeys: ['entry'] },
    ),
    required: ['entry'],
    invalid: [
      { entry: {}, sendDeltaEmail: 'true' },
      { entry: {}, emailContent: { deltaSummary: false } },
      { entry: {}, emailContent: { other: 'x' } },
      { entry: null },
    ],
  },
  'uploadAttachment body': { valid: text, isOpen: true, invalid: [null, 1, {}, ['x']] },
  'voidPackage body': {
    valid: fc.record({ id, state: fc.constant('VOID'), voidReason: fc.constantFrom(...voidReasons) }),
    required: ['id', 'state', 'voidReason'],
    invalid: [
      { id: 42, state: 'VOID', voidReason: 'BORED' },
      { id: 42, state: 'ROUTING', voidReason: 'INCORRECT_FORM' },
      { id: '42', state: 'VOID', voidReason: 'INCORRECT_FORM' },
      { id: 0, state: 'VOID', voidReason: 'INCORRECT_FORM' },
      { id: 2 ** 53, state: 'VOID', voidReason: 'INCORRECT_FORM' },
      { id: 42, state: 'VOID', voidReason: null },
    ],
  },
  'returnPackage body': {
    valid: fc.record({ univid }),
    required: ['univid'],
    invalid: ['', 'demo-app', '1234567890123', ' 1', '１', 10000001, null, '1\n'].map((each) => ({
      univid: each,
    })),
  },
  'returnToInitiator body': {
    valid: fc.record({ comment: fc.string({ minLength: 1, maxLength: 20 }) }),
    required: ['comment'],
    invalid: [{ comment: '' }, { comment: null }],
  },
  'createOverride body': {
    valid: fc.record({
      subjectUnivid: univid,
      type: fc.constantFrom(...overrideTypes),
      reason: fc.constantFrom(...overrideReasons),
      replacementUnivid: univid,
    }),
    required: ['subjectUnivid', 'type', 'reason', 'replacementUnivid'],
    invalid: [
      { subjectUnivid: '1', type: 'ADD', reason: 'CONFLICT_OF_INTEREST', replacementUnivid: '2' },
      { subjectUnivid: '1', type: 'CHANGE', reason: 'VACATION', replacementUnivid: '2' },
      { subjectUnivid: 'demo-app', type: 'CHANGE', reason: 'CONFLICT_OF_INTEREST', replacementUnivid: '2' },
      { subjectUnivid: '1', type: 'CHANGE', reason: 'CONFLICT_OF_INTEREST', replacementUnivid: '' },
    ],
  },
  'searchOffices query': {
    valid: fc.record({ searchTerm: officeKey }),
    required: ['searchTerm'],
    invalid: ['', '5', '05-', '05-033', '05-0333-', '05-0333-0001-1', 'x', '05\n'].map((searchTerm) => ({
      searchTerm,
    })),
  },
  'findOffices query': {
    valid: fc.record({ key: officeKey }),
    required: ['key'],
    invalid: ['', '005', '05_0333', '０５'].map((key) => ({ key })),
  },
  'getOfficeRoute query': {
    valid: fc.record({ subType: fc.constantFrom('DOMESTIC', 'x') }, { requiredKeys: [] }),
    invalid: [{ subType: '' }, { subType: null }],
  },
  'uploadFile body': {
    valid: fc.record(
      {
        filename: fc.string({ minLength: 1, maxLength: 255 }),
        expiresIn: duration,
        metadata: fc.dictionary(metadataKey, fc.string({ maxLength: 1000 }), { maxKeys: 3 }),
      },
      { requiredKeys: [] },
    ),
    invalid: [
      ...['0', '-1s', 'soon', '', 'P1Y', 'PT0S', null, 0, 1.5, true].map((expiresIn) => ({ expiresIn })),
      ...['', 'x'.repeat(256), null].map((filename) => ({ filename })),
      ...[{ '': 'x' }, { x: null }, { x: 1 }, { x: 'x'.repeat(1001) }, [], null].map((metadata) => ({
        metadata,
      })),
    ],
  },
  'presignFile query': {
    valid: fc.record({ inline: flag, expiresIn: duration }, { requiredKeys: [] }),
    invalid: [{ inline: 'yes' }, { inline: true }, { expiresIn: 'soon' }, { expiresIn: 60 }],
  },
  'updateFileMeta body': {
    valid: fc.record(
      {
        filename: nullish(fc.string({ maxLength: 255 })),
        expiresIn: nullish(fc.oneof(duration, fc.constant('0'))),
        metadata: nullish(
          fc.dictionary(metadataKey, nullish(fc.string({ maxLength: 1000 })), { maxKeys: 3 }),
        ),
      },
      { requiredKeys: [] },
    ),
    invalid: [
      { expiresIn: '-1s' },
      { expiresIn: 'soon' },
      { filename: 'x'.repeat(256) },
      { metadata: { x: 1 } },
      { metadata: { '': 'x' } },
    ],
  },
  'createShare body': {
    valid: fc.record({ granteeClientId: client, fileAssetUuid: uuid }),
    required: ['granteeClientId', 'fileAssetUuid'],
    invalid: [
      { granteeClientId: 'a b', fileAssetUuid: '00000000-0000-4000-8000-000000000000' },
      { granteeClientId: 'x'.repeat(65), fileAssetUuid: '00000000-0000-4000-8000-000000000000' },
      { granteeClientId: 'x', fileAssetUuid: '00000000-0000-4000-8000-00000000000' },
      { granteeClientId: 'x', fileAssetUuid: '0000000A-0000-4000-8000-000000000000' },
      { granteeClientId: 'x', fileAssetUuid: null },
    ],
  },
  'getShares query': {
    valid: fc.record(
      {
        page: fc.constantFrom('0', '1', '999999'),
        size: fc.constantFrom('1', '20', '000100'),
        sort: fc
          .tuple(fc.constantFrom(...shareSortProperties), fc.constantFrom('', ',asc', ',desc'))
          .map((parts) => parts.join('')),
        granteeClientId: client,
        fileAssetUuid: uuid,
      },
      { requiredKeys: [] },
    ),
    invalid: [
      ...['-1', '', 'x', '1000000', '1.5', 1].map((page) => ({ page })),
      ...['0', '000', '-1'].map((size) => ({ size })),
      ...['secret', 'type,up', 'type,', 'type,asc,desc', ''].map((sort) => ({ sort })),
      { granteeClientId: '' },
      { fileAssetUuid: 'x' },
    ],
  },
  'revokeShare query': {
    valid: fc.record({ fileAssetUuid: uuid }),
    required: ['fileAssetUuid'],
    invalid: [{ fileAssetUuid: '' }, { fileAssetUuid: null }],
  },
}

/** Name of an entry of `written`. */
export function writtenName(name: OperationName, part: 'query' | 'body', version?: string): string {
  return `${name} ${part}${version ? ` ${version}` : ''}`
}

/** Structure of a response, written by hand: its identifying keys, its other keys and its parts. */
export interface Kind {
  /** Identifying keys. If one is invalid, so is the whole value. */
  readonly identity: readonly string[]
  /** Other keys, which read as null if they are invalid. */
  readonly fields: readonly string[]
  readonly parts?: Readonly<Record<string, Kind | List>>
  /** For a record with any keys: `any` if all values are valid, `text` if all values must be texts. */
  readonly record?: 'any' | 'text'
}

/** A list whose invalid rows read as null. */
export interface List {
  readonly row: Kind
}

const record: Kind = { identity: [], fields: [], record: 'any' }
const person: Kind = {
  identity: [],
  fields: [
    ...['id', 'displayName', 'hrdeptdesc', 'collegeName', 'personType', 'title', 'univid', 'email'],
    ...['campusPostalAddress', 'officePhone', 'naturalKey', 'type', 'loginid', 'jobCode'],
    ...['directoryRestricted', 'activeUser'],
  ],
}
const actions: Kind = {
  identity: [
    ...['canView', 'canEdit', 'canSign', 'canVoid', 'canInitiatorVoid', 'canAddApprover', 'canVoidAfter'],
    ...['packageId', 'signatureId'],
  ],
  fields: [],
}
const emailContent10: Kind = { identity: [], fields: ['packageDetails'] }
const packageInformation: Kind = {
  identity: ['id', 'state'],
  fields: [
    ...['subType', 'emailContent', 'actions', 'routingDate', 'actionDate', 'initiator', 'voidReason'],
    ...['commentCount', 'attachmentCount'],
  ],
  parts: { emailContent: emailContent10, actions, initiator: person },
}
const office: Kind = {
  identity: ['naturalKey'],
  fields: ['id', 'lastSynced', 'name', 'scopeNaturalKey', 'state'],
}
const event: Kind = {
  identity: ['@class'],
  fields: [
    ...['actionDate', 'person', 'stop', 'permission', 'context', 'resolution', 'routingDate', 'office'],
    ...['state', 'autoSigned', 'inboxSigned', 'isInInbox'],
  ],
  parts: {
    person,
    stop: { identity: [], fields: ['name', 'stopNumber'] },
    resolution: { ...person, fields: ['@class', 'name', ...person.fields] },
    office,
  },
}
const wrappedEntry: Kind = {
  identity: ['entry'],
  fields: ['emailContent'],
  parts: { entry: record, emailContent: emailContent10 },
}
const attachmentType: Kind = {
  identity: ['id'],
  fields: [
    ...['naturalKey', 'title', 'visiblePreRouting', 'requiredPreRouting', 'requiredBeforeComplete'],
    'mimeTypeRestrictions',
  ],
  parts: { mimeTypeRestrictions: { identity: [], fields: ['pdf'] } },
}
const attachment: Kind = {
  identity: ['id'],
  fields: ['fileName', 'description', 'attachmentType', 'person', 'fileSize', 'uploadTimestamp'],
  parts: { attachmentType, person },
}
const status: Kind = { identity: ['id', 'state'], fields: [] }
const override: Kind = { identity: ['subjectUnivid'], fields: ['type', 'reason', 'replacementUnivid'] }
const file: Kind = {
  identity: ['uuid'],
  fields: ['filename', 'fileSize', 'contentType', 'uploadDate', 'expirationDate', 'metadata'],
  parts: { metadata: { identity: [], fields: [], record: 'text' } },
}
const share: Kind = {
  identity: ['granteeClientId'],
  fields: ['ownerClientId', 'fileAssetUuid', 'type', 'createdAt'],
}
const comment: Kind = {
  identity: ['id'],
  fields: ['comment', 'approversOnly', 'canDelete', 'createdAt', 'person', 'state'],
  parts: { person },
}
const summary: Kind = {
  identity: [],
  fields: ['type', 'name', 'stops'],
  parts: {
    stops: {
      row: {
        identity: [],
        fields: ['name', 'destinations'],
        parts: {
          destinations: {
            row: {
              identity: [],
              fields: ['type', 'subject', 'approverUnivid', 'approverName', 'permission'],
            },
          },
        },
      },
    },
  },
}

/** JSON response of each operation, by its name, or by name and version. */
export const resultKinds: Readonly<Record<string, Kind | List>> = {
  createPackage: packageInformation,
  routePackage: packageInformation,
  getPackage: packageInformation,
  getHistory: { row: event },
  getFutureHistory: { row: event },
  getActions: { row: actions },
  getEntry: record,
  'getEntry;version=1.1': wrappedEntry,
  updateEntry: record,
  'updateEntry;version=1.1': wrappedEntry,
  getComments: { row: comment },
  getAttachmentTypes: { row: attachmentType },
  uploadAttachment: attachment,
  getAttachments: { row: attachment },
  getStatus: { row: status },
  'getStatus;version=1.2': {
    row: {
      ...status,
      fields: ['inboxSignatures'],
      parts: {
        inboxSignatures: {
          row: {
            identity: ['id'],
            fields: ['approver', 'state', 'permission', 'responsibleOffice'],
            parts: { responsibleOffice: { identity: [], fields: ['id', 'name', 'naturalKey'] } },
          },
        },
      },
    },
  },
  voidPackage: packageInformation,
  unvoidPackage: packageInformation,
  restartPackage: packageInformation,
  returnPackage: packageInformation,
  removePackage: packageInformation,
  reinitiatePackage: packageInformation,
  returnToInitiator: packageInformation,
  createOverride: override,
  getOverrides: { row: override },
  searchOffices: { row: office },
  findOffices: { row: office },
  getOfficeRoute: { identity: ['routeId'], fields: ['routeType', 'routeName', 'optOutIfPossible'] },
  getRouteSummary: { row: summary },
  uploadFile: file,
  getFileMeta: file,
  updateFileMeta: file,
  createShare: share,
  getShares: {
    identity: ['content'],
    fields: ['page'],
    parts: {
      content: { row: share },
      page: { identity: [], fields: ['totalElements', 'totalPages', 'number', 'size'] },
    },
  },
}
