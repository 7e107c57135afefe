import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { Validator } from '@seriousme/openapi-schema-validator'
import {
  browserOperations,
  type OperationForBrowsers,
} from '../../../src/contract/services/browser-operations.ts'
import { ownRoutes } from '../../../src/contract/routes/own-routes.ts'
import { fillPath } from '../../../src/contract/values/path.ts'
import { acceptVersion } from '../../../src/contract/values/headers.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { campus } from '../../../src/emulator/scenarios/campus.ts'
import { nameOf, reference } from '../../../src/proxy/openapi/openapi-components.ts'
import { createOpenapi } from '../../../src/proxy/openapi/openapi.ts'

const document = createOpenapi({ basePath: '/api/wf', version: '1.2.3' })
/** Search parameters of the operations that take no package ids. */
const queries: Readonly<Partial<Record<string, string>>> = {
  searchOffices: '?searchTerm=20',
  findOffices: '?key=20',
  getOfficeRoute: '',
}
const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

describe('createOpenapi()', () => {
  it('returns valid OpenAPI 3.1 in plain JSON', async () => {
    const validator = new Validator()
    const result = await validator.validate({ ...structuredClone(document) })
    assert.deepEqual(result.errors ?? [], [])
    assert.equal(result.valid, true)
    assert.equal(validator.version, '3.1')
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
    assert.equal(document.info.version, '1.2.3')
    assert.deepEqual(document.servers, [{ url: '/api/wf' }])

    const broken = { ...structuredClone(document), paths: { session: {} } }
    assert.equal((await new Validator().validate(broken)).valid, false)
  })

  it('changes only on purpose', () => {
    const file = 'test/proxy/openapi.jsonl'
    const { paths, components, ...head } = document
    const lines = [head, ...linesOf('paths', paths), ...linesOf('components', components)]
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
    if (process.env['UPDATE']) writeFileSync(file, text)
    const fix = `Review the change. If it is right: UPDATE=1 npm test -- test/proxy/openapi/openapi.node.test.ts`
    assert.deepEqual(text.split('\n'), readFileSync(file, 'utf8').split('\n'), fix)
  })

  it('refuses a schema that the contract does not export', () => {
    assert.throws(() => nameOf(z.string()), /contract\/index\.ts does not export/)
    assert.throws(() => reference(undefined), TypeError)
  })

  it('has no broken references and no unused components', () => {
    const names = Object.entries(document.components).flatMap(([kind, entries]) =>
      Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
    )
    const references = new Set<string>()
    JSON.stringify(document, (key, value: unknown) => {
      if (key === '$ref') references.add(String(value))
      return value
    })
    assert.deepEqual(
      [...references].filter((each) => !names.includes(each)),
      [],
    )
    assert.deepEqual(
      names.filter((name) => !references.has(name)),
      [],
    )
  })

  it('describes exactly the operations of the contract and of the proxy itself', () => {
    const written = (path: string) => path.replace(/:(\w+)/g, '{$1}')
    const expected = Object.entries({ ...browserOperations, ...ownRoutes }).map(
      ([name, { method, path }]) => `${name} ${method.toLowerCase()} ${written(path)}`,
    )
    assert.deepEqual(
      documented.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`).sort(),
      expected.sort(),
    )
    const rights = documented.flatMap(({ operation }) =>
      operation['x-rights'] ? [[operation.operationId, operation['x-rights']]] : [],
    )
    assert.deepEqual(Object.fromEntries(rights), {
      ...Object.fromEntries(Object.entries(browserOperations).map(([name, { rights }]) => [name, rights])),
      ...{ getFormList: 'policy', getReminder: 'policy', sendReminder: 'policy' },
      ...{ getList: 'canView', getLocks: 'canView', getFormLocks: 'signed-in', releaseLock: 'policy' },
    })
  })

  it('requires the call header except for navigations and public routes', () => {
    const free = documented.filter(
      ({ operation }) =>
        !JSON.stringify(operation.parameters ?? []).includes('"#/components/parameters/Call"'),
    )
    assert.deepEqual(free.map(({ operation }) => operation.operationId).sort(), [
      'downloadAttachment',
      'getHealth',
      'getMetrics',
      'getOpenapi',
      'getPdf',
      'getReadiness',
      'presignFile',
      'receiveCallback',
    ])
  })

  it('says who may call each operation, and leaves no description empty', () => {
    const allowed = documented
      .filter(({ operation }) => operation['x-rights'])
      .map(({ operation }) => String(operation.description))
    assert.ok(allowed.length > 30, `${allowed.length}`)
    for (const text of allowed) assert.match(text, /^Allowed to (?:the |every |users )\w.*\w\.$/)
    JSON.stringify(document, (key, value: unknown) => {
      if (key === 'description' || key === 'summary')
        assert.ok(typeof value !== 'string' || value.trim().length >= 5, JSON.stringify(value))
      return value
    })
  })

  it('gives a body with one form its schema, and one with several a choice', () => {
    const schemas = documented.flatMap(({ operation }) => {
      const { content } = (operation.requestBody ?? {}) as { readonly content?: Record<string, JsonContent> }
      return content?.['application/json'] ? [content['application/json'].schema] : []
    })
    assert.ok(schemas.some(({ $ref }) => $ref !== undefined))
    for (const { anyOf } of schemas) assert.ok(anyOf === undefined || anyOf.length > 1, JSON.stringify(anyOf))
  })

  it('describes every path parameter', () => {
    for (const { path, operation } of documented) {
      const inPath = (operation.parameters ?? []).filter((each) => each['in'] === 'path')
      assert.deepEqual(
        inPath.map(({ name }) => name),
        [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name),
        path,
      )
    }
  })

  it('describes tolerant fields with their own type', () => {
    const { Package } = document.components['schemas'] as Record<string, Record<string, unknown>>
    const { subType, initiator, id } = Package?.['properties'] as Record<string, unknown>
    assert.deepEqual(subType, { type: ['string', 'null'] })
    assert.deepEqual(initiator, { anyOf: [{ $ref: '#/components/schemas/Person' }, { type: 'null' }] })
    assert.deepEqual(id, { type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER })
  })

  it('matches the responses of the services after parsing', async () => {
    const ajv = createAjv()
    ajv.addSchema({ ...document, $id: 'openapi' })
    const emulator = createEmulator({ seed: campus() })
    const headers = {
      Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-workflow-request-user': 'demo-app',
      'Content-Type': 'application/json',
    }
    let responseCount = 0
    for (const [name, operation] of Object.entries<OperationForBrowsers>(browserOperations)) {
      if (operation.service !== 'workflow' || operation.method !== 'GET' || !operation.result) continue
      for (const version of [undefined, ...(operation.versions ?? [])]) {
        for (const { id, formId } of [...emulator.packages.test.values()].slice(0, 6)) {
          const office = {
            officeKey: '20-0200',
            routeId: 813,
            ...(name === 'getOfficeRoute' && { formId: 6103 }),
          }
          const path = fillPath(operation.upstream, { env: 'test', formId, packageId: id, ...office })
          const query = queries[name] ?? (operation.query ? `?id=${id}` : '')
          const url = `http://emulator.test/wf${path}${query}`
          const accept = version ? { Accept: acceptVersion(version) } : {}
          const response = await emulator.fetch(url, { headers: { ...headers, ...accept } })
          assert.equal(response.status, 200, `${name} of ${id}`)
          // The proxy adds the tools to each package.
          const tools = (row: object) => (name === 'getActions' ? { ...row, tools: ['voidPackage'] } : row)
          const schema = version ? operation.results?.[version] : operation.result
          const value: unknown = await response.json()
          const read = schema?.parse(Array.isArray(value) ? (value as object[]).map(tools) : value)
          const type = version ? acceptVersion(version) : 'application/json'
          const isValid = ajv.validate({ $ref: `openapi${answerOf(name, type)}` }, read)
          assert.ok(isValid, `${name} of ${id}: ${ajv.errorsText()}`)
          responseCount++
          assert.equal(ajv.validate({ $ref: `openapi${answerOf(name, type)}` }, 'x'), false)
        }
      }
    }
    assert.ok(responseCount >= 66, `${responseCount} responseCount`)
  })
})

