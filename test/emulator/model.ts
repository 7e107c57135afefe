import type { Environment, Permission } from '../../src/contract/values/values.ts'
import { scenarios } from '../../src/emulator/scenarios/index.ts'
import type { EmulatorState } from '../../src/emulator/state/state.ts'
import type { Form } from '../../src/emulator/state/stored-forms.ts'

// A second, simple implementation of the routing service, written from its spec. It shares no rules with the emulator, so that
// an error in one of them becomes visible as a difference.

export type State = 'PRE_ROUTING' | 'DRAFT' | 'ROUTING' | 'COMPLETE' | 'VOID'

/** The table of the spec (States and transitions). `held` is the state before the void. */
const table: Readonly<Record<string, Partial<Readonly<Record<State, State | 'held'>>>>> = {
  route: { PRE_ROUTING: 'ROUTING' },
  void: { ROUTING: 'VOID', COMPLETE: 'VOID' },
  unvoid: { VOID: 'held' },
  restart: { ROUTING: 'ROUTING' },
  return: { COMPLETE: 'ROUTING' },
  remove: { ROUTING: 'PRE_ROUTING', COMPLETE: 'PRE_ROUTING', VOID: 'PRE_ROUTING' },
  re_initiate: { PRE_ROUTING: 'ROUTING' },
  returnToInitiator: { ROUTING: 'DRAFT' },
  submit: { DRAFT: 'ROUTING' },
}

/** University ids of all people in the directory: initiator, three approvers, an outsider, an administrator. */
export const people = ['10000001', '10000002', '10000003', '10000004', '10000008', '10000009'] as const
const administrator = '10000009'
/** Clients. Nothing is hidden from them. */
export const applications = ['demo-app', 'partner-app'] as const
export const anyone = [...people, ...applications] as const
export type Anyone = (typeof anyone)[number]

/** Display names. */
export const names: Readonly<Record<string, string>> = {
  '10000001': 'Amara Okafor',
  '10000002': 'Daniel Reyes',
  '10000003': 'Mei-Ling Zhou',
  '10000004': 'Ruth Lindqvist',
  '10000008': 'Theo Marchetti',
  '10000009': 'Priya Raman',
  'demo-app': 'demo-app',
  'partner-app': 'partner-app',
}

type Destination = readonly [person: string, permission: Permission]

interface Stop {
  readonly who: readonly Destination[]
  readonly signsItself?: boolean
}

interface AttachmentRule {
  readonly id: number
  readonly isEarly?: boolean
  readonly isNeededToStart?: boolean
  readonly isNeededToComplete?: boolean
  readonly isPdf?: boolean
}

export interface ModelForm {
  readonly id: number
  readonly subTypes: readonly string[]
  readonly types: readonly AttachmentRule[]
  readonly route: (subType: string | null) => readonly Stop[]
}

const department: Stop = {
  who: [
    ['10000002', 'SIGNATURE_REQUIRED'],
    ['10000004', 'VIEW_ONLY'],
  ],
}
const college: Stop = { who: [['10000003', 'SIGNATURE_REQUIRED']] }
const review: Stop = {
  who: [
    ['10000004', 'SIGNATURE_PERMITTED'],
    ['10000003', 'VIEW_AND_EDIT'],
  ],
}

