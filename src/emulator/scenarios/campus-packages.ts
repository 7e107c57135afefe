import type { VoidReason } from '../../contract/values/values.ts'
import type { StoredPackage } from '../state/stored-packages.ts'
import type { PackagePlan, Script } from './builder.ts'
import { campusUnivid } from './campus-people.ts'

const campusAdministrator = campusUnivid(40)

/** Functions that create a valid entry, by form. */
export const validEntries: Readonly<Record<number, (initiator: string) => StoredPackage['entry']>> = {
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

/** Default sub-types by form. */
export const subTypes: Readonly<Record<number, string>> = { 6101: 'FACULTY', 6105: 'LONG' }

/** The plan of a package and the steps after its creation. */
export interface CampusStory {
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

/** One story per situation. Their order determines the package ids: add new stories at the end. */
export const campusStories = {
  preRouting: { formId: 6103, plan: { state: 'PRE_ROUTING' } },
  /** Lacks a required attachment. */
  preRoutingWithoutAttachment: { formId: 6101, plan: { state: 'PRE_ROUTING' } },
  /** Ready to start routing. */
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
  /** In the inboxes of approvers with all four permissions. */
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
  /** The last signature is rejected until someone uploads the return form. */
  waitingForAttachment: { formId: 6103, steps: toLastStop },
  /** In no inbox. Completes when someone uploads the required attachment. */
  waitingForNothingButAttachment: { formId: 6105, plan: { subType: 'SHORT' } },
  overrideChange: {
    formId: 6103,
    steps: (script) => toSecondStop(script).override(head, campusUnivid(1), 'CHANGE'),
  },
  overrideDelegate: {
    formId: 6103,
    steps: (script) => script.override(groupLeader, campusUnivid(35), 'DELEGATE'),
  },
  /** One override of each type, and one that was deactivated. */
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
  /** VOID with a lock. */
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
  /** Public, approvers-only, deleted, very long and right-to-left comments. */
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
  /** The initiator is an application. */
  initiatedByApplication: { formId: 6103, plan: { initiator: 'demo-app' }, steps: toSecondStop },
  /** The initiator is no longer active. */
  initiatedByInactive: { formId: 6102, plan: { initiator: campusUnivid(38) } },
  /** Complete. The office of the department has opted out of its stop. */
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
  /** Routes through the office of the department, which cannot opt out of this form. */
  routeOfOtherDepartment: {
    formId: 6103,
    plan: { entry: { department: '30-0300' } },
    steps: toSecondStop,
  },
} as const satisfies Readonly<Record<string, CampusStory>>

/** Name of a situation in the scenario `campus`. */
export type CampusPackageName = keyof typeof campusStories

/** Names of the situations, in the order of the package ids. */
export const campusPackageNames = Object.keys(campusStories) as CampusPackageName[]

function voided(reason: VoidReason, before: (script: Script) => Script = (script) => script): CampusStory {
  return { formId: 6103, steps: (script) => before(script).wait('1d').void(reason, campusAdministrator) }
}
