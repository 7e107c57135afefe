// How soon a long history is there: <wf-history> beside a windowed list, which renders only what is seen, beside a
// virtualiser that people use, and beside all of it as one string of markup. Each sample is a page of its own, and samples
// take turns.
import type { Browser, Page } from 'playwright-core'
import type { Plugin } from 'vite'
import { buildOwn, buildPeer, seed } from './builds.ts'
import { type Budget, median, type Options, type Report, spread } from './report.ts'
import { heldBy, inPage, type InPage, withBrowser } from './site.ts'

const sizes = [1000, 10_000]
const peers = ['wf-history', 'windowed', 'virtualizer', 'markup'] as const
type Peer = (typeof peers)[number]

/** The measurements of a page, in milliseconds. */
interface Sample {
  /** Until the first frame with events in it has been drawn. */
  readonly paint: number
  /** From when a person wants to see all events until they are there; for a windowed list they never are. */
  readonly filled: number
  /** Processor time of the page's thread until that first frame: unlike the clock, it leaves out what else the machine does. */
  readonly cpu: number
  /** Longest task from the start until all events are there, by the clock and in processor time. */
  readonly task: number
  readonly taskCpu: number
  /** 95th percentile of the time between frames while it is scrolled. */
  readonly scroll: number
  /** MB of JavaScript and number of nodes in the page at the end, including the response. */
  readonly heap: number
  readonly nodes: number
  /** Whether the last event can be found. Only the shortest list is searched, because a search takes long. */
  readonly access?: Access
}

interface Access {
  /** By the browser's own search. */
  readonly isFound: boolean
  /** By assistive technology. */
  readonly isAccessible: boolean
}

/** Validates each event thirty times by itself before the first is shown. The budgets of paint must detect it. */
export const validation = seed(
  'elements/wf-history/wf-history.ts',
  '    const rows = parseList(this.history)\n',
  '    const rows = parseList(this.history)\n    for (let time = 0; time < 30; time++) rows?.forEach((row) => readHistory([row]))\n',
)

/** Waits before it shows further events, and hides the last chunk. */
const hiding = [
  seed('elements/wf-history/wf-history.ts', 'requestAnimationFrame(resolve)', 'setTimeout(resolve, 200)'),
  seed(
    'elements/wf-history/event-rows.ts',
    "class=${isFull ? 'chunk' : nothing}",
    "class=${isFull ? 'chunk' : nothing} ?hidden=${!isFull}",
  ),
]

