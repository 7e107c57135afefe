// How soon a long thread is there: <wf-comments> beside a virtualised list and beside all of it as one string of markup,
// from when its comments have come. Each sample is a page of its own, and samples take turns.
import { callHeader } from '../../src/contract/values/headers.ts'
import type { Browser } from 'playwright-core'
import { buildOwn, buildPeer, seed } from './builds.ts'
import { median, type Options, type Report, spread } from './report.ts'
import { commented, heldBy, type InPage, openPage, openSite, type Site, withBrowser } from './site.ts'

export const peers = ['wf-comments', 'virtualizer', 'markup'] as const
export type Peer = (typeof peers)[number]
export type Count = 20 | 200 | 2000

export interface Sample {
  /** Milliseconds until the first frame with comments in it. */
  readonly paint: number
  /** Milliseconds until all are in the document; for a virtualised list they never are. */
  readonly filled: number
  /** MB of JavaScript, and nodes, of the page in the end. */
  readonly heap: number
  readonly nodes: number
}

/** Renders all comments in the first frame, and compares each with all others. All budgets of comments must detect it. */
const slowDown = [
  seed(
    'elements/wf-comments/wf-comments.ts',
    '{ length: Math.ceil(Math.min(found.length, this._limit) / batchSize) },',
    '{ length: Math.ceil(found.length / batchSize) },',
  ),
  seed(
    'elements/wf-comments/wf-comments.ts',
    '.map((comment) => this.#renderComment(comment)),',
    `.map((comment) => {
      const textOf = ({ comment, person, createdAt }: Comment) =>
        [comment, person?.displayName, createdAt].map((text) => searchable(text ?? '')).join()
      const same = thread.filter((each) => textOf(each) === textOf(comment)).length
      return same > 0 && this.#renderComment(comment)
    }),`,
  ),
]

/** The element and the virtualised list, each by itself in one file. */
export async function commentScript(isSlowed = false): Promise<string> {
  const seeds = isSlowed ? slowDown : []
  const own = await buildOwn('src/define/wf-comments.ts', { isOneFile: true, seeds })
  const peer = await buildPeer('virtualizer.js')
  return [...own.first, ...peer.first].map(({ code }) => `(() => {${code}})()`).join(';\n')
}

export async function measure({ rounds, isSlowed = false }: Options): Promise<Report> {
  const site = await openSite({ script: await commentScript(isSlowed) })
  const samples = new Map<Peer, Sample[]>()
  try {
    await withBrowser(async (browser) => {
      for (let round = 0; round <= rounds; round++) {
        for (const peer of peers) {
          const found = await sample(browser, site, peer, 2000)
          // The first round computes the responses.
          if (round > 0) samples.set(peer, [...(samples.get(peer) ?? []), found])
        }
      }
    })
  } finally {
    site.close()
  }
  const of = (peer: Peer, figure: keyof Sample) => (samples.get(peer) ?? []).map((found) => found[figure])
  const middle = (peer: Peer, figure: keyof Sample) => median(of(peer, figure))
  return {
    title: '2,000 comments, from when they have come',
    rows: peers.map((peer) => ({
      what: peer,
      'first paint ms': spread(of(peer, 'paint')),
      '÷ virtualizer': (middle(peer, 'paint') / middle('virtualizer', 'paint')).toFixed(2),
      'filled ms': peer === 'virtualizer' ? '-' : spread(of(peer, 'filled')),
      'heap MB': spread(of(peer, 'heap'), 1),
      nodes: middle(peer, 'nodes'),
    })),
    budgets: [
      {
        what: 'first paint of 2,000 comments ÷ virtualised list',
        found: middle('wf-comments', 'paint') / middle('virtualizer', 'paint'),
        wanted: 1.5,
        unit: 'times',
      },
      {
        what: '2,000 comments filled ÷ markup as one string',
        found: middle('wf-comments', 'filled') / middle('markup', 'filled'),
        wanted: 3,
        unit: 'times',
      },
    ],
  }
}

export async function sample(browser: Browser, site: Site, peer: Peer, count: Count): Promise<Sample> {
  const page = await openPage(browser, site.url)
  try {
    await page.waitForFunction(() => customElements.get('wf-comments') !== undefined)
    await page.waitForTimeout(200)
    const times = await page.evaluate(show, { peer, count, packageId: commented[count], callHeader })
    const { heap, nodes } = await heldBy(page)
    return { ...times, heap: heap / 1e6, nodes }
  } finally {
    await page.context().close()
  }
}

/** In the page. */
async function show({
  peer,
  count,
  packageId,
  callHeader,
}: {
  readonly peer: Peer
  readonly count: number
  readonly packageId: number
  readonly callHeader: string
}): Promise<Pick<Sample, 'paint' | 'filled'>> {
  interface Row {
    readonly comment: string
    readonly createdAt: string
    readonly approversOnly: boolean
    readonly person: { readonly displayName: string }
  }
  const { drawn, showVirtualized } = globalThis as unknown as InPage & {
    readonly showVirtualized: (root: ParentNode, rows: readonly Row[], markupOf: (row: Row) => string) => void
  }
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const markupOf = ({ comment, createdAt, approversOnly, person }: Row) =>
    `<div part="comment" role="listitem"><strong><bdi>${person.displayName}</bdi></strong>
      <span class="detail"><time datetime="${createdAt}">${format.format(new Date(`${createdAt}Z`))}</time></span>
      ${approversOnly ? '<span class="mark">Approvers only</span>' : ''}
      <p part="text">${comment}</p></div>`

  await drawn()
  if (peer === 'wf-comments') {
    const element = document.createElement('wf-comments')
    Object.assign(element, { endpoint: '/api/wf', formId: 6025, packageId })
    const loaded = new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error('no comments were loaded')), 30_000)
      element.addEventListener('wf-load', () => resolve(performance.now()), { once: true })
    })
    document.body.append(element)
    const began = await loaded
    const paint = (await drawn()) - began
    const chunks = Math.ceil(count / 50)
    const isFilled = () => element.shadowRoot?.querySelector('[part=comments]')?.children.length === chunks
    let now = performance.now()
    while (!isFilled()) now = await drawn()
    return { paint, filled: Math.max(paint, now - began) }
  }

  const response = await fetch(`/api/wf/forms/6025/packages/${packageId}/comments`, {
    headers: { [callHeader]: '1' },
  })
  const rows = (await response.json()) as Row[]
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const { elementStyles } = customElements.get('wf-comments') as unknown as {
    readonly elementStyles: readonly { readonly styleSheet: CSSStyleSheet }[]
  }
  root.adoptedStyleSheets = elementStyles.map(({ styleSheet }) => styleSheet)
  document.body.append(host)
  const began = performance.now()
  if (peer === 'virtualizer') showVirtualized(root, rows, markupOf)
  else {
    const list = document.createElement('div')
    list.innerHTML = rows.map(markupOf).join('')
    root.append(list)
  }
  let now = await drawn()
  while (!root.querySelector('[part=comment]')) now = await drawn()
  return { paint: now - began, filled: now - began }
}
