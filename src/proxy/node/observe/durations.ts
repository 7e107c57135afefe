/** Names and descriptions of a counter and of a histogram of the same events. */
interface DurationsOptions {
  readonly counter: string
  readonly counted: string
  readonly histogram: string
  readonly measured: string
}

/** Number and durations of events, by labels. */
interface Durations {
  /** Returns the row with these labels, such as `operation="getStatus"`. Keep it. */
  readonly row: (labels: string) => DurationsRow
  /** Returns both metrics in the text format of Prometheus. */
  readonly text: () => string
}

/** Upper bounds of the buckets, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Events with the same labels. The labels of the counter also contain the status. */
class DurationsRow {
  readonly labels: string
  readonly counts = new Map<number | string, number>()
  /** Number of events by bucket, without those of smaller ones. Longer events are only in `count`. */
  readonly buckets = new Float64Array(bounds.length)
  sum = 0
  count = 0

  constructor(labels: string) {
    this.labels = labels
  }

  observe(status: number | string, seconds: number): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1)
    this.sum += seconds
    this.count += 1
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1
    if (bucket < bounds.length) this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1
  }
}

/**
 * Creates a counter and a histogram. Those of prom-client look up the labels of each event and its bucket anew, which takes
 * longer than most steps of a small read.
 */
export function createDurations({ counter, counted, histogram, measured }: DurationsOptions): Durations {
  const rows: DurationsRow[] = []

  function* lines(): Generator<string, void, undefined> {
    yield* [`# HELP ${counter} ${counted}`, `# TYPE ${counter} counter`]
    for (const { labels, counts } of rows) {
      for (const [status, count] of counts) yield `${counter}{${labels},status="${status}"} ${count}`
    }
    yield* ['', `# HELP ${histogram} ${measured}`, `# TYPE ${histogram} histogram`]
    for (const { labels, buckets, sum, count } of rows) {
      let total = 0
      for (const [index, bound] of bounds.entries()) {
        total += buckets[index] ?? 0
        yield `${histogram}_bucket{le="${bound}",${labels}} ${total}`
      }
      yield `${histogram}_bucket{le="+Inf",${labels}} ${count}`
      yield `${histogram}_sum{${labels}} ${sum}`
      yield `${histogram}_count{${labels}} ${count}`
    }
    yield* ['', '']
  }

  return {
    row(labels) {
      const row = new DurationsRow(labels)
      rows.push(row)
      return row
    },
    text: () => [...lines()].join('\n'),
  }
}
