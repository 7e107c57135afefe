import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RedisCommands } from '../../../../src/proxy/node/redis/redis-commands.ts'
import type { RedisClient } from '../../../../src/proxy/node/redis/redis-connection.ts'
import { createFlush } from '../../../../src/proxy/node/redis/redis-flush.ts'

interface FakeRedis {
  /** What the server reports about itself. */
  readonly info?: string
  /** Returns the reply to WAITAOF. */
  readonly reply: (attempt: number) => readonly unknown[] | Error
}

/** Creates a flush with a server that replies as given. */
function start({ info = 'redis_version:7.4.0\r\naof_enabled:1\r\n', reply }: FakeRedis) {
  const sent: string[] = []
  const logs: string[] = []
  const client = {
    info: () => Promise.resolve(info),
    sendCommand(command: readonly string[]) {
      sent.push(command.join(' '))
      const given = reply(sent.length)
      return given instanceof Error ? Promise.reject(given) : Promise.resolve(given)
    },
  }
  const commands: RedisCommands = {
    client: () => client as unknown as RedisClient,
    reply: (pending) => pending,
    run: () => Promise.reject(new Error('not part of these tests')),
  }
  const flush = createFlush(commands, (level, message) => logs.push(`${level} ${message}`))
  return { flush, sent, logs }
}

const unknown = (quote: string) => () =>
  new Error(`ERR unknown command ${quote}WAITAOF${quote}, with args beginning with: '1' '0' '2500' `)

describe('createFlush()', () => {
  it('waits until Redis has written to its disk', async () => {
    const { flush, sent, logs } = start({ reply: () => [1, 0] })
    await flush()
    await flush()
    assert.deepEqual(sent, ['WAITAOF 1 0 2500', 'WAITAOF 1 0 2500'])
    assert.deepEqual(logs, [])
  })

  for (const [server, reply] of [
    ['Redis 7.0', unknown("'")],
    ['Redis 6.2', unknown('`')],
  ] as const) {
    it(`asks a server that does not know WAITAOF only once, and logs it: ${server}`, async () => {
      const { flush, sent, logs } = start({ reply })
      await Promise.all([flush(), flush()])
      await flush()
      assert.equal(sent.length, 1)
      assert.equal(logs.length, 1)
      assert.match(logs[0] ?? '', /^info Redis does not know WAITAOF: a crash of it may lose/)
    })
  }

  for (const message of [
    "NOPERM User proxy has no permissions to run the 'waitaof' command",
    'ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.',
    'Redis took too long to reply',
  ]) {
    it(`rejects after another error, and asks again for the next callback: ${message}`, async () => {
      const { flush, sent, logs } = start({
        reply: (attempt) => (attempt === 1 ? new Error(message) : [1, 0]),
      })
      await assert.rejects(flush(), { message })
      await flush()
      assert.equal(sent.length, 2)
      assert.deepEqual(logs, [])
    })
  }

  it('rejects if Redis does not write in time', async () => {
    const { flush } = start({ reply: () => [0, 0] })
    await assert.rejects(flush(), /did not write to its disk in time/)
  })

  it('does not ask a server without a log on its disk: WAITAOF would fail', async () => {
    const { flush, sent, logs } = start({ info: 'aof_enabled:0\r\n', reply: () => new Error('asked') })
    await flush()
    assert.deepEqual(sent, [])
    assert.match(logs.join(), /^warn Redis keeps no log on its disk/)
  })
})
