import { createIdempotencyKey, type FieldErrors, fieldErrorsOf, packageScope } from '../../../client/index.ts'
import type { CreatePackageBody, Package, RoutePackageBody } from '../../../contract/schemas/workflow.ts'
import type { UpdateEntryBody } from '../../../contract/schemas/entry.ts'
import type { WfBeforeChangeEvent } from '../../element/events.ts'
import { transitionClient } from '../../wf-package-status/actions/transition-client.ts'
import { carryOut } from './carry-out.ts'
import { type EntryConflict, type EntryValues, mergeEntries } from './entry-merge.ts'
import { basesOf, type Fields, screenOf, typedOf } from './field-state.ts'
import type { FormClient } from './form-client.ts'
import type { FormEvent } from './form-state.ts'

/** A creation that may have reached the service. Until its outcome is known, nothing else may be created. */
export interface Creation {
  readonly key: string
  /** Repetitions need the same body. */
  readonly body: CreatePackageBody
}

/** The values that a change sends besides the entry. */
export interface Extras {
  readonly subType: string | null
  /** HTML for the e-mails to approvers. Null keeps what the service has. */
  readonly packageDetails: string | null
  /** HTML for the e-mail about an edit. */
  readonly deltaSummary: string | null
  /** Whether current approvers get an e-mail about an edit. Null: if data changed. */
  readonly sendDeltaEmail: boolean | null
}

/** Why a submission stopped although nothing failed. */
export type Stop =
  /** The page canceled `wf-before-change`. */
  | { readonly why: 'canceled' }
  /** Somebody else has changed the same fields. */
  | { readonly why: 'conflict'; readonly conflicts: readonly EntryConflict[]; readonly theirs: EntryValues }

/** The controls of a form, as far as a submission needs them. */
interface PageControls {
  readonly names: readonly string[]
  isVisible(name: string): boolean
}

/** The package that a form shows, and what remembers it. */
export interface SubmissionHost {
  readonly client: FormClient
  readonly formId: number
  /** Returns the knowledge about the fields now. */
  readonly fields: () => Fields
  /** Returns the values that the service may have because they were sent. */
  readonly sending: () => EntryValues
  /** The controls of the page. */
  readonly controls: PageControls
  /** Names of controls whose values are not part of the entry. */
  readonly extraNames: readonly string[]
  /** That of them whose value is sent when a request is created or submitted, and not when it is saved. Empty without one. */
  readonly subTypeName: string
  readonly extras: Extras
  /** The package; `undefined` before it exists. */
  readonly found: Package | undefined
  /** The creation whose outcome is not known. */
  readonly creation: Creation | undefined
  readonly dispatch: (event: FormEvent) => void
  /** Asks the page whether a change may be sent. */
  readonly confirm: (operation: WfBeforeChangeEvent['operation'], body: unknown) => boolean
  /** Remembers a creation before it is sent; `undefined` when it has no unknown outcome any more. */
  readonly remember: (creation: Creation | undefined) => void
  /** Notes the package that was created. */
  readonly created: (found: Package) => void
}

/** Saves the screen: creates the package once, or merges the screen into its entry. */
export async function save(host: SubmissionHost): Promise<Stop | undefined> {
  const { found } = host
  if (found) return isChanged(host) ? await update(host, found.id) : undefined
  return await create(host)
}

async function create(host: SubmissionHost): Promise<Stop | undefined> {
  const { extras, controls, fields } = host
  if (host.creation) {
    const found = await createWith(host, host.creation, true)
    // Input since the first attempt has to be saved as well.
    return found && (await update(host, found.id))
  }
  const { subType, packageDetails } = extras
  const whole = { ...nullsOf(controls.names), ...screenOf(fields()) }
  const found = await sendFitting(controls, entryIn(whole, host), async (entry) => {
    const body = {
      state: 'PRE_ROUTING' as const,
      subType,
      ...(packageDetails !== null && { emailContent: { packageDetails } }),
      entry,
    }
    return await createWith(host, { key: createIdempotencyKey(), body }, false)
  })
  return found ? undefined : { why: 'canceled' }
}

/** Sends a creation. Resolves with `undefined` if the page has canceled it. */
async function createWith(
  { client, formId, fields, dispatch, confirm, remember, created }: SubmissionHost,
  creation: Creation,
  isRepeated: boolean,
): Promise<Package | undefined> {
  const { key, body } = creation
  const sent = isRepeated ? body.entry : { ...body.entry, ...screenOf(fields()) }
  if (!isRepeated) {
    if (!confirm('createPackage', body)) return undefined
    dispatch({ type: 'sending', values: sent })
    remember(creation)
  }
  try {
    const found = await carryOut({
      key,
      isRepeated,
      send: (idempotencyKey) => client.createPackage({ params: { formId }, body }, { idempotencyKey }),
    })
    dispatch({ type: 'stored', entry: body.entry, sent })
    created(found)
    return found
  } catch (error) {
    if ((error as Error).name !== 'UnknownOutcomeError') {
      dispatch({ type: 'sending', values: {} })
      remember(undefined)
    }
    throw error
  }
}

/**
 * Sends an entry, and if the service refuses it because its form has other fields than the page, once more with the fields that it
 * has.
 */
