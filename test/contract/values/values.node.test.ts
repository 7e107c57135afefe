import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CallbackBody } from '../../../src/contract/schemas/callbacks.ts'
import { fieldOf, fieldValues, ValidationFailure } from '../../../src/contract/schemas/entry.ts'
import { Problem } from '../../../src/contract/schemas/problem.ts'
import { Session } from '../../../src/contract/schemas/session.ts'
import { SharePage, SharesQuery } from '../../../src/contract/schemas/shares.ts'
import { Duration, UpdateMetaBody, UploadMeta } from '../../../src/contract/schemas/storage.ts'
import { maxFileSize } from '../../../src/contract/values/values.ts'

describe('ValidationFailure', () => {
  it('reads codes by field, including codes that the spec does not list', () => {
    const failure = {
      "entry['purpose']": ['validation.required'],
      "entry['cost']": ['validation.badAnswerType', 'validation.brandNew'],
      "entry['it's \"odd\"']": ['validation.invalidValue'],
      "entry['']": [],
    }
    assert.deepEqual(ValidationFailure.parse(failure), failure)
  })

  it('rejects every other error', () => {
    const problem = { status: 400, title: 'Bad Request', detail: 'subType must be one of A, B' }
    assert.ok(Problem.safeParse(problem).success)
    for (const other of [
      problem,
      {},
      [],
      null,
      'entry',
      "entry['purpose']",
      { error: ['validation.required'] },
      { "entry['purpose']": 'validation.required' },
      { "entry['purpose']": [1] },
      { "entry['purpose']": null },
      { "entry['purpose']": ['validation.required'], status: 400 },
      { entry: { purpose: ['validation.required'] } },
      { "Entry['purpose']": ['validation.required'] },
      { "x entry['purpose']": ['validation.required'] },
      { 'entry["purpose"]': ['validation.required'] },
      { "entry['purpose'] ": ['validation.required'] },
    ]) {
      assert.ok(!ValidationFailure.safeParse(other).success, JSON.stringify(other))
    }
  })

  it('handles a key or a field named __proto__', () => {
    const alone: unknown = JSON.parse('{"__proto__":["validation.required"]}')
    assert.ok(!ValidationFailure.safeParse(alone).success)

    const field = JSON.parse(
      `{"entry['__proto__']":["validation.invalidValue"],"__proto__":["x"]}`,
    ) as unknown
    const read = ValidationFailure.parse(field)
    assert.deepEqual(Object.keys(read), ["entry['__proto__']"])
    assert.equal(Object.getPrototypeOf(read), Object.prototype)
    assert.equal(fieldOf(Object.keys(read)[0] ?? ''), '__proto__')
  })
})

describe('fieldOf()', () => {
  it('returns the field of a key, whatever its name is', () => {
    for (const field of ['purpose', 'a b', "it's", "']['", '', '\n', '__proto__']) {
      assert.equal(fieldOf(`entry['${field}']`), field)
    }
    for (const key of ['purpose', 'entry[purpose]', "entry['purpose'", "xentry['a']", "entry['a']x", '']) {
      assert.equal(fieldOf(key), undefined, key)
    }
  })
})

describe('CallbackBody', () => {
  const developer = {
    '@class': 'developer',
    formId: 6025,
    packageId: 42,
    state: 'ROUTING',
    createdAt: '2026-11-20T12:00:00',
    stop: null,
    lockId: 10001,
    entry: { purpose: 'Field work', cost: 100, notice: null },
  }

  it('reads callbacks of both kinds of forms', () => {
    assert.deepEqual(CallbackBody.parse(developer), developer)
    const builder = {
      ...developer,
      '@class': 'form_builder',
      stop: { name: 'Department', stopNumber: 1 },
      entry: { purpose: ['Field work'], tags: ['a', 'b'], notice: [], files: [{ id: 1 }] },
    }
    assert.deepEqual(CallbackBody.parse(builder), builder)
  })

  it('accepts stops of every shape, unknown classes and states, and missing fields', () => {
    for (const stop of [[], true]) {
      assert.deepEqual(CallbackBody.parse({ ...developer, stop }), { ...developer, stop: null })
    }
    const shapes = [3, 'Department'].map((stop) => CallbackBody.parse({ ...developer, stop }))
    assert.deepEqual(shapes, [
      { ...developer, stop: { name: null, stopNumber: 3 } },
      { ...developer, stop: { name: 'Department', stopNumber: null } },
    ])
    assert.deepEqual(CallbackBody.parse({ ...developer, stop: { stopNumber: 2 } }).stop, {
      name: null,
      stopNumber: 2,
    })
    assert.deepEqual(CallbackBody.parse({ formId: 1, packageId: 2, state: 'ARCHIVED' }), {
      '@class': null,
      formId: 1,
      packageId: 2,
      state: 'ARCHIVED',
      createdAt: null,
      stop: null,
      lockId: null,
      entry: null,
    })
  })

  it('drops fields outside the spec', () => {
    assert.deepEqual(CallbackBody.parse({ ...developer, callbackUrl: 'https://internal.example' }), developer)
  })

  it('fails without form, package and state', () => {
    for (const key of ['formId', 'packageId', 'state'] as const) {
      for (const value of [undefined, null, '42x', 2 ** 53, 0, -1, 1.5, [], {}]) {
        // Any text is a valid state.
        if (key === 'state' && typeof value === 'string') continue
        assert.ok(
          !CallbackBody.safeParse({ ...developer, [key]: value }).success,
          `${key} ${JSON.stringify(value)}`,
        )
      }
    }
  })
})

