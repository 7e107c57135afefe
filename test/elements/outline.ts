/** Attributes whose values say nothing, or differ in each run. */
const omitted = new Set(['d', 'style', 'viewBox', 'xmlns'])

interface OutlineOptions {
  /** Also describes what is in shadow roots; what is in their slots follows, marked with `>`. */
  readonly isDeep?: boolean
  /** Whether an element is left out with its content. Default: no element is. */
  readonly isOmitted?: (element: Element) => boolean
  /** Replaces what differs in each run, in texts and values. */
  readonly replace?: (text: string) => string
}

/**
 * Returns a line for each element and each text below `root`, indented by its depth. An element's line has its tag, its
 * attributes in alphabetical order, and the value and the state of a form control.
 */
export function outline(root: ParentNode & Node, options: OutlineOptions = {}): readonly string[] {
  const { isDeep = false, isOmitted = () => false, replace = (text) => text } = options

  function linesOf(parent: Node, indent: string): string[] {
    return [...parent.childNodes].flatMap((node) => {
      if (node instanceof Text) {
        const text = replace(node.data.replace(/\s+/g, ' ').trim())
        return text ? [`${indent}"${text}"`] : []
      }
      if (!(node instanceof Element) || node.localName === 'style' || isOmitted(node)) return []
      if (node.localName === 'svg') return [`${indent}svg`]
      const shadowRoot = isDeep ? node.shadowRoot : null
      const slotted = shadowRoot ? linesOf(node, `${indent}  > `) : []
      return [`${indent}${describe(node)}`, ...linesOf(shadowRoot ?? node, `${indent}  `), ...slotted]
    })
  }

  function describe(element: Element): string {
    const attributes = [...element.attributes]
      .filter(({ name }) => !omitted.has(name))
      .map(({ name, value }) => (value ? `${name}="${replace(value)}"` : name))
    const isField =
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement
    return [
      element.localName,
      ...attributes.sort(),
      ...(isField && element.value ? [`(${replace(element.value)})`] : []),
      ...(element instanceof HTMLInputElement && element.checked ? ['(checked)'] : []),
    ].join(' ')
  }

  return linesOf(root, '')
}
