import type { sanitize } from 'hast-util-sanitize'
import { defaultTreeAdapter, type DefaultTreeAdapterMap, html, parseFragment, serialize } from 'parse5'

/** A node of the tree that the sanitizer reads and returns. */
export type Node = Extract<ReturnType<typeof sanitize>, { type: 'root' }>['children'][number]
export type Element = Extract<Node, { type: 'element' }>

/** The names of attributes in the sanitizer's tree, if they differ. */
const propertyNames: Readonly<Record<string, string>> = { colspan: 'colSpan', rowspan: 'rowSpan' }

/** Parses a fragment of HTML as browsers do. Leaves out everything that is neither an element nor text. */
export function parseHtml(text: string): Element['children'] {
  // Scripts do not run in emails, so the content of `<noscript>` is markup.
  return fromParser(parseFragment(text, { scriptingEnabled: false }).childNodes)
}

function fromParser(nodes: readonly DefaultTreeAdapterMap['childNode'][]): Element['children'] {
  return nodes.flatMap((node): Element['children'] => {
    if (defaultTreeAdapter.isTextNode(node)) return [{ type: 'text', value: node.value }]
    if (!defaultTreeAdapter.isElementNode(node)) return []
    const properties = Object.fromEntries(
      node.attrs.map(({ name, value }) => [propertyNames[name] ?? name, value]),
    )
    return [{ type: 'element', tagName: node.tagName, properties, children: fromParser(node.childNodes) }]
  })
}

/** Writes a tree of elements and text as HTML. */
export function serializeHtml(nodes: readonly Node[]): string {
  const fragment = defaultTreeAdapter.createDocumentFragment()
  appendTo(fragment, nodes)
  return serialize(fragment)
}

function appendTo(parent: DefaultTreeAdapterMap['parentNode'], nodes: readonly Node[]): void {
  for (const node of nodes) {
    if (node.type === 'text') defaultTreeAdapter.insertText(parent, node.value)
    if (node.type !== 'element') continue
    const attributes = Object.entries(node.properties).map(([name, value]) => ({
      name: name.toLowerCase(),
      value: String(value),
    }))
    const element = defaultTreeAdapter.createElement(node.tagName, html.NS.HTML, attributes)
    defaultTreeAdapter.appendChild(parent, element)
    appendTo(element, node.children)
  }
}
