// Prints each mutant that no test notices as soon as it is known, and the share that the tests notice.
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { interval, keyOf } from './sample.mjs'
import { isTimeout } from './try-mutant.mjs'

class SummaryReporter {
  static inject = ['options']
  #options
  #counts = { noticed: 0, unnoticed: 0, undecided: 0 }
  #timeouts = []

  constructor(options) {
    this.#options = options
  }

  onMutantTested(result) {
    const kind = kinds[result.status]
    if (!kind) return
    this.#counts[kind]++
    const { noticed, unnoticed, undecided } = this.#counts
    const tried = noticed + unnoticed + undecided
    if (kind !== 'noticed') {
      const reason = kind === 'undecided' ? ` (${result.statusReason})` : ''
      console.log(`\n${result.status} [${tried}] ${describe(result)}${reason}`)
    } else if (result.status === 'Timeout' || isTimeout(result.statusReason)) {
      this.#timeouts.push(`${describe(result)}\n    ${firstLine(result.statusReason)}`)
    }
    if (tried % 25 === 0) console.log(`\n${this.#shareNoticed()}`)
  }

  onMutationTestReportReady() {
    if (this.#timeouts.length > 0) {
      console.log('\nNoticed by a timeout only, which proves little if the machine was busy:')
      console.log(this.#timeouts.map((line) => `  ${line}`).join('\n'))
    }
    console.log(`\n${this.#shareNoticed()}`)
  }

  #shareNoticed() {
    const { area, sample } = this.#options
    const { noticed, unnoticed, undecided } = this.#counts
    const size = noticed + unnoticed
    const { low, high } = interval(noticed, size)
    const estimate = sample
      ? `(95 % confidence: ${percent(low)} to ${percent(high)}; ${size + undecided} of ${sample.total} mutants, seed ${sample.seed})`
      : `(${size} mutants)`
    return (
      `${area}: the tests notice ${percent(noticed / size)} ${estimate}. Noticed: ${noticed}, ` +
      `of which by a timeout: ${this.#timeouts.length}. Unnoticed: ${unnoticed}. Undecided: ${undecided}.`
    )
  }
}

const kinds = {
  Killed: 'noticed',
  Timeout: 'noticed',
  Survived: 'unnoticed',
  NoCoverage: 'unnoticed',
  RuntimeError: 'undecided',
}

/** Place and replacement of a mutant, on one line. Lines and columns count from 1, as in editors. */
function describe(mutant) {
  const { start, end } = mutant.location
  const place = { ...mutant, location: { start: fromOne(start), end: fromOne(end) } }
  return keyOf(place).replace(/\s+/g, ' ').slice(0, 300)
}

function fromOne({ line, column }) {
  return { line: line + 1, column: column + 1 }
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`
}

function firstLine(text = '') {
  return text.split('\n')[0]
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'summary', SummaryReporter)]
