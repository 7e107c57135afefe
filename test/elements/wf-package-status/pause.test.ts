import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import '../../../src/define/wf-package-status.ts'
import { WfBeforeChangeEvent } from '../../../src/elements/element/events.ts'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import { type Backend, createBackend, people, type Rights } from '../../../stories/backend.ts'
import { after, freeze, hold, releasing, tool } from '../../../stories/routing.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcement } from '../notices/announcements.ts'

const releasers =
  'That application can let it continue, and so can the people to whom this site gives permission.'

describe('<wf-package-status> of a package that a callback has frozen', () => {
  it('shows since when it is paused, without a button for those who may not release it', async () => {
    // As in the stories, which respond to nobody before the route is frozen.
    const element = await show(after(freeze, people.initiator))
    await waitUntil(() => part(element, 'pause'))
    expect(textOf(element)).to.match(
      /Waiting for release at “College” .* Paused at stop 2, College, since \w+ \d+, 20\d\d/,
    )
    expect(part(element, 'release') === null).to.equal(true)
    await waitUntil(() => textOf(element).includes(releasers))
  })

  it('does not name others who can release it to those who can', async () => {
    const { element } = await setUp(releasing)
    await waitUntil(() => part(element, 'release'))
    expect(textOf(element)).not.to.include(releasers)
  })

  it('says that the pause could not be checked if that has failed, until it can', async () => {
    const backend = createBackend(people.administrator, {}, [6025], {}, releasing)
    await freeze(backend)
    const { send } = backend
    backend.send = async (input, init) => {
      if (!`${input instanceof Request ? input.url : input}`.includes('/locks'))
        return await send(input, init)
      throw new TypeError('Failed to fetch')
    }
    const element = await show(backend)
    const unchecked = 'Whether an application holds the route could not be checked.'
    await waitUntil(() => textOf(element).includes(unchecked))
    backend.send = send
    await element.refresh()
    await waitUntil(() => part(element, 'pause'))
    expect(textOf(element)).not.to.include(unchecked)
  })

  it('shows no pause if the proxy does not know the lock, or does not serve the operation', async () => {
    const backend = createBackend(people.administrator, {}, [6025], {}, releasing)
    await hold(backend)
    const element = await show(backend)
    await waitUntil(() => textOf(element).includes('release at “College”'))
    await backend.client.getLocks({ params: { formId: 6025, packageId: 42 } })
    await element.updateComplete
    expect(part(element, 'pause') === null).to.equal(true)
  })

  it('lets the route continue with a reason, once, and moves the focus to the state @engines', async () => {
    const { element, backend } = await setUp(releasing)
    const dialog = await openDialog(element)
    submit(dialog)
    await waitUntil(() => dialog.textContent.includes('Enter why the request may continue.'))
    expect(element.shadowRoot!.activeElement?.localName).to.equal('textarea')

    const changes: WfBeforeChangeEvent[] = []
    element.addEventListener(WfBeforeChangeEvent.type, (event) => changes.push(event))
    type(dialog, ' The budget is approved. ')
    for (let clicks = 0; clicks < 5; clicks++) submit(dialog)
    await waitUntil(() => !dialog.open)
    await waitUntil(() => textOf(element).includes('Waiting for Mei-Ling Zhou'))
    expect(part(element, 'pause') === null).to.equal(true)
    expect(backend.journal.filter((line) => line.startsWith('DELETE')).length).to.equal(1)
    expect(changes.map(({ operation, body }) => [operation, body])).to.deep.equal([
      ['releaseLock', { reason: 'The budget is approved.' }],
    ])
    await waitUntil(() => element.shadowRoot!.activeElement?.getAttribute('part') === 'state')
    await waitUntil(() => announcement().includes('The request continues.'))
  })

  it('sends nothing if the page prevents the event', async () => {
    const { element, backend } = await setUp(releasing)
    const dialog = await openDialog(element)
    element.addEventListener(WfBeforeChangeEvent.type, (event) => event.preventDefault())
    type(dialog, 'Why not')
    submit(dialog)
    await waitUntil(() => !dialog.open)
    expect(backend.journal.some((line) => line.startsWith('DELETE'))).to.equal(false)
    expect(part(element, 'pause') === null).to.equal(false)
  })

  it('keeps the reason and names the outcome if the service fails (F58)', async () => {
    const { element, backend } = await setUp(releasing)
    const dialog = await openDialog(element)
    backend.intercept = ({ method }) =>
      method === 'DELETE' ? Promise.resolve(new Response(null, { status: 500 })) : undefined
    type(dialog, 'Why not')
    const failed = oneEvent(element, 'wf-error')
    submit(dialog)
    await failed
    await waitUntil(() => dialog.textContent.includes('may or may not continue'))
    expect(dialog.open).to.equal(true)
    expect(dialog.querySelector('textarea')!.value).to.equal('Why not')
    await expect(element).to.be.accessible()

    backend.intercept = () => undefined
    submit(dialog)
    await waitUntil(() => !dialog.open)
  })

  it('takes it for done if only the response to the page was lost', async () => {
    const { element, backend } = await setUp(releasing)
    const dialog = await openDialog(element)
    const { send } = backend
    backend.send = async (input, init) => {
      const response = await send(input, init)
      if (typeof input !== 'string' || !input.endsWith('/release')) return response
      throw new TypeError('Failed to fetch')
    }
    type(dialog, 'Why not')
    submit(dialog)
    await waitUntil(() => !dialog.open)
    await waitUntil(() => announcement().includes('The request continues.'))
  })

  it('says that the request still waits if the service accepts the release, but shows no effect', async () => {
    const { element, backend } = await setUp(releasing)
    const dialog = await openDialog(element)
    backend.intercept = (request) =>
      request.method === 'DELETE' ? Promise.resolve(new Response(null, { status: 204 })) : undefined
    type(dialog, 'Why not')
    submit(dialog)
    await waitUntil(() => !dialog.open)
    await waitUntil(() => textOf(element).includes('The pause was released, but the request is still'))
  })

  it('closes its dialog if somebody else lets it continue, or if the card shows another package @engines', async () => {
    const { element, backend } = await setUp(releasing)
    const dialog = await openDialog(element)
    await tool(backend, 'PUT', '/restart')
    await element.refresh()
    await waitUntil(() => !dialog.open)

    const other = await setUp(releasing)
    const { packages } = other.backend.emulator
    packages.test.set(43, { ...packages.test.get(42)!, id: 43 })
    const second = await openDialog(other.element)
    type(second, 'The budget is approved.')
    other.element.packageId = 43
    await waitUntil(() => !second.open)
    expect(second.querySelector('textarea')!.value, 'the reason was for package 42').to.equal('')
  })
})

