import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/wf-badge.ts'
import {
  ForbiddenError,
  NoProxyError,
  NotFoundError,
  type PageClient,
  type RevalidationReason,
  SignedOutError,
  UnavailableError,
} from '../../../src/client/index.ts'
import type { WfBadge } from '../../../src/elements/wf-badge/wf-badge.ts'
import { waitUntil } from '../../wait-until.ts'

const down = new UnavailableError('getStatus', 'got no response')

describe('<wf-badge> and its requests', () => {
  it('requests the package once, and again when it may have changed', async () => {
    const { badge, page } = await show()
    expect(page.scopes).to.deep.equal(['6025/42'])
    page.changed('changed')
    page.changed('poll')
    page.changed('changed')
    await waitUntil(() => page.requests.length > 1, 'the first one may be older than the change')
    expect(page.requests, 'no poll while a request is in progress').to.have.length(2)
    page.respond({ state: 'VOID' })
    page.respond({ state: 'COMPLETE' })
    await waitUntil(() => textOf(badge) === 'Complete')
    expect(page.loads, 'the late response is ignored').to.deep.equal(['ROUTING', 'COMPLETE'])
    page.changed('poll')
    await waitUntil(() => page.requests.length === 1, 'a poll afterwards')
  })

  it('fires wf-change only if the state has changed, and leaves in place what has not', async () => {
    const { badge, page } = await show()
    const changes: unknown[] = []
    badge.addEventListener('wf-change', ({ from, to, value }) => changes.push([from, to, value]))
    const before = badge.shadowRoot!.firstChild
    await refresh(badge, page, { state: 'ROUTING' })
    expect(badge.shadowRoot!.firstChild === before, 'a tooltip stays open').to.equal(true)
    await refresh(badge, page, { state: 'VOID' })
    expect(page.loads).to.deep.equal(['ROUTING', 'ROUTING', 'VOID'])
    expect(changes).to.deep.equal([['ROUTING', 'VOID', { id: 42, state: 'VOID', inboxSignatures: [] }]])
    expect(page.invalidated).to.deep.equal(['6025/42', '6025/42'])
  })

  it('stops watching and waiting when it is removed, and loads again when it returns', async () => {
    const { badge, page } = await show()
    page.changed('changed')
    await waitUntil(() => page.requests.length === 1)
    const { parentElement } = badge
    badge.remove()
    await waitUntil(() => page.stops === 1)
    await badge.refresh()
    page.respond({ state: 'VOID' })
    parentElement!.append(badge)
    await waitUntil(() => page.requests.length > 0)
    expect(page.requests, 'nothing while it was away').to.have.length(1)
    expect(textOf(badge)).to.equal('In routing')
    page.respond({ state: 'COMPLETE' })
    await waitUntil(() => textOf(badge) === 'Complete')
    expect(page.loads).to.deep.equal(['ROUTING', 'COMPLETE'])
    expect(page.scopes).to.deep.equal(['6025/42', '6025/42'])
  })

  it('goes on watching if it only moves', async () => {
    const { badge, page } = await show()
    badge.parentElement!.append(badge)
    await refresh(badge, page, { state: 'VOID' })
    expect([page.stops, page.loads]).to.deep.equal([0, ['ROUTING', 'VOID']])
  })

  it('shows nothing of the previous person, and tells the next one of no change', async () => {
    const { badge, page } = await show()
    const changes: unknown[] = []
    badge.addEventListener('wf-change', (event) => changes.push(event))
    page.changed('user')
    expect(badge.value).to.equal(undefined)
    await waitUntil(() => page.requests.length === 1)
    expect(textOf(badge)).to.equal('Loading…')
    page.respond({ state: 'VOID' })
    await waitUntil(() => textOf(badge) === 'Void')
    expect(changes).to.deep.equal([])
    await refresh(badge, page, { state: 'DRAFT' })
    expect(changes, 'control').to.have.length(1)
  })

  it('shows what the cache has while it loads', async () => {
    const page = fakePage({ id: 42, state: 'COMPLETE', inboxSignatures: null })
    const badge = await add(page)
    expect(textOf(badge)).to.equal('Complete')
    expect(statesOf(badge)).to.deep.equal(['busy', 'loaded'])
    page.respond({ state: 'VOID' })
    await waitUntil(() => textOf(badge) === 'Void')
  })

  it('keeps a state during an outage, but not if the package is not available any more', async () => {
    for (const [error, states, isKept] of [
      [down, ['loaded', 'stale'], true],
      [new ForbiddenError('getStatus', 'is not allowed'), ['forbidden'], false],
      [new NotFoundError('getStatus', 'found nothing'), ['missing'], false],
      [new SignedOutError('getStatus', 'needs a session'), ['signed-out'], false],
    ] as const) {
      const { badge, page } = await show()
      const errors: unknown[] = []
      badge.addEventListener('wf-error', (event) => errors.push(event.error))
      await refresh(badge, page, error)
      expect(errors).to.deep.equal([error])
      expect(statesOf(badge)).to.deep.equal(states)
      expect(badge.value !== undefined).to.equal(isKept)
      page.changed('changed')
      await waitUntil(() => page.requests.length === 1)
      page.respond({ state: 'ROUTING' })
      await waitUntil(() => badge.matches(':state(loaded):not(:state(stale))'), 'it recovers')
      badge.remove()
    }
  })

  it('shows why nothing has ever loaded', async () => {
    for (const [answer, state, part, text] of [
      [down, 'failed', 'failure', 'Not loaded, Couldn’t be loaded.'],
      [new NoProxyError('getStatus', '/wf'), 'no-proxy', 'no-proxy', 'No Routeslip proxy found at /wf.'],
      [new ForbiddenError('getStatus', 'is not allowed'), 'forbidden', 'failure', 'Not available'],
      ['no row', 'missing', 'failure', 'Not available'],
    ] as const) {
      const page = fakePage()
      const badge = await add(page)
      expect(statesOf(badge)).to.deep.equal(['busy', 'loading'])
      page.respond(answer)
      await waitUntil(() => badge.matches(`:state(${state})`))
      expect(statesOf(badge)).to.deep.equal([state])
      expect(badge.shadowRoot!.firstElementChild).to.have.attribute('part', part)
      expect(badge.shadowRoot!.textContent).to.equal(text)
    }
  })

  it('shows nothing and stops watching if it is not configured any more', async () => {
    const { badge, page } = await show()
    badge.formId = 0
    await waitUntil(() => badge.shadowRoot!.textContent === '<wf-badge> needs form-id to show anything.')
    expect(statesOf(badge)).to.deep.equal(['not-configured'])
    expect(page.stops).to.equal(1)
    expect(badge.value).to.equal(undefined)
    await badge.refresh()
    expect(page.requests).to.have.length(0)
    badge.formId = 6025
    await waitUntil(() => page.requests.length === 1, 'it loads again')
  })
})