const forms: readonly ModelForm[] = [
  {
    id: 6025,
    subTypes: [],
    types: [
      { id: 1, isEarly: true, isPdf: true },
      { id: 2, isEarly: true, isNeededToComplete: true },
      { id: 3, isEarly: true },
    ],
    route: () => [department, college],
  },
  {
    id: 6026,
    subTypes: ['DOMESTIC', 'FOREIGN'],
    types: [
      { id: 11, isEarly: true, isNeededToStart: true },
      { id: 12, isPdf: true },
    ],
    route: (subType) =>
      subType === 'FOREIGN'
        ? [department, { who: [[administrator, 'SIGNATURE_REQUIRED']] }, college]
        : [department, college],
  },
  {
    id: 6027,
    subTypes: ['FULL', 'QUICK'],
    types: [{ id: 21, isEarly: true, isNeededToComplete: true }, { id: 22 }],
    route: (subType) =>
      subType === 'QUICK'
        ? [review]
        : [
            review,
            {
              who: [
                ['10000001', 'SIGNATURE_REQUIRED'],
                ['10000002', 'SIGNATURE_REQUIRED'],
              ],
              signsItself: true,
            },
            { who: [] },
            {
              who: [
                ['10000003', 'SIGNATURE_REQUIRED'],
                ['10000004', 'SIGNATURE_PERMITTED'],
                ['10000008', 'VIEW_AND_EDIT'],
              ],
            },
            { who: [['10000002', 'SIGNATURE_REQUIRED']], signsItself: true },
          ],
  },
]

const stateUrl = 'https://app.test/state'

/** Returns the scenario `small` with a third form, whose route has all features that the other forms lack, and with callbacks. */
export function seed(): EmulatorState {
  const state = scenarios.small()
  for (const env of ['test', 'prod'] as const) {
    const common = state.forms[env].get(6025)
    if (!common) throw new TypeError('The scenario has form 6025')
    const full = { subTypes: ['FULL'] }
    const review: Form = {
      ...common,
      id: 6027,
      name: 'Review',
      subTypes: ['FULL', 'QUICK'],
      fields: [{ naturalKey: 'note', kind: 'text', required: true }],
      attachmentTypes: [21, 22].map((id) => ({
        id,
        naturalKey: `type_${id}`,
        title: `Type ${id}`,
        visiblePreRouting: id === 21,
        requiredPreRouting: false,
        requiredBeforeComplete: id === 21,
        mimeTypeRestrictions: { pdf: false },
      })),
      route: [
        {
          name: 'Review',
          destinations: [
            { type: 'PERSON', univid: '10000004', permission: 'SIGNATURE_PERMITTED' },
            { type: 'PERSON', univid: '10000003', permission: 'VIEW_AND_EDIT' },
          ],
        },
        {
          ...full,
          name: 'Own',
          autoSign: true,
          destinations: [
            { type: 'PERSON', univid: '10000001', permission: 'SIGNATURE_REQUIRED' },
            { type: 'PERSON', univid: '10000002', permission: 'SIGNATURE_REQUIRED' },
          ],
        },
        {
          ...full,
          name: 'Vacant',
          destinations: [
            { type: 'OFFICE_ROLE', office: '05-0333', role: 'Nobody', permission: 'SIGNATURE_REQUIRED' },
          ],
        },
        {
          ...full,
          name: 'Pair',
          destinations: [
            { type: 'OFFICE_ROLE', office: '05-0333', role: 'Dean', permission: 'SIGNATURE_REQUIRED' },
            { type: 'PERSON', univid: '10000004', permission: 'SIGNATURE_PERMITTED' },
            { type: 'PERSON', univid: '10000008', permission: 'VIEW_AND_EDIT' },
          ],
        },
        {
          ...full,
          name: 'Last',
          autoSign: true,
          destinations: [{ type: 'PERSON', univid: '10000002', permission: 'SIGNATURE_REQUIRED' }],
        },
      ],
    }
    state.forms[env].set(review.id, review)
    for (const form of state.forms[env].values()) form.callbackUrl = stateUrl
  }
  return state
}

/** Returns all fields of a form. The first one is a required text. */
export function validEntry(form: ModelForm): Record<string, unknown> {
  if (form.id === 6026) return { item: 'Nets', price: 12.5, needed_by: null }
  if (form.id === 6027) return { note: 'Mussels' }
  const others = ['website', 'contact', 'nights', 'notice', 'traveler', 'org', 'department', 'sub_department']
  return {
    purpose: 'Field work',
    departure: '2026-12-07',
    cost: 100,
    position: null,
    ...Object.fromEntries(others.map((key) => [key, null])),
  }
}

