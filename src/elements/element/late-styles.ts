import { adoptStyles, type CSSResult } from 'lit'
import type { RouteslipElement } from './routeslip-element.ts'

/** Adds the styles of a part that has loaded on demand to those of its element. */
export function addStyles(element: RouteslipElement, styles: readonly CSSResult[]): void {
  const { elementStyles } = element.constructor as typeof RouteslipElement
  adoptStyles(element.renderRoot as ShadowRoot, [...elementStyles, ...styles])
}