/** The JSON schema validator that the OpenAPI validator depends on. */
interface Ajv {
  readonly addSchema: (schema: object) => void
  readonly validate: (schema: object, value: unknown) => boolean
  readonly errorsText: () => string
}

function createAjv(): Ajv {
  const require = createRequire(createRequire(import.meta.url).resolve('@seriousme/openapi-schema-validator'))
  const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: object) => Ajv }
  const { default: addFormats } = require('ajv-formats') as { default: (ajv: Ajv) => void }
  const ajv = new Ajv2020({ strict: false })
  addFormats(ajv)
  return ajv
}

/** Returns the reference to the schema of a response. */
function answerOf(name: string, type: string): string {
  const operation = documented.find((each) => each.operation.operationId === name)?.operation
  const { content } = operation?.responses['200'] as { content: Record<string, { schema: { $ref: string } }> }
  return content[type]?.schema.$ref ?? ''
}

interface JsonContent {
  readonly schema: { readonly anyOf?: readonly unknown[]; readonly $ref?: string }
}

/** Returns a line for each member of the members of a part of the document. */
function linesOf(part: string, groups: Readonly<Record<string, object>>): readonly unknown[] {
  return Object.entries(groups).flatMap(([group, members]) =>
    Object.entries(members).map(([name, value]: [string, unknown]) => [part, group, name, value]),
  )
}
