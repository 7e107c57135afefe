import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type RefusalCause, refusalCauses } from '../../src/proxy/http/finding.ts'
import { devPersona } from '../../src/proxy/identity/dev-persona.ts'
import type { Identify } from '../../src/proxy/identity/identity.ts'
import { jwtIdentity } from '../../src/proxy/identity/jwt-identity.ts'
import { trustedHeader } from '../../src/proxy/identity/trusted-header.ts'
import { createMetrics } from '../../src/proxy/node/observe/metrics.ts'
import { setUp } from './mount.ts'

const secret = 'front-secret-that-nobody-may-ever-see'
const front = { 'x-routeslip-front': secret, 'x-remote-user': '10000001' }
const listed = 'https://forms.example.edu'

interface Refused {
  readonly cause: RefusalCause
  /** Part of the sentence for the operator. */
  readonly says: RegExp
  readonly headers: Readonly<Record<string, string | null>>
  readonly method?: string
  readonly status?: number
}

describe('a request that is refused before rights are decided', () => {
  it('names what is wrong with the page or the front server', async () => {
    await check(trustedHeader({ header: 'x-remote-user', secret }), [
      {
        cause: 'call_header_missing',
        says: /^x-routeslip is missing/,
        headers: { 'x-routeslip': null },
        status: 403,
      },
      {
        cause: 'fetch_site_missing',
        says: /^Sec-Fetch-Site is missing/,
        headers: { 'sec-fetch-site': null },
        status: 403,
      },
      {
        cause: 'other_site',
        says: /^Sec-Fetch-Site is none/,
        headers: { 'sec-fetch-site': 'none' },
        status: 403,
      },
      {
        cause: 'origin_not_allowed',
        says: /not in ROUTESLIP_ORIGINS/,
        headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil-origin.example' },
        status: 403,
      },
      { cause: 'origin_missing', says: /has no Origin/, headers: {}, method: 'OPTIONS', status: 403 },
      {
        cause: 'front_secret_missing',
        says: /^x-routeslip-front is missing/,
        headers: { 'x-remote-user': '10000001' },
      },
      {
        cause: 'front_secret_wrong',
        says: /^x-routeslip-front is wrong[.]$/,
        headers: { ...front, 'x-routeslip-front': 'wrong-secret-of-somebody' },
      },
      {
        cause: 'user_missing',
        says: /^x-remote-user is missing/,
        headers: { ...front, 'x-remote-user': null },
      },
      {
        cause: 'user_not_id',
        says: /^x-remote-user is not a university id \(18 characters, has @\)[.]$/,
        headers: { ...front, 'x-remote-user': 'amara@example.test' },
      },
    ])
  })

  it('names what is wrong with a token', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const other = await generateKeyPair('ES256')
    const key = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256' }
    const token = async (claims: object = {}, kid = 'key-1', by = privateKey) => {
      const exp = Math.floor(Date.now() / 1000) + 60
      const all = { univid: '10000001', iss: 'https://login.example', aud: 'travel', exp, ...claims }
      const payload = JSON.parse(JSON.stringify(all)) as Record<string, unknown>
      const signed = await new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid }).sign(by)
      return { authorization: `Bearer ${signed}` }
    }
    const identify = jwtIdentity({
      jwksUrl: 'https://login.example/keys',
      issuer: 'https://login.example',
      audience: 'travel',
      fetch: () => Promise.resolve(Response.json({ keys: [key] })),
    })
    const past = Math.floor(Date.now() / 1000) - 600
    const forged = await token({}, 'key-1', other.privateKey)
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`
    await check(identify, [
      { cause: 'token_missing', says: /^Authorization is missing/, headers: {} },
      {
        cause: 'token_malformed',
        says: /not "Bearer" and one token/,
        headers: { authorization: 'Basic eDp5' },
      },
      {
        cause: 'token_malformed',
        says: /not a signed JSON Web Token/,
        headers: { authorization: 'Bearer x.y.z' },
      },
      { cause: 'token_algorithm', says: /[(]alg[)]/, headers: { authorization: `Bearer ${unsigned}` } },
      { cause: 'token_key_unknown', says: /[(]kid[)]/, headers: await token({}, 'key-2') },
      { cause: 'token_signature', says: /^The signature/, headers: forged },
      { cause: 'token_expired', says: /expired [(]exp[)]/, headers: await token({ exp: past }) },
      { cause: 'token_not_yet_valid', says: /[(]nbf[)]/, headers: await token({ nbf: past + 1200 }) },
      { cause: 'token_issuer', says: /[(]iss[)]/, headers: await token({ iss: 'https://evil.example' }) },
      { cause: 'token_audience', says: /[(]aud[)]/, headers: await token({ aud: 'payroll' }) },
      { cause: 'token_claim', says: /no claim univid/, headers: await token({ univid: undefined }) },
      {
        cause: 'user_not_id',
        says: /^The claim univid is not a university id \(18 characters, has @\)/,
        headers: await token({ univid: 'amara@example.test' }),
      },
    ])
    const inCookie = jwtIdentity({
      jwksUrl: 'https://login.example/keys',
      issuer: 'https://login.example',
      audience: 'travel',
      cookie: 'token',
      fetch: () =>
        Promise.reject(
          new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }),
        ),
    })
    const { authorization } = await token()
    const cookie = authorization.replace('Bearer ', 'token=')
    await check(inCookie, [
      { cause: 'token_missing', says: /^The cookie token is missing/, headers: {} },
      { cause: 'token_repeated', says: /^Two cookies/, headers: { cookie: `${cookie}; ${cookie}` } },
      { cause: 'key_set_unreachable', says: /[(]ECONNREFUSED[)]/, headers: { cookie }, status: 503 },
    ])
  })

  it('names another host of the persona, and an identity of the host that gives no reason', async () => {
    await check(devPersona('10000001'), [
      { cause: 'other_host', says: /^The development persona works only/, headers: {} },
    ])
    await check(() => null, [{ cause: 'not_identified', says: /no person/, headers: {} }])
    await check(() => ({ univid: 'demo-app' }), [{ cause: 'not_identified', says: /no person/, headers: {} }])
    const own: Identify = (_, explain) => {
      explain?.({ cause: 'not_identified', text: 'The session store is empty.' })
      return null
    }
    await check(own, [{ cause: 'not_identified', says: /^The session store is empty[.]$/, headers: {} }])
  })

  it('leaves no line if a cause is not about the way in', async () => {
    const { request, log } = setUp()
    assert.equal((await request('/forms/6025/packages/42', { as: 'outsider' })).status, 403)
    assert.equal((await request('/nothing')).status, 404)
    assert.deepEqual(
      log.filter((line) => line.includes('was refused')),
      [],
    )
  })
})

/** Sends each request to a proxy of its own, and checks its log, its metrics and its response. */
async function check(identify: Identify, table: readonly Refused[]): Promise<void> {
  for (const { cause, says, headers, method = 'GET', status = 401 } of table) {
    assert.ok(refusalCauses.includes(cause))
    for (const explainRefusals of [false, true]) {
      const lines: [string, string, Readonly<Record<string, unknown>>][] = []
      const metrics = createMetrics()
      const { request } = setUp({
        identity: { identify, origins: [listed] },
        observe: { metrics, explainRefusals, log: (...line) => void lines.push(line) },
      })
      const send = () => request('/session', { headers, method })
      const response = await send()
      assert.equal(response.status, status, cause)
      for (let count = 0; count < 4; count++) await send()

      const found = lines.filter(([, message]) => message === 'A request was refused')
      assert.equal(found.length, 1, `${cause}: one line`)
      const facts = found[0]?.[2] ?? {}
      assert.equal(facts['cause'], cause)
      assert.match(String(facts['reason']), says)
      const { text } = await metrics.read()
      assert.match(text, new RegExp(`^routeslip_refusals_total\\{cause="${cause}"\\} 5$`, 'm'))
      const { detail } = (await response.json()) as { readonly detail: string }
      assert.equal(detail.endsWith(String(facts['reason'])), explainRefusals, detail)
      const written = JSON.stringify([lines, detail])
      for (const value of Object.values(headers)) {
        // Words of a few letters, such as the value of Sec-Fetch-Site, are not secret.
        if (value !== null && value.length > 10) assert.ok(!written.includes(value), `${cause}: ${value}`)
      }
    }
  }
}
