import { expect } from '@open-wc/testing'
import { ForbiddenError, type PageClient, UnavailableError } from '../../../src/client/index.ts'
import { type BadgeInput, renderBadge } from '../../../src/elements/wf-badge/render-badge.ts'
import type { BadgeContent } from '../../../src/elements/wf-badge/read-badges.ts'
import { WfBadge } from '../../../src/elements/wf-badge/wf-badge.ts'
import { common } from '../../../src/locales/en.ts'
import { packageStatus } from '../../../src/locales/en-package-status.ts'
import { textsOf } from '../texts.ts'

const icon = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="…"></path></svg>'

describe('the markup of a badge', () => {
  it('is one element with an icon, a label, and a description for assistive technology', () => {
    const value = (state: string, approvers: object[]) =>
      ({ found: { id: 1, state }, approvers }) as unknown as BadgeContent
    const down = new UnavailableError('getStatus', 'got no response')
    const stale = "This may be out of date. The latest version couldn't be loaded."
    for (const [input, expected] of [
      [
        { value: value('ROUTING', [{ approver: 'Ana' }]) },
        `<span part="state" lang="en" data-state="ROUTING" title="Waiting for Ana">${icon}In routing` +
          `<span>, Waiting for Ana</span></span>`,
      ],
      [
        { value: value('COMPLETE', []) },
        `<span part="state" lang="en" data-state="COMPLETE">${icon}Complete</span>`,
      ],
      [
        { value: value('COMPLETE', []), error: down },
        `<span part="state stale" lang="en" data-state="COMPLETE" title="${stale}">${icon}Complete${icon}` +
          `<span>, ${stale}</span></span>`,
      ],
      [{}, `<span part="loading" lang="en" role="img" title="Loading…">&nbsp;</span>`],
      [
        { error: down },
        `<span part="failure" lang="en" title="Couldn't be loaded.">${icon}Not loaded` +
          `<span>, Couldn't be loaded.</span></span>`,
      ],
      [{ error: new ForbiddenError('a', 'b') }, `<span part="failure" lang="en">${icon}Not available</span>`],
      [{ problem: 'It needs endpoint.' }, '<span part="not-configured" lang="en">It needs endpoint.</span>'],
    ] as const) {
      // Twice: the second one is copied.
      for (let time = 0; time < 2; time++) {
        const badge = render(input)
        expect(badge.outerHTML.replace(/ d="M[^"]+"/g, ' d="…"')).to.equal(expected)
        for (const one of badge.querySelectorAll('svg, path'))
          expect(one.namespaceURI).to.equal('http://www.w3.org/2000/svg')
      }
    }
  })
})

describe('the properties of a badge', () => {
  it('reflect as attributes if they have a value', () => {
    const badge = createBadge()
    expect([badge.endpoint, badge.formId, badge.packageId, badge.client, badge.value]).to.deep.equal([
      ...['', 0, 0],
      ...[undefined, undefined],
    ])
    Object.assign(badge, { endpoint: '/api/wf', formId: 6025, packageId: 42 })
    expect(attributesOf(badge)).to.deep.equal({ endpoint: '/api/wf', 'form-id': '6025', 'package-id': '42' })
    expect([badge.endpoint, badge.formId, badge.packageId]).to.deep.equal(['/api/wf', 6025, 42])
    Object.assign(badge, { endpoint: '', formId: 0, packageId: undefined })
    expect(attributesOf(badge)).to.deep.equal({})
    expect(WfBadge.observedAttributes).to.deep.equal(['endpoint', 'form-id', 'package-id'])
  })

  it('are kept if a framework has set them before the tag was defined', () => {
    const early = document.createElement('x-early-badge') as WfBadge
    const client = {} as PageClient
    Object.assign(early, { endpoint: '/api/wf', formId: 6025, packageId: 42, client, other: 1 })
    customElements.define('x-early-badge', class extends WfBadge {})
    customElements.upgrade(early)
    expect(attributesOf(early)).to.deep.equal({ endpoint: '/api/wf', 'form-id': '6025', 'package-id': '42' })
    expect(Object.entries(early)).to.deep.equal([['other', 1]])
    expect(early.client === client).to.equal(true)
    early.formId = 7
    expect(early).to.have.attribute('form-id', '7')
  })
})

function render(input: Partial<BadgeInput>): HTMLElement {
  const messages = textsOf(packageStatus)
  const nothing = { problem: '', value: undefined, error: undefined, language: 'en' }
  return renderBadge({ ...nothing, messages, common: textsOf(common), ...input })
}

function createBadge(): WfBadge {
  if (!customElements.get('x-badge')) customElements.define('x-badge', class extends WfBadge {})
  return document.createElement('x-badge') as WfBadge
}

function attributesOf({ attributes }: Element): Record<string, string> {
  return Object.fromEntries([...attributes].map(({ name, value }) => [name, value]))
}
