import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClientError, NoProxyError, RefusedError, UnavailableError } from '../../../src/client/index.ts'

describe('the errors of the client', () => {
  it('have a name, and a message with the operation', () => {
    const error = new ClientError('getPackage', 'failed')
    assert.equal(error.name, 'ClientError')
    assert.equal(error.message, 'getPackage failed')
  })

  it('name the endpoint without a proxy, and advise against another request for minutes', () => {
    const error = new NoProxyError('getPackage', '/api/wf')
    assert.ok(error instanceof UnavailableError)
    assert.equal(error.name, 'NoProxyError')
    assert.equal(error.message, 'getPackage found no Routeslip proxy at /api/wf')
    assert.equal(error.endpoint, '/api/wf')
    assert.equal(error.retryAfter, 300_000)
    assert.equal(error.isTransient, false)
  })

  it('are refusals of the proxy unless the service is named, and not transient unless that is known', () => {
    assert.equal(new RefusedError('getPackage', 409).refusedBy, 'proxy')
    assert.equal(new RefusedError('getPackage', 409, { refusedBy: 'service' }).refusedBy, 'service')
    assert.equal(new UnavailableError('getPackage', 'failed').isTransient, false)
    assert.equal(new UnavailableError('getPackage', 'failed', { isTransient: true }).isTransient, true)
  })
})
