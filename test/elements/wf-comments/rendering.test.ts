import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/wf-comments.ts'
// Loads with the element here, so that no test has to wait for it.
import '../../../src/elements/wf-comments/comment-extras.ts'
import type { WfComments } from '../../../src/elements/wf-comments/wf-comments.ts'
import { type Backend, createBackend, hang } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { allAnnounced, announcements } from '../notices/announcements.ts'

describe('<wf-comments> and what it renders', () => {
  it('shows each comment as an item of a list', async () => {
    const { element } = await show([
      row({ comment: 'One', approversOnly: true }),
      row({ comment: null, person: null, createdAt: null, state: null }),
      row({ comment: 'Three', state: 'UNDER_REVIEW', createdAt: null }),
      row({ comment: 'Four', state: 'INACTIVE', createdAt: null }),
    ])
    const list = part(element, 'comments')
    expect(attributesOf(list)).to.deep.equal({
      part: 'comments',
      role: 'list',
      tabindex: '-1',
      'aria-label': 'Comments',
    })
    expect(all(element, 'comment').map((item) => [item.role, item.className, linesOf(item)])).to.deep.equal([
      ['listitem', '', ['Ann', 'Nov 16, 2026, 10:00 AM', 'Approvers only', 'One']],
      ['listitem', '', ['Someone', '', '']],
      ['listitem', '', ['Ann', '', 'Under review', 'Three']],
      ['listitem', 'inactive', ['Ann', '', 'Inactive', 'Four']],
    ])
    expect(list.querySelectorAll('svg'), 'a lock').to.have.length(1)
    expect(list.querySelector('svg')!.parentElement!.textContent).to.equal('Approvers only')
  })

  it('offers a search from six comments on, and a checkbox if some are inactive', async () => {
    for (const [active, inactive, visible] of [
      [5, 0, []],
      [6, 0, ['Search comments', '6 of 6']],
      [4, 1, ['Hide inactive (1)']],
      [4, 2, ['Search comments', '6 of 6', 'Hide inactive (2)']],
    ] as const) {
      const { element } = await show([
        ...Array.from({ length: active }, () => row({})),
        ...Array.from({ length: inactive }, () => row({ state: 'INACTIVE' })),
      ])
      const filter = part(element, 'filter')
      expect(filter.role).to.equal('search')
      expect(filter.hidden).to.equal(visible.length === 0)
      const shown = [...filter.children].filter((one) => !(one as HTMLElement).hidden)
      expect(shown.map((one) => one.textContent.trim())).to.deep.equal(visible)
      expect(part(element, 'comments').hasAttribute('class')).to.equal(false)
      const none = element.shadowRoot!.querySelector<HTMLElement>('[part=filter] + p')!
      expect([none.textContent, none.hidden]).to.deep.equal(['No comments match.', true])
    }
  })

  it('sorts comments by time, those without a time last, in the order of the service', async () => {
    const { element } = await show([
      row({ comment: 'none 1', createdAt: null }),
      row({ comment: 'late', createdAt: '2026-11-18T10:00:00' }),
      row({ comment: 'none 2', createdAt: null }),
      row({ comment: 'early', createdAt: '2026-11-15T10:00:00' }),
      row({ comment: 'late 2', createdAt: '2026-11-18T10:00:00' }),
    ])
    expect(textsOf(element)).to.deep.equal(['early', 'late', 'late 2', 'none 1', 'none 2'])
  })

  it('shows the first 50 comments at once, and whole batches as chunks', async () => {
    for (const [count, chunks] of [
      [49, ['']],
      [50, ['chunk']],
      [51, ['chunk', '']],
      [100, ['chunk', 'chunk']],
    ] as const) {
      const sizes: number[] = []
      const { element } = await show(
        Array.from({ length: count }, (_, index) => row({ comment: `${index}` })),
        (element) => sizes.push(all(element, 'comment').length),
      )
      await waitUntil(() => all(element, 'comment').length === count)
      expect(sizes[0]).to.equal(Math.min(count, 50))
      expect([...part(element, 'comments').children].map(({ className }) => className)).to.deep.equal(chunks)
      expect(textsOf(element)).to.deep.equal(Array.from({ length: count }, (_, index) => `${index}`))
    }
  })

  it('shortens a text only if that hides more than a little', async () => {
    const line = `${'x'.repeat(69)} `
    const { element } = await show([
      row({ comment: line.repeat(11) }),
      row({ comment: line.repeat(12) }),
      row({ comment: `a\nb\nc\n${line.repeat(20)}` }),
    ])
    const [whole, ...heads] = textsOf(element)
    expect(whole).to.equal(line.repeat(11))
    for (const head of heads) expect(head).to.match(/^(?:a\nb\nc\n)?x[x ]+x…$/)
    expect(heads.map((head) => head.match(/x+/g)?.length)).to.deep.equal([9, 6])
    const buttons = [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part=comment] button')]
    const labels = () => buttons.map((one) => [one.textContent.trim(), one.ariaLabel, one.ariaExpanded])
    const less = ['Show less', 'Show less: Ann', 'true']
    const more = ['Show more', 'Show more: Ann', 'false']
    expect(labels()).to.deep.equal([more, more])
    buttons[1]!.click()
    await element.updateComplete
    expect(labels()).to.deep.equal([more, less])
    buttons[0]!.click()
    await element.updateComplete
    expect(labels()).to.deep.equal([less, less])
    buttons[1]!.click()
    await element.updateComplete
    expect(labels()).to.deep.equal([less, more])
  })

  it('finds comments by their texts and names only', async () => {
    const { element } = await show([
      row({ comment: 'Alpha', person: null }),
      row({ comment: null }),
      ...Array.from({ length: 5 }, (_, index) => row({ comment: `Number ${index}` })),
    ])
    for (const [query, found] of [
      ['number 1', ['Number 1']],
      [' ALPHA ', ['Alpha']],
      ['undefined', []],
      ['null', []],
      ['annnumber', []],
      ['ann', ['', 'Number 0', 'Number 1', 'Number 2', 'Number 3', 'Number 4']],
      ['  ', ['Alpha', '', 'Number 0', 'Number 1', 'Number 2', 'Number 3', 'Number 4']],
    ] as const) {
      search(element, query)
      await waitUntil(() => textsOf(element).join() === found.join(), query)
      expect(detail(element)).to.equal(`${found.length} of 7`)
      const none = element.shadowRoot!.querySelector<HTMLElement>('[part=filter] + p')!
      expect(none.hidden, query).to.equal(found.length > 0)
    }
  })

  it('keeps the search while it has a text, even if few comments are left', async () => {
    const rows = Array.from({ length: 6 }, (_, index) => row({ comment: `Number ${index}` }))
    const { element, respondWith } = await show(rows)
    search(element, 'ber 1')
    await waitUntil(() => detail(element) === '1 of 6')
    respondWith(rows.slice(0, 3))
    await element.refresh()
    await waitUntil(() => detail(element) === '1 of 3')
    expect(part(element, 'filter').hidden).to.equal(false)
    search(element, '')
    await waitUntil(() => part(element, 'filter').hidden)
  })

  it('reports the number of active comments when it is known, and when it changes', async () => {
    const backend = createBackend()
    const counts: number[] = []
    const { element, respondWith } = await show([], undefined, backend, (count) => counts.push(count))
    expect(counts).to.deep.equal([0])
    const [one, two, three] = [row({}), row({}), row({})]
    const heard = announcements()
    respondWith([one, two, { ...three, state: 'INACTIVE' }])
    await element.refresh()
    await waitUntil(() => heard.length === 1)
    respondWith([one, three])
    await element.refresh()
    await waitUntil(() => heard.length === 2)
    await allAnnounced(element)
    respondWith([one, three, row({ person: null })])
    await element.refresh()
    await waitUntil(() => heard.length === 3)
    await allAnnounced(element)
    respondWith([one])
    await element.refresh()
    expect(counts).to.deep.equal([0, 2, 3, 1])
    expect(heard).to.deep.equal(['2 new comments.', '1 new comment from Ann.', '1 new comment.'])
    const { value } = element
    await element.refresh()
    expect(element.value === value, 'nothing has changed').to.equal(true)
  })

  it('shows what the client has in its cache until the response arrives', async () => {
    const late = row({ comment: 'late', createdAt: '2026-11-18T10:00:00' })
    const { element, backend } = await show([late, row({ comment: 'early' })])
    hang(backend)
    const second = await fixture<WfComments>(
      html`<wf-comments .client=${backend.client} form-id="6025" package-id="42"></wf-comments>`,
    )
    await waitUntil(() => second.matches(':state(loaded):state(busy)'))
    expect(textsOf(second)).to.deep.equal(['early', 'late'])
    expect(second.value).to.deep.equal(element.value)
    second.remove()
  })

  it('counts the comments that could not be read', async () => {
    const { element } = await show([{}, 7, row({ comment: 'Read' })])
    expect(textsOf(element)).to.deep.equal(['Read'])
    expect(element.shadowRoot!.querySelector('[part=base] > .detail')!.textContent).to.equal(
      '2 entries couldn’t be read.',
    )
    const { element: unreadable } = await show([{}])
    expect(part(unreadable, 'comments').childElementCount).to.equal(0)
    const none = unreadable.shadowRoot!.querySelector<HTMLElement>('[part=filter] + p')!
    expect(none.hidden, 'there is nothing that could match').to.equal(true)
  })
})

