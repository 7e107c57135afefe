import { readdirSync, readFileSync } from 'node:fs'

const locales = new URL('../../src/locales/', import.meta.url)

const files = readdirSync(locales)
  .filter((name) => /^en(?:-[a-z-]+)?\.ts$/.test(name))
  .sort((a, b) => Number(b === 'en.ts') - Number(a === 'en.ts') || a.localeCompare(b))

const head = `// All texts of Routeslip's elements, in English. To add a language, copy this file, set \`language\`, and translate the
// texts. docs/languages.md describes placeholders and plural forms. Written by scripts/docs/write.ts.
`

/** Returns docs/language-template.js: the English messages with their comments, typed for a checker. */
export function languageTemplate(): string {
  const sections = files.map((file) => sectionsOf(readFileSync(new URL(file, locales), 'utf8')))
  return [head, ...sections].join('\n')
}

function sectionsOf(source: string): string {
  const begin = source.search(/^(?:\/\*\*|export)/m)
  return source
    .slice(begin)
    .replace(/^export const language: string = .*\n/m, "export const language = 'xx'\n")
    .replace(/^\} as const$/gm, '}')
    .replace(
      /^export const (\w+) = \{$/gm,
      "/** @type {import('routeslip').Messages['$1']} */\nexport const $1 = {",
    )
}
