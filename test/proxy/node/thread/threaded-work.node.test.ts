import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { HistoryEventList } from '../../../../src/contract/schemas/history.ts'
import { workAtOnce } from '../../../../src/proxy/validation/heavy-work.ts'
import {
  createThreadedWork,
  type ThreadedWorkOptions,
} from '../../../../src/proxy/node/thread/threaded-work.ts'
import { fetchRuntime } from '../../../../src/proxy/mount/runtime.ts'
import { setUp } from '../../mount.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
let folder: string
let module: URL

before(async () => {
  const cache = join(root, 'node_modules/.cache/routeslip')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'thread-'))
  const outfile = join(folder, 'work-thread.mjs')
  const entry = join(root, 'src/proxy/node/thread/work-thread.ts')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  module = pathToFileURL(outfile)
})
after(() => rmSync(folder, { recursive: true, force: true }))

const turn = { holder: 'a', signal: new AbortController().signal }
const html = '<p>Flights &amp; hotel</p><script>x()</script>'.repeat(200)
const facts = { name: 'getHistory', params: undefined, version: undefined, requestId: 'r' } as const

function events(count: number): string {
  const person = { displayName: 'Ana', directoryRestricted: true, email: 'ana@example.edu' }
  return JSON.stringify(
    Array.from({ length: count }, (_, index) => ({
      '@class': 'signature',
      context: `event ${index}`,
      person,
    })),
  )
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Work of a thread, and what it logs. */
function setUpWork(options: Partial<ThreadedWorkOptions> = {}) {
  const logged: string[] = []
  const log = (level: string, message: string) => void logged.push(`${level} ${message}`)
  return { work: createThreadedWork({ module, log, ...options }), log, logged }
}

/** Counts how often lists of events are validated in this thread. */
async function validationsDuring(run: () => Promise<unknown>): Promise<number> {
  const { safeParse } = HistoryEventList
  let count = 0
  HistoryEventList.safeParse = (value: unknown) => {
    count++
    return safeParse(value)
  }
  await run().finally(() => (HistoryEventList.safeParse = safeParse))
  return count
}

describe('createThreadedWork()', () => {
  it('does in its thread what is done at once elsewhere (T19, T23, T30)', async () => {
    const { work, log, logged } = setUpWork()
    const here = workAtOnce
    // The thread keeps what it gets.
    const response = () => ({ bytes: bytesOf(events(1000)), facts })
    let written: unknown
    const count = await validationsDuring(async () => (written = await work.readJson(turn, response(), log)))
    assert.equal(count, 0)
    assert.ok(written instanceof Uint8Array)
    const expected = await here.readJson(turn, response(), log)
    assert.equal(new TextDecoder().decode(written), expected)
    assert.doesNotMatch(String(expected), /ana@example/)
    assert.deepEqual(await work.readResponse(turn, response(), log), JSON.parse(String(expected)))
    assert.equal(await work.sanitizeHtml(turn, html), await here.sanitizeHtml(turn, html))

    const text = JSON.stringify({
      entry: { notes: 'x'.repeat(20_000) },
      emailContent: { packageDetails: html },
    })
    const body = () => ({ name: 'updateEntry', version: '1.1', bytes: bytesOf(text) }) as const
    const read = await work.readBody(turn, body())
    const readHere = await here.readBody(turn, body())
    assert.ok(read.json instanceof Uint8Array)
    assert.equal(new TextDecoder().decode(read.json), readHere.json)
    assert.deepEqual(read.value, readHere.value)
    assert.deepEqual(Object.keys(read.value as object), ['emailContent'], 'no entry data is copied')
    assert.deepEqual(logged, [])
    await work.close()
  })

  it('passes on refusals with their status and detail, and what the work logs', async () => {
    const { work, log, logged } = setUpWork()
    const here = workAtOnce
    const text = `{"id":"${'x'.repeat(20_000)}"}`
    const body = () => ({ name: 'voidPackage', version: undefined, bytes: bytesOf(text) }) as const
    const refusal = await here.readBody(turn, body()).catch((error: unknown) => error as Error)
    await assert.rejects(work.readBody(turn, body()), refusal as Error)
    await assert.rejects(work.readJson(turn, { bytes: bytesOf('"nonsense"'), facts }, log), { status: 502 })
    assert.deepEqual(logged, ['error getHistory: the response breaks the contract'])
    await work.close()
  })

  it('loses only the piece during which a thread ends, and starts another thread (T23)', async () => {
    const mortal = `
      import { parentPort } from 'node:worker_threads'
      parentPort.on('message', ({ input }) => {
        if (input.includes('end')) process.exit()
        parentPort.postMessage({ result: { value: 'done' }, logged: [] })
      })
      parentPort.postMessage('ready')`
    const { work, logged } = setUpWork({
      module: new URL(`data:text/javascript,${encodeURIComponent(mortal)}`),
    })
    const pieces = [html, `${html}end`, html].map((text) => work.sanitizeHtml(turn, text))
    const [first, lost, last] = await Promise.allSettled(pieces)
    assert.deepEqual([first, last], Array(2).fill({ status: 'fulfilled', value: 'done' }))
    assert.match(String(lost?.status === 'rejected' && lost.reason), /The work thread has ended/)
    assert.deepEqual(logged, [])
    await work.close()
  })

  it('does not begin work for a person who has disconnected', async () => {
    const { work } = setUpWork()
    const gone = { holder: 'a', signal: AbortSignal.abort() }
    await assert.rejects(work.sanitizeHtml(gone, html), { status: 400 })
    await work.close()
  })

  it('gives people turns (T23)', async () => {
    const { work } = setUpWork()
    const order: string[] = []
    const sanitize = async (holder: string) => {
      await work.sanitizeHtml({ ...turn, holder }, html)
      order.push(holder)
    }
    await Promise.all(['a', 'a', 'a', 'a', 'b'].map(sanitize))
    assert.deepEqual(order, ['a', 'a', 'b', 'a', 'a'])
    await work.close()
  })

  it('lets the proxy handle a history of 10,000 events without validating it in its own thread (T23)', async () => {
    const { work } = setUpWork()
    const text = events(10_000)
    const runtime = { ...fetchRuntime(async () => new Response(text)), work }
    const { request } = setUp({ runtime })
    let rows: readonly unknown[] = []
    const count = await validationsDuring(async () => {
      const response = await request('/forms/6025/packages/42/history', { as: 'initiator' })
      rows = (await response.json()) as unknown[]
    })
    assert.deepEqual([count, rows.length], [0, 10_000])
    await work.close()
  })
})
