import { expect, fixture, html } from '@open-wc/testing'
import { english } from '../../../src/locales/english.ts'
import '../../../src/define/fs-uploader.ts'
import '../../../src/define/wf-badge.ts'
import '../../../src/define/wf-comments.ts'
import '../../../src/define/wf-context.ts'
import '../../../src/define/wf-history.ts'
import '../../../src/define/wf-package-status.ts'
import { collectionTime } from '../../../src/elements/notices/announcer.ts'
import type { FsUploader } from '../../../src/elements/fs-uploader/fs-uploader.ts'
import type { PackageElement } from '../../../src/elements/element/package-element.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { outlast } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcement, announcements } from './announcements.ts'

/** The names of contents by tag. */
const contentNames: Readonly<Record<string, string>> = {
  'wf-package-status': 'Status',
  'wf-history': 'Routing history',
  'wf-comments': 'Comments',
  'fs-uploader': 'Files',
}

describe('An outage', () => {
  it('ends in all elements if a person tries again in one of them', async () => {
    const backend = createBackend()
    const { elements, announced } = await show(backend)
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    const cards = elements.filter(({ localName }) => localName !== 'fs-uploader') as PackageElement<unknown>[]
    await Promise.all(cards.map((card) => card.refresh()))
    await waitUntil(() => cards.every((card) => part(card, 'stale')), 'all elements are stale')
    await waitUntil(() => announced.length > 0, 'nothing was announced')

    await waitUntil(() => cards.every((card) => !card.matches(':state(busy)')))
    backend.intercept = () => undefined
    part<HTMLElement>(cards[0]!, 'try-again')!.click()
    await Promise.all(cards.map((card) => card.updateComplete))
    for (const card of cards) expect(card.matches(':state(busy)'), card.localName).to.equal(true)
    await waitUntil(() => cards.every((card) => !part(card, 'stale')), 'some elements are still stale')
    await waitUntil(() => announced.includes(english.common.upToDate), 'the end was not announced')
  })

  it('is announced once for the page, with the names of what it affects, and its end once', async () => {
    const backend = createBackend(undefined, { interval: 60, maxBackoff: 60 })
    const { elements, announced } = await show(backend)
    const collect = holdCollection()
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => elements.every((element) => part(element, 'stale')), 'all elements are stale')
    collect()
    await waitUntil(() => announced.length > 0, 'nothing was announced')
    await outlast(collectionTime)
    expect(announced).to.have.length(1)
    const [names = '', text] = announced[0]!.split(': ')
    expect(names.split(', '), 'in the order of the page').to.deep.equal(
      elements.map(({ localName }) => contentNames[localName]),
    )
    expect(text).to.equal('This may be out of date. The latest version couldn’t be loaded.')

    backend.intercept = () => undefined
    await waitUntil(() => announced.length > 1, 'the end was not announced')
    await outlast(collectionTime)
    expect(announced.slice(1)).to.deep.equal([english.common.upToDate])

    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => announced.length > 2, 'the next outage is announced too')
  }).timeout(20_000)

  it('is announced with each name once if it ends and comes back at once', async () => {
    const backend = createBackend(undefined, { interval: 60, maxBackoff: 60 })
    const { elements, announced } = await show(backend)
    const collect = holdCollection()
    for (const isOut of [true, false, true]) {
      backend.intercept = () => (isOut ? Promise.reject(new TypeError('refused')) : undefined)
      await waitUntil(() => elements.every((element) => !!part(element, 'stale') === isOut), `${isOut}`)
    }
    collect(2)
    await waitUntil(() => announced.length > 0, 'nothing was announced')
    expect(announced[0]).to.match(/^Status, Routing history, Comments, Files: /)
  })

  it('is shown by the first element alone, with marks before everything else in the others', async () => {
    const backend = createBackend(undefined, { interval: 60, maxBackoff: 60 })
    const { elements } = await show(backend)
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => elements.every((element) => part(element, 'stale')))
    for (const element of elements) {
      expect(part(element, 'base')!.firstElementChild, element.localName).to.equal(part(element, 'stale'))
    }
    const texts = () => elements.map((element) => part(element, 'stale')?.textContent?.trim() ?? '')
    const mark = 'May be out of date.'
    expect(texts()[0]).to.match(/^Showing what was known at .+\. Trying again\.\s+Try again$/)
    expect(texts().slice(1)).to.deep.equal([mark, mark, mark])
    // Out of sight, the first leaves it to the next.
    ;(elements[0] as HTMLElement).style.display = 'none'
    await waitUntil(() => texts()[1]?.startsWith('Showing what was known'))
    expect(texts().slice(2)).to.deep.equal([mark, mark])
  })

  it('is announced by a card even if a badge reports it first', async () => {
    const backend = createBackend(undefined, { interval: 60, maxBackoff: 60 })
    const page = await fixture<HTMLElement>(html`
      <div>
        <wf-badge .client=${backend.client} form-id="6025" package-id="42"></wf-badge>
        <wf-package-status .client=${backend.client} form-id="6025" package-id="42"></wf-package-status>
      </div>
    `)
    const badge = page.querySelector('wf-badge')
    const card = page.querySelector('wf-package-status')
    await waitUntil(() => part(badge!, 'state') && part(card!, 'state'))
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await badge!.refresh()
    await card!.refresh()
    await waitUntil(() => announcement().includes('This may be out of date'), 'nothing was announced')
  })

  it('is not announced for an element that has left the page', async () => {
    const backend = createBackend(undefined, { interval: 60, maxBackoff: 60 })
    const { elements, announced } = await show(backend)
    const collect = holdCollection()
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => elements.every((element) => part(element, 'stale')))
    elements.find(({ localName }) => localName === 'wf-comments')!.remove()
    collect()
    await waitUntil(() => announced.length > 0, 'nothing was announced')
    expect(announced[0]).to.include('Routing history').and.not.include('Comments')
  })
})

