import { expect, nextFrame } from '@open-wc/testing'
import type { ReactiveController } from 'lit'
import type { HistoryEvent } from '../../../src/contract/history.ts'
import { EventList } from '../../../src/elements/wf-history/event-list.ts'
import type { EventLanguage } from '../../../src/elements/wf-history/event-text.ts'
import { common } from '../../../src/locales/en.ts'
import { history } from '../../../src/locales/en-history.ts'
import { waitUntil } from '../../wait-until.ts'
import { textsOf } from '../texts.ts'

const english: EventLanguage = {
  messages: textsOf(history),
  common: textsOf(common),
  formatting: { language: 'en' },
}

describe('EventList', () => {
  it('leaves out most of a history that is longer than two screens', () => {
    for (const [count, earlier] of [
      [0, 0],
      [40, 0],
      [41, 20],
      [49, 20],
      [50, 40],
      [69, 40],
      [70, 60],
    ] as const) {
      const { list } = create()
      expect(list.earlier, 'before there are events').to.equal(0)
      list.update(past(count), english)
      expect(list.earlier, `${count}`).to.equal(earlier)
      expect(rowsOf(list), `${count}`).to.have.length(Math.min(count - earlier, 20))
    }
  })

  it('never leaves out more than before, and no more than there are', () => {
    const { list } = create()
    const seen = [50, 90, 41, 90, 30, 90].map((count) => {
      list.update(past(count), english)
      return list.earlier
    })
    expect(seen).to.deep.equal([40, 40, 20, 20, 0, 0])
    list.clear()
    list.update(past(90), english)
    expect(list.earlier, 'another history').to.equal(80)
  })

  it('knows if it is long or empty, and which event is the latest', () => {
    const { list } = create()
    const facts = () => [list.isEmpty, list.isLong, list.latest?.actionDate, list.waiting.length]
    expect(facts()).to.deep.equal([false, false, undefined, 0])
    expect(list.latest).to.equal(undefined)
    list.update([], english)
    expect(facts()).to.deep.equal([true, false, undefined, 0])
    list.update([...past(10), event({ isInInbox: true })], english)
    expect(facts()).to.deep.equal([false, false, past(10)[9]!.actionDate, 1])
    list.update(past(11), english)
    expect(facts()).to.deep.equal([false, true, past(11)[10]!.actionDate, 0])
    list.update([event({}), {}], english)
    expect(list.latest).to.equal(null)
  })

  it('counts the rendered events that could not be read', async () => {
    const { list } = create()
    list.update([{}, event({}), null, 7, { isInInbox: true }], english)
    expect(list.unreadable).to.equal(4)
    expect(rowsOf(list)).to.have.length(1)
    const long = create()
    long.list.update([{}, ...past(40), ...past(10), {}], english)
    await waitUntil(() => rowsOf(long.list).length === 11)
    expect(long.list.unreadable, 'without those that are left out').to.equal(1)
    long.list.showEarlier()
    await waitUntil(() => rowsOf(long.list).length === 50)
    expect(long.list.unreadable).to.equal(2)
  })

  it('is a list of chunks, with those that wait at its end', async () => {
    const { list, updates } = create()
    const { element } = list
    const first = event({ stop: { name: 'Office', stopNumber: 0 } })
    list.update([event({ isInInbox: true }), first, ...past(29)], english)
    expect(namesOf(element)).to.deep.equal(['role=list', 'part=list', 'aria-label=Routing history'])
    expect(rowsOf(list), 'in the first frame').to.have.length(21)
    expect(updates()).to.equal(0)
    await waitUntil(() => rowsOf(list).length === 31)
    expect(updates(), 'the host shows the number of unreadable events').to.equal(1)
    expect([...element.children].map((box) => [box.role, box.className, box.children.length])).to.deep.equal([
      ['none', 'chunk', 20],
      ['none', '', 10],
      ['none', '', 1],
    ])
    expect(element.querySelectorAll('[part=stop]'), 'each stop is named once').to.have.length(2)
    expect(element.lastElementChild!.textContent).to.include('must sign')

    list.update(past(40), english)
    await waitUntil(() => rowsOf(list).length === 40)
    await nextFrame()
    expect([...element.children].map(({ children }) => children.length)).to.deep.equal([20, 20])
    list.update(past(5), english)
    expect([...element.children].map((box) => [box.role, box.className, box.children.length])).to.deep.equal([
      ['none', '', 5],
    ])
  })

  it('shows the earlier events above the others', async () => {
    const { list, news } = create()
    list.update(past(50), english)
    const [first, ...others] = rowsOf(list)
    expect(first!.querySelector('[part=stop]')!.textContent).to.equal('Stop 1 · Department')
    list.showEarlier()
    expect(list.earlier).to.equal(0)
    await waitUntil(() => rowsOf(list).length === 50)
    expect(others.every((row) => list.element.contains(row))).to.equal(true)
    expect([...list.element.children].map(({ role }) => role)).to.deep.equal(['none', 'none', 'none'])
    expect(news).to.deep.equal([])
    expect(timesOf(list)).to.deep.equal(past(50).map(({ actionDate }) => actionDate))
    expect(list.element.contains(first!), 'the first one had named its stop').to.equal(false)
  })

  it('renders only the first of the earlier events at once, so that they appear early', async () => {
    const { list } = create()
    list.update(past(400), english)
    list.showEarlier()
    const filled = () => [...list.element.children].map(({ childElementCount }) => childElementCount > 0)
    expect(filled()).to.deep.equal([true, ...Array<boolean>(18).fill(false), true])
    await waitUntil(() => filled().every(Boolean))
    expect(timesOf(list)).to.deep.equal(past(400).map(({ actionDate }) => actionDate))
  })

  it('writes everything again in another language, and nothing in the same', async () => {
    const { list, updates } = create()
    const source = [...past(2), event({ isInInbox: true })]
    list.update(source, english)
    const before = rowsOf(list)
    const changed: unknown[] = []
    const observer = new MutationObserver((records) => changed.push(...records))
    observer.observe(list.element, { subtree: true, childList: true, attributes: true })
    list.update(source, { ...english })
    await nextFrame()
    await nextFrame()
    expect(changed).to.deep.equal([])
    expect(updates(), 'the host need not render either').to.equal(0)
    list.update(source, { ...english, formatting: { language: 'de' } })
    expect(rowsOf(list)[0]!.textContent).to.include('01.01.2026')
    expect(rowsOf(list)[0] === before[0]).to.equal(false)
    const label = 'Verlauf'
    list.update(source, {
      ...english,
      messages: { ...english.messages, label, verbs: { ...english.messages.verbs, signed: 'unterschrieb' } },
    })
    expect(list.element).to.have.attribute('aria-label', label)
    expect(rowsOf(list)[0]!.textContent).to.include('Ann unterschrieb Jan 1, 2026')
    observer.disconnect()
  })

  it('reports an action as news if no event with the same facts was shown before', () => {
    const same = { '@class': 'remove', person: { univid: 'a', displayName: 'Ann' } }
    for (const [fields, isNews] of [
      [same, false],
      [{ ...same, person: { univid: 'a', displayName: 'Anna' } }, false],
      [{ ...same, person: { univid: 'b', displayName: 'Ann' } }, true],
      [{ ...same, '@class': 'void' }, true],
      [{ ...same, state: 'OTHER' }, true],
      [{ ...same, actionDate: '2026-01-02T00:00:00' }, true],
      [{ ...same, stop: { name: 'College', stopNumber: 2 } }, true],
      [{ ...same, person: null }, true],
    ] as const) {
      const { list, news } = create()
      list.update([event(same)], english)
      list.update([event(same), event(fields)], english)
      expect(news, JSON.stringify(fields)).to.have.length(isNews ? 1 : 0)
      list.update([event(same), event(fields), event(fields)], english)
      expect(news, 'once').to.have.length(isNews ? 1 : 0)
    }
    const { list, news } = create()
    list.update([event({})], english)
    for (const displayName of ['Bo', 'Cy']) list.update([event({ person: { displayName } })], english)
    expect(
      news.map(({ person }) => person?.displayName),
      'people without an id',
    ).to.deep.equal(['Bo', 'Cy'])
  })

  it('reports nothing that is not an action, waits, or belongs to another history', () => {
    const { list, news } = create()
    list.update([], english)
    list.update(
      [
        event({ state: 'RECEIVED' }),
        event({ state: 'VOIDED' }),
        event({ state: 'BYPASSED_REMOVE' }),
        event({ isInInbox: true }),
      ],
      english,
    )
    expect(news).to.deep.equal([])
    list.update([event({ state: 'APPROVED' }), {}], english)
    expect(news.map(({ state }) => state)).to.deep.equal(['APPROVED'])
    list.clear()
    expect(list.element.childNodes).to.have.length(0)
    expect(list.isEmpty).to.equal(false)
    list.update([event({ '@class': 'void' })], english)
    expect(news).to.have.length(1)
    list.update([event({ '@class': 'void' }), event({ state: 'APPROVED' })], english)
    expect(news, 'it was news in the other history only').to.have.length(2)
  })

  it('leads to the events that wait, or else to the latest', () => {
    const { list } = create()
    const box = document.createElement('div')
    box.style.cssText = 'block-size: 200px; overflow: auto'
    box.append(list.element)
    document.body.append(box)
    try {
      list.jumpToNow()
      expect(document.activeElement, 'there are no events').to.equal(document.body)
      list.update(past(20), english)
      list.jumpToNow()
      expect(document.activeElement === rowsOf(list)[19]).to.equal(true)
      expect(document.activeElement).to.have.attribute('tabindex', '-1')
      expect(box.scrollTop).to.be.above(0)

      list.update([...past(20), ...past(20).map((one) => ({ ...one, isInInbox: true }))], english)
      list.jumpToNow()
      const now = list.element.querySelector('.now')!
      expect(document.activeElement === now).to.equal(true)
      const middle = (one: Element) => {
        const { top, height } = one.getBoundingClientRect()
        return top + height / 2
      }
      expect(Math.abs(middle(now) - middle(box))).to.be.below(2)
    } finally {
      box.remove()
    }
  })

  it('prints everything while it is in the page', () => {
    const { list, controller } = create()
    list.update(past(100), english)
    controller.hostConnected!()
    window.dispatchEvent(new Event('beforeprint'))
    expect(rowsOf(list)).to.have.length(100)
    list.clear()
    list.update(past(30), english)
    window.dispatchEvent(new Event('beforeprint'))
    expect(rowsOf(list), 'without earlier ones').to.have.length(30)
    controller.hostDisconnected!()
    list.clear()
    list.update(past(100), english)
    window.dispatchEvent(new Event('beforeprint'))
    expect(rowsOf(list)).to.have.length(20)
  })
})

