import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import { Announcer } from '../../../src/elements/notices/announcer.ts'
import { waitUntil } from '../../wait-until.ts'

class XAnnouncer extends LitElement {
  announcer: Announcer = new Announcer(this)

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

  it('announces the same message again, and only that @engines', async () => {
    const element = await show()
    element.announcer.announce('One.')
    await waitUntil(() => textOf(element) === 'One.', 'the first message did not appear')
    element.announcer.announce('One.')
    await element.updateComplete
    expect(textOf(element), 'cleared, or assistive technology would notice no change').to.equal('')
    await waitUntil(() => textOf(element) === 'One.', 'the second message did not appear')
  })

  it('drops pending announcements when it is removed', async () => {
    const element = await show()
    const parent = element.parentElement!
    element.announcer.announce('One.')
    element.remove()
    parent.append(element)
    element.announcer.announce('Two.')
    await waitUntil(() => textOf(element) !== '', 'nothing was announced')
    expect(textOf(element)).to.equal('Two.')
  })

  it('does not show an old announcement when it is added to the page again @engines', async () => {
    const element = await show()
    const parent = element.parentElement!
    element.announcer.announce('One.')
    await waitUntil(() => textOf(element) === 'One.', 'nothing was announced')
    element.remove()
    parent.append(element)
    element.requestUpdate()
    await element.updateComplete
    expect(textOf(element)).to.equal('')
  })

  it('is silent again once it is cleared, for another person', async () => {
    const element = await show()
    element.announcer.announce('One.')
    await waitUntil(() => textOf(element) === 'One.', 'nothing was announced')
    element.announcer.announce('Two.')
    element.announcer.clear()
    element.announcer.announce('Three.')
    await element.updateComplete
    expect(textOf(element)).to.equal('')
    await waitUntil(() => textOf(element) !== '', 'nothing was announced')
    expect(textOf(element)).to.equal('Three.')
  })

  it('removes an announcement after five seconds', async () => {
    const due: { readonly callback: () => void; readonly delay: number }[] = []
    const element = await show((host) => {
      const setTimeout = (callback: () => void, delay: number) =>
        due.push({ callback, delay }) as unknown as ReturnType<typeof globalThis.setTimeout>
      return new Announcer(host, { setTimeout })
    })
    element.announcer.announce('One.')
    due[0]!.callback()
    await element.updateComplete
    expect(textOf(element)).to.equal('One.')
    expect(due.map(({ delay }) => delay)).to.deep.equal([300, 5000])
    due[1]!.callback()
    await element.updateComplete
    expect(textOf(element)).to.equal('')
  })
})

/** Shows an element with an announcer, by default with the timers of the page. */
async function show(create = (host: LitElement) => new Announcer(host)): Promise<XAnnouncer> {
  const wrapper = await fixture<HTMLElement>(html`<div><x-announcer></x-announcer></div>`)
  const element = wrapper.querySelector<XAnnouncer>('x-announcer')!
  element.announcer = create(element)
  return element
}

function textOf(element: XAnnouncer): string {
  return element.shadowRoot!.textContent.trim()
}
