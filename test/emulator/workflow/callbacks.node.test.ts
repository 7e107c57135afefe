import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEmulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts'
import { scenarios } from '../../../src/emulator/scenarios/index.ts'
import type { Field } from '../../../src/emulator/state/stored-forms.ts'
import type { Mail, StoredCallback } from '../../../src/emulator/state/stored-packages.ts'

const forms = '/wf/workflow/test/api/developer/forms/6025'
const tools = '/wf/workflow/test/api/developer/tools/forms/6025'
const voidBody = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }

describe('callbacks', () => {
  it('contain an array of values per field for form-builder forms', async () => {
    const seed = scenarios.small()
    const form = seed.forms.test.get(6025)
    assert.ok(form)
    const fields: readonly Field[] = [
      { naturalKey: 'purpose', kind: 'text', required: true },
      { naturalKey: 'nights', kind: 'number', required: false },
      { naturalKey: 'notice', kind: 'no_answer', required: false },
    ]
    seed.forms.test.set(6025, { ...form, kind: 'form_builder', fields })
    const { send, control, received } = emulated({ seed })
    const entry = { purpose: 'Field work', nights: 4, notice: null }
    const { id } = (await send('POST', `${forms}/packages`, { entry })) as { id: number }
    await control('POST', '/clock', { advance: '1m' })

    const { lockId, createdAt, ...rest } = JSON.parse(received[0]?.body ?? '') as Record<string, unknown>
    assert.deepEqual(rest, {
      '@class': 'form_builder',
      formId: 6025,
      packageId: id,
      state: 'ROUTING',
      stop: null,
      entry: { purpose: ['Field work'], nights: [4], notice: [] },
    })
    assert.equal(typeof lockId, 'number')
    assert.equal(createdAt, '2026-11-20T12:00:00')
  })

  it('are sent by tick() when the minute is over, and tick() does not move the clock', async () => {
    let now = Date.UTC(2026, 10, 20, 12)
    const { emulator, send, received } = emulated({ now: () => now })
    await send('PUT', `${tools}/packages/42`, voidBody)
    await emulator.tick()
    now += 59_999
    await emulator.tick()
    assert.equal(received.length, 0)
    now += 1
    await emulator.tick()
    assert.equal(received.length, 1)
    await emulator.tick()
    assert.equal(received.length, 1)
  })

  it('are sent once by concurrent ticks', async () => {
    let now = 0
    const { emulator, send, received } = emulated({ now: () => now })
    await send('PUT', `${tools}/packages/42`, voidBody)
    now += 60_000
    await Promise.all([emulator.tick(), emulator.tick(), emulator.tick()])
    assert.equal(received.length, 1)
  })

  it('are sent early by the control API, without moving the clock', async () => {
    const now = Date.UTC(2026, 10, 20, 12)
    const { emulator, send, control, received } = emulated({ now: () => now })
    await send('PUT', `${tools}/packages/42`, voidBody)
    await emulator.tick()
    assert.equal(received.length, 0)
    await control('POST', '/callbacks/deliver')
    assert.equal(received.length, 1)
    assert.deepEqual(await fates(control), ['delivered'])
    await control('POST', '/callbacks/deliver')
    assert.equal(received.length, 1)
    assert.equal((await control<{ ahead: number }>('GET', '/clock')).ahead, 0)
  })

  it('count as delivered if the response arrives after the batch', async () => {
    let answer: (response: Response) => void = () => {}
    let saves = 0
    const { control, send, received } = emulated({
      callbackTimeout: 50,
      save: async () => {
        saves++
      },
      respond: () => new Promise((resolve) => (answer = resolve)),
    })
    await send('PUT', `${tools}/packages/42`, voidBody)
    await control('POST', '/clock', { advance: '1m' })
    assert.deepEqual(await fates(control), ['pending'])
    const before = saves
    answer(new Response())
    await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual(await fates(control), ['delivered'])
    assert.equal(saves, before + 1)
    await control('POST', '/clock', { advance: '1m' })
    assert.equal(received.length, 1)
  })

  it('cause no mail after a reset', async () => {
    let answer: (response: Response) => void = () => {}
    const { control, send } = emulated({
      callbackTimeout: 50,
      respond: () => new Promise((resolve) => (answer = resolve)),
    })
    const failLate = async () => {
      answer(new Response(null, { status: 500 }))
      await new Promise((resolve) => setTimeout(resolve, 5))
      return (await control<Mail[]>('GET', '/outbox')).filter(({ kind }) => kind === 'callback_failure')
        .length
    }
    await send('PUT', `${tools}/packages/42`, voidBody)
    await control('POST', '/clock', { advance: '1m' })
    assert.equal(await failLate(), 1)

    await send('PUT', `${tools}/packages/42/unvoid`)
    await control('POST', '/clock', { advance: '1m' })
    await control('POST', '/reset', {})
    assert.equal(await failLate(), 0)
  })

  it('are not delayed by another that hangs', async () => {
    let count = 0
    const { control, send, received } = emulated({
      callbackTimeout: 20,
      respond: () => (count++ === 0 ? new Promise(() => {}) : Promise.resolve(new Response())),
    })
    await send('PUT', `${tools}/packages/42`, voidBody)
    await send('PUT', `${tools}/packages/42/unvoid`)
    await control('POST', '/clock', { advance: '1m' })
    assert.equal(received.length, 2)
    assert.deepEqual(await fates(control), ['pending', 'delivered'])
    await control('POST', '/clock', { advance: '1m' })
    assert.deepEqual(await fates(control), ['delivered', 'delivered'])
  })

  it('wait only once for a receiver that does not respond', async () => {
    const callbackTimeout = 500
    const { control, send, received } = emulated({ callbackTimeout, respond: () => new Promise(() => {}) })
    for (let count = 0; count < 5; count++) {
      await send('PUT', `${tools}/packages/42`, voidBody)
      await send('PUT', `${tools}/packages/42/unvoid`)
    }
    const advanced = control('POST', '/clock', { advance: '1m' })
    const until = async (count: number) => {
      for (let tries = 0; received.length < count && tries < 5000; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    await until(2)
    // The first was waited for. As long as that once more would be enough for one of the others, and is for all of them.
    await Promise.race([until(10), new Promise((resolve) => setTimeout(resolve, callbackTimeout))])
    assert.equal(received.length, 10)
    await advanced
  })

  for (const [status, fate, sent] of [
    [200, 'delivered', 4],
    [500, 'failed', 3],
  ] as const) {
    it(`stay ${fate} in the middle of a batch`, async () => {
      const answers: ((response: Response) => void)[] = []
      const { control, send, received } = emulated({
        callbackTimeout: 20,
        respond: () => {
          // The third request is the first callback again: now the second one's first request is answered.
          if (answers.length === 2) answers[1]?.(new Response(null, { status }))
          return new Promise((resolve) => answers.push(resolve))
        },
      })
      await send('PUT', `${tools}/packages/42`, voidBody)
      await send('PUT', `${tools}/packages/42/unvoid`)
      await control('POST', '/clock', { advance: '1m' })
      assert.deepEqual(await fates(control), ['pending', 'pending'])
      await control('POST', '/clock', { advance: '1m' })
      assert.deepEqual(await fates(control), ['pending', fate])
      assert.equal(received.length, sent)
    })
  }

  it('all reach a receiver that responds, in any number', async () => {
    const { control, send, received } = emulated({})
    for (let count = 0; count < 30; count++) {
      await send('PUT', `${tools}/packages/42`, voidBody)
      await send('PUT', `${tools}/packages/42/unvoid`)
    }
    await control('POST', '/clock', { advance: '1m' })
    assert.equal(received.length, 60)
  })

  it('open at most fifty requests to a receiver that never responds', async () => {
    const { control, send, received } = emulated({
      callbackTimeout: 20,
      respond: () => new Promise(() => {}),
    })
    for (let count = 0; count < 30; count++) {
      await send('PUT', `${tools}/packages/42`, voidBody)
      await send('PUT', `${tools}/packages/42/unvoid`)
    }
    await control('POST', '/clock', { advance: '1m' })
    assert.equal(received.length, 50)
    await control('POST', '/clock', { advance: '1m' })
    assert.equal(received.length, 50)
  })

  it('are dropped by a reset in the middle of a batch', async () => {
    let release = () => {}
    const { control, send, received } = emulated({
      callbackTimeout: 60_000,
      respond: () => new Promise((resolve) => (release = () => resolve(new Response()))),
    })
    await send('PUT', `${tools}/packages/42`, voidBody)
    await send('PUT', `${tools}/packages/42/unvoid`)
    const advanced = control('POST', '/clock', { advance: '1m' })
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    await control('POST', '/reset')
    release()
    await advanced
    assert.equal(received.length, 1)
  })

  it('do not wait forever for the receiver of forged ones', async () => {
    const { control, send, received } = emulated({
      callbackTimeout: 20,
      respond: () => new Promise(() => {}),
    })
    await control('PUT', '/quirks', ['unruly_callbacks'])
    await send('PUT', `${tools}/packages/42`, voidBody)
    await control('POST', '/clock', { advance: '1m' })
    assert.equal(received.length, 6, 'two forged, one real, and that twice')
  })

  it('are sent only a few times after a long jump of the clock', async () => {
    const { control, send, received } = emulated({
      callbackTimeout: 20,
      respond: () => new Promise(() => {}),
    })
    await send('PUT', `${tools}/packages/42`, voidBody)
    await control('POST', '/clock', { advance: '30d' })
    assert.ok(received.length > 1 && received.length <= 5)
  })
})

type Control = <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>

interface Options extends EmulatorOptions {
  /** Answers a callback. Default: 200 at once. */
  readonly respond?: () => Promise<Response>
}

/** An emulator whose form 6025 has a callback URL in the environment test, at noon of a day in November. */
function emulated({ respond = () => Promise.resolve(new Response()), ...options }: Options) {
  const received: { url: string; body: string }[] = []
  const seed = options.seed ?? scenarios.small()
  const form = seed.forms.test.get(6025)
  assert.ok(form)
  form.callbackUrl = 'https://app.example/callbacks'
  const emulator = createEmulator({
    control: true,
    now: () => Date.UTC(2026, 10, 20, 12),
    ...options,
    seed,
    fetch: (url, init) => {
      received.push({ url: url as string, body: init?.body as string })
      return respond()
    },
  })
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await emulator.fetch(`http://emulator.test${path}`, {
      method,
      headers: {
        Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
        'x-workflow-request-user': '10000001',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    assert.equal(answer.status, 200)
    return (await answer.json()) as unknown
  }
  const send = (method: string, path: string, body?: unknown) => ask(method, path, body)
  const control: Control = async <T>(method: string, path: string, body?: unknown) =>
    (await ask(method, `/_emulator${path}`, body)) as T
  return { emulator, send, control, received }
}

async function fates(control: Control): Promise<string[]> {
  return (await control<StoredCallback[]>('GET', '/callbacks')).map(({ state }) => state)
}
