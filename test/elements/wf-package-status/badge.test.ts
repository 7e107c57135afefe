import { aTimeout, expect, fixture, html, oneEvent } from '@open-wc/testing'
import { WfChangeEvent } from '../../../src/elements/events.ts'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import { createClient } from '../../../src/client/index.ts'
import { createBackend, people } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'
import { showBadge, part } from './element.ts'

describe('<wf-package-status> as a badge', () => {
  it('shows the state, and the people it waits for to screen readers and in its tooltip', async () => {
    const { badge } = await showBadge(createBackend())

    expect(part(badge, 'state')).to.have.trimmed.text('In routing, Waiting for Daniel Reyes')
    expect(part(badge, 'state')).to.have.attribute('title', 'Waiting for Daniel Reyes')
    expect(getComputedStyle(badge).display).to.equal('inline-block')
  })

  it('costs two requests when there are 200 of them', async () => {
    let calls = 0
    const backend = createBackend()
    const packages = backend.emulator.packages.test
    for (let id = 1000; id < 1200; id++) packages.set(id, { ...packages.get(42)!, id })
    const requestSizes = new Map<string, unknown>()
    const client = createClient({
      endpoint: 'https://northfield.test/api/wf',
      fetch: async (input) => {
        const { pathname, searchParams } = new URL(new Request(input).url)
        // Live events, of which the whole page has one stream.
        if (pathname.endsWith('/events')) return new Response('', { status: 404 })
        calls++
        const ids = searchParams.getAll('id').map(Number)
        requestSizes.set(String(ids.length), true)
        return Response.json(
          await backend.client.getStatus(
            { params: { formId: 6025 }, query: { id: ids } },
            { version: '1.2' },
          ),
        )
      },
    })
    const table = await fixture(
      html`<div>
        ${[...packages.keys()]
          .filter((id) => id >= 1000)
          .map(
            (id) =>
              html`<wf-package-status
                variant="badge"
                .client=${client}
                form-id="6025"
                package-id=${id}
              ></wf-package-status>`,
          )}
      </div>`,
    )
    const badges = [...table.querySelectorAll('wf-package-status')]
    await waitUntil(() => badges.every((badge) => part(badge, 'state')))
    await aTimeout(50)

    expect(calls).to.equal(2)
    expect([...requestSizes.keys()]).to.deep.equal(['100'])
    expect(backend.journal.filter((line) => !/\/(status|actions)$/.test(line))).to.deep.equal([])
    expect(badges.every((badge) => badge.shadowRoot!.querySelector('[role=status]') === null)).to.equal(true)
  })

  it('looks the same for a missing and a forbidden package', async () => {
    const missing = await showBadge(createBackend(people.initiator), 999, '[part=failure]')
    const forbidden = await showBadge(createBackend(people.outsider), 42, '[part=failure]')

    expect(part(missing.badge, 'failure')).to.have.trimmed.text('Not available')
    expect(part(forbidden.badge, 'failure')!.innerHTML).to.equal(part(missing.badge, 'failure')!.innerHTML)
  })

  it('shows a mark if it failed to load, and recovers', async () => {
    const backend = createBackend(people.initiator, { interval: 60, maxBackoff: 60 })
    backend.intercept = () => Promise.reject(new TypeError('down'))
    const { badge } = await showBadge(backend, 42, '[part=failure]')

    expect(part(badge, 'failure')).to.have.trimmed.text("Not loaded, Couldn't be loaded.")
    expect(part(badge, 'failure')).to.have.attribute('title', "Couldn't be loaded.")
    backend.intercept = () => undefined
    await waitUntil(() => part(badge, 'state'))
  })

  it('keeps its content with a mark during an outage', async () => {
    const { badge, backend } = await showBadge(
      createBackend(people.initiator, { interval: 60, maxBackoff: 60 }),
    )
    backend.intercept = () => Promise.reject(new TypeError('down'))
    await waitUntil(() => badge.shadowRoot!.querySelector('[part~=stale]'))

    expect(badge.shadowRoot!.textContent).to.match(/In routing.*This may be out of date/)
    await expect(badge).to.be.accessible()
  })

  it('has the same size before and after it loads', async () => {
    const backend = createBackend()
    let release!: () => void
    const held = new Promise<void>((resolve) => (release = resolve))
    backend.intercept = (request) => held.then(() => backend.emulator.fetch(request))
    const { badge } = await showBadge(backend, 42, '[part=loading]')
    expect(part(badge, 'loading')).to.have.attribute('title', 'Loading…')
    await expect(badge).to.be.accessible()
    const before = badge.getBoundingClientRect()
    release()
    await waitUntil(() => part(badge, 'state'))
    const after = badge.getBoundingClientRect()

    expect(after.height).to.equal(before.height)
    expect(Math.abs(after.width - before.width)).to.be.below(16)
  })

  it('fires wf-change, and becomes a card when its variant is removed', async () => {
    const { badge, backend } = await showBadge(createBackend(people.initiator, { interval: 60 }))
    const changed = oneEvent<WfChangeEvent>(badge, WfChangeEvent.type)
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'COMPLETE', inbox: [] })
    const { value, from, to } = await changed
    expect([value.id, from, to]).to.deep.equal([42, 'ROUTING', 'COMPLETE'])

    badge.removeAttribute('variant')
    await waitUntil(() => part(badge, 'facts')?.textContent?.includes('Amara Okafor'))
    badge.variant = 'badge'
    await badge.updateComplete
    expect(part(badge, 'facts')).to.equal(null)
    expect(badge).to.have.attribute('variant', 'badge')
  })

  it('does not show what is known for a badge as a card', async () => {
    const { badge, backend } = await showBadge(createBackend(people.initiator))
    badge.removeAttribute('variant')
    await waitUntil(() => part(badge, 'facts'))
    await backend.client.getStatus({ params: { formId: 6025 }, query: { id: [43] } }, { version: '1.2' })
    badge.packageId = 43
    await badge.updateComplete
    expect(badge.value).to.equal(undefined)
  })

  it('shows the page author what is not configured', async () => {
    const badge = await fixture<WfPackageStatus>(
      html`<wf-package-status variant="badge" package-id="1"></wf-package-status>`,
    )
    expect(part(badge, 'not-configured')).to.include.text('needs endpoint, form-id')
  })
})
