import type { Office } from '../../contract/schemas/offices.ts'
import { searchable } from '../text/searchable.ts'
import { digitsOfNextLevel, exampleKeys, levelOf, type OfficeLevel, type OfficeText } from './office-key.ts'

/** Maximum number of options in the list. */
export const maxOptions = 50

export interface OfficeOption {
  readonly key: string
  readonly name: string
  /** Whether the field accepts the office. Otherwise, choosing it lists the offices below it. */
  readonly isChoice: boolean
}

export interface OfficeOptions {
  /** At most `maxOptions`, by key. */
  readonly options: readonly OfficeOption[]
  /** The number of offices that match. */
  readonly total: number
}

/** Returns the loaded offices that match a text. If there are too many, those of the next level, to drill down. */
export function optionsFor(
  offices: Iterable<Office>,
  { digits, words }: OfficeText,
  level: OfficeLevel | undefined,
): OfficeOptions {
  const wanted = searchable(words)
  const found = [...offices]
    .map(({ naturalKey: key, name }) => ({
      key,
      name: name ?? '',
      isChoice: level === undefined || levelOf(key) === level,
    }))
    .filter(({ key, name }) => digitsOf(key).startsWith(digits) && searchable(name).includes(wanted))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const choices = found.filter(({ isChoice }) => isChoice)
  if (choices.length > 0 && choices.length <= maxOptions) return { options: choices, total: choices.length }
  const next = digitsOfNextLevel(digits)
  const steps = found.filter(
    ({ key, isChoice }) =>
      isChoice || (digitsOf(key) !== digits && level && key.length < exampleKeys[level].length),
  )
  const near = steps.filter(({ key }) => digitsOf(key).length <= next)
  const shown = near.length > 0 ? near : steps
  return { options: shown.slice(0, maxOptions), total: Math.max(choices.length, shown.length) }
}

/** Returns the office whose name, alone or after its key, is the text. */
export function officeNamed(
  { options }: OfficeOptions,
  { digits, words }: OfficeText,
): OfficeOption | undefined {
  const [first, second] = options.filter(
    ({ isChoice, key, name }) =>
      isChoice && searchable(name) === searchable(words) && (!digits || digitsOf(key) === digits),
  )
  return second ? undefined : first
}

function digitsOf(key: string): string {
  return key.replaceAll('-', '')
}
