import { adoptStyles, type CSSResult } from 'lit'
import type { RouteslipElement } from './routeslip-element.ts'

/** Adds the styles of a part that has loaded on demand to those of its element, and of the parts that have loaded before. */
export function addStyles({ renderRoot }: RouteslipElement, styles: readonly CSSResult[]): void {
  const root = renderRoot as ShadowRoot
  const earlier = [...root.adoptedStyleSheets]
  adoptStyles(root, [...styles])
  root.adoptedStyleSheets = [...new Set([...earlier, ...root.adoptedStyleSheets])]
}
