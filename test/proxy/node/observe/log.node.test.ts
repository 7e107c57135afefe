import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog, type LogOptions } from '../../../../src/proxy/node/observe/log.ts'

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

  it('replaces only the credential in a text', () => {
    for (const [text, expected] of [
      ['got Basic  aGVs/bG8+=.~_- here', 'got Basic [redacted] here'],
      ['x-basic abc', 'x-basic [redacted]'],
      ['unbearer abc', 'unbearer abc'],
      ['bearer\n\tabc.def, next', 'bearer [redacted], next'],
      ['a eyJa-_.b-_.c-_ z', 'a [redacted] z'],
      ['a eyJa.b. z', 'a [redacted] z'],
      ['a eyJa.b z keyJa.b.c', 'a eyJa.b z keyJa.b.c'],
      ['to h2c+x.1-y://ana:pass@host/a', 'to h2c+x.1-y://[redacted]@host/a'],
      ['HTTP://a@b@host:80/x', 'HTTP://[redacted]@b@host:80/x'],
      ['ftp://host/a@b ftp://host a@b', 'ftp://host/a@b ftp://host a@b'],
      ['mail ana@example.edu', 'mail ana@example.edu'],
      ['GET https://host.test/a/b?q=1&r=2#s now', 'GET https://host.test/a/b?[redacted] now'],
      ['GET HTTP://host.test/a#fragment now', 'GET HTTP://host.test/a?[redacted] now'],
      ['GET https://host.test? now', 'GET https://host.test?[redacted] now'],
      [`<a href="https://host.test/a?b=c">`, `<a href="https://host.test/a?[redacted]">`],
      ['ftp://host.test/a?b=c', 'ftp://host.test/a?b=c'],
      ['is it https? no', 'is it https? no'],
      ['/a?X-Amz-Date=1&b=2', '/a?X-Amz-Date=[redacted]&b=2'],
      ['/a?x-goog-signed-headers=1;x-goog-date=2', '/a?x-goog-signed-headers=[redacted]'],
      ['/a;signature=1', '/a;signature=[redacted]'],
      [
        '/a?my-signature=1&_token=2&api-key=3',
        '/a?my-signature=[redacted]&_token=[redacted]&api-key=[redacted]',
      ],
      ['/a?my_credential=1 next', '/a?my_credential=[redacted] next'],
      ['/a?policy=abc"x&sig=<b>', '/a?policy=[redacted]"x&sig=<b>'],
      ['/a?mypolicy=1&mysig=2&tokens=3&signed=4', '/a?mypolicy=1&mysig=2&tokens=3&signed=4'],
      ['key=1 policy=2', 'key=1 policy=2'],
    ] as const) {
      assert.equal(written({ text })['text'], expected)
      assert.equal(written({}, text)['message'], expected)
    }
  })

  it('writes each kind of value', () => {
    const facts = {
      list: [1, [true, { a: null }], 'x'],
      map: new Map<unknown, unknown>([
        [1, 'one'],
        ['Cookie', 'hunter2'],
      ]),
      headers: new Headers({ 'X-Two': '2' }),
      url: new URL('https://ana@host.test/a?b'),
      view: new DataView(new ArrayBuffer(5)),
      date: new Date(0),
      failed: { ...new Error('lost'), code: 'E1' },
      error: Object.assign(new RangeError('Bearer abc'), { code: 42, more: 'hidden' }),
      'with?sig=x': 1,
    }
    const { level: _, time: __, message: ___, ...line } = written(facts)
    assert.deepEqual(line, {
      list: [1, [true, { a: null }], 'x'],
      map: { 1: 'one', Cookie: '[redacted]' },
      headers: { 'x-two': '2' },
      url: 'https://[redacted]@host.test/a?[redacted]',
      view: '[5 bytes]',
      date: '1970-01-01T00:00:00.000Z',
      failed: { code: 'E1' },
      error: { name: 'RangeError', message: 'Bearer [redacted]', code: 42 },
      'with?sig=[redacted]': 1,
    })
  })

  it('leaves out what lies deeper than six levels', () => {
    const nest = (levels: number, end: unknown): unknown =>
      levels === 0 ? end : { a: nest(levels - 1, end) }
    assert.deepEqual(written({ a: nest(5, { end: {} }) })['a'], nest(5, { end: '[…]' }))
    assert.deepEqual(written({ a: nest(5, { end: 'text' }) })['a'], nest(5, { end: 'text' }))
    const list = (levels: number, end: unknown): unknown => (levels === 0 ? end : [list(levels - 1, end)])
    assert.deepEqual(written({ a: list(6, [1]) })['a'], list(6, '[…]'))
    assert.deepEqual(written({ a: list(6, 1) })['a'], list(6, 1))

    let error = new Error('7')
    for (let number = 6; number > 0; number--) error = new Error(`${number}`, { cause: error })
    const causes: unknown[] = []
    let logged = written({ error })['error'] as { message: string; cause: unknown } | string | undefined
    while (logged !== undefined) {
      causes.push(typeof logged === 'string' ? logged : logged.message)
      logged = typeof logged === 'string' ? undefined : (logged.cause as typeof logged)
    }
    assert.deepEqual(causes, ['1', '2', '3', '4', '5', '6', '[…]'])
    const code = (end: unknown) => ({ a: { b: { c: { d: { e: end } } } } })
    assert.deepEqual(written({ error: Object.assign(new Error('x'), { code: code({}) }) })['error'], {
      name: 'Error',
      message: 'x',
      code: code('[…]'),
    })
  })

  it('does not read the facts of a line below its level', () => {
    const { log, lines } = open({ level: 'warn' })
    const facts = {
      get more(): string {
        throw new Error('This must not be read')
      },
    }
    log('info', 'One', facts)
    assert.deepEqual(lines, [])
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