describe('A message that several elements of a page have', () => {
  const texts = (elements: readonly Element[]) =>
    elements.map((element) =>
      element.shadowRoot!.querySelector('[part=base]')!.textContent.trim().replace(/\s+/g, ' '),
    )

  it('is shown by the first that is visible, and announced once: signed out', async () => {
    const { elements, announced } = await showThree(
      createBackend(null),
      html`<wf-context sign-in-url="/login?from={returnUrl}"></wf-context>`,
    )
    await waitUntil(() => elements.every((element) => part(element, 'signed-out')))
    await waitUntil(() => announced.length > 0, 'nothing was announced')
    expect(texts(elements)).to.deep.equal(['You are signed out. Sign in', '', ''])
    expect(elements.map((element) => element.getBoundingClientRect().height > 0)).to.deep.equal([
      true,
      false,
      false,
    ])
    const link = part(elements[0]!, 'sign-in') as HTMLAnchorElement
    expect(link.href).to.equal(`${location.origin}/login?from=${encodeURIComponent(location.href)}`)
    await outlast(collectionTime)
    expect(announced).to.have.length(1)

    // As in a tab that is not open.
    elements[0]!.hidden = true
    await waitUntil(() => texts(elements)[1] !== '', 'the next one shows it')
    expect(texts(elements)[2]).to.equal('')
    elements[1]!.remove()
    await waitUntil(() => texts(elements)[2] !== '', 'the last one shows it')
    elements[0]!.hidden = false
    await waitUntil(() => texts(elements)[2] === '', 'the first one shows it again')
  })

  it('is shown for each package: forbidden', async () => {
    const backend = createBackend(people.outsider)
    const { elements, announced } = await showThree(backend)
    await waitUntil(() => elements.every((element) => part(element, 'forbidden')))
    await waitUntil(() => announced.length > 0, 'nothing was announced')
    expect(texts(elements)).to.deep.equal([english.common.forbidden, '', ''])
    await outlast(collectionTime)
    expect(announced).to.have.length(1)

    elements[2]!.setAttribute('package-id', '43')
    await waitUntil(() => texts(elements)[2] !== '', 'the other package is named too')
    // The elements of another proxy have messages of their own.
    const other = await showThree(createBackend(people.outsider))
    await waitUntil(() => texts(other.elements)[0] !== '')
  })

  it('is shown by the first, whose button loads all of them: failed', async () => {
    const backend = createBackend()
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    const { elements } = await showThree(backend)
    const shown = () => elements.map((element) => part(element, 'failure') !== null)
    await waitUntil(() => shown()[0])
    await waitUntil(() => elements.every((element) => element.matches(':state(failed)')))
    expect(shown()).to.deep.equal([true, false, false])
    backend.intercept = () => undefined
    ;(part(elements[0]!, 'try-again') as HTMLElement).click()
    await waitUntil(() => elements.every((element) => element.matches(':state(loaded)')), 'all are loaded')
    expect(shown()).to.deep.equal([false, false, false])
  })

  it('has no link if its address could run as a script', async () => {
    const context = html`<wf-context sign-in-url="javascript:alert(1)"></wf-context>`
    const { elements } = await showThree(createBackend(null), context)
    await waitUntil(() => texts(elements)[0] !== '')
    expect(texts(elements)[0]).to.equal('You are signed out. Sign in, then return to this page.')
    expect(part(elements[0]!, 'sign-in') === null).to.equal(true)
  })
})

