export { type PackageState, packageStates } from './package-states.ts'

/** Reasons to void a package. The list is complete (spec, Void). */
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

/** Environments (spec, Conventions). */
export type Environment = 'test' | 'prod'

/** Maximum number of package ids in a bulk call. */
export const maxIds = 100

/** Default maximum size of a file that the proxy accepts, in bytes. */
export const maxFileSize = 50 * 1024 * 1024

/** Kinds of entry fields. The list is complete (spec, Entry). */
export const fieldKinds = [
  'text',
  'date',
  'url',
  'email',
  'number',
  'currency',
  'no_answer',
  'university_id',
  'org',
  'department',
  'sub_department',
  'position',
] as const
export type FieldKind = (typeof fieldKinds)[number]

/** Codes of a validation failure (spec, Errors). */
export const validationCodes = [
  'validation.required',
  'validation.badAnswerType',
  'validation.notFound',
  'validation.invalidValue',
] as const
export type ValidationCode = (typeof validationCodes)[number]

/** Classes of history events (spec, History event). A service may have more. */
export const historyClasses = [
  'initiation',
  'signature',
  'void',
  'unvoid',
  'remove',
  're_initiate',
  'complete',
] as const
export type HistoryClass = (typeof historyClasses)[number]

/** Types of overrides. With CHANGE the subject loses all access; with DELEGATE the subject can still view. */
export const overrideTypes = ['CHANGE', 'DELEGATE'] as const
export type OverrideType = (typeof overrideTypes)[number]

/** Reasons of an override. The list is complete. */
export const overrideReasons = ['CONFLICT_OF_INTEREST'] as const

/** Properties by which a list of shares can be sorted. */
export const shareSortProperties = [
  'createdAt',
  'granteeClientId',
  'fileAssetUuid',
  'ownerClientId',
  'type',
] as const

/** Whether a value is an object other than an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
