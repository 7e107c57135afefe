// Finds memory leaks: adds and removes each element 1,000 times. Afterwards, the page must hold as much as before.
import type { Backend } from '../../stories/backend.ts'
import { buildOwn, seed } from './builds.ts'
import type { Budget, Options, Report } from './report.ts'
import { heldBy, type InPage, openPage, openSite, withBrowser } from './site.ts'

const times = 1000
/** The number of elements that the page shows at a time. */
const batch = 50

const tags = [
  'wf-context',
  'wf-package-status',
  'wf-history',
  'wf-comments',
  'wf-attachments',
  'fs-uploader',
] as const

/** Each element leaves a listener on the window, which keeps the element. All budgets must detect it. */
const leak = seed(
  'elements/configuration/settings.ts',
  '    mount(this.#updates)\n',
  "    mount(this.#updates)\n    addEventListener('languagechange', () => this.#updates.requestUpdate())\n",
)

export async function measure({ isSlowed = false }: Options): Promise<Report> {
  const seeds = isSlowed ? [leak] : []
  const { first } = await buildOwn('tools/bench/leaks-page.ts', { isOneFile: true, seeds })
  const site = await openSite({ script: first.map(({ code }) => code).join('\n') })
  const rows: Report['rows'][number][] = []
  const budgets: Budget[] = []
  try {
    await withBrowser(async (browser) => {
      for (const tag of tags) {
        const page = await openPage(browser, site.url)
        await page.waitForFunction(() => customElements.get('wf-context') !== undefined)
        // The first elements also create templates, formats and compiled code, which stay. The engine still optimizes
        // after 1,500 elements.
        await page.evaluate(showAndTakeAway, { tag, times: times * 2, batch })
        const before = await heldBy(page)
        await page.evaluate(showAndTakeAway, { tag, times, batch })
        const after = await heldBy(page)
        await page.context().close()
        const heap = (after.heap - before.heap) / 1000
        const [nodes, listeners] = [after.nodes - before.nodes, after.listeners - before.listeners]
        rows.push({
          what: `<${tag}>`,
          'heap before kB': Math.round(before.heap / 1000),
          'heap more kB': Math.round(heap),
          'nodes before': before.nodes,
          'nodes more': nodes,
          'listeners before': before.listeners,
          'listeners more': listeners,
        })
        const what = (kind: string) => `${kind} that ${times} <${tag}> leave behind`
        budgets.push(
          { what: what('heap'), found: heap, wanted: 200, unit: 'kB' },
          { what: what('nodes'), found: nodes, wanted: 20, unit: 'nodes' },
          { what: what('listeners'), found: listeners, wanted: 5, unit: 'listeners' },
        )
      }
    })
  } finally {
    site.close()
  }
  return { title: `What ${times} elements leave behind that were shown and taken away`, rows, budgets }
}

/** In the page: adds elements, waits until they show their data, and removes them. */
async function showAndTakeAway({
  tag,
  times,
  batch,
}: {
  readonly tag: string
  readonly times: number
  readonly batch: number
}): Promise<void> {
  const { backend, drawn } = globalThis as unknown as InPage & { readonly backend: Backend }
  for (let time = 0; time < times; time += batch) {
    const box = document.createElement('div')
    for (let index = 0; index < batch; index++) {
      const element = document.createElement(tag)
      Object.assign(element, { formId: 6025, packageId: 42, client: backend.client })
      // A context renders nothing itself. The elements in it react to it.
      if (tag === 'wf-context') element.append(document.createElement('wf-package-status'))
      box.append(element)
    }
    document.body.append(box)
    const shown = tag === 'wf-context' ? [...box.querySelectorAll('wf-package-status')] : [...box.children]
    const isShown = (element: Element) =>
      element.shadowRoot?.querySelector('[part~=base]') && !element.shadowRoot.querySelector('[part=loading]')
    const deadline = performance.now() + 30_000
    while (tag !== 'fs-uploader' && !shown.every(isShown)) {
      if (performance.now() > deadline) throw new Error(`<${tag}> was not shown`)
      await drawn()
    }
    await drawn()
    box.remove()
    await drawn()
  }
  // The journal belongs to the emulator, not to the elements.
  backend.journal.length = 0
  await new Promise((resolve) => setTimeout(resolve, 1200))
}
