import type { PackageState } from '../../contract/values/package-states.ts'
import type { Texts } from '../../locales/messages.ts'
import { humanize } from '../text/humanize.ts'

/** Returns a state in words. */
export function stateLabel(state: string, messages: Pick<Texts['packageStatus'], 'states'>): string {
  const states: Readonly<Record<PackageState, string>> = messages.states
  const known: Readonly<Record<string, string>> = states
  return known[state] ?? humanize(state)
}

/** Returns a void reason in words. */
export function voidReasonLabel(reason: string, messages: Texts['packageStatus']): string {
  const known: Readonly<Record<string, string>> = messages.voidReasons
  return known[reason] ?? humanize(reason)
}

/** Returns the path of a state's icon, in a square of 24. */
export function stateIconPath(state: string): string {
  return stateIcons.get(state) ?? unknownStateIcon
}

/** Each state has a shape of its own, so that nothing depends on color alone. */
const stateIcons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    PRE_ROUTING: 'M3 12a9 9 0 0 1 18 0a9 9 0 0 1-18 0M12 7v5l3 3',
    DRAFT: 'M4 20h4L19 9l-4-4L4 16z',
    ROUTING: 'M3 12h17M13 5l7 7-7 7',
    COMPLETE: 'M4 13l5 5L20 6',
    VOID: 'M6 6l12 12M18 6L6 18',
  } satisfies Record<PackageState, string>),
)

/** The icon of a state that the spec does not list, and of a badge without a state. */
export const unknownStateIcon = 'M4 12a8 8 0 0 1 16 0a8 8 0 0 1-16 0'
