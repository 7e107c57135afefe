import { relative } from 'node:path'
import { bundleNodeTests } from './bundle.mjs'
import { bundleBrowserTests } from './bundled-tests.mjs'
import { createProgress, describeCounts } from './progress.mjs'
import { runJobs } from './queue.mjs'
import { runBrowserFiles, runCheck, runNodeFile } from './run-tests.mjs'
import { dependsOnEngine, engineTag, isNodeTest, listTestFiles, needsBuild } from './test-files.mjs'

/** Seconds that the slowest test files take on an idle machine. */
const slowFiles = {
  'test/cli/command/conformance.node.test.ts': 18,
  'test/cli/command/emulator.node.test.ts': 25,
  'test/cli/command/proxy.node.test.ts': 15,
  'test/client/client.test.ts': 4,
  'test/client/live/live-stream.test.ts': 14,
  'test/client/sharing.test.ts': 8,
  'test/client/uploads/uploads.test.ts': 5,
  'test/conformance/conformance.node.test.ts': 15,
  'test/contract/responses.node.test.ts': 12,
  'test/docs/accessibility.node.test.ts': 120,
  'test/docs/examples.node.test.ts': 75,
  'test/e2e/demo.node.test.ts': 110,
  'test/e2e/downloads.node.test.ts': 12,
  'test/e2e/drop-in.node.test.ts': 25,
  'test/e2e/live.node.test.ts': 15,
  'test/e2e/new-request.node.test.ts': 20,
  'test/e2e/pages.node.test.ts': 12,
  'test/e2e/real-pages.node.test.ts': 30,
  'test/e2e/storybook.node.test.ts': 150,
  'test/ears/tree.node.test.ts': 25,
  'test/elements/fs-files/storage-element.test.ts': 6,
  'test/elements/fs-uploader.test.ts': 11,
  'test/elements/fs-uploader/storage-status.test.ts': 6,
  'test/elements/geometry.test.ts': 4,
  'test/elements/notices/outage.test.ts': 17,
  'test/elements/package-markup.test.ts': 4,
  'test/elements/reflow.test.ts': 4,
  'test/elements/wf-attachments.test.ts': 18,
  'test/elements/wf-comments.test.ts': 9,
  'test/elements/wf-comments/rendering.test.ts': 4,
  'test/elements/wf-form/documents.test.ts': 4,
  'test/elements/wf-form/form-content.test.ts': 12,
  'test/elements/wf-form/form-walk.node.test.ts': 20,
  'test/elements/wf-form/kills.test.ts': 17,
  'test/elements/wf-form/nothing-lost.test.ts': 6,
  'test/elements/wf-form/simultaneous-actions.test.ts': 12,
  'test/elements/wf-form/unknown-outcome.test.ts': 10,
  'test/elements/wf-history.test.ts': 6,
  'test/elements/wf-office/list.test.ts': 5,
  'test/elements/wf-office/markup.test.ts': 5,
  'test/elements/wf-overrides.test.ts': 4,
  'test/elements/wf-package-status/actions.test.ts': 6,
  'test/emulator/scenarios.node.test.ts': 22,
  'test/foreign/foreign-pages.node.test.ts': 60,
  'test/manifest/frameworks.node.test.ts': 22,
  'test/package/consumer.node.test.ts': 45,
  'test/proxy/callbacks/crash.node.test.ts': 25,
  'test/proxy/callbacks/kills.node.test.ts': 17,
  'test/proxy/cross-user.node.test.ts': 5,
  'test/proxy/fairness.node.test.ts': 25,
  'test/proxy/isolation.node.test.ts': 6,
  'test/proxy/node/send.node.test.ts': 5,
  'test/proxy/node/slow-downloads.node.test.ts': 8,
  'test/proxy/paths.node.test.ts': 5,
  'test/proxy/seeded-bugs.node.test.ts': 30,
  'test/stories/stories.test.ts': 14,
}

/** Browser tests of what happens before an element is defined. No other file may define it in their page. */
const filesBeforeDefinition = [
  'test/elements/configuration/configuration.test.ts',
  'test/elements/loading/early-page.test.ts',
  'test/elements/wf-form/form-controls.test.ts',
  'test/elements/wf-form/missing-documents.test.ts',
]

/** Whether a test file takes 5 seconds or more. */
export function isSlow(file) {
  return secondsOf(file) >= 5
}

