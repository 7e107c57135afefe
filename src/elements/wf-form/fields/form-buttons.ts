import type { Intent } from '../state/request-state.ts'
import type { FormControl } from './form-controls.ts'

/** The events of native controls and of the elements of this package when people change a value. */
export const editEvents = ['input', 'change', 'fs-change']

const intents: Readonly<Record<string, Intent>> = {
  save: 'save',
  submit: 'submit',
  PRE_ROUTING: 'save',
  ROUTING: 'submit',
}

/** Attributes with which a page gives a button a purpose of its own. */
const ownPurpose = '[formaction], [formmethod], [formnovalidate]'

/**
 * Returns what each submit button of a form is for: those with `data-wf="save"` or `"submit"`, or the value PRE_ROUTING or ROUTING.
 * A button that is alone needs no mark: it submits. All others stay the page's.
 */
export function purposesOf(buttons: readonly FormControl[]): ReadonlyMap<Element, Intent> {
  const found = new Map<Element, Intent>()
  for (const button of buttons) {
    const mark = button.dataset['wf'] ?? button.getAttribute('value') ?? ''
    const intent = Object.hasOwn(intents, mark) ? intents[mark] : undefined
    if (intent && (button.dataset['wf'] || !button.matches(ownPurpose))) found.set(button, intent)
  }
  const [only] = buttons
  if (only && buttons.length === 1 && !only.dataset['wf'] && !only.matches(ownPurpose) && found.size === 0)
    found.set(only, 'submit')
  return found
}
