import type { RoutingOverrideBody } from '../../contract/overrides.ts'
import { parseDuration } from '../../contract/duration.ts'
import type { Environment, VoidReason } from '../../contract/values.ts'
import { createAttachments } from '../workflow/attachments.ts'
import type { CallbackQueue } from '../workflow/callbacks.ts'
import { createClock, hour } from '../clock.ts'
import type { Caller } from '../http/handlers.ts'
import type { Mailer } from '../workflow/mail.ts'
import { createMemoryStore } from '../state/object-store.ts'
import { findPackage } from '../workflow/packages.ts'
import { seedKey } from '../state/seed-content.ts'
import { createRouting } from '../workflow/routing/routing.ts'
import type { EmulatorState } from '../state/state.ts'
import type { StoredPackage } from '../state/stored-packages.ts'
import { defaultSpecOptions } from '../control/spec-options.ts'
import { createWorkflow } from '../workflow/workflow.ts'
import { type PackageRecord, nextId, type EmulatorContext } from '../context.ts'

/**
 * Creates the packages of a seed by running scripts through the handlers and the routing engine of the emulator, in
 * chronological order. Sends no mail and no callbacks.
 */
export interface Builder {
  /** Starts the script of a package. */
  readonly script: (plan: PackagePlan) => Script
  /** Runs all scripts. Throws if the services would reject a step. */
  readonly play: () => void
}

/** How a package is created. */
export interface PackagePlan {
  readonly env: Environment
  readonly formId: number
  /** Fixed id, so that pages and tests can refer to the package. */
  readonly id: number
  /** Local date-time of its creation. */
  readonly at: string
  /** University id or client id. */
  readonly initiator: string
  /** Default ROUTING. */
  readonly state?: 'PRE_ROUTING' | 'DRAFT' | 'ROUTING'
  /** Default null, for forms without sub-types. */
  readonly subType?: string | null
  /** HTML. Default: none. */
  readonly packageDetails?: string
  readonly entry: StoredPackage['entry']
}

/**
 * The steps of a package. Each happens an hour after the previous one, unless `wait` sets another delay. `by` is the
 * university id or client id of the actor.
 */
export interface Script {
  /** Sets the delay before the next step: a duration such as `2d` or `PT90M`. */
  readonly wait: (duration: string) => Script
  /** Submits a draft. */
  readonly submit: () => Script
  /** Starts routing a package that was created as PRE_ROUTING. */
  readonly route: () => Script
  readonly sign: (univid: string) => Script
  readonly unfreeze: (by: string) => Script
  readonly void: (reason: VoidReason, by: string) => Script
  readonly unvoid: (by: string) => Script
  readonly restart: () => Script
  readonly returnTo: (univid: string) => Script
  readonly remove: (by: string) => Script
  readonly reinitiate: (by: string) => Script
  readonly returnToInitiator: (comment: string, by: string) => Script
  /** Changes some fields of the entry. */
  readonly edit: (changes: StoredPackage['entry'], by: string) => Script
  readonly override: (subject: string, replacement: string, type: RoutingOverrideBody['type']) => Script
  readonly deactivateOverride: (subject: string) => Script
  /** Uploads an attachment with generated content. `type` is the id of the attachment type. */
  readonly attach: (type: number, file: SeedFile, by: string) => Script
  readonly comment: (comment: string, by: string, options?: CommentOptions) => Script
}

/** A file of a seeded attachment. */
export interface SeedFile {
  readonly name: string
  /** Media type. Default `application/pdf`. */
  readonly type?: string
  /** In bytes. Default 48213. */
  readonly size?: number
  /** Default: none. */
  readonly description?: string
}

export interface CommentOptions {
  /** Whether only approvers see it. Default false. */
  readonly approversOnly?: boolean
  /** Whether the comment was deleted (INACTIVE). Default false. */
  readonly isDeleted?: boolean
}

