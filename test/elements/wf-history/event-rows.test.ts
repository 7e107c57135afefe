import { expect } from '@open-wc/testing'
import { render } from 'lit'
import type { HistoryEvent } from '../../../src/contract/schemas/history.ts'
import type { Formatting } from '../../../src/elements/text/format.ts'
import { renderEventIcon, renderEventRows } from '../../../src/elements/wf-history/event-rows.ts'
import type { EventKind, EventLanguage } from '../../../src/elements/wf-history/event-text.ts'
import { common } from '../../../src/locales/en.ts'
import { history } from '../../../src/locales/en-history.ts'
import { textsOf } from '../texts.ts'

const messages = textsOf(history)
const language = (formatting: Formatting = { language: 'en' }): EventLanguage => ({
  messages,
  common: textsOf(common),
  formatting,
})

describe('renderEventRows()', () => {
  it('renders a row with the stop, an icon, what happened, when, and details', () => {
    expect(htmlOf([event({ person: { displayName: 'Ruth', title: 'Dean' } })])).to.deep.equal([
      `<div role="listitem" part="event" class="signed"> <p part="stop"><bdi>Stop 1 · Department</bdi></p> ` +
        `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 13l5 5L19 7"></path></svg> ` +
        `<p class="what"><bdi>Ruth</bdi> signed</p> <p class="muted time">` +
        `<time lang="en" datetime="2026-11-16T10:00:00">Nov 16, 2026, 10:00 AM</time></p> ` +
        `<p class="muted detail"><bdi>Dean</bdi></p> </div>`,
    ])
  })

  it('marks the row of a person it waits for as the current step, which can get the focus', () => {
    const waiting = { isInInbox: true, stop: null }
    expect(htmlOf([event(waiting)])).to.deep.equal([
      `<div role="listitem" part="event" class="now" aria-current="step" tabindex="-1"> ` +
        `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v8l6 4"></path></svg> ` +
        `<p class="what"><bdi>Ruth</bdi> must sign</p> <p class="muted time">since ` +
        `<time lang="en" datetime="2026-11-16T10:00:00">Nov 16, 2026, 10:00 AM</time></p> ` +
        `<div class="highlight"></div> </div>`,
    ])
    for (const fields of [{ ...waiting, permission: 'VIEW_ONLY' }, { stop: null }]) {
      const [row] = rowsOf([event(fields)], language())
      expect(row!.getAttributeNames()).to.deep.equal(['role', 'part', 'class'])
      expect(row!.querySelector('.highlight') === null).to.equal(true)
    }
  })

  it('shows since when a person has had it, and events still to come without a time', () => {
    const waiting = event({ isInInbox: true, permission: 'VIEW_ONLY', actionDate: '2001-11-10T10:00:00' })
    const timesOf = (events: readonly HistoryEvent[], formatting: Formatting, isFuture: boolean) =>
      rowsOf(events, language(formatting), { isFuture }).map((row) =>
        row.querySelector('.time')!.textContent.trim(),
      )
    const [time] = timesOf([waiting], { language: 'en', timeZone: 'UTC' }, false)
    expect(time).to.match(/^since Nov 10, 2001, 10:00\sAM · \d\d\u00a0years$/)
    expect(
      timesOf([event({ actionDate: '2001-11-10T10:00:00' })], { language: 'en', timeZone: 'UTC' }, false)[0],
    ).to.match(/AM$/)
    expect(timesOf([event({ actionDate: null })], { language: 'en' }, true)).to.deep.equal([''])
    const [row] = rowsOf([event({ actionDate: null, isInInbox: true })], language(), {
      isFuture: true,
    })
    expect(row!.className).to.equal('future')
    expect(row!.querySelector('path')).to.have.attribute('d', '')
    expect(row!.querySelector('time')).not.to.have.attribute('datetime')
  })

  it('leaves out events that could not be read', () => {
    expect(rowsOf([null, event(), null], language())).to.have.length(1)
  })

  it('names a stop and a day only if they differ from those of the event before', () => {
    const rows = (events: readonly HistoryEvent[], before?: HistoryEvent | null) =>
      rowsOf(events, language(), { before }).map((row) => [
        row.querySelector('[part=stop]')?.textContent ?? '',
        row.querySelector('time')!.textContent.replace(/\s/g, ' '),
      ])
    const other = event({ actionDate: '2026-11-17T10:00:00', stop: { name: 'College', stopNumber: 2 } })
    const full = ['Stop 1 · Department', 'Nov 16, 2026, 10:00 AM']
    const short = ['', '10:00 AM']
    expect(rows([event(), event(), other, event()])).to.deep.equal([
      full,
      short,
      ['Stop 2 · College', 'Nov 17, 2026, 10:00 AM'],
      full,
    ])
    expect(rows([event()], event())).to.deep.equal([short])
    for (const before of [undefined, null, other]) expect(rows([event()], before)).to.deep.equal([full])
    expect(rows([event(), event({ stop: null })])[1]).to.deep.equal(short)
    expect(rows([event(), event({ isInInbox: true })])[1], 'since when').to.deep.equal(['', full[1]])
    expect(rows([event({ actionDate: null }), event({ actionDate: 'soon' })])).to.deep.equal([
      ['Stop 1 · Department', ''],
      ['', 'soon'],
    ])
  })

  it('names a stop by its number, its name, or both', () => {
    const stopOf = (stop: object | null) =>
      rowsOf([event({ stop })], language())[0]!.querySelector('[part=stop]')?.textContent
    expect(stopOf({ name: 'Department', stopNumber: 3 })).to.equal('Stop 3 · Department')
    expect(stopOf({ name: 'Department', stopNumber: null })).to.equal('Department')
    expect(stopOf({ name: null, stopNumber: 3 })).to.equal('Stop 3')
    expect(stopOf({ name: null, stopNumber: null })).to.equal(undefined)
    expect(stopOf(null)).to.equal(undefined)
  })

  it('lists the details of an event, each once', () => {
    for (const [fields, details] of [
      [{}, []],
      [{ person: { displayName: 'Ruth', title: '' } }, []],
      [{ person: { displayName: 'Ruth', title: 'Ruth' } }, []],
      [{ person: { displayName: 'Ruth', title: 'Dean' }, resolution: { name: 'Dean' } }, ['Dean']],
      [{ office: { name: 'Biology' } }, ['Biology']],
      [{ office: { name: 'Biology' }, resolution: { name: 'Chair of Biology' } }, ['Chair of Biology']],
      [{ office: { name: 'Biology' }, resolution: { name: 'Chair' } }, ['Biology', 'Chair']],
      [{ office: { name: null }, resolution: { name: 'Chair' } }, ['Chair']],
      [{ office: { name: 'Biology' }, resolution: { name: null } }, ['Biology']],
      [{ context: 'DELEGATE for Ann' }, ['delegated', 'DELEGATE for Ann']],
      [{ context: 'Routing override CHANGE' }, ['overridden', 'Routing override CHANGE']],
      [{ context: 'EXCHANGED' }, ['EXCHANGED']],
      [{ context: 'DELEGATES' }, ['DELEGATES']],
      [{ resolution: { name: 'Chair', displayName: 'Ruth' } }, ['Chair']],
      [{ resolution: { name: 'Chair', displayName: 'Ann' } }, ['Chair', 'held by Ann']],
      [{ resolution: { name: 'Chair', displayName: 'Ann' }, person: null }, ['Chair', 'held by Ann']],
      [{ routingDate: '2026-11-13T10:00:00' }, ['after 3 days']],
      [{ routingDate: '2026-11-16T09:59:30' }, []],
      [{ routingDate: '2026-11-13T10:00:00', actionDate: null }, []],
      [{ routingDate: '2026-11-13T10:00:00', state: 'VOIDED' }, []],
    ] as const) {
      const [row] = rowsOf([event(fields)], language())
      const line = row!.querySelector('.detail')
      const found = [...(line?.children ?? [])].map(({ textContent }) => textContent)
      expect(found, JSON.stringify(fields)).to.deep.equal(details)
      expect(line?.textContent ?? '').to.equal(details.join(' · '))
    }
  })

  it('writes times in the language of the formats', () => {
    const [english] = rowsOf([event()], language())
    const [german] = rowsOf([event()], language({ language: 'de' }))
    for (const [row, lang, text] of [
      [english, 'en', 'Nov 16, 2026, 10:00 AM'],
      [german, 'de', '16.11.2026, 10:00'],
    ] as const) {
      expect(row!.querySelector('time')).to.have.attribute('lang', lang)
      expect(row!.querySelector('time')!.textContent.replace(/\s/g, ' ')).to.equal(text)
    }
  })
})

