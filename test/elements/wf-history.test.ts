import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { english } from '../../src/locales/english.ts'
import '../../src/define/routing-history.ts'
import '../../src/define/wf-history.ts'
import { WfErrorEvent, WfLoadEvent } from '../../src/elements/element/events.ts'
import type { PackageHistory, WfHistory } from '../../src/elements/wf-history/wf-history.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'
import { call } from '../../stories/routing.ts'
import { atRest, settled } from '../../stories/settled.ts'
import { emulateMedia } from '../media.ts'
import { waitUntil } from '../wait-until.ts'
import { allAnnounced, announcement, announcements } from './notices/announcements.ts'

describe('<wf-history>', () => {
  it('shows past, current and future events by stop', async () => {
    const { element } = await show(createBackend())

    expect(rows(element)).to.deep.equal([
      'Amara Okafor started routing Nov 16, 2026, 9:42 AM Associate Professor',
      'Stop 1 · Department Daniel Reyes must sign since Nov 16, 2026, 9:42 AM Department Administrator',
      'Ruth Lindqvist may view since Nov 16, 2026, 9:42 AM Budget Officer',
    ])
    expect(part(element, 'now'), 'the whole history is in sight').to.equal(null)
    const current = element.shadowRoot!.querySelectorAll('[aria-current=step]')
    expect([...current].map(textOf)).to.deep.equal([rows(element)[1]])
    const future = element.shadowRoot!.querySelector('[part=future] [role=list]')!
    expect(future.ariaLabel, 'the summary says it').to.equal(null)
    expect(textOf(part(element, 'future'))).to.equal(
      'Still to come (1 stop) Stop 2 · College Mei-Ling Zhou must sign Associate Dean · College of Sciences, Dean’s Office',
    )
    expect(details(element).open, 'a short list is open').to.equal(true)
    expect(textOf(part(element, 'package-id'))).to.equal('Request 42')
  })

  it('fires wf-load with the events', async () => {
    const backend = createBackend()
    const element = create(backend)
    const loaded = oneEvent<WfLoadEvent<PackageHistory>>(element, WfLoadEvent.type)
    document.body.append(element)
    const { value } = await loaded

    expect(value.past).to.have.length(3)
    expect(value.future).to.have.length(1)
    expect(element.value).to.equal(value)
    element.remove()
  })

  it('shows past events in order, and the void last', async () => {
    const backend = createBackend()
    await sign(backend, people.firstApprover)
    await tool(backend, '', { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' })
    const { element } = await show(backend)

    expect(rows(element)[1]).to.match(
      /^Stop 1 · Department Daniel Reyes signed .* Department Administrator · after \d+ days?$/,
    )
    expect(rows(element)[2], 'nobody expected a viewer to sign').to.include('Ruth Lindqvist received it')
    expect(rows(element).at(-1)).to.include('Priya Raman voided it')

    await tool(backend, '/unvoid')
    await element.refresh()
    await waitUntil(() => rows(element).length === 6)
    expect(rows(element)[4]).to.include('Priya Raman reversed the void')
    expect(rows(element)[5], 'the awaited signature is last').to.include(
      'Stop 2 · College Mei-Ling Zhou must sign',
    )
  })

  it('shows unknown classes, states and permissions in readable form, in their order (F24)', async () => {
    const element = await showHistory([
      event({ '@class': 'HELD_FOR_AUDIT' }),
      event({ state: 'SENT_BACK' }),
      event({ isInInbox: false, state: 'APPROVED', autoSigned: true }),
      event({ '@class': 'constructor', person: null }),
      event({ isInInbox: true, permission: 'toString' }),
    ])

    expect(rows(element).map((row) => row.replace(/ (Nov|10:00).*/, ''))).to.deep.equal([
      'Stop 1 · Department Ann: Held for audit',
      'Ann: Sent back',
      'Ann signed automatically',
      'Constructor',
      'Ann Tostring since',
    ])
  })

  it('counts invalid rows, and shows the others (F25)', async () => {
    const element = await showHistory([
      event({}),
      { actionDate: 'x' },
      null,
      7,
      event({ actionDate: 'soon' }),
    ])

    expect(rows(element)).to.have.length(2)
    expect(rows(element)[1]).to.include('soon')
    expect(textOf(element.shadowRoot)).to.include('3 entries couldn’t be read.')
  })

  it('keeps the order of the service, and duplicate rows (F27)', async () => {
    const late = event({ actionDate: '2026-11-20T10:00:00' })
    const early = event({ actionDate: '2026-11-10T10:00:00' })
    const element = await showHistory([late, early, early, late])

    expect(times(element)).to.deep.equal([
      '2026-11-20T10:00:00',
      '2026-11-10T10:00:00',
      '2026-11-10T10:00:00',
      '2026-11-20T10:00:00',
    ])
  })

  it('shows markup as text, and isolates the direction of names', async () => {
    const name = '<img src=x onerror=alert(1)>'
    const person = { displayName: name, title: `${name} 1` }
    const element = await showHistory([
      event({ person, context: `${name} 2`, stop: { name, stopNumber: 1 }, isInInbox: true }),
    ])

    expect(element.shadowRoot!.querySelector('img')).to.equal(null)
    const isolated = [...element.shadowRoot!.querySelectorAll('bdi')].filter((bdi) =>
      textOf(bdi).includes(name),
    )
    expect(isolated).to.have.length(4)
  })

  it('shows past events if the future ones fail to load, and loads them with one Try again @engines', async () => {
    const backend = createBackend()
    let isDown = true
    backend.intercept = (request) =>
      isDown && request.url.endsWith('/future_history')
        ? Promise.resolve(new Response('', { status: 500 }))
        : undefined
    const element = create(backend)
    const failed = oneEvent<WfErrorEvent>(element, WfErrorEvent.type)
    document.body.append(element)
    await failed
    await waitUntil(() => part(element, 'failure'))
    expect(rows(element)).to.have.length(3)
    expect(textOf(part(element, 'failure'))).to.include('The stops still to come couldn’t be loaded')
    await waitUntil(() => announcement() === 'The stops still to come couldn’t be loaded.')

    await sendKeys({ press: 'Tab' })
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'try-again'))
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => announcement().includes(english.common.stillUnavailable))
    isDown = false
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => part(element, 'future'))
    expect(part(element, 'failure') === null).to.equal(true)
    await waitUntil(() => element.shadowRoot!.activeElement?.matches('summary, .now'))
    element.remove()
  })

  it('keeps future events if they fail to load again', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = (request) =>
      request.url.endsWith('/future_history') ? Promise.reject(new TypeError('down')) : undefined
    await element.refresh()
    await waitUntil(() => part(element, 'failure'))

    expect(textOf(part(element, 'future'))).to.include('Mei-Ling Zhou')
  })

  it('leaves enough room for names at any width @engines', async () => {
    const { element } = await show(createBackend())
    element.timeZone = 'UTC'
    await waitUntil(() => /since .+ · \d+\s/.test(rows(element).join()))
    const line = parseFloat(getComputedStyle(part(element, 'event')!).fontSize) * 1.45
    const box = await fixture<HTMLElement>(html`<div></div>`)
    box.append(element)
    for (const width of [240, 300, 350, 400, 430, 480, 530, 580, 640, 800]) {
      box.style.inlineSize = `${width}px`
      for (const summary of element.shadowRoot!.querySelectorAll('.what')) {
        const lines = Math.round(summary.getBoundingClientRect().height / line)
        expect(lines, `${summary.textContent} at ${width} px`).to.be.at.most(width < 320 ? 2 : 1)
      }
    }
  })

  it('announces each new event once, and no event of the first load', async () => {
    const { element, backend } = await show(createBackend())
    const announced = announcements()
    await sign(backend, people.firstApprover)
    const [, first] = element.shadowRoot!.querySelectorAll('[part=event]')
    await element.refresh()
    await waitUntil(() => announced.length > 0, 'the first signature was not announced')
    await element.refresh()
    await tool(backend, '', { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' })
    await element.refresh()
    await waitUntil(() => announced.length > 1, 'the void was not announced')
    expect(announced).to.deep.equal(['Daniel Reyes signed.', 'Priya Raman voided it.'])
    expect(first, 'the history has an event that is not new').to.not.equal(undefined)
  })

  it('keeps unchanged events, open details and the focus on a refresh @engines', async () => {
    const { element, backend } = await show(createBackend())
    const node = element.shadowRoot!.querySelector('[part=event]')
    details(element).open = true
    details(element).querySelector('summary')!.focus()
    await element.refresh()
    expect(element.shadowRoot!.querySelector('[part=event]')).to.equal(node)
    await sign(backend, people.firstApprover)
    await tool(backend, '/restart')
    await element.refresh()
    await waitUntil(() => rows(element).join().includes('Daniel Reyes signed'))

    expect(details(element).open).to.equal(true)
    expect(element.shadowRoot!.activeElement?.localName).to.equal('summary')
  })

  it('shows a message if the history is empty', async () => {
    const element = await showHistory([])

    expect(textOf(part(element, 'empty'))).to.equal('Nothing has happened yet.')
    expect(element.matches(':state(empty)')).to.equal(true)
    await expect(element).to.be.accessible()
  })

  it('never shows the events of one package under another (F39)', async () => {
    const { element } = await show(createBackend())
    const texts: string[] = []
    const base = part(element, 'base')!
    const observer = new MutationObserver(() => texts.push(rows(element).join()))
    observer.observe(base, { childList: true, subtree: true })
    element.packageId = 43
    await waitUntil(() => part(element, 'missing'))
    observer.disconnect()

    expect(texts, 'what was shown in between').not.to.deep.equal([])
    expect(texts.join('')).to.equal('')
  })

  it('changes to Spanish with the page, including the rows that it has rendered', async () => {
    const { element } = await show(createBackend())
    try {
      document.documentElement.lang = 'es'
      await waitUntil(() => rows(element)[1]?.includes('Daniel Reyes debe firmar'))
      expect(rows(element)[0]).to.include('Amara Okafor inició el trámite 16 nov 2026')
      expect(textOf(part(element, 'future'))).to.include('Aún por venir (1 etapa)')
    } finally {
      document.documentElement.lang = 'en'
    }
  })

  it('lists details in the direction of the page, although each keeps its own @engines', async () => {
    const { element } = await show(createBackend())
    const [line] = [...element.shadowRoot!.querySelectorAll('.detail')].filter(
      ({ children }) => children.length > 1,
    )
    const isReversed = () => {
      const [first, second] = line!.children
      return first!.getBoundingClientRect().left > second!.getBoundingClientRect().left
    }
    expect(isReversed()).to.equal(false)
    try {
      document.documentElement.dir = 'rtl'
      expect(isReversed()).to.equal(true)
    } finally {
      document.documentElement.dir = ''
    }
  })

  it('expands everything in print @engines', async () => {
    const { element } = await show(createBackend())
    details(element).open = false
    const list = details(element).querySelector('[role=list]')!
    expect(list.checkVisibility({ contentVisibilityAuto: true })).to.equal(false)
    await emulateMedia({ media: 'print' })
    await waitUntil(() => list.checkVisibility({ contentVisibilityAuto: true }))
  })

  describe('with a history from the page', () => {
    it('shows it and sends no request', async () => {
      const backend = createBackend()
      const element = await fixture<WfHistory>(html`
        <wf-history
          .client=${backend.client}
          form-id="6025"
          package-id="42"
          .history=${[event({})]}
        ></wf-history>
      `)
      await settled(element)

      expect(rows(element)).to.have.length(1)
      expect(textOf(part(element, 'package-id'))).to.equal('Request 42')
      expect(element.value?.past).to.have.length(1)
      expect(backend.journal).to.deep.equal([])
    })

    it('accepts JSON, also for future events', async () => {
      const element = await fixture<WfHistory>(html`
        <wf-history history=${JSON.stringify([event({})])} future=${JSON.stringify([event({})])}></wf-history>
      `)

      expect(rows(element)).to.have.length(1)
      expect(textOf(part(element, 'future'))).to.include(
        'Still to come (1 stop) Stop 1 · Department Ann must sign',
      )
      expect(part(element, 'package-id') === null).to.equal(true)
    })

    it('has the same behaviour as <routing-history>', async () => {
      const element = await fixture<WfHistory>(html`
        <routing-history history=${JSON.stringify([event({})])} package-id="42"></routing-history>
      `)

      expect(rows(element)).to.have.length(1)
      expect(textOf(part(element, 'package-id'))).to.equal('Request 42')
    })

    it('shows the page author that a value is not a list, and keeps the last valid one', async () => {
      const element = await fixture<WfHistory>(html`<wf-history history="{"></wf-history>`)
      expect(textOf(element.shadowRoot)).to.include(
        '<wf-history> needs a list of events, or its JSON. The given value is not valid.',
      )
      element.history = [event({})]
      await waitUntil(() => rows(element).length === 1)
      expect(part(element, 'not-configured') === null).to.equal(true)
      for (const invalid of ['null', '{}', '"x"', '[1']) {
        element.history = invalid
        await element.updateComplete
        expect(rows(element), invalid).to.have.length(1)
        expect(textOf(part(element, 'not-configured')), invalid).to.include('needs a list of events')
      }
      element.history = null
      await element.updateComplete
      expect(textOf(part(element, 'not-configured'))).to.include('needs endpoint')
    })

    it('takes an empty attribute for an empty history, and tells the console', async () => {
      const warnings: unknown[] = []
      const { warn } = console
      console.warn = (text: unknown) => warnings.push(text)
      try {
        const element = await fixture<WfHistory>(html`<wf-history history=""></wf-history>`)
        expect(textOf(element.shadowRoot)).to.equal('Nothing has happened yet.')
        expect(String(warnings[0])).to.match(/^<wf-history> got an empty "history"/)
      } finally {
        console.warn = warn
      }
    })
  })

  describe('with thousands of events (F26)', () => {
    it('shows the latest 100 and who it waits for, and the earlier events by hundreds', async () => {
      const element = await showHistory(many(1020))
      expect(items(element)).to.have.length(120)
      expect(textOf(part(element, 'now'))).to.equal('Waiting for Ann Jump to now')
      expect(buttons(element)).to.deep.equal(['Show 100 earlier', 'Show all 900 earlier'])
      expect(rows(element)[0], 'the first row names its stop and its day').to.match(/^Stop 1 .* Jan 7, 2026/)
      expect(rows(element).at(-1)).to.include('Ann must sign')
      const announced = announcements()
      const kept = items(element).slice(1)

      await press(element, 'earlier')
      expect(items(element)).to.have.length(220)
      expect(items(element).slice(-119), 'what was in sight stays').to.deep.equal(kept)
      expect(rows(element)[100], 'its stop is named above now').to.match(/^Ann signed/)
      expect(buttons(element)).to.deep.equal(['Show 100 earlier', 'Show all 800 earlier'])
      expect(element.shadowRoot!.activeElement, 'for a hundred more').to.equal(part(element, 'earlier'))
      await allAnnounced(element)
      expect(announced).to.deep.equal(['220 of 1,020 shown.'])
    })

    it('shows all events in their order, the first of them with the focus, and announces that once @engines', async () => {
      const element = await showHistory(many(1020))
      const announced = announcements()
      const kept = items(element).slice(1)
      const counts = countsOf(element)

      await press(element, 'all')
      expect(items(element)).to.have.length(1020)
      expect(counts, 'in steps, so that the page stays responsive').to.deep.equal([520, 1020])
      expect(buttons(element)).to.deep.equal([])
      expect(times(element), 'in the order of the service').to.deep.equal(times(element).toSorted())
      expect(items(element).slice(-119), 'what was in sight stays').to.deep.equal(kept)
      expect(element.shadowRoot!.activeElement).to.equal(items(element)[0])
      await waitUntil(() => announced.length > 0)

      part(element, 'jump')!.focus()
      await sendKeys({ press: 'Enter' })
      expect(element.shadowRoot!.activeElement).to.equal(items(element).at(-1))
      element.history = [...many(1020), event({ '@class': 'void' })]
      await waitUntil(() => announced.length > 1)
      expect(announced, 'no earlier event is news').to.deep.equal(['1,020 of 1,020 shown.', 'Ann voided it.'])
    }).timeout(30_000)

    it('has one button for the last hundred, and moves the focus from it to the first event @engines', async () => {
      const element = await showHistory(many(200))
      expect(items(element)).to.have.length(150)
      expect(buttons(element)).to.deep.equal(['Show 50 earlier'])
      await press(element, 'earlier')
      expect(buttons(element)).to.deep.equal([])
      expect(element.shadowRoot!.activeElement).to.equal(items(element)[0])

      const short = await showHistory(many(150))
      expect(items(short)).to.have.length(150)
      expect(buttons(short)).to.deep.equal([])
    })

    it('leaves the focus where it is if it was not on the button @engines', async () => {
      const element = await showHistory(many(200))
      part(element, 'jump')!.focus()
      part(element, 'earlier')!.click()
      await settled(element)
      expect(items(element)).to.have.length(200)
      expect(element.shadowRoot!.activeElement).to.equal(part(element, 'jump'))
    })

    it('lets the browser skip the layout of whole chunks, never of rows @engines', async () => {
      const element = await showHistory(many(231))
      await press(element, 'earlier')
      const chunks = [...element.shadowRoot!.querySelector('[role=list]')!.children]
      expect(chunks.map((chunk) => [chunk.role, chunk.children.length, skipOf(chunk)])).to.deep.equal([
        ...Array.from({ length: 4 }, () => ['none', 50, 'auto']),
        ['none', 30, 'visible'],
        ['none', 1, 'visible'],
      ])
      expect([...new Set(items(element).map(skipOf))]).to.deep.equal(['visible'])
    })

    it('adds the newest event below, announces it, and does not move what a person reads @engines', async () => {
      const events = many(400)
      const element = await showHistory(events)
      await press(element, 'earlier')
      const announced = announcements()
      const before = items(element)
      const read = before[120]!
      read.scrollIntoView({ block: 'center' })
      await atRest(read)
      const { top } = read.getBoundingClientRect()
      element.history = [
        ...events.slice(0, -1),
        event({ state: 'APPROVED', person: { displayName: 'Bo' } }),
        ...events.slice(-1),
      ]
      await waitUntil(() => announced.some((text) => text.includes('Bo signed.')), 'nothing was announced')
      expect(items(element)).to.have.length(before.length + 1)
      expect(items(element).slice(0, before.length - 1)).to.deep.equal(before.slice(0, -1))
      expect(rows(element).at(-2)).to.include('Bo signed')
      expect(read.getBoundingClientRect().top).to.be.closeTo(top, 0.5)
    })

    it('does not render unchanged chunks again', async () => {
      const events = many(230)
      const element = await showHistory(events)
      await press(element, 'earlier')
      const before = items(element)
      const changed: Node[] = []
      const list = element.shadowRoot!.querySelector('[role=list]')!
      const observer = new MutationObserver((records) => changed.push(...records.map(({ target }) => target)))
      observer.observe(list, { subtree: true, childList: true, characterData: true, attributes: true })
      element.history = events.map((row, index) =>
        index === 229 ? { ...row, state: 'APPROVED', isInInbox: false } : { ...row },
      )
      await settled(element)
      observer.disconnect()

      expect(rows(element).at(-1)).to.include('Ann signed')
      expect(items(element).slice(0, 200)).to.deep.equal(before.slice(0, 200))
      expect(changed.some((node) => node !== list && !list.children[4]!.contains(node))).to.equal(false)
      expect(changed.length, 'the last chunk has changed').to.be.above(0)
      await waitUntil(() => announcement().includes('Ann signed.'))
    })

    it('prints all events, and then shows the same as before @engines', async () => {
      const element = await showHistory(many(1000))
      await press(element, 'earlier')
      const shown = items(element)
      const labels = buttons(element)
      expect(shown).to.have.length(250)
      window.dispatchEvent(new Event('beforeprint'))
      expect(items(element), 'at once').to.have.length(1000)
      expect(items(element).slice(-249)).to.deep.equal(shown.slice(1))
      window.dispatchEvent(new Event('afterprint'))
      await settled(element)
      expect(items(element)).to.deep.equal(shown)
      expect(buttons(element)).to.deep.equal(labels)
      expect(element.shadowRoot!.activeElement).to.equal(part(element, 'earlier'))
    })

    it('prints all events while it is about to show them @engines', async () => {
      const element = await showHistory(many(2000))
      const before = items(element).length
      const isShowingMore = new Promise((resolve) => {
        new MutationObserver(resolve).observe(element.shadowRoot!, { childList: true, subtree: true })
      })
      part(element, 'all')!.click()
      await isShowingMore
      expect(items(element).length).to.be.within(before, 1999)
      window.dispatchEvent(new Event('beforeprint'))
      expect(items(element)).to.have.length(2000)
      window.dispatchEvent(new Event('afterprint'))
      await settled(element)
      expect(items(element)).to.have.length(2000)
      expect(buttons(element)).to.deep.equal([])
    }).timeout(30_000)

    it('renders nothing for a printout after it was removed', async () => {
      const element = await showHistory(many(1000))
      element.remove()
      window.dispatchEvent(new Event('beforeprint'))
      expect(items(element)).to.have.length(150)
      document.body.append(element)
      window.dispatchEvent(new Event('beforeprint'))
      expect(items(element), 'in the page again').to.have.length(1000)
      element.remove()
    })

    it('hides its buttons in print @engines', async () => {
      const element = await showHistory(many(1000))
      const visible = () =>
        ['earlier', 'all', 'jump'].filter((name) => part(element, name)!.checkVisibility())
      expect(visible()).to.deep.equal(['earlier', 'all', 'jump'])
      await emulateMedia({ media: 'print' })
      await waitUntil(() => visible().length === 0)
    })

    it('begins again with the latest events of another package', async () => {
      const element = await showHistory(many(2000), { packageId: 1 })
      const announced = announcements()
      part(element, 'all')!.click()
      await waitUntil(() => items(element).length > 150)
      expect(items(element).length, 'not all yet').to.be.below(2000)
      element.packageId = 2
      const others = many(1000).map((one) => ({ ...one, person: { displayName: 'Bo' } }))
      element.history = others
      await settled(element)
      expect(items(element)).to.have.length(150)
      expect(buttons(element)).to.deep.equal(['Show 100 earlier', 'Show all 850 earlier'])
      element.history = [...others, event({ state: 'APPROVED', person: { displayName: 'Cy' } })]
      await allAnnounced(element)
      expect(announced, 'neither the events of another package nor a count').to.deep.equal(['Cy signed.'])
    })

    it('is a single list for assistive technology', async () => {
      const element = await showHistory(many(230))
      await expect(element).to.be.accessible()
      await press(element, 'earlier')
      expect(element.shadowRoot!.querySelectorAll('[role=list]')).to.have.length(1)
      await expect(element).to.be.accessible()
    }).timeout(30_000)
  })
})

