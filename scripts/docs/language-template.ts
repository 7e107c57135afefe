import { readdirSync, readFileSync } from 'node:fs'

const locales = new URL('../../src/locales/', import.meta.url)

/** The messages that `packageStatus` has from a module of their own. */
const statesFile = 'en-package-states.ts'

const read = (file: string) => readFileSync(new URL(file, locales), 'utf8')

const files = readdirSync(locales)
  .filter((name) => /^en(?:-[a-z-]+)?\.ts$/.test(name) && name !== statesFile)
  .sort((a, b) => Number(b === 'en.ts') - Number(a === 'en.ts') || a.localeCompare(b))

const [packageStates = ''] = /^ {2}.*\n(?=\})/ms.exec(read(statesFile)) ?? []

const head = `// All texts of Routeslip's elements, in English. To add a language, copy this file, set \`language\`, and translate the
// texts. docs/languages.md describes placeholders and plural forms. Written by scripts/docs/write.ts.
`

/** Returns docs/language-template.js: the English messages with their comments, typed for a checker. */
export function languageTemplate(): string {
  const sections = files.map((file) => sectionsOf(read(file)))
  return [head, ...sections].join('\n')
}

function sectionsOf(source: string): string {
  const begin = source.search(/^(?:\/\*\*|export)/m)
  return source
    .slice(begin)
    .replace(/^ {2}\.\.\.packageStates,\n/m, packageStates)
    .replace(/^export const language: string = .*\n/m, "export const language = 'xx'\n")
    .replace(/^\} as const$/gm, '}')
    .replace(
      /^export const (\w+) = \{$/gm,
      "/** @type {import('routeslip').Messages['$1']} */\nexport const $1 = {",
    )
}
