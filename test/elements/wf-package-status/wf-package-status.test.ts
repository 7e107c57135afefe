import { expect, fixture, html } from '@open-wc/testing'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import type { Client } from '../../../src/client/index.ts'
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

  it('writes dates in the language of the nearest ancestor', async () => {
    const { client } = createBackend()
    const parent = await fixture(html`
      <div lang="en-GB">
        <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
      </div>
    `)
    const element = parent.querySelector('wf-package-status')!
    await waitUntil(() => part(element, 'state'))

    expect(textOf(element)).to.include('16 Nov 2026, 09:42')
  })

  it('changes the language of dates when the element moves', async () => {
    const { element } = await show(createBackend())
    const elsewhere = await fixture(html`<div lang="en-GB"></div>`)
    elsewhere.append(element)

    await waitUntil(() => textOf(element).includes('16 Nov 2026, 09:42'))
  })

  it('shows a person without rights that the package is not available', async () => {
    const { element } = await show(createBackend(people.outsider), 'slot[name=forbidden]')

    expect(textOf(element)).to.equal('This request is not available to you.')
    expect(action(element, 'voidPackage')).to.equal(null)
  })

  it('shows that the session has ended, and that a package does not exist', async () => {
    const out = await show(createBackend(null), 'slot[name=signed-out]')
    expect(textOf(out.element)).to.include('signed out')

    const missing = await show(createBackend(), 'slot[name=missing]', 43)
    expect(textOf(missing.element)).to.equal('This request does not exist.')
  })

  it('shows the page author what is not configured, and sends no request', async () => {
    const element = await fixture<WfPackageStatus>(html`<wf-package-status form-id="x"></wf-package-status>`)

    expect(textOf(element)).to.equal(
      '<wf-package-status> needs endpoint, form-id, package-id to show anything.',
    )
  })

  it('rejects ids that are not plain digits, and sends no request', async () => {
    const { client, journal } = createBackend()
    for (const id of ['0x2A', '4.2e1', ' 42 ', '+42', '042', '９', '']) {
      const element = await fixture<WfPackageStatus>(html`
        <wf-package-status .client=${client} form-id="6025" package-id=${id}></wf-package-status>
      `)
      expect(textOf(element), id).to.include('needs package-id')
    }
    expect(journal).to.deep.equal([])
  })

  it('gives each state its own shape, so that color is not needed', async () => {
    const shapes = new Set<string>()
    for (const state of ['PRE_ROUTING', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID', 'ON_HOLD']) {
      const backend = createBackend(people.administrator)
      Object.assign(backend.emulator.packages.test.get(42)!, { state })
      const { element } = await show(backend)
      shapes.add(part(element, 'state')!.querySelector('svg')!.innerHTML)
    }
    expect(shapes.size).to.equal(6)
  })

  it('sends no request that the proxy would reject for an outsider, so that the console stays clean', async () => {
    const { backend } = await show(createBackend(people.outsider), 'slot[name=forbidden]')

    expect(backend.journal.filter((line) => line.endsWith('/packages/42'))).to.deep.equal([])
  })

  it('shows everything else if only the inboxes fail to load', async () => {
    const backend = createBackend()
    backend.intercept = (request) =>
      request.url.includes('/status') ? Promise.resolve(new Response('', { status: 500 })) : undefined
    const { element } = await show(backend)

    expect(textOf(element)).to.include('Who has it now couldn’t be loaded.')
    expect(textOf(element)).to.include('Initiator Amara Okafor')
  })

  it('shows a state that the spec does not list, without actions', async () => {
    const backend = createBackend(people.administrator)
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'ON_HOLD' })
    const { element } = await show(backend)

    expect(part(element, 'state')?.textContent).to.include('On hold')
    expect(action(element, 'voidPackage')).to.equal(null)
  })

  it('counts inboxes that cannot be read, and shows the others', async () => {
    const backend = createBackend()
    backend.intercept = (request) =>
      request.url.includes('/status')
        ? Promise.resolve(
            Response.json([
              {
                id: 42,
                state: 'ROUTING',
                inboxSignatures: [{ approver: 'No id' }, { id: 7, approver: 'Ann', permission: 'NEW_KIND' }],
              },
            ]),
          )
        : undefined
    const { element } = await show(backend)

    expect(textOf(element)).to.include('Waiting for Ann New kind 1 entry couldn’t be read.')
  })

  it('shows a failure if nothing was loaded before', async () => {
    const backend = createBackend()
    backend.intercept = () => Promise.resolve(new Response('<h1>Login</h1>', { status: 200 }))
    const { element } = await show(backend, '[part=failure]')

    expect(textOf(element)).to.equal('Status: Couldn’t be loaded. Try again')
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

  it('omits the waiting time if the history fails to load, and loads it again later', async () => {
    const backend = createBackend()
    let isDown = true
    backend.intercept = (request) =>
      isDown && request.url.endsWith('/history') ? Promise.reject(new TypeError('down')) : undefined
    const { element } = await show(backend)
    await settled(element)
    expect(backend.journal.some((line) => line.endsWith('/history'))).to.equal(true)

    expect(textOf(element)).to.include('Daniel Reyes Must sign · Travel Office Initiator')
    expect(part(element, 'stale') === null).to.equal(true)
    isDown = false
    void element.refresh()
    await waitUntil(() => textOf(element).includes('since Nov 16'))
  })

  it('omits the waiting time if the history does not include the person it waits for', async () => {
    const backend = createBackend()
    for (const event of backend.emulator.packages.test.get(42)!.history) {
      if (event.signature) Object.assign(event.signature, { permission: 'SIGNATURE_PERMITTED' })
    }
    backend.intercept = (request) =>
      request.url.includes('/status')
        ? Promise.resolve(
            Response.json([
              {
                id: 42,
                state: 'ROUTING',
                inboxSignatures: [{ id: 7, approver: 'Daniel Reyes', permission: 'SIGNATURE_REQUIRED' }],
              },
            ]),
          )
        : undefined
    const { element } = await show(backend)
    await settled(element)
    expect(backend.journal.some((line) => line.endsWith('/history'))).to.equal(true)

    expect(textOf(element)).to.include('Daniel Reyes Must sign Initiator')
  })

  it('leads with how long one person has had it, and lists several', async () => {
    const backend = createBackend()
    const found = backend.emulator.packages.test.get(42)!
    found.history[1]!.actionDate = '2001-11-16T09:42:00'
    const { element } = await show(backend)
    element.timeZone = 'America/Chicago'
    await waitUntil(() => /^Waiting for Daniel Reyes · \d+ years Must sign/.test(lead(element)))
    expect(lead(element), 'the age is not repeated').not.to.include('ago')

    const next = structuredClone(found.history[1]!)
    Object.assign(next.signature!, { id: 9010 })
    found.history.push({ ...next, person: people.secondApprover, actionDate: '2002-11-17T08:00:00' })
    found.inbox = [...found.inbox, 9010]
    await element.refresh()
    const both =
      /^Waiting for Daniel Reyes · \d+ years Must sign .* 2001, .*Mei-Ling Zhou · \d+ years Must sign .* 2002, /
    await waitUntil(() => both.test(lead(element)))
    expect(part(element, 'lead')!.querySelectorAll('li')).to.have.length(2)
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

  it('omits counts that the service does not return', async () => {
    const { client } = createBackend()
    const element = await showWith({
      ...client,
      getCached: () => undefined,
      getPackage: async (input) => ({
        ...(await client.getPackage(input)),
        commentCount: null,
        attachmentCount: 1,
      }),
    } as Client)

    expect(part(element, 'counts')).to.have.trimmed.text('1 attachment')
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

function lead(element: WfPackageStatus): string {
  return part<HTMLElement>(element, 'lead')!.innerText.replace(/\s+/g, ' ').trim()
}
