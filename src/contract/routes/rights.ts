import type { PackageActions } from '../schemas/workflow.ts'
import type { PackageState } from '../values/package-states.ts'

/**
 * Who decides whether the signed-in user may do something:
 *
 * - `service`: the service itself checks the request user.
 * - `service-or-canEdit`: the service; if it refuses, the flag of that name.
 * - `signed-in`: everyone who is signed in may.
 * - `creation`: everyone who is signed in may, up to a number of packages per hour.
 * - `canView`: the flag of that name for each package of the response. Rows without it are dropped.
 * - `canEdit`: the flag of that name.
 * - `void`: the flags that `mayVoid()` reads.
 * - `tool`: the host's policy and the table of transitions. The service has no flag for these operations.
 * - `policy`: the host's policy.
 * - `owner`: the user who uploaded the file, and users that the host's policy adds.
 * - `sharing`: the host's policy; for a single file, `owner` as well.
 */
export type Rights =
  | 'service'
  | 'service-or-canEdit'
  | 'signed-in'
  | 'creation'
  | 'canView'
  | 'canEdit'
  | 'void'
  | 'tool'
  | 'policy'
  | 'owner'
  | 'sharing'

/**
 * Whether these flags allow their user to void a package in this state: `canVoid`, or `canInitiatorVoid` for the
 * initiator, while the state is ROUTING; `canVoidAfter` if it is COMPLETE. In every other state, known or not, voiding is
 * denied.
 */
export function mayVoid(state: string, actions: PackageActions | null, isInitiator: boolean): boolean {
  if (!actions) return false
  const known = state as PackageState
  switch (known) {
    case 'ROUTING':
      return actions.canVoid || (actions.canInitiatorVoid && isInitiator)
    case 'COMPLETE':
      return actions.canVoidAfter
    case 'PRE_ROUTING':
    case 'DRAFT':
    case 'VOID':
      return false
    default:
      void (known satisfies never)
      return false
  }
}
