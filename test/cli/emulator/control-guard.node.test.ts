import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { guardControlApi } from '../../../src/cli/emulator/control-guard.ts'
import { listen, type LocalServer, toNodeListener } from '../../../src/cli/listen.ts'

describe('guardControlApi()', () => {
  let server: LocalServer
  before(async () => {
    const guarded = guardControlApi(() => Promise.resolve(new Response('passed')))
    server = await listen(toNodeListener(guarded), 0, '')
  })
  after(() => server.close())

  /** Sends a request with any headers, and returns the status and the body. */
  function send(path: string, headers: Record<string, string>, method = 'POST'): Promise<[number, string]> {
    return new Promise((resolve, reject) => {
      const request = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers })
      request.on('error', reject)
      request.on('response', (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve([response.statusCode ?? 0, text]))
      })
      request.end()
    })
  }

  it('allows every loopback address', async () => {
    for (const host of [`127.0.0.1:${server.port}`, 'localhost', 'LOCALHOST:1', '[::1]:8081', '[::1]']) {
      assert.deepEqual(await send('/_emulator/reset', { host }), [200, 'passed'], host)
    }
  })

  it('allows addresses that a user enters in the browser', async () => {
    const headers = { host: `localhost:${server.port}`, 'sec-fetch-site': 'none' }
    assert.equal((await send('/_emulator', headers))[0], 200)
  })

  it('rejects other hosts and all pages, including those of the object store, with problem details', async () => {
    const host = `127.0.0.1:${server.port}`
    for (const headers of [
      { host: 'evil.example' },
      { host: `evil.example:${server.port}` },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost.evil.example:8081' },
      { host: 'evil-localhost' },
      { host: '127.0.0.2' },
      { host: '[::1].evil.example' },
      { host, 'sec-fetch-site': 'same-origin' },
      { host, origin: `http://${host}` },
      { host, 'sec-fetch-site': 'cross-site' },
      { host, 'sec-fetch-site': 'same-site' },
      { host, 'sec-fetch-site': '' },
      { host, origin: 'http://evil.example' },
      { host, origin: 'null' },
      { host, origin: `http://127.0.0.1:${server.port + 1}` },
      { host, origin: `https://${host}` },
      { host, origin: `http://localhost:${server.port}` },
      { host, 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' },
      { host, 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
    ]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const [status, text] = await send('/_emulator/reset', headers, method)
        // Node itself rejects some host names.
        assert.ok(status === 403 || (status === 400 && headers.host !== host), JSON.stringify(headers))
        if (status === 403) {
          const { instance, title } = JSON.parse(text) as Record<string, unknown>
          assert.deepEqual([instance, title], ['/_emulator/reset', 'Forbidden'])
        }
      }
    }
  })

  it('rejects all spellings of the path', async () => {
    const headers = { host: 'evil.example' }
    for (const path of [
      '/_emulator',
      '/_emulator/',
      '/_emulator?a',
      '/wf/../_emulator/reset',
      '/./_emulator',
    ]) {
      assert.equal((await send(path, headers))[0], 403, path)
    }
  })

  it('allows all other paths', async () => {
    const headers = { host: 'evil.example', 'sec-fetch-site': 'cross-site', origin: 'null' }
    for (const path of ['/', '/wf/_emulator', '/fs/test/api', '/objects/1']) {
      assert.equal((await send(path, headers))[0], 200, path)
    }
  })
})
