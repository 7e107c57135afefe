import { expect, fixture, html } from '@open-wc/testing'
import { LitElement, render, type TemplateResult } from 'lit'
import { Announcer } from '../../../src/elements/notices/announcer.ts'
import { PageMessage } from '../../../src/elements/notices/page-message.ts'
import '../../../src/define/wf-history.ts'
import '../../../src/define/wf-package-status.ts'
import { createBackend, people } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'
import { allAnnounced, announcement, announcements, statusRegion } from './announcements.ts'

/** Shows a message if it has one. */
class XMessage extends LitElement {
  static override properties = { text: {}, source: {} }
  declare text: string
  declare source: unknown
  refreshes = 0

  readonly message: PageMessage = new PageMessage(new Announcer(this), {
    name: () => this.title,
    refresh: () => this.refresh(),
    hasFailed: () => true,
  })

  override render(): TemplateResult {
    return html`${this.text && this.message.shows(this.source, this.text) ? this.text : ''}`
  }

  refresh(): Promise<void> {
    this.refreshes++
    return Promise.resolve()
  }
}
customElements.define('x-message', XMessage)

/** Shows several elements with a message each. */
async function show(...texts: string[]): Promise<XMessage[]> {
  const page = await fixture<HTMLElement>(
    html`<div>${texts.map((text) => html`<x-message .text=${text}></x-message>`)}</div>`,
  )
  const elements = [...page.children] as XMessage[]
  await settled(elements)
  return elements
}

async function settled(elements: readonly XMessage[]): Promise<void> {
  while (elements.some(({ isUpdatePending }) => isUpdatePending))
    await Promise.all(elements.map((element) => element.updateComplete))
}

function textOf(elements: readonly XMessage[]): string[] {
  return elements.map(({ shadowRoot }) => shadowRoot!.textContent)
}

describe('PageMessage', () => {
  it('is shown once for the same text and source, by the first element of the page', async () => {
    const elements = await show('a', 'a', 'b', 'a')
    expect(textOf(elements)).to.deep.equal(['a', '', 'b', ''])
    expect(elements.map(({ message }) => message.isQuiet)).to.deep.equal([false, true, false, true])
    elements[3]!.source = {}
    await settled(elements)
    expect(textOf(elements), 'it comes from elsewhere').to.deep.equal(['a', '', 'b', 'a'])
  })

  it('goes to the next element when the first has recovered or left', async () => {
    const elements = await show('a', 'a', 'a')
    elements[0]!.text = ''
    await settled(elements)
    expect(textOf(elements)).to.deep.equal(['', 'a', ''])
    expect(elements[0]!.message.isQuiet).to.equal(false)
    elements[1]!.remove()
    await settled(elements)
    expect(elements[2]!.shadowRoot!.textContent).to.equal('a')
    elements[0]!.text = 'a'
    await settled(elements)
    expect(textOf([elements[0]!, elements[2]!])).to.deep.equal(['a', ''])
  })

  it('goes to the next element when the first is hidden, and back', async () => {
    const elements = await show('a', 'a')
    elements[0]!.style.display = 'none'
    await waitUntil(() => textOf(elements)[1] === 'a')
    elements[0]!.style.display = 'block'
    await waitUntil(() => textOf(elements).join() === 'a,')
  })

  it('names the contents of all that have it, in the order of the page, each once', async () => {
    const elements = await show('a', 'b', 'a', 'a', 'a')
    for (const [at, title] of ['Comments', 'Files', 'Routing history', 'Comments', 'Status'].entries())
      elements[at]!.title = title
    // They have joined in another order.
    elements[0]!.source = elements[0]!.message
    await settled(elements)
    elements[0]!.source = undefined
    await settled(elements)
    const text = ({ message }: XMessage) => {
      const shown = document.createElement('div')
      render(message.renderFailure('Failed.'), shown)
      return shown.querySelector('p')!.textContent
    }
    expect(text(elements[0]!)).to.equal('Comments, Routing history, Status: Failed.')
    expect(text(elements[1]!)).to.equal('Files: Failed.')
    elements[2]!.remove()
    expect(text(elements[0]!), 'one has left').to.equal('Comments, Status: Failed.')
  })

  it('is announced by one of them', async () => {
    const [first, second] = await show('', '')
    expect(first!.message.join('x', 'a')).to.equal(true)
    expect(second!.message.join('x', 'a')).to.equal(false)
    expect(second!.message.join('x', 'b')).to.equal(true)
    expect(first!.message.join('x', 'a')).to.equal(true)
  })

  for (const isHiding of [true, false]) {
    it(`is announced by a visible element, ${isHiding ? 'also if the page hides the first' : 'the first'}`, async () => {
      const backend = createBackend(people.firstApprover)
      const page = await fixture<HTMLElement>(
        html`<div>
          <wf-history .client=${backend.client} form-id="6025" package-id="42"></wf-history>
          <wf-package-status .client=${backend.client} form-id="6025" package-id="42"></wf-package-status>
        </div>`,
      )
      const history = page.querySelector('wf-history')!
      const card = page.querySelector('wf-package-status')!
      await waitUntil(() => history.matches(':state(loaded)') && card.matches(':state(loaded)'))
      await allAnnounced(page)
      const announced = announcements()
      backend.person = people.outsider
      await history.refresh()
      if (isHiding) history.style.display = 'none'
      await card.refresh()
      const text = 'This request is not available to you.'
      await waitUntil(() => announcement() === text)
      await allAnnounced(page)
      expect(announced).to.deep.equal([text])
      expect((isHiding ? card : history).shadowRoot!.contains(statusRegion()!)).to.equal(true)
    })
  }

  it('updates nothing while nothing changes', async () => {
    const elements = await show('a', 'a')
    elements[0]!.requestUpdate()
    await elements[0]!.updateComplete
    expect(elements.some(({ isUpdatePending }) => isUpdatePending)).to.equal(false)
  })
})
