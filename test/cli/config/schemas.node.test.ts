import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { jsonSchemaOf, schemaNames } from '../../../src/cli/config/schemas.ts'
import { fileNames, mountNames } from '../../../src/cli/config/variable-names.ts'
import { policyOperations } from '../../../src/proxy/rights/policy-operations.ts'

interface Schema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Whether a value is valid by a schema. */
function accepts(schema: Readonly<Record<string, unknown>>, value: unknown): boolean {
  return z.fromJSONSchema(schema).safeParse(value).success
}

describe('jsonSchemaOf()', () => {
  it('describes every variable of the configuration, at the top and in mounts', () => {
    const { properties } = jsonSchemaOf('proxy') as unknown as Schema
    assert.deepEqual(Object.keys(properties), ['$schema', ...fileNames, 'mounts'])
    const mount = (properties['mounts'] as unknown as { readonly items: Schema }).items
    assert.deepEqual(Object.keys(mount.properties), mountNames)
    for (const name of fileNames) assert.ok(String(properties[name]?.['description']).length > 10, name)
    assert.deepEqual(properties['ROUTESLIP_ENV']?.['enum'], ['test', 'prod'])
  })

  it('accepts valid files and refuses others', () => {
    const policy = jsonSchemaOf('policy')
    const document = readFileSync(new URL('../../../docs/policy.md', import.meta.url), 'utf8')
    const example: unknown = JSON.parse(/```json\n([^]*?)```/.exec(document)?.[1] ?? '')
    assert.ok(accepts(policy, example))
    const [operation] = policyOperations.keys()
    const rule = { name: 'One', people: ['1'], operations: [operation] }
    assert.ok(accepts(policy, { $schema: './policy.schema.json', rules: [rule] }))
    for (const wrong of [
      { rules: [{ ...rule, operations: ['restart'] }] },
      { rules: {} },
      { rules: [], rule: 1 },
    ])
      assert.ok(!accepts(policy, wrong), JSON.stringify(wrong))

    const proxy = jsonSchemaOf('proxy')
    assert.ok(accepts(proxy, { ROUTESLIP_PORT: 8090, mounts: [{ ROUTESLIP_ENV: 'test' }] }))
    assert.ok(accepts(proxy, { ROUTESLIP_PORT: '8090', ROUTESLIP_FORMS: [6025], ROUTESLIP_ALLOW_HTTP: true }))
    for (const wrong of [{ ROUTESLIP_PORT: 70_000 }, { ROUTESLIP_ENV: 'live' }, { port: 1 }, { mounts: [] }])
      assert.ok(!accepts(proxy, wrong), JSON.stringify(wrong))

    const tests = jsonSchemaOf('policy-test')
    assert.ok(accepts(tests, { expect: [{ decision: 'denied', person: '1', operation: 'getShares' }] }))
    assert.ok(!accepts(tests, { expect: [] }))
  })

  it('is JSON Schema of one version', () => {
    for (const name of schemaNames)
      assert.equal(jsonSchemaOf(name)['$schema'], 'https://json-schema.org/draft/2020-12/schema')
  })
})
