import type { RoutingOverrideBody } from '../../contract/schemas/overrides.ts'
import { parseDuration } from '../../contract/values/duration.ts'
import type { Environment, VoidReason } from '../../contract/values/values.ts'
import { createClock, hour } from '../clock.ts'
import { handlers } from '../handlers.ts'
import type { Caller } from '../http/handler.ts'
import { createMemoryStore } from '../state/object-store.ts'
import { findPackage } from '../workflow/packages.ts'
import { seedKey } from '../state/seed-content.ts'
import { signPackage, startRouting } from '../workflow/routing/routing.ts'
import { createSigning } from '../workflow/signing.ts'
import type { EmulatorState } from '../state/state.ts'
import type { Form } from '../state/stored-forms.ts'
import type { StoredPackage } from '../state/stored-packages.ts'
import { defaultSpecOptions } from '../control/spec-options.ts'
import { type PackageRecord, nextId, type EmulatorContext } from '../context.ts'

/**
 * Creates the packages of a seed by running scripts through the handlers and the routing engine of the emulator, in
 * chronological order. Sends no mail and no callbacks.
 */
interface Builder {
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
interface SeedFile {
  readonly name: string
  /** Media type. Default `application/pdf`. */
  readonly type?: string
  /** In bytes. Default 48213. */
  readonly size?: number
  /** Default: none. */
  readonly description?: string
}

interface CommentOptions {
  /** Whether only approvers see it. Default false. */
  readonly approversOnly?: boolean
  /** Whether the comment was deleted (INACTIVE). Default false. */
  readonly isDeleted?: boolean
}

/** Creates a builder that adds packages to `state`. Its forms, people and offices must exist. */
export function createBuilder(state: EmulatorState): Builder {
  let now = 0
  const clock = createClock(() => now, 'UTC', { offset: 0, lastBatch: 0 })
  const specOptions = defaultSpecOptions()
  const context: EmulatorContext = {
    state,
    clock,
    objects: createMemoryStore(),
    specOptions,
    signing: createSigning(state.signingKeys, specOptions),
    objectsUrl: '',
    isSilent: true,
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
    const created = handlers.createPackage(context, {
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
      const byAdministrator = ({ administrators: [univid = ''] }: Form) => unusedInput(env, univid)
      let at = Date.parse(`${plan.at}Z`)
      let delay = hour
      steps.push({ at, run: () => create(plan) })

      function then(run: (record: PackageRecord) => unknown): Script {
        at += delay
        delay = hour
        steps.push({
          at,
          run() {
            requireSuccess(run(findPackage(context, params)), id)
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
        submit: () => then((record) => startRouting(context, record, record.pkg.initiator)),
        route: () =>
          then(({ pkg }) => {
            const body = { state: 'ROUTING', subType: pkg.subType } as const
            return handlers.routePackage(context, { ...unusedInput(env, pkg.initiator), params, body })
          }),
        sign: (univid) => then((record) => signPackage(context, record, univid)),
        unfreeze: (by) =>
          then(({ pkg }) => {
            const lock = { ...params, lockId: pkg.lock ?? 0 }
            return handlers.deleteLock(context, { ...unusedInput(env, by), params: lock })
          }),
        void: (voidReason, by) =>
          then(() => {
            const body = { id, state: 'VOID', voidReason } as const
            return handlers.voidPackage(context, { ...unusedInput(env, by), params, body })
          }),
        unvoid: (by) => then(() => handlers.unvoidPackage(context, { ...unusedInput(env, by), params })),
        restart: () =>
          then(({ form }) => handlers.restartPackage(context, { ...byAdministrator(form), params })),
        returnTo: (univid) =>
          then(({ form }) =>
            handlers.returnPackage(context, { ...byAdministrator(form), params, body: { univid } }),
          ),
        remove: (by) => then(() => handlers.removePackage(context, { ...unusedInput(env, by), params })),
        reinitiate: (by) =>
          then(() => handlers.reinitiatePackage(context, { ...unusedInput(env, by), params })),
        returnToInitiator: (comment, by) =>
          then(() =>
            handlers.returnToInitiator(context, { ...unusedInput(env, by), params, body: { comment } }),
          ),
        edit: (changes, by) =>
          then(({ pkg }) => {
            const body = { ...pkg.entry, ...changes }
            return handlers.updateEntry(context, { ...unusedInput(env, by), params, body })
          }),
        override: (subjectUnivid, replacementUnivid, type) =>
          then(({ form }) => {
            const body = { subjectUnivid, replacementUnivid, type, reason: 'CONFLICT_OF_INTEREST' } as const
            return handlers.createOverride(context, { ...byAdministrator(form), params, body })
          }),
        deactivateOverride: (univid) =>
          then(({ form }) =>
            handlers.deactivateOverride(context, { ...byAdministrator(form), params: { ...params, univid } }),
          ),
        attach: (attachmentTypeId, { name, type = 'application/pdf', size = 48_213, description = '' }, by) =>
          then(() => {
            const file = { name, type, size, object: seedKey(state.next.id) }
            const upload = { ...params, attachmentTypeId }
            const input = { ...unusedInput(env, by), params: upload, body: description, file }
            return handlers.uploadAttachment(context, input)
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
  return {
    query: undefined,
    body: undefined,
    version: undefined,
    client: 'demo-app',
    env,
    caller,
    file: unusedFile,
  }
}

const unusedFile = { name: '', type: '', size: 0, object: '' }
