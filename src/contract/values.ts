/** Package states (spec, States and transitions). A service may know more: compare, never index. */
export const packageStates = ['PRE_ROUTING', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID'] as const
export type PackageState = (typeof packageStates)[number]

/** Reasons to void a package, all there are (spec, Void). */
export const voidReasons = [
  'DUPLICATE_TRANSACTION',
  'INCORRECT_FORM',
  'TRANSACTION_CANCELLED',
  'TRANSACTION_DENIED',
] as const
export type VoidReason = (typeof voidReasons)[number]

/** Permissions of an approver (spec, History event). */
export const permissions = [
  'SIGNATURE_REQUIRED',
  'SIGNATURE_PERMITTED',
  'VIEW_AND_EDIT',
  'VIEW_ONLY',
] as const
export type Permission = (typeof permissions)[number]

/** Deployments of a form (spec, Conventions). */
export type Environment = 'test' | 'prod'

/** A UUID as both sides write it: in lower case. */
export const uuidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Most package ids in one bulk call. */
export const maxIds = 100

/** Largest file the proxy takes unless its operator says otherwise, in bytes. */
export const maxFileSize = 50 * 1024 * 1024
