import type { Environment, VoidReason } from '../../contract/values.ts'
import {
  type EmulatorState,
  shareKey,
  type StoredFile,
  type StoredPackage,
  type StoredShare,
} from '../state/state.ts'
import { createBuilder, type PackagePlan, type Script } from './builder.ts'
import { seedKey } from '../state/seed-content.ts'
import { campusForms, campusOfficeRoutes, campusOffices, campusPositions } from './campus-forms.ts'
import { campusPeople, campusUnivid } from './campus-people.ts'
import { small } from './small.ts'

/**
 * The scenario `campus`: everything of `small`, and beside it five forms, three offices that route, forty people, and in
 * each environment one package for every situation that `campusPackages` names.
 */
export function campus(): EmulatorState {
  const state = small()
  for (const person of campusPeople) state.people.set(person.univid ?? '', { ...person })
  for (const office of campusOffices) state.offices.set(office.naturalKey, structuredClone(office))
  for (const [number, title] of campusPositions) state.positions.set(number, title)
  for (const route of campusOfficeRoutes) state.officeRoutes.set(route.routeId, structuredClone(route))

  const builder = createBuilder(state)
  for (const env of environments) {
    for (const form of campusForms()) state.forms[env].set(form.id, form)
    campusPackageNames.forEach((name, index) => {
      const { formId, packageId: id } = campusPackages[env][name]
      const initiator = campusInitiators[index % campusInitiators.length] ?? ''
      const first = firstPackage[env].at + index * packageInterval
      const at = new Date(first).toISOString().slice(0, 19)
      const { plan = {}, steps }: CampusStory = campusStories[name]
      const entry = { ...validEntries[formId]?.(initiator), ...plan.entry }
      const script = builder.script({
        initiator,
        subType: subTypes[formId] ?? null,
        ...plan,
        env,
        formId,
        id,
        at,
        entry,
      })
      steps?.(script, plan.initiator ?? initiator)
    })
    for (const file of campusFiles(env)) state.files[env].set(file.asset.uuid, file)
    for (const share of campusShares(env)) {
      const { ownerClientId, granteeClientId, fileAssetUuid } = share
      state.shares[env].set(shareKey(ownerClientId, granteeClientId, fileAssetUuid), share)
    }
  }
  builder.play()
  return state
}

const environments = ['test', 'prod'] as const satisfies readonly Environment[]

/** Where the packages of an environment begin, in numbers and in time. */
const firstPackage: Readonly<Record<Environment, { readonly id: number; readonly at: number }>> = {
  test: { id: 1001, at: Date.UTC(2026, 8, 2, 9, 12, 40) },
  prod: { id: 2001, at: Date.UTC(2026, 8, 1, 10, 47, 5) },
}

/** Time from one package to the next, in milliseconds: a day, five hours, and a little more. */
const packageInterval = 104_583_000

const campusAdministrator = campusUnivid(40)

/** Who initiates packages, in turn: one of them is restricted in the directory, one has one name only. */
const campusInitiators = [3, 4, 11, 19, 20, 32, 33, 34, 35, 36, 1].map(campusUnivid)

/** Valid entries by form. */
const validEntries: Readonly<Record<number, (initiator: string) => StoredPackage['entry']>> = {
  6101: (initiator) => ({
    candidate: 'Dr. Ìfẹ́olúwa Adébáyọ̀',
    start_date: '2027-01-04',
    posting: 'https://jobs.northfield.example/2026/117?lang=en',
    contact: 'jobs@northfield.example',
    weekly_hours: 39,
    salary: 68_250.75,
    instructions: null,
    supervisor: initiator,
    org: '20',
    department: '20-0200',
    sub_department: '20-0200-0001',
    position: '00034567',
  }),
  6102: (initiator) => ({
    event: '言語学ワークショップ',
    day: '2026-12-03',
    seats: 60,
    fee: 0,
    house_rules: null,
    host: initiator,
  }),
  6103: () => ({
    reason: 'Archive visit in Θεσσαλονίκη',
    first_day: '2026-12-07',
    last_day: '2026-12-18',
    department: '12-0100',
    substitute: campusUnivid(35),
  }),
  6104: () => ({
    sponsor: 'Fundación Río Abierto',
    amount: 1_249_999.99,
    until: '2029-12-31',
    call: 'https://fundacion.example/convocatorias/2026',
  }),
  6105: () => ({ item: 'Total station (surveying)', until: '2026-12-01', value: 8400 }),
}

