import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { jwtIdentity, type JwtIdentityOptions } from '../../../src/proxy/identity/jwt-identity.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'

const issuer = 'https://login.example'
const audience = 'travel'

describe('jwtIdentity()', () => {
  it('takes a token of the issuer for this site, with any of its algorithms', async () => {
    for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
      const idp = await createIssuer(algorithm)
      assert.deepEqual(await idp.identifyBearer(await idp.sign()), { univid: '10000001' }, algorithm)
    }
  })

  it('takes the token only from the configured cookie', async () => {
    const idp = await createIssuer('ES256', { cookie: '__Host-token' })
    const token = await idp.sign()
    assert.deepEqual(await idp.identifyWith({ cookie: `a=b; __Host-token=${token}` }), { univid: '10000001' })
    assert.equal(await idp.identifyBearer(token), null)
    assert.equal(
      await idp.identifyWith({ cookie: `__Host-token=${token}; __Host-token=${token}` }),
      null,
      'two',
    )
    assert.equal(await idp.identifyWith({ cookie: `x__Host-token=${token}` }), null)
    assert.notEqual(await idp.identifyWith({ cookie: `x__Host-token=x; __Host-token=${token}` }), null)
  })

  it('reads groups from the configured claim', async () => {
    const idp = await createIssuer('ES256', { groupsClaim: 'groups' })
    const groupsOf = async (groups: unknown) => (await idp.identifyBearer(await idp.sign({ groups })))?.groups
    assert.deepEqual(await groupsOf(['registrar', 'dean', 3, '']), ['registrar', 'dean'])
    assert.deepEqual(await groupsOf('registrar, dean'), ['registrar', 'dean'])
    for (const other of [undefined, null, { registrar: true }, 3]) assert.deepEqual(await groupsOf(other), [])
  })

  it('identifies no one without a token, and then requests no keys', async () => {
    const idp = await createIssuer('ES256')
    for (const authorization of [undefined, '', 'Bearer', 'Bearer ', 'Basic eDp5', 'Bearer a b']) {
      assert.equal(await idp.identifyWith(authorization === undefined ? {} : { authorization }), null)
    }
    assert.equal(idp.fetches(), 0)
    const token = await idp.sign()
    for (const authorization of [`xBearer ${token}`, `Basic eDp5, Bearer ${token}`, `Bearer ${token} x`])
      assert.equal(await idp.identifyWith({ authorization }), null, authorization)
    assert.notEqual(
      await idp.identifyWith({ authorization: `bearer ${token}` }),
      null,
      'in any case (control)',
    )
  })

  it('takes no token of another issuer, for another site, or out of its time', async () => {
    const idp = await createIssuer('ES256')
    const now = Math.floor(Date.now() / 1000)
    for (const claims of [
      { iss: 'https://evil.example' },
      { iss: undefined },
      { aud: 'payroll' },
      { aud: undefined },
      { exp: now - 60 },
      { exp: undefined },
      { nbf: now + 60 },
    ]) {
      assert.equal(await idp.identifyBearer(await idp.sign(claims)), null, JSON.stringify(claims))
    }
    assert.notEqual(
      await idp.identifyBearer(await idp.sign({ exp: now - 2 })),
      null,
      'clocks may differ by a few seconds',
    )
    assert.notEqual(await idp.identifyBearer(await idp.sign({ aud: [audience, 'payroll'] })), null)
  })

  it('takes one university id from the claim and nothing else (T2)', async () => {
    const idp = await createIssuer('ES256')
    for (const univid of [
      undefined,
      null,
      '',
      10_000_001,
      'demo-app',
      '1, 2',
      ['1'],
      { a: 1 },
      '１２',
      '1234567890123',
    ]) {
      assert.equal(await idp.identifyBearer(await idp.sign({ univid })), null, JSON.stringify(univid))
    }
    const other = await createIssuer('ES256', { claim: 'employee' })
    assert.equal(await other.identifyBearer(await other.sign()), null)
    assert.deepEqual(await other.identifyBearer(await other.sign({ employee: '7' })), { univid: '7' })
  })

  it('takes no token that is unsigned, altered, signed by another or with a secret', async () => {
    const idp = await createIssuer('RS256')
    const token = await idp.sign()
    const [head = '', body = '', signature = ''] = token.split('.')
    const forged = btoa(JSON.stringify({ univid: '10000009', iss: issuer, aud: audience, exp: 9e9 }))
    const claims = { univid: '10000001', iss: issuer, aud: audience, exp: 9e9 }
    const known = new TextEncoder().encode(JSON.stringify(idp.keySet().keys[0]))
    for (const bad of [
      `${head}.${forged.replace(/=+$/, '')}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      'x.y.z',
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(known),
      await (await createIssuer('RS256')).sign(),
    ]) {
      assert.equal(await idp.identifyBearer(bad), null, bad)
    }
    assert.notEqual(await idp.identifyBearer(token), null)
  })

  it('takes no algorithm that was not chosen', async () => {
    const idp = await createIssuer('ES256', { algorithms: ['RS256'] })
    assert.equal(await idp.identifyBearer(await idp.sign()), null)
  })

  it('keeps the keys, and fetches them again after a rotation', async () => {
    const idp = await createIssuer('ES256', { cooldown: 0 })
    for (let count = 0; count < 5; count++) await idp.identifyBearer(await idp.sign())
    assert.equal(idp.fetches(), 1)
    const old = await idp.sign()
    await idp.rotate()
    assert.notEqual(await idp.identifyBearer(await idp.sign()), null)
    assert.equal(idp.fetches(), 2)
    assert.equal(await idp.identifyBearer(old), null, 'tokens of the old key are refused')
  })

  it('is not made to fetch keys again and again by tokens that name unknown ones (T29)', async () => {
    const idp = await createIssuer('ES256')
    await idp.identifyBearer(await idp.sign())
    for (let count = 0; count < 50; count++) await idp.identifyBearer(await idp.sign({}, `unknown-${count}`))
    assert.equal(idp.fetches(), 1)
  })

  it('rejects everyone while the keys cannot be fetched, and reports it', async () => {
    for (const fetchKeys of [
      () => Promise.reject(new TypeError('fetch failed')),
      () => Promise.resolve(new Response(null, { status: 500 })),
      () => Promise.resolve(new Response('<!doctype html>')),
      () => Promise.resolve(Response.json({ keys: 'none' })),
      () =>
        Promise.resolve(new Response(null, { status: 302, headers: { location: 'https://evil.example' } })),
    ]) {
      const idp = await createIssuer('ES256', { fetch: fetchKeys })
      await assert.rejects(
        async () => idp.identifyBearer(await idp.sign()),
        (error) => error instanceof ProxyError && error.status === 503,
      )
    }
  })

  describe('of a token that was verified before', () => {
    /** Fetches the keys for each verification, so that `fetches()` counts them. */
    const counted = { cacheMaxAge: 0, cooldown: 0 }

    it('does not verify it again for a minute', async () => {
      let time = Date.now()
      const idp = await createIssuer('ES256', { ...counted, now: () => time, groupsClaim: 'groups' })
      const token = await idp.sign({ groups: ['dean'], exp: Math.floor(time / 1000) + 3600 })
      const person = { univid: '10000001', groups: ['dean'] }
      for (let count = 0; count < 5; count++) assert.deepEqual(await idp.identifyBearer(token), person)
      time += 59_999
      assert.deepEqual(await idp.identifyBearer(token), person)
      assert.equal(idp.fetches(), 1)
      time += 1
      assert.deepEqual(await idp.identifyBearer(token), person)
      assert.equal(idp.fetches(), 2)
    })

    it('rejects it within a minute after its key was withdrawn, or its time is over', async () => {
      let time = Date.now()
      const idp = await createIssuer('ES256', { ...counted, now: () => time })
      const long = await idp.sign({ exp: Math.floor(time / 1000) + 3600 })
      const short = await idp.sign({ exp: Math.floor(time / 1000) + 20 })
      for (const token of [long, short]) assert.notEqual(await idp.identifyBearer(token), null)
      await idp.rotate()
      time += 24_000
      assert.notEqual(await idp.identifyBearer(short), null, 'clocks may differ by five seconds')
      time += 2000
      assert.equal(await idp.identifyBearer(short), null)
      assert.notEqual(await idp.identifyBearer(long), null)
      time += 34_000
      assert.equal(await idp.identifyBearer(long), null)
    })

    it('verifies it again if the clock was set back', async () => {
      let time = Date.now()
      const idp = await createIssuer('ES256', { ...counted, now: () => time })
      const token = await idp.sign({ exp: Math.floor(time / 1000) + 36_000 })
      await idp.identifyBearer(token)
      time -= 3_600_000
      await idp.identifyBearer(token)
      assert.equal(idp.fetches(), 2)
    })

    it('remembers neither rejected tokens nor more tokens than allowed', async () => {
      const idp = await createIssuer('ES256', { ...counted, maxTokens: 2 })
      const bad = await idp.sign({ aud: 'payroll' })
      for (let count = 0; count < 3; count++) assert.equal(await idp.identifyBearer(bad), null)
      assert.equal(idp.fetches(), 3)
      const tokens = await Promise.all(['1', '2', '3'].map((univid) => idp.sign({ univid })))
      for (const token of tokens) await idp.identifyBearer(token)
      for (const [index, token] of tokens.entries())
        assert.deepEqual(await idp.identifyBearer(token), { univid: String(index + 1) })
      assert.equal(idp.fetches(), 3 + 3 + 3, 'the first was removed, and its return removed the second')
    })

    it('does not take an altered token for it', async () => {
      const idp = await createIssuer('ES256')
      const token = await idp.sign()
      assert.notEqual(await idp.identifyBearer(token), null)
      assert.equal(await idp.identifyBearer(`${token}x`), null)
      const [head, , signature] = token.split('.')
      const body = Buffer.from(JSON.stringify({ univid: '2', iss: issuer, aud: audience, exp: 9e9 }))
      assert.equal(await idp.identifyBearer([head, body.toString('base64url'), signature].join('.')), null)
    })
  })
})

describe('the key set of jwtIdentity()', () => {
  it('may contain members that are no keys, and keys that are damaged', async () => {
    const idp = await createIssuer('ES256')
    const token = await idp.sign()
    const { keys } = idp.keySet()
    const damaged = { kty: 'EC', crv: 'P-256', kid: 'other', alg: 'ES256', x: '!', y: 'AA' }
    for (const bad of [[null], ['key'], [7], [{}], [[]], [damaged], [{ ...damaged, kid: 'key-1' }]]) {
      const other = jwtIdentity({
        ...{ jwksUrl: 'https://login.example/keys', issuer, audience },
        fetch: () => Promise.resolve(Response.json({ keys: [...bad, ...keys] })),
      })
      const request = new Request('https://app.example/', { headers: { authorization: `Bearer ${token}` } })
      assert.deepEqual(await other(request), { univid: '10000001' }, JSON.stringify(bad))
    }
  })

  it('is tried key by key for a token that names none', async () => {
    const idp = await createIssuer('ES256')
    const [first] = idp.keySet().keys
    await idp.rotate()
    const [second] = idp.keySet().keys
    const two = jwtIdentity({
      ...{ jwksUrl: 'https://login.example/keys', issuer, audience },
      fetch: () => Promise.resolve(Response.json({ keys: [second, first] })),
    })
    const identify = (token: string) =>
      two(new Request('https://app.example/', { headers: { authorization: `Bearer ${token}` } }))
    assert.deepEqual(await identify(await idp.sign({}, null)), { univid: '10000001' })
    await idp.rotate()
    assert.equal(await identify(await idp.sign({}, null)), null, 'control: a key that is not in the set')
  })

  it('has a maximum size', async () => {
    const idp = await createIssuer('ES256')
    const token = await idp.sign()
    const padding = (size: number) => ({ keys: idp.keySet().keys, padding: 'x'.repeat(size) })
    for (const [size, isRead] of [
      [500_000, true],
      [1024 * 1024, false],
    ] as const) {
      const identify = jwtIdentity({
        ...{ jwksUrl: 'https://login.example/keys', issuer, audience },
        fetch: () => Promise.resolve(Response.json(padding(size))),
      })
      const pending = Promise.resolve(
        identify(new Request('https://app.example/', { headers: { authorization: `Bearer ${token}` } })),
      )
      if (isRead) assert.deepEqual(await pending, { univid: '10000001' })
      else await assert.rejects(pending, { status: 503 })
    }
  })
})

/** An issuer with one key, and an identity that trusts it. */
async function createIssuer(algorithm: string, options: Partial<JwtIdentityOptions> = {}) {
  let number = 0
  let pair = await generateKeyPair(algorithm)
  let keySet: { keys: object[] } = { keys: [] }
  let fetches = 0
  const rotate = async () => {
    number++
    pair = await generateKeyPair(algorithm)
    keySet = {
      keys: [{ ...(await exportJWK(pair.publicKey)), kid: `key-${number}`, alg: algorithm, use: 'sig' }],
    }
  }
  await rotate()
  const identify = jwtIdentity({
    jwksUrl: 'https://login.example/keys',
    issuer,
    audience,
    fetch: () => {
      fetches++
      return Promise.resolve(Response.json(keySet))
    },
    ...options,
  })

  const idp = {
    rotate,
    fetches: () => fetches,
    keySet: () => keySet,
    /** A token with these claims changed; undefined ones are left out. */
    async sign(claims: Record<string, unknown> = {}, kid: string | null = `key-${number}`): Promise<string> {
      const exp = Math.floor(Date.now() / 1000) + 60
      const all = { univid: '10000001', iss: issuer, aud: audience, exp, ...claims }
      const payload = JSON.parse(JSON.stringify(all)) as Record<string, unknown>
      const header = { alg: algorithm, ...(kid !== null && { kid }) }
      return await new SignJWT(payload).setProtectedHeader(header).sign(pair.privateKey)
    },
    identifyWith: async (headers: HeadersInit) =>
      await identify(new Request('https://app.example/', { headers })),
    identifyBearer: (token: string) => idp.identifyWith({ authorization: `Bearer ${token}` }),
  }
  return idp
}
