import { expect } from '@open-wc/testing'
import { type Client, createClient, packageScope } from '../../src/client/index.ts'
import { waitUntil } from '../wait-until.ts'

const params = { formId: 6025, packageId: 42 }

// Two clients in one page stand for two pages of a browser.

describe('a client that sends its requests with the global `fetch` @engines', () => {
  it('learns from another page that somebody else has signed in, which one with a `fetch` of its own does not', async () => {
    const endpoint = `/${crypto.randomUUID()}/wf`
    const channel = new BroadcastChannel(`routeslip ${new URL(endpoint, document.baseURI).href}`)
    const reasons = { shared: [] as string[], own: [] as string[] }
    let streams = 0
    const own: Client = createClient({
      endpoint,
      fetch: async () => {
        streams++
        return new Response(null, { status: 404 })
      },
    })
    // The test server has no proxy there, so that the stream of this one is refused.
    const shared: Client = createClient({ endpoint })
    const stops = [
      own.watch(packageScope(params.formId, params.packageId), (why) => reasons.own.push(why)),
      shared.watch(packageScope(params.formId, params.packageId), (why) => reasons.shared.push(why)),
    ]
    await waitUntil(() => streams > 0, 'no stream')
    await waitUntil(() => {
      channel.postMessage('user')
      return reasons.shared.includes('changed')
    }, 'not told')
    expect(reasons.own).to.deep.equal([])
    for (const stop of stops) stop()
    channel.close()
  })
})
