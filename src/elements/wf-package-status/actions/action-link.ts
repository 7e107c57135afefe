import { fillUrl } from '../../text/fill-url.ts'
import type { PackageStatusContent } from '../content.ts'

/** A link to a page where people sign the package or edit its data. */
export interface ActionLink {
  /** The CSS part, and the setting that contains the address. */
  readonly name: 'sign' | 'edit'
  /** The key of its text. */
  readonly label: 'sign' | 'edit' | 'editAndSubmit'
  /** An absolute HTTP address. */
  readonly url: string
}

/** Returns the links that the person may follow now. A state that the spec does not list allows none. */
export function linksFor(
  { found, actions }: PackageStatusContent,
  isInitiator: boolean,
  formId: number | undefined,
  templateOf: (name: ActionLink['name']) => string | undefined,
): readonly ActionLink[] {
  const { id: packageId, state } = found
  const ids = { formId, packageId, signatureId: actions?.signatureId }
  const link = (name: ActionLink['name'], label: ActionLink['label'] = name): ActionLink[] => {
    const url = fillUrl(templateOf(name), ids)
    return url ? [{ name, label, url }] : []
  }
  return [
    ...(state === 'ROUTING' && actions?.canSign ? link('sign') : []),
    ...(/^(?:DRAFT|PRE_ROUTING|ROUTING)$/.test(state) && actions?.canEdit
      ? link('edit', state === 'DRAFT' && isInitiator ? 'editAndSubmit' : 'edit')
      : []),
  ]
}