export interface Comment {
  readonly comment: string
  readonly approversOnly: boolean
  state: 'ACTIVE' | 'INACTIVE'
}

interface Event {
  readonly class: string
  person: string | null
  readonly stop: number | null
  /** The remaining fields are null if the event is not a signature. */
  status: 'RECEIVED' | 'APPROVED' | 'BYPASSED_REMOVE' | null
  readonly permission: Permission | null
  /** The person whom the route names. */
  readonly subject: string | null
  isAutomatic: boolean | null
}

interface Override {
  readonly subjectUnivid: string
  readonly type: 'CHANGE' | 'DELEGATE'
  readonly reason: 'CONFLICT_OF_INTEREST'
  readonly replacementUnivid: string
}

export interface ModelPackage {
  readonly id: number
  readonly env: Environment
  readonly form: ModelForm
  readonly initiator: string
  subType: string | null
  state: State
  held: State | null
  isRemoved: boolean
  reason: string | null
  details: string | null
  entry: Readonly<Record<string, unknown>>
  routingDate: string
  /** Number of the stop that the package has reached. */
  stop: number
  isFrozen: boolean
  /** Index of the event with which the current round of signatures began. */
  round: number
  readonly events: Event[]
  readonly comments: (Comment & { readonly author: string })[]
  readonly uploads: number[]
  overrides: Override[]
  /** URL and state of each callback. */
  readonly callbacks: [string, string][]
  /** Kind and recipients of each mail. */
  readonly mail: [string, string[]][]
}

/** The sender of a request. */
interface Caller {
  readonly user: string
  readonly bypass: boolean
}

/** Status of the response, and the package that it created. */
export interface Outcome {
  readonly status: number
  readonly found?: ModelPackage
}

export type Model = ReturnType<typeof createModel>