function secondsOf(file) {
  // A Node test file starts a process, a browser test file only a page.
  return slowFiles[file] ?? (isNodeTest(file) ? 3 : 1)
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
 * between `browsers`. `browserBundles` is the folder of their bundles, if other jobs need it too.
 */
export async function testJobs(files, build, { browsers = 2, browserBundles } = {}) {
  const nodeFiles = files.filter(isNodeTest)
  const browserFiles = files.filter((file) => !isNodeTest(file))
  const bundles = await bundleNodeTests(nodeFiles)
  const folder = browserBundles ?? (await bundleBrowserTests(browserFiles))
  const nodeJobs = nodeFiles.map((file) => ({
    name: file,
    files: [file],
    seconds: secondsOf(file),
    after: build && needsBuild(file) ? [build] : [],
    run: () => runNodeFile(bundles.get(file)),
  }))
  return [...nodeJobs, ...browserJobs(browserFiles, folder, build, browsers)]
}

/** A second tab of a browser is hidden and draws no frames, so each job starts a browser of its own. */
function browserJobs(files, folder, build, browsers) {
  const shards = Array.from({ length: browsers }, () => ({ files: [], seconds: 0 }))
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const shortest = shards.reduce((a, b) => (b.seconds < a.seconds ? b : a))
    shortest.files.push(file)
    shortest.seconds += secondsOf(file)
  }
  return shards
    .filter((shard) => shard.files.length > 0)
    .map((shard) => ({
      ...shard,
      name: shard.files.length > 1 ? `${shard.files.length} files in a browser` : shard.files[0],
      after: build && shard.files.some(needsBuild) ? [build] : [],
      run: (note) => runPages(pagesOf(shard.files, true), folder, note),
    }))
}

/** Runs browser tests, with news of each page. */
async function runPages(pages, folder, note, options = {}) {
  const others = new Map(pages.map(([first, ...rest]) => [first, rest.length]))
  return await runBrowserFiles(
    pages,
    folder,
    ({ file, ...counts }) => {
      const name = relative('.', file)
      const more = others.get(name) ? ` and ${others.get(name)} more` : ''
      note(`${options.engine ? `${options.engine}: ` : ''}${name}${more}  ${describeCounts(counts)}`)
    },
    options,
  )
}

/**
 * Divides browser test files into pages: files share a page, because each page costs Firefox 0.8 s of a core, and Chromium 0.3 s.
 * With `isAll`, all of their tests run, so that slow ones need a page of their own.
 *
 * @param {readonly string[]} files
 * @param {boolean} [isAll]
 * @returns {readonly (readonly string[])[]}
 */
export function pagesOf(files, isAll = false) {
  const filesPerPage = isAll ? 8 : 16
  const quick = files.filter((file) => !(isAll && file in slowFiles) && !filesBeforeDefinition.includes(file))
  const others = files.filter((file) => !quick.includes(file))
  const shared = Array.from({ length: Math.ceil(quick.length / filesPerPage) }, (_, at) =>
    quick.slice(at * filesPerPage, (at + 1) * filesPerPage),
  )
  return [...others.map((file) => [file]), ...shared]
}

/**
 * Returns the jobs of other engines: the browser tests that depend on the engine and a walk of the demo, or all browser tests and the
 * pages of others too. They wait for `build`.
 */
export async function engineJobs(engines, build, { isAll = false, browserBundles } = {}) {
  const programs = ['test/engines/walk.ts', ...(isAll ? ['test/foreign/foreign-pages.node.test.ts'] : [])]
  const bundles = await bundleNodeTests(programs)
  // The markup of the stories is the same in all engines.
  const browserFiles = listTestFiles().filter(
    (file) => !isNodeTest(file) && !file.startsWith('test/stories/'),
  )
  const files = isAll ? browserFiles : browserFiles.filter(dependsOnEngine)
  const folder = browserBundles ?? (await bundleBrowserTests(files))
  const pages = pagesOf(files, isAll)
  const after = build ? [build] : []
  return engines.flatMap((engine) => [
    {
      name: `${engine}: ${files.length} files`,
      seconds: isAll ? 300 : 150,
      after,
      run: (note) => runPages(pages, folder, note, { engine, ...(!isAll && { title: engineTag }) }),
    },
    ...programs.map((program) => ({
      name: `${engine}: ${program}`,
      seconds: 60,
      after,
      run: () => runNodeFile(bundles.get(program), engine),
    })),
  ])
}

/**
 * Runs jobs, prints their progress and results, and returns the exit code. Calls `onPassed` with each job that passes.
 * `places` is the number of jobs that run at once in the beginning.
 */
export async function perform(jobs, { places, onPassed = () => {} } = {}) {
  const progress = createProgress(jobs.length)
  const onEnd = (job, result) => {
    progress.onEnd(job, result)
    if (result.failed === 0) onPassed(job)
  }
  await runJobs(jobs, { ...progress, places, onEnd })
  return progress.finish()
}
