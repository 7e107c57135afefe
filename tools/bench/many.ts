// Compares 200 badges with 200 separate requests and with one handwritten bulk request, and 500 badges that are inserted at
// once with plain markup and with the simplest element that shows the same.
import { acceptVersion, callHeader } from '../../src/contract/values/headers.ts'
import { maxIds } from '../../src/contract/values/values.ts'
import type { Browser } from 'playwright-core'
import type { Plugin } from 'vite'
import { badgeStyles } from '../../src/elements/wf-badge/wf-badge.styles.ts'
import { stateIconPath, stateLabel } from '../../src/elements/wf-package-status/labels.ts'
import { packageStates } from '../../src/locales/en-package-states.ts'
import { buildOwn, seed } from './builds.ts'
import { median, type Options, type Report, spread } from './report.ts'
import { firstPackage, type InPage, openPage, openSite, type Site, withBrowser } from './site.ts'

/** Latency of each response in milliseconds. */
const latency = 50

export const ways = ['badges', 'bulk call by hand', 'separate requests'] as const
export type Way = (typeof ways)[number] | 'simplest element'

/** The icon and text of each state, for the simplest element. */
const looks = Object.fromEntries(
  Object.keys(packageStates.states).map((state) => [
    state,
    { icon: stateIconPath(state), label: stateLabel(state, packageStates) },
  ]),
)

/** Adds a request for each element. The budget of requests must detect it. */
export const extraRequest = seed(
  'elements/wf-badge/wf-badge.ts',
  'contentOf(await rows)',
  'contentOf(await fetch(`/api/wf/forms/${target[1]}/packages/${target[2]}`).then(() => rows))',
)

export async function badgeScript(seeds: readonly Plugin[] = []): Promise<string> {
  const { first } = await buildOwn('src/define/wf-badge.ts', { isOneFile: true, seeds })
  return first.map(({ code }) => code).join('\n')
}

export async function measure({ rounds, isSlowed = false }: Options): Promise<Report> {
  const script = await badgeScript(isSlowed ? [extraRequest] : [])
  const far = await openSite({ script, latency })
  const near = await openSite({ script })
  const times = new Map<string, number[]>()
  const requests = new Map<Way, number>()
  const note = (key: string, time: number) => times.set(key, [...(times.get(key) ?? []), time])
  try {
    await withBrowser(async (browser) => {
      // One extra round, because the first computes the responses.
      for (let round = 0; round <= rounds; round++) {
        for (const way of ways) {
          far.requested.length = 0
          const time = await sample(browser, far, way, 200)
          requests.set(way, far.requested.length)
          if (round > 0) note(way, time)
        }
        for (const way of ['badges', 'simplest element', 'bulk call by hand'] as const) {
          const time = await sample(browser, near, way, 500)
          if (round > 0) note(`${way}, near`, time)
        }
      }
    })
  } finally {
    far.close()
    near.close()
  }
  const of = (key: string) => times.get(key) ?? []
  const middle = (key: string) => median(of(key))
  const floor = 'bulk call by hand'
  return {
    title: 'Milliseconds until all states are drawn',
    rows: [
      ...ways.map((way) => ({
        what: `200, ${latency} ms away: ${way}`,
        ms: spread(of(way)),
        '÷ by hand': (middle(way) / middle(floor)).toFixed(2),
        requests: requests.get(way) ?? NaN,
      })),
      ...(['badges', 'simplest element', floor] as const).map((way) => ({
        what: `500, at once: ${way === floor ? 'plain markup' : way}`,
        ms: spread(of(`${way}, near`)),
        '÷ by hand': (middle(`${way}, near`) / middle(`${floor}, near`)).toFixed(2),
        requests: Math.ceil(500 / maxIds),
      })),
    ],
    budgets: [
      { what: 'requests for 200 badges', found: requests.get('badges') ?? NaN, wanted: 2, unit: 'requests' },
      {
        what: '200 badges ÷ bulk call by hand',
        found: middle('badges') / middle(floor),
        wanted: 1.25,
        admitted: 2.6,
        unit: 'times',
      },
      {
        what: '500 badges ÷ plain markup',
        found: middle('badges, near') / middle(`${floor}, near`),
        wanted: 1.6,
        admitted: 4.2,
        unit: 'times',
      },
      {
        what: '500 badges ÷ simplest element',
        found: middle('badges, near') / middle('simplest element, near'),
        wanted: 1.3,
        admitted: 2.2,
        unit: 'times',
      },
    ],
  }
}

