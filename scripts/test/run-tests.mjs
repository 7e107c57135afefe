import { runNode } from './child.mjs'

/**
 * The result of a check or of test files.
 *
 * @typedef {object} Result
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly { name: string, text: string }[]} failures
 */

/** Runs a check, such as a linter: it passes if its exit code is 0. Returns a `Result`. */
export async function runCheck(args) {
  const ended = await runNode(args, { timeLimit: 600 })
  const isPassed = ended.code === 0
  const failures = isPassed ? [] : [{ name: '', text: ended.output + explain(ended) }]
  return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0, failures }
}

const reporterUrl = new URL('reporter.mjs', import.meta.url).href

/** Runs one bundled Node test file, with the variable `ENGINE` if it is given. Returns a `Result`. */
export async function runNodeFile(bundle, engine) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures = []
  let started = ''
  const onMessage = ({ started: name, finished, outcome, error }) => {
    if (name !== undefined) started = name
    if (outcome in counts) counts[outcome]++
    if (outcome === 'failed') failures.push({ name: finished, text: error })
  }
  const reporter = [`--test-reporter=${reporterUrl}`, '--test-reporter-destination=stdout']
  const ended = await runNode(['--enable-source-maps', ...reporter, bundle], {
    onMessage,
    env: engineVariable(engine),
    // Installing packages in a hook may take minutes on a busy machine.
    timeLimit: 300,
  })
  const isIncomplete = ended.code !== 0 && counts.failed === 0
  const isEmpty = counts.passed + counts.failed + counts.skipped === 0
  if (isIncomplete || isEmpty || ended.isHanging) {
    counts.failed++
    const reason = isEmpty && ended.code === 0 ? 'The file contains no tests.' : explain(ended, started)
    failures.push({ name: started, text: reason })
  }
  // The output of the file may explain why a test failed.
  if (failures.length > 0 && ended.output.trim()) failures.push({ name: 'output', text: ended.output })
  return { ...counts, failures }
}

/**
 * Runs browser test files in one browser: Chromium, or that of `engine`. `pages` are lists of files that share a page, one page
 * after the other. `bundles` is the folder of their bundles. With `title`, runs only the tests whose titles contain it. Calls `onFile`
 * after each page, with its first file. Returns a `Result`.
 */
export async function runBrowserFiles(pages, bundles, onFile, { engine, title } = {}) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const onMessage = (message) => {
    for (const name of Object.keys(counts)) counts[name] += message[name]
    onFile(message)
  }
  // Tests that compare a page with a recording record it again.
  const update = process.env.UPDATE ? ['--update-snapshots'] : []
  const ended = await runNode(
    ['node_modules/@web/test-runner/dist/bin.js', ...update, '--files', ...pages.map(([file]) => file)],
    {
      onMessage,
      env: {
        ...engineVariable(engine),
        ...(title && { TITLE: title }),
        PAGES: JSON.stringify(pages),
        BUNDLES: bundles,
      },
      // The runner ends a file that hangs by itself, and names it.
      timeLimit: 300,
    },
  )
  const isEmpty = counts.passed + counts.failed === 0
  if (isEmpty || (ended.code !== 0 && counts.failed === 0)) counts.failed++
  const failures = counts.failed > 0 ? [{ name: '', text: withoutCursor(ended.output) + explain(ended) }] : []
  return { ...counts, failures }
}

function engineVariable(engine) {
  return engine && { ENGINE: engine }
}

function explain({ code, isHanging, timeLimit }, started = '') {
  if (isHanging)
    return `Nothing happened for ${timeLimit} seconds${started && ` in "${started}"`}, so it was ended.`
  return `It ended with exit code ${code}.`
}

/** Removes the sequences with which a program moves the cursor of a terminal. */
function withoutCursor(output) {
  return output.replace(/\u001b\[\d*[A-JL]|\u001b\[2K/g, '')
}
