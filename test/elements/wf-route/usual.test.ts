import { expect } from '@open-wc/testing'
import { html } from 'lit'
import { type Backend, createBackend, hang, pageNotFound, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { allAnnounced, announcements } from '../notices/announcements.ts'
import { showForm, showUsual, stops, textOf, waitFor } from './element.ts'

describe('<wf-route> before there is a package', () => {
  it('shows the usual route of an office, with signers apart from viewers', async () => {
    const element = await showUsual(createBackend())
    expect(textOf(element, 'source')).to.equal('Usual route for Biology (11-0420)')
    expect(textOf(element, 'hint')).to.equal('Biology, default route The form may add other stops.')
    expect(stops(element)).to.deep.equal([
      'Department Daniel Reyes must sign Administrator of Biology · currently in this role ' +
        'No signature needed Ruth Lindqvist may view Budget officer of Biology · currently in this role',
      'College Mei-Ling Zhou must sign Dean of College of Sciences, Dean’s Office · currently in this role',
    ])
    expect(element.shadowRoot!.querySelector('ol')).to.have.attribute('aria-label', 'Route')
    expect(textOf(element, 'warnings')).to.equal('')
    expect(element.matches(':state(loaded)')).to.equal(true)
  })

  it('asks for an office, and requests nothing until there is one', async () => {
    const backend = createBackend()
    for (const office of ['', '1104', 'Biology']) {
      const element = await showUsual(backend, { office }, '[part=empty]')
      expect(textOf(element, 'empty')).to.equal('Choose an office to see its usual route.')
      expect(element.matches(':state(empty)')).to.equal(true)
    }
    expect(backend.journal).to.deep.equal([])
  })

  it('loads a usual route that has failed with refresh(), which never rejects', async () => {
    const backend = createBackend()
    const { send } = backend
    backend.send = () => Promise.reject(new TypeError('down'))
    const element = await showUsual(backend, undefined, '[part=failure]')
    const errors: string[] = []
    element.addEventListener('wf-error', ({ type }) => errors.push(type))
    await element.refresh()
    expect(errors).to.deep.equal(['wf-error'])
    backend.send = send
    await element.refresh()
    await settled(element)
    expect(stops(element)).to.have.length(2)
  })

  it('shows names as text, and no university ids', async () => {
    const backend = createBackend()
    const { emulator } = backend
    Object.assign(emulator.people.get(people.firstApprover)!, { displayName: '<img src=x>' })
    const element = await showUsual(backend)
    const { innerHTML } = element.shadowRoot!
    expect(element.shadowRoot!.querySelector('img')).to.equal(null)
    expect(innerHTML).to.include('&lt;img src=x&gt;')
    for (const univid of Object.values(people)) expect(innerHTML).not.to.include(univid)
  })

  it('follows the control of the form that contains the office, and says so once', async () => {
    const backend = createBackend()
    const form = await showForm(
      backend,
      html`<label>Office <wf-office name="department" value="11-0420"></wf-office></label>
        <wf-route office-name="department"></wf-route>`,
    )
    const element = form.querySelector('wf-route')!
    const office = form.querySelector('wf-office')!
    await waitUntil(() => stops(element).length === 2)
    const heard = announcements()
    type(office.shadowRoot!.querySelector('input')!, '110430')
    expect(textOf(element, 'source'), 'not while people type').to.equal('Usual route for Biology (11-0420)')
    office.shadowRoot!.querySelector('input')!.focus()
    office.shadowRoot!.querySelector('input')!.blur()
    await waitUntil(() => textOf(element, 'source') === 'Usual route for Chemistry (11-0430)')
    await waitUntil(() => heard.length > 0)
    await allAnnounced(element)
    expect(heard).to.deep.equal(['The usual route of 11-0430: 2 stops.'])

    form.reset()
    await waitUntil(() => textOf(element, 'source') === 'Usual route for Biology (11-0420)')
    expect(form.checkValidity(), 'it is no field').to.equal(true)
  })

  it('asks for the sub-type if the service needs one, and follows its control', async () => {
    const backend = withSubTypes()
    const form = await showForm(
      backend,
      html`<select name="kind">
          <option value=""></option>
          <option>DOMESTIC</option>
          <option>FOREIGN</option>
        </select>
        <wf-route form-id="6026" office="11-0420" sub-type-name="kind"></wf-route>`,
    )
    const element = form.querySelector('wf-route')!
    await waitFor(element, '[part=empty]')
    expect(textOf(element, 'base')).to.equal(
      'The route may depend on the type of the request. Choose the type to see it. ' +
        'subType must be one of DOMESTIC, FOREIGN',
    )
    const select = form.querySelector('select')!
    select.value = 'DOMESTIC'
    select.dispatchEvent(new Event('change', { bubbles: true }))
    await waitUntil(() => stops(element).length === 1)
    select.value = 'FOREIGN'
    select.dispatchEvent(new Event('change', { bubbles: true }))
    await waitUntil(() => stops(element).length === 2)
    const fixed = await showUsual(
      backend,
      { 'form-id': '6026', office: '11-0420', 'sub-type': 'LOCAL' },
      '[part=empty]',
    )
    expect(textOf(fixed, 'base')).to.match(/could not be looked up\. You can still submit.*must be one of/)
  })

  it('says that an office has no usual route', async () => {
    const element = await showUsual(createBackend(), { office: '05-0100' }, '[part=empty]')
    expect(textOf(element, 'empty')).to.equal(
      'No usual route was found for 05-0100. You can still submit the request.',
    )
  })

  it('says that the office may be skipped', async () => {
    const backend = createBackend()
    Object.assign(backend.emulator.officeRoutes.get(711)!, { optOutIfPossible: true })
    const element = await showUsual(backend)
    expect(textOf(element, 'hint')).to.include('The request skips this office if the form allows that.')
  })

  it('shows that it is loading, that nobody is signed in, and that there is no proxy', async () => {
    const slow = createBackend(people.initiator, { timeout: 3_600_000 })
    hang(slow)
    const loading = await showUsual(slow, { office: '11-0420' }, '[part=loading]')
    expect(loading.matches(':state(loading)')).to.equal(true)
    const signedOut = await showUsual(createBackend(null), { office: '11-0420' }, '[part=signed-out]')
    expect(textOf(signedOut, 'signed-out')).to.match(/You are signed out/)
    expect(signedOut.matches(':state(signed-out)')).to.equal(true)
    const elsewhere = createBackend(people.initiator, { fetch: pageNotFound })
    const noProxy = await showUsual(elsewhere, { office: '11-0420' }, '[part=no-proxy]')
    expect(noProxy.matches(':state(no-proxy)')).to.equal(true)
    noProxy.client = undefined
    await waitFor(noProxy, '[part=not-configured]')
    expect(textOf(noProxy, 'not-configured')).to.equal('<wf-route> needs endpoint to show anything.')
  })
})

function type(input: HTMLInputElement, text: string): void {
  input.value = text
  input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
}

/** A backend whose proxy also serves the form with sub-types. */
function withSubTypes(): Backend {
  return createBackend(people.initiator, {}, [6025, 6026])
}