/** Sub-type of a package whose plan names none, by form. */
const subTypes: Readonly<Record<number, string>> = { 6101: 'FACULTY', 6105: 'LONG' }

/** What happens to a package. */
interface CampusStory {
  readonly formId: number
  readonly plan?: Partial<Pick<PackagePlan, 'initiator' | 'state' | 'subType' | 'packageDetails' | 'entry'>>
  readonly steps?: (script: Script, initiator: string) => Script
}

const groupLeader = campusUnivid(28)
const head = campusUnivid(8)
const payroll = campusUnivid(21)
const clerk = campusUnivid(22)
const researchOffice = campusUnivid(26)

const returnForm = { name: 'Rückkehr – Heimreise.pdf', description: 'Signed after the journey' }
const agreement = { name: 'Convenio firmado.pdf', size: 2_481_002 }
const cv = { name: 'Lebenslauf Adébáyọ̀.pdf', size: 184_552 }

const toSecondStop = (script: Script) => script.wait('PT3H25M').sign(groupLeader)
const toLastStop = (script: Script) => toSecondStop(script).wait('P1DT2H').sign(head)
const toEnd = (script: Script) =>
  toLastStop(script).attach(32, returnForm, groupLeader).wait('P1DT40M').sign(payroll)

const arabic = 'يرجى تصحيح تاريخ البدء (2027-01-04) ثم إعادة الإرسال. شكرًا لكم!'
const hebrew = 'ראיתי את הטופס. הסכום 8,400 ₪ נראה לי נכון, אבל חסרה חתימה של Payroll.'
const long = Array.from(
  { length: 12 },
  (_, index) =>
    `${index + 1}. The absence overlaps with the examinations of the winter term, so the department has to name a ` +
    'second examiner for every course, and the substitute has to be told in writing.',
).join('\n')

/**
 * One story for each situation. Their order decides the ids: new ones go to the end, so that addresses stay what they
 * are.
 */
