// Keeps StrykerJS from trying mutants outside the sample, which count neither as noticed nor as unnoticed, and has it try
// those of the sample in the order of the draw. So the first of them are a random sample too, if a run is stopped early.
import { CheckStatus } from '@stryker-mutator/api/check'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { keyOf } from './sample.mjs'

class SampleChecker {
  static inject = ['options']
  /** Position in the draw by key of a mutant. */
  #positions

  constructor({ sample }) {
    this.#positions = new Map(sample.keys.map((key, position) => [key, position]))
  }

  async init() {}

  async group(mutants) {
    const positionOf = (mutant) => this.#positions.get(keyOf(mutant)) ?? Infinity
    const inside = mutants.filter((mutant) => positionOf(mutant) < Infinity)
    const outside = mutants.filter((mutant) => positionOf(mutant) === Infinity)
    const drawn = inside.sort((a, b) => positionOf(a) - positionOf(b))
    return [...drawn.map(({ id }) => [id]), outside.map(({ id }) => id)].filter((ids) => ids.length > 0)
  }

  async check(mutants) {
    const outside = { status: CheckStatus.CompileError, reason: 'Not in the sample.' }
    const results = mutants.map((mutant) => [
      mutant.id,
      this.#positions.has(keyOf(mutant)) ? { status: CheckStatus.Passed } : outside,
    ])
    return Object.fromEntries(results)
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)]
