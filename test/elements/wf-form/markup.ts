import { render } from 'lit'

/** Renders content, and returns the element around it. */
export function rendered(content: unknown): HTMLElement {
  const element = document.createElement('div')
  render(content, element)
  return element
}

/** Returns the markup of an element's content, without comments and without the white space beside tags. */
export function markup({ innerHTML }: { readonly innerHTML: string }): string {
  return innerHTML
    .replace(/<!--.*?-->/gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?(<[^>]*>) ?/g, '$1')
    .trim()
}
