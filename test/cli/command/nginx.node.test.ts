import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startNginx } from '../nginx.ts'
import {
  sendRequest,
  beginUpload,
  endAll,
  exampleEnv,
  formOf,
  fromPage,
  frontSecret,
  journal,
  start,
  type Started,
  startEmulator,
  until,
} from '../proxy-command.ts'

// Runs nginx with docs/nginx.conf in front of a proxy. Only addresses and paths of the file are replaced.

const initiator = '10000001'
const outsider = '10000008'
const packagePath = 'api/wf/forms/6025/packages/42'
const folder = mkdtempSync(join(tmpdir(), 'routeslip-nginx-'))

let emulator: string
let proxy: Started
/** Address of nginx with a trailing slash. */
let site: string

before(async () => {
  emulator = await startEmulator()
  proxy = await start(exampleEnv(emulator))
  const people = join(folder, 'people')
  const pages = join(folder, 'pages')
  writeFileSync(people, [initiator, outsider].map((univid) => `${univid}:{PLAIN}pass-${univid}\n`).join(''))
  mkdirSync(pages)
  writeFileSync(join(pages, 'page.html'), 'a page')
  site = await startNginx('docs/nginx.conf', folder, {
    'server 127.0.0.1:8090;': `server ${new URL(proxy.url).host};`,
    '/etc/nginx/routeslip-people': people,
    '/var/www/html': pages,
  })
})
after(async () => {
  await endAll()
  rmSync(folder, { recursive: true })
})

