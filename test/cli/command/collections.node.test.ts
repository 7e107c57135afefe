import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { load } from '../../../tools/bench/load.ts'
import { as, endAll, exampleEnv, start, until } from '../proxy-command.ts'

const package42 = {
  id: 42,
  state: 'ROUTING',
  subType: null,
  emailContent: { packageDetails: `<p>${'Please look at the dates and the budget. '.repeat(6)}</p>` },
  actions: null,
  routingDate: '2026-01-12T09:30:00',
  actionDate: null,
  initiator: null,
  voidReason: null,
  commentCount: 0,
  attachmentCount: 0,
}

/** Writes a letter to the standard error for each collection: F for a full one, and y for one of young objects. */
const observeCollections = `import { constants, PerformanceObserver } from 'node:perf_hooks'
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) {
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) process.stderr.write('F')
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MINOR) process.stderr.write('y')
  }
}).observe({ entryTypes: ['gc'] })`

describe('routeslip proxy', () => {
  after(endAll)

  // A full collection takes longer than a hundred reads. What a request leaves behind decides how many there are, and not the
  // load of the machine: 1 in Node 24 and 5 in Node 26, and 20 if the proxy keeps something for each request.
  it('leaves hardly anything behind of a read: there are at most 6 full collections in 20,000', async (t) => {
    const service = createServer((_, response) => response.end(JSON.stringify(package42)))
    await once(service.listen(0, '127.0.0.1'), 'listening')
    t.after(() => service.close())
    const serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
    const { url, errors } = await start({
      ...exampleEnv(serviceUrl),
      ROUTESLIP_LOG_LEVEL: 'error',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(observeCollections)}`,
    })
    const read = (requests: number) =>
      load(
        {
          port: Number(new URL(url).port),
          path: '/api/wf/forms/6025/packages/42',
          headers: (connection) => as(String(20_000_000 + connection)),
        },
        50,
        { requests, seconds: Infinity },
      )
    const numberOf = (letter: string) => errors().split(letter).length - 1

    // Measures compiled code.
    await read(10_000)
    const before = { full: numberOf('F'), young: numberOf('y') }
    await read(20_000)
    // Shows that collections are counted.
    await until(() => numberOf('y') > before.young)
    const full = numberOf('F') - before.full
    assert.ok(full <= 6, `${full} full collections`)
  })
})
