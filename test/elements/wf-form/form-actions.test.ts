import { expect } from '@open-wc/testing'
import { reviewStyles } from '../../../src/elements/wf-form/sending/review.styles.ts'
import { Sender } from '../../../src/elements/wf-form/sending/sender.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import { createBackend } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { button, complete, control, part, press, show, type, writes } from './form.ts'

/** What assistive technology gets to know. */
function announcementOf(element: WfForm): string {
  return element.shadowRoot!.querySelector('[role=status]')!.textContent
}

/** The number of style sheets of the parts that load on demand. */
function countStyles(element: WfForm, styles: typeof Sender.styles): number {
  const { adoptedStyleSheets } = element.shadowRoot!
  return styles.filter(({ styleSheet }) => adoptedStyleSheets.includes(styleSheet!)).length
}

describe('<wf-form> and its actions', () => {
  it('loads the part that saves when a person begins to edit, and the check of answers if it is needed', async () => {
    const { element } = await show()
    expect(countStyles(element, Sender.styles)).to.equal(0)
    const edit = () => control(element, 'purpose').dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
    edit()
    await waitUntil(() => countStyles(element, Sender.styles) === Sender.styles.length)
    const { length } = element.shadowRoot!.adoptedStyleSheets
    expect(countStyles(element, [reviewStyles])).to.equal(0)
    element.review = true
    edit()
    await waitUntil(() => countStyles(element, [reviewStyles]) === 1)
    expect(countStyles(element, Sender.styles), 'the others stay').to.equal(Sender.styles.length)
    expect(element.shadowRoot!.adoptedStyleSheets).to.have.length(length + 1)
  })

  it('announces how each attempt ended', async () => {
    const { element } = await show()
    type(element, complete)
    await element.save()
    await waitUntil(() => /^Saved at \d+:\d\d.[AP]M as request \d+\.$/.test(announcementOf(element)))
    await element.submit()
    await waitUntil(() => /^Submitted at \d+:\d\d.[AP]M\.$/.test(announcementOf(element)))
  })

  it('shows what is being done, and that it is busy', async () => {
    const { element, backend } = await show()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    backend.intercept = (request) => held.then(() => backend.emulator.fetch(request))
    type(element, complete)
    press(element, 'ROUTING')
    await element.updateComplete
    expect(part(element, 'status')!.innerText).to.equal('Submitting…')
    expect(element.matches(':state(busy)')).to.equal(true)
    expect(part(element, 'base')!.ariaBusy).to.equal('true')
    release()
    await settled(element)
    // What it shows is read again.
    await waitUntil(() => !element.matches(':state(busy)'), 'it stays busy')
  })

  it('tries again what was tried last', async () => {
    const { element, backend } = await show()
    type(element, complete)
    await element.save()
    backend.intercept = (request) =>
      request.method === 'PUT' ? Promise.resolve(new Response('{"title":"No"}', { status: 409 })) : undefined
    type(element, { purpose: 'Later' })
    await element.save()
    expect(part(element, 'problem')!.innerText).to.match(/^Not saved\./)
    expect(element.shadowRoot!.activeElement === part(element, 'problem')).to.equal(true)
    backend.intercept = () => undefined
    button(element, 'Try again')!.click()
    await settled(element)
    await waitUntil(() => part(element, 'problem') === null)
    const pkg = backend.emulator.packages.test.get(element.packageId)!
    expect([pkg.state, pkg.entry['purpose']]).to.deep.equal(['PRE_ROUTING', 'Later'])
  })

  it('sends nothing if it is not configured, or has no form', async () => {
    const { client, journal } = createBackend()
    const element = document.createElement('wf-form')
    document.body.append(element)
    await element.save()
    Object.assign(element, { client, formId: 6025 })
    await element.updateComplete
    await element.submit()
    element.append(document.createElement('form'))
    element.formId = 0
    await element.submit()
    element.remove()
    expect(writes({ journal } as never)).to.deep.equal([])
    expect(part(element, 'base')!.ariaBusy).to.equal('false')
  })

  it('does not take the focus if nothing is wrong @engines', async () => {
    const { element } = await show()
    type(element, complete)
    control(element, 'cost').focus()
    await element.save()
    await element.submit()
    expect(document.activeElement === control(element, 'cost')).to.equal(true)
  })
})
