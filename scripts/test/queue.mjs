import { availableParallelism, cpus } from 'node:os'

/**
 * A part of a run.
 *
 * @typedef {object} Job
 * @property {string} name
 * @property {number} seconds How long it takes on an idle machine, roughly. Long jobs start first.
 * @property {readonly Job[]} [after] Jobs that have to end before it starts.
 * @property {(note: (text: string) => void) => Promise<unknown>} run Calls `note` with news of its progress.
 */

/**
 * Runs all jobs: at least as many at a time as there are cores, and more if the cores are idle, because many jobs mostly
 * wait. Calls `onStart`, `onNote` and `onEnd` for each.
 *
 * @param {readonly Job[]} jobs
 * @param {object} options
 * @param {(job: Job) => void} options.onStart
 * @param {(job: Job, text: string) => void} options.onNote
 * @param {(job: Job, result: unknown) => void} options.onEnd
 * @param {number} [options.cores]
 * @param {number | undefined} [options.places] The number of jobs that run at a time in the beginning.
 * @param {() => number} [options.idleShare] Returns the share of time that the cores have been idle since its last call.
 * @param {number} [options.interval] Milliseconds between two looks at the cores. A job needs that long to get going.
 * @returns {Promise<void>}
 */
export function runJobs(
  jobs,
  {
    onStart,
    onNote,
    onEnd,
    cores = availableParallelism(),
    places = cores,
    idleShare = createIdleShare(),
    interval = 2000,
  },
) {
  const waiting = [...jobs].sort((a, b) => b.seconds - a.seconds)
  const ended = new Set()
  let running = 0
  return new Promise((resolve, reject) => {
    const fail = (error) => {
      clearInterval(timer)
      reject(error)
    }
    const start = (job) => {
      waiting.splice(waiting.indexOf(job), 1)
      running++
      onStart(job)
      job
        .run((text) => onNote(job, text))
        .then((result) => {
          running--
          ended.add(job)
          onEnd(job, result)
          startMore()
        })
        .catch(fail)
    }
    const next = () => waiting.find(({ after = [] }) => after.every((other) => ended.has(other)))
    const startMore = () => {
      for (let job = next(); job && running < places; job = next()) start(job)
      if (ended.size < jobs.length) return
      clearInterval(timer)
      resolve()
    }
    const timer = setInterval(() => {
      const share = idleShare()
      if (share > idleEnough && running >= places) places = Math.min(running + 1, cores * maximumPerCore)
      else if (share < idleTooLittle) places = Math.max(places - 1, cores)
      startMore()
    }, interval)
    // Running jobs keep the process alive.
    timer.unref()
    startMore()
  })
}

/** Share of the time of all cores that has to be left for another job. */
const idleEnough = 0.15

/** Share of the time of all cores below which there is one job less as soon as one has ended. */
const idleTooLittle = 0.03

/** Limits the memory that jobs need, and how much browsers slow each other down when several start at once. */
const maximumPerCore = 3

/** Returns a function that returns the share of time that the cores have been idle since it was last called. */
function createIdleShare() {
  let before = coreTimes()
  return () => {
    const now = coreTimes()
    const share = (now.idle - before.idle) / Math.max(now.total - before.total, 1)
    before = now
    return share
  }
}

function coreTimes() {
  let idle = 0
  let total = 0
  for (const { times } of cpus()) {
    idle += times.idle
    total += Object.values(times).reduce((sum, time) => sum + time, 0)
  }
  return { idle, total }
}
