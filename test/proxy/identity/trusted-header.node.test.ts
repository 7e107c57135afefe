import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { trustedHeader } from '../../../src/proxy/identity/trusted-header.ts'

const secret = 'a secret of more than 32 characters'

describe('trustedHeader()', () => {
  const identify = trustedHeader({ header: 'x-remote-user', secret })
  const identifyWith = (headers: HeadersInit) => identify(new Request('https://app.example/', { headers }))

  it('believes the front server that knows the secret', async () => {
    assert.deepEqual(await identifyWith({ 'x-remote-user': '10000001', 'x-routeslip-front': secret }), {
      univid: '10000001',
    })
  })

  it('rejects every other sender', async () => {
    for (const given of [
      undefined,
      '',
      secret.slice(1),
      `${secret} `,
      secret.toUpperCase(),
      `${secret}, ${secret}`,
    ]) {
      const headers = new Headers({ 'x-remote-user': '10000001' })
      if (given !== undefined) headers.set('x-routeslip-front', given)
      // Header values lose the spaces around them, so a space at the end is the secret itself.
      const isSecret = headers.get('x-routeslip-front') === secret
      assert.deepEqual(await identifyWith(headers), isSecret ? { univid: '10000001' } : null, String(given))
    }
  })

  it('takes one university id and nothing else (T2, T3)', async () => {
    const headers = new Headers({ 'x-routeslip-front': secret })
    assert.equal(await identifyWith(headers), null)
    for (const user of ['', 'demo-app', '1, 2', '+1', '1e3', '-1', '1234567890123', 'null']) {
      headers.set('x-remote-user', user)
      assert.equal(await identifyWith(headers), null, user)
    }
    headers.set('x-remote-user', '10000001')
    headers.append('x-remote-user', '10000002')
    assert.equal(await identifyWith(headers), null, 'two headers')
  })

  it('reads the secret from the configured header', async () => {
    const other = trustedHeader({ header: 'x-remote-user', secret, secretHeader: 'x-front' })
    const request = (name: string) =>
      new Request('https://app.example/', { headers: { 'x-remote-user': '7', [name]: secret } })
    assert.deepEqual(await other(request('x-front')), { univid: '7' })
    assert.equal(await other(request('x-routeslip-front')), null)
  })

  it('reads groups only from the configured header, and only from the front server', async () => {
    const options = { header: 'x-remote-user', secret, groupsHeader: 'x-groups' }
    const groupsOf = async (groups: string | null, more: object = {}, front = secret) => {
      const headers = new Headers({ 'x-remote-user': '7', 'x-routeslip-front': front })
      if (groups !== null) headers.set('x-groups', groups)
      const request = new Request('https://app.example/', { headers })
      return (await trustedHeader({ ...options, ...more })(request))?.groups
    }
    assert.deepEqual(await groupsOf('registrar, dean,,'), ['registrar', 'dean'])
    assert.deepEqual(await groupsOf('cn=a,dc=b; dean', { groupsSeparator: ';' }), ['cn=a,dc=b', 'dean'])
    assert.deepEqual(await groupsOf(null), [])
    assert.equal(await groupsOf('registrar', { groupsHeader: undefined }), undefined)
    assert.equal(await groupsOf('registrar', {}, `${secret}!`), undefined)
  })

  it('believes each of the secrets that are valid at the moment', async () => {
    let valid: readonly string[] = [secret]
    const identify = trustedHeader({ header: 'x-remote-user', secret: () => valid })
    const isKnown = async (front: string) => {
      const headers = { 'x-remote-user': '10000001', 'x-routeslip-front': front }
      return (await identify(new Request('https://app.example/', { headers }))) !== null
    }
    const next = secret.replace('a secret', 'another')
    assert.deepEqual([await isKnown(secret), await isKnown(next)], [true, false])
    valid = [next, secret]
    assert.deepEqual([await isKnown(secret), await isKnown(next)], [true, true])
    valid = [next]
    assert.deepEqual([await isKnown(secret), await isKnown(next)], [false, true])
    valid = []
    assert.equal(await isKnown(next), false)
  })

  it('does not start with a secret that can be guessed', () => {
    const start = (secret: string | (() => readonly string[])) => () =>
      trustedHeader({ header: 'x-remote-user', secret })
    const refusal = { name: 'RangeError', message: 'secret must have at least 32 characters' }
    assert.throws(start('x'.repeat(31)), refusal)
    assert.throws(
      start(() => ['x'.repeat(32), 'short']),
      refusal,
    )
    assert.doesNotThrow(start('x'.repeat(32)))
    assert.doesNotThrow(start(() => []))
  })
})
