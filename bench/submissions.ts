// Submits 1,000 requests while the connection, the proxy or the service dies at random moments. None may get lost or be
// submitted twice, and no screen may state what is not true.
import type { Report as Submission, submitMany } from '../test/elements/wf-form/kills.ts'
import { buildOwn } from './builds.ts'
import type { Report } from './report.ts'
import { openPage, openSite, withBrowser } from './site.ts'

const times = 1000
/** The number of forms that are submitted at the same time. */
const atATime = 40

export async function measure(): Promise<Report> {
  const { first } = await buildOwn('bench/submissions-page.ts', { isOneFile: true })
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
      { what: 'submissions that did not end', found: times - reports.length, wanted: 0, unit: '' },
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