/** Creates a list for a host that counts its updates, and collects the news. */
function create() {
  const controllers: ReactiveController[] = []
  const news: HistoryEvent[] = []
  let updates = 0
  const host = {
    addController: (controller: ReactiveController) => void controllers.push(controller),
    removeController: () => {},
    requestUpdate: () => void updates++,
    updateComplete: Promise.resolve(true),
  }
  const list = new EventList(host, (event) => news.push(event))
  return { list, news, controller: controllers[0]!, updates: () => updates }
}

function event(fields: object): Record<string, unknown> & { readonly actionDate: string } {
  return {
    ...{ '@class': 'signature', actionDate: '2026-01-01T00:00:00', person: { displayName: 'Ann' } },
    ...{ stop: { name: 'Department', stopNumber: 1 }, permission: 'SIGNATURE_REQUIRED', state: 'APPROVED' },
    ...fields,
  }
}

/** Creates signatures, a minute apart. */
function past(count: number) {
  return Array.from({ length: count }, (_, minute) =>
    event({ actionDate: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().slice(0, 19) }),
  )
}

function rowsOf({ element }: EventList): Element[] {
  return [...element.querySelectorAll('[role=listitem]')]
}

function timesOf(list: EventList): (string | null)[] {
  return rowsOf(list).map((row) => row.querySelector('time')!.getAttribute('datetime'))
}

function namesOf(element: Element): string[] {
  return [...element.attributes].map(({ name, value }) => `${name}=${value}`)
}
