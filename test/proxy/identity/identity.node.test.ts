import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { devPersona, isThisMachine } from '../../../src/proxy/identity/dev-persona.ts'
import { personaCookie, readGroups } from '../../../src/proxy/identity/identity.ts'
import { jwtIdentity, type JwtIdentityOptions } from '../../../src/proxy/identity/jwt-identity.ts'

describe('personaCookie()', () => {
  const identify = personaCookie(['10000001', '7'])

  it('takes one of the personas from its cookie, wherever that is', () => {
    for (const [cookie, univid] of [
      ['routeslip-persona=7', '7'],
      ['a=b; routeslip-persona=7;c=d', '7'],
      ['a=b;routeslip-persona=10000001', '10000001'],
      ['a=b;  \troutesliproute=1; routeslip-persona=7', '7'],
      ['routeslip-persona=8', undefined],
      ['routeslip-persona=', undefined],
      ['routeslip-persona=7x', undefined],
      ['routeslip-persona=07', undefined],
      ['x-routeslip-persona=7', undefined],
      ['a=brouteslip-persona=7', undefined],
      ['a=7', undefined],
      ['', undefined],
    ] as const) {
      const request = new Request('https://site.test/', { headers: { cookie } })
      assert.deepEqual(identify(request), univid === undefined ? null : { univid }, cookie)
    }
    assert.equal(identify(new Request('https://site.test/')), null)
  })
})

describe('readGroups()', () => {
  it('reads a list, or a text with a separator', () => {
    assert.deepEqual(readGroups(['dean', ' staff ', '', ' ', 3, null, 'a,b'], ','), ['dean', 'staff', 'a,b'])
    assert.deepEqual(readGroups(' dean, staff,,a;b ', ','), ['dean', 'staff', 'a;b'])
    assert.deepEqual(readGroups('dean;a,b', ';'), ['dean', 'a,b'])
    for (const value of ['', ' ', null, undefined, 3, true, { 0: 'dean', length: 1 }])
      assert.deepEqual(readGroups(value, ','), [])
  })
})

describe('devPersona()', () => {
  it('identifies everyone who uses a name of this machine', () => {
    const identify = devPersona('10000001')
    assert.deepEqual(identify(new Request('http://localhost:8080/a')), { univid: '10000001' })
    assert.equal(identify(new Request('http://localhost.evil.example/a')), null)
  })

  it('knows the names of this machine', () => {
    for (const name of [
      'localhost',
      'a.localhost',
      'a.b.localhost',
      '127.0.0.1',
      '127.255.10.200',
      '::1',
      '[::1]',
    ])
      assert.ok(isThisMachine(name), name)
    for (const name of [
      '',
      'xlocalhost',
      '.localhost',
      'localhostx',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '127.0.1',
      '127.0.0.1.1',
      '127.0.0.1000',
      '127x0x0x1',
      '127.a.0.1',
      'x127.0.0.1',
      '128.0.0.1',
      '::11',
      'x::1',
    ])
      assert.ok(!isThisMachine(name), name)
  })
})

describe('the options of jwtIdentity()', () => {
  const start = (options: Partial<JwtIdentityOptions>) => () =>
    jwtIdentity({ jwksUrl: 'https://login.example/keys', issuer: 'i', audience: 'a', ...options })

  it('require HTTPS, except on this machine', () => {
    for (const jwksUrl of [
      'http://localhost.evil.example/keys',
      'http://xlocalhost/keys',
      'http://127.0.0.1.evil.example/keys',
      'http://login.example/keys',
      'ftp://localhost/keys',
    ])
      assert.throws(
        start({ jwksUrl }),
        { name: 'RangeError', message: 'jwksUrl must begin with https:' },
        jwksUrl,
      )
    for (const jwksUrl of ['http://localhost/keys', 'http://127.0.0.1:8080/keys', 'http://[::1]/keys'])
      assert.doesNotThrow(start({ jwksUrl }), jwksUrl)
  })

  it('require algorithms with public keys, an issuer and an audience', () => {
    const all = 'RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519'
    const message = `algorithms must be some of ${all}`
    assert.throws(start({ algorithms: ['ES256', 'HS256' as 'RS256'] }), { name: 'RangeError', message })
    assert.throws(start({ algorithms: [] }), { name: 'RangeError', message })
    assert.doesNotThrow(start({ algorithms: all.split(', ') as ['RS256'] }))
    for (const missing of [{ issuer: '' }, { audience: '' }])
      assert.throws(start(missing), { name: 'RangeError', message: 'issuer and audience must be given' })
  })
})
