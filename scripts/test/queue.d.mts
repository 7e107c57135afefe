/** Types of `queue.mjs`. */
export interface Job {
  readonly name: string
  readonly seconds: number
  readonly after?: readonly Job[]
  readonly run: (note: (text: string) => void) => Promise<unknown>
}

export function runJobs(
  jobs: readonly Job[],
  options: {
    readonly onStart: (job: Job) => void
    readonly onNote: (job: Job, text: string) => void
    readonly onEnd: (job: Job, result: unknown) => void
    readonly cores?: number
    readonly places?: number | undefined
    readonly idleShare?: () => number
    readonly interval?: number
  },
): Promise<void>
