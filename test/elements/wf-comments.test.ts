import { expect, fixture, html } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import '../../src/define/wf-comments.ts'
// Loads with the element here, so that no test has to wait for it.
import '../../src/elements/wf-comments/comment-extras.ts'
import type { WfComments } from '../../src/elements/wf-comments/wf-comments.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'
import { settled } from '../../stories/settled.ts'
import { emulateMedia } from '../media.ts'
import { waitUntil } from '../wait-until.ts'
import { allAnnounced, announcement, announcements } from './notices/announcements.ts'

describe('<wf-comments>', () => {
  it('shows author, time and text, oldest first, and marks comments for approvers only', async () => {
    const backend = createBackend(people.secondApprover)
    addComment(backend, { comment: 'Later', createdAt: '2026-11-17T08:00:00' })
    addComment(backend, { comment: 'First', createdAt: '2026-11-16T10:00:00', approversOnly: true })
    addComment(backend, { comment: 'Same time', createdAt: '2026-11-17T08:00:00' })
    const { element } = await show(backend)
    await waitUntil(() => comments(element)[0]?.includes('Approver, stop'), 'the role did not appear')

    expect(comments(element)).to.deep.equal([
      'DR Daniel Reyes Approver, stop 1 Nov 16, 2026, 10:00 AM Approvers only First',
      'DR Daniel Reyes Approver, stop 1 Nov 17, 2026, 8:00 AM Later',
      'DR Daniel Reyes Approver, stop 1 Nov 17, 2026, 8:00 AM Same time',
    ])
  })

  it('shows comments without roles if the history cannot be loaded, and reads it again with the next comment', async () => {
    const backend = createBackend()
    addComment(backend, { comment: 'One', person: people.initiator })
    let isDown = true
    backend.intercept = (request) =>
      isDown && request.url.endsWith('/history')
        ? Promise.resolve(new Response(null, { status: 500 }))
        : undefined
    const { element } = await show(backend)
    await settled(element)
    await waitUntil(() => comments(element)[0]?.includes('AO'), 'the initials did not appear')
    expect(comments(element)).to.deep.equal(['AO Amara Okafor Nov 16, 2026, 10:00 AM One'])
    expect(element.matches(':state(loaded):not(:state(stale))')).to.equal(true)
    isDown = false
    addComment(backend, { comment: 'Two', person: people.initiator })
    await element.refresh()
    await waitUntil(() => comments(element)[1]?.includes('Initiator'), 'the role did not appear')
    expect(comments(element)[0]).to.include('Initiator')
  })

  it('marks comments of others that arrive while the page is open, until the person leaves it', async () => {
    const backend = createBackend()
    addComment(backend, { comment: 'One' })
    const { element } = await show(backend)
    await waitUntil(() => comments(element)[0]?.includes('Approver'), 'the role did not appear')
    await backend.client.getSession({})
    addComment(backend, { comment: 'Two', createdAt: '2026-11-17T10:00:00' })
    addComment(backend, { comment: 'Own', createdAt: '2026-11-18T10:00:00', person: people.initiator })
    await element.refresh()
    await element.updateComplete
    const marked = () => comments(element).map((text) => / New /.test(text))
    expect(marked()).to.deep.equal([false, true, false])
    await element.refresh()
    await settled(element)
    expect(marked(), 'while the page stays open').to.deep.equal([false, true, false])

    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    await element.updateComplete
    expect(marked(), 'the page is still visible').to.deep.equal([false, true, false])
    await leavePage()
    await element.updateComplete
    expect(marked(), 'the person has left the page').to.deep.equal([false, false, false])
    addComment(backend, { comment: 'Four', createdAt: '2026-11-19T10:00:00' })
    await element.refresh()
    await element.updateComplete
    expect(marked(), 'back again').to.deep.equal([false, false, false, true])
  })

  it('marks no comment of another package as new', async () => {
    const backend = createBackend()
    const { packages } = backend.emulator
    packages.test.set(43, { ...packages.test.get(42)!, id: 43, comments: [] })
    addComment(backend, { comment: 'Of 42' })
    addComment(backend, { comment: 'Of 43' }, 43)
    const { element } = await show(backend)
    await waitUntil(() => comments(element)[0]?.includes('Approver'), 'the role did not appear')
    element.packageId = 43
    await waitUntil(() => comments(element)[0]?.includes('Of 43'))
    await settled(element)
    expect(comments(element)[0]).not.to.include('New')
    addComment(backend, { comment: 'Later', createdAt: '2026-11-19T10:00:00' }, 43)
    await element.refresh()
    await element.updateComplete
    expect(comments(element)[1]).to.include('New')
  })

  it('shows in its checkbox whether inactive comments are hidden, also in another package @engines', async () => {
    const backend = createBackend()
    const { packages } = backend.emulator
    packages.test.set(43, { ...packages.test.get(42)!, id: 43, comments: [] })
    addComment(backend, { comment: 'By mistake', state: 'INACTIVE' })
    const { element } = await show(backend)
    const box = () => element.shadowRoot!.querySelector<HTMLInputElement>('[type=checkbox]')!
    box().click()
    element.packageId = 43
    await waitUntil(() => element.value?.length === 0)
    element.packageId = 42
    await waitUntil(() => element.value?.length === 1)
    await settled(element)
    expect(box().checked).to.equal(true)
    const row = element.shadowRoot!.querySelector('[part~=comment]')!
    expect(row.checkVisibility()).to.equal(false)
    box().click()
    await element.updateComplete
    expect(row.checkVisibility()).to.equal(true)
  })

  it('updates ages while the page stays open', async () => {
    const backend = createBackend()
    addComment(backend, { comment: 'First', createdAt: '2026-11-16T10:00:00' })
    const { element } = await show(backend)
    const { now } = Date
    try {
      Date.now = () => Date.UTC(2026, 10, 16, 12, 0)
      element.timeZone = 'UTC'
      await element.updateComplete
      expect(comments(element)[0]).to.include('2 hours ago')
      Date.now = () => Date.UTC(2026, 10, 16, 15, 0)
      await element.refresh()
      await settled(element)
      expect(comments(element)[0]).to.include('5 hours ago')
    } finally {
      Date.now = now
    }
  })

  it('shows text as text, with its line breaks', async () => {
    const backend = createBackend()
    addComment(backend, { comment: '<img src=x onerror=alert(1)>\n<b>two</b>' })
    const { element } = await show(backend)
    const text = all(element, 'text')[0] as HTMLElement

    expect(text.children).to.have.length(0)
    expect(text.innerText).to.equal('<img src=x onerror=alert(1)>\n<b>two</b>')
  })

  it('marks inactive comments, not only by their style, and hides them on request @engines', async () => {
    const backend = createBackend()
    addComment(backend, { comment: 'Stays' })
    addComment(backend, { comment: 'By mistake', state: 'INACTIVE' })
    addComment(backend, { comment: 'Odd', state: 'UNDER_REVIEW' as 'ACTIVE' })
    const { element } = await show(backend)
    expect(comments(element).join()).to.match(/Inactive By mistake.*Under review Odd/)
    expect(getComputedStyle(all(element, 'text')[1] as Element).textDecorationLine).to.equal('line-through')

    const box = element.shadowRoot!.querySelector<HTMLInputElement>('[type=checkbox]')!
    box.focus()
    await sendKeys({ press: ' ' })
    expect(textOf(element)).not.to.include('By mistake')
    expect(textOf(element)).to.include('Stays')
  })

  it('shows a message if there are no comments', async () => {
    const { element } = await show(createBackend(), '[part=empty]')
    expect(textOf(element)).to.equal('No comments yet.')
    expect(element.matches(':state(empty)')).to.equal(true)
  })

  it('shortens long comments, and expands them by keyboard @engines', async () => {
    const backend = createBackend()
    addComment(backend, { comment: `${'word '.repeat(300)}end` })
    addComment(backend, { comment: 'line\n'.repeat(60) })
    addComment(backend, { comment: 'As a browser sends it:\r\ntwo short lines.' })
    const { element } = await show(backend)
    const [words, lines] = all(element, 'text') as HTMLElement[]
    expect(words?.textContent).to.match(/^(word )+word…$/)
    expect(lines?.textContent.split('\n').length).to.be.lessThan(12)
    const buttons = [...element.shadowRoot!.querySelectorAll('[part=comment] button')]
    expect(buttons).to.have.length(2)
    expect(buttons[0]).to.have.attribute('aria-label', 'Show more: Daniel Reyes')
    expect(buttons[0]).to.have.attribute('aria-expanded', 'false')

    ;(buttons[0] as HTMLElement).focus()
    await sendKeys({ press: 'Enter' })
    await element.updateComplete
    expect(words?.textContent).to.match(/end$/)
    expect(buttons[0]).to.have.attribute('aria-expanded', 'true')
    expect(element.shadowRoot!.activeElement).to.equal(buttons[0])
    await sendKeys({ press: 'Enter' })
    await element.updateComplete
    expect(words?.textContent).to.match(/…$/)
  })

  it('shortens a comment without spaces between characters @engines', async () => {
    const backend = createBackend()
    addComment(backend, { comment: '👩🏽‍🏫'.repeat(2000) })
    const { element } = await show(backend)
    expect(() => encodeURIComponent(all(element, 'text')[0]!.textContent)).not.to.throw()
    expect(all(element, 'text')[0]?.textContent.length).to.be.lessThan(2000)
  })

  it('searches texts and names regardless of accents, and expands the matches', async () => {
    const backend = createBackend()
    for (let index = 0; index < 5; index++) addComment(backend, { comment: `Number ${index}` })
    addComment(backend, { comment: `${'word '.repeat(300)}José` })
    addComment(backend, { comment: 'By the initiator', person: people.initiator })
    const { element } = await show(backend)
    expect(textOf(element)).to.include('7 of 7')

    search(element, 'jose')
    await waitUntil(() => textOf(element).includes('1 of 7'))
    expect(comments(element).join()).to.match(/José$/)
    await waitUntil(() => announcement() === '1 of 7')

    search(element, 'AMARA')
    await waitUntil(() => comments(element).join().endsWith('By the initiator'))
    search(element, 'xyz')
    await waitUntil(() => textOf(element).includes('No comments match.'))
    expect(comments(element)).to.deep.equal([])
  })

  it('clears the search on Escape @engines', async () => {
    const backend = createBackend()
    for (let index = 0; index < 7; index++) addComment(backend, { comment: `Number ${index}` })
    const { element } = await show(backend)
    element.shadowRoot!.querySelector<HTMLElement>('[type=search]')!.focus()
    await sendKeys({ type: 'ber 3' })
    await waitUntil(() => comments(element).length === 1)
    await sendKeys({ press: 'Escape' })
    await waitUntil(() => comments(element).length === 7)
  })

  it('counts invalid entries, and shows each comment once (F25, F27)', async () => {
    const backend = createBackend()
    const row = { id: 1, comment: 'Twice', approversOnly: null, createdAt: null, person: null, state: null }
    backend.intercept = (request) =>
      request.url.endsWith('/comments')
        ? Promise.resolve(Response.json([{ comment: 'No id' }, row, row]))
        : undefined
    const { element } = await show(backend)
    expect(comments(element)).to.deep.equal(['? Someone Twice'])
    expect(textOf(element)).to.include('1 entry couldn’t be read.')
  })

  it('renders 2,000 comments and a very long one, the first of them at once (F26) @engines', async () => {
    const backend = createBackend()
    for (let index = 0; index < 2000; index++) {
      const minutes = String(Math.floor(index / 60)).padStart(2, '0')
      const createdAt = `2026-11-16T10:${minutes}:${String(index % 60).padStart(2, '0')}`
      addComment(backend, { comment: index === 3 ? 'x'.repeat(1_000_000) : `Number ${index}`, createdAt })
    }
    const { element } = await show(backend, '[part=comments]')
    expect(all(element, 'comment').length).to.be.lessThan(2000)
    await waitUntil(() => all(element, 'comment').length === 2000, '', { timeout: 20_000 })
    expect(getComputedStyle(all(element, 'comment')[0]!.parentElement!).contentVisibility).to.equal('auto')
    expect(element.scrollWidth, 'content outside the viewport takes no width').to.be.at.most(
      element.clientWidth,
    )
    expect(all(element, 'text')[3]?.textContent.length, 'shortened').to.be.lessThan(1000)

    const last = all(element, 'comment')[1999]
    await element.refresh()
    expect(all(element, 'comment')[1999]).to.equal(last)
  })

  it('becomes stale during an outage, keeps its content and the focus, and recovers (F01) @engines', async () => {
    const backend = createBackend(people.initiator, { interval: 60 })
    addComment(backend, { comment: 'One' })
    const { element } = await show(backend)
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => part(element, 'stale'))
    expect(comments(element)).to.have.length(1)
    await expect(element).to.be.accessible()

    backend.intercept = () => undefined
    const button = part(element, 'stale')!.querySelector('button')!
    button.focus()
    button.click()
    await waitUntil(() => !part(element, 'stale'))
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'comments'))
  })

  it('shows no comment of one package under another (F39)', async () => {
    const backend = createBackend()
    const { packages } = backend.emulator
    packages.test.set(43, { ...packages.test.get(42)!, id: 43, comments: [] })
    addComment(backend, { comment: 'Of 42' })
    const { element } = await show(backend)
    const texts: string[] = []
    new MutationObserver(() => texts.push(textOf(element))).observe(element.shadowRoot!, {
      childList: true,
      characterData: true,
      subtree: true,
    })
    const release: (() => void)[] = []
    backend.intercept = (request) =>
      request.url.includes('/42')
        ? new Promise<void>((resolve) => release.push(resolve)).then(() => backend.emulator.fetch(request))
        : undefined
    void element.refresh()
    await waitUntil(() => release.length > 0, 'the comments of 42 were not requested again')
    element.packageId = 43
    await element.updateComplete
    expect(textOf(element), 'while 43 loads').not.to.include('Of 42')
    await waitUntil(() => part(element, 'empty'), 'the message of 43 did not appear')
    // The late response for package 42.
    release.forEach((respond) => respond())
    await element.refresh()
    await settled(element)
    expect(textOf(element)).to.equal('No comments yet.')
    expect(texts.filter((text) => text.includes('Of 42'))).to.deep.equal([])
  })

  it('does not announce the comments of another package as new', async () => {
    const backend = createBackend()
    const { packages } = backend.emulator
    addComment(backend, { comment: 'Of 42' })
    packages.test.set(43, { ...packages.test.get(42)!, id: 43, comments: [] })
    addComment(backend, { comment: 'First of 43' }, 43)
    addComment(backend, { comment: 'Second of 43' }, 43)
    const { element } = await show(backend)
    const announced = announcements()
    element.packageId = 43
    await waitUntil(() => comments(element).length === 2, 'the comments of 43 did not appear')
    // This comment has to be announced. A wrong announcement before it would be in the list too.
    addComment(backend, { comment: 'Third of 43' }, 43)
    await element.refresh()
    await waitUntil(() => announced.length > 0, 'nothing was announced')
    await allAnnounced(element)
    expect(announced).to.deep.equal(['1 new comment from Daniel Reyes.'])
  })

  it('cancels a pending search when it is removed', async () => {
    const backend = createBackend()
    for (let index = 0; index < 7; index++) addComment(backend, { comment: `Number ${index}` })
    const { element } = await show(backend)
    const parent = element.parentElement!
    search(element, 'ber 3')
    element.remove()
    parent.append(element)
    // The timer of a second search starts later, so the first one would have run before it.
    search(element, 'ber 4')
    const announced = announcements()
    await waitUntil(() => comments(element).length === 1, 'the search did not run')
    expect(comments(element)[0]).to.include('Number 4')
    await waitUntil(() => announced.length > 0, 'nothing was announced')
    await allAnnounced(element)
    expect(announced).to.deep.equal(['1 of 7'])

    search(element, 'ber')
    element.remove()
    const { element: other } = await show(backend)
    search(other, 'ber 5')
    await waitUntil(() => comments(other).length === 1, 'a later search did not run')
    parent.append(element)
    await settled(element)
    expect(comments(element), 'the query before it was removed').to.have.length(1)
  })

  it('prints the whole text of each comment without its buttons, and then shows the same as before @engines', async () => {
    const backend = createBackend()
    addComment(backend, { comment: `${'Text '.repeat(200)}end` })
    const { element } = await show(backend)
    const button = element.shadowRoot!.querySelector('[part=comment] button')!
    expect(comments(element)[0]).not.to.include('end')
    expect(button.checkVisibility()).to.equal(true)

    await emulateMedia({ media: 'print' })
    window.dispatchEvent(new Event('beforeprint'))
    expect(comments(element)[0]).to.include('end')
    expect(button.checkVisibility()).to.equal(false)
    window.dispatchEvent(new Event('afterprint'))
    expect(comments(element)[0]).not.to.include('end')

    element.remove()
    window.dispatchEvent(new Event('beforeprint'))
    expect(comments(element)[0], 'after it was removed').not.to.include('end')
  })
})

