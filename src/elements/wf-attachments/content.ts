import type { Attachment, AttachmentType } from '../../contract/schemas/attachments.ts'
import type { AllowedActions, Session } from '../../contract/schemas/session.ts'
import type { PackageTarget } from '../element/package-element.ts'

/** The attachments of a package, and what the element needs to know to add more. */
export interface Attachments {
  /** The types of attachments that the form has. A type that could not be read is null. */
  readonly types: readonly (AttachmentType | null)[]
  /** The uploaded attachments. An attachment that could not be read is null. */
  readonly attachments: readonly (Attachment | null)[]
  /** State of the package. */
  readonly state: string
  /** The signed-in person and the proxy's limits; `undefined` if the proxy does not report them. */
  readonly session: Session | undefined
  /** The person's rights to the package; `undefined` if they could not be loaded. */
  readonly actions: AllowedActions | undefined
}

/** Loads everything that the checklist shows. Without the session or the rights, the service decides what may be added. */
export async function loadAttachments(
  [client, formId, packageId]: PackageTarget,
  signal: AbortSignal,
): Promise<Attachments> {
  const input = { params: { formId, packageId } }
  const query = { id: [packageId] }
  const [types, attachments, { state }, session, [actions] = []] = await Promise.all([
    client.getAttachmentTypes(input, { signal }),
    client.getAttachments(input, { signal }),
    client.getPackage(input, { signal }),
    client.getSession({ signal }).catch(() => undefined),
    client.getActions({ params: { formId }, query }, { signal }).catch(() => []),
  ])
  return { types, attachments, state, session, actions: actions ?? undefined }
}

/** Returns the attachments if the client has them in its cache. */
export function peekAttachments([client, formId, packageId]: PackageTarget): Attachments | undefined {
  const input = { params: { formId, packageId } }
  const types = client.getCached('getAttachmentTypes', input)
  const attachments = client.getCached('getAttachments', input)
  const found = client.getCached('getPackage', input)
  const [actions] = client.getCached('getActions', { params: { formId }, query: { id: [packageId] } }) ?? []
  if (!types || !attachments || !found) return undefined
  return { types, attachments, state: found.state, session: undefined, actions: actions ?? undefined }
}
