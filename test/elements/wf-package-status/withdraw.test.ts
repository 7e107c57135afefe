import { expect } from '@open-wc/testing'
import { WfEditEvent } from '../../../src/elements/wf-package-status/wf-package-status.events.ts'
import { type Backend, people } from '../../../stories/backend.ts'
import { sign, signMeanwhile, withdrawable } from '../../../stories/routing.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { action, changeEvents, dialog, offered, openDialog, part, show, submit, textOf } from './element.ts'

const editUrl = `${location.origin}/edit/6025/42`
const text = (element: Element) => element.textContent.replace(/\s+/g, ' ').trim()
const isRemoval = (request: Request) => request.method === 'PUT' && request.url.endsWith('/remove')

/** Shows a card that leaves it to the test to go to the editing page. */
async function showCard(
  backend: Backend,
  attributes: Record<string, string> = { 'edit-url': '/edit/{formId}/{packageId}' },
) {
  const { element } = await show(backend)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  const edits: string[] = []
  element.addEventListener(WfEditEvent.type, (event) => {
    event.preventDefault()
    edits.push(event.url)
  })
  return { element, edits, ...changeEvents(element) }
}

describe('<wf-package-status> for people who withdraw their request', () => {
  it('offers it while nobody else has signed (3.1)', async () => {
    const backend = withdrawable()
    const { element } = await showCard(backend)
    await waitUntil(() => action(element, 'withdrawPackage'), 'it is not offered')
    expect(action(element, 'withdrawPackage')).to.have.trimmed.text('Withdraw…')
    await sign(backend, people.firstApprover)
    await element.refresh()
    await settled(element)
    expect(offered(element)).not.to.include('withdrawPackage')
    expect(offered(element), 'control').to.include('getPdf')
  })

  it('offers it to nobody else: administrators remove it from routing (3.2)', async () => {
    const { element } = await showCard(withdrawable(people.administrator))
    await waitUntil(() => action(element, 'removePackage'), 'it is not offered')
    expect(offered(element)).not.to.include('withdrawPackage')
    const { element: other } = await showCard(withdrawable(people.firstApprover))
    await settled(other)
    expect(offered(other)).not.to.include.members(['withdrawPackage', 'removePackage'])
  })

  it('states what happens, removes it from all inboxes and goes on to edit it (3.2)', async () => {
    const backend = withdrawable()
    const { element, edits, before, changed } = await showCard(backend)
    const mails = backend.emulator.outbox.size
    await openDialog(element, 'withdrawPackage')
    expect(text(dialog(element))).to.match(
      /^Withdraw this request\? It leaves every inbox, and nobody is emailed\. .* Withdraw Keep it$/,
    )
    await expect(element).shadowDom.to.be.accessible()
    submit(element)
    await waitUntil(() => edits.length > 0, 'nobody edits it')
    expect(edits).to.deep.equal([editUrl])
    expect(before).to.deep.equal([['removePackage', undefined]])
    expect(changed).to.deep.equal([['ROUTING', 'PRE_ROUTING']])
    expect(dialog(element).open).to.equal(false)
    const pkg = backend.emulator.packages.test.get(42)!
    expect([pkg.state, pkg.isRemoved, pkg.inbox]).to.deep.equal(['PRE_ROUTING', true, []])
    expect(backend.emulator.outbox.size, 'mails').to.equal(mails)
    await waitUntil(() => textOf(element).includes('Removed from routing by Amara Okafor'))
  })

  it('stays on the card without a page for editing, with the focus on the new state (3.2) @engines', async () => {
    const { element, edits } = await showCard(withdrawable(), {})
    await openDialog(element, 'withdrawPackage')
    submit(element)
    await waitUntil(() => !dialog(element).open)
    await waitUntil(() => element.shadowRoot!.activeElement === part(element, 'state'))
    expect(edits).to.deep.equal([])
  })

  it('names who signed at the same moment, before it goes on (3.4)', async () => {
    const backend = withdrawable()
    const { element, edits } = await showCard(backend)
    await openDialog(element, 'withdrawPackage')
    signMeanwhile(backend)
    submit(element)
    await waitUntil(() => text(dialog(element)).startsWith('You have withdrawn'), 'nothing is said')
    expect(text(dialog(element))).to.equal(
      'You have withdrawn the request Daniel Reyes signed at the same moment. That signature is gone. Edit and submit Close',
    )
    expect(edits).to.deep.equal([])
    const link = dialog(element).querySelector('a')!
    expect(element.shadowRoot!.activeElement).to.equal(link)
    await expect(element).shadowDom.to.be.accessible()
    link.click()
    expect(edits).to.deep.equal([editUrl])
    await waitUntil(() => !dialog(element).open)
    expect(backend.emulator.packages.test.get(42)!.state).to.equal('PRE_ROUTING')
  })

  it('says so even if the response was lost and the dialog was closed meanwhile (3.4)', async () => {
    const backend = withdrawable()
    const { element } = await showCard(backend)
    await openDialog(element, 'withdrawPackage')
    const { intercept } = signMeanwhile(backend)
    backend.intercept = (request) =>
      intercept(request)?.then(() => {
        dialog(element).close()
        throw new TypeError('The connection was lost')
      })
    submit(element)
    await waitUntil(() => text(dialog(element)).includes('Daniel Reyes signed at the same moment.'))
    expect(dialog(element).open).to.equal(true)
    dialog(element).querySelector<HTMLElement>('button')!.click()
    await waitUntil(() => element.shadowRoot!.activeElement === part(element, 'state'))
  })

  it('does not claim that nobody signed if the history cannot be read (3.4)', async () => {
    const backend = withdrawable()
    const { element, edits } = await showCard(backend)
    await openDialog(element, 'withdrawPackage')
    let isRemoved = false
    backend.intercept = (request) => {
      isRemoved ||= isRemoval(request)
      return isRemoved && request.url.endsWith('/history')
        ? Promise.resolve(new Response(null, { status: 500 }))
        : undefined
    }
    submit(element)
    await waitUntil(() => text(dialog(element)).includes('couldn’t be checked'), 'nothing is said')
    expect(text(dialog(element))).to.include(
      'Whether somebody signed at the same moment couldn’t be checked.',
    )
    expect(edits).to.deep.equal([])
  })

  it('shows why it was refused if somebody has signed before, and changes nothing (3.1)', async () => {
    const backend = withdrawable()
    const { element, edits } = await showCard(backend)
    await openDialog(element, 'withdrawPackage')
    await sign(backend, people.firstApprover)
    submit(element)
    await waitUntil(() => text(dialog(element)).includes('You can no longer do this.'), 'no reason is shown')
    expect(backend.emulator.packages.test.get(42)!.state).to.equal('ROUTING')
    expect(edits).to.deep.equal([])
  })
})
