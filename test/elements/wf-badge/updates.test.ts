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
    await waitUntil(() => page.requests.length === 1)
    page.changed('poll')
    await settle()
    expect(page.requests, 'a poll while a request is on its way').to.have.length(1)
    page.changed('changed')
    await waitUntil(() => page.requests.length === 2, 'the first one may be older than the change')
    page.respond({ state: 'VOID' })
    page.respond({ state: 'COMPLETE' })
    await waitUntil(() => textOf(badge) === 'Complete')
    expect(page.loads, 'the late response is ignored').to.deep.equal(['ROUTING', 'COMPLETE'])
    page.changed('poll')
    await waitUntil(() => page.requests.length === 1, 'a poll afterwards')
  })

  it('fires wf-change only if the state has changed', async () => {
    const { badge, page } = await show()
    const changes: unknown[] = []
    badge.addEventListener('wf-change', ({ from, to, value }) => changes.push([from, to, value]))
    for (const state of ['ROUTING', 'VOID']) {
      void badge.refresh()
      await waitUntil(() => page.requests.length === 1)
      page.respond({ state })
      await waitUntil(() => page.requests.length === 0 && !badge.matches(':state(busy)'))
    }
    expect(page.loads).to.deep.equal(['ROUTING', 'ROUTING', 'VOID'])
    expect(changes).to.deep.equal([['ROUTING', 'VOID', { id: 42, state: 'VOID', inboxSignatures: [] }]])
    expect(page.invalidated).to.deep.equal(['6025/42', '6025/42'])
  })

  it('leaves what it shows in place if nothing has changed', async () => {
    const { badge, page } = await show()
    const before = badge.shadowRoot!.firstChild
    void badge.refresh()
    await waitUntil(() => page.requests.length === 1)
    page.respond({ state: 'ROUTING' })
    await waitUntil(() => page.loads.length === 2)
    expect(badge.shadowRoot!.firstChild === before, 'a tooltip stays open').to.equal(true)
  })

  it('stops watching and waiting when it is removed', async () => {
    const { badge, page } = await show()
    page.changed('changed')
    await waitUntil(() => page.requests.length === 1)
    badge.remove()
    await settle()
    expect(page.stops).to.equal(1)
    page.respond({ state: 'VOID' })
    await settle()
    expect(page.loads).to.deep.equal(['ROUTING'])
    expect(textOf(badge)).to.equal('In routing')
  })

  it('goes on watching if it only moves', async () => {
    const { badge, page } = await show()
    badge.parentElement!.append(badge)
    await settle()
    expect([page.stops, page.requests.length]).to.deep.equal([0, 0])
  })

  it('shows nothing of the previous person, and no earlier state to the next', async () => {
    const { badge, page } = await show()
    const changes: unknown[] = []
    badge.addEventListener('wf-change', (event) => changes.push(event))
    page.changed('user')
    expect(badge.value).to.equal(undefined)
    await waitUntil(() => page.requests.length === 1)
    expect(textOf(badge)).to.equal('Loading…')
    page.respond({ state: 'VOID' })
    await waitUntil(() => textOf(badge) === 'Void')
    expect(changes, 'nothing that this person has seen').to.deep.equal([])
  })

  it('shows what the cache has while it loads', async () => {
    const page = fakePage({ id: 42, state: 'COMPLETE', inboxSignatures: null })
    const badge = await add(page)
    expect(textOf(badge)).to.equal('Complete')
    expect(statesOf(badge)).to.deep.equal(['loaded', 'busy'])
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
      void badge.refresh()
      await waitUntil(() => page.requests.length === 1)
      page.respond(error)
      await waitUntil(() => errors.length === 1)
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

  it('has failed if nothing has ever loaded', async () => {
    for (const [error, state, text] of [
      [down, 'failed', "Not loaded, Couldn't be loaded."],
      [new NoProxyError('getStatus', '/wf'), 'no-proxy', 'No Routeslip proxy found at /wf.'],
    ] as const) {
      const page = fakePage()
      const badge = await add(page)
      expect(statesOf(badge)).to.deep.equal(['loading', 'busy'])
      page.respond(error)
      await waitUntil(() => badge.matches(`:state(${state})`))
      expect(statesOf(badge)).to.deep.equal([state])
      expect(badge.shadowRoot!.textContent).to.equal(text)
    }
  })

  it('shows nothing and stops watching if it is not configured any more', async () => {
    const { badge, page } = await show()
    badge.formId = 0
    expect(badge).not.to.have.attribute('form-id')
    await waitUntil(() => badge.shadowRoot!.textContent === '<wf-badge> needs form-id to show anything.')
    expect(statesOf(badge)).to.deep.equal(['not-configured'])
    expect(page.stops).to.equal(1)
    expect(badge.value).to.equal(undefined)
    await badge.refresh()
    expect(page.requests).to.have.length(0)
    badge.formId = 6025
    await waitUntil(() => page.requests.length === 1, 'it loads again')
  })

  it('reflects its properties', async () => {
    const { badge } = await show()
    badge.endpoint = '/api/wf'
    expect(badge).to.have.attribute('endpoint', '/api/wf')
    expect(badge.endpoint).to.equal('/api/wf')
    badge.removeAttribute('endpoint')
    expect(badge.endpoint).to.equal('')
    badge.setAttribute('form-id', '6x')
    expect(badge.formId).to.equal(0)
  })

  it('asks one client once for all badges of a form, and shows each of them', async () => {
    const page = fakePage()
    const list = await fixture<HTMLElement>(
      html`<div>
        ${[
          [6025, 42],
          [6025, 42],
          [6025, 43],
          [6026, 42],
        ].map(
          ([formId, id]) =>
            html`<wf-badge .client=${page.client} form-id=${formId!} package-id=${id!}></wf-badge>`,
        )}
      </div>`,
    )
    await waitUntil(() => page.requests.length === 2)
    expect(page.requests.map(({ formId, ids }) => [formId, ids])).to.deep.equal([
      [6025, [42, 43]],
      [6026, [42]],
    ])
    page.respond({ state: 'VOID' })
    page.respond({ state: 'DRAFT' })
    const badges = [...list.querySelectorAll('wf-badge')]
    await waitUntil(() => badges.every((badge) => badge.value))
    expect(badges.map(textOf)).to.deep.equal(['Void', 'Void', 'Void', 'Draft'])
  })
})

