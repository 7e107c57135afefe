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
