import { fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import { Draft } from '../../../src/elements/wf-form/draft.ts'
import { FormFields } from '../../../src/elements/wf-form/form-fields.ts'

/** A form whose control `note` is not part of the entry, and what a person has entered. */
export async function start(
  content: TemplateResult = html`<input name="purpose" /><input name="nights" type="number" />
    <input name="note" />`,
) {
  const form = await fixture<HTMLFormElement>(html`<form>${content}</form>`)
  const draft = new Draft(new FormFields(form), () => ['note'])
  return {
    draft,
    form,
    type(values: Readonly<Record<string, string>>): void {
      for (const [name, value] of Object.entries(values))
        (form.elements.namedItem(name) as HTMLInputElement).value = value
    },
  }
}

/** The entry of an empty form. */
export const none = { purpose: null, nights: null, note: null }
