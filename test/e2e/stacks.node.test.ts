import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { freePort } from '../free-port.mjs'
import { runConformance } from '../../src/cli/conformance/conformance.ts'
import { type EmulatorServer, serveEmulator } from '../../src/cli/emulator/emulator.ts'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import { browserOperations } from '../../src/contract/services/browser-operations.ts'
import type { CallbackBody } from '../../src/contract/schemas/callbacks.ts'
import { createListener, forwardCallbacks, nodeRuntime } from '../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../src/proxy/mount/proxy.ts'
import { trustedHeader } from '../../src/proxy/identity/trusted-header.ts'
import { startNginx } from '../cli/nginx.ts'
import {
  sendRequest,
  beginUpload,
  endAll,
  formOf,
  frontSecret,
  fromPage,
  until,
} from '../cli/proxy-command.ts'
import { people } from '../proxy/mount.ts'
import { openPage } from './site.ts'
import { launchBrowser } from '../browser.ts'

// Runs the page and the forwarder of docs/stacks/php with PHP, in front of a proxy.

const documents = new URL('../../docs/stacks/', import.meta.url)
const phpPath = process.env['PHP'] ?? 'php'
const packagePath = '/api/wf/forms/6025/packages/42'

describe('docs/stacks', () => {
  const files = readdirSync(documents, { recursive: true, encoding: 'utf8' })

  it('contains valid PHP and JSON', () => {
    const php = files.filter((file) => file.endsWith('.php'))
    assert.ok(php.length >= 8, php.join())
    for (const file of php) {
      const { status, stdout } = spawnSync(phpPath, ['-l', fileURLToPath(new URL(file, documents))], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout)
    }
    const settings = JSON.parse(readFileSync(new URL('dotnet/appsettings.json', documents), 'utf8')) as {
      ReverseProxy: { Routes: { routeslip: { Transforms: [{ RequestHeadersAllowed: string }] } } }
    }
    const [{ RequestHeadersAllowed }] = settings.ReverseProxy.Routes.routeslip.Transforms
    assert.doesNotMatch(RequestHeadersAllowed, /cookie|authorization|remote-user|front/i)
    assert.match(RequestHeadersAllowed, /;Sec-Fetch-Site;x-routeslip;/)
  })
})

const createSecret = () => `whsec_${randomBytes(32).toString('base64')}`

