import { ownLockRoutes } from '../contract/routes/lock-routes.ts'
import { OpenLockList, Release } from '../contract/schemas/callbacks.ts'
import { fillPath } from '../contract/values/path.ts'
import { isRecord } from '../contract/values/values.ts'
import type { Rights } from '../contract/routes/rights.ts'
import { Session } from '../contract/schemas/session.ts'
import type { Fixture } from './fixture.ts'
import { type ConformanceSuite, mutationsOf, summaryOf } from './suite.ts'
import { check, type Check, formId, people } from './target.ts'

/**
 * Checks the proxy's own operations about frozen routes, as far as `/session` lists them. A proxy without them need not
 * respond to them.
 */
export async function* checkLocks(
  suite: ConformanceSuite,
  fixture: Fixture,
  administratorRights: readonly Rights[],
): AsyncGenerator<Check> {
  const session = await suite.raw({ method: 'GET', path: '/session', as: people.viewer })
  const served = Session.safeParse(session.json).data?.allows.operations ?? []
  const { packageId } = await fixture.sample('getPackage', 'ROUTING')

  function pathOf(name: keyof typeof ownLockRoutes, ids: { packageId: number; lockId: number }): string {
    return fillPath(ownLockRoutes[name].path, { formId, ...ids })
  }
  const list = (name: 'getLocks' | 'getFormLocks', as: string | null) =>
    suite.raw({ method: 'GET', path: pathOf(name, { packageId, lockId: 1 }), as })

  /** Returns what is wrong unless the list has this status, and no lock if it is 200. */
  async function wrongList(name: 'getLocks' | 'getFormLocks', as: string | null, expected: number) {
    const { status, json } = await list(name, as)
    if (status !== expected) return `expected ${expected}, got ${status}`
    const found = OpenLockList.safeParse(json).data?.locks.length
    return status !== 200 || found === 0
      ? ''
      : `expected no locks, got ${JSON.stringify(json)?.slice(0, 200)}`
  }

  if (served.includes('getLocks')) {
    yield check('locks: people who may view a package get its locks', () =>
      wrongList('getLocks', people.viewer, 200),
    )
    yield check('locks: people who may not view a package get 403', () =>
      wrongList('getLocks', people.outsider, 403),
    )
    yield check('locks: they need a signed-in user', () => wrongList('getLocks', null, 401))
  }
  if (served.includes('getFormLocks')) {
    yield check('locks: people who may not release a lock get none of the form', () =>
      wrongList('getFormLocks', people.outsider, 200),
    )
  }
  if (!served.includes('releaseLock')) return

  const release = async (as: string | null, body: unknown) => {
    fixture.clear()
    const sample = await fixture.sample('deleteLock', 'ROUTING')
    const path = pathOf('releaseLock', sample)
    return await suite.raw({ method: 'POST', path, as, body: JSON.stringify(body) })
  }
  for (const [who, as, expected] of [
    ['people whom the policy does not allow it', people.viewer, 403],
    ['the initiator', people.initiator, 403],
    ['people who are not signed in', null, 401],
  ] as const) {
    yield check(`locks: ${who} cannot release one`, async () => {
      const { status, received } = await release(as, { reason: 'A test' })
      return status === expected && mutationsOf(received).length === 0
        ? ''
        : `expected ${expected} and nothing changed, got ${status}; sent: ${summaryOf(received)}`
    })
  }
  if (!administratorRights.includes('policy')) return
  yield check('locks: a release needs a reason', async () => {
    const { status, received } = await release(people.administrator, { reason: ' ' })
    return status === 400 && mutationsOf(received).length === 0
      ? ''
      : `expected 400 and nothing changed, got ${status}; sent: ${summaryOf(received)}`
  })
  yield check('locks: a release lets the route continue', async () => {
    const { status, json } = await release(people.administrator, { reason: 'A test' })
    const isPaused = isRecord(json) ? Release.safeParse(json).data?.isPaused : undefined
    return status === 200 && isPaused === false
      ? ''
      : `expected 200 and isPaused: false, got ${status} ${JSON.stringify(json)?.slice(0, 200)}`
  })
}
