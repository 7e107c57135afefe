import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ElementFacts, type Named, readElements } from './manifest.ts'
import { table } from './table.ts'

const sources = fileURLToPath(new URL('../../src/elements', import.meta.url))

/** Returns the generated part of docs/theming.md, from the comments of the classes and from the styles. */
export function themingText(elements: readonly ElementFacts[] = readElements()): string {
  const defaults = tokenDefaults()
  // The same element under another name.
  const shown = elements.filter(({ tagName }) => tagName !== 'routing-history')
  return [
    '## Tokens',
    '',
    table(
      ['token', 'light', 'dark', 'what it is'],
      namesOf(shown, 'cssProperties').map((name) => [
        `\`${name}\``,
        ...schemes(defaults.get(name) ?? '').map((value) => (value ? `\`${value}\`` : '')),
        meanings(shown, 'cssProperties', name),
      ]),
    ),
    '',
    '## Parts',
    '',
    table(
      ['part', 'what it is'],
      namesOf(shown, 'cssParts').map((name) => [`\`${name}\``, meanings(shown, 'cssParts', name)]),
    ),
    '',
    '## Slots',
    '',
    table(
      ['slot', 'when it is shown'],
      namesOf(shown, 'slots')
        .filter((name) => name !== '')
        .map((name) => [`\`${name}\``, meanings(shown, 'slots', name)]),
    ),
  ].join('\n')
}

/** Returns the default of each token, from the `var()` calls in the styles. */
export function tokenDefaults(): ReadonlyMap<string, string> {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  return new Map(
    files.flatMap((file) =>
      [...readFileSync(join(sources, file), 'utf8').matchAll(/var\(\s*(--wf-[\w-]+)\s*,\s*/g)].map(
        (found): [string, string] => [
          found[1] ?? '',
          upToClosing(found.input.slice(found.index + found[0].length))
            .replace(/\s+/g, ' ')
            .trim(),
        ],
      ),
    ),
  )
}

/** Returns the text up to the parenthesis that closes one that is already open. */
function upToClosing(text: string): string {
  let depth = 1
  for (const [index, letter] of [...text].entries()) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (depth === 0) return text.slice(0, index)
  }
  return text
}

/** Returns the defaults in a light page and in a dark one. */
function schemes(value: string): readonly [string, string] {
  const [, light = '', dark = ''] = /^light-dark\((.+), (.+)\)$/.exec(value) ?? []
  // It follows from what is shown.
  if (value.startsWith('var(')) return ['', '']
  return light ? [light, dark] : [value, value]
}

type Kind = 'cssProperties' | 'cssParts' | 'slots'

/** Returns the names of one kind without duplicates, in the order of the elements. */
function namesOf(elements: readonly ElementFacts[], kind: Kind): readonly string[] {
  return [...new Set(elements.flatMap((element) => element[kind].map(({ name }) => name)))]
}

/** Returns the descriptions of a name, each with the elements to which it applies. */
function meanings(elements: readonly ElementFacts[], kind: Kind, name: string): string {
  const tagsByMeaning = new Map<string, string[]>()
  for (const { tagName, [kind]: all } of elements) {
    const found: Named | undefined = all.find((each) => each.name === name)
    if (!found) continue
    const meaning = (found.description ?? '').trim()
    tagsByMeaning.set(meaning, [...(tagsByMeaning.get(meaning) ?? []), `\`<${tagName}>\``])
  }
  return [...tagsByMeaning].map(([meaning, tags]) => `${tags.join(', ')}: ${meaning}`).join(' ')
}
