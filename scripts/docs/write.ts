// Updates the generated parts of docs/ and integrations/ from the sources and from test results:
// node --import tsx scripts/docs/write.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatted } from '../format.mjs'
import { accessibilityText, type Results } from './accessibility.ts'
import { configurationText } from './configuration.ts'
import { languageTemplate } from './language-template.ts'
import { operationsText } from './operations.ts'
import { themingText } from './theming.ts'
import { exampleResponses } from '../../tools/wordpress/examples.ts'
import { elementTable } from '../../tools/wordpress/element-table.ts'
import { translationTemplate } from '../../tools/wordpress/translation-template.ts'

const docs = new URL('../../docs/', import.meta.url)

/** The text of each generated part, by document. */
const partly: Readonly<Record<string, () => string>> = {
  'proxy.md': configurationText,
  'theming.md': themingText,
  'other-stacks.md': operationsText,
  'accessibility.md': () =>
    accessibilityText(JSON.parse(readFileSync(new URL('accessibility.json', docs), 'utf8')) as Results),
}

const plugin = '../integrations/wordpress/routeslip'

/** The files that are generated as a whole, relative to docs/. */
const whole: Readonly<Record<string, () => string | Promise<string>>> = {
  'language-template.js': languageTemplate,
  [`${plugin}/elements.json`]: elementTable,
  [`${plugin}/examples.json`]: exampleResponses,
  [`${plugin}/languages/routeslip.pot`]: translationTemplate,
}

const opening = '<!-- Written by scripts/docs/write.ts: -->'
const closing = '<!-- Until here. -->'

/** The names of the documents that are generated, as a whole or in part. */
export const generated: readonly string[] = [...Object.keys(partly), ...Object.keys(whole)]

/** Returns a document with its generated part up to date, and formatted. */
export async function written(name: string): Promise<string> {
  if (whole[name]) {
    const text = await whole[name]()
    return ['.js', '.json'].includes(extname(name)) ? await formatted(name, text) : text
  }
  const { before, after } = parts(name)
  const text = `${before}${opening}\n\n${partly[name]?.()}\n\n${closing}${after}`
  return await formatted(name, text)
}

/** Returns a document as it is now. */
export function present(name: string): string {
  return readFileSync(new URL(name, docs), 'utf8')
}

function parts(name: string): { readonly before: string; readonly after: string } {
  const [before = '', rest, ...more] = present(name).split(opening)
  const [, after, ...others] = rest?.split(closing) ?? []
  if (after === undefined || more.length + others.length > 0)
    throw new Error(`docs/${name} has to contain "${opening}" and then "${closing}", each once`)
  return { before, after }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const name of generated) {
    writeFileSync(new URL(name, docs), await written(name))
  }
}
