import type { HistoryEvent, Resolution } from '../../contract/history.ts'
import { personOf } from './directory.ts'
import { officeShown } from './offices.ts'
import type { Written } from '../handlers.ts'
import { holderOf } from './overrides.ts'
import { calculateRoute, stopAt, stopsAfter } from './route.ts'
import { pendingSignatures } from './signatures.ts'
import type { StoredEvent, StoredSignature } from '../state.ts'
import type { Located, EmulatorContext } from '../context.ts'

/** What has happened to a package, each class of event with exactly its own fields. */
export function historyOf(world: EmulatorContext, { found }: Located): Written<HistoryEvent>[] {
  const pending = new Set(pendingSignatures(found).map(({ signature }) => signature.id))
  return found.history.map((event) => ({
    '@class': event.class,
    actionDate: event.actionDate,
    ...(event.person !== null && { person: personOf(world, event.person) }),
    ...(event.stop && { stop: event.stop }),
    ...(event.signature && signatureFields(world, event, event.signature, pending.has(event.signature.id))),
  }))
}

/**
 * The calculated route ahead: signatures of the stops that the package has not reached. Nothing once routing is over.
 * What has not happened has no dates and no state.
 */
export function futureHistoryOf(world: EmulatorContext, { form, found }: Located): Written<HistoryEvent>[] {
  if (found.state === 'COMPLETE' || found.state === 'VOID') return []
  // Frozen on arrival, a stop still lies ahead: nobody has received anything there.
  const route = calculateRoute(world.state, form, found)
  const here = found.lock === null ? undefined : stopAt(route, found.position)
  return [...(here ? [here] : []), ...stopsAfter(route, found.position)].flatMap(
    ({ name, stopNumber, recipients }) =>
      recipients.map(({ univid, permission, role, office }) => {
        const holder = holderOf(found, univid)
        return {
          '@class': 'signature',
          actionDate: null,
          person: personOf(world, holder),
          stop: { name, stopNumber },
          permission,
          context: null,
          resolution: role === null ? null : resolution(world, holder),
          routingDate: null,
          office: officeShown(world.state, office),
          state: null,
          autoSigned: null,
          inboxSigned: null,
          isInInbox: false,
        }
      }),
  )
}

function signatureFields(
  world: EmulatorContext,
  { person }: StoredEvent,
  signature: StoredSignature,
  isInInbox: boolean,
): Partial<Written<HistoryEvent>> {
  return {
    permission: signature.permission,
    context: signature.context,
    resolution: signature.isRole && person !== null ? resolution(world, person) : null,
    routingDate: signature.routingDate,
    office: officeShown(world.state, signature.office),
    state: signature.state,
    autoSigned: signature.autoSigned,
    inboxSigned: signature.inboxSigned,
    isInInbox,
  }
}

function resolution(world: EmulatorContext, univid: string): Written<Resolution> | null {
  const person = personOf(world, univid)
  return person && { '@class': 'person', ...person }
}
