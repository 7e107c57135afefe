import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/wf-package-status.ts'
import { WfErrorEvent } from '../../../src/elements/element/events.ts'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { freeze, hold, releasing } from '../../../stories/routing.ts'
import { waitUntil } from '../../wait-until.ts'
import { part } from './element.ts'

describe('the pause of a package', () => {
  it('names its stop and its time, as far as they are known', async () => {
    const stop = (stopNumber: number | null, name: string | null) => ({ stopNumber, name })
    const since = '2026-11-17T10:00:00'
    const backend = createBackend(people.administrator, {}, [6025], {}, releasing)
    await hold(backend)
    let lock: object = {}
    serveLocks(backend, () => [{ packageId: 41, lockId: 8 }, null, { ...lock, packageId: 42, lockId: 9 }])
    for (const [fields, text] of [
      [{ stop: stop(2, 'College'), since }, 'Paused at stop 2, College, since Nov 17, 2026, 10:00 AM'],
      [{ stop: stop(2, null), since }, 'Paused at stop 2 since Nov 17, 2026, 10:00 AM'],
      [{ stop: stop(null, 'College'), since }, 'Paused at College since Nov 17, 2026, 10:00 AM'],
      [{ stop: stop(null, null), since }, 'Paused since Nov 17, 2026, 10:00 AM'],
      [{ stop: null, since }, 'Paused since Nov 17, 2026, 10:00 AM'],
      [{ stop: stop(0, 'Start'), since: null }, 'Paused at stop 0, Start,'],
      [{ stop: stop(3, null), since: null }, 'Paused at stop 3'],
      [{ stop: null, since: null }, 'Paused'],
    ] as const) {
      lock = { ...fields, mayRelease: false }
      const element = await show(backend)
      await waitUntil(() => part(element, 'pause'), text)
      expect(textOf(part(element, 'pause')!)).to.equal(text)
    }
    lock = { stop: null, since: null, mayRelease: true }
    const element = await show(backend)
    await waitUntil(() => part(element, 'release'))
    expect(textOf(part(element, 'pause')!)).to.equal('Paused Let it continue…')
    expect(part(element, 'release')!.ariaHasPopup).to.equal('dialog')
  })
})

