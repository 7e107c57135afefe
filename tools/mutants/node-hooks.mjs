// Loaded before a test file by node-runner.mjs: notes which test reaches which mutant, and how each test ended.
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach } from 'node:test'

const { report, activeMutant, hitLimit, setup, bail } = JSON.parse(process.env.ROUTESLIP_MUTATE)
const file = setup.slice(0, -'#setup'.length)
const stryker = {
  activeMutant,
  hitLimit,
  hitCount: hitLimit === undefined ? undefined : 0,
  currentTestId: setup,
}
globalThis.__stryker__ = stryker

const results = []
const starts = new Map()
const idOf = (test) => `${file} ${test.fullName}`

beforeEach((test) => {
  stryker.currentTestId = idOf(test)
  starts.set(idOf(test), performance.now())
})

afterEach((test) => {
  stryker.currentTestId = setup
  const id = idOf(test)
  const timeSpentMs = performance.now() - (starts.get(id) ?? performance.now())
  const failure = test.error?.cause ?? test.error
  results.push({
    id,
    name: id,
    timeSpentMs,
    ...(test.passed ? { status: 0 } : { status: 1, failureMessage: String(failure?.message ?? failure) }),
  })
  if (bail && !test.passed) process.exit(1)
})

process.on('exit', () => {
  const isOverHitLimit = stryker.hitCount > hitLimit
  writeFileSync(report, JSON.stringify({ results, isOverHitLimit, mutantCoverage: stryker.mutantCoverage }))
})
