import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import MarkdownIt from 'markdown-it'
import { createIndex } from 'pagefind'

const folder = 'node_modules/.cache/routeslip/search'
const markdown = MarkdownIt({ html: true })

let written: Promise<string> | undefined

/**
 * Writes the index that the page "Search" loads, for all guides, the reference and the interface of each element: once,
 * however often Storybook asks. Returns its folder.
 */
export function writeSearchIndex(): Promise<string> {
  return (written ??= write())
}

async function write(): Promise<string> {
  const { index, errors } = await createIndex({ forceLanguage: 'en' })
  if (!index) throw new Error(errors.join('\n'))
  for (const [id, content] of [...guides(), ...elements()]) {
    const added = await index.addHTMLFile({ url: `/${id}`, content: `<html lang="en"><body>${content}` })
    if (added.errors.length > 0) throw new Error(added.errors.join('\n'))
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await index.writeFiles({ outputPath: folder })
  await index.deleteIndex()
  return folder
}

type IndexedPage = readonly [id: string, html: string]

/** The pages in stories/docs that consist of text: of their own, of a file in docs, or of the reference. */
function guides(): readonly IndexedPage[] {
  return readdirSync('stories/docs')
    .filter((file) => file.endsWith('.mdx'))
    .flatMap((file) => {
      const source = readFileSync(`stories/docs/${file}`, 'utf8')
      const guide = /guide\('([\w-]+)'\)/.exec(source)?.[1]
      const imported = /import text from '\.\.\/\.\.\/(.*)\?raw'/.exec(source)?.[1]
      const own = () => source.replaceAll(/^(?:import .*|<\w+ .*\/>)$/gm, '')
      const text = imported ? readFileSync(imported, 'utf8') : guide ? textOf(guide) : own()
      const title = /<Meta title="([^"]+)"/.exec(source)?.[1] ?? file.replace('.mdx', '')
      return file === 'search.mdx' ? [] : [[pageId(title), toHtml(text)] as const]
    })
}

function textOf(guide: string): string {
  return readFileSync(guide === 'stacks' ? 'docs/stacks/README.md' : `docs/${guide}.md`, 'utf8')
}

/** Converts Markdown to HTML whose headings have the ids that Storybook gives them. */
function toHtml(text: string): string {
  const tokens = markdown.parse(text, {})
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const heading = tokens[at + 1]?.content ?? ''
    token.attrSet(
      'id',
      heading
        .replaceAll(/[^a-z\d -]/gi, '')
        .replaceAll(' ', '-')
        .toLowerCase(),
    )
  }
  return markdown.renderer.render(tokens, markdown.options, {})
}

interface Named {
  readonly name: string
  readonly description?: string
}

interface Declaration {
  readonly tagName?: string
  readonly description?: string
  readonly attributes?: readonly Named[]
  readonly events?: readonly Named[]
  readonly slots?: readonly Named[]
  readonly cssParts?: readonly Named[]
  readonly cssProperties?: readonly Named[]
}

/** The pages about elements, from the manifest that was written before Storybook started. */
function elements(): readonly IndexedPage[] {
  const { modules } = JSON.parse(readFileSync('custom-elements.json', 'utf8')) as {
    readonly modules: readonly { readonly declarations?: readonly Declaration[] }[]
  }
  return modules
    .flatMap(({ declarations = [] }) => declarations)
    .flatMap(({ tagName, description = '', attributes, events, slots, cssParts, cssProperties }) => {
      if (tagName === undefined) return []
      const members = [attributes, events, slots, cssParts, cssProperties].flatMap((list) => list ?? [])
      const lines = members.map(({ name, description = '' }) => `\`${name}\`: ${description}`)
      return [
        [pageId(`Elements/${tagName}`), toHtml([`# \`<${tagName}>\``, description, ...lines].join('\n\n'))],
      ]
    })
}

/** Returns the id that Storybook gives to a page of documentation. */
function pageId(title: string): string {
  return `${title.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')}--docs`
}
