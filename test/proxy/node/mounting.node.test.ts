import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { createMounts } from '../../../src/proxy/mount/mounts.ts'
import { createListener } from '../../../src/proxy/node/listener.ts'
import { sendRequest } from '../../cli/proxy-command.ts'
import { overEmulator, people } from '../mount.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'

// `npm run test:stacks` runs the recipes of docs/proxy.md with the frameworks themselves.

type Framework = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>

describe('createListener() in the server of a framework', () => {
  const { proxy, listener } = create()
  const server = createServer()
  const serve = async (framework: Framework): Promise<string> => {
    server.removeAllListeners('request').on('request', (...given) => void framework(...given))
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  after(async () => {
    server.close()
    await proxy.close()
  })
  const headers = { 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }

  it('reads the path of the browser if the framework has shortened it', async () => {
    const url = await serve((incoming, outgoing) => {
      const originalUrl = incoming.url ?? ''
      Object.assign(incoming, { originalUrl, url: originalUrl.replace('/api/wf', '') })
      listener(incoming, outgoing, () => outgoing.writeHead(404).end())
    })
    assert.equal((await sendRequest(`${url}/api/wf/session`, { headers })).status, 200)
  })

  it('passes on requests to other paths, and to no others', async () => {
    const url = await serve((incoming, outgoing) =>
      listener(incoming, outgoing, () => outgoing.end(`passed on ${incoming.url}`)),
    )
    const bodyOf = async (path: string) => (await sendRequest(url + path, { headers })).body.toString()
    for (const path of ['/', '/api', '/api/wf', '/api/wfx/session', '/other?x=/api/wf/']) {
      assert.equal(await bodyOf(path), `passed on ${path}`)
    }
    assert.match(await bodyOf('/api/wf/session'), /"univid":"10000001"/)
    assert.match(await bodyOf('/api/wf/nothing'), /This operation does not exist/)
  })

  it('reads an address into which a Java server has written the session, below its own path only', async () => {
    const url = await serve((incoming, outgoing) =>
      listener(incoming, outgoing, () => outgoing.end(`passed on ${incoming.url}`)),
    )
    const session = ';jsessionid=0A1B.node-1!2_3'
    const bodyOf = async (path: string) => (await sendRequest(url + path, { headers })).body.toString()
    for (const path of [
      `/api/wf${session}/session`,
      `/api/wf/session${session}`,
      `/api/wf${session}/session${session}`,
    ])
      assert.match(await bodyOf(path), /"univid":"10000001"/, path)
    for (const path of [`/metrics${session}`, `/api${session}/wf/session`])
      assert.equal(await bodyOf(path), `passed on ${path}`)
    for (const path of [
      '/api/wf/session;x=1',
      '/api/wf/session;jsessionid=a/..',
      '/api/wf/session;jsessionid=%2f',
    ])
      assert.doesNotMatch(await bodyOf(path), /univid/, path)
  })

  it('names a body that has been read before, and takes one that has not', async () => {
    let isRead = true
    const url = await serve(async (incoming, outgoing) => {
      if (isRead) await text(incoming)
      listener(incoming, outgoing)
    })
    const put = async () => {
      const { status, body } = await sendRequest(`${url}/api/wf/forms/6025/packages/42/void`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{',
      })
      return `${status} ${(JSON.parse(body.toString()) as { readonly detail: string }).detail}`
    }
    assert.match(await put(), /^500 Another part of this server has already read the body[.]/)
    // A request without a body is as before.
    assert.equal((await sendRequest(`${url}/api/wf/session`, { headers })).status, 200)
    isRead = false
    assert.match(await put(), /^(?:400 The body is not valid JSON|403 )/)
  })
})

function create() {
  const mount = {
    ...overEmulator(createEmulator()),
    identity: { identify: () => ({ univid: people.initiator }) },
  }
  const proxy = createMounts([mount])
  return { proxy, listener: createListener(proxy) }
}
