import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLocalBus } from '../../../src/proxy/changes/bus.ts'
import { people, type Role, setUp } from '../mount.ts'
import { type EventReader, readEvents } from '../live/event-reader.ts'
import { until } from '../until.ts'
import { heldBy } from './index-contract.ts'
import { withIndex } from './with-index.ts'

const hint = (packageId: number) => ({ formId: 6025, packageId })

async function follow(
  { request }: Pick<ReturnType<typeof setUp>, 'request'>,
  as: Role,
  query = 'list=1',
  headers = {},
): Promise<EventReader> {
  const response = await request(`/events?${query}`, { as, headers })
  assert.equal(response.status, 200, await (response.ok ? '' : response.text()))
  return readEvents(response)
}

const listChanged = 'event: list\ndata: {}\n\n'
/** Returns a stream without its ids, which differ between processes. */
const withoutIds = (reader: EventReader) => reader.text().replaceAll(/^id: .*$/gm, 'id')

/** Creates a mount that knows package 42. */
async function withPackage(options: Parameters<typeof withIndex>[0] = {}) {
  const mount = withIndex(options)
  await mount.index.request([hint(42)], Date.now())
  await mount.lists('mine', 'initiator', [42])
  const { test: packages } = mount.emulator.packages
  return {
    ...mount,
    packages,
    /** Ends a package in the service, and waits until the index knows that. */
    async end(packageId: number): Promise<void> {
      Object.assign(packages.get(packageId)!, { state: 'VOID' })
      await until(async () => (await mount.index.find(hint(packageId)))?.pkg.state === 'VOID')
    },
    /** Makes the index believe that a person, or nobody, started a package and holds it. */
    async misattribute(packageId: number, role: Role | null): Promise<void> {
      const known = await mount.index.find(hint(packageId))
      assert.ok(known)
      const initiator = role && people[role]
      const holders = initiator === null ? [] : [heldBy(initiator)]
      await mount.index.record([{ pkg: { ...known.pkg, initiator }, holders }])
    },
  }
}

describe('the live events of lists', () => {
  it('reach the initiator, and those who held or hold a package, after a change that no callback reports', async () => {
    const mount = await withPackage()
    const readers = await Promise.all(
      (['initiator', 'firstApprover', 'secondApprover'] as const).map((role) => follow(mount, role)),
    )
    const plain = await follow(mount, 'initiator', 'package=6025-42')
    await mount.control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
    for (const reader of readers) assert.equal((await reader.next())?.event, 'list')
    // The stream that follows only the package has no such event.
    mount.packages.get(42)!.state = 'VOID'
    await mount.registerCallbacks()
    await mount.change('/unvoid')
    await mount.deliver()
    assert.equal((await plain.next())?.event, 'change')
    assert.doesNotMatch(plain.text(), /event: list/)
  })

  it('depend on no package that the person may not view (T26)', async () => {
    /** The stream of a person while packages change that the index attributes to the person. */
    async function streamOf(as: Role, hasHidden: boolean): Promise<string> {
      const bus = createLocalBus()
      const mount = await withPackage({ storage: { bus } })
      await mount.addCopies(2)
      const [hidden, last] = [1001, 1002]
      mount.packages.set(last, { ...mount.packages.get(last)!, initiator: people[as] })
      await mount.misattribute(last, as)
      await mount.misattribute(hidden, hasHidden ? as : null)
      mount.journal.splice(0)
      const reader = await follow(mount, as, `list=1&package=6025-${last}`)
      await mount.end(hidden)
      const isAsked = ({ url, headers }: Request) =>
        headers.get('x-workflow-request-user') === people[as] &&
        new URL(url).searchParams.getAll('id').includes(String(hidden))
      if (hasHidden) await until(() => mount.journal.some(isAsked))
      // A person who may view it gets an event of its own for it.
      if (hasHidden && as === 'viewer') await reader.untilText(listChanged)
      await mount.end(last)
      await reader.untilText(listChanged)
      // All that the changes have caused comes before this event.
      await bus.publish(hint(last))
      await reader.untilText('event: change')
      return withoutIds(reader)
    }
    const without = await streamOf('outsider', false)
    assert.equal(without.split(listChanged).length, 2)
    assert.equal(await streamOf('outsider', true), without)
    // A person who may view both.
    assert.notEqual(await streamOf('viewer', true), await streamOf('viewer', false), 'control')
  })

  it('reach a person who follows a package and can no longer view it, and nobody else without a right', async () => {
    const mount = await withPackage()
    await mount.addCopies(2)
    for (const id of [1001, 1002]) {
      mount.packages.set(id, { ...mount.packages.get(id)!, initiator: people.outsider })
      await mount.misattribute(id, 'outsider')
    }
    const following = await follow(mount, 'outsider', 'list=1&package=6025-1001')
    const plain = await follow(mount, 'outsider')
    // A stream may begin with an event about a package that the person may not view; this one does not.
    await following.untilText('hello')
    const isAsked = ({ url }: Request) => /actions\?.*id=1001/.test(url)
    await until(() => mount.journal.some(isAsked))
    mount.packages.set(1001, { ...mount.packages.get(1001)!, initiator: people.initiator })
    await mount.end(1001)
    assert.equal((await following.next())?.event, 'list')
    await mount.end(1002)
    assert.equal((await plain.next())?.event, 'list')
    assert.equal((await following.next())?.event, 'list')
    assert.equal(plain.text().split(listChanged).length, 2, 'only one of two')
  })

  it('begin with one if the stream continues another: what changed between them is not known', async () => {
    const mount = await withPackage()
    const first = await follow(mount, 'initiator')
    await first.untilText('\nid: ')
    const id = /^id: (.*)$/m.exec(first.text())?.[1] ?? ''
    const next = await follow(mount, 'initiator', 'list=1', { 'last-event-id': id })
    assert.equal((await next.next())?.event, 'list')
    assert.doesNotMatch(first.text(), /event: list/, 'control')
  })

  it('pause while the service does not respond, so that pages poll', async () => {
    let isDown = true
    const mount = withIndex({
      async intercept(sent, emulator) {
        const isFailing = isDown && new URL(sent.url).pathname.endsWith('/status')
        return isFailing ? new Response(null, { status: 500 }) : await emulator.fetch(sent)
      },
    })
    await mount.index.request([hint(42)], Date.now())
    await until(() => mount.log.some((line) => line.includes('could not be read')))
    assert.equal((await (await follow(mount, 'initiator')).next())?.event, 'pause')
    isDown = false
    await mount.lists('mine', 'initiator', [42])
    const after = await follow(mount, 'initiator')
    await mount.control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
    assert.equal((await after.next())?.event, 'list', 'control: no pause')
  })

  it('never come if the site keeps no lists', async () => {
    const bus = createLocalBus()
    const mount = setUp({ storage: { bus } })
    const reader = await follow(mount, 'initiator')
    await reader.untilText('hello')
    const id = /^id: (.*)$/m.exec(reader.text())?.[1] ?? ''
    const next = await follow(mount, 'initiator', 'list=1&package=6025-42', { 'last-event-id': id })
    await bus.publish(hint(42))
    assert.equal((await next.next())?.event, 'change')
    await mount.proxy.close()
  })
})
