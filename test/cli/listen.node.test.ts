import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, it } from 'node:test'
import { listen, ListenError, parsePort, toNodeListener } from '../../src/cli/listen.ts'

describe('listen()', () => {
  it('names a port that is taken and the next step', async () => {
    const first = await listen((_, response) => response.end('ok'), 0, '')
    try {
      await assert.rejects(
        () => listen(() => {}, first.port, 'Choose another.'),
        new ListenError(`Port ${first.port} is taken. Choose another.`),
      )
    } finally {
      await first.close()
    }
  })

  it('closes open connections on close()', { timeout: 60_000 }, async () => {
    let received = (): void => {}
    const request = new Promise<void>((resolve) => (received = resolve))
    const server = await listen(() => received(), 0, '')
    const hanging = fetch(server.url)
    hanging.catch(() => {})
    await request
    await server.close()
    await assert.rejects(hanging)
  })
})

describe('toNodeListener()', () => {
  it('refuses a host that is not one, and tells a handler that fails from a request that is wrong', async () => {
    const server = await listen(
      toNodeListener((incoming) => {
        if (incoming.url.endsWith('/fails')) throw new Error('a defect')
        return Promise.resolve(new Response(incoming.url))
      }),
      0,
      '',
    )
    const statusOf = (path: string, host: string) =>
      new Promise<number | undefined>((resolve, reject) =>
        request(server.url + path, { headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
          .on('error', reject)
          .end(),
      )
    try {
      assert.equal(await statusOf('', 'example.test'), 200)
      assert.equal(await statusOf('', 'a b/c'), 400)
      assert.equal(await statusOf('fails', 'example.test'), 500)
    } finally {
      await server.close()
    }
  })
})

describe('parsePort()', () => {
  it('accepts only ports', () => {
    assert.equal(parsePort('8080', 'PORT'), 8080)
    for (const text of ['', '80a', '-1', '65536', '1e3', ' 80']) {
      assert.throws(
        () => parsePort(text, 'PORT'),
        /^ListenError: PORT is ".*"\. Use a number from 0 to 65535/,
      )
    }
  })
})