type Answer = { readonly state: string } | Error | 'no row'

/** A client whose requests the test answers. */
function fakePage(cached?: unknown) {
  const page = {
    /** Answers each request that is in progress. */
    requests: [] as ((answer: Answer) => void)[],
    scopes: [] as string[],
    invalidated: [] as string[],
    /** The states that the badge has loaded. */
    loads: [] as string[],
    stops: 0,
    changed: (_why: RevalidationReason) => {},
    /** Answers the first request with the package in a state, or with an error. */
    respond: (answer: Answer) => page.requests.shift()!(answer),
    client: {
      getCached: () => cached && [cached],
      invalidate: (scope: string) => void page.invalidated.push(scope),
      watch: (scope: string, changed: (why: RevalidationReason) => void) => {
        page.scopes.push(scope)
        page.changed = changed
        return () => void page.stops++
      },
      getStatus: () =>
        new Promise((resolve, reject) =>
          page.requests.push((answer) => {
            if (answer instanceof Error) reject(answer)
            else resolve(answer === 'no row' ? [] : [{ id: 42, ...answer, inboxSignatures: [] }])
          }),
        ),
    } as unknown as PageClient,
  }
  return page
}

type FakePage = ReturnType<typeof fakePage>

/** Adds a badge for package 42 to the page, and waits for its first request. */
async function add(page: FakePage): Promise<WfBadge> {
  const badge = document.createElement('wf-badge')
  badge.addEventListener('wf-load', () => page.loads.push(badge.value!.found.state))
  Object.assign(badge, { client: page.client, formId: 6025, packageId: 42 })
  await fixture(html`<div>${badge}</div>`)
  await waitUntil(() => page.requests.length === 1)
  return badge
}

/** Shows a badge of a package in routing. */
async function show() {
  const page = fakePage()
  const badge = await add(page)
  page.respond({ state: 'ROUTING' })
  await waitUntil(() => page.loads.length === 1)
  return { badge, page }
}

/** Refreshes the badge, and answers its request. */
async function refresh(badge: WfBadge, page: FakePage, answer: Answer): Promise<void> {
  const refreshed = badge.refresh()
  await waitUntil(() => page.requests.length > 0)
  page.respond(answer)
  await refreshed
}

/** The label, or the tooltip of an image. */
function textOf(badge: WfBadge): string {
  const { textContent, title } = badge.shadowRoot!.firstElementChild as HTMLElement
  return textContent.trim() || title
}

function statesOf(badge: WfBadge): string[] {
  const all = 'busy failed forbidden loaded loading missing no-proxy not-configured signed-out stale'
  return all.split(' ').filter((state) => badge.matches(`:state(${state})`))
}
