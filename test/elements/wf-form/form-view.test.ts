import { expect } from '@open-wc/testing'
import { html, nothing } from 'lit'
import {
  type FormView,
  renderAbove,
  renderDocuments,
  renderSlot,
} from '../../../src/elements/wf-form/state/form-view.ts'
import type { FormTexts } from '../../../src/elements/wf-form/state/form-texts.ts'
import { common } from '../../../src/locales/en.ts'
import { form } from '../../../src/locales/en-form.ts'
import { textsOf } from '../texts.ts'
import { markup, rendered } from './markup.ts'

const texts: FormTexts = {
  messages: textsOf(form),
  common: textsOf(common),
  language: 'en',
  timeOf: (time) => `${time} o'clock`,
  signIn: html`<a href="/login">Sign in</a>`,
}

/** A form that has loaded, and that nobody has changed. */
const calm: FormView = {
  texts,
  errorText: '',
  isSignedOut: false,
  isIncomplete: false,
  problems: nothing,
  hints: nothing,
  onRefresh: () => {},
  onAgain: () => {},
}

const above = (view: Partial<FormView>) => rendered(renderAbove({ ...calm, ...view }))

const failure = (text: string) =>
  `<div class="notice" part="failure"><p>${text}</p>` +
  '<button type="button" part="try-again" aria-disabled="false">Try again</button></div>'

describe('renderAbove()', () => {
  it('renders nothing if there is nothing to know', () => {
    expect(markup(above({}))).to.equal('')
  })

  it('renders each message, in this order', () => {
    const view = above({
      errorText: 'No connection.',
      isIncomplete: true,
      problems: html`<i></i>`,
      hints: html`<b></b>`,
    })
    expect(markup(view)).to.equal(
      failure('No connection.') +
        failure('A part of this page could not be loaded. Try again, or reload the page.') +
        '<i></i><b></b>',
    )
  })

  it('links to the page where people sign in', () => {
    const view = above({ errorText: 'You are signed out.', isSignedOut: true })
    expect(markup(view)).to.equal(failure('You are signed out.<a href="/login">Sign in</a>'))
    expect(view.querySelector('p')!.textContent).to.equal('You are signed out. Sign in')
  })

  it('calls what belongs to each button', () => {
    const calls: string[] = []
    const view = above({
      errorText: 'Text',
      isIncomplete: true,
      onRefresh: () => calls.push('refresh'),
      onAgain: () => calls.push('again'),
    })
    for (const button of view.querySelectorAll('button')) button.click()
    expect(calls).to.deep.equal(['refresh', 'again'])
  })
})

describe('renderSlot()', () => {
  it('renders a message that the page may replace', () => {
    expect(markup(rendered(renderSlot('forbidden', 'Not for you.')))).to.equal(
      '<div class="message" part="forbidden"><slot name="forbidden"><p>Not for you.</p></slot></div>',
    )
  })
})

describe('renderDocuments()', () => {
  it('renders a button to save in place of the documents until there is a package', () => {
    let saves = 0
    const before = rendered(renderDocuments(texts, false, 'de', () => saves++))
    const content = (isBefore: boolean) =>
      `<slot name="documents"${isBefore ? ' hidden=""' : ''}></slot>` +
      `<div class="own" lang="de"${isBefore ? '' : ' hidden=""'}>` +
      '<p class="detail">You can add documents when the request is saved.</p>' +
      '<button type="button" part="save">Save and add documents</button></div>'
    expect(markup(before)).to.equal(content(true))
    before.querySelector('button')!.click()
    expect(saves).to.equal(1)
    expect(markup(rendered(renderDocuments(texts, true, 'de', () => saves++)))).to.equal(content(false))
  })
})
