import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/wf-context.ts'
import '../../../src/define/wf-form.ts'
import type { Configuration } from '../../../src/elements/configuration/configuration.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import { createBackend } from '../../../stories/backend.ts'

/** Asks for the settings of an element's place, as the elements of the package do. Returns all that it has received. */
function settingsOf(element: Element): Configuration[] {
  const received: Configuration[] = []
  const event = new Event('context-request', { bubbles: true, composed: true })
  const callback = (value: Configuration) => void received.push(value)
  element.dispatchEvent(Object.assign(event, { context: 'routeslip', subscribe: true, callback }))
  return received
}

describe('Elements inside <wf-form>', () => {
  it('get its settings, and those around it that it does not have', async () => {
    const { client } = createBackend()
    const context = await fixture(html`
      <wf-context form-id="1" time-zone="America/Chicago" sign-url="/sign" .client=${client}>
        <wf-form form-id="6025"
          ><form><p></p></form
        ></wf-form>
      </wf-context>
    `)
    const form = context.querySelector<WfForm>('wf-form')!
    const received = settingsOf(form.querySelector('p')!)
    const { signUrl, formId, packageId, timeZone, client: known } = received.at(-1)!
    expect({ signUrl, formId, packageId, timeZone }).to.deep.equal({
      signUrl: '/sign',
      formId: 6025,
      packageId: undefined,
      timeZone: 'America/Chicago',
    })
    expect(known === client).to.equal(true)
  })

  it('get each later setting of the form', async () => {
    const { client } = createBackend()
    const form = await fixture<WfForm>(
      html`<wf-form form-id="6025" .client=${client}
        ><form><p></p></form
      ></wf-form>`,
    )
    const received = settingsOf(form.querySelector('p')!)
    expect(received.at(-1)).to.deep.equal({ formId: 6025, client })
    form.packageId = 42
    form.timeZone = 'Asia/Tokyo'
    form.endpoint = '/api/wf'
    await form.updateComplete
    expect(received.at(-1)).to.deep.equal({
      endpoint: '/api/wf',
      formId: 6025,
      packageId: 42,
      timeZone: 'Asia/Tokyo',
      client,
    })
  })
})
