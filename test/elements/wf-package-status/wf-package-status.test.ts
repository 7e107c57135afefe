import { expect, fixture, html } from '@open-wc/testing'
import { createBackend, people } from '../../../stories/backend.ts'
import { receipt } from '../../../stories/routing.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { show, showWith, textOf, part, dialog, action, openDialog } from './element.ts'

describe('<wf-package-status>', () => {
  it('shows the state, the people it waits for, the initiator and the dates', async () => {
    const { element } = await show(createBackend(people.secondApprover))

    const text = textOf(element)
    expect(text).to.include('In routing')
    await waitUntil(() => /Daniel Reyes Must sign · Travel Office · since Nov 16/.test(textOf(element)))
    // Screen readers join the texts of one paragraph.
    const [lead, detail] = element.shadowRoot!.querySelectorAll('[part=lead] > p')
    expect(lead).to.have.trimmed.text('Waiting for Daniel Reyes')
    expect(detail!.textContent).to.match(/^Must sign/)
    expect(text).to.include('Initiator Amara Okafor')
    expect(textOf(element).match(/Nov 16, 2026, 9:42/g), 'each time once').to.have.length(1)
    expect(text, 'who may only view is not waited for').not.to.include('Ruth Lindqvist')
  })

  it('changes the language of dates when the element moves', async () => {
    const { element } = await show(createBackend())
    const elsewhere = await fixture(html`<div lang="en-GB"></div>`)
    elsewhere.append(element)

    await waitUntil(() => textOf(element).includes('16 Nov 2026, 09:42'))
  })

  it('shows a state that the spec does not list, without actions', async () => {
    const backend = createBackend(people.administrator)
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'ON_HOLD' })
    const { element } = await show(backend)

    expect(part(element, 'state')?.textContent).to.include('On hold')
    expect(action(element, 'voidPackage')).to.equal(null)
  })

  it('shows the waiting time, the counts, and the mark of the test environment', async () => {
    const backend = createBackend(people.secondApprover)
    backend.emulator.packages.test.get(42)!.attachments.push(receipt)
    const { element } = await show(backend)

    await waitUntil(() => /since Nov 16, 2026, 9:42/.test(textOf(element)))
    expect(textOf(element)).to.match(/On file 1 attachment/)
    expect(textOf(element)).not.to.include('comment')
    await waitUntil(() => part(element, 'environment'), 'the mark of the test environment did not appear')
    expect(part(element, 'environment')).to.have.trimmed.text('Test')
  })

  it('loads the history once while the same people have to act (F26)', async () => {
    const { element, backend } = await show(createBackend())
    const histories = () => backend.journal.filter((line) => line.endsWith('/history')).length
    const requests = () => backend.journal.filter((line) => line.includes('/status')).length
    await waitUntil(() => textOf(element).includes('since'))
    const before = requests()
    for (let refresh = 0; refresh < 5; refresh++) await element.refresh()
    expect(requests()).to.be.at.least(before + 5)
    expect(histories()).to.equal(1)

    const found = backend.emulator.packages.test.get(42)!
    const next = structuredClone(found.history[1]!)
    Object.assign(next.signature!, { id: 9010 })
    found.history.push({ ...next, person: people.secondApprover, actionDate: '2026-11-17T08:00:00' })
    found.inbox = [9010]
    await element.refresh()
    await waitUntil(() => /Mei-Ling Zhou.*since Nov 17/.test(textOf(element)))
    expect(histories()).to.equal(2)
  })

  it('shows no mark in production, or if the session fails to load', async () => {
    const { client } = createBackend()
    const session = await client.getSession()
    for (const getSession of [
      () => Promise.resolve({ ...session, env: 'prod' as const }),
      () => Promise.reject(new Error('down')),
    ]) {
      const element = await showWith({ ...client, getSession })
      await settled(element)
      expect(part(element, 'environment') === null).to.equal(true)
      expect(textOf(element)).to.include('In routing')
    }
  })

  it('appears in Spanish on a Spanish page, including its dialogs', async () => {
    const { client } = createBackend(people.administrator)
    const parent = await fixture(html`
      <div lang="es">
        <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
      </div>
    `)
    const element = parent.querySelector('wf-package-status')!
    await waitUntil(() => part(element, 'state')?.textContent?.includes('En trámite'))
    await openDialog(element, 'restartPackage')

    expect(dialog(element).innerText).to.include('¿Reiniciar el trámite?')
    expect(dialog(element).innerText).to.include('Todos los aprobadores tienen que volver a firmar')
    expect(dialog(element)).to.have.attribute('lang', 'es')
    expect(textOf(element)).to.include('desde el 16 nov 2026, 9:42')
  })

  it('shows names that are markup as text', async () => {
    const backend = createBackend()
    const name = '<img src=x onerror=alert(1)>'
    Object.assign(backend.emulator.people.get(people.firstApprover)!, { displayName: name })
    Object.assign(backend.emulator.people.get(people.initiator)!, { displayName: name })
    const { element } = await show(backend)

    expect(textOf(element)).to.include(`Waiting for ${name}`)
    expect(element.shadowRoot!.querySelector('img')).to.equal(null)
  })

  it('keeps its word order on a right-to-left page, and aligns to its edge', async () => {
    const backend = createBackend()
    backend.emulator.packages.test.get(42)!.attachments.push(receipt, receipt)
    const { element } = await show(backend)
    element.dir = 'rtl'
    const counts = part(element, 'counts')!
    const text = document.createTreeWalker(counts, NodeFilter.SHOW_TEXT).nextNode()!
    const edges = (at: number) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect()
    }
    expect(counts).to.have.text('2 attachments')
    expect(edges(0).left, 'the number before the word').to.be.below(edges(2).left)
    expect(edges(12).right, 'the end at the right').to.be.closeTo(counts.getBoundingClientRect().right, 1)
  })
})