const blank = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>
  <body><script type="module" src="/element.js"></script></body></html>`

/** Name of the person in the last event of the list. */
const lastName = 'Ines Lastrow'

export async function measure({ rounds, isSlowed = false }: Options): Promise<Report> {
  const script = await historyScript(isSlowed ? [validation, ...hiding] : [])
  const samples = new Map<string, Sample[]>()
  await withBrowser(async (browser) => {
    for (let round = 0; round < rounds; round++) {
      for (const count of sizes) {
        for (const peer of peers) {
          const key = `${peer} ${count}`
          samples.set(key, [...(samples.get(key) ?? []), await sample(browser, script, peer, count)])
        }
      }
    }
  })
  const of = <Figure extends keyof Sample>(key: string, figure: Figure) =>
    (samples.get(key) ?? []).map((found) => found[figure])
  type Number = 'paint' | 'filled' | 'cpu' | 'task' | 'taskCpu' | 'scroll' | 'heap' | 'nodes'
  const middle = (key: string, figure: Number) => median(of(key, figure))
  const ratio = (key: string, other: string, figure: Number) => middle(key, figure) / middle(other, figure)
  const access = (key: string, way: keyof Access) => {
    const found = of(key, 'access').filter((each) => each !== undefined)
    return found.length === 0 ? '' : found.every((each) => each[way]) ? 'yes' : 'no'
  }
  const rows = sizes.flatMap((count) =>
    peers.map((peer) => {
      const key = `${peer} ${count}`
      return {
        what: `${peer}, ${count.toLocaleString('en')}`,
        'first paint ms': spread(of(key, 'paint')),
        '÷ windowed': ratio(key, `windowed ${count}`, 'paint').toFixed(2),
        '÷ at 1,000': ratio(key, `${peer} 1000`, 'paint').toFixed(2),
        'its CPU ms': Math.round(middle(key, 'cpu')),
        'CPU ÷ windowed': ratio(key, `windowed ${count}`, 'cpu').toFixed(2),
        'filled ms': isPartial(peer) ? '-' : spread(of(key, 'filled')),
        'longest task ms': spread(of(key, 'task')),
        'its CPU': Math.round(middle(key, 'taskCpu')),
        'scroll p95 ms': middle(key, 'scroll').toFixed(1),
        'heap MB': middle(key, 'heap').toFixed(1),
        nodes: middle(key, 'nodes'),
        'found in page': access(key, 'isFound'),
        accessible: access(key, 'isAccessible'),
      }
    }),
  )
  const own = 'wf-history 10000'
  const ways = ['isFound', 'isAccessible'] as const
  const missing = ways.filter((way) => access('wf-history 1000', way) !== 'yes')
  const budgets: Budget[] = [
    {
      what: 'first paint of 1,000 events ÷ windowed list',
      found: ratio('wf-history 1000', 'windowed 1000', 'paint'),
      wanted: 1.3,
      // The windowed list renders what fits on a screen, the element at least 100 events.
      admitted: 3,
      unit: 'times',
    },
    {
      what: 'first paint of 10,000 events ÷ of 1,000',
      found: ratio(own, 'wf-history 1000', 'paint'),
      wanted: 1.1,
      // All events are read before the first is shown, and one frame is a third of the time.
      admitted: 1.4,
      unit: 'times',
    },
    {
      what: 'longest task until 10,000 events are there',
      found: middle(own, 'task'),
      wanted: 50,
      // The first one, which reads all events and renders the latest.
      admitted: 80,
      unit: 'ms',
    },
    {
      what: '10,000 events all in the document, from "Show all"',
      found: middle(own, 'filled'),
      wanted: 1200,
      unit: 'ms',
    },
    {
      what: 'ways in which the last event is not found: by search, by assistive technology',
      found: missing.length,
      wanted: 0,
      unit: 'ways',
    },
  ]
  return { title: 'Histories, from when they have come', rows, budgets }
}

/** Whether the list never shows all rows at once. */
function isPartial(peer: Peer): boolean {
  return peer === 'windowed' || peer === 'virtualizer'
}

/** The element and the virtualiser, each as a page would load it alone. */
export async function historyScript(seeds: readonly Plugin[] = []): Promise<string> {
  const own = await buildOwn('src/define/wf-history.ts', { isOneFile: true, seeds })
  const peer = await buildPeer('virtualizer.js')
  return [...own.first, ...peer.first].map(({ code }) => `(() => {${code}})()`).join(';\n')
}

export async function sample(browser: Browser, script: string, peer: Peer, count: number): Promise<Sample> {
  const page = await browser.newPage({ viewport: { width: 900, height: 800 }, locale: 'en-US' })
  try {
    await page.route('http://bench.test/**', (route) =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript', body: script })
        : route.fulfill({ contentType: 'text/html', body: blank }),
    )
    await page.addInitScript({ content: inPage })
    await page.goto('http://bench.test/')
    await page.waitForFunction(() => customElements.get('wf-history') !== undefined)
    const tracer = await page.context().newCDPSession(page)
    const traced: Traced[] = []
    tracer.on('Tracing.dataCollected', ({ value }) => {
      traced.push(...(value as unknown as Traced[]))
    })
    await page.evaluate(prepare, { count, lastName })
    await page.waitForTimeout(300)
    await tracer.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline', 'blink.user_timing'] },
    })
    const times = await page.evaluate(show, { peer, count })
    const complete = new Promise((resolve) => tracer.once('Tracing.tracingComplete', resolve))
    await tracer.send('Tracing.end')
    await complete
    const scroll = await page.evaluate(scrollThrough)
    const markOf = (wanted: string) => traced.find(({ name }) => name === wanted)
    const [began, painted, filled] = [markOf('began'), markOf('painted'), markOf('filled')]
    if (!began || !painted || !filled) throw new Error('the trace lacks a mark')
    const tasks = traced.filter(
      ({ name, pid, tid, ts, dur = 0 }) =>
        name === 'RunTask' && pid === began.pid && tid === began.tid && ts + dur > began.ts && ts < filled.ts,
    )
    const cpu = tasks.filter(({ ts }) => ts < painted.ts).reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000
    const task = Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1000
    const taskCpu = Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
    const { heap, nodes } = await heldBy(page)
    const access = count === sizes[0] ? { access: await accessTo(page, peer) } : {}
    return { ...times, cpu, task, taskCpu, scroll, heap: heap / 1e6, nodes, ...access }
  } finally {
    await page.close()
  }
}

/** Whether the browser's search and assistive technology find the last event from the top of the page. */
async function accessTo(page: Page, peer: Peer): Promise<Access> {
  await page.evaluate(() => scrollTo(0, 0))
  await page.waitForTimeout(300)
  const isFound = await page.evaluate(
    (name) => (globalThis as unknown as { find: (text: string) => boolean }).find(name),
    lastName,
  )
  await page.evaluate(() => scrollTo(0, 0))
  await page.waitForTimeout(isPartial(peer) ? 300 : 0)
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  return { isFound, isAccessible: nodes.some(({ name }) => String(name?.value).includes(lastName)) }
}

/** A task or a mark in a trace, in microseconds. */
interface Traced {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/** In the page: a parsed response of the service, with alternating signatures of two approvers. */
function prepare({ count, lastName }: { readonly count: number; readonly lastName: string }): void {
  const person = (id: number, displayName: string, title: string) => ({
    id,
    displayName,
    title,
    univid: `1000000${id}`,
    hrdeptdesc: 'Biology',
    collegeName: 'College of Sciences',
    personType: 'EMPLOYEE',
    email: null,
    campusPostalAddress: null,
    officePhone: null,
  })
  const events = Array.from({ length: count }, (_, index) => {
    const isWaiting = index === count - 1
    const date = new Date(Date.UTC(2026, 0, 1) + index * 600_000).toISOString().slice(0, 19)
    const isDean = index % 3 === 2
    const isLast = index === count - 2
    const actor = isLast
      ? person(4, lastName, 'Director')
      : isDean
        ? person(3, 'Mei-Ling Zhou', 'Associate Dean')
        : person(2, 'Daniel Reyes', 'Manager')
    return {
      '@class': 'signature',
      actionDate: date,
      person: actor,
      stop: { name: isDean ? 'College' : 'Department', stopNumber: isDean ? 2 : 1 },
      permission: 'SIGNATURE_REQUIRED',
      context: isDean ? 'Approver of College of Sciences' : null,
      resolution: isDean ? { '@class': 'person', ...actor } : null,
      routingDate: date,
      office: null,
      state: isWaiting ? 'RECEIVED' : 'APPROVED',
      autoSigned: false,
      inboxSigned: !isWaiting,
      isInInbox: isWaiting,
    }
  })
  Object.assign(globalThis, { events })
}

/** In the page: shows the events, and measures. */
async function show({
  peer,
  count,
}: {
  peer: string
  count: number
}): Promise<Pick<Sample, 'paint' | 'filled'>> {
  interface Row {
    readonly actionDate: string
    readonly person: { readonly displayName: string; readonly title: string }
    readonly stop: { readonly name: string; readonly stopNumber: number }
    readonly context: string | null
  }
  const { drawn, events, showVirtualized } = globalThis as unknown as InPage & {
    readonly events: readonly Row[]
    readonly showVirtualized: (root: ParentNode, rows: readonly Row[], markupOf: MarkupOf) => void
  }
  type MarkupOf = (row: Row, before: Row | undefined) => string
  let format: Intl.DateTimeFormat | undefined
  // Uses the markup and the styles of the element's rows, so that only the rendering differs.
  const markupOf: MarkupOf = ({ actionDate, person, stop, context }, before) => {
    format ??= new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
    const isFirst = before?.stop.stopNumber !== stop.stopNumber
    return `<div role="listitem" part="event" class="signed">${
      isFirst ? `<p part="stop"><bdi>Stop ${stop.stopNumber} · ${stop.name}</bdi></p>` : ''
    }<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 13l5 5L19 7"></path></svg>
      <p class="what"><bdi>${person.displayName}</bdi> signed</p>
      <p class="muted time"><time datetime="${actionDate}" lang="en">${format.format(new Date(`${actionDate}Z`))}</time></p>
      <p class="muted detail"><bdi>${person.title}</bdi>${context ? ` · <bdi>${context}</bdi>` : ''}</p></div>`
  }
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const { elementStyles } = customElements.get('wf-history') as unknown as {
    readonly elementStyles: readonly { readonly styleSheet: CSSStyleSheet }[]
  }
  root.adoptedStyleSheets = elementStyles.map(({ styleSheet }) => styleSheet)
  await drawn()
  performance.mark('began')
  const began = performance.now()
  let showAll = () => {}
  let isFilled = () => true
  if (peer === 'wf-history') {
    const element = document.createElement('wf-history')
    element.history = events
    document.body.append(element)
    const all = () => element.shadowRoot?.querySelector<HTMLElement>('[part=all]')
    showAll = () => all()?.click()
    isFilled = () => !all() && element.shadowRoot?.querySelectorAll('[part=event]').length === count
  } else if (peer === 'windowed') {
    const height = 80
    const list = document.createElement('div')
    list.style.cssText = `position:relative;height:${events.length * height}px`
    const draw = () => {
      const first = Math.max(0, Math.floor(scrollY / height) - 5)
      const rows = events.slice(first, first + Math.ceil(innerHeight / height) + 10)
      list.innerHTML = `<div style="position:absolute;inset-inline:0;top:${first * height}px">${rows
        .map((row, index) => markupOf(row, events[first + index - 1]))
        .join('')}</div>`
    }
    addEventListener('scroll', draw)
    root.append(list)
    document.body.append(host)
    draw()
  } else if (peer === 'virtualizer') {
    document.body.append(host)
    showVirtualized(root, events, markupOf)
  } else {
    const list = document.createElement('div')
    list.innerHTML = events.map((row, index) => markupOf(row, events[index - 1])).join('')
    root.append(list)
    document.body.append(host)
  }
  let now = await drawn()
  // It first measures its viewport.
  while (peer === 'virtualizer' && !root.querySelector('[part=event]')) now = await drawn()
  const paint = now - began
  performance.mark('painted')
  const asked = performance.now()
  showAll()
  while (!isFilled()) await drawn()
  // Of a list that shows all events in its first frame, this is the time until then.
  const filled = Math.max(paint, performance.now() - asked)
  performance.mark('filled')
  return { paint, filled }
}

/** In the page: scrolls through the list. Returns the 95th percentile of the time between frames. */
async function scrollThrough(): Promise<number> {
  const gaps: number[] = []
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  let before = await frame()
  for (let step = 0; step < 120; step++) {
    scrollBy(0, 600)
    const now = await frame()
    gaps.push(now - before)
    before = now
  }
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length * 0.95)] ?? 0
}
