import {
  ClientError,
  NotFoundError,
  type PageClient,
  SignedOutError,
  UnavailableError,
} from '../../client/index.ts'
import { maxIds } from '../../contract/values/values.ts'
import type { InboxSignature } from '../../contract/schemas/workflow.ts'
import type { ShownPackage } from '../element/events.ts'
import { approversOf } from '../wf-package-status/content.ts'

/** The content of a `<wf-badge>`. */
export interface BadgeContent {
  /** The id and state of the package. */
  readonly found: ShownPackage
  /** The people who have to act, as far as they are known. */
  readonly approvers: readonly InboxSignature[]
}

/** Called with the content of a package, or with the error that came instead. */
export type OnBadge = (id: number, content: BadgeContent | undefined, error: unknown) => void

/** Reads packages of one form with as few requests as possible. */
export async function readBadges(
  client: PageClient,
  formId: number,
  ids: readonly number[],
  onBadge: OnBadge,
): Promise<void> {
  const requests = Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, index) =>
    readSome(client, formId, ids.slice(index * maxIds, (index + 1) * maxIds), onBadge),
  )
  await Promise.all(requests)
}

async function readSome(
  client: PageClient,
  formId: number,
  ids: readonly number[],
  onBadge: OnBadge,
): Promise<void> {
  try {
    const rows = await client.getStatus({ params: { formId }, query: { id: [...ids] } }, { version: '1.2' })
    const byId = new Map(rows.map((row) => [row?.id, row]))
    for (const id of ids) {
      const found = byId.get(id)
      if (found) onBadge(id, { found, approvers: approversOf(found.inboxSignatures) }, undefined)
      else onBadge(id, undefined, new NotFoundError('getStatus', 'found nothing'))
    }
  } catch (error) {
    // The service may refuse one of the packages. The client has the others, so they need no further request.
    if (ids.length > 1 && isOfOnePackage(error))
      await Promise.all(ids.map((id) => readSome(client, formId, [id], onBadge)))
    else for (const id of ids) onBadge(id, undefined, error)
  }
}

/** Whether an error may concern only one of several packages, rather than the person or the service. */
function isOfOnePackage(error: unknown): boolean {
  return (
    error instanceof ClientError && !(error instanceof UnavailableError || error instanceof SignedOutError)
  )
}

/** Returns the content if the client has it in its cache. */
export function peekBadge(client: PageClient, formId: number, id: number): BadgeContent | undefined {
  const [found] = client.getCached('getStatus', { params: { formId }, query: { id: [id] } }, '1.2') ?? []
  return found ? { found, approvers: approversOf(found.inboxSignatures) } : undefined
}
