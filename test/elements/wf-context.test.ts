import { expect, fixture, html } from '@open-wc/testing'
import '../../src/define/wf-context.ts'
import type { PageClient } from '../../src/client/index.ts'
import type { WfContext } from '../../src/elements/wf-context/wf-context.ts'

/** Returns the configuration at an element, as it requests it. */
function configurationAt(element: Element): unknown {
  let found: unknown
  const event = new Event('context-request', { bubbles: true, composed: true })
  const callback = (value: unknown) => void (found = value)
  element.dispatchEvent(Object.assign(event, { context: 'routeslip', subscribe: false, callback }))
  return found
}

describe('<wf-context>', () => {
  it('provides every setting that it has, from attributes and properties', async () => {
    const element = await fixture<WfContext>(html`
      <wf-context
        endpoint="/api/wf"
        form-id="6025"
        package-id="42"
        time-zone="America/Chicago"
        sign-url="/sign/{signatureId}"
        edit-url="/edit/{packageId}"
        sign-in-url="/login"
        ><p></p
      ></wf-context>
    `)
    const place = element.querySelector('p')!
    const configuration = {
      endpoint: '/api/wf',
      formId: 6025,
      packageId: 42,
      timeZone: 'America/Chicago',
      signUrl: '/sign/{signatureId}',
      editUrl: '/edit/{packageId}',
      signInUrl: '/login',
    }
    expect(configurationAt(place)).to.deep.equal(configuration)
    const client = {} as PageClient
    element.client = client
    element.packageId = 0
    element.endpoint = ''
    expect(configurationAt(place)).to.deep.equal({
      formId: 6025,
      timeZone: 'America/Chicago',
      signUrl: '/sign/{signatureId}',
      editUrl: '/edit/{packageId}',
      signInUrl: '/login',
      client,
    })
    element.setAttribute('form-id', '60x')
    expect(element.formId).to.equal(0)
  })

  it('takes the settings that it does not have from the context around it', async () => {
    const outer = await fixture<WfContext>(html`
      <wf-context endpoint="/api/wf" form-id="6025" time-zone="UTC">
        <wf-context form-id="6026" time-zone=""><p></p></wf-context>
      </wf-context>
    `)
    const place = outer.querySelector('p')!
    expect(configurationAt(place)).to.deep.equal({ endpoint: '/api/wf', formId: 6026, timeZone: 'UTC' })
    outer.timeZone = 'America/Chicago'
    outer.endpoint = ''
    await outer.updateComplete
    expect(configurationAt(place)).to.deep.equal({ formId: 6026, timeZone: 'America/Chicago' })
  })

  it('takes no place in the layout, and hides what it contains if it is hidden', async () => {
    const element = await fixture<WfContext>(html`<wf-context><p>text</p></wf-context>`)
    expect(getComputedStyle(element).display).to.equal('contents')
    expect(element.querySelector('p')!.checkVisibility()).to.equal(true)
    element.hidden = true
    expect(element.querySelector('p')!.checkVisibility()).to.equal(false)
  })
})
