import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEmulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts'
import { scenarios } from '../../../src/emulator/scenarios/index.ts'
import type { Field } from '../../../src/emulator/state/stored-forms.ts'
import type { Mail, StoredCallback } from '../../../src/emulator/state/stored-packages.ts'
import { until } from '../../proxy/until.ts'

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
    let respondLate: (response: Response) => void = () => {}
    let saves = 0
    const { control, send, received, nextMinute } = emulated({
      save: async () => {
        saves++
      },
      respond: () => new Promise((resolve) => (respondLate = resolve)),
    })
    await send('PUT', `${tools}/packages/42`, voidBody)
    await nextMinute([1])
    assert.deepEqual(await fates(control), ['pending'])
    const before = saves
    respondLate(new Response())
    await until(() => saves > before)
    assert.deepEqual(await fates(control), ['delivered'])
    assert.equal(saves, before + 1)
    await nextMinute()
    assert.equal(received.length, 1)
  })

  it('cause no mail after a reset', async () => {
    let respondLate: (response: Response) => void = () => {}
    let saves = 0
    const { control, send, nextMinute } = emulated({
      save: async () => {
        saves++
      },
      respond: () => new Promise((resolve) => (respondLate = resolve)),
    })
    const failLate = async () => {
      const before = saves
      respondLate(new Response(null, { status: 500 }))
      await until(() => saves > before)
      return (await control<Mail[]>('GET', '/outbox')).filter(({ kind }) => kind === 'callback_failure')
        .length
    }
    await send('PUT', `${tools}/packages/42`, voidBody)
    await nextMinute([1])
    assert.equal(await failLate(), 1)

    await send('PUT', `${tools}/packages/42/unvoid`)
    await nextMinute([2])
    await control('POST', '/reset', {})
    assert.equal(await failLate(), 0)
  })

  it('are not delayed by another that hangs', async () => {
    let count = 0
    const { control, send, nextMinute } = emulated({
      respond: () => (count++ === 0 ? new Promise(() => {}) : Promise.resolve(new Response())),
    })
    await send('PUT', `${tools}/packages/42`, voidBody)
    await send('PUT', `${tools}/packages/42/unvoid`)
    await nextMinute([1])
    assert.equal(count, 2)
    assert.deepEqual(await fates(control), ['pending', 'delivered'])
    await nextMinute()
    assert.deepEqual(await fates(control), ['delivered', 'delivered'])
  })

  it('wait only once for a receiver that does not respond', async () => {
    const { send, received, nextMinute } = emulated({ respond: () => new Promise(() => {}) })
    for (let count = 0; count < 5; count++) {
      await send('PUT', `${tools}/packages/42`, voidBody)
      await send('PUT', `${tools}/packages/42/unvoid`)
    }
    // The batch waits for the first response, and then once for all others.
    await nextMinute([1, 10])
    assert.equal(received.length, 10)
  })

  it('leave no timer running when the response arrives in time', async () => {
    const { control, send, timers, nextMinute } = emulated({})
    await send('PUT', `${tools}/packages/42`, voidBody)
    await nextMinute()
    assert.deepEqual(await fates(control), ['delivered'])
    assert.equal(timers.started, 1)
    assert.equal(timers.running.size, 0)
  })

  for (const [status, fate, sent] of [
    [200, 'delivered', 4],
    [500, 'failed', 3],
  ] as const) {
    it(`stay ${fate} in the middle of a batch`, async () => {
      const responders: ((response: Response) => void)[] = []
      const { control, send, received, nextMinute } = emulated({
        respond: () => {
          // The third request is the first callback again. At this moment, the second callback's first request gets its response.
          if (responders.length === 2) responders[1]?.(new Response(null, { status }))
          return new Promise((resolve) => responders.push(resolve))
        },
      })
      await send('PUT', `${tools}/packages/42`, voidBody)
      await send('PUT', `${tools}/packages/42/unvoid`)
      await nextMinute([1, 2])
      assert.deepEqual(await fates(control), ['pending', 'pending'])
      await nextMinute(sent === 4 ? [3, 4] : [3])
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
    const { send, received, nextMinute } = emulated({ respond: () => new Promise(() => {}) })
    for (let count = 0; count < 30; count++) {
      await send('PUT', `${tools}/packages/42`, voidBody)
      await send('PUT', `${tools}/packages/42/unvoid`)
    }
    await nextMinute([1, 50])
    assert.equal(received.length, 50)
    await nextMinute()
    assert.equal(received.length, 50)
  })

  it('are dropped by a reset in the middle of a batch', async () => {
    let release = () => {}
    const { control, send, received } = emulated({
      respond: () => new Promise((resolve) => (release = () => resolve(new Response()))),
    })
    await send('PUT', `${tools}/packages/42`, voidBody)
    await send('PUT', `${tools}/packages/42/unvoid`)
    const advanced = control('POST', '/clock', { advance: '1m' })
    await until(() => received.length > 0)
    await control('POST', '/reset')
    release()
    await advanced
    assert.equal(received.length, 1)
  })

  it('do not wait forever for the receiver of forged ones', async () => {
    const { control, send, received, nextMinute } = emulated({ respond: () => new Promise(() => {}) })
    await control('PUT', '/quirks', ['unruly_callbacks'])
    await send('PUT', `${tools}/packages/42`, voidBody)
    // Two forged callbacks and the real one, twice.
    await nextMinute([1, 2, 3, 4, 5, 6])
    assert.equal(received.length, 6)
  })

  it('are sent only five times after a long jump of the clock', async () => {
    const { send, received, nextMinute } = emulated({ respond: () => new Promise(() => {}) })
    await send('PUT', `${tools}/packages/42`, voidBody)
    await nextMinute([1, 2, 3, 4, 5], '30d')
    assert.equal(received.length, 5)
  })
})

