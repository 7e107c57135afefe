import type { PackageStatus12 } from '../../contract/schemas/workflow.ts'
import { ProxyError } from '../http/problem.ts'
import type { Upstream, UpstreamCall } from './upstream.ts'

/** The facts that the calls of one reader have in common. */
type Facts = Pick<UpstreamCall, 'as' | 'requestId' | 'signal'>

/** What a response of the service says about packages. */
interface PackageStatuses {
  /** The packages with exactly one row that can be read. */
  readonly rows: ReadonlyMap<number, PackageStatus12>
  /** Whether every row can be read. If not, a package without a row may be one of those. */
  readonly isWhole: boolean
}

/** Reads the states and inboxes of up to 100 packages of one form. Throws `ProxyError`. */
export async function readStatuses(
  { call }: Pick<Upstream, 'call'>,
  formId: number,
  ids: readonly number[],
  facts: Facts,
): Promise<PackageStatuses> {
  const result = await call('getStatus', { ...facts, params: { formId }, query: { id: ids }, version: '1.2' })
  const list = result as readonly (PackageStatus12 | null)[]
  const seen = new Set<number>()
  const rows = new Map<number, PackageStatus12>()
  let isWhole = true
  for (const row of list) {
    if (!row || seen.has(row.id)) isWhole = false
    if (!row) continue
    if (seen.has(row.id)) rows.delete(row.id)
    else rows.set(row.id, row)
    seen.add(row.id)
  }
  return { rows, isWhole }
}

/**
 * A text that differs if the state of a package differs, or who has to act on it: an override changes the approver of an inbox,
 * and keeps its id.
 */
export function statusText({ state, inboxSignatures }: PackageStatus12): string {
  const inboxes = (inboxSignatures ?? []).map((inbox) =>
    JSON.stringify([inbox?.id, inbox?.approver, inbox?.permission, inbox?.responsibleOffice?.naturalKey]),
  )
  return [state, ...inboxes.sort()].join()
}

/** Whether a package exists: false only if the service says so. Throws `ProxyError` if that is not known. */
export async function packageExists(
  { call }: Pick<Upstream, 'call'>,
  params: { readonly formId: number; readonly packageId: number },
  facts: Facts,
): Promise<boolean> {
  try {
    await call('getPackage', { ...facts, params, bypassAuthorization: true })
    return true
  } catch (error) {
    if (error instanceof ProxyError && error.status === 404) return false
    throw error
  }
}