const campusStories = {
  preRouting: { formId: 6103, plan: { state: 'PRE_ROUTING' } },
  /** Its required attachment is not there yet. */
  preRoutingWithoutAttachment: { formId: 6101, plan: { state: 'PRE_ROUTING' } },
  /** Everything is there, and it could start. */
  preRoutingWithAttachment: {
    formId: 6104,
    plan: { state: 'PRE_ROUTING' },
    steps: (script, initiator) =>
      script
        .attach(42, agreement, initiator)
        .attach(41, { name: 'Presupuesto.xlsx', type: 'application/vnd.ms-excel' }, initiator),
  },
  removed: { formId: 6103, steps: (script) => toSecondStop(script).wait('2d').remove(campusAdministrator) },
  removedFromComplete: {
    formId: 6103,
    steps: (script) => toEnd(script).wait('1d').remove(campusAdministrator),
  },
  draft: { formId: 6101, plan: { state: 'DRAFT', subType: 'STAFF' } },
  draftOfFormBuilder: { formId: 6102, plan: { state: 'DRAFT' } },
  returnedToInitiator: {
    formId: 6103,
    steps: (script) => toSecondStop(script).wait('1d').returnToInitiator(arabic, head),
  },
  resubmitted: {
    formId: 6103,
    steps: (script) =>
      toSecondStop(script)
        .wait('1d')
        .returnToInitiator('Please add the name of your substitute.', head)
        .edit({ substitute: campusUnivid(34) }, campusAdministrator)
        .submit(),
  },
  atFirstStop: {
    formId: 6103,
    plan: {
      packageDetails:
        '<p>See <a href="https://hr.northfield.example/leave">the rules</a> for <b>leave</b>.</p>',
    },
  },
  atSecondStop: { formId: 6103, steps: toSecondStop },
  atLastStop: {
    formId: 6103,
    steps: (script) => toLastStop(script).attach(32, returnForm, groupLeader),
  },
  /** Approvers of all four permissions hold it. */
  atMixedStop: {
    formId: 6101,
    plan: { state: 'PRE_ROUTING' },
    steps: (script, initiator) =>
      script
        .attach(21, cv, initiator)
        .route()
        .wait('5h')
        .sign(campusUnivid(2))
        .wait('1d')
        .sign(campusUnivid(14))
        .wait('1d')
        .sign(campusUnivid(16))
        .sign(campusUnivid(10)),
  },
  frozen: {
    formId: 6104,
    plan: { state: 'PRE_ROUTING' },
    steps: (script, initiator) =>
      script.attach(42, agreement, initiator).route().wait('5h').sign(researchOffice),
  },
  unfrozen: {
    formId: 6104,
    plan: { state: 'PRE_ROUTING' },
    steps: (script, initiator) =>
      script
        .attach(42, agreement, initiator)
        .route()
        .wait('5h')
        .sign(researchOffice)
        .wait('PT2M')
        .unfreeze('demo-app'),
  },
  /** The last signature is refused until someone uploads the return form. */
  waitingForAttachment: { formId: 6103, steps: toLastStop },
  /** In nobody's inbox: it completes as soon as its attachment is there. */
  waitingForNothingButAttachment: { formId: 6105, plan: { subType: 'SHORT' } },
  overrideChange: {
    formId: 6103,
    steps: (script) => toSecondStop(script).override(head, campusUnivid(1), 'CHANGE'),
  },
  overrideDelegate: {
    formId: 6103,
    steps: (script) => script.override(groupLeader, campusUnivid(35), 'DELEGATE'),
  },
  /** One of each type, and a third that is not active any more. */
  overridesOfBothTypes: {
    formId: 6103,
    steps: (script) =>
      script
        .override(groupLeader, campusUnivid(1), 'DELEGATE')
        .sign(campusUnivid(1))
        .override(head, campusUnivid(9), 'CHANGE')
        .override(payroll, campusUnivid(6), 'DELEGATE')
        .deactivateOverride(payroll),
  },
  complete: { formId: 6103, steps: toEnd },
  completeByAutoSign: {
    formId: 6102,
    steps: (script) => script.wait('2h').sign(campusUnivid(23)).wait('1d').sign(campusUnivid(25)),
  },
  returnedToRouting: { formId: 6103, steps: (script) => toEnd(script).wait('3d').returnTo(clerk) },
  completeAgain: {
    formId: 6103,
    steps: (script) => toEnd(script).wait('3d').returnTo(campusUnivid(10)).wait('1d').sign(campusUnivid(10)),
  },
  voidDuplicate: voided('DUPLICATE_TRANSACTION', toSecondStop),
  voidIncorrectForm: voided('INCORRECT_FORM'),
  voidCancelled: voided('TRANSACTION_CANCELLED', toLastStop),
  voidDenied: voided('TRANSACTION_DENIED', toSecondStop),
  voidDuplicateAfter: voided('DUPLICATE_TRANSACTION', toEnd),
  voidIncorrectFormAfter: voided('INCORRECT_FORM', toEnd),
  voidCancelledAfter: voided('TRANSACTION_CANCELLED', toEnd),
  voidDeniedAfter: voided('TRANSACTION_DENIED', toEnd),
  /** A lock waits below the void. */
  voidWhileFrozen: {
    formId: 6104,
    plan: { state: 'PRE_ROUTING' },
    steps: (script, initiator) =>
      script
        .attach(42, agreement, initiator)
        .route()
        .sign(researchOffice)
        .void('TRANSACTION_CANCELLED', researchOffice),
  },
  unvoided: {
    formId: 6103,
    steps: (script) =>
      toSecondStop(script).void('INCORRECT_FORM', head).wait('1d').unvoid(campusAdministrator),
  },
  unvoidedComplete: {
    formId: 6103,
    steps: (script) =>
      toEnd(script).void('TRANSACTION_DENIED', campusAdministrator).wait('1d').unvoid(campusAdministrator),
  },
  restarted: {
    formId: 6103,
    steps: (script) =>
      toLastStop(script).wait('1d').edit({ last_day: '2026-12-23' }, campusAdministrator).restart(),
  },
  reinitiated: {
    formId: 6103,
    steps: (script) =>
      toSecondStop(script).wait('1d').remove(campusAdministrator).wait('1d').reinitiate(campusAdministrator),
  },
  /** Comments for everyone and for approvers only, deleted ones, very long ones, and some from right to left. */
  commented: {
    formId: 6103,
    steps: (script, initiator) =>
      toSecondStop(script)
        .comment('✓', groupLeader)
        .comment(hebrew, campusUnivid(12))
        .comment(arabic, campusUnivid(10), { approversOnly: true })
        .comment(long, head)
        .comment('Posted by mistake.', initiator, { isDeleted: true })
        .comment('Not for the initiator: the budget is spent.', head, {
          approversOnly: true,
          isDeleted: true,
        })
        .comment('<b>This</b> is text & no markup 👩🏽‍🏫', campusUnivid(39))
        .comment('Checked against the calendar.', 'demo-app'),
  },
  /** An application, not a person, is its initiator. */
  initiatedByApplication: { formId: 6103, plan: { initiator: 'demo-app' }, steps: toSecondStop },
  /** Its initiator has left, and the directory says so. */
  initiatedByInactive: { formId: 6102, plan: { initiator: campusUnivid(38) } },
  /** Complete without the office of its department, which opts out. */
  officeOptedOut: {
    formId: 6101,
    plan: {
      state: 'DRAFT',
      subType: 'STAFF',
      entry: { department: '30-0300', org: '30', sub_department: null },
    },
    steps: (script, initiator) =>
      script
        .attach(21, cv, initiator)
        .attach(22, { name: 'リファレンス.docx', type: 'application/msword' }, initiator)
        .submit()
        .wait('4h')
        .sign(campusUnivid(2))
        .wait('1d')
        .sign(campusUnivid(7)),
  },
  /** Its department's office has no chance to opt out, and it leads through it. */
  routeOfOtherDepartment: {
    formId: 6103,
    plan: { entry: { department: '30-0300' } },
    steps: toSecondStop,
  },
} as const satisfies Readonly<Record<string, CampusStory>>