describe('docs/stacks/php', () => {
  const forwardSecrets = [createSecret(), createSecret()]
  let folder: string
  let port: number
  let emulator: EmulatorServer
  let proxy: Proxy
  let server: LocalServer
  let php: ChildProcess
  let site: string
  let browser: Browser

  before(async () => {
    port = await freePort()
    emulator = await serveEmulator({ port })
    const services = `http://127.0.0.1:${port}`
    const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
    proxy = createProxy({
      env: 'test',
      forms: [6025],
      services: {
        workflow: { baseUrl: `${services}/wf`, ...credentials },
        storage: { baseUrl: `${services}/fs/test`, objectOrigins: [services], ...credentials },
      },
      identity: {
        identify: trustedHeader({ header: 'x-remote-user', secret: frontSecret }),
        policy: ({ operation, person }) =>
          person.univid === people.administrator &&
          operation !== 'remind' &&
          operation !== 'getFormList' &&
          operation !== 'remindNote' &&
          browserOperations[operation].rights === 'tool',
      },
      // The proxy looks for changes of packages that are open in pages all the time, so no check can miss that.
      limits: { timeout: 1000, maxFileSize: 25_000_000, watchInterval: 20 },
      runtime: nodeRuntime({ fetch }),
    })
    server = await listen(createListener(proxy), 0, '')
    folder = mkdtempSync(join(tmpdir(), 'routeslip-php-'))
    const extensions = execFileSync(phpPath, ['-m'], { encoding: 'utf8' })
    assert.match(extensions, /^curl$/m, 'PHP has its curl extension (on Debian: php-curl)')
    site = await startPhp()
    browser = await launchBrowser()
  })

  after(async () => {
    await browser?.close()
    await endAll()
    if (php?.pid) process.kill(-php.pid, 'SIGKILL')
    await proxy?.close()
    await server?.close()
    await emulator?.close()
    rmSync(folder, { recursive: true })
  })

  /** Serves the documented files, and a sign-in page in place of the site's own. */
  async function startPhp(): Promise<string> {
    cpSync(new URL('php/', documents), folder, { recursive: true })
    for (const file of ['routeslip.js', 'locales', 'late'])
      cpSync(new URL(`../../dist/${file}`, import.meta.url), join(folder, file), { recursive: true })
    writeFileSync(
      join(folder, 'router.php'),
      `<?php
      $as = $_GET['as'] ?? $_SERVER['HTTP_X_TEST_USER'] ?? null;
      if ($as !== null) { session_start(); $_SESSION['univid'] = $as; session_write_close(); }
      $path = explode('?', $_SERVER['REQUEST_URI'])[0];
      if ($path === '/signed-in') { require __DIR__ . '/whoami.php'; return true; }
      if (str_starts_with($path, '/api/wf/')) { require __DIR__ . '/api.php'; return true; }
      return false;`,
    )
    const phpPort = await freePort()
    const settings = { 'session.save_path': folder, upload_max_filesize: '30M', post_max_size: '31M' }
    php = spawn(
      phpPath,
      [
        ...Object.entries(settings).flatMap(([name, value]) => ['-d', `${name}=${value}`]),
        ...['-S', `127.0.0.1:${phpPort}`, '-t', folder, join(folder, 'router.php')],
      ],
      {
        stdio: ['ignore', 'ignore', 'ignore'],
        // Ends its workers too.
        detached: true,
        env: {
          PATH: process.env['PATH'],
          PHP_CLI_SERVER_WORKERS: '8',
          ROUTESLIP_PROXY: `http://127.0.0.1:${server.port}`,
          ROUTESLIP_IDENTITY_SECRET: frontSecret,
          ROUTESLIP_EVENTS: 'true',
          ROUTESLIP_FORWARD_SECRET: forwardSecrets.join(),
          ROUTESLIP_CALLBACKS: folder,
        },
      },
    )
    const url = `http://127.0.0.1:${phpPort}`
    await until(() =>
      fetch(`${url}/whoami.php`).then(
        () => true,
        () => false,
      ),
    )
    return url
  }

  const as = (univid: string) => ({ ...fromPage, 'x-test-user': univid })

  it('shows the page to the signed-in user, and accepts a file', async () => {
    const context = await browser.newContext({ locale: 'en-US' })
    const { page, complaints } = await openPage(
      context,
      `${site}/travel.php?package=42&as=${people.initiator}`,
    )
    await page.locator('wf-package-status [part=state]', { hasText: 'In routing' }).waitFor()
    await page.locator('wf-history [part=event]').first().waitFor()
    const file = { name: 'Über “x”.txt', mimeType: 'text/plain', buffer: Buffer.from('A receipt') }
    await page.locator('fs-uploader input').setInputFiles(file)
    await page
      .locator('fs-uploader')
      .getByText(/^Uploaded /)
      .first()
      .waitFor()
    await page.locator('fs-uploader').getByText('Über “x”.txt').first().waitFor()
    assert.deepEqual(complaints, [])

    await context.clearCookies()
    const nobody = await context.newPage()
    await nobody.goto(`${site}/travel.php?package=42`)
    await nobody.locator('wf-package-status [part=signed-out]').waitFor()
    assert.equal(await nobody.locator('wf-package-status [part=state]').count(), 0)
    await context.close()
  })

  it('receives forwarded callbacks with either secret, each once, and no others', async () => {
    const url = `${site}/callbacks.php`
    const body = Buffer.from('{"packageId":42}')
    const id = createHash('sha256').update(body).digest('hex')
    const file = join(folder, `${id}.json`)
    const { signal } = new AbortController()
    async function send(secrets: string, now?: () => number): Promise<void> {
      const options = { env: 'test', url, secrets, allowPrivate: true, ...(now && { now }) } as const
      const { onCallback, close } = forwardCallbacks(options)
      const delivery = { id, attempt: 1, body, receivedAt: 0, signal }
      try {
        await onCallback({} as CallbackBody, 'VOID', delivery)
      } finally {
        await close()
      }
    }
    const [current = '', old = ''] = forwardSecrets
    await assert.rejects(send(createSecret()), /401/)
    await assert.rejects(
      send(current, () => Date.now() - 301_000),
      /401/,
    )
    assert.equal((await sendRequest(url, { method: 'POST' })).status, 401)
    assert.equal(existsSync(file), false)
    await send(old)
    const { ino } = statSync(file)
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
      type: 'package.callback',
      timestamp: '1970-01-01T00:00:00.000Z',
      data: { env: 'test', state: 'VOID', callback: { packageId: 42 } },
    })
    await send(current)
    assert.equal(statSync(file).ino, ino, 'not written again')
  })

  it('reports the signed-in user to a web server', async () => {
    assert.equal((await sendRequest(`${site}/whoami.php`)).status, 401)
    const { status, headers } = await sendRequest(`${site}/whoami.php`, { headers: as(people.initiator) })
    assert.deepEqual([status, headers['x-univid']], [204, people.initiator])
  })

  it('ignores an identity that a browser sends', async () => {
    const forged = { 'x-remote-user': people.initiator, 'x-routeslip-front': frontSecret }
    const send = (headers: Readonly<Record<string, string>>) =>
      sendRequest(`${site}${packagePath}`, { headers })
    assert.equal((await send({ ...fromPage, ...forged })).status, 401)
    assert.equal((await send({ ...as(people.outsider), ...forged })).status, 403)
    assert.equal((await send(as(people.initiator))).status, 200)
    // Control: the proxy trusts a client that knows the secret.
    const direct = await sendRequest(`http://127.0.0.1:${server.port}${packagePath}`, {
      headers: { ...fromPage, ...forged },
    })
    assert.equal(direct.status, 200)
  })

  it('hides metrics and health from the outside, whatever the URL', async () => {
    assert.equal((await sendRequest(`http://127.0.0.1:${server.port}/api/wf/healthz`)).status, 200)
    for (const path of ['metrics', 'healthz', 'readyz']) {
      for (const form of [path, `${path}?x`, `/${path}`, `./${path}`, `%6${path.slice(1)}`, `x/../${path}`]) {
        const { status } = await sendRequest(`${site}/api/wf/${form}`, { headers: as(people.initiator) })
        assert.equal(status, 404, form)
      }
    }
  })

  it('forwards 20 MB and returns their link, and rejects files that are too large for PHP or the proxy', async () => {
    const upload = async (bytes: number) => {
      const { type, body } = formOf(Buffer.alloc(bytes, 'text '))
      const headers = { ...as(people.initiator), 'content-type': type, 'content-length': `${body.length}` }
      return await sendRequest(`${site}/api/wf/files`, { method: 'POST', headers, body })
    }
    const stored = await upload(20_000_000)
    assert.equal(stored.status, 200, stored.body.toString())
    const { uuid } = JSON.parse(stored.body.toString()) as { uuid: string }
    const link = await sendRequest(`${site}/api/wf/files/${uuid}/download`, { headers: as(people.initiator) })
    assert.equal(link.status, 303)
    const file = Buffer.from(await (await fetch(link.headers.location ?? '')).arrayBuffer())
    assert.ok(file.equals(Buffer.alloc(20_000_000, 'text ')), 'the same bytes come out')

    // Too large for the proxy, for upload_max_filesize, for post_max_size.
    for (const bytes of [26_000_000, 31_500_000, 34_000_000]) {
      const { status, headers } = await upload(bytes)
      assert.deepEqual([status, headers['content-type']], [413, 'application/problem+json'], `${bytes}`)
    }
  })

  it('forwards live events at once if they are enabled', async () => {
    const stream = request(`${site}/api/wf/events?package=6025-42`, { headers: as(people.initiator) }).end()
    const [response] = (await once(stream, 'response')) as [IncomingMessage]
    assert.match(response.headers['content-type'] ?? '', /^text\/event-stream/)
    assert.equal(response.headers['x-accel-buffering'], 'no')
    await once(response, 'data')
    stream.destroy()
  })

  describe('behind docs/stacks/nginx.conf, which requests the signed-in user from it', () => {
    let front: string
    before(async () => {
      front = await startNginx('docs/stacks/nginx.conf', mkdtempSync(join(folder, 'nginx-')), {
        'server 127.0.0.1:8090;': `server 127.0.0.1:${server.port};`,
        'server 127.0.0.1:8000;': `server ${new URL(site).host};`,
      })
    })

    it('lets users read only under their own identity', async () => {
      const forged = { 'x-remote-user': people.initiator, 'x-routeslip-front': frontSecret }
      const path = packagePath.slice(1)
      assert.equal((await sendRequest(front + path, { headers: as(people.initiator) })).status, 200)
      assert.equal(
        (await sendRequest(front + path, { headers: { ...as(people.outsider), ...forged } })).status,
        403,
      )
      const signedOut = await sendRequest(front + path, { headers: { ...fromPage, ...forged } })
      assert.equal(signedOut.status, 401)
      assert.equal(signedOut.headers['x-routeslip'], '1', 'elements show that nobody is signed in')
      assert.equal(signedOut.headers['content-type'], 'application/problem+json')
      assert.equal((await sendRequest(`${front}travel.php?package=42`)).status, 200, 'and serves the pages')
    })

    it('hides the identity endpoint, metrics and health from the outside', async () => {
      assert.equal((await sendRequest(`${front}signed-in`, { headers: as(people.initiator) })).status, 404)
      for (const path of ['metrics', 'healthz', 'readyz', '/healthz', '%68ealthz', 'x/../healthz?x']) {
        const { status } = await sendRequest(`${front}api/wf/${path}`, { headers: as(people.initiator) })
        assert.equal(status, 403, path)
      }
    })

    it('streams uploads and live events', async () => {
      const upload = await beginUpload(front, `http://127.0.0.1:${port}/`, as(people.initiator))
      upload.finish()
      assert.equal((await upload.response).status, 200)

      const stream = request(`${front}api/wf/events?package=6025-42`, { headers: as(people.initiator) }).end()
      const [response] = (await once(stream, 'response')) as [IncomingMessage]
      await once(response, 'data')
      stream.destroy()
    })

    it('forwards callbacks without an identity', async () => {
      const { status } = await sendRequest(`${front}api/wf/callbacks`, { method: 'POST', body: '{}' })
      assert.equal(status, 401, 'it is not signed')
    })
  })

  it('passes the conformance suite like the proxy behind it, also while a page is open', async () => {
    await emulator.close()
    const stream = request(`${site}/api/wf/events?package=6025-42`, { headers: as(people.initiator) }).end()
    await once(stream, 'response')
    const lines: string[] = []
    const ok = await runConformance({
      url: `${site}/api/wf`,
      port,
      headers: ['x-test-user: {univid}'],
      only: ['identity', 'paths', 'origins', 'session'],
      print: (line) => lines.push(line),
    })
    stream.destroy()
    assert.ok(ok, lines.join('\n'))
    assert.match(lines.at(-1) ?? '', /^[1-9]\d{2} passed, 0 failed$/)
    emulator = await serveEmulator({ port })
  })
})
