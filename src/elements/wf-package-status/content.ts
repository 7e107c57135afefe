import { NotFoundError, UnavailableError } from '../../client/index.ts'
import { mayVoid } from '../../contract/rights.ts'
import type { AllowedActions, Session } from '../../contract/session.ts'
import { mayFollow, type TransitionName } from '../../contract/transitions.ts'
import { packageStates } from '../../contract/values.ts'
import type { InboxSignature, PackageActions } from '../../contract/workflow.ts'
import type { Messages } from '../../locales/messages.ts'
import type { ShownPackage } from '../events.ts'
import { humanize } from '../humanize.ts'
import { readRights, type PackageTarget } from '../package-element.ts'

/** What the element shows. */
export interface PackageStatusContent {
  /** The package; for a badge only its id and state. */
  readonly found: ShownPackage
  /** What the person may do; a write answers it without the tools. */
  readonly actions: (PackageActions & Partial<AllowedActions>) | null
  /** Whose inboxes hold the package; null where that cannot be told, undefined until it is read. */
  readonly inbox: readonly (InboxSignature | null)[] | null | undefined
}

/** What can be done with a package in this element, by operation. */
export type ActionName = TransitionName | 'getPdf'

/** In the order of the menu: what takes something away comes last. */
const actionNames: readonly ActionName[] = [
  'getPdf',
  'routePackage',
  'reinitiatePackage',
  'returnPackage',
  'unvoidPackage',
  'returnToInitiator',
  'restartPackage',
  'removePackage',
  'voidPackage',
]

/** What the person may do with the package now: nothing in a state that the spec does not list. */
export function actionsFor(
  content: PackageStatusContent | undefined,
  session: Session | undefined,
): ActionName[] {
  const { found, actions } = content ?? {}
  if (!found || !actions || !(packageStates as readonly string[]).includes(found.state)) return []
  const { state, initiator } = found
  return actionNames.filter((name) => {
    if (session && !session.allows.operations.includes(name)) return false
    if (name === 'getPdf') return true
    // The service sets canInitiatorVoid for the initiator only; the proxy checks that it is them.
    if (name === 'voidPackage') return mayVoid(state, actions, true)
    const isTheirs =
      name === 'routePackage'
        ? session !== undefined && session.univid === initiator?.univid
        : actions.tools?.includes(name)
    return isTheirs && mayFollow(state, name)
  })
}

/** Asks first what the person may do, and for the package itself only where they may view it, see `readRights`. */
export async function loadCard(
  [client, formId, packageId]: PackageTarget,
  couldView: boolean,
  signal: AbortSignal,
): Promise<PackageStatusContent> {
  const params = { formId, packageId }
  const query = { id: [packageId] }
  const rights = readRights([client, formId, packageId], signal)
  const status = client.getStatus({ params, query }, { signal, version: '1.2' }).catch((error: unknown) => {
    // The rest is worth showing without it, unless there is something better to keep.
    if (couldView || !(error instanceof UnavailableError)) throw error
    return []
  })
  const [actions, found, statuses] = await Promise.all([
    rights,
    couldView
      ? client.getPackage({ params }, { signal })
      : rights.then(() => client.getPackage({ params }, { signal })),
    status,
  ])
  const row = statuses.find((candidate) => candidate?.id === packageId)
  return { found, actions, inbox: row?.inboxSignatures ?? null }
}

/** All that a badge needs, in a bulk read that it shares with other badges. */
export async function loadForBadge(
  [client, formId, packageId]: PackageTarget,
  signal: AbortSignal,
): Promise<PackageStatusContent> {
  const input = { params: { formId }, query: { id: [packageId] } }
  const [found] = await client.getStatus(input, { signal, version: '1.2' })
  if (!found) throw new NotFoundError('getStatus', 'does not know the package, or must not tell')
  return { found, actions: null, inbox: found.inboxSignatures }
}

/** What is known already of all that. */
export function peekContent(
  [client, formId, packageId]: PackageTarget,
  isBadge: boolean,
): PackageStatusContent | undefined {
  const params = { formId, packageId }
  const query = { id: [packageId] }
  const [status] = client.getCached('getStatus', { params, query }, '1.2') ?? []
  const inbox = status?.inboxSignatures ?? null
  if (isBadge) return status ? { found: status, actions: null, inbox } : undefined
  const found = client.getCached('getPackage', { params })
  const [actions] = client.getCached('getActions', { params, query }) ?? []
  return found && actions ? { found, actions, inbox } : undefined
}

/** Who has to do something: not those who may only view it. `leftOut` counts those who cannot be read. */
export function holdersOf(inbox: PackageStatusContent['inbox']): {
  holders: readonly InboxSignature[]
  leftOut: number
} {
  const rows = inbox?.filter((entry) => entry?.permission !== 'VIEW_ONLY') ?? []
  const holders = rows.filter((entry) => entry !== null)
  return { holders, leftOut: rows.length - holders.length }
}

/** A state in words. */
export function labelOf(state: string, words: Messages['packageStatus']): string {
  const known: Readonly<Record<string, string>> = words.states
  return known[state] ?? humanize(state)
}

/** A void reason in words. */
export function reasonOf(reason: string, words: Messages['packageStatus']): string {
  const known: Readonly<Record<string, string>> = words.voidReasons
  return known[reason] ?? humanize(reason)
}
