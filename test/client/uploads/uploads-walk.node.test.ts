import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createClient, createUploads, type UploadRequest, type Uploads } from '../../../src/client/index.ts'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'

describe('a list of uploads, in any order of events', () => {
  it('sends each file once at a time, three at most, loses none, and comes to rest', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) => walk(steps)),
      { numRuns: 300 },
    )
  })

  it('would store second copies if the server ignored the keys (control)', async () => {
    const { failed } = await fc.check(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => walk(steps, true)),
      { numRuns: 300, endOnFailure: true },
    )
    assert.equal(failed, true)
  })
})

const events = [
  'add',
  'start',
  'cancel',
  'remove',
  'sign out',
  'sign in',
  'offline',
  'online',
  'bytes',
  'all bytes',
  'respond',
  'lose response',
  'break',
  'refuse',
  'refuse session',
] as const
const step = fc.tuple(fc.constantFrom(...events), fc.nat(20))

interface Pending {
  readonly name: string
  readonly key: string
  readonly request: UploadRequest
  readonly resolve: (response: Response) => void
  readonly reject: (error: unknown) => void
}

async function walk(steps: readonly (readonly [(typeof events)[number], number])[], ignoresKeys = false) {
  const pending: Pending[] = []
  const copies = new Map<string, string[]>()
  const window = new EventTarget()
  const gone = new Set<string>()
  let added = 0

  const client = createClient({
    endpoint: 'https://northfield.test/api/wf',
    live: false,
    fetch: () => Promise.reject(new TypeError('No network')),
    upload: (request) =>
      new Promise((resolve, reject) => {
        const { name } = request.body.get('file') as File
        const one = { name, key: request.headers['Idempotency-Key'] ?? '', request, resolve, reject }
        pending.push(one)
        request.signal?.addEventListener('abort', () => {
          pending.splice(pending.indexOf(one), 1)
          reject(request.signal?.reason as Error)
        })
      }),
  })
  const uploads: Uploads<FileAsset, object> = createUploads(
    {
      send: ({ file }, options) => client.uploadFile({ file: file! }, options),
      onChange({ items }) {
        const now = new Set(uploads.state.items.map(({ name }) => name))
        for (const { name } of items) if (!now.has(name)) assert.ok(gone.has(name), `${name} is lost`)
      },
    },
    { window, stall: 1e9 },
  )

  function store({ name, key }: Pending): Response {
    const known = copies.get(name) ?? []
    if (ignoresKeys || !known.includes(key)) copies.set(name, [...known, key])
    return reply(201, { ...asset, filename: name })
  }

  function end(one: Pending, how: (one: Pending) => void): void {
    pending.splice(pending.indexOf(one), 1)
    how(one)
  }

  function apply(event: (typeof events)[number], at: number): void {
    const item = uploads.state.items[at % Math.max(1, uploads.state.items.length)]
    const one = pending[at % Math.max(1, pending.length)]
    const { dispatch } = uploads
    if (event === 'add') {
      const file = new File(['x'], `file ${++added}`)
      dispatch({ type: 'add', files: [{ file, name: file.name, details: {} }] })
    } else if (event === 'sign out') dispatch({ type: 'signed-out' })
    else if (event === 'sign in') dispatch({ type: 'signed-in', univid: '1' })
    else if (event === 'offline' || event === 'online') window.dispatchEvent(new Event(event))
    else if (event === 'start' || event === 'cancel' || event === 'remove') {
      if (!item) return
      const { kind } = item.state
      if (event === 'remove' || (event === 'cancel' && (kind === 'queued' || kind === 'sending')))
        gone.add(item.name)
      dispatch({ type: event, key: item.key })
    } else if (!one) return
    else if (event === 'bytes') one.request.onProgress?.(1, 2)
    else if (event === 'all bytes') one.request.onProgress?.(2, 2)
    else if (event === 'respond') end(one, () => one.resolve(store(one)))
    else if (event === 'lose response') {
      one.request.onProgress?.(2, 2)
      store(one)
      end(one, () => one.reject(new TypeError('The connection failed')))
    } else if (event === 'break') end(one, () => one.reject(new TypeError('The connection failed')))
    else if (event === 'refuse') end(one, () => one.resolve(reply(422, { status: 422, outcome: 'none' })))
    else end(one, () => one.resolve(reply(401, { status: 401, outcome: 'none' })))
  }

  try {
    for (const [event, at] of steps) {
      apply(event, at)
      await settle()
      assert.ok(pending.length <= 3, 'three at a time')
      assert.equal(new Set(pending.map(({ name }) => name)).size, pending.length, 'each once at a time')
      for (const [name, keys] of copies) assert.ok(keys.length <= 1 || gone.has(name), `copies of ${name}`)
    }

    // Everything works again.
    for (const event of ['online', 'sign out', 'sign in'] as const) apply(event, 0)
    for (let turn = 0; turn < 100; turn++) {
      await settle()
      if (pending.length > 0) apply('respond', 0)
    }
    const states = uploads.state.items.map(({ name, state }) => [
      name,
      state.kind,
      copies.get(name)?.length ?? 0,
    ])
    for (const [name, kind, count] of states) {
      assert.ok(kind === 'stored' || kind === 'failed' || kind === 'queued', `${name} rests: ${kind}`)
      if (kind === 'stored') assert.equal(count, 1, `${name} is stored once`)
    }
    for (const { name, state } of uploads.state.items)
      if (state.kind === 'queued') assert.ok(state.hold, `${name} waits for something`)
    const listed = uploads.state.items.length
    assert.equal(listed, added - gone.size, 'all files that nobody has removed')
  } finally {
    // A walk that fails leaves uploads behind whose time limits would keep the process running.
    uploads.dispatch({ type: 'abandon' })
  }
}

const asset: FileAsset = {
  uuid: '0f5e0000-0000-4000-8000-000000000001',
  filename: 'a',
  fileSize: 1,
  contentType: null,
  uploadDate: null,
  expirationDate: null,
  metadata: null,
}

function reply(status: number, body: object): Response {
  return Response.json(body, { status, headers: { 'x-routeslip': '1', 'x-routeslip-person': '1' } })
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
}