/** A client whose requests the test answers. */
function fakePage(cached?: unknown) {
  const page = {
    requests: [] as { formId: number; ids: number[]; settle: (result: object) => void }[],
    scopes: [] as string[],
    invalidated: [] as string[],
    /** The states that the badge has loaded. */
    loads: [] as string[],
    stops: 0,
    changed: (_why: RevalidationReason) => {},
    /** Answers the first request with packages in a state, or with an error. */
    respond(result: { readonly state: string } | Error) {
      page.requests.shift()!.settle(result)
    },
    client: {
      getCached: () => [cached ?? null],
      invalidate: (scope: string) => void page.invalidated.push(scope),
      watch: (scope: string, changed: (why: RevalidationReason) => void) => {
        page.scopes.push(scope)
        page.changed = changed
        return () => void page.stops++
      },
      getStatus: ({ params, query }: { params: { formId: number }; query: { id: number[] } }) =>
        new Promise((resolve, reject) => {
          const settle = (result: object) =>
            result instanceof Error
              ? reject(result)
              : resolve(query.id.map((id) => ({ id, ...result, inboxSignatures: [] })))
          page.requests.push({ formId: params.formId, ids: query.id, settle })
        }),
    } as unknown as PageClient,
  }
  return page
}

/** Adds a badge for package 42 to the page, and waits for its first request. */
async function add(page: ReturnType<typeof fakePage>): Promise<WfBadge> {
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

/** Waits for everything that the badge does by itself. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setTimeout(resolve))
}

/** The label, or the tooltip of an image. */
function textOf(badge: WfBadge): string {
  const { textContent, title } = badge.shadowRoot!.firstElementChild as HTMLElement
  return textContent.trim() || title
}

function statesOf(badge: WfBadge): string[] {
  const all = 'loading loaded busy stale failed no-proxy forbidden missing signed-out not-configured'
  return all
    .split(' ')
    .filter((state) => badge.matches(`:state(${state})`))
    .sort(byOrder)
}

const order = ['loaded', 'loading', 'busy', 'stale']
function byOrder(one: string, other: string): number {
  return order.indexOf(one) - order.indexOf(other)
}
