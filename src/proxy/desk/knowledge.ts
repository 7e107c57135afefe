import type { ListKnowledge } from '../../contract/schemas/lists.ts'
import type { PackageIndex } from './package-index.ts'

/** A time in which requests may have been started that the index does not know, in ms since 1970. */
export type Gap = readonly [from: number, to: number]

/** Since when the index has existed, and when no process kept it up to date, or one refused callbacks. */
export interface Knowledge {
  readonly read: () => Promise<Pick<ListKnowledge, 'since' | 'gaps'>>
  /** Records that this process runs. Called again and again; writes once a minute. */
  readonly beat: () => Promise<void>
  /** Takes note that a callback was refused, so that a new request may stay unknown. The next beat stores it. */
  readonly miss: () => void
}

export function createKnowledge(index: PackageIndex, now: () => number): Knowledge {
  let beatAt: number | undefined
  /** Gaps that are not stored yet: often the same store has refused the callback. */
  let missed: readonly Gap[] = []
  let since: Promise<number> | undefined

  /** Reads what other processes have written, and adds the time in which none of them ran as a gap. */
  async function begin(): Promise<number> {
    await index.replaceNote('since', undefined, String(now()))
    const { since = now(), alive } = await readNoted(index)
    const gap: Gap | undefined =
      alive !== undefined && now() - alive > shortestGap ? [alive, now()] : undefined
    if (gap) await changeGaps(index, (gaps) => joinGaps([...gaps, gap]))
    return since
  }

  async function current(): Promise<number> {
    since ??= begin()
    // A failure is not kept.
    since.catch(() => (since = undefined))
    return await since
  }

  async function storeMissed() {
    if (missed.length === 0) return
    const stored = missed
    await changeGaps(index, (gaps) => joinGaps([...gaps, ...stored]))
    if (missed === stored) missed = []
  }

  return {
    async read() {
      const begun = await current()
      // An import may have removed some.
      const { gaps } = await readNoted(index)
      return {
        since: timeText(begun),
        gaps: joinGaps([...gaps, ...missed]).map(([from, to]) => ({
          from: timeText(from),
          to: timeText(to),
        })),
      }
    },
    async beat() {
      await current()
      await storeMissed()
      if (beatAt !== undefined && now() - beatAt < beatInterval) return
      beatAt = now()
      await index.writeNote('alive', String(beatAt))
    },
    miss() {
      missed = joinGaps([...missed, [now() - callbackDelay, now()]])
    },
  }
}

/** Returns what the processes that keep an index have noted: since when, when one of them last ran, and the gaps. */
export async function readNoted(index: Pick<PackageIndex, 'readNote'>) {
  const [since, alive, gaps] = await Promise.all(['since', 'alive', 'gaps'].map(index.readNote))
  return {
    ...(since !== undefined && { since: Number(since) }),
    ...(alive !== undefined && { alive: Number(alive) }),
    gaps: JSON.parse(gaps ?? '[]') as readonly Gap[],
  }
}

/** Changes the gaps. Begins again if another process has changed them meanwhile. */
async function changeGaps(
  index: Pick<PackageIndex, 'readNote' | 'replaceNote'>,
  change: (gaps: readonly Gap[]) => readonly Gap[],
): Promise<void> {
  for (;;) {
    const text = await index.readNote('gaps')
    const gaps = change(JSON.parse(text ?? '[]') as readonly Gap[])
    if (await index.replaceNote('gaps', text, JSON.stringify(gaps))) return
  }
}

/** Removes a time from the gaps: requests that were started then have been imported. */
export async function removeGap(
  index: Pick<PackageIndex, 'readNote' | 'replaceNote'>,
  [start, end]: Gap,
): Promise<void> {
  await changeGaps(index, (gaps) =>
    gaps.flatMap(([from, to]): readonly Gap[] => [
      ...(from < start ? [[from, Math.min(to, start)] as const] : []),
      ...(to > end ? [[Math.max(from, end), to] as const] : []),
    ]),
  )
}

/** Sorts gaps and joins those that overlap, and the closest ones if there are too many: none may be lost. */
export function joinGaps(gaps: readonly Gap[]): readonly Gap[] {
  const joined: Gap[] = []
  for (const [from, to] of [...gaps].sort(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last && from <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], to)]
    else joined.push([from, to])
  }
  while (joined.length > maxGaps) {
    const distances = joined.slice(1).map(([from], at) => from - joined[at]![1])
    const at = distances.indexOf(Math.min(...distances))
    joined.splice(at, 2, [joined[at]![0], joined[at + 1]![1]])
  }
  return joined
}

/** Writes a time for people: a part of a minute would only be noise. */
export function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`
}

const beatInterval = 60_000
/** A restart takes less than this time in ms, and requests that were started meanwhile cause callbacks that are repeated. */
const shortestGap = 2 * 60_000
/** The service sends callbacks once a minute, so a request may have been started that long before, in ms. */
const callbackDelay = 60_000
const maxGaps = 20
