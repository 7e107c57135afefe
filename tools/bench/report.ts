/** The results of one benchmark. */
export interface Report {
  readonly title: string
  /** Rows of the table; all of one report have the same columns. */
  readonly rows: readonly Readonly<Record<string, string | number>>[]
  readonly budgets: readonly Budget[]
}

/** A limit on one figure. */
export interface Budget {
  readonly what: string
  readonly found: number
  /** The goal: the maximum that we want. */
  readonly wanted: number
  /** The maximum that is admitted if the goal is not reached yet. If it is missing, the goal applies. */
  readonly admitted?: number
  readonly unit: string
}

export interface Options {
  /** The number of measurements of each variant. Variants take turns in each round. */
  readonly rounds: number
  /** Whether to slow our own build down, so that its budget must fail. Default false. */
  readonly isSlowed?: boolean
}

/** A benchmark: a module of this folder. */
export interface Benchmark {
  readonly measure: (options: Options) => Promise<Report>
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

/** Returns the median with minimum and maximum, such as `33 (28–41)`. */
export function spread(values: readonly number[], digits = 0): string {
  const show = (value: number) => value.toFixed(digits)
  return `${show(median(values))} (${show(Math.min(...values))}–${show(Math.max(...values))})`
}

/** Slope of the straight line that comes nearest to the medians, where both axes are logarithms. */
export function exponentOf(counts: ReadonlyMap<number, readonly number[]>): number {
  const points = [...counts].map(([count, found]) => [Math.log(count), Math.log(median(found))] as const)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, at]) => at))]
  return mean(points.map(([px, py]) => (px - x) * (py - y))) / mean(points.map(([px]) => (px - x) ** 2))
}
