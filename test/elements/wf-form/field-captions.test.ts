import { expect, fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import { captionOf, labelOf, textOf } from '../../../src/elements/wf-form/fields/field-captions.ts'
import { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'

/** Returns the label of each field, and the markup of what names it. */
async function names(content: TemplateResult): Promise<string[]> {
  const form = await fixture<HTMLFormElement>(html`<form>${content}</form>`)
  const fields = new FormFields(form)
  return fields.names.map((name) => `${labelOf(fields, name)} (${captionOf(fields, name)?.localName})`)
}

describe('The name of a field for people', () => {
  it('is the legend of a group, if it is a group of its own', async () => {
    const content = html`
      <fieldset>
        <legend>Group</legend>
        <label><input name="a" type="checkbox" value="1" /> One</label>
        <label><input name="a" type="checkbox" value="2" /> Two</label>
        <label><input name="b" type="radio" value="1" /> Only</label>
        <label><input name="c" type="checkbox" value="1" /> Alone</label>
        <fieldset>
          <label><input name="d" type="radio" value="1" /> Without a legend</label>
        </fieldset>
      </fieldset>
      <label><input name="e" type="radio" value="1" /> Without a group</label>
    `
    expect(await names(content)).to.deep.equal([
      'Group (legend)',
      'Group (legend)',
      'Alone (label)',
      'Without a legend (label)',
      'Without a group (label)',
    ])
  })

  it('is what aria-labelledby names, of the control or of its group', async () => {
    const content = html`
      <span id="fn-by1">Cost</span> <span id="fn-by2">in euros</span>
      <label><input name="a" aria-labelledby="fn-by1  fn-by2" /> Label</label>
      <label><input name="b" aria-labelledby="fn-none" /> Label</label>
      <fieldset>
        <legend>Legend</legend>
        <div role="radiogroup" aria-labelledby="fn-by1">
          <label><input name="c" type="radio" value="1" /> One</label>
        </div>
        <div role="group">
          <label><input name="d" type="radio" value="1" /> One</label>
        </div>
      </fieldset>
    `
    expect(await names(content)).to.deep.equal([
      'Cost in euros (span)',
      'Label (label)',
      'Cost (span)',
      'Legend (legend)',
    ])
  })

  it('is the label of an element that has not loaded, or is no control', async () => {
    const content = html`
      <label>Around <x-late name="a" data-kind="text"></x-late></label>
      <label for="fn-b[1]">For</label><x-late id="fn-b[1]" name="b" data-kind="text"></x-late>
      <x-late name="c" data-kind="text"></x-late><label for="">Nothing</label>
      <x-late id="fn-d" name="d" data-kind="text"></x-late>
    `
    expect(await names(content)).to.deep.equal([
      'Around (label)',
      'For (label)',
      'C (undefined)',
      'D (undefined)',
    ])
  })

  it('is the first of several names, and what the page author wishes before all others', async () => {
    const all = { aria: 'Aria', label: 'Label', title: 'Title' }
    const content = html`
      <label for="fn-1">Caption</label>
      <input
        id="fn-1"
        name="a"
        data-label="the data"
        aria-label=${all.aria}
        label=${all.label}
        title=${all.title}
      />
      <label for="fn-2">Caption</label>
      <input id="fn-2" name="b" aria-label=${all.aria} label=${all.label} title=${all.title} />
      <label for="fn-3"> * </label>
      <input id="fn-3" name="c" aria-label=${all.aria} label=${all.label} title=${all.title} />
      <input name="d" label=${all.label} title=${all.title} /><input name="e" title=${all.title} />
      <input name="last" placeholder="Family name *" /><input name="first_name" />
      <label><input type="radio" name="stay" value="a" /> A day</label>
      <label><input type="radio" name="stay" value="b" /> Longer</label>
    `
    expect(await names(content)).to.deep.equal([
      'the data (label)',
      'Caption (label)',
      'Aria (label)',
      'Label (undefined)',
      'Title (undefined)',
      'Family name (undefined)',
      'First name (undefined)',
      'Stay (undefined)',
    ])
  })

  it('is what people read of a label', async () => {
    const label = await fixture<HTMLElement>(html`
      <label>
        First
        <!-- not this --><b>name</b>:<x-help>Not this</x-help>
        <select>
          <option>Not this</option>
        </select>
        <textarea>Not this</textarea><button>Not this</button><output>Not this</output>
        <span aria-hidden="true">Not this</span> (as in: a * b) * : *
      </label>
    `)
    expect(textOf(label)).to.equal('First name: (as in: a * b)')
    expect([textOf(undefined), textOf(null)]).to.deep.equal(['', ''])
  })
})
