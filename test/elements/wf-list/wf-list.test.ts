import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import '../../../src/define/wf-list.ts'
import type { WfList } from '../../../src/elements/wf-list/wf-list.ts'
import { type Backend, breakDown, createBackend, people } from '../../../stories/backend.ts'
import { createListBackend, createReminderBackend, removedBy } from '../../../stories/listed-requests.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'

async function show(backend: Backend, properties: Partial<WfList> = {}): Promise<WfList> {
  const element = await fixture<WfList>(html`<wf-list></wf-list>`)
  const done = Promise.race([oneEvent(element, 'wf-load'), oneEvent(element, 'wf-error')])
  Object.assign(element, { client: backend.client, ...properties })
  await done
  await element.updateComplete
  return element
}

const find = (element: WfList, selector: string) => element.shadowRoot!.querySelector<HTMLElement>(selector)
const textOf = (element: WfList, selector = '[part=base]') =>
  find(element, selector)?.innerText.replace(/\s+/g, ' ').trim() ?? ''
const rows = (element: WfList) =>
  [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part~=request]')].map(({ innerText }) =>
    innerText.replace(/\s+/g, ' ').trim(),
  )

describe('<wf-list>', () => {
  it('shows what waits for the person, with links to the request and to the signing page', async () => {
    const element = await show(createListBackend(), {
      formNames: { 6025: 'Travel request' },
      detailUrl: '/requests/{formId}/{packageId}',
      signUrl: '/sign/{formId}/{packageId}/{signatureId}',
    })
    expect(rows(element)).to.have.length(1)
    expect(rows(element)[0]).to.match(/^Travel request 42 In routing · Waiting for Daniel Reyes · From Amara/)
    const [detail, sign] = [...element.shadowRoot!.querySelectorAll('a')]
    expect(detail?.pathname).to.equal('/requests/6025/42')
    expect(sign?.pathname).to.match(/^\/sign\/6025\/42\/\d+$/)
    expect(sign?.ariaLabel).to.equal('Sign: Travel request 42')
  })

  it('follows what changes elsewhere with each poll', async () => {
    const backend = createListBackend(people.firstApprover, {}, { interval: 60 })
    const element = await show(backend)
    expect(rows(element)).to.have.length(1)
    backend.emulator.packages.test.get(42)!.inbox = []
    await waitUntil(
      () => textOf(element, '[part~=left]').includes('no longer waits for you'),
      'it has not left',
    )
    expect(find(element, '[aria-pressed=true]')?.innerText.trim()).to.equal('Waiting for me')
  })

  it('keeps a request that was signed where it is, until the list is opened again', async () => {
    const backend = createListBackend(people.firstApprover, { 43: {}, 44: {} })
    const element = await show(backend, { detailUrl: '/{packageId}', signUrl: '/sign/{packageId}' })
    const link = find(element, 'a[href$="/43"]')!
    link.focus()
    const signed = await backend.emulator.fetch(
      'http://emulator.test/_emulator/test/forms/6025/packages/43/sign',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ univid: people.firstApprover }),
      },
    )
    expect(signed.ok).to.equal(true)
    await element.refresh()
    await waitUntil(() => textOf(element, '[part~=left]') !== '', 'it has not left')
    await waitUntil(() => /You signed this/.test(textOf(element, '[part~=left]')), 'no reason is shown')
    expect(rows(element).map((row) => /^Request \d+/.exec(row)?.[0])).to.deep.equal([
      'Request 44',
      'Request 43',
      'Request 42',
    ])
    expect(rows(element)[1]).not.to.match(/Sign$|In routing|Waiting for/)
    expect(rows(element)[0], 'control').to.match(/In routing · Waiting for .* Sign$/)
    expect(textOf(element, '[aria-pressed=true]')).to.equal('Waiting for me 2')
    expect(element.shadowRoot!.activeElement).to.equal(link)
    await expect(element).shadowDom.to.be.accessible()
    expect(rows(await show(backend)), 'opened again').to.have.length(2)
  })

  it('states that the person may no longer view a request, and says nothing else of it', async () => {
    const backend = createListBackend(people.firstApprover)
    const element = await show(backend, { detailUrl: '/{packageId}' })
    backend.intercept = ({ url }) => {
      const { pathname, searchParams } = new URL(url)
      if (/history$/.test(pathname)) return Promise.resolve(Response.json({}, { status: 403 }))
      const isRights = pathname.endsWith('/actions') && searchParams.has('id')
      return isRights ? Promise.resolve(Response.json([])) : undefined
    }
    await element.refresh()
    await waitUntil(() => /may no longer view/.test(textOf(element, '[part~=left]')), 'no reason is shown')
    expect(find(element, '[part~=left] a')).to.equal(null)
    expect(rows(element)[0]).not.to.match(/Waiting for/)
  })

  it('says only that a request is no longer in the list while the reason cannot be found', async () => {
    const backend = createListBackend(people.firstApprover)
    const element = await show(backend)
    backend.emulator.packages.test.get(42)!.inbox = []
    backend.intercept = ({ url }) =>
      url.includes('/history') ? Promise.resolve(new Response(null, { status: 500 })) : undefined
    await element.refresh()
    await waitUntil(() => /No longer in this list/.test(textOf(element, '[part~=left]')), 'no text is shown')
    backend.intercept = () => undefined
    await element.refresh()
    await waitUntil(
      () => /no longer waits for you/.test(textOf(element, '[part~=left]')),
      'no reason is shown',
    )
  })

  it('keeps new requests behind a button, which moves the focus to the list', async () => {
    const backend = createListBackend(people.firstApprover)
    const element = await show(backend, { detailUrl: '/{packageId}' })
    expect(find(element, '[part=new]')).to.equal(null)
    const { test: packages } = backend.emulator.packages
    for (const id of [43, 44]) {
      packages.set(id, { ...structuredClone(packages.get(42)!), id })
      await backend.other.getPackage({ params: { formId: 6025, packageId: id } })
    }
    await waitUntil(async () => {
      await element.refresh()
      return textOf(element, '[part=new]') === 'Show new requests: 2'
    }, 'nothing is new')
    expect(rows(element)).to.have.length(1)
    expect(textOf(element, '[aria-pressed=true]')).to.equal('Waiting for me 1')
    find(element, '[part=new]')!.focus()
    find(element, '[part=new]')!.click()
    await element.updateComplete
    expect(rows(element)).to.have.length(3)
    expect(find(element, '[part=new]')).to.equal(null)
    expect(element.shadowRoot!.activeElement).to.equal(element.shadowRoot!.querySelector('[part=requests] a'))
  })

  it('follows what the proxy finds with live events, and does not poll', async () => {
    const never = 2 ** 30
    const backend = createListBackend(
      people.firstApprover,
      {},
      { live: true, interval: never, liveInterval: never },
    )
    const addresses: string[] = []
    const { send } = backend
    backend.send = (input, init) => {
      addresses.push(input instanceof Request ? input.url : input.toString())
      return send(input, init)
    }
    const element = await show(backend)
    await waitUntil(
      () => addresses.some((address) => address.endsWith('/events?list=1')),
      'no stream was opened',
    )
    backend.emulator.packages.test.get(42)!.inbox = []
    // Another page notices that the index is wrong.
    await backend.other.getList({ query: { view: 'waiting' } })
    await waitUntil(() => textOf(element, '[part~=left]') !== '', 'the row has not left')
  })

  it('offers no signature to people who may only read', async () => {
    const element = await show(createListBackend(people.viewer), { signUrl: '/sign/{packageId}' })
    expect(textOf(element, '.group')).to.equal('To read or edit')
    expect(find(element, '[part=sign]')).to.equal(null)
  })

  it('changes to what the person has started, drafts first', async () => {
    const drafts = { 43: { state: 'DRAFT' }, 44: { state: 'PRE_ROUTING', inbox: [] } } as const
    const backend = createListBackend(people.initiator, drafts)
    const element = await show(backend, { editUrl: '/edit/{packageId}' })
    expect(textOf(element, '[aria-pressed=true]'), 'nothing waits').to.equal('My requests 3')
    const buttonOf = (text: string) =>
      [...element.shadowRoot!.querySelectorAll('button')].find((one) => one.innerText.startsWith(text))!
    for (const text of ['Waiting for me', 'My requests']) {
      const isLoaded = oneEvent(element, 'wf-load')
      buttonOf(text).click()
      await isLoaded
      await element.updateComplete
      expect(textOf(element, '[aria-pressed=true]')).to.match(new RegExp(`^${text}`))
    }
    const { journal } = backend
    const before = journal.length
    buttonOf('My requests').click()
    await settled(element)
    expect(journal.length, 'it is shown already').to.equal(before)
    expect(rows(element).map((row) => /^Request \d+/.exec(row)?.[0])).to.deep.equal([
      'Request 44',
      'Request 43',
      'Request 42',
    ])
    const edits = [...element.shadowRoot!.querySelectorAll('[part=edit]')].map(({ ariaLabel }) => ariaLabel)
    expect(edits).to.deep.equal(['Edit: Request 44', 'Edit: Request 43'])
  })

  it('begins with what waits for the person, with own requests if nothing does, and with neither before that is known', async () => {
    const states = (element: WfList) =>
      [...element.shadowRoot!.querySelectorAll('[part=views] button')].map(({ ariaPressed }) => ariaPressed)
    const element = await fixture<WfList>(html`<wf-list></wf-list>`)
    const seen = new Set<string>()
    new MutationObserver(() => seen.add(states(element).join())).observe(element.shadowRoot!, {
      ...{ subtree: true, childList: true, attributes: true },
    })
    const isLoaded = oneEvent(element, 'wf-load')
    element.client = createListBackend(people.initiator).client
    await isLoaded
    await settled(element)
    expect([...seen].filter(Boolean)).to.deep.equal(['false,false', 'false,true'])
    const waiting = await show(createListBackend(people.firstApprover))
    expect(textOf(waiting, '[aria-pressed=true]')).to.equal('Waiting for me 1')
    const neither = await show(createListBackend(people.outsider))
    expect(textOf(neither, '[aria-pressed=true]')).to.equal('Waiting for me')
    expect(textOf(neither, '[part=empty]')).to.match(/^Nothing that this page knows of/)
  })

  it('links own requests to the page where they are used again, but no draft (4.1)', async () => {
    const requests = {
      43: { state: 'COMPLETE', inbox: [] },
      44: { state: 'DRAFT', inbox: [] },
      45: { state: 'VOID', inbox: [] },
    } as const
    const copyUrl = '/travel/{formId}?copy={packageId}'
    const links = ({ shadowRoot }: WfList) =>
      [...shadowRoot!.querySelectorAll<HTMLAnchorElement>('[part=copy]')].map(
        ({ ariaLabel, pathname, search }) => `${ariaLabel} ${pathname}${search}`,
      )
    const mine = await show(createListBackend(people.initiator, requests), { view: 'mine', copyUrl })
    expect(links(mine)).to.deep.equal([
      'Use again: Request 45 /travel/6025?copy=45',
      'Use again: Request 43 /travel/6025?copy=43',
      'Use again: Request 42 /travel/6025?copy=42',
    ])
    await expect(mine).shadowDom.to.be.accessible()
    const waiting = await show(createListBackend(people.firstApprover), { view: 'waiting', copyUrl })
    expect(rows(waiting)).to.have.length(1)
    expect(links(waiting), 'a request of somebody else').to.deep.equal([])
    const without = await show(createListBackend(people.initiator), { view: 'mine' })
    expect(links(without)).to.deep.equal([])
  })

  it('shows a field of each request on the screen, read as the person and never stored (1.14)', async () => {
    const backend = createListBackend(people.initiator, Object.fromEntries([43, 44].map((id) => [id, {}])))
    const { test: packages } = backend.emulator.packages
    Object.assign(packages.get(43)!, { entry: { ...packages.get(43)!.entry, purpose: 'Talk', nights: 3 } })
    localStorage.clear()
    sessionStorage.clear()
    const element = await show(backend, { view: 'mine', titleField: 'purpose' })
    await waitUntil(() => rows(element).every((row) => /Talk|Annual meeting/.test(row)))
    expect(rows(element)[1]).to.match(/^Request 43 Talk In routing/)
    expect([localStorage.length, sessionStorage.length]).to.deep.equal([0, 0])
    await expect(element).shadowDom.to.be.accessible()
    element.titleField = 'nights'
    await waitUntil(() => /^Request 43 3 In routing/.test(rows(element)[1] ?? ''))
    const reads = () => backend.journal.filter((line) => line.endsWith('/entry')).length
    const before = reads()
    await element.refresh()
    await settled(element)
    expect(reads(), 'they are not read again').to.equal(before)
    backend.person = people.outsider
    await element.refresh()
    await settled(element)
    expect(textOf(element)).not.to.match(/Talk|Annual meeting/)
  })

  it('reads the field only for rows that people see, and shows rows without it if it may not be read (1.14)', async () => {
    const ids = Array.from({ length: 60 }, (_, place) => [100 + place, {}] as const)
    const backend = createListBackend(people.initiator, Object.fromEntries(ids))
    backend.intercept = ({ url }) =>
      url.endsWith('/159/entry') ? Promise.resolve(Response.json({}, { status: 403 })) : undefined
    const element = await show(backend, { view: 'mine', titleField: 'purpose' })
    const titles = () =>
      [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part=title]')].map(({ innerText }) =>
        innerText.trim(),
      )
    await waitUntil(() => titles().some(Boolean))
    await settled(element)
    expect(titles()[0], 'the newest may not be read').to.equal('')
    expect(rows(element)[0]).to.match(/^Request 159 In routing/)
    expect(titles()[1]).to.match(/^Annual meeting/)
    expect(titles().at(-1)).to.equal('')
    element.shadowRoot!.querySelector('li:last-child')!.scrollIntoView()
    await waitUntil(() => titles().at(-1), 'control: it is read when people see it')
  })

  it('marks what the initiator has withdrawn, but no draft and nothing that others have removed (3.2)', async () => {
    const backend = createListBackend(people.initiator, {
      43: removedBy(people.initiator),
      44: { state: 'PRE_ROUTING', inbox: [] },
      45: removedBy(people.administrator),
    })
    const element = await show(backend, { view: 'mine', editUrl: '/edit/{packageId}' })
    const [removed, draft, withdrawn] = rows(element)
    expect(removed).to.equal('Request 45 Not in routing Edit')
    expect(draft).to.equal('Request 44 Not in routing Edit')
    expect(withdrawn).to.match(/^Request 43 Withdrawn, not submitted · Started .* Edit$/)
  })

  it('never claims that nothing is left: it states since when it knows requests, and links to the inbox', async () => {
    const element = await show(createListBackend(people.outsider), {
      inboxUrl: '/inbox',
      timeZone: 'America/Chicago',
    })
    expect(textOf(element, '[part=empty]')).to.equal('Nothing that this page knows of waits for you.')
    expect(textOf(element, '[part=known]')).to.equal(
      'This page knows requests since November 20, 2026. It last looked at Nov 20, 2026, 9:30 AM. Open the inbox of the routing service',
    )
    expect(element.matches(':state(empty)')).to.equal(true)
  })

  it('names what may be missing', async () => {
    const backend = createListBackend()
    const element = await show(backend, { timeZone: 'UTC' })
    expect(textOf(element, '[part=known]')).not.to.match(/missing/)
    const { send } = backend
    backend.send = async (input, init) => {
      const response = await send(input, init)
      const body = (await response.json()) as { known: object }
      const gaps = [{ from: '2026-03-03T14:02Z', to: '2026-03-03T15:10Z' }, null]
      const changed = {
        ...body,
        isPartial: true,
        known: { ...body.known, gaps, isLimited: true, checkedAt: null },
      }
      return new Response(JSON.stringify(changed), response)
    }
    await element.refresh()
    await element.updateComplete
    expect(textOf(element, '[part=known]')).to.match(
      /It has not finished looking yet\. Requests started between Mar 3, 2026, 2:02 PM and Mar 3, 2026, 3:10 PM may be missing\. Requests that wait for an office may be missing\. Some requests could not be checked/,
    )
  })

  it('shows more on request, and keeps that when it loads again', async () => {
    const ids = Array.from({ length: 130 }, (_, place) => [100 + place, {}] as const)
    const element = await show(createListBackend(people.firstApprover, Object.fromEntries(ids)))
    expect(rows(element)).to.have.length(100)
    expect(textOf(element, '[aria-pressed=true]')).to.equal('Waiting for me 100+')
    find(element, 'button[part=more]')!.click()
    await settled(element)
    expect(rows(element)).to.have.length(131)
    expect(find(element, 'button[part=more]')).to.equal(null)
    await element.refresh()
    await element.updateComplete
    expect(rows(element)).to.have.length(131)
  })

  describe('after Back (1.17)', () => {
    const many = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [100 + at, {}]))
    const detailUrl = '/{packageId}'
    const linkOf = (element: WfList, id: number) => find(element, `a[href$="/${id}"]`)!
    const topOf = (element: WfList, id: number) => linkOf(element, id).getBoundingClientRect().top
    const kept = () => Object.keys(sessionStorage).filter((name) => name.startsWith('routeslip list'))
    /** Whether the browser names the entries of its history. */
    const hasKeys = 'navigation' in window

    /** Acts like the router of a page, which adds an entry to the history for each link. */
    const route = (event: Event) => {
      if (!event.composedPath().some((one) => one instanceof HTMLAnchorElement)) return
      event.preventDefault()
      history.pushState({ page: 'next' }, '')
    }

    beforeEach(() => {
      sessionStorage.clear()
      // The browser itself would scroll as well, some time after Back.
      history.scrollRestoration = 'manual'
      history.pushState({ page: 'list' }, '')
      window.addEventListener('click', route)
    })

    afterEach(() => {
      window.removeEventListener('click', route)
      history.replaceState(null, '')
      history.scrollRestoration = 'auto'
      window.scrollTo({ top: 0, behavior: 'instant' })
      sessionStorage.clear()
    })

    /** Shows all that the person has started, and goes to a request far below. */
    async function goDown(backend: Backend): Promise<WfList> {
      const element = await show(backend, { detailUrl })
      expect(textOf(element, '[aria-pressed=true]')).to.equal('My requests 100+')
      find(element, 'button[part=more]')!.click()
      await waitUntil(() => rows(element).length === 131, 'no more are shown')
      await settled(element)
      linkOf(element, 105).scrollIntoView({ block: 'center', behavior: 'instant' })
      linkOf(element, 105).focus({ preventScroll: true })
      return element
    }

    /** Follows the link of that request. Returns where it was on the screen. */
    async function leave(backend: Backend): Promise<number> {
      const element = await goDown(backend)
      const top = topOf(element, 105)
      linkOf(element, 105).click()
      expect(history.state, 'the history belongs to the page').to.deep.equal({ page: 'next' })
      element.remove()
      window.scrollTo({ top: 0, behavior: 'instant' })
      return top
    }

    async function goBack(): Promise<void> {
      const done = oneEvent(window, 'popstate')
      history.back()
      await done
      expect(history.state, 'the history belongs to the page').to.deep.equal({ page: 'list' })
    }

    it('shows the same list at the same place, with the focus where it was', async () => {
      const backend = createListBackend(people.initiator, many)
      const top = await leave(backend)
      await goBack()
      const element = await show(backend, { detailUrl })
      if (!hasKeys) {
        expect(rows(element), 'nothing is kept').to.have.length(100)
        return
      }
      expect(textOf(element, '[aria-pressed=true]')).to.equal('My requests 131')
      await waitUntil(() => Math.abs(topOf(element, 105) - top) < 2, 'the place is another one')
      await waitUntil(
        () => element.shadowRoot!.activeElement === linkOf(element, 105),
        'the focus is elsewhere',
      )
      expect(kept(), 'it is restored once').to.deep.equal([])
    })

    it('shows the list that the person has chosen', async () => {
      const backend = createListBackend(people.firstApprover)
      const element = await show(backend, { detailUrl })
      expect(textOf(element, '[aria-pressed=true]')).to.equal('Waiting for me 1')
      const isLoaded = oneEvent(element, 'wf-load')
      find(element, '[part=views] button:last-child')!.click()
      await isLoaded
      await settled(element)
      history.pushState({ page: 'next' }, '')
      element.remove()
      await goBack()
      const again = await show(backend, { detailUrl })
      expect(textOf(again, '[aria-pressed=true]')).to.equal(hasKeys ? 'My requests' : 'Waiting for me 1')
    })

    it('leaves a person where they have moved meanwhile', async () => {
      const backend = createListBackend(people.initiator, many)
      await leave(backend)
      await goBack()
      const element = await fixture<WfList>(html`<wf-list detail-url=${detailUrl}></wf-list>`)
      await waitUntil(() => kept().length === 0, 'what is kept is not read')
      window.dispatchEvent(new WheelEvent('wheel'))
      element.client = backend.client
      await waitUntil(() => element.value !== undefined, 'the list is not shown')
      await settled(element)
      expect(rows(element)).to.have.length(hasKeys ? 131 : 100)
      expect(element.shadowRoot!.activeElement).to.equal(null)
      expect(window.scrollY).to.equal(0)
    })

    it('begins anew in another entry of the history', async () => {
      const backend = createListBackend(people.initiator, many)
      await leave(backend)
      expect(kept()).to.have.length(hasKeys ? 1 : 0)
      const element = await show(backend, { detailUrl })
      expect(rows(element)).not.to.have.length(131)
    })

    it('is as it was if the browser has kept the page', async () => {
      const backend = createListBackend(people.initiator, many)
      const element = await goDown(backend)
      const top = topOf(element, 105)
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      await element.refresh()
      await settled(element)
      expect(rows(element)).to.have.length(131)
      expect(element.shadowRoot!.activeElement).to.equal(linkOf(element, 105))
      expect(topOf(element, 105)).to.equal(top)
    })

    it('keeps nothing before a list is shown', async () => {
      await fixture<WfList>(html`<wf-list></wf-list>`)
      window.dispatchEvent(new PageTransitionEvent('pagehide'))
      expect(kept()).to.deep.equal([])
      const element = await show(createListBackend())
      await settled(element)
      await waitUntil(() => {
        window.dispatchEvent(new PageTransitionEvent('pagehide'))
        return !hasKeys || kept().length === 1
      }, 'control: it is kept')
    })
  })

  it('keeps the list if it cannot be loaded again, and marks it', async () => {
    const backend = createListBackend()
    const element = await show(backend)
    breakDown(backend)
    await element.refresh()
    await element.updateComplete
    expect(rows(element)).to.have.length(1)
    expect(textOf(element, '[part=stale]')).to.match(/what was known at/)
  })

  it('shows nothing to the next person of what the person before has seen', async () => {
    const backend = createListBackend()
    const element = await show(backend)
    expect(rows(element)).to.have.length(1)
    backend.person = people.outsider
    await element.refresh()
    await settled(element)
    expect(rows(element)).to.have.length(0)
    backend.person = null
    await element.refresh()
    await settled(element)
    expect(textOf(element)).to.match(/^You are signed out/)
  })

  it('states that the site keeps no lists', async () => {
    const element = await show(createBackend())
    expect(textOf(element, '[part=missing]')).to.equal('This site keeps no lists of requests.')
    expect(element.matches(':state(missing)')).to.equal(true)
  })

  it('never runs a script from an address template', async () => {
    const element = await show(createListBackend(), { detailUrl: 'javascript:alert({packageId})' })
    expect(find(element, 'a')).to.equal(null)
  })

  it('asks only for the forms that the page names', async () => {
    const backend = createListBackend()
    const addresses: string[] = []
    const { send } = backend
    backend.send = (input, init) => {
      addresses.push(input instanceof Request ? input.url : input.toString())
      return send(input, init)
    }
    await show(backend, { forms: '6025 x', view: 'waiting' })
    expect(addresses.map((address) => new URL(address).search)).to.deep.equal(['?view=waiting&form=6025'])
  })

  describe('reminders', () => {
    const open = (element: WfList) => element.shadowRoot!.querySelector<HTMLDialogElement>('dialog[open]')
    const text = (element: WfList) => open(element)?.innerText.replace(/\s+/g, ' ') ?? ''
    /** Shows the list of the initiator, who may remind the approvers, and opens the dialog. */
    async function remind(backend = createReminderBackend()): Promise<[WfList, Backend]> {
      const element = await show(backend, { view: 'mine', formNames: { 6025: 'Travel request' } })
      await waitUntil(() => find(element, '[part=remind]') !== null, 'it is not offered')
      find(element, '[part=remind]')?.focus()
      find(element, '[part=remind]')?.click()
      await waitUntil(
        () => open(element) !== null && !text(element).includes('Loading'),
        'nothing has loaded',
      )
      return [element, backend]
    }
    const mails = (backend: Backend) =>
      [...backend.emulator.outbox.values()].filter(({ kind }) => kind === 'edit_notification')

    it('shows the text and whom the service emails, and sends once', async () => {
      const [element, backend] = await remind()
      expect(text(element)).to.match(
        /^Remind the approvers\? Travel request 42 The service emails every approver.* contains this text: Amara Okafor asks you to act/,
      )
      await expect(element).shadowDom.to.be.accessible()
      find(element, '[part=send]')?.click()
      await waitUntil(() => /Reminded .*, 1 of 5/.test(rows(element)[0] ?? ''), 'the list shows no reminder')
      expect(open(element)).to.equal(null)
      expect(element.shadowRoot!.activeElement?.part.value).to.equal('remind')
      expect(mails(backend)).to.have.length(1)
      await remindAgain(element)
      expect(text(element)).to.match(/only recently\. The next one is possible from .* Close\s*$/)
      expect(find(element, '[part=send]')).to.equal(null)
    })

    async function remindAgain(element: WfList): Promise<void> {
      find(element, '[part=remind]')?.click()
      await waitUntil(() => text(element).includes('Close'), 'no reason is shown')
    }

    describe('with a note', () => {
      const field = (element: WfList) =>
        element.shadowRoot!.querySelector<HTMLTextAreaElement>('dialog[open] [part=note]')!
      const write = (element: WfList, note: string) => {
        field(element).value = note
        field(element).dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
      }
      const remindWithNote = () => remind(createReminderBackend({}, ['remind', 'remindNote']))
      const intercept = (backend: Backend, reply: () => Response | undefined) =>
        (backend.intercept = ({ url, method }) =>
          method === 'PUT' && url.endsWith('/entry') ? Promise.resolve(reply()!) : undefined)

      it('shows the email with it, and how many characters are left, before it is sent', async () => {
        const [element, backend] = await remindWithNote()
        expect(text(element)).to.contain('300 characters left')
        expect(text(element)).not.to.contain('writes')
        write(element, ' The visa\noffice closes <on> Friday 😀 ')
        expect(text(element)).to.contain('264 characters left')
        expect(textOf(element, '[part=email]')).to.match(
          /has changed\. Amara Okafor writes: The visa office closes <on> Friday 😀$/,
        )
        await expect(element).shadowDom.to.be.accessible()
        const bodies: unknown[] = []
        element.addEventListener('wf-before-change', ({ body }) => bodies.push(body))
        find(element, '[part=send]')?.click()
        await waitUntil(() => mails(backend)[0], 'nothing was sent')
        expect(mails(backend)[0]?.html).to.contain('The visa office closes &lt;on&gt; Friday 😀</p>')
        expect(bodies).to.deep.equal([{ note: 'The visa office closes <on> Friday 😀' }])
      })

      it('states why a note cannot be sent, and sends nothing', async () => {
        const [element, backend] = await remindWithNote()
        for (const [note, reason] of [
          ['x'.repeat(301), 'The note is 1 character too long.'],
          ['see ｗｗｗ.evil.example', 'remove “://”, “www.” and “@”'],
          ['a\u202eb', 'invisible control characters'],
        ] as const) {
          write(element, note)
          expect(text(element)).to.contain(reason)
          expect(textOf(element, '[part=email]')).not.to.contain('writes')
          expect(field(element).getAttribute('aria-invalid')).to.equal('true')
          await expect(element).shadowDom.to.be.accessible()
          find(element, '[part=send]')?.click()
          expect(element.shadowRoot!.activeElement).to.equal(field(element))
          expect(field(element).value).to.equal(note)
        }
        expect(mails(backend)).to.have.length(0)
        write(element, 'Please sign.')
        expect(field(element).getAttribute('aria-invalid')).to.equal('false')
        find(element, '[part=send]')?.click()
        await waitUntil(() => mails(backend)[0], 'control: nothing was sent')
      })

      it('keeps it after an error and while the dialog is closed, until it was sent', async () => {
        const [element, backend] = await remindWithNote()
        write(element, 'Please sign.')
        intercept(backend, () => Response.json({ "entry['purpose']": ['REQUIRED'] }, { status: 400 }))
        find(element, '[part=send]')?.click()
        await waitUntil(() => text(element).includes('Nobody was emailed'), 'no error is shown')
        backend.intercept = () => undefined
        find(element, 'dialog button')?.click()
        await waitUntil(() => find(element, '[part=remind]') !== null, 'it is not offered')
        find(element, '[part=remind]')?.click()
        await waitUntil(() => field(element) !== null, 'the dialog has not loaded')
        expect(field(element).value).to.equal('Please sign.')
        find(element, '[part=send]')?.click()
        await waitUntil(() => mails(backend)[0], 'nothing was sent')
        expect(mails(backend)[0]?.html).to.contain('<p dir="auto">Please sign.</p>')
      })

      it('stays open with it if the person has to sign in', async () => {
        const [element, backend] = await remindWithNote()
        write(element, 'Please sign.')
        backend.person = null
        find(element, '[part=send]')?.click()
        await waitUntil(() => text(element).includes('You are signed out'), 'no error is shown')
        expect(field(element).value).to.equal('Please sign.')
        backend.person = people.initiator
        find(element, '[part=send]')?.click()
        await waitUntil(() => mails(backend)[0], 'nothing was sent')
      })

      it('stays open with it if the site takes no notes any more', async () => {
        const operations = ['remind', 'remindNote']
        const [element, backend] = await remind(createReminderBackend({}, operations))
        write(element, 'Please sign.')
        operations.pop()
        find(element, '[part=send]')?.click()
        await waitUntil(() => text(element).includes('doesn’t accept this note'), 'no error is shown')
        expect(mails(backend)).to.have.length(0)
        find(element, '[part=send]')?.click()
        await waitUntil(() => mails(backend)[0], 'the reminder without a note was not sent')
        expect(mails(backend)[0]?.html).not.to.contain('Please sign.')
      })

      it('leaves nothing of it to somebody else after the dialog was closed', async () => {
        const [element, backend] = await remindWithNote()
        write(element, 'Please sign.')
        expect(find(element, 'textarea') !== null, 'control').to.equal(true)
        open(element)?.close()
        await waitUntil(() => find(element, 'textarea') === null, 'the note stays in the page')
        await element.refresh()
        find(element, '[part=remind]')?.click()
        await waitUntil(() => field(element), 'the dialog has not loaded')
        expect(field(element).value, 'control: it comes back for the same person').to.equal('Please sign.')
        open(element)?.close()
        backend.person = people.administrator
        await element.refresh()
        expect(find(element, 'textarea') === null).to.equal(true)
      })

      it('closes with it if somebody else signs in instead', async () => {
        const [element, backend] = await remindWithNote()
        write(element, 'Please sign.')
        backend.person = null
        find(element, '[part=send]')?.click()
        await waitUntil(() => text(element).includes('You are signed out'), 'no error is shown')
        await element.refresh()
        expect(field(element).value, 'control: it stays while nobody is').to.equal('Please sign.')
        backend.person = people.firstApprover
        await element.refresh()
        await waitUntil(() => find(element, 'textarea') === null, 'the note stays in the page')
        expect(open(element) === null).to.equal(true)
      })

      it('shows nothing to somebody who signs in while the reminder is being sent', async () => {
        const [element, backend] = await remindWithNote()
        write(element, 'Please sign.')
        let fail: (response: Response) => void = () => {}
        const lost = new Promise<Response>((resolve) => (fail = resolve))
        backend.intercept = ({ url, method }) =>
          method === 'PUT' && url.endsWith('/entry') ? lost : undefined
        find(element, '[part=send]')?.click()
        await waitUntil(() => text(element).includes('One moment'), 'it is not sent')
        backend.person = people.firstApprover
        await element.refresh()
        await waitUntil(() => open(element) === null, 'the dialog stays open')
        const failed = oneEvent(element, 'wf-error')
        fail(new Response('', { status: 500 }))
        await failed
        await settled(element)
        expect(open(element) === null).to.equal(true)
        expect(find(element, 'textarea') === null).to.equal(true)
      })

      it('has no field without the permission', async () => {
        const [element] = await remind()
        expect(field(element)).to.equal(null)
      })
    })

    it('is offered only if the policy allows it', async () => {
      const element = await show(createListBackend(people.initiator), { view: 'mine' })
      await settled(element)
      expect(rows(element)).to.have.length(1)
      expect(find(element, '[part=remind]')).to.equal(null)
    })

    it('sends nothing if the page prevents it', async () => {
      const [element, backend] = await remind()
      element.addEventListener('wf-before-change', (event) => event.preventDefault())
      find(element, '[part=send]')?.click()
      await waitUntil(() => open(element) === null, 'the dialog stays open')
      expect(mails(backend)).to.have.length(0)
    })

    it('states that the service did not accept the data, and what is not known', async () => {
      const [element, backend] = await remind()
      const intercept = (status: number, body: object) =>
        (backend.intercept = ({ url, method }) =>
          method === 'PUT' && url.endsWith('/entry')
            ? Promise.resolve(Response.json(body, { status }))
            : undefined)
      intercept(400, { "entry['purpose']": ['REQUIRED'] })
      find(element, '[part=send]')?.click()
      await waitUntil(() => text(element).includes('Nobody was emailed'), 'no error is shown')
      expect(find(element, '[part=send]')).to.equal(null)
      find(element, 'dialog button')?.click()
      find(element, '[part=remind]')?.click()
      await waitUntil(() => find(element, '[part=send]') !== null, 'the reminder is not possible again')
      intercept(500, {})
      find(element, '[part=send]')?.click()
      await waitUntil(() => text(element).includes('may or may not have been sent'), 'no error is shown')
      expect(rows(element)[0]).not.to.contain('not known')
      await element.refresh()
      await waitUntil(
        () => rows(element)[0]?.includes('It is not known whether the last reminder was sent.'),
        'the list does not say it',
      )
      expect(rows(element)[0]).not.to.contain('Reminded')
    })

    it('states that the person may not do this any more', async () => {
      const backend = createReminderBackend()
      const element = await show(backend, { view: 'mine' })
      await waitUntil(() => find(element, '[part=remind]') !== null, 'it is not offered')
      const { test: packages } = backend.emulator.packages
      packages.set(42, { ...packages.get(42)!, initiator: people.outsider, inbox: [] })
      find(element, '[part=remind]')?.click()
      await waitUntil(() => text(element).includes('You may not send reminders'), 'no error is shown')
    })
  })
})