/** Creates a model with the state of `seed()` at an instant. */
export function createModel(instant: number) {
  let now = instant
  let queuedAt = 0
  const form = forms[0]
  if (!form) throw new TypeError('There are forms')
  const first = empty(42, 'test', form, '10000001')
  first.state = 'ROUTING'
  first.routingDate = '2026-11-16T09:42:10'
  first.stop = 1
  first.entry = {
    purpose: 'Annual meeting of the Society for Freshwater Science',
    departure: '2027-05-14',
    website: 'https://rivers.example/2026',
    contact: 'amara-okafor@northfield.example',
    nights: 4,
    cost: 1250.5,
    notice: null,
    traveler: '10000001',
    org: '05',
    department: '05-0333',
    sub_department: '05-0333-0001',
    position: '00012345',
  }
  first.events.push(plain('initiation', '10000001', 0), ...department.who.map((each) => signature(each, 1)))

  const model = {
    forms,
    packages: [first],
    /** URLs of callbacks, by environment, form and stop. */
    stops: new Map<string, string | null>(),
    /** Number of callbacks that wait for their batch, and of those that were sent. */
    queued: 0,
    delivered: 0,

    pending: (found: ModelPackage) => (found.state === 'ROUTING' ? held(found) : []),

    /** Returns person, permission and stop number of each future signature. */
    future(found: ModelPackage): [string, Permission, number][] {
      if (found.state === 'COMPLETE' || found.state === 'VOID') return []
      const reached = found.isFrozen ? found.stop - 1 : found.stop
      return routeOf(found).flatMap(({ who }, index) =>
        index < reached
          ? []
          : who.map(([person, permission]): [string, Permission, number] => [
              holder(found, person),
              permission,
              index + 1,
            ]),
      )
    },

    /** Returns the names of the flags that are true. */
    actions(found: ModelPackage, user: string): string[] {
      const override = found.overrides.find(({ subjectUnivid }) => subjectUnivid === user)?.type
      if (override === 'CHANGE') return []
      const isOver = user === administrator || applications.some((each) => each === user)
      const views = isOver || user === found.initiator || isApprover(found, user)
      if (!views) return []
      if (override === 'DELEGATE') return ['canView']

      const mine = model.pending(found).filter(({ person }) => person === user)
      const has = (...permissions: Permission[]) =>
        mine.some(({ permission }) => permission !== null && permissions.includes(permission))
      const signs = has('SIGNATURE_REQUIRED', 'SIGNATURE_PERMITTED')
      const isRouting = found.state === 'ROUTING'
      const isEarly = found.state === 'PRE_ROUTING' || found.state === 'DRAFT'
      const flags: Readonly<Record<string, boolean>> = {
        canView: true,
        canEdit: isRouting
          ? isOver || signs || has('VIEW_AND_EDIT')
          : isEarly && (isOver || user === found.initiator),
        canSign: signs,
        canVoid: isRouting && (isOver || has('SIGNATURE_REQUIRED')),
        canInitiatorVoid: isRouting && user === found.initiator,
        canAddApprover: isRouting && (isOver || signs),
        canVoidAfter: found.state === 'COMPLETE' && isOver,
        signatureId: mine.length > 0,
      }
      return Object.keys(flags).filter((flag) => flags[flag])
    },

    /** Texts of the comments that a person may read. Undefined if the person may not read any. */
    commentsFor(found: ModelPackage, user: string): string[] | undefined {
      if (!maySee(found, { user, bypass: false })) return undefined
      const readsAll = user === administrator || isApprover(found, user)
      return found.comments
        .filter(({ approversOnly, author }) => !approversOnly || readsAll || author === user)
        .map(({ comment }) => comment)
    },

    create({
      env,
      form,
      state,
      subType,
      entry,
      user,
      details,
    }: {
      readonly env: Environment
      readonly form: ModelForm
      readonly state: State
      readonly subType: string | null
      readonly entry: Readonly<Record<string, unknown>>
      readonly user: string
      readonly details: string | null
    }): Outcome {
      const fits = form.subTypes.length > 0 ? form.subTypes.includes(subType ?? '') : subType === null
      if (!fits || Object.keys(entry).length === 0) return { status: 400 }
      const found = empty(999 + model.packages.length, env, form, user)
      if (state === 'ROUTING' && lacks(found, 'isNeededToStart')) return { status: 409 }
      found.subType = subType
      found.entry = entry
      found.details = details || null
      found.routingDate = stamp()
      found.state = state === 'DRAFT' ? 'DRAFT' : 'PRE_ROUTING'
      model.packages.push(found)
      if (state === 'ROUTING') start(found, user, 'initiation')
      return { status: 200, found }
    },

    route(
      found: ModelPackage,
      {
        user,
        bypass,
        subType,
        details,
      }: Caller & { readonly subType: string | null; readonly details: string | null },
    ): number {
      const isApplication = applications.some((each) => each === user)
      const isInitiator = user === found.initiator && !isOverridden(found, user)
      if (!isApplication && !isInitiator && !bypass) return 403
      if (!next(found, 'route') || lacks(found, 'isNeededToStart')) return 409
      found.subType = subType
      if (details !== null) found.details = details || null
      start(found, user, 'initiation')
      return 200
    },

    void(found: ModelPackage, reason: string, user: string): number {
      if (!next(found, 'void')) return 409
      found.held = found.state
      found.reason = reason
      found.events.push(plain('void', user, null))
      become(found, 'VOID')
      return 200
    },

    unvoid(found: ModelPackage, user: string): number {
      if (!next(found, 'unvoid') || !found.held) return 409
      found.events.push(plain('unvoid', user, null))
      become(found, found.held)
      found.held = null
      found.reason = null
      return 200
    },

    restart(found: ModelPackage): number {
      if (!next(found, 'restart')) return 409
      leave(found)
      begin(found)
      return 200
    },

    returnTo(found: ModelPackage, univid: string): number {
      if (!next(found, 'return')) return 409
      if (!people.some((each) => each === univid)) return 400
      found.stop = Math.max(found.stop, routeOf(found).length) + 1
      become(found, 'ROUTING')
      receive(found, [[univid, 'SIGNATURE_REQUIRED']])
      return 200
    },

    remove(found: ModelPackage, user: string): number {
      if (!next(found, 'remove')) return 409
      found.events.push(plain('remove', user, found.stop))
      leave(found)
      found.isRemoved = true
      found.held = null
      found.reason = null
      become(found, 'PRE_ROUTING')
      return 200
    },

    reinitiate(found: ModelPackage, user: string): number {
      if (!next(found, 're_initiate') || !found.isRemoved || lacks(found, 'isNeededToStart')) return 409
      start(found, user, 're_initiate')
      return 200
    },

    returnToInitiator(found: ModelPackage, user: string): number {
      if (!next(found, 'returnToInitiator')) return 409
      leave(found)
      found.comments.push({ comment: 'Add the receipt', approversOnly: false, state: 'ACTIVE', author: user })
      mail(found, 'return_to_initiator', [found.initiator])
      become(found, 'DRAFT')
      return 200
    },

    submit(found: ModelPackage, user: string): number {
      if (user !== found.initiator || isOverridden(found, user)) return 403
      if (!next(found, 'submit') || lacks(found, 'isNeededToStart')) return 409
      start(found, user, 'initiation')
      return 200
    },

    sign(found: ModelPackage, user: string): number {
      const mine = model.pending(found).filter(({ person }) => person === user)
      if (mine.length === 0) return 409
      const signing = mine.filter(isSigner)
      if (signing.length === 0) return 403
      if (wouldComplete(found, signing) && lacks(found, 'isNeededToComplete')) return 409
      for (const event of signing) approve(event, false)
      if (!waits(found)) goOn(found)
      return 200
    },

    upload(
      found: ModelPackage,
      { type, isPdf, ...caller }: Caller & { readonly type: number; readonly isPdf: boolean },
    ): number {
      if (!mayAct(found, caller)) return 403
      const rule = found.form.types.find(({ id }) => id === type)
      if (!rule) return 404
      if (found.state === 'VOID') return 409
      const isEarly = found.state === 'PRE_ROUTING' || found.state === 'DRAFT'
      if (isEarly && !rule.isEarly) return 409
      if (rule.isPdf && !isPdf) return 400
      found.uploads.push(type)
      if (found.state === 'ROUTING' && held(found).length === 0 && !found.isFrozen) goOn(found)
      return 200
    },

    override(found: ModelPackage, override: Override, caller: Caller): number {
      if (!mayAct(found, caller)) return 403
      const { subjectUnivid, replacementUnivid } = override
      if (holder(found, replacementUnivid) === subjectUnivid) return 400
      if (found.overrides.some((each) => each.subjectUnivid === subjectUnivid)) return 409
      found.overrides = [...found.overrides, override]
      handOver(found)
      return 200
    },

    deactivate(found: ModelPackage, univid: string, caller: Caller): number {
      if (!mayAct(found, caller)) return 403
      const others = found.overrides.filter(({ subjectUnivid }) => subjectUnivid !== univid)
      if (others.length === found.overrides.length) return 404
      found.overrides = others
      handOver(found)
      return 204
    },

    unfreeze(found: ModelPackage, isRightLock: boolean, caller: Caller): number {
      if (!mayAct(found, caller)) return 403
      if (!isRightLock || !found.isFrozen) return 404
      if (found.state !== 'ROUTING') return 409
      found.isFrozen = false
      arrive(found)
      return 204
    },

    edit(
      found: ModelPackage,
      entry: Readonly<Record<string, unknown>>,
      isValid: boolean,
      mailing?: {
        readonly sends: boolean | null
        readonly deltaSummary: string | null
        readonly details: string | null
      },
    ): number {
      if (!isValid) return 400
      const hasChanged = Object.keys({ ...entry, ...found.entry }).some(
        (key) => entry[key] !== found.entry[key],
      )
      found.entry = entry
      if (mailing && mailing.details !== null) found.details = mailing.details || null
      const isAsked = mailing?.sends ?? ((mailing?.deltaSummary ?? null) !== null || hasChanged)
      if (isAsked) {
        const received = found.events.filter(({ status }) => status !== null && !found.isRemoved)
        const isOusted = (univid: string | null) =>
          found.overrides.some((each) => each.subjectUnivid === univid && each.type === 'CHANGE')
        mail(
          found,
          'edit_notification',
          (mailing?.sends ? received.filter(({ person }) => !isOusted(person)) : model.pending(found)).map(
            ({ person }) => person ?? '',
          ),
        )
      }
      return 200
    },

    wait(seconds: number): void {
      now += seconds * 1000
      if (Math.floor(now / 60_000) <= queuedAt) return
      model.delivered += model.queued
      model.queued = 0
    },
  }
  return model

  function start(found: ModelPackage, user: string, type: string): void {
    found.routingDate = stamp()
    found.isRemoved = false
    found.events.push(plain(type, user, 0))
    begin(found)
  }

  function stamp(): string {
    return new Date(now).toISOString().slice(0, 19)
  }

  function begin(found: ModelPackage): void {
    found.stop = 0
    found.round = found.events.length
    become(found, 'ROUTING')
    goOn(found)
  }

  function become(found: ModelPackage, state: State): void {
    if (found.state === state) return
    found.state = state
    call(found, stateUrl)
  }

  function call(found: ModelPackage, url: string): void {
    found.callbacks.push([url, found.state])
    if (model.queued === 0) queuedAt = Math.floor(now / 60_000)
    model.queued++
  }

  function goOn(found: ModelPackage): void {
    bypass(found)
    if (found.stop >= routeOf(found).length) {
      if (lacks(found, 'isNeededToComplete')) return
      found.events.push(plain('complete', null, null))
      become(found, 'COMPLETE')
      return
    }
    found.stop++
    const url = model.stops.get(`${found.env} ${found.form.id} ${found.stop}`)
    if (url) call(found, url)
    if (url?.endsWith('/freeze')) found.isFrozen = true
    else arrive(found)
  }

  function arrive(found: ModelPackage): void {
    const { who = [], signsItself } = routeOf(found)[found.stop - 1] ?? {}
    receive(found, who)
    for (const event of signsItself ? held(found).filter(isSigner) : []) {
      const hasSigned = found.events
        .slice(found.round)
        .some(({ person, status }) => person === event.person && status === 'APPROVED')
      const isStuck = wouldComplete(found, [event]) && lacks(found, 'isNeededToComplete')
      if ((hasSigned || event.person === found.initiator) && !isStuck) approve(event, true)
    }
    if (!waits(found)) goOn(found)
  }

  function receive(found: ModelPackage, who: readonly Destination[]): void {
    const events = who.map((each) => signature(each, found.stop))
    for (const event of events) event.person = holder(found, event.subject ?? '')
    found.events.push(...events)
    mail(
      found,
      'approver_notification',
      events.map(({ person }) => person ?? ''),
    )
  }

  function handOver(found: ModelPackage): void {
    for (const event of held(found)) {
      const before = event.person
      event.person = holder(found, event.subject ?? '')
      if (event.person !== before && found.state === 'ROUTING') {
        mail(found, 'approver_notification', [event.person])
      }
    }
  }

  function leave(found: ModelPackage): void {
    bypass(found)
    found.isFrozen = false
    found.stop = 0
  }

  function maySee(found: ModelPackage, { user, bypass }: Caller): boolean {
    return bypass || model.actions(found, user).length > 0
  }

  /** Whether a caller may change a package. The subject of an override may only view it. */
  function mayAct(found: ModelPackage, caller: Caller): boolean {
    return maySee(found, caller) && (caller.bypass || !isOverridden(found, caller.user))
  }
}

