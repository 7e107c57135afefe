import { readdirSync, readFileSync } from 'node:fs'

const locales = new URL('../../src/locales/', import.meta.url)

/** The messages that sections have from modules of their own, by the name that they are spread under. */
const spreadFiles = { packageStates: 'en-package-states.ts', loading: 'en-loading.ts' }

const read = (file: string) => readFileSync(new URL(file, locales), 'utf8')

const files = readdirSync(locales)
  .filter((name) => /^en(?:-[a-z-]+)?\.ts$/.test(name) && !Object.values(spreadFiles).includes(name))
  .sort((a, b) => Number(b === 'en.ts') - Number(a === 'en.ts') || a.localeCompare(b))

const spread = new Map(
  Object.entries(spreadFiles).map(([name, file]) => [name, /^ {2}.*\n(?=\})/ms.exec(read(file))?.[0] ?? '']),
)

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
    .replace(/^ {2}\.\.\.(\w+),\n/m, (_, name: string) => spread.get(name) ?? '')
    .replace(/^export const language: string = .*\n/m, "export const language = 'xx'\n")
    .replace(/^\} as const$/gm, '}')
    .replace(
      /^export const (\w+) = \{$/gm,
      "/** @type {import('routeslip').Messages['$1']} */\nexport const $1 = {",
    )
}
