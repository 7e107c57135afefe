import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  readSnapshot,
  replaceState,
  SnapshotError,
  writeSnapshot,
} from '../../../src/emulator/state/snapshot.ts'
import { emptyState, type EmulatorState } from '../../../src/emulator/state/state.ts'

/** Returns an object with an own member `__proto__`. An assignment would set the prototype instead. */
function withProto(value: unknown): Record<string, never> {
  return JSON.parse(
    `{ "__proto__": ${JSON.stringify(value)}, "constructor": null, "toJSON": "x", "2": 0, "1": 0 }`,
  ) as Record<string, never>
}

/** Returns a state with a value in each member of each record. */
function fullState(): EmulatorState {
  const asset = {
    uuid: '00000000-0000-4000-8000-000000000001',
    filename: 'half a pair \ud83d, \udc00 and "quotes"\u2028\u0000.pdf',
    fileSize: 5,
    contentType: 'application/pdf',
    uploadDate: '2026-11-16T09:42:10.123000',
    expirationDate: null,
    metadata: withProto('text'),
  }
  const stop = {
    name: 'Department',
    destinations: [
      { type: 'PERSON', univid: '10000002', permission: 'SIGNATURE_REQUIRED' },
      { type: 'OFFICE_ROLE', office: { field: 'dept' }, role: 'DEAN', permission: 'VIEW_ONLY' },
    ],
    subTypes: ['A'],
    autoSign: true,
  } as const
  return {
    clients: new Map([
      ['demo-app', { id: 'demo-app', secret: 'demo-secret', isAdministrator: false }],
      ['__proto__', { id: '__proto__', secret: 's', isAdministrator: true }],
    ]),
    people: new Map([['10000001', { ...emptyPerson, univid: '10000001', activeUser: true }]]),
    positions: new Map([
      ['10', 'Dean'],
      ['9', 'Provost'],
    ]),
    offices: new Map([
      [
        '05-0100',
        {
          id: 301,
          name: 'Dean’s Office',
          naturalKey: '05-0100',
          scopeNaturalKey: '05',
          lastSynced: null,
          state: 'ACTIVE',
          roles: withProto('10000003'),
        },
      ],
    ]),
    officeRoutes: new Map([
      [
        7,
        {
          routeId: 7,
          routeType: 'STANDARD',
          routeName: 'Route',
          office: '05-0100',
          formId: 6025,
          subType: null,
          optOutIfPossible: true,
          stops: [stop],
        },
      ],
    ]),
    forms: {
      test: new Map([
        [
          6025,
          {
            id: 6025,
            kind: 'form_builder',
            name: 'Travel',
            office: '05-0100',
            administrators: ['10000009'],
            owners: [],
            subTypes: ['A'],
            fields: [{ naturalKey: 'dept', kind: 'department', required: true }],
            attachmentTypes: [],
            route: [stop, { office: '05', mayOptOut: true }],
            callbackUrl: null,
            stopCallbacks: { 1: { url: 'http://127.0.0.1/', freeze: true } },
          },
        ],
      ]),
      prod: new Map(),
    },
    packages: {
      test: new Map([
        [
          1001,
          {
            id: 1001,
            formId: 6025,
            subType: 'A',
            packageDetails: '<p>',
            initiator: '10000001',
            routingDate: '2026-11-16T09:42:10',
            actionDate: null,
            state: 'ROUTING',
            heldState: null,
            isRemoved: false,
            voidReason: null,
            entry: { ...withProto({ a: [1.5, null, false, ''] }), amount: 1e21, none: null },
            stopNumber: 1,
            position: [0, 0],
            roundStart: 2,
            inbox: [9001],
            lock: null,
            history: [
              { class: 'initiation', actionDate: 'x', person: '10000001', stop: null, signature: null },
              {
                class: 'signature',
                actionDate: 'x',
                person: null,
                stop: { name: null, stopNumber: 1 },
                signature: {
                  id: 9001,
                  permission: 'SIGNATURE_REQUIRED',
                  subject: '10000002',
                  context: null,
                  isRole: false,
                  office: null,
                  responsibleOffice: '05-0100',
                  routingDate: 'x',
                  state: 'RECEIVED',
                  autoSigned: null,
                  inboxSigned: false,
                },
              },
            ],
            comments: [
              {
                id: 1,
                comment: '\udfff',
                approversOnly: true,
                createdAt: 'x',
                person: '10000001',
                state: 'ACTIVE',
              },
            ],
            attachments: [
              {
                id: 2,
                type: 3,
                fileName: 'a',
                description: '',
                contentType: 'text/plain',
                person: '10000001',
                fileSize: 0,
                uploadTimestamp: 'x',
                object: 'key',
              },
            ],
            overrides: [
              {
                subjectUnivid: '10000002',
                type: 'CHANGE',
                reason: 'CONFLICT_OF_INTEREST',
                replacementUnivid: '10000003',
              },
            ],
          },
        ],
      ]),
      prod: new Map(),
    },
    callbacks: new Map([
      [
        12,
        {
          id: 12,
          env: 'prod',
          formId: 6025,
          packageId: 1001,
          url: 'http://127.0.0.1/',
          priority: 0,
          body: '{"a":"\\ud83d"}',
          state: 'waiting',
        },
      ],
    ]),
    outbox: new Map([
      [
        20,
        {
          id: 20,
          kind: 'edit_notification',
          sentAt: 'x',
          recipients: [{ univid: '10000001', email: null }],
          subject: 's',
          html: '<p>',
          env: 'test',
          formId: 6025,
          packageId: 1001,
        },
      ],
      [
        3,
        {
          id: 3,
          kind: 'callback_failure',
          sentAt: 'x',
          recipients: [],
          subject: 's',
          html: '',
          env: 'test',
          formId: 6025,
          packageId: 1001,
        },
      ],
    ]),
    files: {
      test: new Map(),
      prod: new Map([
        [
          asset.uuid,
          { asset, owner: 'demo-app', object: 'key', uploadedAt: 1, expiresAt: null, isDeleted: true },
        ],
      ]),
    },
    links: new Map([
      [
        'token',
        { object: 'key', filename: 'a', contentType: 'text/plain', inline: true, expiresAt: 8.64e15 },
      ],
    ]),
    shares: {
      test: new Map([
        [
          'demo-app other *',
          {
            ownerClientId: 'demo-app',
            granteeClientId: 'other',
            fileAssetUuid: null,
            type: 'ALL_FILES',
            createdAt: 'x',
          },
        ],
      ]),
      prod: new Map(),
    },
    signingKeys: new Map([
      [
        'current',
        {
          privateKey: { kty: 'OKP', crv: 'Ed25519', d: 'd', x: 'x', key_ops: ['sign'], ext: true },
          publicKey: { kty: 'OKP', crv: 'Ed25519', x: 'x' },
        },
      ],
    ]),
    next: { packageId: 1002, id: 10_001 },
    clock: { offset: -5, lastBatch: 29_000_000 },
  }
}

