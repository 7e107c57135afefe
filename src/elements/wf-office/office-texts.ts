import { SignedOutError } from '../../client/index.ts'
import type { Texts } from '../../locales/messages.ts'
import { renderSignedOut } from '../notices/signed-out.ts'
import { exampleKeys, keyOf, levelOf, type OfficeLevel, readOfficeText } from './office-key.ts'
import type { OfficeLookup } from './office-lookup.ts'

/** The facts that the texts of the field depend on. */
export interface OfficeTextContext {
  readonly messages: Texts['office']
  readonly common: Texts['common']
  /** The level that the field accepts. */
  readonly level: OfficeLevel | undefined
  readonly lookup: OfficeLookup
  /** URL of the sign-in page. */
  readonly signInUrl: string | undefined
}

/** Returns the accepted level in words, and a key as an example. */
export function levelText({ messages, level }: OfficeTextContext): readonly [what: string, example: string] {
  return [messages.levels[level ?? 'any'], exampleKeys[level ?? 'department']]
}

/** Returns why a text is not an office that the field accepts. Empty if it may be one. */
export function textProblem(typed: string, context: OfficeTextContext): string {
  const { messages, level, lookup } = context
  const [what, example] = levelText(context)
  const text = readOfficeText(typed)
  const key = keyOf(text)
  if (key === undefined) {
    if (text.words) return messages.notANumber(example)
    return typed.trim() ? messages.incomplete : ''
  }
  const found = levelOf(key)
  if (found && level && found !== level)
    return messages.wrongLevel(key, messages.levels[found], what, example)
  return lookup.hasSearched(key) && !lookup.offices.has(key) ? messages.unknown(key) : ''
}

/** Renders how far an office whose name is not known has been checked. Empty if the search has ended. */
export function renderCheck(
  key: string,
  { messages, common, lookup, signInUrl }: OfficeTextContext,
): unknown {
  if (lookup.hasSearched(key)) return ''
  if (lookup.busy) return messages.checking
  // In another tab, because this one may have unsaved input.
  if (lookup.error instanceof SignedOutError)
    return [messages.unchecked, ' ', renderSignedOut(common, signInUrl, '_blank')]
  return lookup.error ? messages.unchecked : ''
}
