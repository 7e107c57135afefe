import { expect, fixture, html } from '@open-wc/testing'
import { afterStatus } from '../../src/define/after-status.ts'
import { rendered } from '../../stories/settled.ts'

/** Longer than any test. */
const forever = 1_000_000

describe('afterStatus() @engines', () => {
  it('resolves soon on a page without a status, and on a server', async () => {
    await afterStatus(await fixture(html`<div><wf-comments></wf-comments></div>`), forever)
    await afterStatus(undefined, forever)
  })

  it('resolves when the frame with the status has been drawn', async () => {
    const page = await fixture(html`<div><wf-package-status></wf-package-status></div>`)
    const steps: string[] = []
    const shown = afterStatus(page, forever).then(() => steps.push('shown'))
    await rendered()
    steps.push('load')
    page.querySelector('wf-package-status')!.dispatchEvent(new Event('wf-load'))
    requestAnimationFrame(() => steps.push('frame'))
    await shown
    expect(steps).to.deep.equal(['load', 'frame', 'shown'])
  })

  it('does not wait longer than its patience', async () => {
    await afterStatus(await fixture(html`<div><wf-package-status></wf-package-status></div>`), 1)
  })
})