type Control = <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>

interface Options extends EmulatorOptions {
  /** Returns the response to a callback. Default: 200 at once. */
  readonly respond?: () => Promise<Response>
}

/** Creates an emulator whose form 6025 has a callback URL in the environment test. Its time is noon of a day in November. */
function emulated({ respond = () => Promise.resolve(new Response()), ...options }: Options) {
  const received: { url: string; body: string }[] = []
  const seed = options.seed ?? scenarios.small()
  const form = seed.forms.test.get(6025)
  assert.ok(form)
  form.callbackUrl = 'https://app.example/callbacks'
  const timers = createTimers()
  const emulator = createEmulator({
    control: true,
    now: () => Date.UTC(2026, 10, 20, 12),
    setTimeout: timers.setTimeout,
    clearTimeout: timers.clearTimeout,
    ...options,
    seed,
    fetch: (url, init) => {
      received.push({ url: url as string, body: init?.body as string })
      return respond()
    },
  })
  const request = async (method: string, path: string, body: unknown) => {
    const response = await emulator.fetch(`http://emulator.test${path}`, {
      method,
      headers: {
        Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
        'x-workflow-request-user': '10000001',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    assert.equal(response.status, 200)
    return (await response.json()) as unknown
  }
  const send = (method: string, path: string, body?: unknown) => request(method, path, body)
  const control: Control = async <T>(method: string, path: string, body?: unknown) =>
    (await request(method, `/_emulator${path}`, body)) as T
  /**
   * Moves the clock forward. Each number in `timeouts` is a number of requests: when so many have been received in all, the
   * batch gives up waiting.
   */
  async function nextMinute(timeouts: readonly number[] = [], duration = '1m'): Promise<void> {
    const advanced = control('POST', '/clock', { advance: duration })
    for (const count of timeouts) {
      await until(() => received.length === count && timers.running.size > 0)
      timers.expire()
    }
    await advanced
  }

  return { emulator, send, control, received, timers, nextMinute }
}

/** Creates timers that expire when the test calls `expire()`. */
function createTimers() {
  const running = new Map<unknown, () => void>()
  const timers = {
    running,
    /** Number of timers that were started. */
    started: 0,
    setTimeout(callback: () => void) {
      const timer = {} as ReturnType<typeof setTimeout>
      timers.started++
      running.set(timer, callback)
      return timer
    },
    clearTimeout(timer: ReturnType<typeof setTimeout> | undefined) {
      running.delete(timer)
    },
    expire() {
      for (const [timer, callback] of running) {
        running.delete(timer)
        callback()
      }
    },
  }
  return timers
}

async function fates(control: Control): Promise<string[]> {
  return (await control<StoredCallback[]>('GET', '/callbacks')).map(({ state }) => state)
}
