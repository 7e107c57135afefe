import { voidReasons } from '../../contract/values/values.ts'
import type { EmulatorState } from '../state/state.ts'
import type { StoredPackage } from '../state/stored-packages.ts'
import { day, second } from '../clock.ts'
import { createBuilder, type PackagePlan, type Script } from './builder.ts'
import { small } from './small.ts'

/** Id of a package of form 6025 in `test` that was restarted so often that its history has 10,000 events. */
export const largeHistoryId = 10_001

/** Id of a package of form 6025 in `test` with 2,000 comments. */
export const manyCommentsId = 10_002

/**
 * Creates the scenario `large`: everything in `small`, and 5,000 packages of form 6025 in `test`, from id 10001. Most of
 * the older packages are complete, most of the younger ones are in routing.
 */
export function large(): EmulatorState {
  const state = small()
  const builder = createBuilder(state)
  const random = createRandom()

  for (let id = largeHistoryId; id < largeHistoryId + packageCount; id++) {
    const at =
      begin +
      (id - largeHistoryId) * averageInterval +
      Math.floor((random() * averageInterval) / second) * second
    const initiator = pick(largeInitiators, random)
    const plan = {
      env: 'test',
      formId: 6025,
      id,
      at: new Date(at).toISOString().slice(0, 19),
      initiator,
      entry: entryOf(initiator, random),
    } as const
    if (id === largeHistoryId) scriptLargeHistory(builder.script(plan))
    else if (id === manyCommentsId) scriptManyComments(builder.script(plan), random)
    else {
      const { start, steps } = chooseStory(at, random)
      const script = builder.script({ ...plan, ...(start && { state: start }) })
      steps?.(script, random)
    }
  }
  builder.play()
  return state
}

const packageCount = 5000
const begin = Date.UTC(2026, 7, 24, 6)
const end = Date.UTC(2026, 10, 12, 6)
const averageInterval = (end - begin) / packageCount

/** Packages that were created after this instant count as young. */
const youngAfter = end - 10 * day

const departmentAdministrator = '10000002'
const associateDean = '10000003'
const travelAdministrator = '10000009'
const largeInitiators = ['10000001', '10000001', '10000001', '10000008', '10000004', 'demo-app'] as const

interface LargeStory {
  /** Number of packages per thousand, among old and among young packages. */
  readonly weights: readonly [old: number, young: number]
  readonly start?: PackagePlan['state']
  readonly steps?: (script: Script, random: Random) => Script
}

const receiptFile = { name: 'receipt.pdf', size: 61_440 }

const signDepartment = (script: Script, random: Random) =>
  waitUpTo(script, random, 40).sign(departmentAdministrator)
const signAll = (script: Script, random: Random) =>
  waitUpTo(signDepartment(script, random).attach(2, receiptFile, departmentAdministrator), random, 60).sign(
    associateDean,
  )

const largeStories: readonly LargeStory[] = [
  { weights: [20, 60], start: 'PRE_ROUTING' },
  { weights: [15, 60], start: 'DRAFT' },
  { weights: [30, 400] },
  { weights: [40, 250], steps: signDepartment },
  { weights: [690, 80], steps: signAll },
  {
    weights: [25, 30],
    steps: (script, random) =>
      waitUpTo(script, random, 40).returnToInitiator(
        'Please say who pays for the journey.',
        departmentAdministrator,
      ),
  },
  {
    weights: [30, 20],
    start: 'DRAFT',
    steps: (script, random) =>
      signDepartment(script.attach(1, { name: 'itinerary.pdf' }, 'demo-app').submit(), random),
  },
  {
    weights: [50, 40],
    steps: (script, random) =>
      waitUpTo(script, random, 30).void(pick(voidReasons, random), departmentAdministrator),
  },
  {
    weights: [30, 10],
    steps: (script, random) => signAll(script, random).void(pick(voidReasons, random), travelAdministrator),
  },
  {
    weights: [20, 10],
    steps: (script, random) => signDepartment(script, random).remove(travelAdministrator),
  },
  {
    weights: [10, 10],
    steps: (script, random) =>
      signDepartment(script, random).remove(travelAdministrator).wait('2h').reinitiate(travelAdministrator),
  },
  { weights: [10, 10], steps: (script, random) => signAll(script, random).returnTo('10000004') },
  { weights: [20, 10], steps: (script, random) => signDepartment(script, random).restart() },
  { weights: [10, 10], steps: (script) => script.override(departmentAdministrator, '10000008', 'DELEGATE') },
]

function chooseStory(at: number, random: Random): LargeStory {
  let rest = random() * 1000
  const chosen = largeStories.find(({ weights: [old, young] }) => (rest -= at > youngAfter ? young : old) < 0)
  return chosen ?? { weights: [0, 0] }
}

/** Number of rounds in the longest history. In each, an approver signs, the next one receives, and the package is restarted. */
const rounds = 3333

function scriptLargeHistory(script: Script): void {
  // Each round has three events. One event precedes them.
  for (let round = 1; round < rounds; round++)
    script.wait('17m').sign(departmentAdministrator).wait('17m').restart()
  script.wait('17m').sign(departmentAdministrator).attach(2, receiptFile, departmentAdministrator)
}

function scriptManyComments(script: Script, random: Random): void {
  for (let number = 1; number <= 2000; number++) {
    const length = [1, 3, 8, 20, 60, 400][Math.floor(random() ** 2 * 6)] ?? 1
    const sentences = Array.from({ length }, () => pick(remarks, random))
    script.wait('50m').comment(`${number}. ${sentences.join(' ')}`, pick(authors, random), {
      approversOnly: random() < 0.2,
      isDeleted: random() < 0.05,
    })
  }
}

const authors = [
  '10000001',
  departmentAdministrator,
  associateDean,
  '10000004',
  travelAdministrator,
  'demo-app',
] as const

const remarks = [
  'Agreed.',
  'Who pays for the hotel?',
  'The dates overlap with the examinations.',
  'I have asked the travel office, and they will call back on Monday.',
  'Bitte die Quittung nachreichen.',
  'Voir la pièce jointe.',
  'من سيدفع؟',
  '了解しました。',
] as const

const purposes = [
  'Field work on river mussels',
  'Conference on freshwater ecology',
  'Visit to the archive',
  'Examination board',
  'Sampling at the estuary',
] as const

function entryOf(initiator: string, random: Random): StoredPackage['entry'] {
  const departure = new Date(end + Math.floor(random() * 200) * day).toISOString().slice(0, 10)
  return {
    purpose: pick(purposes, random),
    departure,
    website: null,
    contact: random() < 0.5 ? 'travel@northfield.example' : null,
    nights: Math.floor(random() * 14),
    cost: Math.round(random() * 400_000) / 100,
    notice: null,
    traveler: initiator === 'demo-app' ? null : initiator,
    org: '05',
    department: '05-0333',
    sub_department: null,
    position: random() < 0.3 ? '00012345' : null,
  }
}

/** Waits a random time of at most `hours` before the next step. */
function waitUpTo(script: Script, random: Random, hours: number): Script {
  return script.wait(`${1 + Math.floor(random() * hours * 60)}m`)
}

function pick<T>(values: readonly [T, ...T[]], random: Random): T {
  return values[Math.floor(random() * values.length)] ?? values[0]
}

/** Returns a number from 0 to 1 (exclusive). */
type Random = () => number

/** Creates a linear congruential generator, which returns the same numbers each time. */
function createRandom(): Random {
  let value = 6025
  return () => (value = (value * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296
}
