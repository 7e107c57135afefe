import { aTimeout, expect, fixture, html, oneEvent, waitUntil } from '@open-wc/testing'
import { emulateMedia, sendKeys } from '@web/test-runner-commands'
import '../../src/define/wf-package-status.ts'
import {
  WfBeforeChangeEvent,
  WfChangeEvent,
  WfErrorEvent,
} from '../../src/elements/wf-package-status/wf-package-status.events.ts'
import type { WfPackageStatus } from '../../src/elements/wf-package-status/wf-package-status.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'

describe('<wf-package-status>', () => {
  it('shows the state, whom it waits for, the initiator and the dates', async () => {
    const { element } = await show(createBackend(people.secondApprover))

    const text = textOf(element)
    expect(text).to.include('In routing')
    expect(text).to.include('Waiting for Daniel Reyes must sign · Travel Office')
    expect(text).to.include('Initiator Amara Okafor')
    expect(text).to.include('Routing since Nov 16, 2026, 9:42')
    expect(text, 'who may only view is not waited for').not.to.include('Ruth Lindqvist')
  })

  it('writes dates in the language of the nearest ancestor', async () => {
    const { client } = createBackend()
    const parent = await fixture(html`
      <div lang="de">
        <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
      </div>
    `)
    const element = parent.querySelector('wf-package-status')!
    await waitUntil(() => part(element, 'state'))

    expect(textOf(element)).to.include('16.11.2026, 09:42')
  })

  it('tells an outsider that the package is not available to them', async () => {
    const { element } = await show(createBackend(people.outsider), 'slot[name=forbidden]')

    expect(textOf(element)).to.equal('This package is not available to you.')
    expect(part(element, 'void')).to.equal(null)
  })

  it('tells who is signed out, and what is not there', async () => {
    const out = await show(createBackend(null), 'slot[name=signed-out]')
    expect(textOf(out.element)).to.include('signed out')

    const missing = await show(createBackend(), 'slot[name=missing]', 43)
    expect(textOf(missing.element)).to.equal('There is no such package.')
  })

  it('tells its author what is not configured, and requests nothing', async () => {
    const element = await fixture<WfPackageStatus>(html`<wf-package-status form-id="x"></wf-package-status>`)

    expect(textOf(element)).to.equal(
      '<wf-package-status> needs endpoint, form-id, package-id to show anything.',
    )
  })

  it('takes no id that is not written in plain digits, and asks for nothing', async () => {
    const { client, journal } = createBackend()
    for (const id of ['0x2A', '4.2e1', ' 42 ', '+42', '042', '９', '']) {
      const element = await fixture<WfPackageStatus>(html`
        <wf-package-status .client=${client} form-id="6025" package-id=${id}></wf-package-status>
      `)
      expect(textOf(element), id).to.include('needs package-id')
    }
    expect(journal).to.deep.equal([])
  })

  it('gives each state a shape of its own, so that colour is not needed', async () => {
    const shapes = new Set<string>()
    for (const state of ['PRE_ROUTING', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID', 'ON_HOLD']) {
      const backend = createBackend(people.administrator)
      Object.assign(backend.emulator.packages.test.get(42)!, { state })
      const { element } = await show(backend)
      shapes.add(part(element, 'state')!.querySelector('svg')!.innerHTML)
    }
    expect(shapes.size).to.equal(6)
  })

  it('asks for nothing that an outsider is refused, so that the console stays clean', async () => {
    const { backend } = await show(createBackend(people.outsider), 'slot[name=forbidden]')

    expect(backend.journal.filter((line) => line.endsWith('/packages/42'))).to.deep.equal([])
  })

  it('shows the rest when only the inboxes cannot be had', async () => {
    const backend = createBackend()
    backend.intercept = (request) =>
      request.url.includes('/status') ? Promise.resolve(new Response('', { status: 500 })) : undefined
    const { element } = await show(backend)

    expect(textOf(element)).to.include('Waiting for Whom it waits for is not known at the moment.')
    expect(textOf(element)).to.include('Initiator Amara Okafor')
  })

  it('shows a state that the spec does not list, and offers nothing for it', async () => {
    const backend = createBackend(people.administrator)
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'ON_HOLD' })
    const { element } = await show(backend)

    expect(part(element, 'state')?.textContent).to.include('On hold')
    expect(part(element, 'void')).to.equal(null)
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

    expect(textOf(element)).to.include('Waiting for Ann New kind One entry could not be read.')
  })

  for (const [role, person, mayVoid] of [
    ['initiator', people.initiator, true],
    ['first approver', people.firstApprover, true],
    ['second approver', people.secondApprover, false],
    ['administrator', people.administrator, true],
  ] as const) {
    it(`${mayVoid ? 'offers' : 'does not offer'} to void to the ${role}`, async () => {
      const { element } = await show(createBackend(person))

      expect(part(element, 'void') !== null).to.equal(mayVoid)
    })
  }

  it('voids with the reason that was chosen, and moves the focus to the new state', async () => {
    const { element, backend } = await show(createBackend())
    openDialog(element)
    choose(element, 'INCORRECT_FORM')
    const changed = oneEvent<WfChangeEvent>(element, WfChangeEvent.type)
    submit(element)

    const { from, to } = await changed
    expect([from, to]).to.deep.equal(['ROUTING', 'VOID'])
    expect(backend.emulator.packages.test.get(42)?.voidReason).to.equal('INCORRECT_FORM')
    await waitUntil(() => !dialog(element).open)
    expect(textOf(element)).to.include('Void Reason Incorrect form')
    expect(part(element, 'void')).to.equal(null)
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'state'))
    await waitUntil(() => announcement(element) === 'The package is now: Void.')
  })

  it('asks for a reason before it sends anything', async () => {
    const { element, backend } = await show(createBackend())
    openDialog(element)
    submit(element)
    await element.updateComplete

    expect(element.shadowRoot!.querySelector('[role=alert]')).to.have.trimmed.text('Choose a reason.')
    expect(element.shadowRoot!.activeElement).to.have.property('name', 'reason')
    expect(writes(backend)).to.deep.equal([])
  })

  it('sends one write however often it is submitted (F37)', async () => {
    const { element, backend } = await show(createBackend())
    openDialog(element)
    choose(element, 'TRANSACTION_DENIED')
    for (let click = 0; click < 10; click++) submit(element)
    await waitUntil(() => !dialog(element).open)

    expect(writes(backend)).to.have.length(1)
  })

  it('voids the package that the dialog was opened for, or none', async () => {
    const backend = createBackend()
    const packages = backend.emulator.packages.test
    packages.set(43, { ...packages.get(42)!, id: 43 })
    const { element } = await show(backend)
    openDialog(element)
    await element.updateComplete
    expect(dialog(element).querySelector('h2')).to.have.trimmed.text('Void package 42?')
    choose(element, 'INCORRECT_FORM')
    element.packageId = 43
    await element.updateComplete
    expect(dialog(element).open).to.equal(false)
    submit(element)
    await aTimeout(20)

    expect(writes(backend)).to.deep.equal([])
  })

  it('says in the dialog that someone else was quicker, and sends nothing then', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 50 }))
    openDialog(element)
    choose(element, 'INCORRECT_FORM')
    Object.assign(backend.emulator.packages.test.get(42)!, {
      state: 'VOID',
      voidReason: 'DUPLICATE_TRANSACTION',
    })
    await waitUntil(() => alertText(element).includes('It is now: Void.'))
    submit(element)
    await aTimeout(20)

    expect(dialog(element).open).to.equal(true)
    expect(writes(backend)).to.deep.equal([])
    dialog(element).close()
    await waitUntil(() => element.shadowRoot!.activeElement === part(element, 'state'))
  })

  it('takes a refusal for no success, although the package is void now (F29)', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = (request) => {
      if (request.method !== 'PUT') return undefined
      Object.assign(backend.emulator.packages.test.get(42)!, { state: 'VOID' })
      return backend.emulator.fetch(request)
    }
    openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.equal(
      'The package cannot be voided in its present state. Nothing was changed.',
    )
    expect(dialog(element).open).to.equal(true)
  })

  it('shows what the write has answered, even if nothing can be read after it', async () => {
    const { element, backend } = await show(createBackend())
    let isVoid = false
    backend.intercept = (request) => {
      if (request.method === 'PUT') isVoid = true
      return isVoid && request.method === 'GET' ? Promise.reject(new TypeError('down')) : undefined
    }
    openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => part(element, 'stale'))

    expect(part(element, 'state')?.textContent).to.include('Void')
    expect(part(element, 'void')).to.equal(null)
  })

  it('shows a failure however often Escape was pressed meanwhile', async () => {
    const { element, backend } = await show(createBackend(people.firstApprover))
    let answer!: (response: Response) => void
    backend.intercept = (request) =>
      request.method === 'PUT' ? new Promise((resolve) => (answer = resolve)) : undefined
    openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => answer)
    for (let press = 0; press < 4; press++) await sendKeys({ press: 'Escape' })
    answer(new Response('', { status: 403 }))
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.include('You may not void this package any more.')
    expect(dialog(element).open).to.equal(true)
  })

  it('can be opened again after the element was moved with its dialog open', async () => {
    const { element } = await show(createBackend())
    openDialog(element)
    const elsewhere = await fixture<HTMLElement>(html`<div></div>`)
    elsewhere.append(element)
    expect(dialog(element).open).to.equal(false)
    openDialog(element)
    expect(dialog(element).matches(':modal')).to.equal(true)
  })

  it('forgets a choice that was not confirmed', async () => {
    const { element } = await show(createBackend())
    openDialog(element)
    choose(element, 'INCORRECT_FORM')
    dialog(element).close()
    openDialog(element)

    expect(element.shadowRoot!.querySelector('input:checked')).to.equal(null)
  })

  it('keeps the focus when the button goes away under it', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 50 }))
    part<HTMLElement>(element, 'void')!.focus()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'COMPLETE', inbox: [] })
    await waitUntil(() => !part(element, 'void'))

    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'state'))
  })

  it('lets the page refuse', async () => {
    const { element, backend } = await show(createBackend())
    element.addEventListener(WfBeforeChangeEvent.type, (event) => event.preventDefault())
    openDialog(element)
    choose(element, 'TRANSACTION_DENIED')
    submit(element)
    await aTimeout(20)

    expect(dialog(element).open).to.equal(false)
    expect(writes(backend)).to.deep.equal([])
  })

  it('keeps the dialog and the choice when the right was withdrawn meanwhile (F17)', async () => {
    const { element, backend } = await show(createBackend(people.firstApprover))
    openDialog(element)
    choose(element, 'INCORRECT_FORM')
    backend.emulator.packages.test.get(42)!.inbox = []
    const failed = oneEvent<WfErrorEvent>(element, WfErrorEvent.type)
    submit(element)
    await failed
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.equal('You may not void this package any more. Nothing was changed.')
    expect(dialog(element).open).to.equal(true)
    expect(element.shadowRoot!.querySelector<HTMLInputElement>('input:checked')?.value).to.equal(
      'INCORRECT_FORM',
    )
    expect(part(element, 'void')).to.equal(null)
  })

  it('looks at the state when the answer to a void is lost (F09)', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = (request) =>
      request.method === 'PUT'
        ? backend.emulator.fetch(request).then(() => Promise.reject(new TypeError('reset')))
        : undefined
    openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => !dialog(element).open)

    expect(part(element, 'state')?.textContent).to.include('Void')
    expect(writes(backend)).to.have.length(1)
  })

  it('goes stale when the service does, keeps what was shown, and recovers (F01)', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 60 }))
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => part(element, 'stale'))

    expect(textOf(element)).to.include('Waiting for Daniel Reyes')
    expect(textOf(element)).to.include('This may be out of date')
    await waitUntil(() => announcement(element).includes('This may be out of date'))
    await expect(element).to.be.accessible()

    backend.intercept = () => undefined
    const button = part(element, 'stale')!.querySelector('button')!
    button.focus()
    button.click()
    await waitUntil(() => !part(element, 'stale'))
    expect(textOf(element)).to.include('Waiting for Daniel Reyes')
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'state'))
  })

  it('announces an outage once, however many retries fail, and the end of it', async () => {
    const { element, backend } = await show(
      createBackend(people.initiator, { interval: 60, longestBackoff: 60 }),
    )
    const said: string[] = []
    const observer = new MutationObserver(() => said.push(announcement(element)))
    observer.observe(element.shadowRoot!.querySelector('[role=status]')!, {
      childList: true,
      characterData: true,
      subtree: true,
    })
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => said.length > 0)
    await aTimeout(500)
    backend.intercept = () => undefined
    await waitUntil(() => said.length > 1)
    observer.disconnect()

    expect(said).to.deep.equal([
      'This may be out of date: the latest could not be loaded.',
      'Up to date again.',
    ])
  })

  it('answers a try that fails again', async () => {
    const { element, backend } = await show(
      createBackend(people.initiator, { interval: 60, longestBackoff: 60_000 }),
    )
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => part(element, 'stale'))
    part(element, 'stale')!.querySelector('button')!.click()
    await waitUntil(() => announcement(element).includes('Still not available.'))
  })

  it('recovers by itself', async () => {
    const { element, backend } = await show(
      createBackend(people.initiator, { interval: 60, longestBackoff: 100 }),
    )
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => part(element, 'stale'))
    backend.intercept = () => undefined

    await waitUntil(() => !part(element, 'stale'))
  })

  it('says so when there is nothing to keep', async () => {
    const backend = createBackend()
    backend.intercept = () => Promise.resolve(new Response('<h1>Login</h1>', { status: 200 }))
    const { element } = await show(backend, '[part=failure]')

    expect(textOf(element)).to.equal('This cannot be loaded at the moment. Try again')
  })

  it('notices a change that someone else made', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 60 }))
    const changed = oneEvent<WfChangeEvent>(element, WfChangeEvent.type)
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'COMPLETE', inbox: [] })

    expect((await changed).to).to.equal('COMPLETE')
  })

  it('shows in two elements what was changed through one', async () => {
    const backend = createBackend()
    const { element } = await show(backend)
    const { element: other } = await show(backend)
    openDialog(element)
    choose(element, 'DUPLICATE_TRANSACTION')
    submit(element)

    await waitUntil(() => part(other, 'state')?.textContent?.includes('Void'))
  })

  it('paints only the last package when ids change quickly (F39)', async () => {
    const backend = createBackend()
    const slow = backend.emulator.packages.test
    slow.set(7, { ...slow.get(42)!, id: 7, state: 'COMPLETE', inbox: [] })
    const { element } = await show(backend)
    const loaded: number[] = []
    element.addEventListener('wf-load', (event) => loaded.push(event.package.id))
    backend.intercept = (request) =>
      request.url.endsWith('/42') ? aTimeout(80).then(() => backend.emulator.fetch(request)) : undefined

    void element.refresh()
    element.packageId = 7
    await waitUntil(() => part(element, 'state')?.textContent?.includes('Complete'))
    await aTimeout(120)
    expect(loaded).to.deep.equal([7])
  })

  it('aborts and forgets nothing when it is moved, and asks for nothing once removed (F38)', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 40 }))
    const elsewhere = await fixture<HTMLElement>(html`<div></div>`)
    elsewhere.append(element)
    await aTimeout(20)
    expect(part(element, 'state')?.textContent).to.include('In routing')

    element.remove()
    await aTimeout(20)
    const before = backend.journal.length
    await aTimeout(150)
    expect(backend.journal.length).to.equal(before)
  })

  it('is worked with the keyboard alone', async () => {
    const { element, backend } = await show(createBackend())
    part<HTMLElement>(element, 'void')!.focus()
    await sendKeys({ press: 'Enter' })
    expect(dialog(element).open).to.equal(true)
    await sendKeys({ press: 'Escape' })
    expect(dialog(element).open).to.equal(false)
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'void'))

    await sendKeys({ press: 'Enter' })
    element.shadowRoot!.querySelector('input')!.focus()
    await sendKeys({ press: 'ArrowDown' })
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => !dialog(element).open)
    expect(backend.emulator.packages.test.get(42)?.voidReason).to.equal('INCORRECT_FORM')
  })

  for (const [name, scheme, direction] of [
    ['light', 'light', 'ltr'],
    ['dark', 'dark', 'ltr'],
    ['right-to-left', 'light', 'rtl'],
  ] as const) {
    it(`is accessible in every state, ${name}`, async () => {
      await emulateMedia({ colorScheme: scheme })
      const states = ['PRE_ROUTING', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID'] as const
      for (const state of states) {
        const backend = createBackend(people.administrator)
        Object.assign(backend.emulator.packages.test.get(42)!, {
          state,
          voidReason: state === 'VOID' ? 'INCORRECT_FORM' : null,
        })
        const { element } = await show(backend)
        element.dir = direction
        await expect(element).to.be.accessible()
      }
      const { element } = await show(createBackend())
      openDialog(element)
      submit(element)
      await element.updateComplete
      await expect(element).to.be.accessible()
      dialog(element).close()
      await emulateMedia({ colorScheme: 'light' })
    })
  }
})

