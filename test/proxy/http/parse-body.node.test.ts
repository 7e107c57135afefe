import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { checked, parseBody } from '../../../src/proxy/http/parse-body.ts'
import { ProxyError, problemReply } from '../../../src/proxy/http/problem.ts'
import { emptyReply, jsonReply, replyOf } from '../../../src/proxy/http/reply.ts'
import { readValidBody } from '../../../src/proxy/validation/valid-body.ts'

const any = z.unknown()

/** Returns the status and the text of the error that `action` throws. */
function refusalOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    assert.ok(error instanceof ProxyError, String(error))
    return `${error.status} ${error.message}`
  }
  return 'accepted'
}

describe('parseBody()', () => {
  it('returns the value as the schema reads it', () => {
    assert.deepEqual(parseBody('{"a":1,"b":2}', z.object({ a: z.number() })), { a: 1 })
    assert.throws(() => parseBody('{}', undefined), {
      name: 'TypeError',
      message: 'The operation takes no body',
    })
  })

  it('refuses a text that is not JSON, and keeps the cause', () => {
    for (const text of ['', '{', 'x', '{"a":1}}', '"\\"'])
      assert.throws(
        () => parseBody(text, any),
        (error) =>
          error instanceof ProxyError &&
          error.message === 'The body is not valid JSON. Check its syntax.' &&
          error.cause instanceof SyntaxError,
        text,
      )
  })

  it('accepts 20 levels, and no more', () => {
    const nested = (levels: number, open = '[', close = ']') =>
      refusalOf(() => parseBody(open.repeat(levels) + '1' + close.repeat(levels), any))
    assert.equal(nested(20), 'accepted')
    assert.equal(nested(21), '400 The body is nested deeper than 20 levels. Send a flatter one.')
    assert.equal(nested(20, '{"a":', '}'), 'accepted')
    assert.match(nested(21, '{"a":', '}'), /nested deeper/)
    // Levels that have ended do not count.
    assert.equal(
      refusalOf(() => parseBody(`[${'[[]],{"a":{}},'.repeat(30)}1]`, any)),
      'accepted',
    )
  })

  it('accepts 10,000 values, and no more', () => {
    const list = (length: number) => refusalOf(() => parseBody(`[${'1,'.repeat(length - 1)}1]`, any))
    assert.equal(list(10_000), 'accepted')
    assert.equal(list(10_001), '400 The body has more than 10000 values. Send fewer.')
  })

  it('does not count what is in a string', () => {
    for (const content of [
      '['.repeat(50),
      '{'.repeat(50),
      ','.repeat(20_000),
      `\\"${'['.repeat(50)}`,
      '\\\\',
    ])
      assert.equal(
        refusalOf(() => parseBody(`["${content}",[1]]`, any)),
        'accepted',
        content.slice(0, 9),
      )
    const deep = '['.repeat(30)
    assert.match(
      refusalOf(() => parseBody(`["\\\\",${deep}`, any)),
      /nested deeper/,
    )
    assert.match(
      refusalOf(() => parseBody(`["a]]]]]]]]]]]]",${deep}`, any)),
      /nested deeper/,
    )
    assert.match(
      refusalOf(() => parseBody(`["${'['.repeat(50)}`, any)),
      /not valid JSON/,
    )
  })

  it('refuses a field that would become a prototype, at any depth', () => {
    for (const text of [
      '{"__proto__":1}',
      '{"a":{"__proto__":{}}}',
      '[{"b":1},{"a":[1,{"__proto__":null}]}]',
      '{"\\u005f_proto__":1}',
    ])
      assert.equal(
        refusalOf(() => parseBody(text, any)),
        '400 The body contains the field "__proto__". Remove it.',
        text,
      )
    for (const text of ['"__proto__"', '["__proto__"]', '{"proto":null,"a":[null,1]}', 'null'])
      assert.equal(
        refusalOf(() => parseBody(text, any)),
        'accepted',
        text,
      )
  })
})

