import { expect } from '@open-wc/testing'
import {
  type Client,
  clientFor,
  clientWith,
  type ClientOptions,
  createClient,
  createIdempotencyKey,
  packageScope,
  UnavailableError,
  statusTable,
  uploadTable,
} from '../../src/client/index.ts'
import { formReaders } from '../../src/contract/readers/form-readers.ts'
import { formRoutes } from '../../src/contract/routes/form-routes.ts'
import { ParameterError } from '../../src/contract/values/path.ts'
import { waitUntil } from '../wait-until.ts'

const params = { formId: 6025, packageId: 42 }
const found = { id: 42, state: 'ROUTING' }

describe('createClient()', () => {
  it('sends a new key with each change, or the key of the call', async () => {
    const { client, sent } = clientOver(() => Response.json(found))
    await client.unvoidPackage({ params })
    await client.unvoidPackage({ params })
    const idempotencyKey = createIdempotencyKey()
    await client.unvoidPackage({ params }, { idempotencyKey })
    await client.unvoidPackage({ params }, { idempotencyKey })

    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).to.match(/^"[\d-]{16,}"$/)
    expect(new Set(keys).size).to.equal(3)
    expect(keys.slice(2)).to.deep.equal([idempotencyKey, idempotencyKey])
  })

  it('gets more operations from a table, which share its cache', async () => {
    const { client: full, sent } = clientOver(() => Response.json({ cost: 5 }))
    const page = clientFor('/extended')
    expect(page).not.to.have.property('getEntry')
    expect(page.extend({ routes: formRoutes, readers: formReaders })).to.equal(page)
    expect(page).to.have.property('getEntry')

    const client = full.extend({ routes: formRoutes, readers: formReaders })
    expect(await client.getEntry({ params })).to.deep.equal({ cost: 5 })
    expect(client.getCached('getEntry', { params })).to.deep.equal({ cost: 5 })
    expect(sent[0]?.url).to.equal('https://site.test/api/wf/forms/6025/packages/42/entry')
  })

  it('has only the operations of the elements so far, and gets those of further ones', () => {
    const badges = clientWith('/badges', statusTable)
    expect(badges).to.have.property('getStatus')
    for (const name of ['getPackage', 'getSession', 'voidPackage', 'uploadFile'])
      expect(badges).not.to.have.property(name)
    expect(clientFor('/badges/')).to.equal(badges)
    for (const name of ['getStatus', 'getPackage', 'getSession']) expect(badges).to.have.property(name)
    for (const name of ['voidPackage', 'uploadFile']) expect(badges).not.to.have.property(name)
    expect(badges.extend(uploadTable)).to.equal(badges)
    expect(badges).to.have.property('uploadFile')
    const { getPackage } = badges
    expect(clientWith('/badges', statusTable)).to.equal(badges)
    expect(clientFor('/badges').getPackage).to.equal(getPackage)
  })

  it('sends nothing if a parameter is invalid', async () => {
    const { client, sent } = clientOver(() => Response.json(found))
    const error = await failureOf(client.getPackage({ params: { formId: 6025, packageId: NaN } }))

    expect(error).to.be.instanceOf(ParameterError)
    expect(String(error)).to.include('packageId')
    expect(sent).to.have.length(0)
  })

  it('rejects after the timeout (F02) @engines', async () => {
    const { client } = clientOver(hang, { timeout: 30 })
    expect(await failureOf(client.getPackage({ params }))).to.be.instanceOf(UnavailableError)
  })

  it('is shared by a page for each proxy, with or without a trailing slash', () => {
    expect(clientFor('/api/wf/')).to.equal(clientFor('/api/wf'))
    expect(clientFor('/api/other')).not.to.equal(clientFor('/api/wf'))
  })

  it('rejects with the reason of an abort, before and during a call @engines', async () => {
    const reason = new Error('enough')
    const { client, sent } = clientOver(hang)
    expect(await failureOf(client.getPackage({ params }, { signal: AbortSignal.abort(reason) }))).to.equal(
      reason,
    )
    expect(sent).to.have.length(0)

    const abort = new AbortController()
    const call = failureOf(client.getPackage({ params }, { signal: abort.signal }))
    abort.abort(reason)
    expect(await call).to.equal(reason)
    expect(sent[0]?.signal.aborted).to.equal(true)
  })

  describe('watch', () => {
    it('notifies the listeners of a package right after a write to it', async () => {
      const { client } = clientOver(() => Response.json(found))
      const notified: string[] = []
      const stops = [
        client.watch(packageScope(6025, 42), (why) => notified.push(`42 ${why}`)),
        client.watch(packageScope(6025, 43), (why) => notified.push(`43 ${why}`)),
      ]
      await client.voidPackage({ params, body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } })
      stops.forEach((stop) => stop())

      expect(notified).to.deep.equal(['42 changed'])
    })

    it('notifies the listeners after a write whose response was lost (F06)', async () => {
      const { client } = clientOver(() => Promise.reject(new TypeError('reset')))
      let calls = 0
      const stop = client.watch(packageScope(6025, 42), () => calls++)
      await failureOf(
        client.voidPackage({ params, body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } }),
      )
      stop()

      expect(calls).to.equal(1)
    })

    it('notifies the other listeners if one throws', async () => {
      const { client } = clientOver(() => Response.json(found))
      const bug = new Error('a bug of the page')
      const reported: unknown[] = []
      // The test runner listens there.
      const before = window.onerror
      window.onerror = (_event, _source, _line, _column, error) => {
        reported.push(error)
        return true
      }
      let calls = 0
      const stops = [
        client.watch(packageScope(6025, 42), () => {
          throw bug
        }),
        client.watch(packageScope(6025, 42), () => calls++),
      ]
      await client.voidPackage({ params, body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } })
      await waitUntil(() => reported.length > 0)
      stops.forEach((stop) => stop())
      window.onerror = before

      expect(calls).to.equal(1)
      expect(reported).to.deep.equal([bug])
    })

    it('polls once when the page is shown again @engines', async () => {
      const { client } = clientOver(() => Response.json(found), { interval: 60_000 })
      let calls = 0
      const stop = client.watch('x', () => calls++)
      await Promise.resolve()
      const clock = Date.now
      Date.now = () => clock() + 5000
      window.dispatchEvent(new Event('focus'))
      window.dispatchEvent(new Event('online'))
      Date.now = clock
      stop()

      expect(calls).to.equal(1)
    })
  })

  describe('uploads @engines', () => {
    it('sends meta before the file and reports progress', async () => {
      const parts: string[][] = []
      const { client } = clientOver(() => Response.json({}), {
        upload: ({ body, onProgress }) => {
          parts.push([...body.keys()])
          onProgress?.(1, 2)
          return Promise.resolve(Response.json({ uuid: '00000000-0000-4000-8000-000000000000' }))
        },
      })
      const progress: number[][] = []
      const asset = await client.uploadFile(
        { file: new File(['x'], 'x'), body: { expiresIn: '1d' } },
        { onProgress: (...numbers) => progress.push(numbers) },
      )

      expect(asset.uuid).to.equal('00000000-0000-4000-8000-000000000000')
      expect(parts).to.deep.equal([['meta', 'file']])
      expect(progress).to.deep.equal([[1, 2]])
    })

    it('rejects if no server listens', async () => {
      const client = createClient({ endpoint: 'http://127.0.0.1:1/api/wf' })
      const file = new File(['x'], 'x')
      expect(await failureOf(client.uploadFile({ file }))).to.be.instanceOf(UnavailableError)
    })

    it('aborts the XMLHttpRequest and rejects with the reason when it is cancelled', async () => {
      // The test server takes its time for a body that does not end; nothing is needed of it but to be there.
      const client = createClient({ endpoint: '/api/wf' })
      const sent: XMLHttpRequest[] = []
      const send = XMLHttpRequest.prototype.send
      XMLHttpRequest.prototype.send = function (body) {
        sent.push(this)
        send.call(this, body)
      }
      const abort = new AbortController()
      const file = new File([new Uint8Array(20_000_000)], 'x')
      const call = failureOf(client.uploadFile({ file }, { signal: abort.signal }))
      await waitUntil(() => sent.length === 1)
      const reason = new Error('enough')
      abort.abort(reason)
      XMLHttpRequest.prototype.send = send

      expect(await call).to.equal(reason)
      expect(sent[0]?.readyState).to.equal(XMLHttpRequest.UNSENT)
    })
  })
})

/** Responses are from a proxy. */
function clientOver(respond: () => Response | Promise<Response>, options: Partial<ClientOptions> = {}) {
  const sent: Request[] = []
  const client: Client = createClient({
    endpoint: 'https://site.test/api/wf/',
    live: false,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      sent.push(request)
      const response = await Promise.race([
        respond(),
        new Promise<never>((_, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason as Error))
        }),
      ])
      response.headers.set('x-routeslip', '1')
      return response
    },
    ...options,
  })
  return { client, sent }
}

function hang(): Promise<Response> {
  return new Promise(() => {})
}

/** What a call rejects with. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('The call went well')
}
