import { ForbiddenError, NotFoundError, type PageClient } from '../../client/index.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import { personKey } from '../../contract/values/patterns.ts'
import { departure as english } from '../../locales/en-departure.ts'
import { messagesFor } from '../text/messages.ts'
import { type Departure, keyOf, type ShownRow } from './shown-rows.ts'

/** Maximum number of rows that reasons are found for after each load. */
const maxExplained = 10

/**
 * Finds out why rows have left, and notes it in `known`, by key. Calls `onChange` after each. What cannot be found out now is tried again
 * when the list has loaded again.
 */
export async function explainDepartures(
  client: PageClient,
  rows: readonly ShownRow[],
  known: Map<string, Departure>,
  onChange: () => void,
): Promise<void> {
  for (const { row, hasLeft } of rows) if (!hasLeft) known.delete(keyOf(row))
  const unknown = rows.filter(({ row, hasLeft }) => hasLeft && !known.has(keyOf(row)))
  for (const one of unknown.slice(0, maxExplained)) {
    known.set(keyOf(one.row), await findDeparture(client, one))
    onChange()
  }
}

/** Returns the reason as a text; `undefined` if nothing more is known. */
export function departureText(host: Element, departure: Departure): string | undefined {
  return departure === 'gone' ? undefined : messagesFor(host, 'departure', english)[departure]
}

/** Finds out why a row has left. Rejects if that is not known now. */
async function findDeparture(client: PageClient, { row, group }: ShownRow): Promise<Departure> {
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
