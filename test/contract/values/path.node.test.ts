import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillPath, isId, matchPath, ParameterError, parseId } from '../../../src/contract/values/path.ts'
import type { Operation } from '../../../src/contract/services/operation.ts'
import { operations } from '../../../src/contract/services/operations.ts'
import type { Route } from '../../../src/contract/routes/route.ts'
import { routes } from '../../../src/contract/routes/routes.ts'

/** Texts that a careless parser reads as 42 or as another path (T7, T8). */
const notIds = [
  ...['', ' 42', '42 ', '+42', '-42', '042', '0', '4.2', '42.0', '1e3', '0x2a', '４２', '42n', 'NaN', '٤٢'],
  ...[
    '../..',
    '.',
    '%2e%2e',
    '42/..',
    '42/../7',
    '42%2f7',
    '42;7',
    '42\\7',
    '42\u0000',
    '42\n',
    '4\t2',
    '42?x',
    '42#x',
  ],
  ...['9007199254740993', '99999999999999999999', 'null', 'undefined', '[object Object]'],
]

describe('fillPath()', () => {
  it('builds a path from valid values', () => {
    assert.equal(
      fillPath('/workflow/:env/forms/:formId/packages/:packageId', {
        env: 'test',
        formId: 6025,
        packageId: 42,
      }),
      '/workflow/test/forms/6025/packages/42',
    )
  })

  for (const value of notIds) {
    it(`rejects the id ${JSON.stringify(value)}`, () => {
      assert.throws(() => fillPath('/packages/:packageId', { packageId: value }), ParameterError)
    })
  }

  for (const value of [NaN, Infinity, -1, 0, 1.5, 2 ** 53]) {
    it(`rejects the number ${value}`, () => {
      assert.throws(() => fillPath('/packages/:packageId', { packageId: value }), ParameterError)
    })
  }

  it('names the missing parameter and its expected format', () => {
    assert.throws(() => fillPath('/files/:uuid/meta', {}), new ParameterError('uuid', undefined))
    assert.match(new ParameterError('env', 'dev').message, /^env is "dev"; expected test[|]prod$/)
    assert.match(new ParameterError('env', undefined).message, /^env is missing; expected /)
    assert.equal(new ParameterError('env', 'dev').name, 'ParameterError')
  })

  it('does not write a missing value as text', () => {
    assert.throws(() => fillPath('/shares/:granteeClientId', {}), ParameterError)
    assert.equal(fillPath('/shares/:granteeClientId', { granteeClientId: 'undefined' }), '/shares/undefined')
  })

  it('throws a TypeError for a template with an unknown parameter', () => {
    const expected = new TypeError('No pattern for the path parameter name')
    assert.throws(() => fillPath('/files/:name', { name: 'x' }), expected)
    assert.throws(() => matchPath('/files/:name', '/files/x'), expected)
  })

  it('rejects other environments and other forms of a uuid', () => {
    assert.throws(() => fillPath('/:env', { env: 'TEST' }), ParameterError)
    assert.throws(() => fillPath('/:env', { env: 'test/../prod' }), ParameterError)
    assert.throws(() => fillPath('/:uuid', { uuid: '../../files/1' }), ParameterError)
  })
})

describe('matchPath()', () => {
  it('reads the values back', () => {
    assert.deepEqual(matchPath('/forms/:formId/packages/:packageId', '/forms/6025/packages/42'), {
      formId: 6025,
      packageId: 42,
    })
  })

  for (const value of notIds) {
    it(`rejects ${JSON.stringify(value)} as an id`, () => {
      assert.equal(matchPath('/packages/:packageId', `/packages/${value}`), undefined)
    })
  }

  it('matches the whole path only', () => {
    for (const path of [
      '/packages',
      '/packages/42/',
      '/packages/42/pdf',
      '//packages/42',
      '/x/packages/42',
    ]) {
      assert.equal(matchPath('/packages/:packageId', path), undefined)
    }
  })
})

describe('routes', () => {
  const sample = {
    ...{ env: 'test', formId: 1, packageId: 2, attachmentTypeId: 3, attachmentId: 4, lockId: 5, routeId: 6 },
    ...{ univid: '10000001', officeKey: '05-0333', granteeClientId: 'partner-app' },
    uuid: '00000000-0000-4000-8000-000000000000',
  }
  const sides: readonly (readonly [string, readonly Row[]])[] = [
    ['the proxy', rowsOf(routes, ({ method, path }: Route) => [method, path])],
    [
      'the services',
      rowsOf(operations, ({ service, method, upstream }: Operation) => [service + method, upstream]),
    ],
  ]

  for (const [side, table] of sides) {
    it(`have unique addresses on the side of ${side}`, () => {
      for (const [name, kind, template] of table) {
        const address = fillPath(template, sample)
        const matches = table.filter(([, other, path]) => other === kind && matchPath(path, address))
        assert.deepEqual(
          matches.map(([match]) => match),
          [name],
          address,
        )
      }
    })
  }

  it('belong to operations of the services', () => {
    for (const name of Object.keys(routes)) assert.ok(Object.hasOwn(operations, name), name)
  })
})

/** Name, the part of the address besides the path, and the path. */
type Row = readonly [name: string, kind: string, template: string]

function rowsOf<Entry>(
  table: Readonly<Record<string, Entry>>,
  read: (entry: Entry) => readonly [string, string],
): readonly Row[] {
  return Object.entries(table).map(([name, entry]) => [name, ...read(entry)] as const)
}

describe('isId() and parseId()', () => {
  it('accept positive integers that JavaScript represents exactly', () => {
    for (const id of [1, 42, Number.MAX_SAFE_INTEGER]) {
      assert.equal(isId(id), true, `${id}`)
      assert.equal(parseId(`${id}`), id)
    }
    for (const value of [undefined, 0, -1, 1.5, Number.NaN, Infinity, Number.MAX_SAFE_INTEGER + 1])
      assert.equal(isId(value), false, `${value}`)
    for (const text of ['', '0', '-1', '1.5', '007', ' 1', '1 ', '1e3', '0x1', '9007199254740993'])
      assert.equal(parseId(text), undefined, text)
  })
})
