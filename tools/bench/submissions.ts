// Submits 1,000 requests while the connection, the proxy or the service dies at random moments. None may get lost or be
// submitted twice, and no screen may state what is not true.
import type { Report as Submission, submitMany } from '../../test/elements/wf-form/kills.ts'
import { buildOwn, seed } from './builds.ts'
import type { Options, Report } from './report.ts'
import { openPage, openSite, withBrowser } from './site.ts'

/** The number of forms that are submitted at the same time. */
const atATime = 40

/**
 * Each attempt has a key of its own, so that a request may be created twice. A lost response counts as a refusal, so that the
 * screen may be wrong. If a read has shown that a change was not carried out, the next attempt comes two minutes later, which no
 * person waits for. Both budgets must detect it.
 */
const slowDown = [
  seed(
    'elements/wf-form/state/carry-out.ts',
    'return await send(currentKey)',
    'return await send(createIdempotencyKey())',
  ),
  seed('elements/wf-form/state/carry-out.ts', '      isUnknown ||= isLost\n', ''),
  seed(
    'elements/wf-form/state/carry-out.ts',
    '      await new Promise(',
    '      if (found === undefined && find) await new Promise((resolve) => setTimeout(resolve, 120_000))\n      await new Promise(',
  ),
]

export async function measure({ isSlowed = false }: Options): Promise<Report> {
  // Fewer are enough to find a defect, and each that does not end takes a minute.
  const times = isSlowed ? 2 * atATime : 1000
  const seeds = isSlowed ? slowDown : []
  const { first } = await buildOwn('tools/bench/submissions-page.ts', { isOneFile: true, seeds })
  const site = await openSite({ script: first.map(({ code }) => code).join('\n') })
  let reports: readonly Submission[] = []
  try {
    await withBrowser(async (browser) => {
      const page = await openPage(browser, site.url)
      await page.waitForFunction(() => customElements.get('wf-form') !== undefined)
      page.setDefaultTimeout(0)
      reports = await page.evaluate(submitAll, { times, atATime })
    })
  } finally {
    site.close()
  }
  const wrong = reports.filter(({ problems }) => problems.length > 0)
  for (const { seed, kills, problems } of wrong.slice(0, 5)) console.error(seed, problems, kills)
  const kills = reports.flatMap((report) => report.kills)
  const count = (what: string) => kills.filter((kill) => kill.includes(what)).length
  return {
    title: `${times} submissions while something dies`,
    rows: [
      {
        what: 'submitted',
        requests: reports.length - wrong.length,
        'connection died': count('connection'),
        'proxy died': count('proxy'),
        'service died': count('service'),
        'new drafts, as the person decided': reports.reduce((sum, { newDrafts }) => sum + newDrafts, 0),
      },
    ],
    budgets: [
      {
        what: 'submissions that were lost, doubled or shown wrongly',
        found: wrong.length,
        wanted: 0,
        unit: '',
      },
      {
        what: 'submissions that did not end',
        found: times - reports.filter(({ hasEnded }) => hasEnded).length,
        wanted: 0,
        unit: '',
      },
    ],
  }
}

async function submitAll({
  times,
  atATime,
}: {
  readonly times: number
  readonly atATime: number
}): Promise<readonly Submission[]> {
  const page = globalThis as unknown as { readonly submitMany: typeof submitMany }
  return await page.submitMany(
    Array.from({ length: times }, (_, seed) => seed),
    atATime,
  )
}
