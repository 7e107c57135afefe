import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { formatted } from '../../scripts/format.mjs'

/** How a test ended. `missing`: no test has this name. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'missing'

export interface FaultResult {
  /** Day of the run, as `YYYY-MM-DD`. */
  readonly date: string
  /** The outcomes of its proofs, in the order of the table. */
  readonly proofs: readonly Outcome[]
  /** Whether the test of the control fails without the defence, or how it ended with the defence if it did not pass. */
  readonly control: 'noticed' | 'not noticed' | Outcome
}

/** A figure of the laboratory. */
export interface Figure {
  readonly date: string
  /** What was run and for how long, in plain words. */
  readonly run: string
  readonly rows: readonly Readonly<Record<string, string | number>>[]
  /** Sentences about what was found. */
  readonly findings: readonly string[]
}

/** A figure that was measured now, and whether it is as good as it has to be. */
export interface Measured extends Omit<Figure, 'date'> {
  readonly isFine: boolean
}

/** The sizes of a measurement, from the command line. */
export interface Sizes {
  readonly runs: number
  readonly seconds: number
  readonly count: number
}

export interface Results {
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, FaultResult>>
  readonly figures: Readonly<Record<string, Figure>>
}

const file = new URL('results.json', import.meta.url)

export function readResults(): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results
}

/** Adds results to those of earlier runs. */
export async function saveResults(
  added: Pick<Partial<Results>, 'faults' | 'figures'>,
  versions: Results['versions'],
): Promise<void> {
  const before = readResults()
  const results: Results = {
    machine: machineInWords(),
    versions: { ...before.versions, ...versions },
    faults: sorted({ ...before.faults, ...added.faults }),
    figures: sorted({ ...before.figures, ...added.figures }),
  }
  writeFileSync(file, await formatted('results.json', JSON.stringify(results)))
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b)))
}

function machineInWords(): string {
  const gigabytes = Math.round(totalmem() / 1024 ** 3)
  return `a virtual machine with ${availableParallelism()} cores and ${gigabytes} GB of memory, which other work shared`
}

/** Today, as `YYYY-MM-DD`. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}
