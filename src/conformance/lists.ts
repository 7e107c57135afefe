import { listViews, RequestList } from '../contract/schemas/lists.ts'
import { ownListRoutes, ownReminderRoutes } from '../contract/routes/list-routes.ts'
import { Session } from '../contract/schemas/session.ts'
import { fillPath } from '../contract/values/path.ts'
import type { Fixture } from './fixture.ts'
import { type ConformanceSuite, mutationsOf, pause, summaryOf } from './suite.ts'
import { check, type Check, formId, people } from './target.ts'

/** How long a proxy may take to learn of a package that it has let somebody read, in milliseconds. */
const learningTime = 10_000

/**
 * Checks the proxy's own lists of requests and its reminders, as far as `/session` lists them. A proxy without them need not
 * respond to them.
 */
export async function* checkLists(suite: ConformanceSuite, fixture: Fixture): AsyncGenerator<Check> {
  const servedTo = async (as: string) => {
    const { json } = await suite.raw({ method: 'GET', path: '/session', as })
    return Session.safeParse(json).data?.allows.operations ?? []
  }
  const list = async (query: string, as: string | null) => {
    const { status, json } = await suite.raw({
      method: 'GET',
      path: `${ownListRoutes.getList.path}?${query}`,
      as,
    })
    return { status, rows: RequestList.safeParse(json).data?.rows.map((row) => row?.packageId) }
  }
  const { packageId } = await fixture.sample('getPackage', 'ROUTING')
  const params = { formId, packageId }

  if ((await servedTo(people.initiator)).includes('getList')) {
    yield check('lists: a request that was read is in the list of who has started it', async () => {
      await suite.call('getPackage', people.initiator, { params })
      for (const end = Date.now() + learningTime; ;) {
        const { status, rows } = await list('view=mine', people.initiator)
        if (status === 200 && rows?.includes(packageId)) return ''
        if (Date.now() > end)
          return `expected ${packageId} in the list, got ${status} ${JSON.stringify(rows)}`
        await pause(100)
      }
    })
    for (const view of listViews) {
      yield check(`lists: ${view} contains nothing that the person may not view`, async () => {
        const { status, rows } = await list(`view=${view}`, people.outsider)
        return status === 200 && rows?.includes(packageId) === false
          ? ''
          : `expected a list without ${packageId}, got ${status} ${JSON.stringify(rows)}`
      })
      yield check(`lists: ${view} needs a signed-in user`, async () => {
        const { status } = await list(`view=${view}`, null)
        return status === 401 ? '' : `expected 401, got ${status}`
      })
    }
    for (const query of ['', 'view=all', 'view=mine&after=x.y', 'view=mine&form=0x1', 'view=mine&person=1']) {
      yield check(`lists: "${query}" is not a list`, async () => {
        const { status } = await list(query, people.initiator)
        return status === 400 ? '' : `expected 400, got ${status}`
      })
    }
    yield check('lists: people whom the policy does not allow it get no list of a form', async () => {
      if ((await servedTo(people.outsider)).includes('getFormList')) return ''
      const path = fillPath(ownListRoutes.getFormList.path, { formId })
      const { status } = await suite.raw({ method: 'GET', path, as: people.outsider })
      return status === 403 ? '' : `expected 403, got ${status}`
    })
  }

  const served = await servedTo(people.outsider)
  if (!served.includes('sendReminder')) return
  const path = fillPath(ownReminderRoutes.sendReminder.path, params)
  for (const [who, as, expected] of [
    ['people who may not view a request', people.outsider, 403],
    ['people who are not signed in', null, 401],
  ] as const) {
    yield check(`reminders: ${who} cannot send one`, async () => {
      const { status, received } = await suite.raw({ method: 'POST', path, as, body: '{}' })
      return status === expected && mutationsOf(received).length === 0
        ? ''
        : `expected ${expected} and nothing changed, got ${status}; sent: ${summaryOf(received)}`
    })
  }
}