/** Name of a situation that a package of the scenario `campus` is in. */
export type CampusPackageName = keyof typeof campusStories

const campusPackageNames = Object.keys(campusStories) as CampusPackageName[]

/** Where each package of the scenario `campus` is found. */
export const campusPackages = {
  test: packageAddresses('test'),
  prod: packageAddresses('prod'),
} as const

function packageAddresses(
  env: Environment,
): Readonly<Record<CampusPackageName, { readonly formId: number; readonly packageId: number }>> {
  const pairs = campusPackageNames.map((name, index) => {
    return [name, { formId: campusStories[name].formId, packageId: firstPackage[env].id + index }]
  })
  return Object.fromEntries(pairs) as Record<CampusPackageName, { formId: number; packageId: number }>
}

function voided(reason: VoidReason, before: (script: Script) => Script = (script) => script): CampusStory {
  return { formId: 6103, steps: (script) => before(script).wait('1d').void(reason, campusAdministrator) }
}

/**
 * Files that have ended, one by its date and one by deletion, and one whose content the object store has lost.
 */
function campusFiles(env: Environment): StoredFile[] {
  const day = 86_400_000
  const number = env === 'test' ? 1 : 2
  const rows = [
    {
      filename: 'Протокол 2026-09.pdf',
      contentType: 'application/pdf',
      uploadedAt: Date.UTC(2026, 8, 3),
      days: 7,
    },
    { filename: 'deleted.txt', contentType: 'text/plain', uploadedAt: Date.UTC(2026, 8, 4), isDeleted: true },
    { filename: 'lost.png', contentType: 'image/png', uploadedAt: Date.UTC(2026, 9, 5) },
  ]
  return rows.map(({ filename, contentType, uploadedAt, days, isDeleted = false }, index) => {
    // The test deployment keeps nothing for longer than 30 days.
    const lifetime = days ?? (env === 'test' ? 30 : undefined)
    const expiresAt = lifetime === undefined ? null : uploadedAt + lifetime * day
    return {
      asset: {
        uuid: `5eed0000-0000-4000-8000-00000000${number}00${index + 1}`,
        filename,
        fileSize: 10_240 * (index + 1),
        contentType,
        uploadDate: fileTimestamp(uploadedAt),
        expirationDate: expiresAt === null ? null : fileTimestamp(expiresAt),
        metadata: { scenario: 'campus', kind: contentType },
      },
      owner: 'demo-app',
      object: seedKey(100 * number + index),
      uploadedAt,
      expiresAt,
      isDeleted,
    }
  })
}

/** One client may read every file of another, and one file is shared on its own. */
function campusShares(env: Environment): StoredShare[] {
  const [, , lost] = campusFiles(env)
  return [
    {
      ownerClientId: 'demo-app',
      granteeClientId: 'partner-app',
      fileAssetUuid: null,
      type: 'ALL_FILES',
      createdAt: '2026-09-02T08:00:00',
    },
    {
      ownerClientId: 'demo-app',
      granteeClientId: 'storage-admin',
      fileAssetUuid: lost?.asset.uuid ?? null,
      type: 'SINGLE_FILE',
      createdAt: '2026-10-05T08:00:00',
    },
  ]
}

/** An instant as file records state it. */
function fileTimestamp(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 23)}000`
}