describe('checked()', () => {
  it('names where each problem is', () => {
    const schema = z.object({
      a: z.object({ b: z.array(z.number('Not a number')) }),
      c: z.string('Not a text'),
    })
    assert.equal(
      refusalOf(() => checked(schema.safeParse({ a: { b: [1, 'x'] }, c: 1 }))),
      '400 a.b.1: Not a number; c: Not a text',
    )
    assert.equal(
      refusalOf(() => checked(z.string('Not a text').safeParse(1))),
      '400 value: Not a text',
    )
    assert.deepEqual(checked(schema.safeParse({ a: { b: [] }, c: '' })), { a: { b: [] }, c: '' })
  })

  it('lists ten problems at most', () => {
    const parsed = z.array(z.number('no')).safeParse(Array.from({ length: 12 }, () => 'x'))
    const expected = Array.from({ length: 10 }, (_, index) => `${index}: no`).join('; ')
    assert.equal(
      refusalOf(() => checked(parsed)),
      `400 ${expected}`,
    )
  })
})

describe('problemReply()', () => {
  const read = (error: ProxyError, requestId?: string) => {
    const { body, ...rest } = problemReply(error, requestId)
    return { ...rest, body: JSON.parse(body as string) as Record<string, unknown> }
  }
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Type': 'application/problem+json',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Cookie, Authorization, Origin',
    'X-Content-Type-Options': 'nosniff',
    'x-routeslip': '1',
  }

  it('contains the facts of an error, and nothing that it lacks', () => {
    assert.deepEqual(read(new ProxyError(404, 'Not here.'), 'r1'), {
      status: 404,
      headers,
      body: { status: 404, title: 'Not Found', detail: 'Not here.', requestId: 'r1' },
    })
    const facts = {
      errors: { amount: ['TOO_HIGH'] },
      refusedBy: 'service',
      reason: 'Too high',
      outcome: 'none',
    } as const
    assert.deepEqual(read(new ProxyError(429, 'Wait.', { ...facts, retryAfter: 0, cause: 'secret' }), 'r2'), {
      status: 429,
      headers: { ...headers, 'Retry-After': '0' },
      body: { status: 429, title: 'Too Many Requests', detail: 'Wait.', requestId: 'r2', ...facts },
    })
  })

  it('has a title for other statuses, and chooses an id if none is given', () => {
    const { body } = read(new ProxyError(418, 'Tea.'))
    assert.equal(body['title'], 'Error')
    assert.match(String(body['requestId']), /^[\da-f-]{36}$/)
  })
})

describe('the replies', () => {
  it('name the person that they are for, if there is one', () => {
    const { headers } = emptyReply(204)
    assert.deepEqual(jsonReply({ a: 1 }, '10000001'), {
      status: 200,
      headers: { ...headers, 'Content-Type': 'application/json', 'x-routeslip-person': '10000001' },
      body: '{"a":1}',
    })
    assert.deepEqual(jsonReply([]), {
      status: 200,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '[]',
    })
    assert.deepEqual(emptyReply(303, { Location: '/a' }), {
      status: 303,
      headers: { ...headers, Location: '/a' },
      body: null,
    })
  })

  it('can be read from a response', () => {
    const response = new Response(null, { status: 202, headers: { 'x-one': 'a' } })
    assert.deepEqual(replyOf(response), { status: 202, headers: { 'x-one': 'a' }, body: null })
  })
})

describe('readValidBody()', () => {
  const read = (name: 'updateEntry' | 'createPackage', body: unknown, version?: string) =>
    readValidBody({ bytes: new TextEncoder().encode(JSON.stringify(body)), name, version })

  it('keeps entry data out of what decisions depend on', async () => {
    const whole = await read('updateEntry', { amount: 3, entry: 4 })
    assert.deepEqual(whole, { json: '{"amount":3,"entry":4}', value: {} })
  })
})