describe('renderEventIcon()', () => {
  it('draws a shape for each kind of event', () => {
    const kinds: EventKind[] = [
      ...(['initiation', 'now', 'view', 'received', 'signed', 'passed', 'voided', 'void'] as const),
      ...(['unvoid', 'remove', 're_initiate', 'office_opt_out', 'notification'] as const),
      ...(['notification_unlock', 'complete', 'other'] as const),
    ]
    const shapes = kinds.map((kind) => {
      const box = document.createElement('div')
      render(renderEventIcon(kind), box)
      const path = box.querySelector('svg > path')!
      expect(path.namespaceURI).to.equal('http://www.w3.org/2000/svg')
      return path.getAttribute('d')
    })
    for (const shape of shapes) expect(shape).to.match(/^M.+/)
    expect(new Set(shapes).size).to.equal(kinds.length)
  })
})

function event(fields: object = {}): HistoryEvent {
  return {
    ...{ '@class': 'signature', actionDate: '2026-11-16T10:00:00', person: { displayName: 'Ruth' } },
    ...{ stop: { name: 'Department', stopNumber: 1 }, permission: 'SIGNATURE_REQUIRED', context: null },
    ...{ resolution: null, routingDate: null, office: null, state: 'APPROVED', autoSigned: false },
    ...{ inboxSigned: false, isInInbox: false },
    ...fields,
  } as HistoryEvent
}

/** Renders the rows of events. */
function rowsOf(...args: Parameters<typeof renderEventRows>): Element[] {
  const box = document.createElement('div')
  render(renderEventRows(...args), box)
  return [...box.children]
}

/** The markup of rows, without the comments that mark its dynamic parts, and with ordinary spaces. */
function htmlOf(events: readonly HistoryEvent[]): string[] {
  return rowsOf(events, language()).map(({ outerHTML }) =>
    outerHTML.replace(/<!--.*?-->/g, '').replace(/\s+/g, ' '),
  )
}