/** Creates a builder that adds packages to `state`. Its forms, people and offices must exist. */
export function createBuilder(state: EmulatorState): Builder {
  let now = 0
  const clock = createClock(() => now, 'UTC', { offset: 0, lastBatch: 0 })
  const context: EmulatorContext = {
    state,
    clock,
    objects: createMemoryStore(),
    specOptions: defaultSpecOptions(),
  }
  const routing = createRouting(context, silentMailer, silentCallbacks(context))
  const handlers = {
    ...createWorkflow(context, routing, silentMailer),
    ...createAttachments(context, routing),
  }
  const steps: { readonly at: number; readonly run: () => void }[] = []

  function create({
    env,
    formId,
    id,
    initiator,
    subType = null,
    packageDetails,
    ...rest
  }: PackagePlan): void {
    const following = Math.max(state.next.packageId, id + 1)
    state.next.packageId = id
    const created = handlers.createPackage({
      ...unusedInput(env, initiator),
      params: { env, formId },
      body: {
        state: rest.state ?? 'ROUTING',
        subType,
        ...(packageDetails !== undefined && { emailContent: { packageDetails } }),
        entry: rest.entry,
      },
    })
    requireSuccess(created, id)
    state.next.packageId = following
  }

  return {
    script(plan) {
      const { env, formId, id } = plan
      const params = { env, formId, packageId: id }
      let at = Date.parse(`${plan.at}Z`)
      let delay = hour
      steps.push({ at, run: () => create(plan) })

      function then(run: (record: PackageRecord) => void): Script {
        at += delay
        delay = hour
        steps.push({
          at,
          run() {
            run(findPackage(context, params))
          },
        })
        return script
      }

      const script: Script = {
        wait(duration) {
          delay = parseDuration(duration) ?? NaN
          if (!(delay >= 0)) throw new TypeError(`"${duration}" is not a valid delay`)
          return script
        },
        submit: () => then((record) => routing.start(record, record.pkg.initiator)),
        route: () =>
          then(({ pkg }) => {
            const body = { state: 'ROUTING', subType: pkg.subType } as const
            requireSuccess(handlers.routePackage({ ...unusedInput(env, pkg.initiator), params, body }), id)
          }),
        sign: (univid) => then((record) => routing.sign(record, univid)),
        unfreeze: (by) =>
          then(({ pkg }) => {
            const lockId = pkg.lock ?? 0
            const lock = { ...params, lockId }
            requireSuccess(
              handlers.deleteLock({ ...unusedInput(env, by), params: lock, body: undefined }),
              id,
            )
          }),
        void: (reason, by) => then((record) => routing.void(record, by, reason)),
        unvoid: (by) => then((record) => routing.unvoid(record, by)),
        restart: () => then((record) => routing.restart(record)),
        returnTo: (univid) => then((record) => routing.returnTo(record, univid)),
        remove: (by) => then((record) => routing.remove(record, by)),
        reinitiate: (by) => then((record) => routing.reinitiate(record, by)),
        returnToInitiator: (comment, by) => then((record) => routing.returnToInitiator(record, by, comment)),
        edit: (changes, by) =>
          then(({ pkg }) => {
            const body = { ...pkg.entry, ...changes }
            requireSuccess(handlers.updateEntry({ ...unusedInput(env, by), params, body }), id)
          }),
        override: (subjectUnivid, replacementUnivid, type) =>
          then(({ form }) => {
            const body = { subjectUnivid, replacementUnivid, type, reason: 'CONFLICT_OF_INTEREST' } as const
            const by = form.administrators[0] ?? ''
            requireSuccess(handlers.createOverride({ ...unusedInput(env, by), params, body }), id)
          }),
        deactivateOverride: (univid) =>
          then(({ form }) => {
            const by = unusedInput(env, form.administrators[0] ?? '')
            const override = { ...params, univid }
            requireSuccess(handlers.deactivateOverride({ ...by, params: override, body: undefined }), id)
          }),
        attach: (attachmentTypeId, { name, type = 'application/pdf', size = 48_213, description = '' }, by) =>
          then(() => {
            const file = { name, type, size, object: seedKey(state.next.id) }
            const upload = { ...params, attachmentTypeId }
            const body = description
            requireSuccess(
              handlers.uploadAttachment({
                ...unusedInput(env, by),
                params: upload,
                body,
                file,
              }),
              id,
            )
          }),
        comment: (comment, person, { approversOnly = false, isDeleted = false } = {}) =>
          then(({ pkg }) => {
            const createdAt = clock.localNow()
            const commentState = isDeleted ? 'INACTIVE' : 'ACTIVE'
            const id = nextId(context)
            pkg.comments.push({ id, comment, approversOnly, createdAt, person, state: commentState })
          }),
      }
      return script
    },

    play() {
      for (const { at, run } of steps.sort((a, b) => a.at - b.at)) {
        now = at
        run()
      }
      steps.length = 0
    },
  }
}

/** Throws if a handler returned an error or a promise. */
function requireSuccess(result: unknown, packageId: number): void {
  if (result instanceof Promise || (result instanceof Response && !result.ok)) {
    throw new TypeError(`A step of package ${packageId} failed`)
  }
}

/** Returns the handler input that scripts do not use. */
function unusedInput(env: Environment, user: string) {
  const caller: Caller = { user, bypass: false }
  return { query: undefined, version: undefined, client: 'demo-app', env, caller, file: unusedFile }
}

const unusedFile = { name: '', type: '', size: 0, object: '' }

const silentMailer: Mailer = {
  notifyApprovers() {},
  notifyEdit() {},
  returnToInitiator() {},
  callbackFailed() {},
}

/** Creates a queue that sends nothing but freezes routes as their forms require. */
function silentCallbacks(context: EmulatorContext): CallbackQueue {
  return {
    stateChanged() {},
    arrived: ({ form }, { stopNumber }) => (form.stopCallbacks[stopNumber]?.freeze ? nextId(context) : null),
    tick: () => Promise.resolve(false),
    deliver: () => Promise.resolve(),
    retry: () => 0,
  }
}