function empty(id: number, env: Environment, form: ModelForm, initiator: string): ModelPackage {
  return {
    id,
    env,
    form,
    initiator,
    subType: null,
    state: 'PRE_ROUTING',
    held: null,
    isRemoved: false,
    reason: null,
    details: null,
    entry: {},
    routingDate: '',
    stop: 0,
    isFrozen: false,
    round: 0,
    events: [],
    comments: [],
    uploads: [],
    overrides: [],
    callbacks: [],
    mail: [],
  }
}

function next(found: ModelPackage, trigger: string): State | 'held' | undefined {
  return table[trigger]?.[found.state]
}

function routeOf({ form, subType }: ModelPackage): readonly Stop[] {
  return form.route(subType)
}

/** Returns the person who acts for a person. */
function holder(found: ModelPackage, person: string): string {
  const override = found.overrides.find(({ subjectUnivid }) => subjectUnivid === person)
  return override ? holder(found, override.replacementUnivid) : person
}

function isOverridden(found: ModelPackage, user: string): boolean {
  return found.overrides.some(({ subjectUnivid }) => subjectUnivid === user)
}

/** Whether a user has received the package, will receive it, or acts for a person who has or will. */
function isApprover(found: ModelPackage, user: string): boolean {
  const isOusted = found.overrides.some(
    ({ subjectUnivid, type }) => subjectUnivid === user && type === 'CHANGE',
  )
  if (found.isRemoved || isOusted) return false
  const isUnderWay = found.state !== 'PRE_ROUTING' && found.state !== 'DRAFT'
  const isNamed = (univid: string) =>
    found.events.some(
      ({ status, person, subject }) => status !== null && (person === univid || subject === univid),
    ) ||
    (isUnderWay && routeOf(found).some(({ who }) => who.some(([person]) => person === univid)))
  const acts = (univid: string): boolean =>
    isNamed(univid) ||
    found.overrides.some((each) => each.replacementUnivid === univid && acts(each.subjectUnivid))
  return acts(user)
}

