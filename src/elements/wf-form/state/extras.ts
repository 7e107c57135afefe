import type { EntryValues } from './entry-merge.ts'
import type { Extras } from './submission.ts'

/** The settings of a form for the values that it sends besides the entry. See the attributes of `<wf-form>`. */
export interface ExtraSettings {
  readonly subType: string
  readonly subTypeName: string
  readonly summaryName: string
  readonly detailsName: string
  readonly notify: string
}

/** Returns what is sent besides the entry. `current` is the sub-type that the package has. */
export function extrasOf(settings: ExtraSettings, typed: EntryValues, current: string | null): Extras {
  const { subType, subTypeName, summaryName, detailsName, notify } = settings
  const text = (name: string) => {
    const value = name ? typed[name] : undefined
    return typeof value === 'string' && value ? value : null
  }
  return {
    subType: text(subTypeName) ?? (subType || current || null),
    packageDetails: htmlOf(text(detailsName)),
    deltaSummary: htmlOf(text(summaryName)),
    sendDeltaEmail: notify === 'always' ? true : notify === 'never' ? false : null,
  }
}

/** Returns a text as HTML, for emails. */
function htmlOf(text: string | null): string | null {
  if (text === null) return null
  const element = document.createElement('p')
  element.textContent = text
  return element.innerHTML.replace(/\n/g, '<br>')
}
