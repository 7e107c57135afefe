import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCleanHtml } from '../../../src/proxy/validation/clean-html.ts'

describe('createCleanHtml()', () => {
  function setUp(maxSize?: number) {
    const calls: string[] = []
    const clean = createCleanHtml(maxSize)
    const sanitize = (html: string) => {
      calls.push(html)
      return Promise.resolve(html === 'bad' ? undefined : html.toUpperCase())
    }
    return { calls, clean: (html: string) => clean(html, sanitize) }
  }

  it('sanitizes the same HTML once, also if nothing of it is left', async () => {
    const { calls, clean } = setUp()
    for (let time = 0; time < 3; time++) {
      assert.equal(await clean('good'), 'GOOD')
      assert.equal(await clean('bad'), undefined)
    }
    assert.deepEqual(calls, ['good', 'bad'])
  })

  it('forgets what was not used for longest when there is too much', async () => {
    const { calls, clean } = setUp(12)
    for (const html of ['aaa', 'bbb', 'aaa', 'ccc', 'aaa', 'bbb']) await clean(html)
    assert.deepEqual(calls, ['aaa', 'bbb', 'ccc', 'bbb'])
  })

  it('keeps nothing that is larger than everything it may remember', async () => {
    const { calls, clean } = setUp(12)
    for (const html of ['aaaaaaaaaa', 'aaaaaaaaaa', 'b', 'b']) await clean(html)
    assert.deepEqual(calls, ['aaaaaaaaaa', 'aaaaaaaaaa', 'b'])
  })

  it('counts what is sanitized by two requests at once only once', async () => {
    const { calls, clean } = setUp(12)
    await Promise.all([clean('aaa'), clean('aaa')])
    await clean('bbb')
    await clean('aaa')
    assert.deepEqual(calls, ['aaa', 'aaa', 'bbb'])
  })

  it('does not remember a failure', async () => {
    const clean = createCleanHtml()
    await assert.rejects(
      async () => clean('a', () => Promise.reject(new Error('The person has left'))),
      /has left/,
    )
    assert.equal(await clean('a', (html) => html), 'a')
  })
})
