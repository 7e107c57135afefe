import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFetchSend, type SendRequest, streamOf } from '../../../src/proxy/upstream/send.ts'

/** Sends a body, and returns what `fetch` got and the response. */
async function sent(body: SendRequest['body'], response = new Response('{}')) {
  const calls: (readonly [string, RequestInit])[] = []
  const send = createFetchSend((url, init) => {
    calls.push([new Request(url).url, init ?? {}])
    return Promise.resolve(response)
  })
  const { signal } = new AbortController()
  const reply = await send({
    service: 'workflow',
    method: 'PUT',
    url: 'https://wf.test/a',
    headers: { accept: 'a/b' },
    body,
    signal,
  })
  assert.equal(calls.length, 1)
  const [url, init] = calls[0]!
  assert.deepEqual(
    [url, init.method, init.headers, init.redirect],
    ['https://wf.test/a', 'PUT', { accept: 'a/b' }, 'error'],
  )
  assert.equal(init.signal, signal)
  return { init, reply }
}

describe('createFetchSend()', () => {
  it('sends texts and bytes whole, and everything else as a stream', async () => {
    assert.equal('body' in (await sent(undefined)).init, false)
    for (const body of ['{"a":1}', new TextEncoder().encode('{"a":1}')]) {
      const { init } = await sent(body)
      assert.equal(init.body, body)
      assert.equal('duplex' in init, false)
    }
    async function* bytes() {
      yield await Promise.resolve(new Uint8Array([1]))
      yield new Uint8Array([2])
    }
    const { init } = await sent(bytes())
    assert.equal('duplex' in init && init.duplex, 'half')
    assert.ok(init.body instanceof ReadableStream)
    assert.deepEqual(new Uint8Array(await new Response(init.body).arrayBuffer()), new Uint8Array([1, 2]))
  })

  it('hides the headers that describe an encoded body, because it is decoded', async () => {
    const headers = { 'content-length': '2', 'content-type': 'a/b' }
    const { reply: plain } = await sent(undefined, new Response('{}', { headers }))
    assert.equal(plain.header('Content-Length'), '2')
    const encoded = new Response('{}', { headers: { ...headers, 'content-encoding': 'gzip' } })
    const { reply } = await sent(undefined, encoded)
    assert.deepEqual(
      ['content-length', 'Content-Encoding', 'content-type'].map((name) => reply.header(name)),
      [null, null, 'a/b'],
    )
  })

  it('returns the body up to a limit, or as a stream', async () => {
    const { reply } = await sent(undefined, new Response('12345'))
    assert.equal(new TextDecoder().decode(await reply.bytes(5)), '12345')
    const { reply: large } = await sent(undefined, new Response('123456'))
    await assert.rejects(large.bytes(5), /larger than 5 bytes/)
    const { reply: empty } = await sent(undefined, new Response(null, { status: 204 }))
    assert.equal(empty.status, 204)
    assert.equal(await new Response(empty.stream()).text(), '')
  })
})

describe('streamOf()', () => {
  it('releases its source if nobody reads on', async () => {
    let isReleased = false
    async function* source() {
      try {
        yield Uint8Array.of(1)
        yield Uint8Array.of(2)
      } finally {
        isReleased = true
      }
    }
    const reader = streamOf(source()).getReader()
    assert.deepEqual(await reader.read(), { done: false, value: Uint8Array.of(1) })
    await reader.cancel()
    assert.equal(isReleased, true)
    const bare: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
    }
    await streamOf(bare).cancel()
  })
})
