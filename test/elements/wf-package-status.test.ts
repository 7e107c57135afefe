import { aTimeout, expect, fixture, html, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import '../../src/define/wf-package-status.ts'
import { WfBeforeChangeEvent, WfChangeEvent, WfErrorEvent } from '../../src/elements/events.ts'
import type { WfPackageStatus } from '../../src/elements/wf-package-status/wf-package-status.ts'
import { type Client, createClient } from '../../src/client/index.ts'
import { WfSignEvent } from '../../src/elements/wf-package-status/wf-package-status.events.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'
import { emulateMedia } from '../media.ts'
import { waitUntil } from '../wait-until.ts'

describe('<wf-package-status>', () => {
  it('shows the state, the people it waits for, the initiator and the dates', async () => {
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

  it('changes the language of dates when the element moves', async () => {
    const { element } = await show(createBackend())
    const elsewhere = await fixture(html`<div lang="de"></div>`)
    elsewhere.append(element)

    await waitUntil(() => textOf(element).includes('16.11.2026, 09:42'))
  })

  it('announces a failure of the next package, even if the text is the same', async () => {
    const { element } = await show(createBackend(), 'slot[name=missing]', 43)
    await waitUntil(() => announcement(element) === 'This request does not exist.')
    const said = announcements(element)
    await element.refresh()
    await aTimeout(500)
    expect(said, 'no news of the same').to.deep.equal([])

    element.packageId = 44
    await waitUntil(() => said.length > 0)
    expect(said).to.deep.equal(['This request does not exist.'])
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

    expect(textOf(element)).to.include("Waiting for Couldn't be loaded.")
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

    expect(textOf(element)).to.include("Waiting for Ann New kind 1 entry couldn't be read.")
  })

  for (const [role, person, mayVoid] of [
    ['initiator', people.initiator, true],
    ['first approver', people.firstApprover, true],
    ['second approver', people.secondApprover, false],
    ['administrator', people.administrator, true],
  ] as const) {
    it(`${mayVoid ? 'offers' : 'does not offer'} to void to the ${role}`, async () => {
      const { element } = await show(createBackend(person))

      expect(action(element, 'voidPackage') !== null).to.equal(mayVoid)
    })
  }

  it('voids with the chosen reason, and moves the focus to the new state', async () => {
    const { element, backend } = await show(createBackend())
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    const changed = oneEvent<WfChangeEvent>(element, WfChangeEvent.type)
    submit(element)

    const { from, to } = await changed
    expect([from, to]).to.deep.equal(['ROUTING', 'VOID'])
    expect(backend.emulator.packages.test.get(42)?.voidReason).to.equal('INCORRECT_FORM')
    await waitUntil(() => !dialog(element).open)
    expect(textOf(element)).to.include('Void Test Reason Incorrect form')
    expect(action(element, 'voidPackage')).to.equal(null)
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'state'))
    await waitUntil(() => announcement(element) === 'The request is now: Void.')
  })

  it('requires a reason before it sends a request', async () => {
    const { element, backend } = await show(createBackend())
    await openDialog(element)
    submit(element)
    await element.updateComplete

    expect(element.shadowRoot!.querySelector('[role=alert]')).to.have.trimmed.text('Choose a reason.')
    expect(element.shadowRoot!.activeElement).to.have.property('name', 'reason')
    expect(writes(backend)).to.deep.equal([])
  })

  it('sends one request, even if the dialog is submitted repeatedly (F37)', async () => {
    const { element, backend } = await show(createBackend())
    await openDialog(element)
    choose(element, 'TRANSACTION_DENIED')
    for (let click = 0; click < 10; click++) submit(element)
    await waitUntil(() => !dialog(element).open)

    expect(writes(backend)).to.have.length(1)
  })

  it('closes the dialog and sends nothing if the package changes', async () => {
    const backend = createBackend()
    const packages = backend.emulator.packages.test
    packages.set(43, { ...packages.get(42)!, id: 43 })
    const { element } = await show(backend)
    await openDialog(element)
    await element.updateComplete
    expect(dialog(element).querySelector('h2')).to.have.trimmed.text('Void this request?')
    choose(element, 'INCORRECT_FORM')
    element.packageId = 43
    await element.updateComplete
    expect(dialog(element).open).to.equal(false)
    submit(element)
    await aTimeout(20)

    expect(writes(backend)).to.deep.equal([])
  })

  it('shows in the dialog that someone else changed the package, and sends nothing', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 50 }))
    await openDialog(element)
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

  it('treats a rejected request as a failure, even if the package is void (F29)', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = (request) => {
      if (request.method !== 'PUT') return undefined
      Object.assign(backend.emulator.packages.test.get(42)!, { state: 'VOID' })
      return backend.emulator.fetch(request)
    }
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.equal(
      'This is not possible in the present state of the request. Nothing was changed.',
    )
    expect(dialog(element).open).to.equal(true)
  })

  it('shows the response to the change, even if nothing can be loaded after it', async () => {
    const { element, backend } = await show(createBackend())
    let isVoid = false
    backend.intercept = (request) => {
      if (request.method === 'PUT') isVoid = true
      return isVoid && request.method === 'GET' ? Promise.reject(new TypeError('down')) : undefined
    }
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => part(element, 'stale'))

    expect(part(element, 'state')?.textContent).to.include('Void')
    expect(action(element, 'voidPackage')).to.equal(null)
  })

  it('shows a failure, even if Escape was pressed meanwhile', async () => {
    const { element, backend } = await show(createBackend(people.firstApprover))
    let answer!: (response: Response) => void
    backend.intercept = (request) =>
      request.method === 'PUT' ? new Promise((resolve) => (answer = resolve)) : undefined
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => answer)
    for (let press = 0; press < 4; press++) await sendKeys({ press: 'Escape' })
    answer(new Response('', { status: 403 }))
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.include('You can no longer do this.')
    expect(dialog(element).open).to.equal(true)
  })

  it('can be opened again after the element was moved with its dialog open', async () => {
    const { element } = await show(createBackend())
    await openDialog(element)
    const elsewhere = await fixture<HTMLElement>(html`<div></div>`)
    elsewhere.append(element)
    expect(dialog(element).open).to.equal(false)
    await openDialog(element)
    expect(dialog(element).matches(':modal')).to.equal(true)
  })

  it('resets a choice that was not confirmed', async () => {
    const { element } = await show(createBackend())
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    dialog(element).close()
    await openDialog(element)

    expect(element.shadowRoot!.querySelector('input:checked')).to.equal(null)
  })

  it('moves the focus to the state when the focused button is removed', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 50 }))
    action(element, 'voidPackage')!.focus()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'COMPLETE', inbox: [] })
    await waitUntil(() => !action(element, 'voidPackage'))

    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'state'))
  })

  it('closes the dialog and returns the focus to its button if the page cancels the change', async () => {
    const { element, backend } = await show(createBackend())
    element.addEventListener(WfBeforeChangeEvent.type, (event) => event.preventDefault())
    action(element, 'voidPackage')!.focus()
    await openDialog(element)
    choose(element, 'TRANSACTION_DENIED')
    submit(element)
    await waitUntil(() => !dialog(element).open, 'the dialog stays open')
    await aTimeout(20)

    expect(dialog(element).open).to.equal(false)
    expect(writes(backend)).to.deep.equal([])
    expect(element.shadowRoot!.activeElement, 'the focus').to.equal(action(element, 'voidPackage'))
  })

  it('keeps the dialog and the choice if the person lost the right meanwhile (F17)', async () => {
    const { element, backend } = await show(createBackend(people.firstApprover))
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    backend.emulator.packages.test.get(42)!.inbox = []
    const failed = oneEvent<WfErrorEvent>(element, WfErrorEvent.type)
    submit(element)
    await failed
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.equal('You can no longer do this. Nothing was changed.')
    expect(dialog(element).open).to.equal(true)
    expect(element.shadowRoot!.querySelector<HTMLInputElement>('input:checked')?.value).to.equal(
      'INCORRECT_FORM',
    )
    expect(action(element, 'voidPackage')).to.equal(null)
  })

  it('verifies the state if the response to a void is lost (F09)', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = (request) =>
      request.method === 'PUT'
        ? backend.emulator.fetch(request).then(() => Promise.reject(new TypeError('reset')))
        : undefined
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => !dialog(element).open)

    expect(part(element, 'state')?.textContent).to.include('Void')
    expect(writes(backend)).to.have.length(1)
  })

  it('becomes stale during an outage, keeps its content, and recovers (F01)', async () => {
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

  it('announces an outage once, even if retries fail, and its end', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 60, maxBackoff: 60 }))
    const said = announcements(element)
    let failures = 0
    element.addEventListener(WfErrorEvent.type, () => failures++)
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => said.length > 0, 'the outage was not announced')
    // Retries after the announcement: a further announcement would replace its text.
    const before = failures
    await waitUntil(() => failures > before + 3, 'the element does not retry')
    backend.intercept = () => undefined
    await waitUntil(() => said.length > 1, 'the end was not announced')

    expect(said).to.deep.equal([
      "Status: This may be out of date. The latest version couldn't be loaded.",
      'Up to date again.',
    ])
  })

  it('announces that another try has failed', async () => {
    const { element, backend } = await show(
      createBackend(people.initiator, { interval: 60, maxBackoff: 60_000 }),
    )
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => part(element, 'stale'))
    part(element, 'stale')!.querySelector('button')!.click()
    await waitUntil(() => announcement(element).includes('Still not available.'))
  })

  it('recovers by itself', async () => {
    const { element, backend } = await show(
      createBackend(people.initiator, { interval: 60, maxBackoff: 100 }),
    )
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => part(element, 'stale'))
    backend.intercept = () => undefined

    await waitUntil(() => !part(element, 'stale'))
  })

  it('shows a failure if nothing was loaded before', async () => {
    const backend = createBackend()
    backend.intercept = () => Promise.resolve(new Response('<h1>Login</h1>', { status: 200 }))
    const { element } = await show(backend, '[part=failure]')

    expect(textOf(element)).to.equal("Couldn't be loaded. Try again")
  })

  it('fires wf-change when someone else changes the package', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 60 }))
    const changed = oneEvent<WfChangeEvent>(element, WfChangeEvent.type)
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'COMPLETE', inbox: [] })

    expect((await changed).to).to.equal('COMPLETE')
  })

  it('shows in two elements what was changed through one', async () => {
    const backend = createBackend()
    const { element } = await show(backend)
    const { element: other } = await show(backend)
    await openDialog(element)
    choose(element, 'DUPLICATE_TRANSACTION')
    submit(element)

    await waitUntil(() => part(other, 'state')?.textContent?.includes('Void'))
  })

  it('shows only the last package when ids change quickly (F39)', async () => {
    const backend = createBackend()
    const slow = backend.emulator.packages.test
    slow.set(7, { ...slow.get(42)!, id: 7, state: 'COMPLETE', inbox: [] })
    const { element } = await show(backend)
    const loaded: number[] = []
    element.addEventListener('wf-load', (event) =>
      loaded.push((event.value as { found: { id: number } }).found.id),
    )
    backend.intercept = (request) =>
      request.url.endsWith('/42') ? aTimeout(80).then(() => backend.emulator.fetch(request)) : undefined

    void element.refresh()
    element.packageId = 7
    await waitUntil(() => part(element, 'state')?.textContent?.includes('Complete'))
    await aTimeout(120)
    expect(loaded).to.deep.equal([7])
  })

  it('keeps its content when it moves, and sends no request after it is removed (F38)', async () => {
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

  it('works with the keyboard alone', async () => {
    const { element, backend } = await show(createBackend())
    action(element, 'voidPackage')!.focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => dialog(element)?.open)
    await sendKeys({ press: 'Escape' })
    expect(dialog(element).open).to.equal(false)
    expect(element.shadowRoot!.activeElement).to.equal(action(element, 'voidPackage'))

    await sendKeys({ press: 'Enter' })
    await waitUntil(() => dialog(element).open)
    element.shadowRoot!.querySelector('input')!.focus()
    await sendKeys({ press: 'ArrowDown' })
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => !dialog(element).open)
    expect(backend.emulator.packages.test.get(42)?.voidReason).to.equal('INCORRECT_FORM')
  })

  it('shows the waiting time, the counts, and the mark of the test environment', async () => {
    const { element } = await show(createBackend(people.secondApprover))

    await waitUntil(() => /since Nov 16, 2026, 9:42/.test(textOf(element)))
    expect(textOf(element)).to.include('0 comments · 0 attachments')
    await waitUntil(() => part(element, 'environment'), 'the mark of the test environment did not appear')
    expect(part(element, 'environment')).to.have.trimmed.text('Test')
  })

  it('omits the waiting time if the history fails to load, and loads it again later', async () => {
    const backend = createBackend(people.initiator, { interval: 60, maxBackoff: 60 })
    let isDown = true
    backend.intercept = (request) =>
      isDown && request.url.endsWith('/history') ? Promise.reject(new TypeError('down')) : undefined
    const { element } = await show(backend)
    await waitUntil(() => backend.journal.some((line) => line.endsWith('/history')))
    await aTimeout(30)

    expect(textOf(element)).to.include('Daniel Reyes must sign · Travel Office Initiator')
    expect(part(element, 'stale')).to.equal(null)
    isDown = false
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
    await waitUntil(() => backend.journal.some((line) => line.endsWith('/history')))
    await aTimeout(30)

    expect(textOf(element)).to.include('Daniel Reyes must sign Initiator')
  })

  it('loads the history once while the same people have to act (F26)', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 40 }))
    const histories = () => backend.journal.filter((line) => line.endsWith('/history')).length
    const looks = () => backend.journal.filter((line) => line.includes('/status')).length
    await waitUntil(() => textOf(element).includes('since'))
    const before = looks()
    await waitUntil(() => looks() > before + 4)
    expect(histories()).to.equal(1)

    const found = backend.emulator.packages.test.get(42)!
    const next = structuredClone(found.history[1]!)
    Object.assign(next.signature!, { id: 9010 })
    found.history.push({ ...next, person: people.secondApprover, actionDate: '2026-11-17T08:00:00' })
    found.inbox = [9010]
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
      await aTimeout(20)
      expect(part(element, 'environment')).to.equal(null)
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

  for (const [state, tools] of [
    ['PRE_ROUTING', ['getPdf', 'reinitiatePackage']],
    ['DRAFT', ['getPdf']],
    ['ROUTING', ['getPdf', 'returnToInitiator', 'restartPackage', 'removePackage', 'voidPackage']],
    ['COMPLETE', ['getPdf', 'returnPackage', 'removePackage', 'voidPackage']],
    ['VOID', ['getPdf', 'unvoidPackage', 'removePackage']],
    ['ON_HOLD', []],
  ] as const) {
    it(`offers an administrator in ${state}: ${tools.join(', ') || 'nothing'}`, async () => {
      const { element } = await show(inState(createBackend(people.administrator), state))

      await waitUntil(() => offered(element).length === tools.length)
      expect(offered(element)).to.deep.equal(tools)
    })
  }

  it('offers only the operations that the proxy serves', async () => {
    const { client } = createBackend(people.administrator)
    const session = await client.getSession()
    const operations = session.allows.operations.filter(
      (name) => !['getPdf', 'restartPackage'].includes(name),
    )
    const element = await showWith({
      ...client,
      getSession: () => Promise.resolve({ ...session, allows: { ...session.allows, operations } }),
    })

    await waitUntil(() => part(element, 'environment'))
    expect(offered(element)).to.deep.equal(['returnToInitiator', 'removePackage', 'voidPackage'])
  })

  it('starts routing, for the initiator alone', async () => {
    const { element, backend } = await show(inState(createBackend(people.initiator), 'PRE_ROUTING'))
    await waitUntil(() => action(element, 'routePackage'))
    const { before, changed } = heard(element)
    await openDialog(element, 'routePackage')
    submit(element)
    await waitUntil(() => !dialog(element).open)

    expect(backend.emulator.packages.test.get(42)?.state).to.equal('ROUTING')
    expect(before).to.deep.equal([['routePackage', { state: 'ROUTING', subType: null }]])
    expect(changed).to.deep.equal([['PRE_ROUTING', 'ROUTING']])
  })

  for (const [name, from, body, to] of [
    ['reinitiatePackage', 'PRE_ROUTING', undefined, 'ROUTING'],
    ['returnPackage', 'COMPLETE', { univid: people.secondApprover }, 'ROUTING'],
    ['unvoidPackage', 'VOID', undefined, 'ROUTING'],
    ['removePackage', 'ROUTING', undefined, 'PRE_ROUTING'],
    ['returnToInitiator', 'ROUTING', { comment: 'Add <b>receipts</b>' }, 'DRAFT'],
    ['voidPackage', 'COMPLETE', { id: 42, state: 'VOID', voidReason: 'TRANSACTION_DENIED' }, 'VOID'],
  ] as const) {
    it(`carries out ${name}, and fires events before and after`, async () => {
      const { element, backend } = await show(inState(createBackend(people.administrator), from))
      const { before, changed } = heard(element)
      await openDialog(element, name)
      fill(element, { ...body })
      for (let click = 0; click < 5; click++) submit(element)
      await waitUntil(() => !dialog(element).open)

      expect(backend.emulator.packages.test.get(42)?.state).to.equal(to)
      expect(writes(backend), 'F37').to.have.length(1)
      expect(before).to.deep.equal([[name, body]])
      expect(changed).to.deep.equal([[from, to]])
      await waitUntil(() => part(element, 'state')?.getAttribute('data-state') === to)
      expect(element.shadowRoot!.activeElement).to.equal(part(element, 'state'))
    })

    it(`sends nothing if the page cancels ${name}`, async () => {
      const { element, backend } = await show(inState(createBackend(people.administrator), from))
      element.addEventListener(WfBeforeChangeEvent.type, (event) => event.preventDefault())
      await openDialog(element, name)
      fill(element, { ...body })
      submit(element)
      await waitUntil(() => !dialog(element).open)

      expect(writes(backend)).to.deep.equal([])
    })

    it(`verifies the state if the response to ${name} is lost (F06, F09)`, async () => {
      const { element, backend } = await show(inState(createBackend(people.administrator), from))
      backend.intercept = (request) =>
        request.method === 'PUT'
          ? backend.emulator.fetch(request).then(() => Promise.reject(new TypeError('reset')))
          : undefined
      await openDialog(element, name)
      fill(element, { ...body })
      submit(element)
      await waitUntil(() => !dialog(element).open)

      expect(part(element, 'state')?.getAttribute('data-state')).to.equal(to)
      expect(writes(backend)).to.have.length(1)
    })

    it(`shows that the outcome is uncertain if ${name} had no response and no effect`, async () => {
      const { element, backend } = await show(inState(createBackend(people.administrator), from))
      backend.intercept = (request) =>
        request.method === 'PUT' ? Promise.reject(new TypeError('reset')) : undefined
      await openDialog(element, name)
      fill(element, { ...body })
      submit(element)
      await waitUntil(() => alertText(element) !== '')

      expect(alertText(element)).to.include('may or may not have happened')
      expect(dialog(element).open).to.equal(true)
    })
  }

  it('restarts, and announces it although the state is the same', async () => {
    const { element, backend } = await show(createBackend(people.administrator))
    const { changed } = heard(element)
    await openDialog(element, 'restartPackage')
    submit(element)
    await waitUntil(() => !dialog(element).open)

    expect(changed).to.deep.equal([[undefined, undefined]])
    await waitUntil(() => announcement(element) === 'Routing has restarted.')
    expect(writes(backend)).to.have.length(1)
  })

  it('does not accept the state as proof that routing was restarted', async () => {
    const { element, backend } = await show(createBackend(people.administrator))
    backend.intercept = (request) =>
      request.method === 'PUT'
        ? backend.emulator.fetch(request).then(() => Promise.reject(new TypeError('reset')))
        : undefined
    await openDialog(element, 'restartPackage')
    submit(element)
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.include('the state does not show whether routing has restarted')
    expect(dialog(element).open).to.equal(true)
  })

  it('accepts only digits as a university id, and keeps the input if the service rejects it', async () => {
    const { element, backend } = await show(inState(createBackend(people.administrator), 'COMPLETE'))
    await openDialog(element, 'returnPackage')
    const input = dialog(element).querySelector<HTMLInputElement>('[name=univid]')!
    for (const wrong of ['', 'mzhou', '1234567890123', '１２']) {
      fill(element, { univid: wrong })
      submit(element)
      await waitUntil(() => alertText(element) === 'Enter a university ID of up to 12 digits.')
      expect(element.shadowRoot!.activeElement).to.equal(input)
      expect(input).to.have.attribute('aria-invalid', 'true')
      expect(input).to.have.attribute('aria-describedby', dialog(element).querySelector('[role=alert]')!.id)
    }
    expect(writes(backend)).to.deep.equal([])

    expect(alertText(element)).to.equal('Enter a university ID of up to 12 digits.')
    fill(element, { univid: ' 99999999 ' })
    await element.updateComplete
    expect(alertText(element), 'gone with the next letter').to.equal('')
    submit(element)
    await waitUntil(() => alertText(element) !== '')
    expect(alertText(element)).to.include('The service refused this. Nothing was changed.')
    expect(input.value.trim()).to.equal('99999999')
  })

  it('keeps the comment if the session ends, and sends it after the person signs in again', async () => {
    const { element, backend } = await show(createBackend(people.administrator))
    await openDialog(element, 'returnToInitiator')
    submit(element)
    await waitUntil(() => alertText(element) === 'Enter what the initiator should do.')
    fill(element, { comment: 'Receipts are missing.' })
    backend.person = null
    submit(element)
    await waitUntil(() => alertText(element).includes('You are signed out.'))

    expect(dialog(element).querySelector('textarea')!.value).to.equal('Receipts are missing.')
    backend.person = people.administrator
    submit(element)
    await waitUntil(() => !dialog(element).open)
    expect(backend.emulator.packages.test.get(42)?.comments[0]?.comment).to.equal('Receipts are missing.')
  })

  it('does not keep the input of one person for the next', async () => {
    const { element, backend } = await show(createBackend(people.administrator))
    await waitUntil(() => part(element, 'environment'))
    await openDialog(element, 'voidPackage')
    choose(element, 'INCORRECT_FORM')
    backend.person = people.initiator
    await element.refresh()
    await waitUntil(() => !dialog(element).open, 'it is still open for someone else')

    await waitUntil(() => action(element, 'voidPackage'))
    await openDialog(element, 'voidPackage')
    expect(dialog(element).querySelector(':checked')).to.equal(null)
  })

  it('lists the attachments that a PDF omits, as text, and links to the chosen PDF', async () => {
    const backend = createBackend()
    const found = backend.emulator.packages.test.get(42)!
    for (const [id, fileName] of [
      [1, 'itinerary.PDF'],
      [2, '<img src=x>.docx'],
    ] as const) {
      found.attachments.push({
        id,
        fileName,
        description: null,
        type: 3,
        person: people.initiator,
        fileSize: 5,
        uploadTimestamp: '2026-11-16T10:00:00',
        contentType: 'application/octet-stream',
        object: '',
      } as unknown as (typeof found.attachments)[number])
    }
    const { element } = await show(backend)
    await openDialog(element, 'getPdf')
    const link = dialog(element).querySelector<HTMLAnchorElement>('a[download]')!
    expect(link.href).to.equal('https://northfield.test/api/wf/forms/6025/packages/42/pdf')
    dialog(element).querySelector<HTMLElement>('[name=includeRouting]')!.click()
    dialog(element).querySelector<HTMLElement>('[name=mergeAttachments]')!.click()
    await waitUntil(() => dialog(element).querySelector('li'))

    expect(link.href).to.match(/\/pdf\?includeRouting=true&mergeAttachments=true$/)
    const names = [...dialog(element).querySelectorAll('li')].map((item) => item.textContent.trim())
    expect(names).to.deep.equal(['<img src=x>.docx'])
    link.addEventListener('click', (event) => event.preventDefault())
    link.click()
    expect(dialog(element).open).to.equal(false)
    expect(writes(backend)).to.deep.equal([])
  })

  it('shows a message if the attachments that a PDF omits fail to load', async () => {
    const backend = createBackend()
    backend.intercept = (request) =>
      request.url.endsWith('/attachments') ? Promise.reject(new TypeError('down')) : undefined
    const { element } = await show(backend)
    await openDialog(element, 'getPdf')
    dialog(element).querySelector<HTMLElement>('[name=mergeAttachments]')!.click()

    await waitUntil(() => dialog(element).textContent.includes("couldn't be loaded"))
  })

  it('links people who may sign to the signing page, unless the page cancels wf-sign', async () => {
    const { element } = await show(createBackend(people.firstApprover))
    expect(part(element, 'sign'), 'without an address').to.equal(null)
    element.signUrl = '/sign?form={formId}&package={packageId}&signature={signatureId}&x={y}'
    await element.updateComplete
    const link = part<HTMLAnchorElement>(element, 'sign')!
    expect(link.href).to.equal(`${location.origin}/sign?form=6025&package=42&signature=9001&x={y}`)

    const signed = oneEvent<WfSignEvent>(element, WfSignEvent.type)
    element.addEventListener(WfSignEvent.type, (event) => event.preventDefault())
    let wasStopped = false
    element.addEventListener('click', (event) => {
      wasStopped = event.defaultPrevented
      event.preventDefault()
    })
    link.click()
    const { url, signatureId } = await signed
    expect([url, signatureId]).to.deep.equal([link.href, 9001])
    expect(wasStopped).to.equal(true)
  })

  it('does not link to a script, or for people who may not sign', async () => {
    const { element } = await show(createBackend(people.firstApprover))
    for (const url of [
      'javascript:alert(1)',
      ' java\nscript:alert({packageId})',
      'data:text/html,x',
      'https://[',
    ]) {
      element.signUrl = url
      await element.updateComplete
      expect(part(element, 'sign'), url).to.equal(null)
    }
    const { element: other } = await show(createBackend(people.secondApprover))
    other.signUrl = 'https://sign.test/'
    await other.updateComplete
    expect(part(other, 'sign')).to.equal(null)
  })

  it('supports the keyboard in its menu and its dialogs', async () => {
    const { element } = await show(createBackend(people.administrator))
    const summary = element.shadowRoot!.querySelector('summary')!
    summary.focus()
    await sendKeys({ press: 'Enter' })
    await sendKeys({ press: 'Tab' })
    expect(element.shadowRoot!.activeElement?.closest('details'), 'in the menu').to.not.equal(null)
    await sendKeys({ press: 'Escape' })
    expect(summary.closest('details')!.open).to.equal(false)
    expect(element.shadowRoot!.activeElement).to.equal(summary)
    await sendKeys({ press: 'Enter' })
    await sendKeys({ press: 'Tab' })
    await sendKeys({ press: 'Tab' })
    expect(element.shadowRoot!.activeElement).to.equal(action(element, 'returnToInitiator'))
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => dialog(element)?.open)
    expect(element.shadowRoot!.activeElement).to.have.property('localName', 'textarea')
    await sendKeys({ press: 'Escape' })

    expect(dialog(element).open).to.equal(false)
    expect(element.shadowRoot!.activeElement).to.equal(action(element, 'returnToInitiator'))
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
    const { element } = await show(createBackend())
    element.dir = 'rtl'
    const counts = part(element, 'counts')!
    const text = document.createTreeWalker(counts, NodeFilter.SHOW_TEXT).nextNode()!
    const edges = (at: number) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect()
    }
    expect(counts).to.have.text('0 comments · 0 attachments')
    expect(edges(0).left, 'the number before the word').to.be.below(edges(2).left)
    expect(edges(25).right, 'the end at the right').to.be.closeTo(counts.getBoundingClientRect().right, 1)
  })

  describe('as a badge', () => {
    it('shows the state, and the people it waits for to screen readers and in its tooltip', async () => {
      const { badge } = await showBadge(createBackend())

      expect(part(badge, 'state')).to.have.trimmed.text('In routing, Waiting for Daniel Reyes')
      expect(part(badge, 'state')).to.have.attribute('title', 'Waiting for Daniel Reyes')
      expect(getComputedStyle(badge).display).to.equal('inline-block')
    })

    it('costs two requests when there are 200 of them', async () => {
      let calls = 0
      const backend = createBackend()
      const packages = backend.emulator.packages.test
      for (let id = 1000; id < 1200; id++) packages.set(id, { ...packages.get(42)!, id })
      const answers = new Map<string, unknown>()
      const client = createClient({
        endpoint: 'https://northfield.test/api/wf',
        fetch: async (input) => {
          const { pathname, searchParams } = new URL(new Request(input).url)
          // Live events, of which the whole page has one stream.
          if (pathname.endsWith('/events')) return new Response('', { status: 404 })
          calls++
          const ids = searchParams.getAll('id').map(Number)
          answers.set(String(ids.length), true)
          return Response.json(
            await backend.client.getStatus(
              { params: { formId: 6025 }, query: { id: ids } },
              { version: '1.2' },
            ),
          )
        },
      })
      const table = await fixture(
        html`<div>
          ${[...packages.keys()]
            .filter((id) => id >= 1000)
            .map(
              (id) =>
                html`<wf-package-status
                  variant="badge"
                  .client=${client}
                  form-id="6025"
                  package-id=${id}
                ></wf-package-status>`,
            )}
        </div>`,
      )
      const badges = [...table.querySelectorAll('wf-package-status')]
      await waitUntil(() => badges.every((badge) => part(badge, 'state')))
      await aTimeout(50)

      expect(calls).to.equal(2)
      expect([...answers.keys()]).to.deep.equal(['100'])
      expect(backend.journal.filter((line) => !/\/(status|actions)$/.test(line))).to.deep.equal([])
      expect(badges.every((badge) => badge.shadowRoot!.querySelector('[role=status]') === null)).to.equal(
        true,
      )
    })

    it('looks the same for a missing and a forbidden package', async () => {
      const missing = await showBadge(createBackend(people.initiator), 999, '[part=failure]')
      const forbidden = await showBadge(createBackend(people.outsider), 42, '[part=failure]')

      expect(part(missing.badge, 'failure')).to.have.trimmed.text('Not available')
      expect(part(forbidden.badge, 'failure')!.innerHTML).to.equal(part(missing.badge, 'failure')!.innerHTML)
    })

    it('shows a mark if it failed to load, and recovers', async () => {
      const backend = createBackend(people.initiator, { interval: 60, maxBackoff: 60 })
      backend.intercept = () => Promise.reject(new TypeError('down'))
      const { badge } = await showBadge(backend, 42, '[part=failure]')

      expect(part(badge, 'failure')).to.have.trimmed.text("Not loaded, Couldn't be loaded.")
      expect(part(badge, 'failure')).to.have.attribute('title', "Couldn't be loaded.")
      backend.intercept = () => undefined
      await waitUntil(() => part(badge, 'state'))
    })

    it('keeps its content with a mark during an outage', async () => {
      const { badge, backend } = await showBadge(
        createBackend(people.initiator, { interval: 60, maxBackoff: 60 }),
      )
      backend.intercept = () => Promise.reject(new TypeError('down'))
      await waitUntil(() => badge.shadowRoot!.querySelector('[part~=stale]'))

      expect(badge.shadowRoot!.textContent).to.match(/In routing.*This may be out of date/)
      await expect(badge).to.be.accessible()
    })

    it('has the same size before and after it loads', async () => {
      const backend = createBackend()
      let answer!: () => void
      const held = new Promise<void>((resolve) => (answer = resolve))
      backend.intercept = (request) => held.then(() => backend.emulator.fetch(request))
      const { badge } = await showBadge(backend, 42, '[part=loading]')
      expect(part(badge, 'loading')).to.have.attribute('title', 'Loading…')
      await expect(badge).to.be.accessible()
      const before = badge.getBoundingClientRect()
      answer()
      await waitUntil(() => part(badge, 'state'))
      const after = badge.getBoundingClientRect()

      expect(after.height).to.equal(before.height)
      expect(Math.abs(after.width - before.width)).to.be.below(16)
    })

    it('fires wf-change, and becomes a card when its variant is removed', async () => {
      const { badge, backend } = await showBadge(createBackend(people.initiator, { interval: 60 }))
      const changed = oneEvent<WfChangeEvent>(badge, WfChangeEvent.type)
      Object.assign(backend.emulator.packages.test.get(42)!, { state: 'COMPLETE', inbox: [] })
      const { value, from, to } = await changed
      expect([value.id, from, to]).to.deep.equal([42, 'ROUTING', 'COMPLETE'])

      badge.removeAttribute('variant')
      await waitUntil(() => part(badge, 'facts')?.textContent?.includes('Amara Okafor'))
      badge.variant = 'badge'
      await badge.updateComplete
      expect(part(badge, 'facts')).to.equal(null)
      expect(badge).to.have.attribute('variant', 'badge')
    })

    it('shows the page author what is not configured', async () => {
      const badge = await fixture<WfPackageStatus>(
        html`<wf-package-status variant="badge" package-id="1"></wf-package-status>`,
      )
      expect(part(badge, 'not-configured')).to.include.text('needs endpoint, form-id')
    })
  })

  for (const [name, scheme, direction] of [
    ['light', 'light', 'ltr'],
    ['dark', 'dark', 'ltr'],
    ['right-to-left', 'light', 'rtl'],
    ['forced colours', 'light', 'ltr'],
  ] as const) {
    // In forced colours the visitor's own system decides on contrast.
    const isForced = name === 'forced colours'
    const rules = isForced ? { ignoredRules: ['color-contrast'] } : {}

    it(`is accessible in every state, ${name}`, async () => {
      await emulateMedia({ colorScheme: scheme, forcedColors: isForced ? 'active' : 'none' })
      const states = ['PRE_ROUTING', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID'] as const
      for (const state of states) {
        const backend = createBackend(people.administrator)
        Object.assign(backend.emulator.packages.test.get(42)!, {
          state,
          voidReason: state === 'VOID' ? 'INCORRECT_FORM' : null,
        })
        const { element } = await show(backend)
        element.dir = direction
        await expect(element).to.be.accessible(rules)
      }
      const { badge } = await showBadge(createBackend())
      badge.dir = direction
      await expect(badge).to.be.accessible(rules)
    })

    it(`is accessible with its menu and each dialog, ${name}`, async () => {
      await emulateMedia({ colorScheme: scheme, forcedColors: isForced ? 'active' : 'none' })
      for (const [state, names] of [
        ['ROUTING', ['voidPackage', 'returnToInitiator', 'restartPackage']],
        ['COMPLETE', ['returnPackage', 'getPdf']],
      ] as const) {
        const { element } = await show(inState(createBackend(people.administrator), state))
        element.dir = direction
        element.shadowRoot!.querySelector('summary')!.click()
        await expect(element).to.be.accessible(rules)
        for (const action of names) {
          await openDialog(element, action)
          if (action !== 'restartPackage' && action !== 'getPdf') submit(element)
          await element.updateComplete
          await expect(element).to.be.accessible(rules)
          dialog(element).close()
        }
      }
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

async function showWith(client: Client): Promise<WfPackageStatus> {
  const element = await fixture<WfPackageStatus>(html`
    <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
  `)
  await waitUntil(() => part(element, 'state'))
  return element
}

async function showBadge(backend: Backend, packageId = 42, until = '[part=state]') {
  const badge = await fixture<WfPackageStatus>(html`
    <wf-package-status
      variant="badge"
      .client=${backend.client}
      form-id="6025"
      package-id=${packageId}
    ></wf-package-status>
  `)
  await waitUntil(() => badge.shadowRoot!.querySelector(until), `${until} did not appear`)
  return { badge, backend }
}

/** The event that removes package 42 from routing. */
const removal = {
  class: 'remove',
  actionDate: '2026-11-17T08:00:00',
  person: people.administrator,
  stop: null,
  signature: null,
} as const

/** Puts package 42 into a state as if it had come there by itself. */
function inState(backend: Backend, state: string): Backend {
  const found = backend.emulator.packages.test.get(42)!
  const isRemoved = state === 'PRE_ROUTING' && backend.person === people.administrator
  if (isRemoved) found.history.push(removal)
  Object.assign(found, {
    state,
    isRemoved,
    voidReason: state === 'VOID' ? 'INCORRECT_FORM' : null,
    ...(state !== 'ROUTING' && state !== 'VOID' && { inbox: [] }),
  } satisfies { state: string; isRemoved: boolean; voidReason: string | null })
  return backend
}

/** Names of the actions that are offered, in their order. */
function offered(element: WfPackageStatus): (string | undefined)[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('[data-action]')].map(
    ({ dataset }) => dataset['action'],
  )
}

/** Collects the change events of the element. */
function heard(element: WfPackageStatus) {
  const before: unknown[] = []
  const changed: unknown[] = []
  element.addEventListener(WfBeforeChangeEvent.type, ({ operation, body }) => before.push([operation, body]))
  element.addEventListener(WfChangeEvent.type, ({ from, to }) => changed.push([from, to]))
  return { before, changed }
}

/** Fills in the open dialog with the values of a body. */
function fill(
  element: WfPackageStatus,
  body: { univid?: string; comment?: string; voidReason?: string },
): void {
  if (body.voidReason) choose(element, body.voidReason)
  const input = dialog(element).querySelector<HTMLInputElement>('[name=univid], [name=comment]')
  if (!input) return
  input.value = body.univid ?? body.comment ?? ''
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The visible text, without the announcement and the closed dialog. */
function textOf(element: WfPackageStatus): string {
  return part<HTMLElement>(element, 'base')!.innerText.replace(/\s+/g, ' ').trim()
}

function part<Found extends Element>(element: WfPackageStatus, name: string): Found | null {
  return element.shadowRoot!.querySelector<Found>(`[part="${name}"]`)
}

function announcement(element: WfPackageStatus): string {
  return element.shadowRoot!.querySelector('[role=status]')!.textContent
}

/** Collects the announcements from now on. */
function announcements(element: WfPackageStatus): string[] {
  const said: string[] = []
  new MutationObserver(() => {
    const text = announcement(element)
    if (text) said.push(text)
  }).observe(element.shadowRoot!.querySelector('[role=status]')!, {
    childList: true,
    characterData: true,
    subtree: true,
  })
  return said
}

function alertText(element: WfPackageStatus): string {
  return element.shadowRoot!.querySelector('[role=alert]')!.textContent.trim()
}

function dialog(element: WfPackageStatus): HTMLDialogElement {
  return element.shadowRoot!.querySelector('dialog')!
}

function action(element: WfPackageStatus, name: string): HTMLElement | null {
  return element.shadowRoot!.querySelector(`[data-action=${name}]`)
}

async function openDialog(element: WfPackageStatus, name = 'voidPackage'): Promise<void> {
  action(element, name)!.click()
  await waitUntil(() => dialog(element)?.open, `the dialog of ${name} did not open`)
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
