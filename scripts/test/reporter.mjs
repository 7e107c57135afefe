// A reporter for node:test: sends each result to the process that started the file (see run-tests.mjs).
import { inspect } from 'node:util'

// Some tests start `src/cli/main.ts` with fork(), which passes these arguments on.
process.execArgv = ['--import', 'tsx']

export default async function* sendResults(events) {
  // A reporter has to be a generator; this one prints nothing.
  yield ''
  const names = []
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') send({ started: data.name })
    if (type === 'test:start') {
      names.length = data.nesting
      names[data.nesting] = data.name
    }
    if (type === 'test:pass' || type === 'test:fail') {
      const parents = names.slice(0, data.nesting)
      const name = [...parents, data.name].filter(Boolean).join(' › ')
      const outcome = outcomeOf(type, data)
      const error = outcome === 'failed' ? inspectError(data.details.error) : undefined
      send({ finished: name, outcome, error })
    }
  }
}

/** Returns `suite` for a suite, which does not count, unless it failed by itself: in a hook, for example. */
function outcomeOf(type, { skip, todo, details }) {
  const isSuite = details.type === 'suite'
  if (type === 'test:fail' && todo === undefined) {
    return isSuite && details.error?.failureType === 'subtestsFailed' ? 'suite' : 'failed'
  }
  if (isSuite) return 'suite'
  return skip !== undefined || todo !== undefined ? 'skipped' : 'passed'
}

function inspectError(error) {
  // Node wraps what a test throws.
  return inspect(error?.failureType === 'testCodeFailure' ? error.cause : error, { depth: 5 })
}

function send(message) {
  if (process.connected) process.send(message)
}