type StoredComment = Parameters<
  NonNullable<ReturnType<Backend['emulator']['packages']['test']['get']>>['comments']['push']
>[0]

let lastId = 9000

function addComment(backend: Backend, comment: Partial<StoredComment>, packageId = 42): void {
  backend.emulator.packages.test.get(packageId)!.comments.push({
    id: ++lastId,
    comment: '',
    approversOnly: false,
    createdAt: '2026-11-16T10:00:00',
    person: people.firstApprover,
    state: 'ACTIVE',
    ...comment,
  })
}

/** Sends what a page gets when the person opens another tab. */
async function leavePage(): Promise<void> {
  Object.defineProperty(document, 'hidden', { configurable: true, value: true })
  try {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  } finally {
    Reflect.deleteProperty(document, 'hidden')
  }
}

async function show(backend: Backend, until = '.initials', packageId = 42) {
  const element = await fixture<WfComments>(html`
    <wf-comments .client=${backend.client} form-id="6025" package-id=${packageId}></wf-comments>
  `)
  await waitUntil(() => element.shadowRoot!.querySelector(until), `${until} did not appear`)
  return { element, backend }
}

function search(element: WfComments, text: string): void {
  const input = element.shadowRoot!.querySelector<HTMLInputElement>('[type=search]')!
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

function textOf(element: WfComments): string {
  return oneLine(part(element, 'base'))
}

function comments(element: WfComments): string[] {
  // Not `innerText`, which may omit content outside the viewport.
  return all(element, 'comment').map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())
}

function oneLine(element: Element | null): string {
  return (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim()
}

function all(element: WfComments, name: string): Element[] {
  return [...element.shadowRoot!.querySelectorAll(`[part="${name}"]`)]
}

function part(element: WfComments, name: string): Element | null {
  return element.shadowRoot!.querySelector(`[part="${name}"]`)
}