/** Returns the milliseconds until a new page has rendered all states. */
export async function sample(browser: Browser, site: Site, way: Way, count: number): Promise<number> {
  const page = await openPage(browser, site.url)
  try {
    await page.waitForFunction(() => customElements.get('wf-badge') !== undefined)
    await page.waitForTimeout(200)
    const headers = { Accept: acceptVersion('1.2'), [callHeader]: '1' }
    return await page.evaluate(show, {
      way,
      count,
      first: firstPackage,
      maxIds,
      headers,
      looks,
      styles: badgeStyles,
    })
  } finally {
    await page.context().close()
  }
}

/** In the page. */
async function show({
  way,
  count,
  first,
  maxIds,
  headers,
  looks,
  styles,
}: {
  readonly way: Way
  readonly count: number
  readonly first: number
  readonly maxIds: number
  readonly headers: Readonly<Record<string, string>>
  readonly looks: Readonly<Record<string, { readonly icon: string; readonly label: string }>>
  readonly styles: string
}): Promise<number> {
  const { drawn } = globalThis as unknown as InPage
  const ids = Array.from({ length: count }, (_, index) => first + index)
  const host = document.createElement('div')
  document.body.append(host)
  await drawn()
  const began = performance.now()

  if (way === 'badges') {
    let loaded = 0
    const all = new Promise<void>((resolve, reject) => {
      setTimeout(() => reject(new Error('not all badges were loaded')), 120_000)
      document.addEventListener('wf-load', () => {
        if (++loaded === count) resolve()
      })
    })
    host.innerHTML = ids
      .map((id) => `<p><wf-badge endpoint="/api/wf" form-id="6025" package-id="${id}"></wf-badge></p>`)
      .join('')
    await all
  } else {
    const isElement = way === 'simplest element'
    if (isElement) defineSimplest()
    host.innerHTML = ids
      .map(
        (id) =>
          `<p>${isElement ? `<simple-badge id="state-${id}"></simple-badge>` : `<span id="state-${id}">…</span>`}</p>`,
      )
      .join('')
    const size = way === 'separate requests' ? 1 : maxIds
    await Promise.all(
      Array.from({ length: Math.ceil(count / size) }, async (_, index) => {
        const query = ids.slice(index * size, (index + 1) * size).map((id) => `id=${id}`)
        const response = await fetch(`/api/wf/forms/6025/packages/status?${query.join('&')}`, { headers })
        for (const { id, state, inboxSignatures } of (await response.json()) as Row[]) {
          const place = document.getElementById(`state-${id}`)
          const names = inboxSignatures.map(({ approver }) => approver).join(', ')
          if (!place) continue
          if (isElement) (place as Simplest).show(state, `Waiting for ${names}`)
          // Uses the styles of a badge, so that only the rendering differs.
          else
            place.outerHTML = `<span style="display:inline-block;padding:0 .5em;border:1px solid;border-radius:1em" title="Waiting for ${names}">${state}</span>`
        }
      }),
    )
  }
  return (await drawn()) - began

  interface Row {
    readonly id: number
    readonly state: string
    readonly inboxSignatures: readonly { readonly approver: string }[]
  }

  interface Simplest extends HTMLElement {
    show(state: string, description: string): void
  }

  /**
   * Shows the same as a badge, with the same styles, but knows no settings, languages, errors or changes. Builds its content
   * node by node, because strings of markup take longer.
   */
  function defineSimplest(): void {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    const svg = 'http://www.w3.org/2000/svg'
    const span = (part: string, title: string) => {
      const created = document.createElement('span')
      created.setAttribute('part', part)
      created.lang = 'en'
      created.title = title
      return created
    }
    customElements.define(
      'simple-badge',
      class extends HTMLElement implements Simplest {
        readonly root = this.attachShadow({ mode: 'open' })

        constructor() {
          super()
          this.root.adoptedStyleSheets = [sheet]
          const placeholder = span('loading', 'Loading…')
          placeholder.setAttribute('role', 'img')
          placeholder.append('\u00a0')
          this.root.append(placeholder)
        }

        show(state: string, description: string): void {
          const { icon = '', label = state } = looks[state] ?? {}
          const badge = span('state', description)
          badge.dataset['state'] = state
          const image = document.createElementNS(svg, 'svg')
          image.setAttribute('viewBox', '0 0 24 24')
          image.setAttribute('aria-hidden', 'true')
          const path = document.createElementNS(svg, 'path')
          path.setAttribute('d', icon)
          image.append(path)
          badge.append(image, label)
          badge.appendChild(document.createElement('span')).append(`, ${description}`)
          this.root.replaceChildren(badge)
        }
      },
    )
  }
}