describe('docs/nginx.conf', () => {
  it('lets users who are signed in at nginx read packages, and serves the pages', async () => {
    const response = await sendRequest(`${site}${packagePath}`, {
      headers: { ...fromPage, ...signedIn(initiator) },
    })
    assert.equal(response.status, 200, response.body.toString())
    assert.equal((JSON.parse(response.body.toString()) as { id: number }).id, 42)
    assert.equal((await sendRequest(`${site}${packagePath}`, { headers: fromPage })).status, 401)
    assert.equal(
      (await sendRequest(`${site}page.html`, { headers: signedIn(initiator) })).body.toString(),
      'a page',
    )
  })

  it('ignores identity headers of browsers', async () => {
    const forged = [
      { 'x-remote-user': initiator },
      { 'X-REMOTE-USER': initiator },
      { x_remote_user: initiator },
      { 'x-remote-user': initiator, 'x-routeslip-front': frontSecret },
      { connection: 'x-remote-user', 'x-remote-user': initiator },
      { connection: 'x-routeslip-front', 'x-routeslip-front': 'wrong' },
    ]
    for (const headers of forged) {
      await fetch(`${emulator}_emulator/journal`, { method: 'DELETE' })
      await sendRequest(`${site}${packagePath}`, {
        headers: { ...fromPage, ...signedIn(outsider), ...headers },
      })
      const users = (await journal(emulator)).map(({ headers }) => headers['x-workflow-request-user'])
      assert.ok(users.length > 0 && users.every((user) => user === outsider), users.join())
    }
    // Control: without nginx, the proxy accepts these headers.
    await fetch(`${emulator}_emulator/journal`, { method: 'DELETE' })
    const headers = { ...fromPage, 'x-remote-user': initiator, 'x-routeslip-front': frontSecret }
    await sendRequest(`${proxy.url}${packagePath}`, { headers })
    const [forwarded] = await journal(emulator)
    assert.equal(forwarded?.headers['x-workflow-request-user'], initiator)
  })

  it('rejects forged identities on the path of callbacks, and wrong passwords elsewhere', async () => {
    for (const path of ['callbacks', 'callbacks/', 'callbacks?x']) {
      const headers = { ...fromPage, 'x-remote-user': initiator, 'x-routeslip-front': frontSecret }
      const { status } = await sendRequest(`${site}api/wf/${path}`, {
        method: 'POST',
        headers: { ...headers, ...signedIn('99999999') },
        body: '{}',
      })
      assert.ok([400, 401, 404].includes(status), `${status}`)
    }
    const forged = { ...fromPage, authorization: `Basic ${btoa(`${initiator}:wrong`)}` }
    assert.equal((await sendRequest(`${site}${packagePath}`, { headers: forged })).status, 401)
  })

  it('forwards an upload before it is complete', async () => {
    const upload = await beginUpload(site, emulator, { ...fromPage, ...signedIn(initiator) })
    upload.finish()
    assert.equal((await upload.response).status, 200)
  })

  it('forwards an upload and a download of 20 MB', async () => {
    const content = randomBytes(10 * 1024 * 1024).toString('hex')
    const { type, body } = formOf(Buffer.from(content))
    const stored = await sendRequest(`${site}api/wf/files`, {
      method: 'POST',
      headers: {
        ...fromPage,
        ...signedIn(initiator),
        'content-type': type,
        'content-length': `${body.length}`,
      },
      body,
    })
    assert.equal(stored.status, 200, stored.body.toString())
    const { uuid } = JSON.parse(stored.body.toString()) as { uuid: string }
    const { status, headers } = await sendRequest(`${site}api/wf/files/${uuid}/download`, {
      headers: { 'sec-fetch-site': 'same-origin', ...signedIn(initiator) },
    })
    assert.equal(status, 303)
    const downloaded = await fetch(headers.location ?? '')
    assert.equal(hashOf(Buffer.from(await downloaded.arrayBuffer())), hashOf(Buffer.from(content)))
  })

  it('forwards streamed responses: the PDF of a package', async () => {
    const { status, headers, body } = await sendRequest(`${site}${packagePath}/pdf`, {
      headers: { 'sec-fetch-site': 'same-origin', ...signedIn(initiator) },
    })
    assert.equal(status, 200)
    assert.match(String(headers['content-disposition']), /^attachment/)
    assert.ok(body.toString('latin1').startsWith('%PDF-'))
  })

  it('forwards callbacks, and live events without delay', async () => {
    const headers = { ...fromPage, ...signedIn(initiator) }
    const sent = request(`${site}api/wf/events?package=6025-42`, { headers }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    await until(() => text !== '')

    await control('PUT', 'test/forms/6025/callback', { url: `${site}api/wf/callbacks` })
    const voided = await sendRequest(
      `${emulator}wf/workflow/test/api/developer/tools/forms/6025/packages/42`,
      {
        method: 'PUT',
        headers: {
          authorization: `Basic ${btoa('demo-app:demo-secret')}`,
          'x-workflow-request-user': initiator,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }),
      },
    )
    assert.equal(voided.status, 200, voided.body.toString())
    await control('POST', 'clock', { advance: '2m' })
    await until(() => /"packageId":42/.test(text))
    sent.destroy()
  })

  it('rejects requests for metrics and health in every spelling of the path', async () => {
    for (const path of ['metrics', 'healthz', 'readyz']) {
      assert.notEqual((await sendRequest(`${proxy.url}api/wf/${path}`)).status, 404)
      for (const form of [path, `${path}?x`, `/${path}`, `./${path}`, `%6${path.slice(1)}`, `x/../${path}`]) {
        const { status } = await sendRequest(`${site}api/wf/${form}`, {
          headers: { ...fromPage, ...signedIn(initiator) },
        })
        assert.ok(status === 403 || status === 400 || status === 404, `${form}: ${status}`)
      }
      assert.equal((await sendRequest(`${site}api/wf/${path}`, { headers: signedIn(initiator) })).status, 403)
    }
  })
})

function signedIn(univid: string): { readonly authorization: string } {
  return { authorization: `Basic ${btoa(`${univid}:pass-${univid}`)}` }
}

async function control(method: string, path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${emulator}_emulator/${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  assert.ok(response.ok, await response.text())
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
