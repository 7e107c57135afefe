// How soon a long history is there: <wf-history> beside a windowed list, which renders only what is seen, and beside
// all of it as one string of markup. Each sample is a page of its own, and samples of all three take turns.
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { build } from 'vite'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const sizes = [1000, 10_000]
const peers = ['wf-history', 'windowed', 'markup'] as const

/** What a page measures, in milliseconds. */
interface Sample {
  /** Until the first frame with events in it has been drawn. */
  readonly paint: number
  /** Until all events are there; for a windowed list they never are. */
  readonly filled: number
  /** Processor time of the page's thread until that first frame: unlike the clock, it leaves out what else the machine does. */
  readonly cpu: number
  /** Longest task from the start until all events are there, by the clock and in processor time. */
  readonly task: number
  readonly taskCpu: number
  /** 95th percentile of the time between frames while it is scrolled. */
  readonly scroll: number
}

const blank = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>
  <body><script type="module" src="/element.js"></script></body></html>`

const executablePath = process.env['CHROME_PATH'] ?? '/usr/bin/chromium'
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
})
try {
  await run()
} finally {
  await browser.close()
}

async function run(): Promise<void> {
  const script = await bundle()
  const samples = new Map<string, Sample[]>()
  for (let round = 0; round < rounds; round++) {
    for (const count of sizes) {
      for (const peer of peers) {
        const key = `${peer} ${count}`
        samples.set(key, [...(samples.get(key) ?? []), await sample(script, peer, count)])
      }
    }
  }
  const middle = (key: string, figure: keyof Sample) =>
    median((samples.get(key) ?? []).map((found) => found[figure]))
  console.table(
    sizes.flatMap((count) =>
      peers.map((peer) => {
        const key = `${peer} ${count}`
        const figures = { paint: middle(key, 'paint'), filled: middle(key, 'filled') }
        return {
          what: `${peer}, ${count.toLocaleString('en')} events`,
          'first paint ms': round(figures.paint),
          '÷ windowed': round(figures.paint / middle(`windowed ${count}`, 'paint'), 100),
          '÷ itself at 1,000': round(figures.paint / middle(`${peer} 1000`, 'paint'), 100),
          'its CPU ms': round(middle(key, 'cpu')),
          'CPU ÷ windowed': round(middle(key, 'cpu') / middle(`windowed ${count}`, 'cpu'), 100),
          'filled ms': peer === 'windowed' ? '-' : round(figures.filled),
          'longest task ms': round(middle(key, 'task')),
          'its CPU ms (longest)': round(middle(key, 'taskCpu')),
          'worst of them': round(Math.max(...(samples.get(key) ?? []).map(({ task }) => task))),
          'scroll p95 ms': round(middle(key, 'scroll'), 10),
        }
      }),
    ),
  )
}

/** The element alone, as a page would load it. */
async function bundle(): Promise<string> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      target: 'es2022',
      write: false,
      lib: { entry: 'src/define/wf-history.ts', formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const [output] = [built].flat()
  const chunk = output && 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error('nothing was built')
  return chunk.code
}

async function sample(script: string, peer: (typeof peers)[number], count: number): Promise<Sample> {
  const page = await browser.newPage({ viewport: { width: 900, height: 800 } })
  try {
    await page.route('http://bench.test/**', (route) =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript', body: script })
        : route.fulfill({ contentType: 'text/html', body: blank }),
    )
    // tsx calls it in the functions that go into the page.
    await page.addInitScript('globalThis.__name = (value) => value')
    await page.goto('http://bench.test/')
    await page.waitForFunction(() => customElements.get('wf-history') !== undefined)
    const tracer = await page.context().newCDPSession(page)
    const traced: Traced[] = []
    tracer.on('Tracing.dataCollected', ({ value }) => {
      traced.push(...(value as unknown as Traced[]))
    })
    await page.evaluate(prepare, count)
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
    return { ...times, cpu, task, taskCpu, scroll }
  } finally {
    await page.close()
  }
}

/** What a trace tells of a task or a mark, in microseconds. */
interface Traced {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/** In the page: the answer of a service, already parsed, with signatures of two approvers in turn. */
function prepare(count: number): void {
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
    const actor = isDean ? person(3, 'Mei-Ling Zhou', 'Associate Dean') : person(2, 'Daniel Reyes', 'Manager')
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
  const { events } = globalThis as unknown as { events: readonly Row[] }
  let format: Intl.DateTimeFormat | undefined
  // The markup of the element's own rows, and its styles, so that only the way of showing them differs.
  const markupOf = ({ actionDate, person, stop, context }: Row, before: Row | undefined) => {
    format ??= new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
    const isFirst = before?.stop.stopNumber !== stop.stopNumber
    return `<div role="listitem" part="event" class="signed${isFirst ? ' first' : ''}">${
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
  const drawn = () =>
    new Promise<number>((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(null)
      }),
    )
  await drawn()
  performance.mark('began')
  const began = performance.now()
  let isFilled = () => true
  if (peer === 'wf-history') {
    const element = document.createElement('wf-history')
    element.history = events
    document.body.append(element)
    // 20 to a chunk, and one for what waits; to count the rows themselves would take long in each frame.
    const chunks = Math.ceil((count - 1) / 20) + 1
    isFilled = () => element.shadowRoot?.querySelector('[part=list]')?.children.length === chunks
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
  } else {
    const list = document.createElement('div')
    list.innerHTML = events.map((row, index) => markupOf(row, events[index - 1])).join('')
    root.append(list)
    document.body.append(host)
  }
  const paint = (await drawn()) - began
  performance.mark('painted')
  while (!isFilled()) await drawn()
  const filled = performance.now() - began
  performance.mark('filled')
  return { paint, filled }
}

/** In the page: scrolls through it, and tells the 95th percentile of the time between frames. */
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

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function round(value: number, parts = 1): number {
  return Math.round(value * parts) / parts
}
