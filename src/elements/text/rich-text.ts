/**
 * Builds the elements of a text with markup: paragraphs, emphasis, lists, tables, and links to web pages. Drops all other
 * tags and attributes, so that nothing in the text can run. The proxy has made it well-formed. No HTML parser is
 * used, because pages with Trusted Types forbid it. Returns `undefined` if there is nothing to read.
 */
export function renderRichText(html: string): HTMLElement | undefined {
  const root = document.createElement('div')
  // The text may be in any language.
  root.lang = ''
  root.dir = 'auto'
  /** The open elements, the innermost first. */
  let open: HTMLElement[] = [root]
  for (const [token, end, name, attributes] of html.replace(hidden, '').matchAll(tokens)) {
    if (!name) {
      open[0]?.append(decode(token))
    } else if (end) {
      open = open.slice(open.findIndex(({ localName }) => localName === name.toLowerCase()) + 1)
      if (!open[0]) open = [root]
    } else if (allowed.test(name)) {
      const element = document.createElement(name)
      const [, link] = /\shref="((?:https?|mailto):[^"]*)"/i.exec(attributes ?? '') ?? []
      if (link && element instanceof HTMLAnchorElement) {
        element.href = decode(link)
        element.rel = 'noreferrer'
      }
      open[0]?.append(element)
      if (element.localName !== 'br') open.unshift(element)
    }
  }
  return root.textContent.trim() ? root : undefined
}

const allowed = /^(?:p|br|b|strong|i|em|u|[uo]l|li|a|table|t(?:head|body|foot|[rhd]))$/i

/** Comments, and elements whose content is not text. */
const hidden = /<!--[^]*?-->|<(script|style)\b[^]*?<\/\1>/gi

/** A tag, or a text. */
const tokens = /<(\/?)([a-z]\w*)([^>]*)>|[^<]+|</gi

function decode(text: string): string {
  return text.replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }
