import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog, type LogOptions } from '../../../src/proxy/node/log.ts'

describe('createLog()', () => {
  /** A log, and the lines that it has written. */
  function open(options?: LogOptions) {
    const lines: string[] = []
    const log = createLog({ ...options, destination: { write: (line) => void lines.push(line) } })
    return { log, lines }
  }

  /** Returns the facts as they are written. */
  function written(
    facts: Readonly<Record<string, unknown>>,
    message = 'It happened',
  ): Record<string, unknown> {
    const { log, lines } = open()
    log('info', message, facts)
    return JSON.parse(lines[0] ?? '') as Record<string, unknown>
  }

  it('writes one JSON line for each message, with its time', () => {
    const { log, lines } = open()
    log('info', 'One', { operation: 'status', count: 2, isFirst: true, none: null })
    log('error', 'Two\n{"level":"info"}', {})
    assert.equal(lines.length, 2)
    assert.ok(lines.every((line) => line.indexOf('\n') === line.length - 1))
    const { time, ...first } = JSON.parse(lines[0] ?? '') as Record<string, unknown>
    assert.match(time as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(first, {
      level: 'info',
      message: 'One',
      operation: 'status',
      count: 2,
      isFirst: true,
      none: null,
    })
  })

  it('omits lines below its level', () => {
    const { log, lines } = open({ level: 'warn' })
    log('info', 'One', {})
    log('warn', 'Two', {})
    log('error', 'Three', {})
    assert.equal(lines.length, 2)
    assert.equal(open({ level: 'silent' }).lines.length, 0)
  })

  it('redacts credentials under any name (T30)', () => {
    const facts = {
      authorization: 'hunter2',
      Authorization: 'hunter2',
      headers: { cookie: 'hunter2', 'Set-Cookie': ['hunter2'], 'x-two': 'kept' },
      clientSecret: 'hunter2',
      SECRET_KEY: { deep: 'hunter2' },
      list: [{ password: 'hunter2' }, { accessToken: 'hunter2' }],
      more: new Map([['client_secret', 'hunter2']]),
      received: new Headers({ authorization: 'hunter2', 'x-three': 'kept' }),
    }
    const line = JSON.stringify(written(facts))
    assert.doesNotMatch(line, /hunter2/)
    assert.equal(line.match(/kept/g)?.length, 2)
  })

  it('redacts text that looks like a credential, wherever it occurs (T30)', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
    const link =
      'https://objects.example/bucket/key?X-Amz-Algorithm=a&X-Amz-Credential=hunter2&X-Amz-Signature=hunter2#hunter2'
    for (const text of [
      'Basic aHVudGVyMjpodW50ZXIy',
      'the header was "basic aHVudGVyMjpodW50ZXIy", they said',
      'Authorization: Bearer aHVudGVyMjpodW50ZXIy==',
      'BEARER\taHVudGVyMjpodW50ZXIy',
      token,
      `assertion=${token}&x=1`,
      link,
      `GET ${link} failed`,
      `<a href='${link}'>`,
      '/bucket/key?X-Amz-Signature=hunter2&X-Amz-Date=hunter2',
      '/bucket/key?a=b&sig=hunter2',
      '/blob?sv=1&Signature=hunter2&Key-Pair-Id=a',
      '/x?access_token=hunter2',
      '/x?apikey=hunter2',
      'redis://user:hunter2@redis.example:6379',
      'https://hunter2@example.org/',
    ]) {
      const line = JSON.stringify([
        written({ text, list: [text], deep: { text } }),
        written({}, text),
        written({ [text]: 1 }),
        written({ error: new Error(text, { cause: new TypeError(text) }) }),
        written({ url: URL.canParse(text) ? new URL(text) : text }),
      ])
      assert.doesNotMatch(line, /hunter2|aHVudGVy|eyJ|c2lnbmF0/, text)
      assert.match(line, /redacted/)
    }
  })

  it('keeps what operators need', () => {
    for (const text of [
      'workflow.status got no response',
      'https://objects.example/bucket/key',
      '/api/wf/forms/6025/packages/42?page=2',
      'connect ECONNREFUSED 127.0.0.1:80',
      '00000000-0000-4000-8000-000000000000',
    ]) {
      assert.equal(written({ text })['text'], text)
    }
  })

  it('logs errors with their cause and without a stack', () => {
    const cause = Object.assign(new TypeError('inner'), { code: 'ECONNRESET' })
    const error = new Error('outer', { cause })
    const line = written({ error })
    assert.deepEqual(line['error'], {
      name: 'Error',
      message: 'outer',
      cause: { name: 'TypeError', message: 'inner', code: 'ECONNRESET' },
    })
    assert.doesNotMatch(JSON.stringify(line), /node\.test/)
  })

  it('accepts any value', () => {
    const circle: Record<string, unknown> = { name: 'round' }
    circle['self'] = circle
    const error = new Error('round')
    error.cause = error
    const facts = {
      circle,
      error,
      big: 2n ** 64n,
      bytes: Buffer.from('hunter2'),
      date: new Date(0),
      none: undefined,
      call: () => 1,
      symbol: Symbol('a'),
      number: NaN,
      signal: AbortSignal.abort(),
    }
    const line = written(facts)
    assert.equal(line['big'], '18446744073709551616')
    assert.equal(line['bytes'], '[7 bytes]')
    assert.equal(line['date'], '1970-01-01T00:00:00.000Z')
    assert.equal(line['message'], 'It happened')
  })
})
