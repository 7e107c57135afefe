// How times grow with the data: 1, 10 and 100 times as much. An exponent of 1 is twice the time for twice the data; what is
// fixed makes it smaller.
import { seed } from './builds.ts'
import { type Count, commentScript, sample as sampleComments } from './comments.ts'
import { historyScript, sample as sampleHistory, validation } from './history.ts'
import { badgeScript, sample as sampleBadges } from './many.ts'
import { exponentOf, type Options, type Report, spread } from './report.ts'
import { openSite, withBrowser } from './site.ts'

/** Each step in which a history shows further events compares all events again. The budgets must detect it. */
const historySeeds = [
  validation,
  seed(
    'elements/wf-history/event-list.ts',
    'export function showStep(list: EventList): EventList {\n',
    'export function showStep(list: EventList): EventList {\n  for (let time = 0; time < 12; time++) list.source.forEach((event) => JSON.stringify(event) === JSON.stringify({ ...event }))\n',
  ),
]

/** Each badge that has loaded renders all badges again that have loaded before it. The budget must detect it. */
const badgeSeed = seed(
  'elements/wf-badge/wf-badge.ts',
  'if (value) this.#onLoad(value)',
  `if (value) {
      this.#onLoad(value)
      for (const other of document.querySelectorAll('wf-badge')) {
        if (other === this) break
        other.#render()
      }
    }`,
)

export async function measure({ rounds, isSlowed = false }: Options): Promise<Report> {
  const history = await historyScript(isSlowed ? historySeeds : [])
  const badges = await openSite({ script: await badgeScript(isSlowed ? [badgeSeed] : []) })
  const comments = await openSite({ script: await commentScript(isSlowed) })
  const times = new Map<string, Map<number, number[]>>()
  const note = (what: string, count: number, time: number) => {
    const counts = times.get(what) ?? new Map<number, number[]>()
    times.set(what, counts.set(count, [...(counts.get(count) ?? []), time]))
  }
  try {
    await withBrowser(async (browser) => {
      // One extra round, because the first computes the responses.
      for (let round = 0; round <= rounds; round++) {
        for (const scale of [1, 10, 100]) {
          const events = await sampleHistory(browser, history, 'wf-history', 100 * scale)
          const thread = await sampleComments(browser, comments, 'wf-comments', (20 * scale) as Count)
          const states = await sampleBadges(browser, badges, 'badges', 20 * scale)
          if (round === 0) continue
          note('history, first paint', 100 * scale, events.paint)
          note('history, filled', 100 * scale, events.filled)
          note('comments, first paint', 20 * scale, thread.paint)
          note('comments, filled', 20 * scale, thread.filled)
          note('badges', 20 * scale, states)
        }
      }
    })
  } finally {
    badges.close()
    comments.close()
  }
  const all = [...times].map(([what, counts]) => ({ what, counts, exponent: exponentOf(counts) }))
  return {
    title:
      'Milliseconds with 1, 10 and 100 times the data (100 events, 20 comments, 20 badges), and how they grow',
    rows: all.map(({ what, counts, exponent }) => {
      const [once = [], ten = [], hundred = []] = counts.values()
      return {
        what,
        '1×': spread(once),
        '10×': spread(ten),
        '100×': spread(hundred),
        exponent: exponent.toFixed(2),
      }
    }),
    budgets: all.map(({ what, exponent }) => ({
      what: `exponent of ${what}`,
      found: exponent,
      // The first content waits only until the rest has been read. Nothing grows faster than the data.
      wanted: what === 'history, first paint' ? 0.1 : 1.05,
      unit: '',
    })),
  }
}
