import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/wf-comments.ts'
import { WfErrorEvent, WfSignedOutEvent } from '../../../src/elements/element/events.ts'
import type { WfComments } from '../../../src/elements/wf-comments/wf-comments.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'

// The behavior that all elements for a package share, tested with `<wf-comments>`.
describe('PackageElement', () => {
  it('fires wf-signed-out once per sign-out, although retries fail', async () => {
    const { element, backend } = await show()
    let failures = 0
    let signOuts = 0
    element.addEventListener(WfErrorEvent.type, () => failures++)
    element.addEventListener(WfSignedOutEvent.type, () => signOuts++)
    for (const expected of [1, 2]) {
      backend.person = null
      const before = failures
      while (failures < before + 3) await element.refresh()
      expect(signOuts).to.equal(expected)
      backend.person = people.initiator
      await element.refresh()
      await waitUntil(() => element.value, 'the comments did not load again')
    }
  })

  it('removes its announcements when another person signs in', async () => {
    const { element, backend } = await show()
    const live = element.shadowRoot!.querySelector<HTMLElement>('[role=status]')!
    backend.emulator.packages.test.get(42)!.comments.push({
      ...{ id: 900, comment: 'Hello.', approversOnly: false, createdAt: '2026-11-20T10:00:00' },
      ...{ person: people.secondApprover, state: 'ACTIVE' },
    })
    await element.refresh()
    await waitUntil(() => live.textContent === '1 new comment from Mei-Ling Zhou.')
    backend.person = people.administrator
    await element.refresh()
    await waitUntil(() => live.textContent === '')
  })

  it('keeps what is typed into its fields from the shortcuts of the page, but no others', async () => {
    const { element } = await show()
    const input = document.createElement('input')
    const button = document.createElement('button')
    element.shadowRoot!.append(input, button)
    const heard: string[] = []
    const listen = ({ type, key }: KeyboardEvent) => heard.push(`${type} ${key}`)
    const types = ['keydown', 'keypress', 'keyup'] as const
    for (const type of types) document.addEventListener(type, listen)
    const press = (target: Element, key: string, more: KeyboardEventInit = {}) => {
      for (const type of types)
        target.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, composed: true, ...more }))
    }
    press(input, 'a')
    press(input, '?')
    expect(heard).to.deep.equal([])
    press(input, 'Escape')
    press(input, 's', { ctrlKey: true })
    press(button, 'j')
    press(element, 'k')
    for (const type of types) document.removeEventListener(type, listen)
    expect(heard.filter((one) => one.startsWith('keydown'))).to.deep.equal(
      ['Escape', 's', 'j', 'k'].map((key) => `keydown ${key}`),
    )
  })

  it('tells the console that a tag without an end has swallowed the page', async () => {
    const warnings: unknown[] = []
    const { warn } = console
    console.warn = (text: unknown) => warnings.push(text)
    try {
      const { client } = createBackend()
      const page = (inner: unknown) =>
        html`<wf-comments .client=${client} form-id="6025" package-id="42">${inner}</wf-comments>`
      await fixture(page(html`<p>Comments appear here.</p>`))
      expect(warnings).to.deep.equal([])
      await fixture(page(html`<div><footer>Northfield</footer></div>`))
      expect(warnings).to.deep.equal([
        '<wf-comments> contains a <footer>. Close it with </wf-comments>, not with "/>".',
      ])
    } finally {
      console.warn = warn
    }
  })

  it('creates the formats of its language while it loads', async () => {
    const { RelativeTimeFormat } = Intl
    const languages: unknown[] = []
    const observed = new Proxy(RelativeTimeFormat, {
      construct(target, [language, options]: [string, Intl.RelativeTimeFormatOptions]) {
        languages.push(language)
        return new target(language, options)
      },
    })
    Object.assign(Intl, { RelativeTimeFormat: observed })
    try {
      const backend = createBackend()
      backend.latency = 1_000_000
      const element = await fixture<WfComments>(
        html`<wf-comments
          .client=${backend.client}
          form-id="6025"
          package-id="42"
          lang="en-BZ"
        ></wf-comments>`,
      )
      await waitUntil(() => languages.includes('en-BZ'), 'no format was created')
      expect(element.value).to.equal(undefined)
    } finally {
      Object.assign(Intl, { RelativeTimeFormat })
    }
  })

  it('shows the content if only the rights are unavailable', async () => {
    const { element, backend } = await show((backend) => {
      backend.intercept = (request) =>
        request.url.includes('/actions') ? Promise.reject(new TypeError('down')) : undefined
    })
    expect(backend.journal.some((line) => line.endsWith('/actions'))).to.equal(true)
    expect(element.value).to.deep.equal([])
    expect(element.shadowRoot!.querySelector('[part=stale], [part=failure]')).to.equal(null)
  })
})

async function show(prepare: (backend: Backend) => void = () => {}) {
  const backend = createBackend()
  prepare(backend)
  const element = await fixture<WfComments>(
    html`<wf-comments .client=${backend.client} form-id="6025" package-id="42"></wf-comments>`,
  )
  await waitUntil(() => element.value, 'the comments did not load')
  return { element, backend }
}
