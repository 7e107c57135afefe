import { expect, fixture, html } from '@open-wc/testing'
import { LitElement, type TemplateResult } from 'lit'
import { Announcer } from '../../../src/elements/notices/announcer.ts'
import { waitUntil } from '../../wait-until.ts'

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
    for (const [messages, text] of [
      [['One.', 'Two.', 'Three.'], 'One. Two. Three.'],
      [['One.', 'Two.', 'Three.', 'Four.', 'Five.'], 'One. Two. Three. And 2 more.'],
    ] as const) {
      const element = await show()
      for (const message of messages) element.announcer.announce(message)
      await waitUntil(() => textOf(element) !== '', 'nothing was announced')
      expect(textOf(element)).to.equal(text)
      element.remove()
    }
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
    const element = await show()
    const { setTimeout } = globalThis
    globalThis.setTimeout = ((callback: () => void, delay: number) =>
      due.push({ callback, delay })) as typeof setTimeout
    try {
      element.announcer.announce('One.')
      due[0]!.callback()
    } finally {
      globalThis.setTimeout = setTimeout
    }
    await element.updateComplete
    expect(textOf(element)).to.equal('One.')
    expect(due.map(({ delay }) => delay)).to.deep.equal([300, 5000])
    due[1]!.callback()
    await element.updateComplete
    expect(textOf(element)).to.equal('')
  })
})

describe('The announcers of a page', () => {
  const two = html`<div><x-announcer></x-announcer><x-announcer></x-announcer></div>`
  const regions = (elements: readonly XAnnouncer[]) =>
    elements.map(({ shadowRoot }) => shadowRoot!.querySelectorAll('[role=status]').length)

  it('have one status region, where the messages of all are announced together', async () => {
    const elements = await showAll(two)
    expect(regions(elements)).to.deep.equal([1, 0])
    elements[1]!.announcer.announce('Two.')
    elements[0]!.announcer.announce('One.')
    elements[1]!.announcer.announce('One.')
    await waitUntil(() => textOf(elements[0]!) !== '', 'nothing was announced')
    expect(textOf(elements[0]!)).to.equal('Two. One.')
  })

  it('speak from another element if the first leaves, without its messages', async () => {
    const elements = await showAll(two)
    elements[0]!.announcer.announce('One.')
    elements[1]!.announcer.announce('Two.')
    elements[0]!.remove()
    await waitUntil(() => textOf(elements[1]!) !== '', 'nothing was announced')
    expect(textOf(elements[1]!)).to.equal('Two.')
    expect(regions(elements)).to.deep.equal([0, 1])
  })

  it('speak from a visible element, and announce nothing that nobody can see', async () => {
    const elements = await showAll(two)
    elements[0]!.style.display = 'none'
    elements[0]!.announcer.announce('One.')
    elements[1]!.announcer.announce('Two.')
    await waitUntil(() => textOf(elements[1]!) !== '', 'nothing was announced')
    expect(textOf(elements[1]!)).to.equal('Two.')
    expect(regions(elements)).to.deep.equal([0, 1])
  })

  it('speak from inside a modal dialog of the page about what is in it: what is outside is not heard', async () => {
    const [outside, inside] = await showAll(html`
      <div>
        <x-announcer></x-announcer>
        <dialog><x-announcer></x-announcer></dialog>
      </div>
    `)
    inside!.closest('dialog')!.showModal()
    inside!.announcer.announce('One.')
    await waitUntil(() => textOf(inside!) !== '', 'nothing was announced')
    expect(textOf(inside!)).to.equal('One.')
    inside!.closest('dialog')!.close()
    outside!.announcer.announce('Two.')
    await waitUntil(() => textOf(outside!) !== '', 'nothing was announced')
    expect(regions([outside!, inside!])).to.deep.equal([1, 0])
  })

  it('have the region before the text: only changes are announced', async () => {
    const elements = await showAll(two)
    const region = elements[0]!.shadowRoot!.querySelector('[role=status]')!
    expect(region.textContent).to.equal('')
    elements[1]!.announcer.announce('Un.')
    await waitUntil(() => region.textContent !== '', 'nothing was announced')
    expect(region.isConnected).to.equal(true)
    expect(region.textContent).to.equal('Un.')
  })
})

/** Shows an element with an announcer. */
async function show(): Promise<XAnnouncer> {
  const wrapper = await fixture<HTMLElement>(html`<div><x-announcer></x-announcer></div>`)
  return wrapper.querySelector<XAnnouncer>('x-announcer')!
}

/** Shows several elements with announcers. */
async function showAll(page: TemplateResult): Promise<XAnnouncer[]> {
  const wrapper = await fixture<HTMLElement>(page)
  return [...wrapper.querySelectorAll<XAnnouncer>('x-announcer')]
}

function textOf(element: XAnnouncer): string {
  return element.shadowRoot!.textContent.trim()
}
