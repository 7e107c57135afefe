import { fromHtml } from 'hast-util-from-html'
import { sanitize, type Schema } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'

type Root = ReturnType<typeof fromHtml>
type Node = Root['children'][number]
type Element = Extract<Node, { type: 'element' }>

/** Characters of HTML that may go out in one field. Callers refuse what is longer before they sanitize it. */
export const maxHtmlLength = 20_000

/**
 * HTML as it may go out in an e-mail: paragraphs, emphasis, lists, tables and links that show where they lead. Whatever
 * else is in it goes, with its text where that is not for people. Sanitizing the result again changes nothing.
 *
 * `undefined` where nothing would be left for people to read, or where the elements stand too deep in each other to be
 * read at all. `''` stays `''`, which means "clear" to the service.
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
    // Thousands of elements in each other are more than the stack holds.
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

/**
 * What has been taken out can leave elements where no parser would put them, and then the next reader sees another tree
 * than we did. So the result is read again until it reads as it was written. Two passes are the rule.
 */
const maxPasses = 8

function sanitizeOnce(html: string): string | undefined {
  const tree = fromHtml(html.replace(formattingTag, '<$1x-$2'), { fragment: true })
  nameAsAllowed(tree.children)
  const safe = sanitize(tree, schema)
  const nodes = tidy('children' in safe ? safe.children : [safe], false)
  return readable.test(textOf(nodes)) ? toHtml({ type: 'root', children: nodes }) : undefined
}

/**
 * The parser repeats formatting elements that are still open in every paragraph that follows, so that 20 kB of
 * `<b 1><b 2>…<p><p>…` become millions of elements and hold the process up for minutes
 * (https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements). Under other names
 * they are elements like any, and get their names back in the tree.
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
  // Addresses are looked at below: the sanitizer lets relative ones through.
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

/** Elements that stand on lines of their own, as editors write them. */
const blocks = new Set(
  (
    'address article aside blockquote center dd details dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup legend main menu nav pre section summary'
  ).split(' '),
)
const allowedBlocks = new Set(['p', 'ul', 'ol', 'li', 'table'])

/** Gives elements the names of the allow-list where it has one for them. Answers whether there is a block among them. */
function nameAsAllowed(nodes: readonly Node[]): boolean {
  let hasBlock = false
  for (const node of nodes) {
    if (node.type !== 'element') continue
    const holdsBlock = nameAsAllowed(node.children)
    if (node.tagName.startsWith('x-')) node.tagName = node.tagName.slice(2)
    if (blocks.has(node.tagName) && !holdsBlock) node.tagName = 'p'
    hasBlock ||= holdsBlock || allowedBlocks.has(node.tagName)
  }
  return hasBlock
}

/** Takes what could disguise a text out of it, and lets links show where they lead. */
function tidy(nodes: readonly Node[], isInLink: boolean): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (node.type === 'text') return [{ type: 'text', value: node.value.replace(disguising, '') }]
    if (node.type !== 'element') return []
    const isLink = node.tagName === 'a'
    const children = tidy(node.children, isInLink || isLink) as Element['children']
    if (!isLink) return [{ ...node, children }]

    const target = isInLink ? undefined : linkTarget(node.properties['href'])
    const text = textOf(children)
    if (!target || !readable.test(text)) return children
    if (!isShown(target.shown, text)) children.push({ type: 'text', value: ` (${target.shown})` })
    return [{ ...node, properties: { href: target.href }, children }]
  })
}

/** Controls other than tab and line feed, halves of characters, and what changes the direction of text. */
const disguising = /(?![\t\n])[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu

/** Something that people can see. */
const readable = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * An address that may be linked, as it is written and as people are shown it: `https:` with a host and without
 * credentials, or `mailto:` with one address and nothing filled in.
 */
function linkTarget(href: unknown): { readonly href: string; readonly shown: string } | undefined {
  const address = typeof href === 'string' ? href.trim() : ''
  const [, mailbox] = /^mailto:([\w.!#$&'*+/=^`{|}~-]+@[\w-]+(?:\.[\w-]+)*)(?:\?.*)?$/i.exec(address) ?? []
  if (mailbox) return { href: `mailto:${mailbox}`, shown: mailbox }

  if (!/^https:\/\/[^\s\\\p{C}]+$/iu.test(address) || !URL.canParse(address)) return undefined
  const { href: canonical, host, username, password } = new URL(address)
  return username || password ? undefined : { href: canonical, shown: host }
}

/** Whether a link's text begins with its target, as an address does, or ends with it in brackets. */
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
