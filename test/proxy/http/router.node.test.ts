import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRouter } from '../../../src/proxy/http/router.ts'

describe('createRouter()', () => {
  const match = createRouter('/api/wf', [
    { method: 'GET', path: '/openapi.json' },
    { method: 'GET', path: '/forms/:formId/packages/status' },
    { method: 'GET', path: '/forms/:formId/packages/:packageId' },
    { method: 'PUT', path: '/forms/:formId/packages/:packageId' },
  ])
  const found = (path: string, method = 'GET') => match(new Request(`https://site.test${path}`, { method }))

  it('returns the first route with the method and path of a request, and its parameters', () => {
    assert.deepEqual(found('/api/wf/forms/6025/packages/42', 'PUT'), {
      route: { method: 'PUT', path: '/forms/:formId/packages/:packageId' },
      params: { formId: 6025, packageId: 42 },
    })
    assert.equal(
      found('/api/wf/forms/6025/packages/status?id=42')?.route.path,
      '/forms/:formId/packages/status',
    )
    assert.deepEqual(found('/api/wf/openapi.json')?.params, {})
  })

  it('returns nothing for other methods and paths (T8)', () => {
    for (const path of [
      '/api/wf/openapiXjson',
      '/api/wf/openapi.json/',
      '/api/wfx/openapi.json',
      '/openapi.json',
      '/',
    ]) {
      assert.equal(found(path), undefined, path)
    }
    assert.equal(found('/api/wf/openapi.json', 'PUT'), undefined)
    assert.equal(found('/api/wf/forms/042/packages/42'), undefined)
  })
})
