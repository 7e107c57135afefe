// Writes custom-elements.json from the sources, as custom-elements-manifest.config.mjs defines it, and from it the files for
// editors, type checkers of frameworks, and language models.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cli } from '@custom-elements-manifest/analyzer/cli.js'
import { formatted } from './format.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
// These read package.json from the current folder when they are loaded.
const { getWebTypesData } = await import('custom-element-jet-brains-integration')
const { getVsCodeCssCustomData, getVsCodeHtmlCustomData } = await import('custom-element-vs-code-integration')
const { typesOf } = await import('./framework-types.mjs')
const { llmsText } = await import('./llms-text.mjs')

await cli({ argv: ['analyze', '--quiet'], cwd: process.cwd() })
const manifest = JSON.parse(readFileSync('custom-elements.json', 'utf8'))
const elements = manifest.modules
  .flatMap(({ declarations, path }) => declarations.map((found) => ({ ...found, module: path })))
  .filter(({ tagName }) => tagName)
  .sort((a, b) => (a.tagName < b.tagName ? -1 : 1))
for (const { tagName, ...element } of elements)
  for (const { name, description } of Object.values(element).filter(Array.isArray).flat())
    if (!description) throw new Error(`${name} of <${tagName}> has no description`)

const files = {
  'dist/editors/vscode.html-custom-data.json': forHtml(),
  'dist/editors/vscode.css-custom-data.json': JSON.parse(getVsCodeCssCustomData(together(), options())),
  'dist/editors/web-types.json': await webTypes(),
  ...typesOf(elements),
  'llms.txt': llmsText(elements),
}
for (const folder of ['dist/editors', 'dist/types']) mkdirSync(folder, { recursive: true })
for (const [file, content] of Object.entries(files))
  writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)

function options() {
  return { descriptionSrc: 'description', prefix: '', suffix: '', hideLogs: true }
}

/** Returns the data for VS Code. */
function forHtml() {
  const data = JSON.parse(getVsCodeHtmlCustomData(manifest, options()))
  for (const tag of data.tags) {
    const { attributes } = elements.find(({ tagName }) => tagName === tag.name)
    tag.description = plain(tag.description)
    // VS Code then completes the attribute without a value.
    for (const attribute of tag.attributes)
      if (attributes.some(({ name, type }) => name === attribute.name && type.text === 'boolean'))
        attribute.valueSet = 'v'
  }
  return data
}

/** Returns the data for JetBrains editors. */
async function webTypes() {
  // The result has trailing commas.
  const read = async (text) => JSON.parse(await formatted('web-types.json', text))
  const html = await read(getWebTypesData(manifest, { ...options(), excludeCss: true }))
  const css = await read(getWebTypesData(together(), { ...options(), excludeHtml: true }))
  for (const element of html.contributions.html.elements) {
    element.description = plain(element.description)
    delete element['doc-url']
  }
  return {
    ...html,
    'js-types-syntax': 'typescript',
    contributions: { ...html.contributions, css: css.contributions.css },
  }
}

/** Removes the note that a default is `undefined`. */
function plain(description) {
  return description.replaceAll(' _(default: undefined)_', '')
}

/** Returns one element with the parts and custom properties of all, because VS Code completes them without a tag. */
function together() {
  const declaration = { kind: 'class', customElement: true, tagName: 'all', name: 'All' }
  for (const list of ['cssParts', 'cssProperties'])
    declaration[list] = [
      ...new Set(elements.flatMap((element) => (element[list] ?? []).map(({ name }) => name))),
    ]
      .sort()
      .map((name) => ({ name, description: described(list, name) }))
  return { schemaVersion: manifest.schemaVersion, modules: [{ path: '', declarations: [declaration] }] }
}

/** Describes a name, and lists the elements that have it. */
function described(list, name) {
  const tags = new Map()
  for (const { tagName, [list]: entries = [] } of elements) {
    const { description } = entries.find((entry) => entry.name === name) ?? {}
    if (description) tags.set(description, [...(tags.get(description) ?? []), tagName])
  }
  return [...tags].map(([description, names]) => `${names.join(', ')}: ${description}`).join('\n')
}
