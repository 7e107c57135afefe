import { relative } from 'node:path'
import { bundleNodeTests } from './bundle.mjs'
import { createProgress, describeCounts } from './progress.mjs'
import { runJobs } from './queue.mjs'
import { runBrowserFiles, runCheck, runNodeFile } from './run-tests.mjs'
import { isNodeTest, listTestFiles, needsBuild } from './test-files.mjs'

/** Seconds that the slowest test files take on an idle machine. All other files take a few seconds. */
const slowFiles = {
  'test/cli/command/conformance.node.test.ts': 75,
  'test/cli/data-directory.node.test.ts': 9,
  'test/cli/command/emulator.node.test.ts': 25,
  'test/cli/command/proxy.node.test.ts': 15,
  'test/cli/uploads.node.test.ts': 15,
  'test/conformance/conformance.node.test.ts': 15,
  'test/contract/responses.node.test.ts': 12,
  'test/docs/accessibility.node.test.ts': 120,
  'test/docs/examples.node.test.ts': 75,
  'test/ears/tree.node.test.ts': 25,
  'test/e2e/demo.node.test.ts': 110,
  'test/e2e/downloads.node.test.ts': 12,
  'test/e2e/drop-in.node.test.ts': 25,
  'test/e2e/live.node.test.ts': 15,
  'test/e2e/new-request.node.test.ts': 20,
  'test/e2e/pages.node.test.ts': 12,
  'test/e2e/real-pages.node.test.ts': 30,
  'test/e2e/storybook.node.test.ts': 150,
  'test/emulator/model.node.test.ts': 35,
  'test/emulator/scenarios.node.test.ts': 22,
  'test/manifest/frameworks.node.test.ts': 22,
  'test/package/consumer.node.test.ts': 45,
  'test/proxy/callbacks/crash.node.test.ts': 25,
  'test/proxy/callbacks/kills.node.test.ts': 17,
  'test/proxy/fairness.node.test.ts': 25,
  'test/proxy/seeded-bugs.node.test.ts': 30,
}

/** Whether a test file takes 20 seconds or more. */
export function isSlow(file) {
  return (slowFiles[file] ?? 0) >= 20
}

/** Returns the job of a check. */
export function checkJob({ name, seconds, args }) {
  return { name, seconds, run: () => runCheck(args) }
}

/** Returns the job that builds `dist` and `lib`. */
export function buildJob() {
  // Ahead of everything, because many tests wait for it.
  return { name: 'build', seconds: 1000, run: () => runCheck(['scripts/build.mjs']) }
}

/**
 * Returns the jobs of test files. Those that need a build wait for `build`, if there is one. Browser tests are divided
 * between `browsers`.
 */
export async function testJobs(files, build, browsers = 2) {
  const nodeFiles = files.filter(isNodeTest)
  const bundles = await bundleNodeTests(nodeFiles)
  const nodeJobs = nodeFiles.map((file) => ({
    name: file,
    files: [file],
    seconds: slowFiles[file] ?? 3,
    after: build && needsBuild(file) ? [build] : [],
    run: () => runNodeFile(bundles.get(file)),
  }))
  const browserFiles = files.filter((file) => !isNodeTest(file))
  return [...nodeJobs, ...browserJobs(browserFiles, build, browsers)]
}

/** A second tab of a browser is hidden and draws no frames, so each job starts a browser of its own. */
function browserJobs(files, build, browsers) {
  const shards = Array.from({ length: browsers }, (_, remainder) =>
    files.filter((_, index) => index % browsers === remainder),
  )
  return shards
    .filter((shard) => shard.length > 0)
    .map((shard) => ({
      files: shard,
      name: shard.length > 1 ? `${shard.length} files in a browser` : shard[0],
      seconds: 4 * shard.length,
      after: build && shard.some(needsBuild) ? [build] : [],
      run: (note) =>
        runBrowserFiles(shard, ({ file, ...counts }) =>
          note(`${relative('.', file)}  ${describeCounts(counts)}`),
        ),
    }))
}

/** Returns the jobs that run the browser tests and a walk of the demo in other engines. They wait for `build`. */
export async function engineJobs(engines, build) {
  const walk = 'test/engines/walk.ts'
  const bundles = await bundleNodeTests([walk])
  const files = listTestFiles().filter((file) => !isNodeTest(file))
  const after = build ? [build] : []
  return engines.flatMap((engine) => [
    {
      name: `${engine}: ${files.length} files`,
      seconds: 300,
      after,
      run: (note) =>
        runBrowserFiles(
          files,
          ({ file, ...counts }) => note(`${engine}: ${relative('.', file)}  ${describeCounts(counts)}`),
          engine,
        ),
    },
    {
      name: `${engine}: ${walk}`,
      seconds: 15,
      after,
      run: () => runNodeFile(bundles.get(walk), engine),
    },
  ])
}

/** Returns the jobs that run the plugin in WordPress, and the includes in their template engines. They wait for `build`. */
export async function stackJobs(build) {
  const files = ['wordpress', 'wordpress-failures', 'wordpress-network', 'templates'].map(
    (name) => `test/stacks/${name}.ts`,
  )
  const bundles = await bundleNodeTests(files)
  return files.map((file) => ({
    name: file,
    seconds: 100,
    after: build ? [build] : [],
    run: () => runNodeFile(bundles.get(file)),
  }))
}

/** Returns the jobs that listen to browsers as assistive technology does. They wait for `build`. */
export async function earsJobs(engines, build) {
  const file = 'test/ears/ears.ts'
  const bundles = await bundleNodeTests([file])
  const jobs = []
  for (const engine of engines) {
    jobs.push({
      name: `${engine}: ${file}`,
      seconds: 200,
      // The transcripts of the second engine are compared with those of the first.
      after: process.env.UPDATE && jobs.length > 0 ? [jobs[0]] : build ? [build] : [],
      run: () => runNodeFile(bundles.get(file), engine),
    })
  }
  return jobs
}

/**
 * Runs jobs, prints their progress and results, and returns the exit code. Calls `onPassed` with the test files of each job
 * that passes.
 */
export async function perform(jobs, { onPassed = () => {} } = {}) {
  const progress = createProgress(jobs.length)
  const onEnd = (job, result) => {
    progress.onEnd(job, result)
    if (result.failed === 0 && job.files) onPassed(job.files)
  }
  await runJobs(jobs, { ...progress, onEnd })
  return progress.finish()
}
