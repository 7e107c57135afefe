import { sanitize, type Schema } from 'hast-util-sanitize'
import { type Element, type Node, parseHtml, serializeHtml } from './html-tree.ts'

/**
 * Maximum number of characters of HTML in one field. Callers refuse longer values, before and after they sanitize them:
 * escaping and the targets of links make a text up to five times as long.
 */
export const maxHtmlLength = 20_000

/** Does what `sanitizeHtml` does, possibly in another thread. */
export type Sanitize = (html: string) => string | undefined | Promise<string | undefined>

/**
 * Returns HTML that is safe in an email: paragraphs, emphasis, lists, tables, and links that show their target. Everything
 * else is removed; text is kept unless it belongs to an element such as a script. Sanitizing the result again changes nothing.
 *
 * Returns `undefined` if nothing readable is left or the elements are nested too deeply to be parsed. Returns `''` for `''`,
 * which clears a field of the service.
 */
export function sanitizeHtml(html: string): string | undefined {
  if (html === '') return ''
  try {
    let last = html
    for (let pass = 0; pass < maxPasses; pass++) {
      const next = sanitizeOnce(last)
      if (next === last || next === undefined) return next
      last = next
    }
  } catch (error) {
    // Thousands of nested elements overflow the stack.
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

/**
 * Maximum number of passes. If an element is removed, its children can end up in a parent that no parser would give them, and
 * the next parser builds another tree. The result is therefore parsed again until it does not change, usually after two passes.
 */
const maxPasses = 8

function sanitizeOnce(html: string): string | undefined {
  const tree = parseHtml(html.replace(formattingTag, '<$1x-$2'))
  nameAsAllowed(tree)
  const safe = sanitize({ type: 'root', children: tree }, schema)
  const nodes = cleanNodes('children' in safe ? safe.children : [safe], false)
  return readable.test(textOf(nodes)) ? serializeHtml(nodes) : undefined
}

/**
 * The parser repeats open formatting elements in every following paragraph, so that 20 kB of `<b 1><b 2>…<p><p>…` become
 * millions of elements and block the process for minutes
 * (https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements). The parser gives no such
 * treatment to elements with other names, so they are renamed before parsing and renamed back in the tree.
 */
const formattingTag = /<(\/?)(a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])/gi

const schema: Schema = {
  tagNames: [
    ...['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'a'],
    ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  attributes: {
    a: ['href'],
    td: [['colSpan', /^[1-9]\d?$/] as [string, RegExp], ['rowSpan', /^[1-9]\d?$/] as [string, RegExp]],
    th: [['colSpan', /^[1-9]\d?$/] as [string, RegExp], ['rowSpan', /^[1-9]\d?$/] as [string, RegExp]],
  },
  ancestors: {
    li: ['ul', 'ol'],
    thead: ['table'],
    tbody: ['table'],
    tfoot: ['table'],
    tr: ['table'],
    th: ['table'],
    td: ['table'],
  },
  // `linkTarget()` checks addresses, because the sanitizer allows relative ones.
  protocols: {},
  clobber: [],
  required: {},
  strip: [
    ...[
      'script',
      'style',
      'svg',
      'math',
      'template',
      'iframe',
      'object',
      'embed',
      'applet',
      'noscript',
      'noembed',
    ],
    ...['noframes', 'frameset', 'head', 'title', 'audio', 'video', 'canvas', 'datalist'],
  ],
}

/** Block elements that editors write and that become paragraphs. */
const blocks = new Set(
  (
    'address article aside blockquote center dd details dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup legend main menu nav pre section summary'
  ).split(' '),
)
const allowedBlocks = new Set(['p', 'ul', 'ol', 'li', 'table'])

/** Renames block elements to allowed ones. Returns whether a block element is among the nodes. */
function nameAsAllowed(nodes: readonly Node[]): boolean {
  let hasBlock = false
  for (const node of nodes) {
    if (node.type !== 'element') continue
    const containsBlock = nameAsAllowed(node.children)
    if (node.tagName.startsWith('x-')) node.tagName = node.tagName.slice(2)
    if (blocks.has(node.tagName) && !containsBlock) node.tagName = 'p'
    hasBlock ||= containsBlock || allowedBlocks.has(node.tagName)
  }
  return hasBlock
}

/** Removes characters that can disguise text, and makes links show their target. */
function cleanNodes(nodes: readonly Node[], isInLink: boolean): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (node.type === 'text') return [{ type: 'text', value: node.value.replace(disguising, '') }]
    if (node.type !== 'element') return []
    const isLink = node.tagName === 'a'
    const children = cleanNodes(node.children, isInLink || isLink) as Element['children']
    if (!isLink) return [{ ...node, children }]

    const target = isInLink ? undefined : linkTarget(node.properties['href'])
    const text = textOf(children)
    if (!target || !readable.test(text)) return children
    if (!isShown(target.shown, text)) children.push({ type: 'text', value: ` (${target.shown})` })
    return [{ ...node, properties: { href: target.href }, children }]
  })
}

/** Control characters other than tab and line feed, lone surrogates, and characters that change the text direction. */
const disguising = /(?![\t\n])[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu

/** A visible character. */
const readable = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Returns the address of an allowed link and the part of it that readers see; undefined for all other links. Allowed are
 * `https:` with a host and without credentials, and `mailto:` with one address, whose prefilled fields are removed.
 */
function linkTarget(href: unknown): { readonly href: string; readonly shown: string } | undefined {
  const address = typeof href === 'string' ? href.trim() : ''
  const [, mailbox] = /^mailto:([\w.!#$&'*+/=^`{|}~-]+@[\w-]+(?:\.[\w-]+)*)(?:\?.*)?$/i.exec(address) ?? []
  if (mailbox) return { href: `mailto:${mailbox}`, shown: mailbox }

  if (!/^https:\/\/[^\s\\\p{C}]+$/iu.test(address) || !URL.canParse(address)) return undefined
  const { href: canonical, host, username, password } = new URL(address)
  return username || password ? undefined : { href: canonical, shown: host }
}

/** Whether the text of a link begins with its target, like an address, or ends with the target in parentheses. */
function isShown(target: string, text: string): boolean {
  const plain = text.trim().toLowerCase()
  const shown = target.toLowerCase()
  const address = plain.replace(/^(?:https?:\/\/|mailto:)/, '')
  return (
    plain.endsWith(`(${shown})`) ||
    (address.startsWith(shown) && ['', '/', '?', '#'].includes(address.charAt(shown.length)))
  )
}

function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : ''))
    .join('')
}
