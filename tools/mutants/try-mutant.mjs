// Tries one mutant: runs the tests that reach it, the likeliest first, until one fails.
import { relative } from 'node:path'
import {
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import { filesToRun, setupOf } from './selection.mjs'

/** Whether a test failed because something took too long. */
export function isTimeout(message) {
  return /time(d )?out|deadline/i.test(message ?? '')
}

/**
 * Tries a mutant with one of the two runners. `run` runs the tests `ids` of a file; `durations` and `kills` are what the runner
 * knows about its files, and `kills` is updated. If they notice the mutant by a timeout
 * only, it runs them again without the mutant: on a busy machine, they may time out in any case.
 */
export async function tryMutant(
  { activeMutant, testFilter, hitLimit, sandboxFileName },
  { files, durations, kills, run },
) {
  const tests = []
  const mutated = relative(process.cwd(), sandboxFileName)
  for (const { file, ids } of filesToRun(mutated, testFilter, files, { durations, kills })) {
    // Generous: on a busy machine, a test that is only slow would count as one that has noticed the mutant.
    const limit = Math.max(60_000, (durations.get(file) ?? 0) * 8)
    const outcome = await run(file, { activeMutant: activeMutant.id, ids, hitLimit, limit })
    if (outcome.isOverHitLimit)
      return toMutantRunResult({ status: DryRunStatus.Timeout, reason: 'Hit limit reached' })
    if (outcome.isOverTime) {
      const control = await run(file, { ids, limit, bail: true })
      if (hasFailed(control)) return undecided(file)
      return toMutantRunResult({ status: DryRunStatus.Timeout, reason: `${file} took over ${limit} ms` })
    }
    const failed = failureOf(file, outcome)
    if (failed) {
      if (isTimeout(failed.failureMessage)) {
        const control = await run(file, {
          ids: failed.id === setupOf(file) ? ids : [failed.id],
          limit,
          bail: true,
        })
        if (hasFailed(control)) return undecided(file)
      }
      kills.set(`${mutated} ${file}`, (kills.get(`${mutated} ${file}`) ?? 0) + 1)
      return toMutantRunResult({ status: DryRunStatus.Complete, tests: [...tests, failed] })
    }
    tests.push(...outcome.results)
  }
  return toMutantRunResult({ status: DryRunStatus.Complete, tests })
}

function hasFailed(outcome) {
  return outcome.isOverTime || failureOf('', outcome) !== undefined
}

/** The first test that failed, or the failure of the file itself. */
function failureOf(file, { results, error }) {
  const failed = results.find(({ status }) => status === TestStatus.Failed)
  if (failed || !error) return failed
  return {
    id: setupOf(file),
    name: setupOf(file),
    status: TestStatus.Failed,
    failureMessage: error,
    timeSpentMs: 0,
  }
}

function undecided(file) {
  return { status: MutantRunStatus.Error, errorMessage: `${file} times out without the mutant too.` }
}
