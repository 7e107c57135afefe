import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listen, ListenError, parsePort } from '../../src/cli/listen.ts'

describe('listen()', () => {
  it('says which port is taken and what to do', async () => {
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

  it('ends open connections when it closes', async () => {
    const server = await listen(() => {}, 0, '')
    const hanging = fetch(server.url)
    hanging.catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 50))
    await server.close()
    await assert.rejects(hanging)
  })
})

describe('parsePort()', () => {
  it('takes ports and nothing else', () => {
    assert.equal(parsePort('8080', 'PORT'), 8080)
    for (const text of ['', '80a', '-1', '65536', '1e3', ' 80']) {
      assert.throws(
        () => parsePort(text, 'PORT'),
        /^ListenError: PORT is ".*"\. Give a number from 0 to 65535/,
      )
    }
  })
})
