import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import MarkdownIt from 'markdown-it'

/** The repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A fenced block of a document. */
export interface Block {
  /** Such as `docs/proxy.md`. */
  readonly file: string
  /** Line of its fence, from 1. */
  readonly line: number
  /** What stands behind the fence; empty where nothing does. */
  readonly language: string
  readonly text: string
}

/** A Markdown file, with what the tests look into. */
export interface Document {
  readonly file: string
  readonly blocks: readonly Block[]
  /** Addresses of links and images, as they are written. */
  readonly links: readonly string[]
  /** What a link may name behind its `#`. */
  readonly anchors: ReadonlySet<string>
}

/** Every document that people read: README.md, CONTRIBUTING.md and CHANGELOG.md, and all below docs/. */
export function readDocuments(): readonly Document[] {
  const below = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .sort()
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below].map((file) =>
    parseDocument(file, readFileSync(root + file, 'utf8')),
  )
}

/** Takes a document apart. */
export function parseDocument(file: string, text: string): Document {
  const tokens = new MarkdownIt({ html: true }).parse(text, {})
  const inline = tokens.flatMap(({ children }) => children ?? [])
  return {
    file,
    blocks: tokens
      .filter(({ type }) => type === 'fence' || type === 'code_block')
      .map(({ info, content, map }) => ({
        ...{ file, line: (map?.[0] ?? 0) + 1, text: content },
        language: info.trim().split(/\s/)[0] ?? '',
      })),
    links: inline.flatMap((token) => {
      const link = token.attrGet('href') ?? token.attrGet('src')
      return link == null ? [] : [String(link)]
    }),
    anchors: new Set(
      tokens.flatMap(({ type }, index) =>
        type === 'heading_open' ? [anchorOf(tokens[index + 1]?.content ?? '')] : [],
      ),
    ),
  }
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
