import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient } from '../../src/client/index.ts'
import { ParameterError } from '../../src/contract/values/path.ts'

// The compiler runs this test: `@ts-expect-error` fails the type check if the line below it compiles.
describe('types derived from the table of operations', () => {
  const client = createClient({
    endpoint: 'http://127.0.0.1:9/api/wf',
    fetch: () => Promise.reject(new TypeError('Nothing may be sent here')),
  })

  it('give each client method its parameters, body and result', async () => {
    const params = { formId: 6025, packageId: 42 }
    const calls = [
      () => client.getPackage({ params }).then(({ state }): string => state),
      () =>
        client
          .getStatus({ params: { formId: 6025 }, query: { id: [42] } }, { version: '1.2' })
          .then((rows) => rows[0]?.inboxSignatures?.length),
      () =>
        client.getStatus({ params, query: { id: [42] } }).then((rows): unknown => {
          // @ts-expect-error -- version 1.0 has no inboxes
          return rows[0]?.inboxSignatures
        }),
      // @ts-expect-error -- version 3 does not exist
      () => client.getStatus({ params, query: { id: [42] } }, { version: '3' }),
      () => client.voidPackage({ params, body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } }),
      // @ts-expect-error -- not one of the four reasons
      () => client.voidPackage({ params, body: { id: 42, state: 'VOID', voidReason: 'BORED' } }),
      // @ts-expect-error -- the body is missing
      () => client.voidPackage({ params }),
    ]
    for (const call of calls) await assert.rejects(call)

    // @ts-expect-error -- a package belongs to a form
    await assert.rejects(() => client.getPackage({ params: { packageId: 42 } }), ParameterError)
    // @ts-expect-error -- a redirect is an address, not a call
    assert.equal(client.presignFile, undefined)
    const href: string = client.href('presignFile', { uuid: '00000000-0000-4000-8000-000000000000' })
    assert.equal(href, 'http://127.0.0.1:9/api/wf/files/00000000-0000-4000-8000-000000000000/download')
  })
})
