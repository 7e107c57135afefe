import { expect, fixture, html } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import '../../../src/define/wf-badge.ts'
import '../../../src/define/wf-context.ts'
import { createClient, type PageClient } from '../../../src/client/index.ts'
import { packageStates } from '../../../src/contract/values/values.ts'
import { addLanguage } from '../../../src/elements/text/added-languages.ts'
import { WfBadge } from '../../../src/elements/wf-badge/wf-badge.ts'
import * as spanish from '../../../src/locales/es.ts'
import { breakDown, createBackend, people } from '../../../stories/backend.ts'
import { emulateMedia } from '../../media.ts'
import { waitUntil } from '../../wait-until.ts'

describe('<wf-badge>', () => {
  it('shows the state, and who has to act while the package is in routing', async () => {
    const shapes = new Set<string>()
    for (const [state, approvers, label, title] of [
      ['ROUTING', ['Ana'], 'In routing', 'Waiting for Ana'],
      ['ROUTING', ['Ana', null, 'Ben'], 'In routing', 'Waiting for Ana, Someone, and Ben'],
      ['ROUTING', [], 'In routing', ''],
      ['COMPLETE', ['Ana'], 'Complete', ''],
      ['VOID', [], 'Void', ''],
      ['ON_HOLD', ['Ana'], 'On hold', ''],
    ] as const) {
      const badge = await showBadge(clientOf(state, approvers))
      const shown = part(badge, 'state')!
      expect(shown.textContent).to.equal(title ? `${label}, ${title}` : label)
      expect(shown.title).to.equal(title)
      expect(shown).to.have.attribute('data-state', state)
      const [icon, ...others] = shown.querySelectorAll('svg')
      expect([icon?.getAttribute('aria-hidden'), others]).to.deep.equal(['true', []])
      expect(icon!.getBoundingClientRect().width).to.be.greaterThan(5)
      expect(icon!.firstElementChild).to.be.instanceOf(SVGPathElement)
      shapes.add(icon!.firstElementChild!.getAttribute('d')!)
      expect(badge.value!.approvers.map(({ approver }) => approver)).to.deep.equal(approvers)
    }
    expect(shapes.size, 'each state has a shape of its own').to.equal(4)
  })

  it('unfolds whom it waits for while it has the focus, and is no stop for the Tab key if it has no more to say @engines', async () => {
    const backend = createBackend()
    const badge = await showBadge(backend.client)
    const text = () => part(badge, 'state')!.querySelector<HTMLElement>(':scope > span')!
    const size = () => text().getBoundingClientRect()
    const isSeen = () => size().width > 50 && Number(getComputedStyle(text()).opacity) > 0.5
    expect(isSeen()).to.equal(false)
    await sendKeys({ press: 'Tab' })
    expect(badge.shadowRoot!.activeElement).to.equal(part(badge, 'state'))
    expect([isSeen(), text().innerText]).to.deep.equal([true, ', Waiting for Daniel Reyes'])
    await expect(badge).to.be.accessible()

    // More is known now. The focus stays, although the badge is another one.
    breakDown(backend)
    await badge.refresh()
    expect(part(badge, 'stale')).to.equal(badge.shadowRoot!.activeElement)
    expect(text().innerText).to.include('Daniel Reyes. ')
    part(badge, 'stale')!.blur()
    expect(isSeen()).to.equal(false)

    const complete = await showBadge(clientOf('COMPLETE', []))
    expect(part(complete, 'state')!.tabIndex).to.equal(-1)
  })

  it('is as high as a word of the line, and has the same size before and after it loads @engines', async () => {
    const backend = createBackend()
    let release!: () => void
    const held = new Promise<void>((resolve) => (release = resolve))
    backend.intercept = (request) => held.then(() => backend.emulator.fetch(request))
    const badge = await showBadge(backend.client, 'loading')
    expect(getComputedStyle(badge).display).to.equal('inline-block')
    expect(part(badge, 'loading')).to.have.attribute('title', 'Loading…')
    await expect(badge).to.be.accessible()
    const before = badge.getBoundingClientRect()
    release()
    await waitUntil(() => part(badge, 'state'))
    const after = badge.getBoundingClientRect()
    expect(after.height).to.equal(before.height)
    expect(Math.abs(after.width - before.width)).to.be.below(16)
  })

  it('combines the requests of hundreds, and reads a package once', async () => {
    const backend = createBackend()
    const packages = backend.emulator.packages.test
    for (let id = 1000; id < 1200; id++) packages.set(id, { ...packages.get(42)!, id })
    const requested: number[] = []
    const client = createClient({
      endpoint: 'https://northfield.test/api/wf',
      live: false,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        requested.push(new URL(request.url).searchParams.getAll('id').length)
        return await backend.send(request)
      },
    })
    const ids = [...packages.keys()].filter((id) => id >= 1000)
    const list = await fixture(
      html`<div>
        ${[...ids, 1000, 1001].map(
          (id) => html`<wf-badge .client=${client} form-id="6025" package-id=${id}></wf-badge>`,
        )}
      </div>`,
    )
    const badges = [...list.querySelectorAll('wf-badge')]
    await waitUntil(() => badges.every((badge) => part(badge, 'state')))
    expect(requested).to.deep.equal([100, 100])
    expect(badges.map(({ value }) => value!.found.id)).to.deep.equal([...ids, 1000, 1001])
  })

  it('shows the other packages if the service refuses one', async () => {
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

  it('looks the same for a missing and a forbidden package', async () => {
    const missing = await showBadge(createBackend().client, 'failure', 999)
    const forbidden = await showBadge(createBackend(people.outsider).client, 'failure')
    expect(part(missing, 'failure')).to.have.trimmed.text('Not available')
    expect(part(forbidden, 'failure')!.outerHTML).to.equal(part(missing, 'failure')!.outerHTML)
  })

  it('marks a state that may be out of date, and recovers', async () => {
    const backend = createBackend(people.initiator, { interval: 60, maxBackoff: 60 })
    const badge = await showBadge(backend.client)
    breakDown(backend)
    await waitUntil(() => part(badge, 'stale'))
    const shown = part(badge, 'stale')!
    expect(shown.title).to.equal(
      'Waiting for Daniel Reyes. This may be out of date. The latest version couldn’t be loaded.',
    )
    expect(shown.textContent).to.equal(`In routing, ${shown.title}`)
    expect(shown.querySelectorAll('svg')).to.have.length(2)
    await expect(badge).to.be.accessible()
    backend.intercept = () => undefined
    await waitUntil(() => badge.matches(':state(loaded):not(:state(stale))'))
    expect(part(badge, 'stale')).to.equal(null)
  })

  it('fires wf-error, and wf-signed-out once', async () => {
    const fired: string[] = []
    const badge = document.createElement('wf-badge')
    for (const type of ['wf-error', 'wf-signed-out']) badge.addEventListener(type, () => fired.push(type))
    Object.assign(badge, { client: createBackend(null).client, formId: 6025, packageId: 42 })
    await fixture(html`<div>${badge}</div>`)
    await waitUntil(() => fired.length === 2)
    await badge.refresh()
    expect(fired).to.deep.equal(['wf-error', 'wf-signed-out', 'wf-error'])
    expect(part(badge, 'failure')!.title).to.equal('You are signed out. Sign in, then return to this page.')
  })

  it('shows another package when its attribute or property changes, and never the state of the previous one', async () => {
    const backend = createBackend()
    const badge = await showBadge(backend.client)
    const template = backend.emulator.packages.test.get(42)!
    backend.emulator.packages.test.set(50, { ...template, id: 50, state: 'VOID' })
    badge.packageId = 50
    await Promise.resolve()
    expect(badge.value).to.equal(undefined)
    await waitUntil(() => part(badge, 'state')?.textContent === 'Void')
    badge.setAttribute('package-id', '42')
    await waitUntil(() => part(badge, 'state')?.textContent.startsWith('In routing'))
    badge.setAttribute('package-id', '4x2')
    await waitUntil(() => part(badge, 'not-configured')?.textContent.includes('package-id'))
  })

  it('reflects its properties as attributes', () => {
    const badge = document.createElement('wf-badge')
    const attributes = () => [...badge.attributes].map(({ name, value }) => `${name}=${value}`)
    const properties = () => [badge.endpoint, badge.formId, badge.packageId, badge.client, badge.value]
    expect(properties()).to.deep.equal(['', 0, 0, undefined, undefined])
    Object.assign(badge, { endpoint: '/api/wf', formId: 6025, packageId: 42 })
    expect(attributes()).to.deep.equal(['endpoint=/api/wf', 'form-id=6025', 'package-id=42'])
    expect(properties()).to.deep.equal(['/api/wf', 6025, 42, undefined, undefined])
    badge.setAttribute('form-id', '6x')
    expect(badge.formId).to.equal(0)
    Object.assign(badge, { endpoint: '', formId: 0, packageId: undefined })
    expect(attributes()).to.deep.equal([])
  })

  it('keeps properties that were set before the tag was defined @engines', async () => {
    const early = document.createElement('wf-badge-early') as WfBadge
    const { client } = createBackend()
    Object.assign(early, { client, formId: 6025, packageId: 42, other: 1 })
    customElements.define('wf-badge-early', class extends WfBadge {})
    await fixture(html`<div>${early}</div>`)
    await waitUntil(() => part(early, 'state'))
    expect([early.client, early.formId, early.packageId]).to.deep.equal([client, 6025, 42])
    expect(Object.entries(early)).to.deep.equal([['other', 1]])
    early.formId = 7
    expect(early).to.have.attribute('form-id', '7')
  })

  it('has the settings of its context and the language of the page, and shows its states', async () => {
    const context = await fixture<HTMLElement>(
      html`<wf-context .client=${clientOf('ROUTING', ['Ana', 'Ben'])} form-id="6025" package-id="42"
        ><wf-badge></wf-badge
      ></wf-context>`,
    )
    const badge = context.querySelector('wf-badge')!
    await waitUntil(() => part(badge, 'state'))
    expect(badge.matches(':state(loaded):not(:state(busy), :state(loading))')).to.equal(true)
    expect(part(badge, 'state')!.lang).to.equal('en')
    addLanguage('es', spanish)
    context.lang = 'es'
    await waitUntil(() => part(badge, 'state')!.lang === 'es')
    expect(part(badge, 'state')!.title).to.equal('A la espera de Ana y Ben')
  })

  it('shows the page author what is not configured', async () => {
    const badge = await fixture<WfBadge>(html`<wf-badge package-id="1"></wf-badge>`)
    await waitUntil(() => badge.matches(':state(not-configured)'))
    expect(part(badge, 'not-configured')).to.include.text('needs endpoint, form-id')
  })

  for (const [colorScheme, forcedColors, direction] of [
    ['light', 'none', 'ltr'],
    ['dark', 'none', 'rtl'],
    ['light', 'active', 'ltr'],
  ] as const)
    it(`is accessible in every state, ${colorScheme}, forced colors ${forcedColors}, ${direction}`, async () => {
      await emulateMedia({ colorScheme, forcedColors })
      for (const state of packageStates) {
        const badge = await showBadge(clientOf(state, ['Ana']))
        badge.dir = direction
        await expect(badge).to.be.accessible(
          forcedColors === 'active' ? { ignoredRules: ['color-contrast'] } : {},
        )
      }
    })
})

/** A client that knows one package. */
function clientOf(state: string, approvers: readonly (string | null)[]): PageClient {
  const holders = approvers.map((approver) => ({ approver, permission: 'SIGNATURE_REQUIRED' }))
  const viewer = { approver: 'Eve', permission: 'VIEW_ONLY' }
  return {
    getCached: () => undefined,
    watch: () => () => {},
    getStatus: () => Promise.resolve([{ id: 42, state, inboxSignatures: [viewer, ...holders] }]),
  } as unknown as PageClient
}

/** Shows a badge, and waits for a part of it. */
async function showBadge(client: PageClient, until = 'state', packageId = 42): Promise<WfBadge> {
  const badge = await fixture<WfBadge>(html`
    <wf-badge .client=${client} form-id="6025" package-id=${packageId}></wf-badge>
  `)
  await waitUntil(() => part(badge, until), `${until} did not appear`)
  return badge
}

function part(element: WfBadge, name: string): HTMLElement | null {
  return element.shadowRoot!.querySelector(`[part~="${name}"]`)
}