async function show(backend: Backend, until = '[part=state]', packageId = 42) {
  const element = await fixture<WfPackageStatus>(html`
    <wf-package-status .client=${backend.client} form-id="6025" package-id=${packageId}></wf-package-status>
  `)
  await waitUntil(() => element.shadowRoot!.querySelector(until), `${until} did not appear`)
  return { element, backend }
}

/** What is seen: without the announcement and the closed dialog. */
function textOf(element: WfPackageStatus): string {
  return part<HTMLElement>(element, 'base')!.innerText.replace(/\s+/g, ' ').trim()
}

function part<Found extends Element>(element: WfPackageStatus, name: string): Found | null {
  return element.shadowRoot!.querySelector<Found>(`[part="${name}"]`)
}

function announcement(element: WfPackageStatus): string {
  return element.shadowRoot!.querySelector('[role=status]')!.textContent
}

function alertText(element: WfPackageStatus): string {
  return element.shadowRoot!.querySelector('[role=alert]')!.textContent.trim()
}

function dialog(element: WfPackageStatus): HTMLDialogElement {
  return element.shadowRoot!.querySelector('dialog')!
}

function openDialog(element: WfPackageStatus): void {
  part<HTMLElement>(element, 'void')!.click()
}

function choose(element: WfPackageStatus, reason: string): void {
  element.shadowRoot!.querySelector<HTMLElement>(`input[value=${reason}]`)!.click()
}

function submit(element: WfPackageStatus): void {
  element.shadowRoot!.querySelector<HTMLElement>('button[type=submit]')!.click()
}

function writes({ journal }: Backend): string[] {
  return journal.filter((line) => !line.startsWith('GET '))
}
