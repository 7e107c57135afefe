import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { acceptVersion } from '../../../src/contract/values/headers.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { type Bus, createLocalBus } from '../../../src/proxy/changes/bus.ts'
import { personaCookie } from '../../../src/proxy/identity/identity.ts'
import type { ProxyOptions } from '../../../src/proxy/mount/options.ts'
import { createProxy } from '../../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../../src/proxy/mount/runtime.ts'
import { changeElsewhere } from '../elsewhere.ts'
import { overEmulator, people, requestOf, type Role } from '../mount.ts'
import { until } from '../until.ts'
import { type EventReader, readEvents } from './event-reader.ts'

const hintText = JSON.stringify({ formId: 6025, packageId: 42 })
const inPackage = '/forms/6025/packages/42'

const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

/** Creates proxies over one emulator. They share a bus, as processes do through Redis. */
async function setUp(limits: ProxyOptions['limits'] = { watchInterval: 2 ** 30 }, count = 1) {
  const bus: Bus = createLocalBus()
  let isDown = false
  let areLost = false
  const calls: string[] = []
  /** The callbacks of the service. */
  const sent: { readonly headers: Headers; readonly body: string }[] = []
  const emulator = createEmulator({
    control: true,
    // The service sends its callbacks to one of the processes.
    async fetch(input, init) {
      const request = new Request(input, init)
      if (areLost) return new Response()
      sent.push({ headers: request.headers, body: await request.clone().text() })
      return await proxies[0]!(request)
    },
  })
  const runtime = fetchRuntime(async (input, init) => {
    const request = new Request(input, init)
    calls.push(`${request.method} ${new URL(request.url).pathname}`)
    return isDown ? new Response(null, { status: 503 }) : await emulator.fetch(request)
  })
  const proxies = Array.from({ length: count }, () =>
    createProxy({
      ...overEmulator(emulator),
      identity: {
        identify: personaCookie(Object.values(people)),
        policy: ({ person }) => person.univid === people.administrator,
      },
      operations: ['voidPackage', 'restartPackage', 'removePackage', 'returnPackage', 'createOverride'],
      runtime,
      storage: { bus },
      limits: { ...limits },
    }),
  )
  closes.push(async () => {
    for (const proxy of proxies) await proxy.close()
  })

  const { control, change: elsewhere, deliver, registerCallbacks } = changeElsewhere(emulator)
  /** Changes the package through a proxy. */
  async function change(as: Role, tool: string, json: unknown, proxy = proxies[0]!): Promise<void> {
    const method = tool === '/overrides' ? 'POST' : 'PUT'
    const response = await proxy(requestOf(inPackage + tool, { as, method, json }))
    assert.ok(response.ok, `${tool}: ${response.status} ${await response.text()}`)
  }
  /** Opens the stream of a person who may view the package, and waits until the proxy knows that. */
  async function follow(as: Role, proxy = proxies[0]!): Promise<EventReader> {
    const reader = readEvents(await proxy(requestOf('/events?package=6025-42', { as })))
    await expectEvent([reader], () => bus.publish({ formId: 6025, packageId: 42 }))
    return reader
  }
  /** Takes a step and waits until all readers have got an event that was published after it began. */
  async function expectEvent(readers: readonly EventReader[], step: Step): Promise<void> {
    const before = bus.last()
    await step()
    const isNew = (id: string) => Boolean(bus.since(before)?.some((event) => event.id === id))
    const received = Promise.all(
      readers.map(async (reader) => (await reader.until(({ lastEventId }) => isNew(lastEventId))).at(-1)),
    )
    // Heartbeats keep a stream alive, so a missing event needs a deadline.
    let timer: ReturnType<typeof setTimeout> | undefined
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('No event arrived in 20 seconds')), 20_000)
    })
    const messages = await Promise.race([received, deadline]).finally(() => clearTimeout(timer))
    for (const message of messages) assert.deepEqual([message?.event, message?.data], ['change', hintText])
  }
  await registerCallbacks()
  return {
    proxies,
    emulator,
    control,
    elsewhere,
    change,
    follow,
    deliver,
    expectEvent,
    bus,
    sent,
    calls,
    setDown: (value: boolean) => (isDown = value),
    loseCallbacks: (value: boolean) => (areLost = value),
  }
}

