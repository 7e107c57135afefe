import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { followRedisUrl } from '../../../src/cli/config/redis-url-file.ts'
import { until } from '../../proxy/until.ts'

describe('followRedisUrl()', () => {
  it('moves to a new address until that works, and never logs one', async () => {
    const [first, second, third] = ['p4ss-1', 'p4ss-2', 'p4ss-3'].map((word) => `redis://:${word}@127.0.0.1/`)
    const file = { text: `${first}\n` }
    const moves: string[] = []
    const logged: string[] = []
    let outcome = (): Promise<boolean> => Promise.resolve(true)
    const { reload, close } = followRedisUrl({
      path: '/run/redis-url',
      url: first ?? '',
      log: (level, message, facts) => logged.push(`${level} ${message} ${JSON.stringify(facts)}`),
      readText: () => {
        if (file.text === '') throw Object.assign(new Error('gone'), { code: 'ENOENT' })
        return file.text
      },
      moveTo(url) {
        moves.push(url)
        return outcome()
      },
      retryDelay: 1,
    })
    const levels = () => logged.map((line) => line.split(' ')[0])
    reload()
    assert.deepEqual(moves, [], 'it has not changed')
    file.text = `${second}\n`
    reload()
    await until(() => levels().includes('info'))
    assert.deepEqual(moves, [second])

    for (const text of ['', 'nonsense', 'http://127.0.0.1/']) {
      file.text = text
      reload()
    }
    assert.deepEqual(levels(), ['info', 'error', 'error', 'error'])
    assert.deepEqual(moves, [second], 'the last one stays')

    outcome = () => Promise.resolve(false)
    file.text = third ?? ''
    reload()
    await until(
      () => moves.length >= 3,
      () => pause(1),
    )
    outcome = () => Promise.resolve(true)
    await until(
      () => levels().filter((level) => level === 'info').length === 2,
      () => pause(1),
    )
    assert.equal(moves.at(-1), third)
    const count = moves.length
    reload()
    assert.equal(moves.length, count)
    assert.doesNotMatch(logged.join(), /redis:\/\/|p4ss/)
    close()
  })
})