function plain(type: string, person: string | null, stop: number | null): Event {
  return { class: type, person, stop, status: null, permission: null, subject: null, isAutomatic: null }
}

function signature([subject, permission]: Destination, stop: number): Event {
  const status = 'RECEIVED'
  return { class: 'signature', person: subject, stop, status, permission, subject, isAutomatic: null }
}

/** Returns the signatures that are in an inbox, or were in one before a void. */
function held({ events }: ModelPackage): Event[] {
  return events.filter(({ status }) => status === 'RECEIVED')
}

function isSigner({ permission }: Event): boolean {
  return permission === 'SIGNATURE_REQUIRED' || permission === 'SIGNATURE_PERMITTED'
}

function approve(event: Event, isAutomatic: boolean): void {
  event.status = 'APPROVED'
  event.isAutomatic = isAutomatic
}

function bypass(found: ModelPackage): void {
  for (const event of held(found)) event.status = 'BYPASSED_REMOVE'
}

function waits(found: ModelPackage, but: readonly Event[] = []): boolean {
  return held(found).some((event) => event.permission === 'SIGNATURE_REQUIRED' && !but.includes(event))
}

/** Whether these signatures are the last required ones. */
function wouldComplete(found: ModelPackage, signing: readonly Event[]): boolean {
  const isLast = !routeOf(found)
    .slice(found.stop)
    .some(({ who }) => who.some(([, permission]) => permission === 'SIGNATURE_REQUIRED'))
  return isLast && !waits(found, signing)
}

function lacks(found: ModelPackage, rule: 'isNeededToStart' | 'isNeededToComplete'): boolean {
  return found.form.types.some((type) => type[rule] && !found.uploads.includes(type.id))
}

function mail(found: ModelPackage, kind: string, to: readonly string[]): void {
  const recipients = [...new Set(to)].filter((each) => people.some((person) => person === each))
  if (recipients.length > 0) found.mail.push([kind, recipients])
}