function create({ client }: Backend, packageId = 42): WfHistory {
  const element = document.createElement('wf-history')
  Object.assign(element, { client, formId: 6025, packageId })
  return element
}

async function show(backend: Backend, selector = '[part=event]', packageId = 42) {
  const element = await fixture<WfHistory>(create(backend, packageId))
  await waitUntil(() => element.shadowRoot!.querySelector(selector), `${selector} of ${element.localName}`)
  return { element, backend }
}

async function showHistory(history: unknown[], properties: object = {}): Promise<WfHistory> {
  return await fixture<WfHistory>(
    Object.assign(document.createElement('wf-history'), { history, ...properties }),
  )
}

/** Presses the button of a part with the keyboard, and waits until everything is shown. */
async function press(element: WfHistory, name: string): Promise<void> {
  part(element, name)!.focus()
  await sendKeys({ press: 'Enter' })
  await settled(element)
}

function event(fields: Record<string, unknown>): Record<string, unknown> {
  return {
    '@class': 'signature',
    actionDate: '2026-11-16T10:00:00',
    person: { displayName: 'Ann' },
    stop: { name: 'Department', stopNumber: 1 },
    permission: 'SIGNATURE_REQUIRED',
    state: 'RECEIVED',
    ...fields,
  }
}

/** Creates signatures. The last one is still awaited. */
function many(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) =>
    event({
      actionDate: new Date(Date.UTC(2026, 0, 1) + index * 600_000).toISOString().slice(0, 19),
      state: 'APPROVED',
      ...(index === count - 1 && { state: 'RECEIVED', isInInbox: true }),
    }),
  )
}

