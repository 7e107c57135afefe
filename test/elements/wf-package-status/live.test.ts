import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import { english } from '../../../src/locales/english.ts'
import { WfChangeEvent, WfErrorEvent } from '../../../src/elements/element/events.ts'
import { createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { nextTurn } from '../../next-turn.ts'
import { waitUntil } from '../../wait-until.ts'
import { allAnnounced, announcement, announcements } from '../notices/announcements.ts'
import { show, textOf, part, action, openDialog, choose, submit } from './element.ts'

describe('<wf-package-status> while its package changes', () => {
  it('announces a failure of the next package, even if the text is the same', async () => {
    const { element } = await show(createBackend(), 'slot[name=missing]', 43)
    await waitUntil(() => announcement() === 'This request does not exist.')
    const announced = announcements()
    await element.refresh()
    await allAnnounced(element)
    expect(announced, 'no news of the same').to.deep.equal([])

    element.packageId = 44
    await waitUntil(() => announced.length > 0)
    await allAnnounced(element)
    expect(announced).to.deep.equal(['This request does not exist.'])
  })

  it('moves the focus to the state when the focused button is removed', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 50 }))
    action(element, 'voidPackage')!.focus()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'COMPLETE', inbox: [] })
    await waitUntil(() => !action(element, 'voidPackage'))

    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'state'))
  })

  it('becomes stale during an outage, keeps its content, and recovers (F01)', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 60 }))
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => part(element, 'stale'))

    expect(textOf(element)).to.include('Waiting for Daniel Reyes')
    expect(textOf(element)).to.include('Showing what was known at ')
    await waitUntil(() => announcement().includes('This may be out of date'))
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
    const announced = announcements()
    let failures = 0
    element.addEventListener(WfErrorEvent.type, () => failures++)
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => announced.length > 0, 'the outage was not announced')
    // Retries after the announcement: a further announcement would replace its text.
    const before = failures
    await waitUntil(() => failures > before + 3, 'the element does not retry')
    backend.intercept = () => undefined
    await waitUntil(() => announced.length > 1, 'the end was not announced')

    expect(announced).to.deep.equal([
      'Status: This may be out of date. The latest version couldn’t be loaded.',
      english.common.upToDate,
    ])
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
    let release = () => {}
    const first = new Promise<void>((resolve) => (release = resolve))
    backend.intercept = (request) =>
      request.url.endsWith('/42') ? first.then(() => backend.emulator.fetch(request)) : undefined

    void element.refresh()
    element.packageId = 7
    await waitUntil(() => part(element, 'state')?.textContent?.includes('Complete'))
    release()
    await settled(element)
    expect(loaded).to.deep.equal([7])
  })

  it('keeps its content when it moves, and sends no request after it is removed (F38)', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 40 }))
    const elsewhere = await fixture<HTMLElement>(html`<div></div>`)
    elsewhere.append(element)
    await settled(element)
    expect(part(element, 'state')?.textContent).to.include('In routing')

    const { backend: other } = await show(createBackend(people.initiator, { interval: 40 }))
    element.remove()
    await nextTurn()
    const before = backend.journal.length
    const polled = other.journal.length
    await waitUntil(() => other.journal.length > polled + 9, 'another element does not poll')
    expect(backend.journal.length).to.equal(before)
  })
})
