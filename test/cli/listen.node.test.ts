import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listen, ListenError, parsePort } from '../../src/cli/listen.ts'

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
