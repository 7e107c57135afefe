import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { freePort } from '../../free-port.mjs'
import { endAll, exampleEnv, launch, startEmulator, without } from '../proxy-command.ts'

describe('routeslip proxy --check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-check-'))
  const keySet = createServer((request, response) => {
    response.end(request.url === '/keys' ? '{"keys":[]}' : '<!doctype html>')
  })
  afterEach(endAll)
  after(() => {
    keySet.close()
    rmSync(folder, { recursive: true })
  })

  async function check(env: Readonly<Record<string, string>>) {
    const { child, output, errors } = launch(env, '--check')
    await once(child, 'close')
    return { code: child.exitCode, lines: output().trim().split('\n'), errors: errors() }
  }

  it('asks everything once, prints a line for each, and exits with 0', async () => {
    await new Promise<void>((resolve) => keySet.listen(0, '127.0.0.1', resolve))
    const keys = `http://127.0.0.1:${(keySet.address() as AddressInfo).port}/`
    const data = join(folder, 'new', 'data')
    const env = { ...exampleEnv(await startEmulator()), ROUTESLIP_DATA: data }
    assert.deepEqual(await check(env), {
      code: 0,
      lines: [
        'ok   configuration: test at /api/wf, forms 6025',
        'ok   workflow service: responds with 200 and accepts the credentials',
        'ok   storage service: responds with 200 and accepts the credentials',
        'ok   data folder: can be written',
      ],
      errors: '',
    })

    const jwt = {
      ...without(env, 'ROUTESLIP_IDENTITY_SECRET', 'ROUTESLIP_IDENTITY_HEADER', 'ROUTESLIP_DATA'),
      ROUTESLIP_IDENTITY: 'jwt',
      ROUTESLIP_IDENTITY_ISSUER: 'https://login.example.edu',
      ROUTESLIP_IDENTITY_AUDIENCE: 'forms',
    }
    const good = await check({ ...jwt, ROUTESLIP_IDENTITY_JWKS_URL: `${keys}keys` })
    assert.deepEqual([good.code, good.lines.at(-1)], [0, 'ok   key set: contains 0 keys'])
    const bad = await check({ ...jwt, ROUTESLIP_IDENTITY_JWKS_URL: keys })
    assert.deepEqual(
      [bad.code, bad.lines.at(-1)],
      [1, 'FAIL key set: is not a JSON Web Key Set. Check ROUTESLIP_IDENTITY_JWKS_URL.'],
    )
  })

  it('names what does not work and the next step, without a secret, and exits with 1', async () => {
    const env = exampleEnv(await startEmulator())
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const { code, lines, errors } = await check({
      ...env,
      ROUTESLIP_WORKFLOW_CLIENT_SECRET: 'not-the-secret',
      ROUTESLIP_STORAGE_URL: `http://127.0.0.1:${await freePort()}/fs/test`,
      REDIS_URL: 'redis://someone:hidden@127.0.0.1:9',
      ROUTESLIP_DATA: join(file, 'data'),
    })
    assert.deepEqual(lines, [
      'ok   configuration: test at /api/wf, forms 6025',
      'FAIL workflow service: refuses the credentials with 401. Check ROUTESLIP_WORKFLOW_CLIENT_ID and its secret.',
      'FAIL storage service: does not respond (ECONNREFUSED). Check ROUTESLIP_STORAGE_URL.',
      'FAIL Redis: does not accept a connection. Check REDIS_URL, and the user name and password in it.',
      'FAIL data folder: cannot be written (ENOTDIR). Check ROUTESLIP_DATA and its permissions.',
    ])
    assert.deepEqual([code, errors], [1, ''])

    const broken = await check({ ...env, ROUTESLIP_ENV: 'live' })
    assert.equal(broken.code, 1)
    assert.match(broken.errors, /^ROUTESLIP_ENV is "live"[.] Set it to test or prod[.]\n$/)
  })
})
