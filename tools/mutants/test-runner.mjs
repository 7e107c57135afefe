// Runs the tests of an area for StrykerJS: those for Node, which are quicker, and then those for the browser.
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { DryRunStatus, MutantRunStatus } from '@stryker-mutator/api/test-runner'
import { BrowserTestRunner } from './browser-runner.mjs'
import { NodeTestRunner } from './node-runner.mjs'

class TestRunner {
  static inject = ['options']
  #runners

  constructor(options) {
    this.#runners = [new NodeTestRunner(options), new BrowserTestRunner(options)]
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    for (const runner of this.#runners) await runner.init()
  }

  async dispose() {
    for (const runner of this.#runners) await runner.dispose()
  }

  async dryRun() {
    const tests = []
    const mutantCoverage = { static: {}, perTest: {} }
    for (const runner of this.#runners) {
      const run = await runner.dryRun()
      if (run.status !== DryRunStatus.Complete) return run
      tests.push(...run.tests)
      Object.assign(mutantCoverage.perTest, run.mutantCoverage.perTest)
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage }
  }

  async mutantRun(options) {
    let nrOfTests = 0
    for (const runner of this.#runners) {
      const run = await runner.mutantRun(options)
      nrOfTests += run.nrOfTests ?? 0
      if (run.status !== MutantRunStatus.Survived) return run
    }
    return { status: MutantRunStatus.Survived, nrOfTests }
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'tests', TestRunner)]
