import { expect } from '@open-wc/testing'
import { html } from 'lit'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { showForm, showPackage, showUsual, stops, textOf, waitFor } from './element.ts'

describe('<wf-route> of a saved package', () => {
  it('shows the route that the service calculates from the saved data', async () => {
    const { backend, id } = await draft(createBackend())
    const element = await showPackage(backend, id)
    expect(textOf(element, 'source')).to.match(/^Calculated at \d+:\d\d [AP]M from the saved data$/)
    const at = element.value!.at
    for (const timeZone of ['Asia/Kolkata', 'Pacific/Honolulu']) {
      element.timeZone = timeZone
      await element.updateComplete
      const time = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone }).format(at)
      expect(textOf(element, 'source')).to.equal(
        `Calculated at ${time} from the saved data`.replace(/\s/g, ' '),
      )
    }
    expect(stops(element)).to.deep.equal([
      'Department Daniel Reyes must sign Department Administrator ' +
        'No signature needed Ruth Lindqvist may view Budget Officer',
      'College Mei-Ling Zhou must sign Associate Dean · College of Sciences, Dean’s Office · currently in this role',
    ])
    for (const univid of Object.values(people)) expect(element.shadowRoot!.innerHTML).not.to.include(univid)
  })

  it('marks the route as outdated when the form is edited, until it is saved', async () => {
    const { backend, id } = await draft(createBackend())
    const form = await showForm(backend, html`<input name="purpose" /><wf-route package-id=${id}></wf-route>`)
    const element = form.querySelector('wf-route')!
    await waitFor(element, '[part=stop]')
    const outside = document.createElement('input')
    form.after(outside)
    outside.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await element.updateComplete
    expect(textOf(element, 'outdated'), 'another form').to.equal('')
    outside.remove()

    form.querySelector('input')!.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await waitFor(element, '[part=outdated]')
    expect(textOf(element, 'outdated')).to.equal(
      'The data has changed since. Save it to calculate the route again.',
    )
    expect(element.matches(':state(stale)')).to.equal(true)
    await element.refresh()
    await settled(element)
    expect(textOf(element, 'outdated'), 'what was typed is still not saved').not.to.equal('')

    form.dispatchEvent(new Event('wf-form-saved', { bubbles: true }))
    await backend.other.updateEntry({
      params: { formId: 6025, packageId: id },
      body: { ...entry, purpose: 'Another' },
    })
    await element.refresh()
    await waitUntil(() => textOf(element, 'outdated') === '')
    expect(textOf(element, 'source')).to.match(/^Calculated from the data saved at \d+:\d\d [AP]M$/)
  })

  it('compares the route after the submission with what it showed before', async () => {
    const { backend, id } = await draft(createBackend())
    const before = await showPackage(backend, id)
    before.remove()
    await submit(backend, id)
    const same = await showPackage(fresh(backend), id)
    expect(textOf(same, 'source')).to.equal('The route so far, and what is still to come')
    expect(textOf(same, 'differences')).to.equal('')
    expect(textOf(same, 'base')).to.match(/As calculated on .*, before it was submitted\./)
    same.remove()

    const found = backend.emulator.officeRoutes.get(701)!
    const provost = {
      name: 'Provost',
      destinations: [{ type: 'PERSON', univid: people.outsider, permission: 'SIGNATURE_REQUIRED' }],
    } as const
    const { stops: own } = found
    Object.assign(found, { stops: [...own, provost] })
    Object.assign(backend.emulator.offices.get('05-0333')!.roles, { Dean: people.administrator })
    const other = await showPackage(fresh(backend), id)
    expect(textOf(other, 'differences')).to.match(
      /^Differs from what was calculated on .*, before it was submitted: “College”: Mei-Ling Zhou expected, Priya Raman on the route\. “Provost” was not expected\.$/,
    )
    other.remove()
    Object.assign(found, { stops: [] })
    const shorter = await showPackage(fresh(backend), id)
    expect(textOf(shorter, 'differences')).to.match(/“College” was expected\.$/)
  })

  it('shows no comparison for a request that this browser has not seen before', async () => {
    const element = await showPackage(createBackend())
    expect(textOf(element, 'source')).to.equal('The route so far, and what is still to come')
    expect(textOf(element, 'base')).not.to.match(/calculated on/i)
  })

  it('forgets the remembered routes when somebody signs out', async () => {
    const { backend, id } = await draft(createBackend())
    const element = await showPackage(backend, id)
    expect(localStorage.getItem('routeslip-routes')).to.include('Daniel Reyes')
    expect(localStorage.getItem('routeslip-routes')).not.to.include(people.firstApprover)
    backend.person = null
    await element.refresh()
    await waitFor(element, '[part=signed-out]')
    expect(localStorage.getItem('routeslip-routes')).to.equal(null)
  })

  it('takes over when the first save creates the package', async () => {
    const backend = createBackend()
    const element = await showUsual(backend)
    const { id } = await draft(backend)
    element.packageId = id
    await waitUntil(() => textOf(element, 'source').startsWith('Calculated'))
    expect(element.matches(':state(loaded)')).to.equal(true)
  })
})

/** All fields of the form. */
const entry = {
  ...{ purpose: 'Fieldwork', departure: '2027-05-14', website: null, contact: null, nights: null, cost: 10 },
  ...{ notice: null, traveler: null, org: null, department: null, sub_department: null, position: null },
}

/** Creates a package that has not been submitted, as the signed-in user. */
async function draft(backend: Backend): Promise<{ readonly backend: Backend; readonly id: number }> {
  const body = { state: 'PRE_ROUTING', entry } as const
  const { id } = await backend.client.createPackage({ params: { formId: 6025 }, body })
  return { backend, id }
}

async function submit({ other }: Backend, packageId: number): Promise<void> {
  await other.routePackage({ params: { formId: 6025, packageId }, body: { state: 'ROUTING' } })
}

/** The same backend with a client that has cached nothing. */
function fresh(backend: Backend): Backend {
  backend.other.invalidate()
  return { ...backend, client: backend.other }
}
