import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import { Announcer } from '../../src/elements/announcer.ts'
import { waitUntil } from '../wait-until.ts'

class XAnnouncer extends LitElement {
  readonly announcer: Announcer = new Announcer(this)

  override render() {
    return this.announcer.render()
  }
}
customElements.define('x-announcer', XAnnouncer)

describe('Announcer', () => {
  it('announces the messages of one moment together, each once', async () => {
    const element = await show()
    for (const message of ['One.', 'Two.', 'One.']) element.announcer.announce(message)
    await waitUntil(() => textOf(element) !== '', 'nothing was announced')
    expect(textOf(element)).to.equal('One. Two.')
  })

  it('announces at most three messages, and the number of the others', async () => {
    const three = await show()
    const five = await show()
    for (const message of ['One.', 'Two.', 'Three.']) three.announcer.announce(message)
    for (const message of ['One.', 'Two.', 'Three.', 'Four.', 'Five.']) five.announcer.announce(message)
    await waitUntil(() => textOf(three) !== '' && textOf(five) !== '', 'nothing was announced')
    expect(textOf(three)).to.equal('One. Two. Three.')
    expect(textOf(five)).to.equal('One. Two. Three. And 2 more.')
  })

  it('announces the same message again, and only that', async () => {
    const element = await show()
    element.announcer.announce('One.')
    await waitUntil(() => textOf(element) === 'One.', 'the first message did not appear')
    element.announcer.announce('One.')
    await element.updateComplete
    expect(textOf(element), 'cleared, or assistive technology would notice no change').to.equal('')
    await waitUntil(() => textOf(element) === 'One.', 'the second message did not appear')
  })

  it('announces nothing of what was due when it was removed', async () => {
    const element = await show()
    const parent = element.parentElement!
    element.announcer.announce('One.')
    element.remove()
    parent.append(element)
    element.announcer.announce('Two.')
    await waitUntil(() => textOf(element) !== '', 'nothing was announced')
    expect(textOf(element)).to.equal('Two.')
  })

  it('removes an announcement after five seconds', async () => {
    const element = await show()
    element.announcer.announce('One.')
    await waitUntil(() => textOf(element) === 'One.', 'nothing was announced')
    await waitUntil(() => textOf(element) === '', 'the announcement stayed', { timeout: 30_000 })
  }).timeout(40_000)
})

async function show(): Promise<XAnnouncer> {
  const wrapper = await fixture<HTMLElement>(html`<div><x-announcer></x-announcer></div>`)
  return wrapper.querySelector<XAnnouncer>('x-announcer')!
}

function textOf(element: XAnnouncer): string {
  return element.shadowRoot!.textContent.trim()
}
