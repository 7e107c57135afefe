import { ForbiddenError, type PageClient } from '../../../client/index.ts'
import type { AllowedActions, Session } from '../../../contract/schemas/session.ts'
import type { Package } from '../../../contract/schemas/workflow.ts'
import { readRights } from '../../element/package-element.ts'
import type { EntryValues } from './entry-merge.ts'
import { formClient } from './form-client.ts'

/** The content that a form loads. A new request has only the session. */
export interface FormContent {
  /** The signed-in person, and what the proxy allows. */
  readonly session: Session
  /** The package. Absent for a new request. */
  readonly found?: Package
  /** The person's rights to the package, and the inboxes that hold it. */
  readonly actions?: AllowedActions
  /** The values that the service has. */
  readonly entry?: EntryValues
}

/** The proxy does not serve the form. */
export class UnservedFormError extends ForbiddenError {}

/** The key of a form's content. The package is 0 for a new request, which `copyFrom` may fill in. */
export type FormTarget = readonly [client: PageClient, formId: number, packageId: number, copyFrom?: number]

export async function loadFormContent(target: FormTarget, signal: AbortSignal): Promise<FormContent> {
  const [pageClient, formId, packageId] = target
  const client = formClient(pageClient)
  const signedIn = client.getSession({ signal })
  const rights = packageId ? readRights([client, formId, packageId], signal) : undefined
  // The session decides first: of a form that is not served, no package exists.
  rights?.catch(() => {})
  const session = await signedIn
  if (!session.forms.includes(formId)) throw new UnservedFormError('getSession', 'does not name the form')
  if (!rights) {
    if (!session.allows.operations.includes('createPackage'))
      throw new ForbiddenError('createPackage', 'is not served here')
    return { session }
  }
  const params = { formId, packageId }
  const actions = await rights
  const [found, { entry }] = await Promise.all([
    client.getPackage({ params }, { signal }),
    client.getEntry({ params }, { signal, version: '1.1' }),
  ])
  return { session, found, actions, entry }
}
