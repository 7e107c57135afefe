import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProxyError } from '../../../src/proxy/http/problem.ts'
import { refusals } from '../../../src/proxy/http/refusals.ts'
import {
  parseJson,
  readServiceResponse,
  type ResponseFacts,
} from '../../../src/proxy/validation/service-response.ts'
import type { Sanitize } from '../../../src/proxy/validation/html.ts'

const uuid = '00000000-0000-4000-8000-000000000000'

/** Reads a response. Returns the result, or the text for people if it is refused, and what was logged. */
async function read(
  name: ResponseFacts['name'],
  value: unknown,
  facts: Partial<ResponseFacts> = {},
  sanitize?: Sanitize,
) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const logged: unknown[] = []
  const result: unknown = await readServiceResponse(
    new TextEncoder().encode(text),
    { name, params: undefined, version: undefined, requestId: 'r1', ...facts },
    (...entry) => logged.push(entry),
    sanitize,
  ).catch((error: ProxyError) => `${error.status} ${error.message}`)
  return { result, logged }
}

const refused = (({ status, message }) => `${status} ${message}`)(refusals.unexpectedResponse())

describe('readServiceResponse()', () => {
  it('returns nothing for an operation without a result, whatever the body is', async () => {
    assert.deepEqual(await read('deleteLock', 'nonsense'), { result: undefined, logged: [] })
  })

  it('refuses an operation that returns a file', async () => {
    const asked = readServiceResponse(
      new Uint8Array(),
      { name: 'getPdf', params: {}, version: undefined, requestId: 'r1' },
      () => {},
    )
    await assert.rejects(asked, new TypeError('getPdf has no result'))
  })

  it('refuses what breaks the contract, and logs where', async () => {
    for (const [name, value, at] of [
      ['getPackage', { id: 'x', state: 3 }, ['id', 'state']],
      ['getPackage', '<h1>Error', ['']],
      ['getPublicKey', ' \n', ['']],
      ['presignFile', 'nonsense', ['']],
    ] as const) {
      const message = `${name}: the response breaks the contract`
      assert.deepEqual(await read(name, value), {
        result: refused,
        logged: [['error', message, { requestId: 'r1', at }]],
      })
    }
  })

  it('refuses a package or a file that the call did not name', async () => {
    const packageId = 42
    const entry = ['error', 'getPackage: the response is about something else than the request']
    const other = { result: refused, logged: [[...entry, { requestId: 'r1' }]] }
    const state = 'ROUTING'
    const names = 'canView canEdit canSign canVoid canInitiatorVoid canAddApprover canVoidAfter'.split(' ')
    const rights = Object.fromEntries(names.map((name) => [name, true]))
    const flags = (id: number) => ({ packageId: id, signatureId: null, ...rights })
    const params = { formId: 1, packageId }
    assert.deepEqual(await read('getPackage', { id: 43, state }, { params }), other)
    assert.deepEqual(await read('getPackage', { id: 42, state, actions: flags(43) }, { params }), other)
    assert.deepEqual((await read('getFileMeta', { uuid }, { params: { uuid: 'b' } })).result, refused)
    for (const found of [
      await read('getPackage', { id: 42, state }, { params }),
      await read('getPackage', { id: 42, state, actions: flags(42) }, { params }),
      await read('getPackage', { id: 42, state }, { params: { packageId: '42' } }),
      await read('createPackage', { id: 43, state }, { params: { formId: 1 } }),
      await read('createPackage', { id: 43, state }),
      await read('uploadFile', { uuid }),
      await read('getFileMeta', { uuid }, { params: { uuid } }),
      await read('getHistory', [], { params: { ...params, uuid: 'b' } }),
    ])
      assert.deepEqual([typeof found.result, found.logged], ['object', []])
  })

  it('reads a text as it is or as a JSON string', async () => {
    assert.equal((await read('getPublicKey', ' MCow=\n')).result, 'MCow=')
    assert.equal((await read('getPublicKey', '"MCow="')).result, 'MCow=')
    assert.equal((await read('getPublicKey', '"MCow=')).result, refused)
    assert.equal((await read('getPublicKey', '{"key":1}')).result, '{"key":1}')
  })

  it('reads each version of a result', async () => {
    const row = { id: 1, state: 'ROUTING', inboxSignatures: [] }
    assert.deepEqual((await read('getStatus', [row])).result, [{ id: 1, state: 'ROUTING' }])
    assert.deepEqual((await read('getStatus', [row], { version: '1.2' })).result, [row])
    assert.deepEqual((await read('getStatus', [row], { version: '9.9' })).result, [
      { id: 1, state: 'ROUTING' },
    ])
  })

  it('removes the contact details of people, but none from the fields of a form', async () => {
    const person = { displayName: 'Ana', directoryRestricted: true, email: 'ana@example.edu' }
    const { result } = await read('getPackage', { id: 1, state: 'ROUTING', initiator: person })
    assert.equal((result as { initiator: { email: unknown } }).initiator.email, null)
    assert.deepEqual((await read('getEntry', { person })).result, { person })
    assert.deepEqual((await read('updateEntry', { person })).result, { person })
  })

  it('validates a list of any length, and keeps the order of its rows', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: index + 1, state: 'ROUTING' }))
    for (const count of [0, 250, 251, 500, 501]) {
      const { result } = await read('getStatus', rows(count))
      assert.deepEqual(result, rows(count), `${count} rows`)
    }
  })

  describe('the details of a package', () => {
    const details = async (packageDetails: unknown, sanitize?: Sanitize) => {
      const value = { id: 1, state: 'ROUTING', emailContent: { packageDetails } }
      const { result } = await read('getPackage', value, {}, sanitize)
      return (result as { emailContent: unknown }).emailContent
    }

    it('are cleaned', async () => {
      assert.deepEqual(await details('<p>Hi<script>x()</script></p>'), { packageDetails: '<p>Hi</p>' })
      assert.deepEqual(await details('<script>x()</script>'), { packageDetails: null })
      assert.deepEqual(await details('a', async (html) => `${html}!`), { packageDetails: 'a!' })
      const { result } = await read('createPackage', { id: 1, state: 'ROUTING' })
      assert.equal((result as { emailContent: unknown }).emailContent, null)
    })

    it('are cleaned up to a length, and removed beyond it', async () => {
      const lengths: number[] = []
      const sanitize = (html: string) => {
        lengths.push(html.length)
        return html
      }
      for (const value of [null, '', 'x'.repeat(20_000), 'x'.repeat(20_001)]) {
        const expected = value !== null && value.length > 20_000 ? null : value
        assert.deepEqual(await details(value, sanitize), { packageDetails: expected })
      }
      assert.deepEqual(lengths, [20_000])
    })
  })
})

describe('parseJson()', () => {
  it('returns the value, or undefined if the text is not valid', () => {
    assert.deepEqual(parseJson('{"a":[1]}'), { a: [1] })
    for (const text of ['', '{', 'undefined']) assert.equal(parseJson(text), undefined)
  })
})
