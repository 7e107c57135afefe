import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  browserOperations,
  type OperationForBrowsers,
} from '../../../src/contract/services/browser-operations.ts'
import type { Operation } from '../../../src/contract/services/operation.ts'
import { operations } from '../../../src/contract/services/operations.ts'
import type { Route } from '../../../src/contract/routes/route.ts'
import { routes } from '../../../src/contract/routes/routes.ts'
import { AllowedActionsList } from '../../../src/contract/schemas/session.ts'

const table = Object.entries<Operation>(operations)
const routeOf = (name: string) => (routes as Readonly<Record<string, Route>>)[name]

describe('operations', () => {
  for (const [name, operation] of table) {
    const { path, requestBody, part, versions, response, rights } = operation
    const route = routeOf(name)

    it(`has a complete row for ${name}`, () => {
      if (route) {
        const { response: seenByBrowsers, ...shared } = route
        assert.deepEqual({ ...operation, ...shared }, operation, 'the row spreads its route')
        assert.ok(rights, `${name} has no rights`)
        const isSame = seenByBrowsers === response || seenByBrowsers === 'redirect'
        assert.ok(isSame, 'only a redirect differs from what the service returns')
      } else {
        assert.equal(path, undefined, `${name} has a path, so routes.ts must have it`)
        assert.equal(rights, undefined, `${name} has rights, so routes.ts must have it`)
      }
      assert.equal(
        operation.body !== undefined,
        requestBody !== undefined,
        'a body and its format go together',
      )
      assert.equal(part !== undefined, requestBody === 'multipart')
      assert.equal(operation.result !== undefined, response === 'json' || response === 'text')
      assert.deepEqual(Object.keys(operation.results ?? {}), versions ?? [], 'a schema for each version')
      for (const version of Object.keys(operation.bodies ?? {})) assert.ok(versions?.includes(version))
      assert.match(operation.summary, /^[A-Z][a-z]+s [^.]*[^.\s]$/, 'one sentence that starts with its verb')
    })
  }

  it('describes no two operations with the same summary', () => {
    const summaries = table.map(([, { summary }]) => summary)
    assert.deepEqual(
      summaries.filter((summary, index) => summaries.indexOf(summary) !== index),
      [],
    )
  })

  it('uses bypass authorization only if the host decides', () => {
    const bypassing = table.filter(([, { bypass }]) => bypass)
    assert.deepEqual(
      bypassing.map(([name]) => name),
      ['createOverride', 'getOverrides', 'deactivateOverride', 'deleteLock'],
    )
    for (const [name, { rights }] of bypassing) assert.equal(rights, 'policy', name)
  })
})

describe('browserOperations', () => {
  it('holds exactly the operations of routes.ts, in their order', () => {
    assert.deepEqual(Object.keys(browserOperations), Object.keys(routes))
  })

  it('adds to each route the fields of its row in the table', () => {
    for (const [name, found] of Object.entries<OperationForBrowsers>(browserOperations)) {
      const { browser, ...operation } = operations[name as keyof typeof operations] as Operation
      assert.deepEqual(found, { ...operation, ...browser, ...routeOf(name) }, name)
    }
  })

  it('lets browsers see the tools with the actions, and choose nothing about a download link but to show the file', () => {
    assert.equal(browserOperations.getActions.result, AllowedActionsList)
    assert.deepEqual(Object.keys(browserOperations.presignFile.query.shape), ['inline'])
    assert.equal(browserOperations.presignFile.response, 'redirect')
  })
})
