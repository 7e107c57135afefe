import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import MarkdownIt from 'markdown-it'

/** Path of the repository, with a trailing slash. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A fenced block of a document. */
export interface Block {
  /** Such as `docs/proxy.md`. */
  readonly file: string
  /** Number of the line with its fence, from 1. */
  readonly line: number
  /** The info string after the fence, or an empty string. */
  readonly language: string
  readonly text: string
}

/** The parts of a Markdown file that the tests check. */
export interface Document {
  readonly file: string
  readonly blocks: readonly Block[]
  /** URLs of links and images, as written. */
  readonly links: readonly string[]
  /** The anchors that a link may name after `#`. */
  readonly anchors: ReadonlySet<string>
}

/** Returns README.md, CONTRIBUTING.md, CHANGELOG.md and all Markdown files in docs/. */
export function readDocuments(): readonly Document[] {
  const below = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .sort()
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below].map((file) =>
    parseDocument(file, readFileSync(root + file, 'utf8')),
  )
}

/** Parses a document. */
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

/** Returns the anchor that GitHub generates for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
