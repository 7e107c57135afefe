import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { z } from 'zod'
import {
  clientId,
  flagParameter,
  idParameter,
  officeKey,
  univid,
  uuid,
} from '../../../src/contract/schemas/field-schemas.ts'
import { parseId } from '../../../src/contract/values/path.ts'
import { isUnivid } from '../../../src/contract/values/patterns.ts'
import { isRecord, maxIds } from '../../../src/contract/values/values.ts'
import { SharesQuery } from '../../../src/contract/schemas/shares.ts'
import { UpdateMetaBody, UploadMeta } from '../../../src/contract/schemas/storage.ts'
import { IdsQuery } from '../../../src/contract/schemas/workflow.ts'

const good = '01234567-89ab-4cde-8f01-23456789abcd'

/** Values at the boundary of each parameter: the last that it accepts and the first that it refuses. */
const boundaries: readonly (readonly [string, z.ZodType, readonly unknown[], readonly unknown[]])[] = [
  ['univid', univid, ['0', '1'.repeat(12)], ['', '1'.repeat(13), '1\n', ' 1', '1x', '１', 10000001, null]],
  [
    'clientId',
    clientId,
    ['a', 'Z', '9', '_', '-', 'a'.repeat(64)],
    ['', 'a'.repeat(65), 'a.b', 'a b', 'a\n', 'é', '../..', null],
  ],
  [
    'uuid',
    uuid,
    [good, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    [
      ...[good.toUpperCase(), good.slice(1), good.slice(0, -1), `${good}0`, `0${good}`, `${good}\n`, ''],
      ...[good.replaceAll('-', ''), good.replace('a', 'g'), `{${good}}`, good.replace('-4cde-8', '-4cde8-')],
    ],
  ],
  [
    'officeKey',
    officeKey,
    ['00', '99', '05-0333', '05-0333-0001'],
    ['', '5', '005', '05-', '05-333', '05-03333', '05-0333-', '05-0333-00011', '05-0333-0001-0001', '05\n'],
  ],
  ['flagParameter', flagParameter, ['true', 'false'], ['TRUE', '1', '', true, null]],
]

describe('parameters', () => {
  for (const [name, schema, accepted, refused] of boundaries) {
    it(`accept as ${name} exactly its one form`, () => {
      for (const value of accepted) assert.equal(schema.parse(value), value, String(value))
      for (const value of refused) assert.ok(!schema.safeParse(value).success, JSON.stringify(value))
    })
  }

  const ids = [1, 9, 10, 42, Number.MAX_SAFE_INTEGER]
  const notIds = [
    '',
    '0',
    '01',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    ' 1',
    '1\n',
    '9007199254740992',
    '1'.repeat(17),
  ]

  it('accept as idParameter a positive safe integer, as a number or in plain digits', () => {
    for (const id of ids) {
      assert.equal(idParameter.parse(id), id)
      assert.equal(idParameter.parse(`${id}`), id)
    }
    for (const value of [...notIds, 0, -1, 1.5, 2 ** 53, NaN, Infinity, null, [1]]) {
      assert.ok(!idParameter.safeParse(value).success, JSON.stringify(value))
    }
  })

  it('are read from markup by parseId() in the same form', () => {
    for (const id of ids) assert.equal(parseId(`${id}`), id)
    for (const value of notIds) assert.equal(parseId(value), undefined, JSON.stringify(value))
  })
})

describe('isUnivid()', () => {
  it('is true for 1 to 12 digits in a string and nothing else', () => {
    for (const value of ['0', '10000001', '1'.repeat(12)]) assert.equal(isUnivid(value), true, value)
    for (const value of [
      '',
      '1'.repeat(13),
      '1\n',
      '1, 2',
      'demo-app',
      '１',
      10000001,
      null,
      undefined,
      ['1'],
    ]) {
      assert.equal(isUnivid(value), false, JSON.stringify(value))
    }
  })
})

describe('isRecord()', () => {
  it('is true for objects, and false for arrays, null and primitives', () => {
    for (const value of [{}, { a: 1 }, Object.create(null), new Map()]) assert.equal(isRecord(value), true)
    for (const value of [null, undefined, [], ['a'], 'a', 0, true, () => 1])
      assert.equal(isRecord(value), false)
  })
})

describe('limits of requests', () => {
  const ids = (length: number) => Array.from({ length }, (_, index) => index + 1)

  it('are 1 to 100 ids in a bulk call', () => {
    assert.equal(maxIds, 100)
    for (const length of [1, 100])
      assert.equal(IdsQuery.safeParse({ id: ids(length) }).success, true, `${length}`)
    for (const length of [0, 101])
      assert.equal(IdsQuery.safeParse({ id: ids(length) }).success, false, `${length}`)
  })

  const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

  it('are 255 characters in a file name, of which an upload needs one', () => {
    for (const schema of [UploadMeta, UpdateMetaBody]) {
      assert.equal(accepts(schema, { filename: 'x'.repeat(255) }), true)
      assert.equal(accepts(schema, { filename: 'x'.repeat(256) }), false)
    }
    assert.equal(accepts(UploadMeta, { filename: 'x' }), true)
    assert.equal(accepts(UploadMeta, { filename: '' }), false)
    assert.equal(accepts(UpdateMetaBody, { filename: '' }), true)
  })

  it('are 1 to 100 characters in a key of metadata and 1000 in its value', () => {
    for (const schema of [UploadMeta, UpdateMetaBody]) {
      assert.equal(accepts(schema, { metadata: { ['k'.repeat(100)]: 'v'.repeat(1000) } }), true)
      assert.equal(accepts(schema, { metadata: { k: '' } }), true)
      assert.equal(accepts(schema, { metadata: { ['k'.repeat(101)]: 'v' } }), false)
      assert.equal(accepts(schema, { metadata: { '': 'v' } }), false)
      assert.equal(accepts(schema, { metadata: { k: 'v'.repeat(1001) } }), false)
    }
  })

  it('let an upload expire after more than nothing, and an update also never', () => {
    for (const [expiresIn, atUpload, atUpdate] of [
      ['1ns', true, true],
      [1, true, true],
      ['0', false, true],
      [0, false, true],
      ['PT0S', false, true],
      ['-1ns', false, false],
      [-1, false, false],
      [1.5, false, false],
      ['soon', false, false],
    ] as const) {
      assert.equal(accepts(UploadMeta, { expiresIn }), atUpload, `upload ${expiresIn}`)
      assert.equal(accepts(UpdateMetaBody, { expiresIn }), atUpdate, `update ${expiresIn}`)
    }
  })

  it('are 6 digits in the page of a list of shares, and at least 1 in its size', () => {
    for (const [query, isAccepted] of [
      [{ page: '0' }, true],
      [{ page: '999999' }, true],
      [{ page: '1000000' }, false],
      [{ page: '-1' }, false],
      [{ page: '' }, false],
      [{ size: '1' }, true],
      [{ size: '999999' }, true],
      [{ size: '0' }, false],
      [{ size: '000000' }, false],
      [{ size: '1000000' }, false],
      [{ sort: 'createdAt' }, true],
      [{ sort: 'createdAt,desc' }, true],
      [{ sort: 'createdAt,DESC' }, false],
      [{ sort: 'createdAt,asc,desc' }, false],
      [{ sort: 'xcreatedAt' }, false],
      [{ sort: 'id' }, false],
    ] as const) {
      assert.equal(accepts(SharesQuery, query), isAccepted, JSON.stringify(query))
    }
  })
})
