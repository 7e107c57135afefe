import { UnavailableError } from '../../client/index.ts'
import type { AllowedActions } from '../../contract/schemas/session.ts'
import type { InboxSignature, PackageActions } from '../../contract/schemas/workflow.ts'
import type { ShownPackage } from '../element/events.ts'
import { type PackageTarget, readRights } from '../element/package-element.ts'

/** The content of a `<wf-package-status>`. */
export interface PackageStatusContent {
  /** The package. */
  readonly found: ShownPackage
  /** The actions that the person may take. The response to a change does not include the tools. */
  readonly actions: (PackageActions & Partial<AllowedActions>) | null
  /** The inboxes that hold the package; null if they could not be loaded, `undefined` until they are. */
  readonly inbox: readonly (InboxSignature | null)[] | null | undefined
}

/** Loads everything that the card shows. Requests the package itself only if the person may view it. */
export async function loadCard(
  [client, formId, packageId]: PackageTarget,
  couldView: boolean,
  signal: AbortSignal,
): Promise<PackageStatusContent> {
  const params = { formId, packageId }
  const rights = readRights([client, formId, packageId], signal)
  const [actions, found, inbox] = await Promise.all([
    rights,
    rights.then(() => client.getPackage({ params }, { signal })),
    rights.then(({ inboxSignatures }) => inboxSignatures ?? loadInbox()),
  ])
  return { found, actions, inbox }

  /** Loads the inboxes if the proxy does not send them with the rights. */
  async function loadInbox(): Promise<PackageStatusContent['inbox']> {
    try {
      const rows = await client.getStatus({ params, query: { id: [packageId] } }, { signal, version: '1.2' })
      return rows.find((row) => row?.id === packageId)?.inboxSignatures ?? null
    } catch (error) {
      // Without the inboxes, the rest is still worth showing; but earlier content, which has them, is better.
      if (couldView || !(error instanceof UnavailableError)) throw error
      return null
    }
  }
}

/** Returns the content if the client has all of it in its cache. */
export function peekContent([client, formId, packageId]: PackageTarget): PackageStatusContent | undefined {
  const params = { formId, packageId }
  const query = { id: [packageId] }
  const [status] = client.getCached('getStatus', { params, query }, '1.2') ?? []
  const found = client.getCached('getPackage', { params })
  const [actions] = client.getCached('getActions', { params, query }) ?? []
  const inbox = actions?.inboxSignatures ?? status?.inboxSignatures ?? null
  return found && actions ? { found, actions, inbox } : undefined
}

/** Returns the people who have to act, without those who may only view. `leftOut` counts rows that could not be read. */
export function holdersOf(inbox: PackageStatusContent['inbox']): {
  readonly holders: readonly InboxSignature[]
  readonly leftOut: number
} {
  const rows = inbox?.filter((entry) => entry?.permission !== 'VIEW_ONLY') ?? []
  const holders = rows.filter((entry) => entry !== null)
  return { holders, leftOut: rows.length - holders.length }
}

/** Returns the people who have to act, as far as they are known. */
export function approversOf(inbox: PackageStatusContent['inbox']): readonly InboxSignature[] {
  return holdersOf(inbox).holders
}

/** Whether a package is routing although it is in the inbox of nobody who has to act. False if that is not known. */
export function waitsForNobody({ found, inbox }: PackageStatusContent): boolean {
  const { holders, leftOut } = holdersOf(inbox)
  return found.state === 'ROUTING' && inbox != null && holders.length + leftOut === 0
}