describe('SharePage', () => {
  const share = {
    ownerClientId: 'demo-app',
    granteeClientId: 'partner-app',
    fileAssetUuid: '00000000-0000-4000-8000-000000000000',
    type: 'SINGLE_FILE',
    createdAt: '2026-11-20T12:00:00',
  }
  const page = { totalElements: 2, totalPages: 1, number: 0, size: 20 }

  it('reads a page with shares of both styles', () => {
    const all = { content: [share, { ...share, fileAssetUuid: null, type: 'ALL_FILES' }], page }
    assert.deepEqual(SharePage.parse(all), all)
    assert.deepEqual(SharePage.parse({ content: [], page }), { content: [], page })
  })

  it('drops only rows without a grantee and invalid numbers', () => {
    const read = SharePage.parse({
      content: [share, { ...share, granteeClientId: null }, null, 7, { ...share, type: 9 }],
      page: { ...page, totalElements: -1, size: '20' },
    })
    assert.deepEqual(read, {
      content: [share, null, null, null, { ...share, type: null }],
      page: { ...page, totalElements: null, size: null },
    })
    assert.deepEqual(SharePage.parse({ content: [share] }), { content: [share], page: null })
  })

  it('fails without a list', () => {
    for (const content of [undefined, null, {}, 'x', 0]) {
      assert.ok(!SharePage.safeParse({ content, page }).success)
    }
  })
})

describe('Duration', () => {
  it('accepts both notations only', () => {
    for (const text of ['60', '60s', '-5m', 'P1D', 'PT10M', '-PT1S']) assert.equal(Duration.parse(text), text)
    for (const text of ['', 'ten', '1w', 'P1Y', 60, null]) assert.ok(!Duration.safeParse(text).success)
  })
})

describe('invalid values', () => {
  for (const [name, schema, value, message] of [
    ['a date', fieldValues.date, '2026-02-30', 'expected a date that exists, as yyyy-MM-dd'],
    ['a duration', Duration, '1w', 'expected a duration such as "PT10M", "10m" or "600"'],
    ['the lifetime of a new file', UploadMeta, { expiresIn: 0 }, 'must be positive'],
    ['the new lifetime of a file', UpdateMetaBody, { expiresIn: '-1s' }, 'must not be negative'],
    ['the size of a page of shares', SharesQuery, { size: '0' }, 'must be at least 1'],
    [
      'the order of shares',
      SharesQuery,
      { sort: 'name' },
      'expected property,direction, where property is one of createdAt, granteeClientId, fileAssetUuid, ownerClientId, type and direction asc or desc',
    ],
  ] as const) {
    it(`get a message that states what is expected: ${name}`, () => {
      assert.deepEqual(
        schema.safeParse(value).error?.issues.map((issue) => issue.message),
        [message],
      )
    })
  }
})

describe('Session', () => {
  it('names one of the two environments', () => {
    const allows = { operations: [], maxFileSize: 1, extensions: null }
    for (const [env, isValid] of [
      ['test', true],
      ['prod', true],
      ['TEST', false],
      ['', false],
    ] as const) {
      assert.equal(Session.safeParse({ univid: '1', env, forms: [], allows }).success, isValid, env)
    }
  })
})

describe('maxFileSize', () => {
  it('is the 50 MB that docs/proxy.md promises', () => assert.equal(maxFileSize, 52_428_800))
})
