import { ForbiddenError, NotFoundError, type PageClient } from '../../client/index.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import { personKey } from '../../contract/values/patterns.ts'
import type { Departure, ShownRow } from './shown-rows.ts'

/** Finds out why a row has left. Rejects if that is not known now. */
export async function findDeparture(client: PageClient, { row, group }: ShownRow): Promise<Departure> {
  const { formId, packageId, received } = row
  if (group === 'drafts' && !isBeforeRouting(row.state)) return 'submitted'
  try {
    const [history, session] = await Promise.all([
      client.getHistory({ params: { formId, packageId } }),
      client.getSession(),
    ])
    if (group === 'drafts' || group === 'submitted') return 'gone'
    const own = personKey(session.univid)
    const hasSigned = history.some((event) => {
      const univid = event?.person?.univid
      return (
        event?.['@class'] === 'signature' &&
        univid != null &&
        personKey(univid) === own &&
        !event.isInInbox &&
        !unsigned.includes(event.state ?? 'RECEIVED') &&
        (received === null || (event.actionDate ?? '') >= received)
      )
    })
    return hasSigned ? 'signed' : 'elsewhere'
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return 'hidden'
    throw error
  }
}

/** States of events that are no signature of the person. */
const unsigned: readonly string[] = ['RECEIVED', 'BYPASSED_REMOVE', 'VOIDED']
