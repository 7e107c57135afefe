import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ElementFacts, type Named, readElements } from './manifest.ts'
import { table } from './table.ts'

const sources = fileURLToPath(new URL('../../src/elements', import.meta.url))

/** What a token is, if it has a different meaning in each element. The page of an element has its own. */
const summaries: Readonly<Record<string, string>> = {
  '--wf-accent': 'Main buttons, choices, progress, and what waits now.',
  '--wf-on-accent': 'Text and icons on the accent color.',
  '--wf-danger': 'Failures, problems, and destructive actions.',
  '--wf-on-danger': 'Text on the danger color.',
  '--wf-surface': 'Background of dialogs and lists.',
  '--wf-text': 'Text of dialogs and lists.',
  '--wf-line': 'Borders and lines.',
  '--wf-radius': 'Corner radius. Badges use four times as much.',
  '--wf-notice-line': 'Border color of notices.',
  '--wf-success': 'What is done: signed, stored, or in force.',
}

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
        summaries[name] ?? meanings(shown, 'cssProperties', name),
      ]),
    ),
    '',
    '## Parts of several elements',
    '',
    ...namesOf(shown, 'cssParts')
      .filter((name) => tagsWith(shown, name).length > 1)
      .map((name) => `- **\`${name}\`** ${meanings(shown, 'cssParts', name)}`),
    '',
    '## Parts of one element',
    '',
    ...shown.flatMap(({ tagName, cssParts }) => {
      const own = cssParts.filter(({ name }) => tagsWith(shown, name).length === 1)
      if (own.length === 0) return []
      return [
        `- \`<${tagName}>\``,
        ...own.map(({ name, description = '' }) => `  - \`${name}\`: ${description.trim()}`),
      ]
    }),
    '',
    '## Slots',
    '',
    ...namesOf(shown, 'slots')
      .filter((name) => name !== '')
      .map((name) => `- **\`${name}\`** ${meanings(shown, 'slots', name)}`),
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

/** Returns the tags of the elements with a part. */
function tagsWith(elements: readonly ElementFacts[], part: string): readonly string[] {
  return elements
    .filter(({ cssParts }) => cssParts.some(({ name }) => name === part))
    .map(({ tagName }) => tagName)
}

/** Returns the descriptions of a name, each with its elements. A token with one meaning names none. */
function meanings(elements: readonly ElementFacts[], kind: Kind, name: string): string {
  const tagsByMeaning = new Map<string, string[]>()
  for (const { tagName, [kind]: all } of elements) {
    const found: Named | undefined = all.find((each) => each.name === name)
    if (!found) continue
    const meaning = (found.description ?? '').trim()
    tagsByMeaning.set(meaning, [...(tagsByMeaning.get(meaning) ?? []), tagName])
  }
  const all = elements.filter(({ cssParts }) => cssParts.length > 0).map(({ tagName }) => tagName)
  return [...tagsByMeaning]
    .map(([meaning, tags]) =>
      kind === 'cssProperties' && tagsByMeaning.size === 1 ? meaning : `${named(tags, all)}: ${meaning}`,
    )
    .join(' ')
}

/** Returns tags, or the fewer ones that are not among them. */
function named(tags: readonly string[], all: readonly string[]): string {
  const others = all.filter((tag) => !tags.includes(tag))
  const list = (some: readonly string[]) => some.map((tag) => `\`<${tag}>\``).join(', ')
  if (tags.length === 1 || others.length >= tags.length) return list(tags)
  return others.length === 0 ? 'All' : `All except ${list(others)}`
}
