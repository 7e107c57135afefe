// In all engines: layout.
import { aTimeout, expect, fixture, html, oneEvent } from '@open-wc/testing'
import { WfChangeEvent } from '../../../src/elements/element/events.ts'
import '../../../src/define/wf-badge.ts'
import '../../../src/define/wf-context.ts'
import { addLanguage } from '../../../src/elements/text/added-languages.ts'
import { WfBadge } from '../../../src/elements/wf-badge/wf-badge.ts'
import * as spanish from '../../../src/locales/es.ts'
import { createClient } from '../../../src/client/index.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'

describe('<wf-badge>', () => {
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
          .map((id) => html`<wf-badge .client=${client} form-id="6025" package-id=${id}></wf-badge>`)}
      </div>`,
    )
    const badges = [...table.querySelectorAll('wf-badge')]
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

  it('fires wf-change', async () => {
    const { badge, backend } = await showBadge(createBackend(people.initiator, { interval: 60 }))
    const changed = oneEvent<WfChangeEvent>(badge, WfChangeEvent.type)
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'COMPLETE', inbox: [] })
    const { value, from, to } = await changed
    expect([value.id, from, to]).to.deep.equal([42, 'ROUTING', 'COMPLETE'])
    expect(part(badge, 'state')).to.have.trimmed.text('Complete')
  })

  it('shows another package when its attribute or property changes, and never the state of the previous one', async () => {
    const { badge, backend } = await showBadge(createBackend())
    const template = backend.emulator.packages.test.get(42)!
    backend.emulator.packages.test.set(50, { ...template, id: 50, state: 'VOID' })
    badge.packageId = 50
    expect(badge).to.have.attribute('package-id', '50')
    await Promise.resolve()
    expect(badge.value).to.equal(undefined)
    await waitUntil(() => part(badge, 'state')?.textContent === 'Void')

    badge.setAttribute('package-id', '42')
    expect(badge.packageId).to.equal(42)
    await waitUntil(() => part(badge, 'state')?.textContent.startsWith('In routing'))
    badge.setAttribute('package-id', '4x2')
    expect(badge.packageId).to.equal(0)
    await waitUntil(() => part(badge, 'not-configured')?.textContent.includes('package-id'))
  })

  it('keeps properties that were set before the tag was defined', async () => {
    const early = document.createElement('wf-badge-early') as WfBadge
    const { client } = createBackend()
    Object.assign(early, { client, formId: 6025, packageId: 42 })
    customElements.define('wf-badge-early', class extends WfBadge {})
    document.body.append(early)
    await waitUntil(() => part(early, 'state'))
    expect([early.client, early.formId, early.packageId]).to.deep.equal([client, 6025, 42])
    early.remove()
  })

  it('loads the other packages if the service refuses one', async () => {
    const backend = createBackend()
    backend.intercept = (request) =>
      new URL(request.url).searchParams.getAll('id').includes('666')
        ? Promise.resolve(new Response('{}', { status: 400 }))
        : undefined
    const list = await fixture(
      html`<div>
        ${[42, 666].map(
          (id) => html`<wf-badge .client=${backend.client} form-id="6025" package-id=${id}></wf-badge>`,
        )}
      </div>`,
    )
    const [good, bad] = [...list.querySelectorAll('wf-badge')]
    await waitUntil(() => part(good!, 'state'), 'the good one is not shown')
    await waitUntil(() => part(bad!, 'failure'), 'the refused one is not marked')
  })

  it('keeps its content when it moves, and loads again when it returns', async () => {
    const { badge } = await showBadge(createBackend())
    let loads = 0
    badge.addEventListener('wf-load', () => loads++)
    const { parentElement } = badge
    parentElement!.append(badge)
    await badge.refresh()
    expect(loads, 'moved and refreshed').to.equal(1)

    badge.remove()
    await badge.refresh()
    expect(loads, 'while it is not in the page').to.equal(1)
    parentElement!.append(badge)
    expect(part(badge, 'state')).to.not.equal(null)
    await waitUntil(() => loads === 2, 'it did not load again')
  })

  it('has the settings of its context, and shows its states and language', async () => {
    const backend = createBackend()
    const context = await fixture<HTMLElement>(
      html`<wf-context .client=${backend.client} form-id="6025" package-id="42"
        ><wf-badge></wf-badge
      ></wf-context>`,
    )
    const badge = context.querySelector('wf-badge')!
    expect(badge.matches(':state(loading):state(busy)')).to.equal(true)
    await waitUntil(() => part(badge, 'state'))
    expect(badge.matches(':state(loaded):not(:state(busy), :state(loading))')).to.equal(true)
    expect(part(badge, 'state')).to.have.attribute('lang', 'en')
    addLanguage('es', spanish)
    context.lang = 'es'
    await waitUntil(() => part(badge, 'state')!.lang === 'es')
    expect(part(badge, 'state')).to.have.attribute('title', 'A la espera de Daniel Reyes')
  })

  it('fires wf-error, and wf-signed-out once', async () => {
    const backend = createBackend(null)
    const fired: string[] = []
    const badge = document.createElement('wf-badge')
    for (const type of ['wf-error', 'wf-signed-out']) badge.addEventListener(type, () => fired.push(type))
    Object.assign(badge, { client: backend.client, formId: 6025, packageId: 42 })
    document.body.append(badge)
    await waitUntil(() => fired.length === 2)
    await badge.refresh()
    expect(fired).to.deep.equal(['wf-error', 'wf-signed-out', 'wf-error'])
    expect(badge.matches(':state(signed-out)')).to.equal(true)
    expect(part(badge, 'failure')).to.have.attribute(
      'title',
      'You are signed out. Sign in, then return to this page.',
    )
    badge.remove()
  })

  it('shows the page author what is not configured', async () => {
    const badge = await fixture<WfBadge>(html`<wf-badge package-id="1"></wf-badge>`)
    expect(part(badge, 'not-configured')).to.include.text('needs endpoint, form-id')
  })
})

async function showBadge(backend: Backend, packageId = 42, until = '[part=state]') {
  const badge = await fixture<WfBadge>(html`
    <wf-badge .client=${backend.client} form-id="6025" package-id=${packageId}></wf-badge>
  `)
  await waitUntil(() => badge.shadowRoot!.querySelector(until), `${until} did not appear`)
  return { badge, backend }
}

function part(element: WfBadge, name: string): HTMLElement | null {
  return element.shadowRoot!.querySelector(`[part="${name}"]`)
}