let lastId = 0

function row(fields: object): object {
  return {
    ...{ id: ++lastId, comment: 'Text', approversOnly: false, createdAt: '2026-11-16T10:00:00' },
    ...{ person: { univid: 'a', displayName: 'Ann' }, state: 'ACTIVE' },
    ...fields,
  }
}

/** Shows these comments. `onRender` is called after each change of the list. */
async function show(
  rows: readonly unknown[],
  onRender?: (element: WfComments) => void,
  backend: Backend = createBackend(),
  onCount: (count: number) => void = () => {},
) {
  let response = rows
  const respondWith = (rows: readonly unknown[]) => void (response = rows)
  backend.intercept = (request) =>
    request.url.endsWith('/comments') ? Promise.resolve(Response.json(response)) : undefined
  const element = document.createElement('wf-comments')
  Object.assign(element, { client: backend.client, formId: 6025, packageId: 42 })
  element.addEventListener('wf-comments-count', ({ count }) => onCount(count))
  if (onRender)
    new MutationObserver(() => {
      if (element.shadowRoot!.querySelector('[part=comments]')) onRender(element)
    }).observe(element.shadowRoot ?? element.attachShadow({ mode: 'open' }), {
      subtree: true,
      childList: true,
    })
  await fixture(element)
  await waitUntil(() => element.value)
  await settled(element)
  return { element, backend, respondWith }
}

function search(element: WfComments, text: string): void {
  const input = element.shadowRoot!.querySelector<HTMLInputElement>('[type=search]')!
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The number of matches. */
function detail(element: WfComments): string {
  return element.shadowRoot!.querySelector('[part=filter] > .detail')!.textContent
}

function part(element: WfComments, name: string): HTMLElement {
  return element.shadowRoot!.querySelector<HTMLElement>(`[part="${name}"]`)!
}

function all(element: WfComments, name: string): Element[] {
  return [...element.shadowRoot!.querySelectorAll(`[part="${name}"]`)]
}

function textsOf(element: WfComments): string[] {
  return all(element, 'text').map(({ textContent }) => textContent)
}

/** The texts of a comment: name, time, marks and the comment itself. */
function linesOf(item: Element): string[] {
  return [...item.querySelectorAll('strong, .detail, .mark, [part=text]')].map(({ textContent }) =>
    textContent.replace(/\s+/g, ' ').trim(),
  )
}

function attributesOf({ attributes }: Element): object {
  return Object.fromEntries([...attributes].map(({ name, value }) => [name, value]))
}
