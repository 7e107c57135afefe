import { expect, fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'
import { Review, type ReviewHost } from '../../../src/elements/wf-form/sending/review.ts'
import { markup, rendered } from './markup.ts'

/** A review of a form with these controls, and its calls. */
async function start(content: TemplateResult, isBusy = false) {
  const element = await fixture<HTMLElement>(html`<div lang="en"><form>${content}</form></div>`)
  const fields = new FormFields(element.querySelector('form')!)
  const calls: unknown[] = []
  const host: ReviewHost = {
    element,
    fields,
    isBusy,
    language: 'en',
    labelOf: (name) => `Label of ${name}`,
    textOf: () => '',
    join: (texts) => texts.join(', '),
    onBack: (...args) => void calls.push(['back', ...args]),
    onSubmit: () => void calls.push('submit'),
  }
  return { element, fields, host, calls, review: new Review() }
}

const answer = (name: string, text: string) =>
  `<div part="answer"><dt><bdi>Label of ${name}</bdi></dt>` +
  (text ? `<dd><bdi>${text}</bdi></dd>` : '<dd class="empty">Not entered</dd>') +
  `<dd class="change"><button type="button" class="link" aria-label="Change: Label of ${name}">Change</button></dd></div>`

const list = (...answers: readonly string[]) =>
  '<div class="own" part="review" lang="en">' +
  '<h2 part="review-title" tabindex="-1">Check your answers before you submit</h2>' +
  `<dl>${answers.join('')}</dl></div>`

describe('Review', () => {
  it('renders each answer, with a button that leads to its field', async () => {
    const { review, host, calls } = await start(
      html`<input name="a" value="First" /><input name="b" /><input name="c" type="checkbox" />`,
    )
    const shown = rendered(review.renderAnswers(host))
    expect(markup(shown)).to.equal(list(answer('a', 'First'), answer('b', ''), answer('c', 'No')))
    for (const button of shown.querySelectorAll('button')) button.click()
    expect(calls).to.deep.equal([
      ['back', 'a'],
      ['back', 'b'],
      ['back', 'c'],
    ])
  })

  it('leaves out empty fields that the page hid when the review began', async () => {
    const { review, host, fields, element } = await start(html`
      <div hidden>
        <input name="a" /><input name="b" value="Sent" /><input name="c" type="radio" value="x" />
      </div>
      <input name="c" type="radio" value="y" /><input name="d" />
    `)
    expect(markup(rendered(review.renderAnswers(host))), 'before it begins').to.equal(
      list(answer('a', ''), answer('b', 'Sent'), answer('c', ''), answer('d', '')),
    )
    review.begin(fields)
    element.hidden = true
    expect(markup(rendered(review.renderAnswers(host)))).to.equal(
      list(answer('b', 'Sent'), answer('c', ''), answer('d', '')),
    )
  })

  it('renders the place for elements of the page, and the buttons', async () => {
    for (const isBusy of [false, true]) {
      const { review, host, calls } = await start(html`<input name="a" />`, isBusy)
      const shown = rendered(review.renderEnd(host))
      expect(markup(shown)).to.equal(
        '<slot name="review"></slot><div class="own end" lang="en">' +
          '<p class="detail">Submitting starts the routing. The first approvers get the request in their inboxes.</p>' +
          `<div class="buttons"><button type="button" class="solid" part="submit" aria-disabled="${isBusy}">Submit</button>` +
          '<button type="button" part="back">Back to the form</button></div></div>',
      )
      for (const button of shown.querySelectorAll('button')) button.click()
      expect(calls).to.deep.equal(['submit', ['back']])
    }
  })
})
