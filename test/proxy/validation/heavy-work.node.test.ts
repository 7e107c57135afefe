import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { workAtOnce } from '../../../src/proxy/validation/heavy-work.ts'
import { readValidBody } from '../../../src/proxy/validation/valid-body.ts'

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const turn = { holder: '10000001', signal: new AbortController().signal }
const noLog = () => {}

describe('readValidBody()', () => {
  type Name = Parameters<typeof readValidBody>[0]['name']
  const read = (name: Name, body: unknown, version?: string) =>
    readValidBody({ bytes: bytesOf(body), name, version }, (html) => clean(html))
  let clean = (html: string): string | undefined => html.toUpperCase()

  it('returns the whole body, and the part without entry data that decisions depend on', async () => {
    const creation = { state: 'DRAFT', entry: { cost: 3 } }
    assert.deepEqual(await read('createPackage', creation), {
      json: JSON.stringify(creation),
      value: { state: 'DRAFT' },
    })
    const reason = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
    assert.deepEqual(await read('voidPackage', reason), { json: JSON.stringify(reason), value: reason })
    // The body is the entry data itself, whatever its fields are called.
    assert.deepEqual(await read('updateEntry', { id: 42, emailContent: { packageDetails: 'x' } }), {
      json: '{"id":42,"emailContent":{"packageDetails":"X"}}',
      value: {},
    })
    const update = { entry: { cost: 3 }, sendDeltaEmail: true }
    assert.deepEqual(await read('updateEntry', update, '1.1'), {
      json: JSON.stringify(update),
      value: { sendDeltaEmail: true },
    })
  })

  it('cleans the HTML of e-mails, and nothing else', async () => {
    const { json, value } = await read(
      'updateEntry',
      { entry: { text: '<b>' }, emailContent: { deltaSummary: '<i>', packageDetails: '<b>' } },
      '1.1',
    )
    assert.deepEqual(JSON.parse(json as string), {
      entry: { text: '<b>' },
      emailContent: { deltaSummary: '<I>', packageDetails: '<B>' },
    })
    assert.deepEqual(value, { emailContent: { deltaSummary: '<I>', packageDetails: '<B>' } })
    for (const emailContent of [null, {}, { deltaSummary: null }]) {
      const body = { entry: {}, emailContent }
      assert.equal((await read('updateEntry', body, '1.1')).json, JSON.stringify(body))
    }
  })

  it('refuses HTML that is too long before or after it is cleaned, or of which nothing is left', async () => {
    const send = (field: string, html: string) =>
      read('updateEntry', { entry: {}, emailContent: { [field]: html } }, '1.1')
    const tooLong = {
      status: 422,
      message: 'deltaSummary is longer than 20000 characters of clean HTML. Shorten it.',
    }
    assert.ok(await send('deltaSummary', 'x'.repeat(20_000)))
    clean = () => assert.fail('It is too long to be cleaned')
    await assert.rejects(send('deltaSummary', 'x'.repeat(20_001)), tooLong)
    clean = () => 'x'.repeat(20_001)
    await assert.rejects(send('deltaSummary', 'x'), tooLong)
    clean = () => undefined
    await assert.rejects(send('packageDetails', 'x'), {
      status: 422,
      message: 'packageDetails contains nothing that an e-mail may contain. Write it as text.',
    })
    clean = () => ''
    assert.ok(await send('packageDetails', ''), 'an empty text clears the stored one')
  })
})

describe('workAtOnce', () => {
  it('writes a list of any length as JSON, in its order', async () => {
    const { readJson, readResponse } = workAtOnce
    const facts = { name: 'getStatus', params: {}, version: undefined, requestId: 'r1' } as const
    for (const length of [0, 1, 250, 251, 1001]) {
      const rows = Array.from({ length }, (_, index) => ({ id: index + 1, state: 'ROUTING' }))
      const json = await readJson(turn, { bytes: bytesOf(rows), facts }, noLog)
      const value = await readResponse(turn, { bytes: bytesOf(rows), facts }, noLog)
      assert.equal(json, JSON.stringify(value), String(length))
      assert.deepEqual(value, rows)
    }
  })

  it('cleans HTML, also that of bodies', async () => {
    const html = '<b onclick="x">x</b>'
    assert.equal(await workAtOnce.sanitizeHtml(turn, html), '<b>x</b>')
    const body = bytesOf({ entry: {}, emailContent: { deltaSummary: html } })
    const { json } = await workAtOnce.readBody(turn, { bytes: body, name: 'updateEntry', version: '1.1' })
    assert.equal(json, '{"entry":{},"emailContent":{"deltaSummary":"<b>x</b>"}}')
  })
})
