import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { followSecret } from '../../../src/cli/config/secret-file.ts'

describe('followSecret()', () => {
  const [first, second] = ['first', 'second'].map((name) => name.padEnd(32, '.')) as [string, string]

  it('keeps the previous secret for five minutes, and the last one if the file has none', () => {
    const file = { text: first, time: 0 }
    const logged: string[] = []
    const { current, reload, close } = followSecret({
      path: '/run/front',
      secret: first,
      log: (level, message) => logged.push(`${level} ${message}`),
      readText: () => {
        if (file.text === '') throw Object.assign(new Error('gone'), { code: 'ENOENT' })
        return file.text
      },
      now: () => file.time,
    })
    close()
    reload()
    assert.deepEqual([current(), logged.length], [[first], 0])
    file.text = `${second}\n`
    reload()
    assert.deepEqual(current(), [second, first])
    file.time = 299_999
    assert.deepEqual(current(), [second, first])
    file.time = 300_000
    assert.deepEqual(current(), [second])
    for (const text of ['', 'too short', '\n']) {
      file.text = text
      reload()
      assert.deepEqual(current(), [second])
    }
    assert.deepEqual(
      logged.map((line) => line.split(' ')[0]),
      ['info', 'error', 'error', 'error'],
    )
    assert.doesNotMatch(logged.join(), /first\.|second\./)
  })
})
