import { expect } from '@open-wc/testing'
import { createClient, packageScope } from '../../src/client/index.ts'
import { waitUntil } from '../wait-until.ts'

describe('a client that sends its requests with the global `fetch`', () => {
  it('enters the group of tabs that share a stream, which one with a `fetch` of its own does not', async () => {
    const own = `/${crypto.randomUUID()}/wf`
    let requests = 0
    const stopOwn = createClient({
      endpoint: own,
      fetch: async () => {
        requests++
        return new Response(null, { status: 404 })
      },
    }).watch(packageScope(6025, 42), () => {})
    await waitUntil(() => requests > 0, 'no stream')
    expect(await locks(own)).to.equal(0)

    // The test server has no proxy there, so that the stream is not requested again.
    const endpoint = `/${crypto.randomUUID()}/wf`
    const stop = createClient({ endpoint }).watch(packageScope(6025, 42), () => {})
    await waitUntil(async () => (await locks(endpoint)) === 1, 'no lock of the group')
    stop()
    await waitUntil(async () => (await locks(endpoint)) === 0, 'the lock is still held')
    stopOwn()
  })
})

/** Number of locks that the tabs of an endpoint hold. */
async function locks(endpoint: string): Promise<number> {
  const name = `routeslip ${new URL(endpoint, document.baseURI).href}`
  const { held = [] } = await navigator.locks.query()
  return held.filter((lock) => lock.name === name).length
}
