import { createIdempotencyKey, packageScope } from '../../client/index.ts'
import type { CreatePackageBody, Package, RoutePackageBody } from '../../contract/schemas/workflow.ts'
import type { UpdateEntryBody } from '../../contract/schemas/entry.ts'
import type { WfBeforeChangeEvent } from '../element/events.ts'
import { carryOut } from './carry-out.ts'
import type { Draft } from './draft.ts'
import type { EntryConflict, EntryValues } from './entry-merge.ts'
import type { FormClient } from './form-client.ts'

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

/** The package that a form shows, and what remembers it. */
export interface SubmissionHost {
  readonly client: FormClient
  readonly formId: number
  readonly draft: Draft
  readonly extras: Extras
  /** The package; `undefined` before it exists. */
  readonly found: Package | undefined
  /** The creation whose outcome is not known. */
  readonly creation: Creation | undefined
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
  if (found) return host.draft.isChanged ? await update(host, found.id) : undefined
  return await create(host)
}

async function create(host: SubmissionHost): Promise<Stop | undefined> {
  const { client, formId, draft, extras, confirm, remember, created } = host
  const { typed } = draft
  const isRepeated = host.creation !== undefined
  const { subType, packageDetails } = extras
  const creation = host.creation ?? {
    key: createIdempotencyKey(),
    body: {
      state: 'PRE_ROUTING' as const,
      subType,
      ...(packageDetails !== null && { emailContent: { packageDetails } }),
      entry: draft.whole,
    },
  }
  const { key, body } = creation
  if (!isRepeated) {
    if (!confirm('createPackage', body)) return { why: 'canceled' }
    remember(creation)
  }
  try {
    const found = await carryOut({
      key,
      isRepeated,
      send: (idempotencyKey) => client.createPackage({ params: { formId }, body }, { idempotencyKey }),
    })
    // Input since the first attempt has to be saved as well.
    draft.stored(body.entry, isRepeated ? {} : typed)
    created(found)
    return isRepeated ? await update(host, found.id) : undefined
  } catch (error) {
    if ((error as Error).name !== 'UnknownOutcomeError') remember(undefined)
    throw error
  }
}

async function update(host: SubmissionHost, packageId: number): Promise<Stop | undefined> {
  const { client, formId, draft, extras, confirm } = host
  const params = { formId, packageId }
  const read = async () => {
    client.invalidate(packageScope(formId, packageId))
    return (await client.getEntry({ params }, { version: '1.1' })).entry
  }
  const theirs = await read()
  const { typed } = draft
  const { entry, conflicts } = draft.merge(theirs)
  if (conflicts.length > 0) return { why: 'conflict', conflicts, theirs }
  const { deltaSummary, packageDetails, sendDeltaEmail } = extras
  const isRouting = host.found?.state === 'ROUTING'
  if (!isRouting && isStored(entry, theirs)) {
    draft.stored(theirs, typed)
    return undefined
  }
  const body: UpdateEntryBody = {
    entry,
    // Nobody is mailed about a draft.
    sendDeltaEmail: isRouting ? sendDeltaEmail : false,
    emailContent: { deltaSummary: isRouting ? deltaSummary : null, packageDetails },
  }
  if (!confirm('updateEntry', body)) return { why: 'canceled' }
  const stored = await carryOut({
    send: async (idempotencyKey) =>
      (await client.updateEntry({ params, body }, { version: '1.1', idempotencyKey })).entry,
    find: async () => {
      const now = await read()
      return isStored(entry, now) ? now : undefined
    },
  })
  draft.stored(stored, typed)
  return undefined
}

/** Starts routing. Resolves with the package in its new state. */
export async function route(
  host: Pick<SubmissionHost, 'client' | 'formId' | 'extras' | 'confirm'>,
  { id }: Package,
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
  if (!confirm('routePackage', body)) return { why: 'canceled' }
  return await carryOut({
    send: (idempotencyKey) => client.routePackage({ params, body }, { idempotencyKey }),
    find: async () => {
      client.invalidate(packageScope(formId, id))
      const found = await client.getPackage({ params })
      return found.state === 'PRE_ROUTING' || found.state === 'DRAFT' ? undefined : found
    },
  })
}

function isStored(entry: EntryValues, now: EntryValues): boolean {
  return Object.entries(entry).every(([name, value]) => JSON.stringify(now[name]) === JSON.stringify(value))
}
