/**
 * A part of a run.
 *
 * @typedef {object} Job
 * @property {string} name
 * @property {number} seconds How long it takes on an idle machine, roughly. Long jobs start first.
 * @property {number} load How many cores it keeps busy, roughly. A job that mostly waits has less than 1.
 * @property {readonly Job[]} [after] Jobs that have to end before it starts.
 * @property {(note: (text: string) => void) => Promise<unknown>} run Calls `note` with news of its progress.
 */

/**
 * Runs all jobs, as many at a time as keep `capacity` cores busy. Calls `onStart`, `onNote` and `onEnd` for each.
 *
 * @param {readonly Job[]} jobs
 */
export function runJobs(jobs, capacity, { onStart, onNote, onEnd }) {
  const waiting = [...jobs].sort((a, b) => b.seconds - a.seconds)
  const ended = new Set()
  let load = 0
  return new Promise((resolve, reject) => {
    const startMore = () => {
      if (ended.size === jobs.length) resolve()
      for (const job of [...waiting]) {
        const isReady = (job.after ?? []).every((other) => ended.has(other))
        // A job that needs more than there is runs alone.
        const fits = load === 0 || load + job.load <= capacity + 0.01
        if (!isReady || !fits) continue
        waiting.splice(waiting.indexOf(job), 1)
        load += job.load
        onStart(job)
        job
          .run((text) => onNote(job, text))
          .then((result) => {
            load -= job.load
            ended.add(job)
            onEnd(job, result)
            startMore()
          }, reject)
      }
    }
    startMore()
  })
}
