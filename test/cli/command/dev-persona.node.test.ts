import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { listen } from '../../../src/cli/listen.ts'
import { servePages } from '../../../src/cli/pages.ts'
import { freePort } from '../../free-port.mjs'
import { endAll, exampleEnv, fromPage, launch, sendRequest, start, startEmulator } from '../proxy-command.ts'

const path = 'api/wf/session'

describe('routeslip proxy --dev-persona', () => {
  afterEach(endAll)

  it('identifies everyone as this person, and only in requests to this machine (T2)', async () => {
    const services = await startEmulator()
    const env = {
      ROUTESLIP_PORT: '0',
      ROUTESLIP_WORKFLOW_URL: `${services}wf`,
      ROUTESLIP_STORAGE_URL: `${services}fs/test`,
      ROUTESLIP_STORAGE_OBJECT_ORIGINS: new URL(services).origin,
    }
    const { url, output, errors } = await start(env, '--dev-persona', '10000001')
    assert.match(output(), /^For development only: everyone is 10000001[.]$/m)
    const { status, body } = await sendRequest(url + path, { headers: fromPage })
    assert.equal(status, 200)
    assert.equal((JSON.parse(body.toString()) as { readonly univid: string }).univid, '10000001')
    const history = await sendRequest(`${url}api/wf/forms/6025/packages/42/history`, { headers: fromPage })
    assert.equal(history.status, 200)
    const { port } = new URL(url)
    for (const [host, expected] of [
      ['localhost:5173', 200],
      ['app.localhost', 200],
      [`127.0.0.1:${port}`, 200],
      ['rebound.example.com', 401],
      ['127.0.0.1.example.com', 401],
      ['localhost.example.com', 401],
    ] as const)
      assert.equal((await sendRequest(url + path, { headers: { ...fromPage, host } })).status, expected, host)
    // Other sites are refused as always.
    const other = await sendRequest(url + path, { headers: { ...fromPage, 'sec-fetch-site': 'cross-site' } })
    assert.equal(other.status, 403)
    // A developer reads the cause in the response.
    const explanationOf = async (headers: Readonly<Record<string, string>>) => {
      const { body: problem } = await sendRequest(url + path, { headers })
      return (JSON.parse(problem.toString()) as { readonly detail: string }).detail
    }
    assert.match(
      await explanationOf({ 'x-routeslip': '1' }),
      / Sec-Fetch-Site is missing[.] Browsers send it/,
    )
    assert.match(await explanationOf({ 'sec-fetch-site': 'same-origin' }), / x-routeslip is missing[.]/)
    assert.match(
      await explanationOf({ ...fromPage, host: 'rebound.example.com' }),
      /^Sign in to continue[.] The development persona works only/,
    )
    assert.equal(errors(), '')
  })

  it('serves the pages of a folder beside the proxy, and only to this machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'routeslip-pages-'))
    try {
      writeFileSync(join(folder, 'index.html'), '<p>My page')
      writeFileSync(join(folder, '.env'), 'SECRET=1')
      mkdirSync(join(folder, 'forms'))
      writeFileSync(join(folder, 'forms', 'travel.js'), 'export {}')
      const services = await startEmulator()
      const env = {
        ROUTESLIP_PORT: '0',
        ROUTESLIP_WORKFLOW_URL: `${services}wf`,
        ROUTESLIP_STORAGE_URL: `${services}fs/test`,
        ROUTESLIP_STORAGE_OBJECT_ORIGINS: new URL(services).origin,
      }
      const { url } = await start(env, '--dev-persona', '10000001', '--pages', folder)
      const page = await sendRequest(url)
      assert.deepEqual([page.status, page.body.toString()], [200, '<p>My page'])
      assert.match(page.headers['content-type'] ?? '', /^text\/html/)
      const script = await sendRequest(`${url}forms/travel.js`)
      assert.match(script.headers['content-type'] ?? '', /javascript/)
      assert.equal((await sendRequest(url + path, { headers: fromPage })).status, 200)
      for (const other of ['.env', 'forms/../.env', 'none.html', 'forms', 'forms/..%2f.env', '%2eenv', '%ff'])
        assert.equal((await sendRequest(url + other)).status, 404, other)
      assert.equal((await sendRequest(url, { headers: { host: 'rebound.example.com' } })).status, 404)
    } finally {
      rmSync(folder, { recursive: true })
    }
    for (const [args, message] of [
      [['--pages', '.'], /^--pages works only with --dev-persona[.]/],
      [
        ['--dev-persona', '10000001', '--pages', '/no/such/folder'],
        /^--pages is "[/]no[/]such[/]folder", which is not a folder[.]/,
      ],
    ] as const) {
      const { child, errors } = launch(exampleEnv('http://127.0.0.1:8081/'), ...args)
      await once(child, 'close')
      assert.equal(child.exitCode, 1)
      assert.match(errors(), message)
    }
  })

  it('serves the scripts of the elements, unless the folder has files of these names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'routeslip-pages-'))
    const server = await listen(servePages(folder), 0, '')
    try {
      const read = async (name: string) => (await sendRequest(server.url + name)).body.toString()
      assert.match(await read('routeslip.js'), /wf-history/)
      assert.match(await read('locales/de.js'), /Antrag/)
      writeFileSync(join(folder, 'routeslip.js'), 'mine')
      assert.equal(await read('routeslip.js'), 'mine')
      assert.equal((await sendRequest(`${server.url}none.js`)).status, 404)
    } finally {
      await server.close()
      rmSync(folder, { recursive: true })
    }
  })

  it('names the next step if the emulator does not run', async () => {
    const port = await freePort()
    const env = { ROUTESLIP_PORT: '0', ROUTESLIP_WORKFLOW_URL: `http://127.0.0.1:${port}/wf` }
    const { errors } = await start(env, '--dev-persona', '10000001')
    while (errors() === '') await pause(10)
    assert.equal(
      errors(),
      `Nothing responds on http://127.0.0.1:${port}. In another terminal, start: npx routeslip emulator --port ${port}\n`,
    )
  })

  it('does not start where others could use it', async () => {
    for (const [env, persona, message] of [
      [{ ROUTESLIP_HOST: '0.0.0.0' }, '10000001', /ROUTESLIP_HOST is "0[.]0[.]0[.]0".* Use 127[.]0[.]0[.]1/],
      [{ ROUTESLIP_ENV: 'prod' }, '10000001', /ROUTESLIP_ENV is "prod"/],
      [{}, 'amara', /--dev-persona is "amara".* such as 10000001/],
    ] as const) {
      const { child, errors } = launch({ ROUTESLIP_PORT: '0', ...env }, '--dev-persona', persona)
      await once(child, 'close')
      assert.equal(child.exitCode, 1)
      assert.match(errors(), message)
    }
  })
})