async function sendFitting<T>(
  controls: PageControls,
  entry: EntryValues,
  send: (entry: EntryValues) => Promise<T>,
): Promise<T> {
  try {
    return await send(entry)
  } catch (error) {
    const fitted = fit(controls, entry, fieldErrorsOf(error) ?? {})
    if (!fitted) throw error
    try {
      return await send(fitted.entry)
    } catch (again) {
      // The service has the field after all, so its first words count.
      const isMissing = fitted.left.some((name) => Object.hasOwn(fieldErrorsOf(again) ?? {}, name))
      throw isMissing ? error : again
    }
  }
}

/**
 * Returns the entry with the fields that the service has, judging by what it refuses: with null in those that the page does not
 * send, and without those that no person sees, such as fields of scripts against robots. `undefined` if neither helps.
 */
function fit(
  controls: PageControls,
  entry: EntryValues,
  errors: FieldErrors,
): { readonly entry: EntryValues; readonly left: readonly string[] } | undefined {
  const isRequired = ([, codes]: [string, readonly string[]]) => codes.includes('validation.required')
  const found = Object.entries(errors)
  const namesOf = (some: typeof found) => some.map(([name]) => name)
  const missing = namesOf(found.filter(isRequired)).filter((name) => !Object.hasOwn(entry, name))
  const left = namesOf(found.filter((one) => !isRequired(one))).filter(
    (name) => Object.hasOwn(entry, name) && !controls.isVisible(name),
  )
  if (missing.length + left.length === 0) return undefined
  const kept = Object.entries(entry).filter(([name]) => !left.includes(name))
  return { entry: { ...Object.fromEntries(kept), ...nullsOf(missing) }, left }
}

function nullsOf(names: readonly string[]): EntryValues {
  return Object.fromEntries(names.map((name) => [name, null]))
}

/** Returns values without those that are not part of the entry. */
function entryIn(values: EntryValues, { extraNames }: SubmissionHost): EntryValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !extraNames.includes(name)))
}

async function update(host: SubmissionHost, packageId: number): Promise<Stop | undefined> {
  const { client, formId, fields, controls, dispatch, extras, confirm } = host
  const params = { formId, packageId }
  const read = async () => {
    client.invalidate(packageScope(formId, packageId))
    return (await client.getEntry({ params }, { version: '1.1' })).entry
  }
  const theirs = await read()
  const mine = typedOf(fields())
  // Another sub-type waits until the request is submitted.
  const sent = Object.fromEntries(Object.entries(mine).filter(([name]) => name !== host.subTypeName))
  const { entry, conflicts } = mergeEntries(basesOf(fields(), host.sending()), entryIn(mine, host), theirs)
  if (conflicts.length > 0) return { why: 'conflict', conflicts, theirs }
  const { deltaSummary, packageDetails, sendDeltaEmail } = extras
  const isRouting = host.found?.state === 'ROUTING'
  if (!isRouting && isStored(entry, theirs)) {
    dispatch({ type: 'stored', entry: theirs, sent })
    return undefined
  }
  const isSent = await sendFitting(controls, entry, async (fitting) => {
    const body: UpdateEntryBody = {
      entry: fitting,
      // Nobody is mailed about a draft.
      sendDeltaEmail: isRouting ? sendDeltaEmail : false,
      emailContent: { deltaSummary: isRouting ? deltaSummary : null, packageDetails },
    }
    if (!confirm('updateEntry', body)) return false
    dispatch({ type: 'sending', values: sent })
    const stored = await carryOut({
      send: async (idempotencyKey) =>
        (await client.updateEntry({ params, body }, { version: '1.1', idempotencyKey })).entry,
      find: async () => {
        const now = await read()
        return isStored(fitting, now) ? now : undefined
      },
    })
    dispatch({ type: 'stored', entry: stored, sent })
    return true
  })
  return isSent ? undefined : { why: 'canceled' }
}

/** The operations that start routing. Only a package that was removed from routing can be re-initiated. */
export type RoutingStart = 'routePackage' | 'reinitiatePackage'

/** Starts routing. Resolves with the package in its new state. */
export async function route(
  host: Pick<SubmissionHost, 'client' | 'formId' | 'extras' | 'confirm'>,
  { id }: Package,
  start: RoutingStart = 'routePackage',
): Promise<Package | Stop> {
  const { client, formId, extras, confirm } = host
  const { subType, packageDetails } = extras
  const params = { formId, packageId: id }
  const body: RoutePackageBody = {
    id,
    state: 'ROUTING',
    subType,
    ...(packageDetails !== null && { emailContent: { packageDetails } }),
  }
  const isRouted = start === 'routePackage'
  if (!confirm(start, isRouted ? body : undefined)) return { why: 'canceled' }
  return await carryOut({
    send: (idempotencyKey) =>
      isRouted
        ? transitionClient(client).routePackage({ params, body }, { idempotencyKey })
        : transitionClient(client).reinitiatePackage({ params }, { idempotencyKey }),
    find: async () => {
      client.invalidate(packageScope(formId, id))
      const found = await client.getPackage({ params })
      return found.state === 'PRE_ROUTING' || found.state === 'DRAFT' ? undefined : found
    },
  })
}

function isChanged({ fields }: SubmissionHost): boolean {
  return Object.keys(typedOf(fields())).length > 0
}

function isStored(entry: EntryValues, now: EntryValues): boolean {
  return Object.entries(entry).every(([name, value]) => JSON.stringify(now[name]) === JSON.stringify(value))
}
