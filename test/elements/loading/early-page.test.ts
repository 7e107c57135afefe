import { expect, fixture, html } from '@open-wc/testing'
import { configure } from '../../../src/elements/configuration/configuration.ts'
import { findEarlyTarget } from '../../../src/elements/loading/early-page.ts'
import type { PageClient } from '../../../src/client/index.ts'

// The tags are not defined in this file, as in a page whose elements have not loaded yet.
const home = { endpoint: '/api/wf', formId: 6025, packageId: 42 }

describe('findEarlyTarget() @engines', () => {
  afterEach(() =>
    configure({ endpoint: undefined, formId: undefined, packageId: undefined, client: undefined }),
  )

  it('names what all elements of a package read, once', async () => {
    const page = await fixture(html`
      <main>
        <wf-context endpoint="/api/wf" form-id="6025">
          <wf-context package-id="42" form-id="">
            <wf-package-status></wf-package-status>
            <wf-history></wf-history>
          </wf-context>
        </wf-context>
        <wf-attachments endpoint="/api/wf" form-id="6025" package-id="42"></wf-attachments>
        <wf-comments endpoint="/api/wf" form-id="6025" package-id="42"></wf-comments>
      </main>
    `)
    expect(findEarlyTarget(page)).to.deep.equal({
      ...home,
      parts: [
        'getActions',
        'getPackage',
        'getSession',
        'getAttachmentTypes',
        'getAttachments',
        'getComments',
        'getHistory',
        'getFutureHistory',
      ],
    })
  })

  it('uses the configuration of the page', async () => {
    configure(home)
    const page = await fixture(html`<p><wf-comments></wf-comments></p>`)
    expect(findEarlyTarget(page)).to.deep.equal({
      ...home,
      parts: ['getActions', 'getComments', 'getHistory'],
    })
  })

  it('finds nothing if the elements will not read exactly one package of a proxy that the page allows', async () => {
    const element = html`<wf-comments endpoint="/api/wf" form-id="6025" package-id="42"></wf-comments>`
    const other = html`<wf-comments endpoint="/api/wf" form-id="6025" package-id="43"></wf-comments>`
    const control = await fixture(html`<p>${element}${element}</p>`)
    expect(findEarlyTarget(control)).to.deep.equal({
      ...home,
      parts: ['getActions', 'getComments', 'getHistory'],
    })

    for (const content of [
      html`${element}${other}`,
      html`${element}<wf-history endpoint="/api/wf" form-id="6025"></wf-history>`,
      html`<wf-history endpoint="/api/wf" form-id="6025" package-id="042"></wf-history>`,
      html`<wf-history endpoint="/api/wf" form-id="6025" package-id="42" history="[]"></wf-history>`,
      html`<wf-history endpoint="https://other.test/" form-id="6025" package-id="42"></wf-history>`,
      html`<wf-badge endpoint="/api/wf" form-id="6025" package-id="42"></wf-badge>`,
    ]) {
      const page = await fixture(html`<p>${content}</p>`)
      expect(findEarlyTarget(page), page.innerHTML).to.equal(undefined)
    }
    configure({ client: {} as PageClient })
    expect(findEarlyTarget(control)).to.equal(undefined)
  })

  it('leaves elements alone that the page has defined', async () => {
    const page = await fixture(
      html`<p><wf-comments endpoint="/api/wf" form-id="6025" package-id="42"></wf-comments></p>`,
    )
    expect(findEarlyTarget(page)).not.to.equal(undefined)
    customElements.define('wf-comments', class extends HTMLElement {})
    expect(findEarlyTarget(page)).to.equal(undefined)
  })
})