/**
 * Holds the time in which the affected elements are collected, because a slow machine needs longer until all have failed.
 * Returns what ends the last one; `count` is how many have begun.
 */
function holdCollection(): (count?: number) => void {
  const start = window.setTimeout
  const held: (() => void)[] = []
  const hold = (run: () => void, delay?: number, ...rest: unknown[]) =>
    delay === 1500 ? held.push(run) : start(run, delay, ...rest)
  window.setTimeout = hold as typeof window.setTimeout
  return (count = 1) => {
    window.setTimeout = start
    expect(held, 'one time for all elements').to.have.length(count)
    held.at(-1)!()
  }
}

/** Three elements of one package. `context` surrounds them. */
async function showThree({ client }: Backend, context = html`<div></div>`) {
  const page = await fixture<HTMLElement>(context)
  const elements = ['wf-package-status', 'wf-history', 'wf-comments'].map((tag) =>
    Object.assign(document.createElement(tag) as PackageElement<unknown>, {
      client,
      formId: 6025,
      packageId: 42,
    }),
  )
  page.append(...elements)
  for (const element of elements) await element.updateComplete
  return { elements, announced: announcements() }
}

async function show({ client }: Backend) {
  const page = await fixture(html`
    <div>
      <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
      <wf-history .client=${client} form-id="6025" package-id="42"></wf-history>
      <wf-comments .client=${client} form-id="6025" package-id="42"></wf-comments>
      <fs-uploader .client=${client}></fs-uploader>
    </div>
  `)
  const elements = [...page.children]
  const uploader = page.querySelector<FsUploader>('fs-uploader')!
  uploader.add([new File(['%PDF-1.7'], 'a.pdf', { type: 'application/pdf' })])
  await waitUntil(() => part(page.querySelector('wf-package-status')!, 'state'))
  await waitUntil(() => part(page.querySelector('wf-history')!, 'event'))
  await waitUntil(() => page.querySelector('wf-comments')!.value)
  await waitUntil(() => uploader.assets.length === 1)
  // The announcement of the upload belongs to another test.
  await waitUntil(() => announcement() !== '')
  return { elements, announced: announcements() }
}

function part<Found extends Element>(element: Element, name: string): Found | null {
  return element.shadowRoot!.querySelector<Found>(`[part=${name}]`)
}