const emptyPerson = {
  id: null,
  displayName: null,
  hrdeptdesc: null,
  collegeName: null,
  personType: null,
  title: null,
  univid: null,
  email: null,
  campusPostalAddress: null,
  officePhone: null,
  naturalKey: null,
  type: null,
  loginid: null,
  jobCode: null,
  directoryRestricted: null,
  activeUser: null,
}

/** Converts each Map to its pairs, because `deepEqual` ignores the order of Maps and of properties. */
function ordered(state: EmulatorState): string {
  const replace = (_: string, value: unknown) =>
    value instanceof Map ? { map: [...(value as Map<unknown, unknown>)] } : value
  return JSON.stringify(state, replace)
}

/** Returns a snapshot of the empty state with one change. */
function changed(path: readonly string[], value: unknown): string {
  const snapshot = JSON.parse(writeSnapshot(emptyState())) as Record<string, unknown>
  let place = snapshot
  for (const name of path.slice(0, -1)) place = place[name] as Record<string, unknown>
  const last = path.at(-1) ?? ''
  if (value === undefined) delete place[last]
  else place[last] = value
  return JSON.stringify(snapshot)
}

describe('writeSnapshot() and readSnapshot()', () => {
  it('restore all members in the same order', () => {
    for (const state of [emptyState(), fullState()]) {
      const back = readSnapshot(writeSnapshot(state))
      assert.deepEqual(back, state)
      assert.equal(ordered(back), ordered(state))
    }
  })

  it('keep keys named __proto__ and unpaired surrogates', () => {
    const { packages, files } = readSnapshot(Buffer.from(writeSnapshot(fullState()), 'utf8').toString('utf8'))
    const entry = packages.test.get(1001)?.entry ?? {}
    assert.ok(Object.hasOwn(entry, '__proto__'))
    const [file] = files.prod.values()
    assert.ok(Object.hasOwn(file?.asset.metadata ?? {}, '__proto__'))
    assert.equal(Object.getPrototypeOf(file?.asset.metadata), Object.prototype)
    assert.equal(file?.asset.filename, 'half a pair \ud83d, \udc00 and "quotes"\u2028\u0000.pdf')
    assert.equal(packages.test.get(1001)?.comments[0]?.comment, '\udfff')
  })

  it('write only the state of an emulator', () => {
    const emulator = { ...fullState(), fetch: () => {}, name: 'emulator' }
    assert.equal(writeSnapshot(emulator), writeSnapshot(fullState()))
  })

  it('report why a text is not a valid snapshot', () => {
    const table: readonly (readonly [text: string, message: RegExp])[] = [
      ['', /^it is not valid JSON: /],
      [writeSnapshot(fullState()).slice(0, -1), /^it is not valid JSON: /],
      ['null', /^it is not a snapshot of an emulator$/],
      ['[]', /^it is not a snapshot of an emulator$/],
      ['{"name":"routeslip"}', /^it is not a snapshot of an emulator$/],
      [changed(['version'], 2), /^it has version 2, and this emulator reads version 1$/],
      [changed(['version'], '1'), /^it has version "1", and/],
      [changed(['state'], undefined), /^state is not an object$/],
      [changed(['state'], []), /^state is not an object$/],
      [changed(['state', 'packages'], undefined), /^state\.packages is missing$/],
      [changed(['state', 'packages', 'prod'], undefined), /^state\.packages\.prod is missing$/],
      [changed(['state', 'inventions'], []), /^state has an unknown member "inventions"$/],
      [changed(['state', 'forms', 'dev'], []), /^state\.forms has an unknown member "dev"$/],
      [changed(['state', 'people'], {}), /^state\.people is not a list of pairs$/],
      [
        changed(
          ['state', 'people'],
          [
            ['1', {}],
            ['2', {}, 3],
          ],
        ),
        /^state\.people\[1\] is not a pair of/,
      ],
      [changed(['state', 'people'], ['ab']), /^state\.people\[0\] is not a pair of a key and a value$/],
      [changed(['state', 'people'], [[null, {}]]), /^state\.people\[0\] is not a pair of a key and a value$/],
      [
        changed(
          ['state', 'files', 'test'],
          [
            ['a', {}],
            ['a', {}],
          ],
        ),
        /^state\.files\.test has the key "a" twice$/,
      ],
      [changed(['state', 'next', 'id'], '7'), /^state\.next\.id is not a number$/],
      [changed(['state', 'clock', 'offset'], null), /^state\.clock\.offset is not a number$/],
    ]
    for (const [text, message] of table) {
      assert.throws(
        () => readSnapshot(text),
        (error) => error instanceof SnapshotError && message.test(error.message),
        `${message}`,
      )
    }
  })
})

describe('replaceState()', () => {
  it('fills the existing Maps and records', () => {
    const target = fullState()
    target.clients.set('gone', { id: 'gone', secret: '', isAdministrator: false })
    target.packages.prod.set(1, { ...fullState().packages.test.get(1001)!, id: 1 })
    const held = { ...target, test: target.packages.test, prod: target.packages.prod }
    const source = fullState()
    source.next.id = 77
    source.clock.offset = 99
    source.positions.delete('10')

    replaceState(target, source)
    assert.deepEqual(target, source)
    assert.equal(ordered(target), ordered(source))
    for (const name of Object.keys(emptyState()) as (keyof EmulatorState)[]) {
      assert.equal(target[name], held[name], `${name} is still the same`)
      assert.notEqual(target[name], source[name])
    }
    assert.equal(target.packages.test, held.test)
    assert.equal(target.packages.prod, held.prod)
  })

  it('empties', () => {
    const target = fullState()
    replaceState(target, emptyState())
    assert.deepEqual(target, emptyState())
  })

  it('keeps everything if source and target are the same', () => {
    const state = fullState()
    replaceState(state, { ...state })
    assert.deepEqual(state, fullState())
  })
})
