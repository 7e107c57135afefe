import { displayName } from '../directory.ts'
import { overrideTypeOf } from './overrides.ts'
import { calculateRoute, isBeyondRoute, type StopRecipient, stopAt } from './route.ts'
import type { StoredSignature } from '../../state/stored-packages.ts'
import type { EmulatorContext, PackageRecord } from '../../context.ts'

/** Context of a signature beyond the end of the route. */
export const returnedContext = 'Returned to routing'

/** Returns why a recipient receives a package: the override of the subject, else `ownContext`, else the office role. */
export function contextOfRecipient(
  context: EmulatorContext,
  record: PackageRecord,
  recipient: StopRecipient,
  ownContext: string | null,
): string | null {
  return overrideContext(context, record, recipient.univid) ?? ownContext ?? roleContext(context, recipient)
}

/** Returns why a pending signature is where it is after the overrides changed. */
export function contextOfSignature(
  context: EmulatorContext,
  record: PackageRecord,
  { subject, isRole }: StoredSignature,
): string | null {
  const { form, pkg } = record
  const override = overrideContext(context, record, subject)
  if (override !== null) return override
  if (isBeyondRoute(form, pkg.position)) return returnedContext
  const stop = stopAt(calculateRoute(context.state, form, pkg), pkg.position)
  const recipient = stop?.recipients.find(
    ({ univid, role }) => univid === subject && (role !== null) === isRole,
  )
  return recipient ? roleContext(context, recipient) : null
}

function overrideContext(context: EmulatorContext, { pkg }: PackageRecord, subject: string): string | null {
  const type = overrideTypeOf(pkg, subject)
  return type ? `Routing override ${type} for ${displayName(context, subject)}` : null
}

function roleContext({ state }: EmulatorContext, { role, office }: StopRecipient): string | null {
  return role && `${role} of ${state.offices.get(office ?? '')?.name ?? office}`
}
