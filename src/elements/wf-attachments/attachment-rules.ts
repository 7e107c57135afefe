import type { Attachment, AttachmentType } from '../../contract/schemas/attachments.ts'
import type { AllowedActions, Session } from '../../contract/schemas/session.ts'
import { isBeforeRouting, packageStates } from '../../contract/values/package-states.ts'
import { maxFileSize } from '../../contract/values/values.ts'
import type { Texts } from '../../locales/messages.ts'
import { humanize } from '../text/humanize.ts'
import type { FileRules } from '../upload/file-rules.ts'

/** The facts that decide whether a person may add attachments. If one is not known, the service decides. */
interface AddRights {
  /** State of the package. */
  readonly state: string
  readonly session: Session | undefined
  readonly actions: AllowedActions | undefined
}

/** Whether the person may do more with the package than view it. */
export function mayContribute({ actions }: AddRights): boolean {
  return !actions || Object.entries(actions).some(([name, flag]) => flag === true && name !== 'canView')
}

/** Whether the person may add an attachment of this type now. */
export function canAdd(type: AttachmentType, rights: AddRights): boolean {
  const { state, session } = rights
  const isServed = session?.allows.operations.includes('uploadAttachment') ?? true
  const isKnown = (packageStates as readonly string[]).includes(state) && state !== 'VOID'
  return (
    isServed && isKnown && mayContribute(rights) && (isOpenBeforeRouting(type) || !isBeforeRouting(state))
  )
}

/** Whether a form waits for an attachment of this type. `until` decides instead of the state, unless it is empty. */
export function isRequiredNow(
  { requiredPreRouting, requiredBeforeComplete }: AttachmentType,
  state: string,
  until: 'routing' | 'completion' | '',
): boolean {
  if (state === 'VOID') return false
  const stage = until || (isBeforeRouting(state) ? 'routing' : 'completion')
  return Boolean(requiredPreRouting || (stage === 'completion' && requiredBeforeComplete))
}

/** Returns the required types that have no attachment; `undefined` if a list has not loaded. */
export function missingTypes(
  types: readonly (AttachmentType | null)[] | undefined,
  attachments: readonly (Attachment | null)[] | undefined,
  isRequired: (type: AttachmentType) => boolean,
): AttachmentType[] | undefined {
  const there = attachments?.map((attachment) => attachment?.attachmentType?.id)
  const known = types?.filter((type) => type !== null)
  return there && known?.filter((type) => isRequired(type) && !there.includes(type.id))
}

export function isEverRequired({ requiredPreRouting, requiredBeforeComplete }: AttachmentType): boolean {
  return Boolean(requiredPreRouting || requiredBeforeComplete)
}

/** Whether the package went on although it lacks an attachment of this type. */
export function isLate({ requiredPreRouting }: AttachmentType, state: string): boolean {
  return state === 'COMPLETE' || (state === 'ROUTING' && Boolean(requiredPreRouting))
}

/** Whether people may upload an attachment of this type before routing starts. */
export function isOpenBeforeRouting({ visiblePreRouting, requiredPreRouting }: AttachmentType): boolean {
  return Boolean(visiblePreRouting || requiredPreRouting)
}

export function isPdfOnly({ mimeTypeRestrictions }: AttachmentType): boolean {
  return mimeTypeRestrictions?.pdf === true
}

/** The files that are accepted for an attachment of this type. */
export function rulesFor(type: AttachmentType, session: Session | undefined): FileRules {
  const { maxFileSize: maxSize = maxFileSize, extensions = null } = session?.allows ?? {}
  return { maxSize, extensions, accept: isPdfOnly(type) ? '.pdf' : undefined }
}

export function titleOf({ title, naturalKey }: AttachmentType, messages: Texts['attachments']): string {
  return title ?? (naturalKey === null ? messages.untitled : humanize(naturalKey))
}
