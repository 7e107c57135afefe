import { expect } from '@open-wc/testing'
import { html } from 'lit'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { call, sign } from '../../../stories/routing.ts'
import { settled } from '../../../stories/settled.ts'
import { emulateMedia } from '../../media.ts'
import { waitUntil } from '../../wait-until.ts'
import { type BrowserOperation, routes } from '../../../src/contract/routes/routes.ts'
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

  it('names the overrides in force to people who may change them, and requests none for others', async () => {
    for (const [type, consequence] of [
      ['DELEGATE', 'who can view the request, but not sign it'],
      ['CHANGE', 'who cannot see the request'],
    ] as const) {
      const backend = createBackend(
        people.administrator,
        {},
        [6025],
        {},
        {
          operations: Object.keys(routes) as BrowserOperation[],
          policy: ({ person }) => person.univid === people.administrator,
        },
      )
      const override = { subjectUnivid: people.firstApprover, replacementUnivid: people.secondApprover, type }
      Object.assign(backend.emulator.packages.test.get(42)!, {
        overrides: [{ ...override, reason: 'CONFLICT_OF_INTEREST' }],
      })
      const asked = requestsForOverrides(backend)
      const element = await showPackage(backend)
      const names = [people.secondApprover, people.firstApprover].map(
        (univid) => backend.emulator.people.get(univid)!.displayName,
      )
      expect(textOf(element, 'warnings')).to.include(
        `An override is in force: ${names[0]} signs instead of ${names[1]}, ${consequence}.`,
      )
      for (const univid of Object.values(people)) expect(element.shadowRoot!.innerHTML).not.to.include(univid)

      expect(asked).to.have.length(1)
      element.remove()
      backend.person = people.initiator
      const other = await showPackage({ ...backend, client: backend.other })
      expect(textOf(other, 'warnings')).not.to.include('override')
      expect(asked, 'the page of another person requests none').to.have.length(1)
    }
  })

  it('requests no overrides from a proxy that does not serve them', async () => {
    for (const [isServed, count] of [
      [false, 0],
      [true, 1],
    ] as const) {
      const operations = (Object.keys(routes) as BrowserOperation[]).filter(
        (name) => isServed || name !== 'getOverrides',
      )
      const backend = createBackend(people.administrator, {}, [6025], {}, { operations, policy: () => true })
      const asked = requestsForOverrides(backend)
      await showPackage(backend)
      expect(asked).to.have.length(count)
    }
  })

  it('is no longer outdated when the form is reset', async () => {
    const { backend, id } = await draft(createBackend())
    const form = await showForm(backend, html`<input name="purpose" /><wf-route package-id=${id}></wf-route>`)
    const element = form.querySelector('wf-route')!
    await waitFor(element, '[part=stop]')
    form.querySelector('input')!.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await waitFor(element, '[part=outdated]')
    form.reset()
    await waitUntil(() => textOf(element, 'outdated') === '')
  })

  it('names the person who approves their own request, to others too', async () => {
    const { backend, id } = await draft(createBackend(people.secondApprover))
    const own = await showPackage(backend, id)
    expect(textOf(own, 'warnings')).to.equal('You approve your own request at “College”.')
    backend.person = people.administrator
    const other = await showPackage(as(backend, people.administrator), id)
    expect(textOf(other, 'warnings')).to.equal(
      'Mei-Ling Zhou made this request and approves it at “College”.',
    )
  })

  it('names a stop for which the service names nobody', async () => {
    const { backend, id } = await draft(createBackend())
    // The route of the Dean's Office gets a stop of a role that nobody holds, and one after it.
    const found = backend.emulator.officeRoutes.get(701)!
    const [college] = found.stops
    const empty = {
      name: 'Board',
      destinations: [
        { type: 'OFFICE_ROLE', office: '05-0333', role: 'Chair', permission: 'SIGNATURE_REQUIRED' },
      ],
    } as const
    const last = {
      name: 'Provost',
      destinations: [{ type: 'PERSON', univid: people.outsider, permission: 'SIGNATURE_REQUIRED' }],
    } as const
    Object.assign(found, { stops: [college, empty, last] })
    const element = await showPackage(backend, id)
    expect(stops(element)[2]).to.equal('Stop 3')
    expect(textOf(element, 'warnings')).to.equal(
      'Nobody is named at “Stop 3”. Ask the office before you submit the request.',
    )
  })

  it('withholds the title of a person who is restricted in the directory', async () => {
    const { backend, id } = await draft(createBackend())
    await call(backend, 'PUT', '/_emulator/spec-options', { personFields: 'extended' })
    Object.assign(backend.emulator.people.get(people.firstApprover)!, { directoryRestricted: true })
    const element = await showPackage(backend, id)
    expect(stops(element)[0]).to.match(
      /^Department Daniel Reyes must sign No signature needed Ruth Lindqvist/,
    )
    expect(element.shadowRoot!.innerHTML).not.to.match(/Department Administrator|dreyes|@northfield/)
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

  it('shows who has signed', async () => {
    const backend = createBackend()
    await sign(backend, people.firstApprover)
    const element = await showPackage(backend)
    expect(stops(element)[0]).to.match(/^Department Daniel Reyes signed/)
    expect(stops(element)[1]).to.match(/^College Mei-Ling Zhou must sign/)
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

  it('has the states of all elements that show a package', async () => {
    const forbidden = await showPackage(createBackend(people.outsider), 42, '[part=forbidden]')
    expect(forbidden.matches(':state(forbidden)')).to.equal(true)
    const missing = await showPackage(createBackend(), 43, '[part=missing]')
    expect(missing.matches(':state(missing)')).to.equal(true)
  })

  it('takes over when the first save creates the package', async () => {
    const backend = createBackend()
    const element = await showUsual(backend)
    const { id } = await draft(backend)
    element.packageId = id
    await waitUntil(() => textOf(element, 'source').startsWith('Calculated'))
    expect(element.matches(':state(loaded)')).to.equal(true)
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is accessible, ${colorScheme}`, async () => {
      await emulateMedia({ colorScheme })
      for (const element of [
        await showUsual(createBackend(), { office: '11-0430' }),
        await showUsual(createBackend(), { office: '' }, '[part=empty]'),
        await showPackage(createBackend()),
      ])
        await expect(element).to.be.accessible()
    })
  }

  it('speaks Spanish and fits into 320 pixels', async () => {
    const element = await showUsual(createBackend(), {
      office: '11-0430',
      lang: 'es',
      style: 'inline-size: 320px',
    })
    await waitUntil(() => textOf(element, 'source') === 'La ruta habitual de Chemistry (11-0430)')
    expect(textOf(element, 'warnings')).to.match(/^No hay nadie en «Department»/)
    expect(element.scrollWidth).to.be.at.most(320)
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

/** Collects the requests for overrides that the page sends from now on. The journal has only those that the proxy admits. */
function requestsForOverrides(backend: Backend): readonly string[] {
  const { send } = backend
  const found: string[] = []
  backend.send = async (input, init) => {
    const { pathname } = new URL(new Request(input, init).url)
    if (pathname.endsWith('/overrides')) found.push(pathname)
    return await send(input, init)
  }
  return found
}

async function submit({ other }: Backend, packageId: number): Promise<void> {
  await other.routePackage({ params: { formId: 6025, packageId }, body: { state: 'ROUTING' } })
}

/** The same backend with a client that has cached nothing. */
function fresh(backend: Backend): Backend {
  backend.other.invalidate()
  return { ...backend, client: backend.other }
}

function as(backend: Backend, person: string): Backend {
  backend.person = person
  return fresh(backend)
}
