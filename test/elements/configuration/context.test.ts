import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import '../../../src/define/wf-context.ts'
import { ContextConsumer, ContextProvider } from '../../../src/elements/configuration/context.ts'
import { Settings } from '../../../src/elements/configuration/settings.ts'
import type { WfContext } from '../../../src/elements/wf-context/wf-context.ts'

/** Provides a number to everything inside. */
class XProvider extends LitElement {
  number = 1
  readonly provider: ContextProvider<number> = new ContextProvider<number>(this, () => this.number)

  provide(number: number): void {
    this.number = number
    this.provider.notify()
  }
}
customElements.define('x-provider', XProvider)

/** The events of the protocol, as other packages fire them. */
function request(
  fields: { readonly context: string; readonly subscribe?: boolean },
  values: unknown[],
): Event {
  const event = new Event('context-request', { bubbles: true, composed: true })
  return Object.assign(event, { ...fields, callback: (value: unknown) => void values.push(value) })
}

function announceProvider(context: string): void {
  document.body.dispatchEvent(Object.assign(new Event('context-provider', { bubbles: true }), { context }))
}

/** A consumer at an element, and how often it has been updated. */
function consume(host: HTMLElement) {
  const consumer = new ContextConsumer<number>(host, {
    addController() {},
    requestUpdate: () => void found.updates++,
  })
  const found = { consumer, updates: 0 }
  consumer.hostConnected()
  return found
}

async function nested() {
  const outer = await fixture<XProvider>(
    html`<x-provider
      ><x-provider><p></p></x-provider
    ></x-provider>`,
  )
  return { outer, inner: outer.querySelector('x-provider') as XProvider, host: outer.querySelector('p')! }
}

describe('ContextProvider', () => {
  it('answers a request inside it, once or as long as it lasts @engines', async () => {
    const { inner, host } = await nested()
    const [once, always]: [unknown[], unknown[]] = [[], []]
    const reached: string[] = []
    const note = ({ type }: Event) => void reached.push(type)
    document.addEventListener('context-request', note)
    host.dispatchEvent(request({ context: 'routeslip', subscribe: false }, once))
    host.dispatchEvent(request({ context: 'routeslip', subscribe: true }, always))
    document.removeEventListener('context-request', note)
    inner.provide(2)
    expect([once, always]).to.deep.equal([[1], [1, 2]])
    expect(reached, 'nobody else answers').to.deep.equal([])
  })

  it('leaves requests of other packages to them, and its own to the provider around it', async () => {
    const { outer, inner, host } = await nested()
    const [foreign, own]: [unknown[], unknown[]] = [[], []]
    let reached = 0
    document.addEventListener('context-request', () => reached++, { once: true })
    host.dispatchEvent(request({ context: 'theme', subscribe: true }, foreign))
    expect([foreign, reached]).to.deep.equal([[], 1])
    outer.number = 7
    inner.dispatchEvent(request({ context: 'routeslip' }, own))
    expect(own).to.deep.equal([7])
  })
})

describe('ContextConsumer', () => {
  it('has the latest value of the nearest provider @engines', async () => {
    const { outer, inner, host } = await nested()
    const { consumer } = consume(host)
    expect(consumer.value).to.equal(1)
    inner.provide(2)
    outer.provide(3)
    expect(consumer.value).to.equal(2)
    consumer.hostDisconnected()
  })

  it('hears nothing more after it is removed', async () => {
    const { inner, host } = await nested()
    const found = consume(host)
    found.consumer.hostDisconnected()
    const { updates } = found
    inner.provide(2)
    announceProvider('routeslip')
    expect(found.updates).to.equal(updates)
    expect(found.consumer.value).to.equal(1)
  })

  it('asks again when a provider of this package comes, and forgets a value that is gone @engines', async () => {
    const { inner, host } = await nested()
    const found = consume(host)
    const { updates } = found
    announceProvider('theme')
    expect(found.updates).to.equal(updates)
    inner.number = 4
    announceProvider('routeslip')
    expect(found.consumer.value).to.equal(4)

    document.body.append(host)
    announceProvider('routeslip')
    expect(found.consumer.value).to.equal(undefined)
    const before = found.updates
    inner.provide(5)
    expect(found.updates, 'it has left').to.equal(before)
    found.consumer.hostDisconnected()
    host.remove()
  })
})

describe('<wf-context>', () => {
  it('passes on each of its attributes, and the others of the context around it', async () => {
    const outer = await fixture<WfContext>(html`
      <wf-context endpoint="/outer" form-id="1" package-id="2" time-zone="Asia/Tokyo" sign-url="/sign">
        <wf-context endpoint="/inner" form-id="3" edit-url="/edit" sign-in-url="/in"><p></p></wf-context>
      </wf-context>
    `)
    const host = outer.querySelector('p')!
    const settings = new Settings(host, { addController: (one) => one.hostConnected?.(), requestUpdate() {} })
    const names = ['endpoint', 'formId', 'packageId', 'timeZone', 'signUrl', 'editUrl', 'signInUrl'] as const
    expect(names.map((name) => settings.get(name))).to.deep.equal([
      '/inner',
      3,
      2,
      'Asia/Tokyo',
      '/sign',
      '/edit',
      '/in',
    ])
    settings.hostDisconnected()
  })
})
