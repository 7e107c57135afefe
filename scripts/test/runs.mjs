import { watch as watchFolder } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isBuildCurrent } from '../build-stamp.mjs'
import { hashFiles } from '../files.mjs'
import { affectedTests, changedFiles, findInputs, findUnitTests } from './affected.mjs'
import { findDependencies } from './bundle.mjs'
import { bundleBrowserTests } from './bundled-tests.mjs'
import { Passed } from './passed.mjs'
import { buildJob, checkJob, engineJobs, isSlow, perform, testJobs } from './plan.mjs'
import { quickJobs } from './quick-checks.mjs'
import { staticChecks } from './static-checks.mjs'
import { isNodeTest, listTestFiles, needsBuild, selectTestFiles } from './test-files.mjs'

/**
 * Runs every check and every test, without any cache, and on request also the tests in other engines than Chromium. Returns
 * the exit code.
 */
export async function runGate(withEngines = false) {
  const build = buildJob()
  const checks = staticChecks(false).map(checkJob)
  const files = listTestFiles()
  // All browsers load the same bundles.
  const browserBundles = await bundleBrowserTests(files.filter((file) => !isNodeTest(file)))
  const tests = await testJobs(files, build, { browserBundles })
  const engines = withEngines ? await engineJobs(['firefox', 'webkit'], build, { browserBundles }) : []
  return await perform([build, ...checks, ...tests, ...engines])
}

/**
 * Runs the checks of `npm run check`. Browser tests and slow unit tests run only if they depend on a file that differs from
 * main. Returns the exit code.
 */
export async function runQuickChecks() {
  const files = listTestFiles()
  const dependencies = await findDependencies(files)
  const inputs = findInputs(files, dependencies)
  const unitTests = findUnitTests(files, dependencies)
  const quick = unitTests.filter((test) => !isSlow(test))
  const browserTests = files.filter((test) => !isNodeTest(test) && !needsBuild(test))
  const others = [...browserTests, ...unitTests.filter(isSlow)]
  const wanted = [...quick, ...affectedTests(others, changedFiles(), inputs)]
  const parts = new Map(wanted.map((test) => [test, { name: test, hash: hashFiles(inputs.get(test)) }]))
  const passed = new Passed()
  const left = wanted.filter((test) => !passed.has(parts.get(test)))
  console.log(`${left.length} of ${wanted.length} test files have changes since they passed.`)
  // Browser tests mostly wait, so more run at once than there are cores, beside one check at a time.
  const browsers = 4
  const tests = await testJobs(left, undefined, { browsers })
  for (const job of tests) job.parts = job.files.map((test) => parts.get(test))
  return await perform([...quickJobs(passed), ...tests], {
    places: Math.max(browsers + 1, availableParallelism()),
    onPassed: (job) => passed.add(job.parts ?? []),
  })
}

/** Runs the tests in files and folders, or those that changes since main affect. Returns the exit code. */
export async function runSelected(paths, isChanged) {
  const files = await select(paths, isChanged)
  if (files.length > 0) return await runFiles(files)
  console.log('No test depends on a file that differs from main.')
  return 0
}

async function select(paths, isChanged) {
  const files = paths.length > 0 ? selectTestFiles(paths) : listTestFiles()
  return isChanged ? await findAffected(files, changedFiles()) : files
}

/** Returns the tests that depend on one of the changed files. */
async function findAffected(tests, changed) {
  return affectedTests(tests, changed, findInputs(tests, await findDependencies(tests)))
}

/** Runs test files. Builds first if one of them needs it and the sources have changed since the last build. */
async function runFiles(files) {
  const build = files.some(needsBuild) && !isBuildCurrent() ? buildJob() : undefined
  return await perform([...(build ? [build] : []), ...(await testJobs(files, build))])
}

/** Runs tests, then runs those again that a change affects, until the process is ended. */
export async function watch(paths, isChanged) {
  let files = await select(paths, isChanged)
  let wakeUp = () => {}
  const changes = new Set()
  for (const folder of ['src', 'test', 'stories', 'docs', 'scripts', 'tools']) {
    watchFolder(folder, { recursive: true }, (_event, name) => {
      if (name) changes.add(`${folder}/${name.replaceAll('\\', '/')}`)
      wakeUp()
    })
  }
  for (;;) {
    if (files.length > 0) await runFiles(files)
    do {
      console.log('\nWaiting for changes. Press Ctrl+C to stop.')
      while (changes.size === 0) await new Promise((resolve) => (wakeUp = resolve))
      // An editor may write several files at once.
      await new Promise((resolve) => setTimeout(resolve, 200))
      const changed = [...changes]
      changes.clear()
      const selected = paths.length > 0 ? selectTestFiles(paths) : listTestFiles()
      files = await findAffected(selected, changed)
    } while (files.length === 0)
  }
}
