// Compares custom-elements.json with the elements: the manifest describes exactly their attributes. `test/stories` compares what
// they render with it.
import { expect, fixture, html } from '@open-wc/testing'
import type { LitElement } from 'lit'
import '../../src/define/index.ts'
import '../../src/define/fs-files.ts'
import '../../src/define/fs-shares.ts'
import '../../src/define/wf-form.ts'
import '../../src/define/wf-list.ts'
import '../../src/define/wf-office.ts'
import '../../src/define/wf-badge.ts'
import '../../src/define/wf-overrides.ts'
import '../../src/define/wf-route.ts'
import { declarationOf, declarations, namesOf, sorted } from '../stories/manifest.ts'

describe('custom-elements.json', () => {
  const tags = [
    'fs-files',
    'fs-shares',
    'fs-uploader',
    'routing-history',
    'wf-attachments',
    'wf-badge',
    'wf-comments',
    'wf-context',
    'wf-form',
    'wf-history',
    'wf-list',
    'wf-office',
    'wf-overrides',
    'wf-package-status',
    'wf-route',
  ]

  it('describes every element that is defined', () => {
    expect(sorted(declarations.map(({ tagName = '' }) => tagName))).to.deep.equal(tags)
    for (const tag of tags) expect(customElements.get(tag), tag).to.be.a('function')
  })

  for (const tag of tags) {
    it(`names the attributes of <${tag}>, their properties and defaults`, () => {
      const element = document.createElement(tag) as LitElement
      const { observedAttributes, elementProperties } = element.constructor as typeof LitElement
      expect(namesOf(tag, 'attributes')).to.deep.equal(sorted(observedAttributes))

      for (const { name, fieldName = '', default: byDefault = 'undefined' } of declarationOf(tag)
        ?.attributes ?? []) {
        // Each property of <wf-badge>, which does not use Lit, is its attribute.
        const { attribute = name, reflect = tag === 'wf-badge' } = elementProperties?.get(fieldName) ?? {}
        expect(typeof attribute === 'string' ? attribute : fieldName.toLowerCase()).to.equal(name)
        const field = declarationOf(tag)?.members?.find((member) => member.name === fieldName)
        expect(field).to.include({ attribute: name })
        expect(field?.reflects ?? false, name).to.equal(reflect ?? false)
        const value: unknown = element[fieldName as keyof LitElement]
        expect(JSON.stringify(value) ?? 'undefined').to.equal(byDefault.replaceAll("'", '"'))
      }
    })
  }

  it('names the slot of <wf-context>', async () => {
    const element = await fixture<LitElement>(html`<wf-context></wf-context>`)
    expect(namesOf('wf-context', 'slots')).to.deep.equal([''])
    expect(element.shadowRoot!.querySelectorAll('slot:not([name])')).to.have.length(1)
  })
})
