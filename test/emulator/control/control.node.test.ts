import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts'
import { faultKinds } from '../../../src/emulator/control/faults.ts'
import { quirkNames } from '../../../src/emulator/control/quirks.ts'
import { specOptionValues } from '../../../src/emulator/control/spec-options.ts'

const inPackage = '/test/forms/6025/packages/42'

describe('control API', () => {
  it('lists its routes, each with a summary', async () => {
    const rows = await json<{ method: string; path: string; summary: string }[]>(send(start(), 'GET', ''))
    assert.ok(rows.length > 15)
    for (const { summary } of rows) assert.match(summary, /^[A-Z].+[.]$/)
    assert.ok(rows.some(({ method, path }) => method === 'POST' && path === '/_emulator/reset'))
  })

  it('is described in docs/emulator.md, request by request', async () => {
    const rows = await json<{ method: string; path: string }[]>(send(start(), 'GET', ''))
    const page = await readFile(new URL('../../../docs/emulator.md', import.meta.url), 'utf8')
    const described = [...page.matchAll(/^\| `(GET|POST|PUT|DELETE) (\/_emulator[^` ]*)`/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    )
    assert.deepEqual(described.sort(), rows.map(({ method, path }) => `${method} ${path}`).sort())
    for (const name of [...quirkNames, ...Object.keys(specOptionValues), ...faultKinds]) {
      assert.ok(page.includes(`\`${name}\``), name)
    }
  })

  it('resets to a scenario and clears everything else', async () => {
    const emulator = start()
    const { packages } = emulator
    packages.test.clear()
    await send(emulator, 'POST', '/clock', { advance: '1h' })
    await send(emulator, 'PUT', '/quirks', ['huge_ids'])
    await send(emulator, 'PUT', '/spec-options', { presign: 'json' })
    await send(emulator, 'POST', '/faults', { operation: '*', status: 500 })
    await emulator.objects.put('00000000-0000-4000-8000-000000000000', new Response('x').body!)
    emulator.outbox.set(1, {} as never)
    await emulator.fetch('http://emulator.test/wf/nothing')
    assert.equal(emulator.journal.length, 1)

    assert.deepEqual(await json(send(emulator, 'POST', '/reset', { scenario: 'small' })), {
      scenario: 'small',
    })
    assert.equal(emulator.packages, packages, 'those who hold the Map see the new content')
    assert.equal(packages.test.get(42)?.state, 'ROUTING')
    assert.deepEqual(
      [
        emulator.outbox.size,
        emulator.quirks.active.size,
        emulator.faults.list().length,
        emulator.clock.offset,
        emulator.journal.length,
      ],
      [0, 0, 0, 0, 0],
    )
    assert.equal(emulator.specOptions.presign, 'text')
    assert.equal(await emulator.objects.get('00000000-0000-4000-8000-000000000000'), undefined)
  })

  it('gives new packages ids from a number on, and never those of the scenario', async () => {
    const emulator = start()
    const idAfter = async (body: object) => {
      await json(send(emulator, 'POST', '/reset', body))
      return emulator.next.packageId
    }
    const usual = await idAfter({})
    assert.ok(usual > 42)
    assert.equal(await idAfter({ nextPackageId: 7_000_000 }), 7_000_000)
    assert.equal(await idAfter({ nextPackageId: 42 }), usual)
    for (const nextPackageId of [0, 1.5, 2 ** 53 - 1]) {
      assert.equal((await send(emulator, 'POST', '/reset', { nextPackageId })).status, 400)
    }
  })

  it('resets to the scenario small by default, and rejects unknown names', async () => {
    assert.deepEqual(await json(send(start(), 'POST', '/reset')), { scenario: 'small' })
    const response = await send(start(), 'POST', '/reset', { scenario: 'huge' })
    assert.equal(response.status, 400)
    assert.match(await response.text(), /small/)
  })

  it('restores the initial spec options on reset', async () => {
    const emulator = createEmulator({ control: true, specOptions: { presign: 'json' } })
    await send(emulator, 'PUT', '/spec-options', { presign: 'text' })
    await send(emulator, 'POST', '/reset')
    assert.equal(emulator.specOptions.presign, 'json')
  })

  it('returns the time and moves it forward, never back', async () => {
    const emulator = createEmulator({ control: true, now: () => Date.UTC(2026, 10, 20, 12) })
    assert.deepEqual(await json(send(emulator, 'GET', '/clock')), {
      now: '2026-11-20T12:00:00',
      instant: Date.UTC(2026, 10, 20, 12),
      ahead: 0,
    })
    const { now } = await json<{ now: string }>(send(emulator, 'POST', '/clock', { advance: 'PT36H' }))
    assert.equal(now, '2026-11-22T00:00:00')
    const later = createEmulator({ control: true, now: () => Date.UTC(2026, 10, 20, 12) })
    await json(send(later, 'POST', '/clock', { advance: 90 }))
    assert.equal(later.clock.offset, 90_000, 'a number is one of seconds')
    for (const advance of ['-1s', 'soon', '', -5, null, '99999999999999d', '3650000d']) {
      assert.equal((await send(emulator, 'POST', '/clock', { advance })).status, 400, String(advance))
    }
    assert.equal((await json<{ now: string }>(send(emulator, 'GET', '/clock'))).now, '2026-11-22T00:00:00')
  })

  it('adds comments of people and marks them as inactive', async () => {
    const emulator = start()
    const body = { univid: '10000002', comment: 'Fine with me', approversOnly: true }
    const { id } = await json<{ id: number }>(send(emulator, 'POST', `${inPackage}/comments`, body))
    assert.deepEqual(
      emulator.packages.test.get(42)?.comments.map(({ comment, person, state }) => [comment, person, state]),
      [['Fine with me', '10000002', 'ACTIVE']],
    )
    await json(send(emulator, 'DELETE', `${inPackage}/comments/${id}`))
    assert.equal(emulator.packages.test.get(42)?.comments[0]?.state, 'INACTIVE')

    const unknown = { ...body, univid: '99999999' }
    assert.equal((await send(emulator, 'POST', `${inPackage}/comments`, unknown)).status, 400)
    assert.equal((await send(emulator, 'DELETE', `${inPackage}/comments/1`)).status, 404)
  })

  it('sets and removes callback URLs', async () => {
    const emulator = start()
    const form = emulator.forms.test.get(6025)!
    const url = 'http://127.0.0.1:9/callbacks'
    await json(send(emulator, 'PUT', '/test/forms/6025/callback', { url }))
    await json(send(emulator, 'PUT', '/test/forms/6025/stops/2/callback', { url, freeze: true }))
    assert.deepEqual([form.callbackUrl, form.stopCallbacks], [url, { 2: { url, freeze: true } }])
    assert.equal(emulator.forms.prod.get(6025)?.callbackUrl, null, 'one URL per environment')

    await json(send(emulator, 'PUT', '/test/forms/6025/callback', { url: null }))
    await json(send(emulator, 'PUT', '/test/forms/6025/stops/2/callback', { url: null }))
    assert.deepEqual([form.callbackUrl, form.stopCallbacks], [null, {}])
    for (const bad of ['javascript:alert(1)', '/callbacks', 5]) {
      assert.equal((await send(emulator, 'PUT', '/test/forms/6025/callback', { url: bad })).status, 400)
    }
  })

  it('returns and clears the journal', async () => {
    const emulator = start()
    await emulator.fetch('http://emulator.test/wf/api/v2/public-key')
    const [entry] = await json<{ operation: string; status: number }[]>(send(emulator, 'GET', '/journal'))
    assert.deepEqual([entry?.operation, entry?.status], ['getPublicKey', 401])
    await json(send(emulator, 'DELETE', '/journal'))
    assert.deepEqual(await json(send(emulator, 'GET', '/journal')), [])
  })

  it('rejects unknown routes, methods and bodies with a helpful message', async () => {
    for (const [method, path, status] of [
      ['GET', '/nothing', 404],
      ['GET', '/reset', 405],
      ['POST', '/test/forms/1/packages/42/sign', 404],
      ['POST', '/test/forms/6025/packages/43/sign', 404],
      ['POST', '/stage/forms/6025/packages/42/sign', 404],
      ['PUT', '/test/forms/1/callback', 404],
    ] as const) {
      const body = path.endsWith('callback') ? { url: null } : { univid: '10000002' }
      assert.equal(
        (await send(start(), method, path, method === 'GET' ? undefined : body)).status,
        status,
        path,
      )
    }
    for (const body of [{}, { univid: 10000002 }, { univid: '10000002', more: 1 }, 'x']) {
      assert.equal((await send(start(), 'POST', `${inPackage}/sign`, body)).status, 400)
    }
  })
})

function start(): Emulator {
  return createEmulator({ control: true })
}

function send({ fetch }: Emulator, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`http://emulator.test/_emulator${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function json<T = unknown>(response: Promise<Response>): Promise<T> {
  const settled = await response
  const text = await settled.text()
  assert.equal(settled.status, 200, text)
  return JSON.parse(text) as T
}