/** What another application or a page does. */
type Step = () => Promise<unknown>

describe('live updates of a proxy', () => {
  const voiding = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }

  it('announce each callback and each change through a proxy, whatever the state was before', async () => {
    const { change, elsewhere, deliver, follow, control, expectEvent } = await setUp()
    const readers = [await follow('initiator'), await follow('firstApprover')]
    for (let round = 0; round < 3; round++) {
      await expectEvent(readers, () => change('initiator', '/void', voiding))
      // The callback about the void has not been delivered yet.
      await elsewhere('/unvoid')
      await expectEvent(readers, deliver)
    }
    await control('POST', `test${inPackage}/sign`, { univid: people.firstApprover })
    await expectEvent(readers, deliver)
  })

  it('announce a change through a proxy once, although its callback follows', async () => {
    const { change, elsewhere, deliver, follow, expectEvent, bus, sent, calls } = await setUp()
    const readers = [await follow('initiator')]
    /** Whether the proxy has read the package for itself. */
    const isRead = (since: readonly string[]) => {
      const start = since.findIndex((call) => call.endsWith('/status'))
      return start !== -1 && since.slice(start).some((call) => call.endsWith(inPackage))
    }
    const ids: string[] = []
    bus.subscribe(({ id }) => ids.push(id))
    const rounds = 5
    for (let round = 0; round < rounds; round++) {
      await expectEvent(readers, () => change('initiator', '/void', voiding))
      await until(() => isRead(calls.slice(calls.findLastIndex((call) => call.startsWith('PUT')))))
      calls.length = 0
      await deliver()
      await until(() => isRead(calls))
      await elsewhere('/unvoid')
      await expectEvent(readers, deliver)
    }
    assert.equal(sent.length, 2 * rounds, 'callbacks (control)')
    assert.equal(ids.length, 2 * rounds)
  })

  it('announce the callback of a change through a proxy if the package has changed since', async () => {
    const { change, control, deliver, loseCallbacks, follow, expectEvent } = await setUp()
    const readers = [await follow('initiator')]
    await control('POST', `test${inPackage}/sign`, { univid: people.firstApprover })
    await expectEvent(readers, deliver)
    await expectEvent(readers, () => change('administrator', '/restart', undefined))
    loseCallbacks(true)
    await deliver()
    loseCallbacks(false)
    // The state stays the same, and only the inboxes show that somebody has signed again.
    await control('POST', `test${inPackage}/sign`, { univid: people.firstApprover })
    await expectEvent(readers, deliver)
  })

  it('announce a package that returns to a person and is signed there again', async () => {
    const { change, deliver, follow, control, expectEvent } = await setUp()
    const readers = [await follow('firstApprover')]
    for (let round = 0; round < 2; round++) {
      await control('POST', `test${inPackage}/sign`, { univid: people.firstApprover })
      await expectEvent(readers, deliver)
      await expectEvent(readers, () => change('administrator', '/restart', undefined))
      await deliver()
    }
  })

  it('announce them to the people connected to another process', async () => {
    const { proxies, change, elsewhere, deliver, follow, expectEvent } = await setUp(undefined, 2)
    const readers = [await follow('initiator', proxies[0]), await follow('firstApprover', proxies[1])]
    for (let round = 0; round < 3; round++) {
      await expectEvent(readers, () => change('initiator', '/void', voiding, proxies[1]))
      await elsewhere('/unvoid')
      await expectEvent(readers, deliver)
    }
  })

  it('announce a callback once, however often it is sent (T28)', async () => {
    const { proxies, bus, deliver, elsewhere, follow, expectEvent, control, sent, calls } = await setUp()
    const readers = [await follow('initiator')]
    await control('POST', `test${inPackage}/sign`, { univid: people.firstApprover })
    await expectEvent(readers, deliver)
    const before = bus.last()
    calls.length = 0
    for (let time = 0; time < 100; time++) {
      for (const { body, headers } of sent) {
        const url = 'https://northfield.test/api/wf/callbacks'
        assert.equal((await proxies[0]!(new Request(url, { method: 'POST', headers, body }))).status, 200)
      }
    }
    await until(() => calls.some((call) => call.endsWith('/status')))
    assert.equal(bus.last(), before)

    // The same bytes may also be sent for another event: then the state shows it.
    await elsewhere('', voiding)
    await expectEvent(readers, async () => {
      for (const { body, headers } of sent) {
        const url = 'https://northfield.test/api/wf/callbacks'
        await proxies[0]!(new Request(url, { method: 'POST', headers, body }))
      }
    })
  })

  it('announce an override that takes a signature away to the person who had it', async () => {
    const { change, follow, expectEvent } = await setUp()
    const readers = [await follow('firstApprover'), await follow('initiator')]
    const override = {
      subjectUnivid: people.firstApprover,
      type: 'CHANGE',
      reason: 'CONFLICT_OF_INTEREST',
      replacementUnivid: people.outsider,
    }
    await expectEvent(readers, () => change('administrator', '/overrides', override))
  })

  it('find an override that another application has made, although the inboxes keep their ids', async () => {
    const { emulator, follow, expectEvent, loseCallbacks, calls } = await setUp({ watchInterval: 20 })
    loseCallbacks(true)
    const readers = [await follow('initiator')]
    await until(() => calls.filter((call) => call.endsWith('/packages/status')).length > 1)
    const headers = {
      authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-workflow-request-user': people.administrator,
      'x-workflow-bypass-authorization': 'true',
    }
    const inboxes = async () => {
      const status = '/wf/workflow/test/api/developer/forms/6025/packages/status?id=42'
      const response = await emulator.fetch(`http://emulator.test${status}`, {
        headers: { ...headers, accept: acceptVersion('1.2') },
      })
      return (await response.json()) as unknown
    }
    const before = JSON.stringify(await inboxes())
    await expectEvent(readers, async () => {
      const override = {
        subjectUnivid: people.firstApprover,
        type: 'CHANGE',
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: people.outsider,
      }
      const path = '/wf/test/api/developer/forms/6025/packages/42/routing/overrides'
      const response = await emulator.fetch(`http://emulator.test${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(override),
      })
      assert.ok(response.ok, `${response.status}`)
      const after = JSON.stringify(await inboxes())
      assert.notEqual(after, before, 'control: the service shows the replacement')
      assert.equal(after.match(/"id":\d+/g)?.join(), before.match(/"id":\d+/g)?.join(), 'with the same ids')
    })
  })

  it('find a new comment, which has no callback', async () => {
    const { control, follow, expectEvent, calls } = await setUp({ watchInterval: 20 })
    const readers = [await follow('initiator')]
    await until(() => calls.filter((call) => call.endsWith(inPackage)).length > 1)
    const comment = { univid: people.firstApprover, comment: 'Why?' }
    await expectEvent(readers, () => control('POST', `test${inPackage}/comments`, comment))
  })

  it('ask for the rights of many people at the same time without a warning of Node', async () => {
    const emulator = createEmulator()
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    let asked = 0
    let release!: () => void
    const released = new Promise<void>((resolve) => (release = resolve))
    const proxy = createProxy({
      ...overEmulator(emulator),
      identity: {
        identify: (request) => ({ univid: request.headers.get('x-person') ?? '' }),
        policy: () => true,
      },
      runtime: fetchRuntime(async (input, init) => {
        asked++
        await released
        return await emulator.fetch(input, init)
      }),
      limits: { watchInterval: 2 ** 30 },
    })
    closes.push(() => proxy.close())
    const streams = Array.from({ length: 30 }, (_, index) =>
      proxy(
        requestOf('/events?package=6025-42', {
          headers: { cookie: null, 'x-person': `${10_000_001 + index}` },
        }),
      ),
    )
    await Promise.all(streams)
    await until(() => asked > 11)
    release()
    // Node emits warnings in the next tick.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', onWarning)
    assert.deepEqual(warnings, [])
  })

  it('report that changes cannot be found while the service does not respond', async () => {
    const { follow, setDown } = await setUp({ watchInterval: 20 })
    const reader = await follow('initiator')
    setDown(true)
    assert.equal((await reader.next())?.event, 'pause')
    setDown(false)
  })
})