/** Shows package 42 to the administrator, frozen at its second stop. */
async function setUp(rights: Rights) {
  const backend = createBackend(people.administrator, {}, [6025], {}, rights)
  if (!rights.policy) Object.assign(backend, { person: people.initiator })
  await freeze(backend)
  const element = await show(backend)
  return { backend, element }
}

async function show({ client }: Backend): Promise<WfPackageStatus> {
  const element = await fixture<WfPackageStatus>(html`
    <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
  `)
  await waitUntil(() => part(element, 'environment'))
  return element
}

async function openDialog(element: WfPackageStatus): Promise<HTMLDialogElement> {
  await waitUntil(() => part(element, 'release'))
  part<HTMLElement>(element, 'release')!.click()
  const dialog = [...element.shadowRoot!.querySelectorAll('dialog')].find(({ open }) => open)
  expect(dialog?.textContent).to.include('Let this request continue?')
  return dialog!
}

function type(dialog: HTMLDialogElement, text: string): void {
  const field = dialog.querySelector('textarea')!
  field.value = text
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
}

function submit(dialog: HTMLDialogElement): void {
  dialog.querySelector('form')!.requestSubmit()
}

function part<Found extends Element>(element: WfPackageStatus, name: string): Found | null {
  return element.shadowRoot!.querySelector<Found>(`[part="${name}"]`)
}

function textOf(element: WfPackageStatus): string {
  return part<HTMLElement>(element, 'base')!.innerText.replace(/\s+/g, ' ').trim()
}