function items(element: WfHistory): Element[] {
  return [...element.shadowRoot!.querySelectorAll('[part=base] > [role=list] [role=listitem]')]
}

/** Returns the text of each row of past and current events. */
function rows(element: WfHistory): string[] {
  return items(element).map(textOf)
}

/** Returns the time of each row. */
function times(element: WfHistory): (string | null)[] {
  return items(element).map((row) => row.querySelector('time')!.getAttribute('datetime'))
}

/** Returns the labels of the buttons that show more events. */
function buttons(element: WfHistory): string[] {
  return [...element.shadowRoot!.querySelectorAll('.more button')].map(textOf)
}

/** Collects the number of rows from now on, each time it changes. */
function countsOf(element: WfHistory): number[] {
  const counts: number[] = []
  new MutationObserver(() => {
    const { length } = items(element)
    if (counts.at(-1) !== length) counts.push(length)
  }).observe(element.shadowRoot!.querySelector('[part=list]')!, { childList: true, subtree: true })
  return counts
}

function skipOf(element: Element): string {
  return getComputedStyle(element).contentVisibility
}

function part(element: WfHistory, name: string): HTMLElement | null {
  return element.shadowRoot!.querySelector(`[part=${name}]`)
}

function details(element: WfHistory): HTMLDetailsElement {
  return element.shadowRoot!.querySelector('details')!
}

function textOf(node: Node | null): string {
  return (node?.textContent ?? '').replace(/\s+/g, ' ').trim()
}

async function sign(backend: Backend, univid: string, packageId = 42): Promise<void> {
  await call(backend, 'POST', `/_emulator/test/forms/6025/packages/${packageId}/sign`, { univid })
}

async function tool(backend: Backend, path: string, body?: unknown, packageId = 42): Promise<void> {
  const tools = `/wf/workflow/test/api/developer/tools/forms/6025/packages/${packageId}`
  await call(backend, 'PUT', `${tools}${path}`, body)
}