describe('the dialog that releases a package', () => {
  it('explains the consequence, and requires a reason that is not blank', async () => {
    const { element, backend, dialog } = await openRelease()
    expect(textOf(dialog)).to.equal(
      'Let this request continue? The route goes on from this stop, and the next people get the request. ' +
        'The application that paused it may not have finished: if you are not sure, ask its owner first. ' +
        'Reason The reason is recorded with your name in the log of this site. Let it continue Keep it paused',
    )
    const field = dialog.querySelector('textarea')!
    expect(field.ariaInvalid).to.equal('false')
    expect(field.maxLength).to.equal(500)
    expect([dialog.lang, dialog.getAttribute('closedby')]).to.deep.equal(['en', 'closerequest'])
    expect(dialog.getAttribute('aria-labelledby')).to.equal(dialog.querySelector('h2')!.id)
    expect(dialog.getAttribute('aria-describedby')).to.equal(dialog.querySelector('h2 + p')!.id)

    type(dialog, ' \n ')
    submit(dialog)
    expect(alertOf(dialog)).to.equal('Enter why the request may continue.')
    expect(field.ariaInvalid).to.equal('true')
    expect(element.shadowRoot!.activeElement === field).to.equal(true)
    type(dialog, 'x')
    expect([alertOf(dialog), field.ariaInvalid]).to.deep.equal(['', 'false'])
    expect(releases(backend)).to.equal(0)

    dialog.querySelector<HTMLElement>('button[type=button]')!.click()
    expect(dialog.open).to.equal(false)
    part<HTMLElement>(element, 'release')!.click()
    expect([dialog.open, field.value], 'what was typed stays').to.deep.equal([true, 'x'])
  })

  it('names each reason why the request is still paused', async () => {
    const { element, backend, dialog } = await openRelease()
    let errors = 0
    element.addEventListener(WfErrorEvent.type, () => errors++)
    const { send } = backend
    type(dialog, 'Why not')
    for (const [status, refusedBy, text] of [
      [403, undefined, 'You may not do this. The request is still paused.'],
      [409, undefined, 'This pause has ended or changed in the meantime. Close this and check the request.'],
      [410, undefined, 'This pause has ended or changed in the meantime. Close this and check the request.'],
      [400, undefined, 'This was refused. The request is still paused.'],
      [400, 'service', 'This was refused. The request is still paused. Not now.'],
      [
        503,
        undefined,
        'The response was lost, so the request may or may not continue. Close this and check the request.',
      ],
    ] as const) {
      const before = errors
      backend.send = async (input, init) =>
        new Request(input, init).url.endsWith('/release')
          ? Response.json(
              { refusedBy, reason: 'Not now.', detail: 'Not here.' },
              { status, headers: { 'x-routeslip': '1' } },
            )
          : await send(input, init)
      submit(dialog)
      await waitUntil(() => alertOf(dialog).startsWith(text), `${status} ${alertOf(dialog)}`)
      expect(alertOf(dialog), `${status}`).to.equal(text)
      expect(errors - before).to.equal(1)
      expect(dialog.open).to.equal(true)
      const reason = dialog.querySelector('bdi')
      expect([reason?.lang, reason?.textContent]).to.deep.equal(
        refusedBy ? ['en', 'Not now.'] : [undefined, undefined],
      )
      type(dialog, 'Why not')
      expect(alertOf(dialog), 'gone with the next letter').to.equal('')
    }
  })

  it('keeps the reason while the session has ended, and links to the page where people sign in', async () => {
    const { element, backend, dialog } = await openRelease()
    element.signInUrl = 'https://sign-in.test/'
    type(dialog, 'Why not')
    backend.person = null
    submit(dialog)
    await waitUntil(() => alertOf(dialog) !== '')
    expect(alertOf(dialog)).to.equal(
      'Your session has ended. Sign in and come back to this page. The request is still paused. Sign in',
    )
    expect(dialog.querySelector('a')!.href).to.equal('https://sign-in.test/')
    backend.person = people.administrator
    submit(dialog)
    await waitUntil(() => !dialog.open)
    expect(releases(backend)).to.equal(1)
  })

  it('cannot be closed while it sends the release, and shows a failure even if it was', async () => {
    const { element, backend, dialog } = await openRelease()
    let respond: ((response: Response) => void) | undefined
    backend.intercept = ({ method }) =>
      method === 'DELETE' ? new Promise((resolve) => (respond = resolve)) : undefined
    const isRefused = () => !dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    expect(isRefused()).to.equal(false)
    type(dialog, 'Why not')
    submit(dialog)
    await waitUntil(() => respond)
    expect(isRefused()).to.equal(true)
    expect(dialog.getAttribute('closedby')).to.equal('none')
    const buttons = [...dialog.querySelectorAll('button')]
    expect(buttons.map((button) => [textOf(button), button.ariaDisabled])).to.deep.equal([
      ['One moment…', 'true'],
      ['Keep it paused', 'true'],
    ])
    buttons[1]!.click()
    expect(dialog.open).to.equal(true)

    dialog.close()
    respond!(new Response(null, { status: 500 }))
    await waitUntil(() => dialog.open && alertOf(dialog).includes('may or may not continue'))
    expect(buttons.map((button) => [textOf(button), button.ariaDisabled])).to.deep.equal([
      ['Let it continue', 'false'],
      ['Keep it paused', 'false'],
    ])
    expect(part(element, 'pause') === null).to.equal(false)
  })
})

async function show({ client }: Backend): Promise<WfPackageStatus> {
  client.invalidate()
  const element = await fixture<WfPackageStatus>(html`
    <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
  `)
  await waitUntil(() => part(element, 'environment'))
  return element
}

/** Opens the dialog for package 42, which is frozen at its second stop. */
async function openRelease() {
  const backend = createBackend(people.administrator, {}, [6025], {}, releasing)
  await freeze(backend)
  const element = await show(backend)
  await waitUntil(() => part(element, 'release'))
  part<HTMLElement>(element, 'release')!.click()
  const dialog = [...element.shadowRoot!.querySelectorAll('dialog')].find(({ open }) => open)!
  return { element, backend, dialog }
}

/** Lets the proxy know these locks. */
function serveLocks(backend: Backend, locks: () => readonly unknown[]): void {
  const { send } = backend
  backend.send = async (input, init) =>
    new Request(input, init).url.endsWith('/locks')
      ? Response.json({ locks: locks(), hasMore: false })
      : await send(input, init)
}

function type(dialog: HTMLDialogElement, text: string): void {
  const field = dialog.querySelector('textarea')!
  field.value = text
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
}

function submit(dialog: HTMLDialogElement): void {
  dialog.querySelector('form')!.requestSubmit()
}

function alertOf(dialog: HTMLDialogElement): string {
  return textOf(dialog.querySelector('[role=alert]')!)
}

function releases({ journal }: Backend): number {
  return journal.filter((line) => line.startsWith('DELETE')).length
}

function textOf(element: Element): string {
  return (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim()
}
