import type { HistoryEvent, Resolution } from '../../contract/schemas/history.ts'
import { hasEnded } from '../../contract/values/package-states.ts'
import { toPerson } from './directory.ts'
import { findOffice } from './offices.ts'
import type { ResponseBody } from '../http/handler.ts'
import { currentHolder } from './routing/overrides.ts'
import { calculateRoute, stopAt, stopsAfter } from './routing/route.ts'
import { pendingSignatures } from './routing/signatures.ts'
import type { StoredEvent, StoredSignature } from '../state/stored-packages.ts'
import type { PackageRecord, EmulatorContext } from '../context.ts'

/** Returns the history of a package. Each event has exactly the fields of its class. */
export function toHistory(context: EmulatorContext, { pkg }: PackageRecord): ResponseBody<HistoryEvent>[] {
  const pending = new Set(pendingSignatures(pkg).map(({ signature }) => signature.id))
  return pkg.history.map((event) => ({
    '@class': event.class,
    actionDate: event.actionDate,
    ...(event.person !== null && { person: toPerson(context, event.person) }),
    ...(event.stop && { stop: event.stop }),
    ...(event.signature && signatureFields(context, event, event.signature, pending.has(event.signature.id))),
  }))
}

/**
 * Returns the signatures of the stops that the package has not reached, without dates and states. The list is empty if
 * routing has ended.
 */
export function toFutureHistory(
  context: EmulatorContext,
  { form, pkg }: PackageRecord,
): ResponseBody<HistoryEvent>[] {
  if (hasEnded(pkg.state)) return []
  // A stop whose callback froze the route still lies ahead: nobody has received the package there.
  const route = calculateRoute(context.state, form, pkg)
  const here = pkg.lock === null ? undefined : stopAt(route, pkg.position)
  return [...(here ? [here] : []), ...stopsAfter(route, pkg.position)].flatMap(
    ({ name, stopNumber, recipients }) =>
      recipients.map(({ univid, permission, role, office }) => {
        const holder = currentHolder(pkg, univid)
        return {
          '@class': 'signature',
          actionDate: null,
          person: toPerson(context, holder),
          stop: { name, stopNumber },
          permission,
          context: null,
          resolution: role === null ? null : resolution(context, holder),
          routingDate: null,
          office: findOffice(context.state, office),
          state: null,
          autoSigned: null,
          inboxSigned: null,
          isInInbox: false,
        }
      }),
  )
}

function signatureFields(
  context: EmulatorContext,
  { person }: StoredEvent,
  signature: StoredSignature,
  isInInbox: boolean,
): Partial<ResponseBody<HistoryEvent>> {
  return {
    permission: signature.permission,
    context: signature.context,
    resolution: signature.isRole && person !== null ? resolution(context, person) : null,
    routingDate: signature.routingDate,
    office: findOffice(context.state, signature.office),
    state: signature.state,
    autoSigned: signature.autoSigned,
    inboxSigned: signature.inboxSigned,
    isInInbox,
  }
}

function resolution(context: EmulatorContext, univid: string): ResponseBody<Resolution> | null {
  const person = toPerson(context, univid)
  return person && { '@class': 'person', ...person }
}
