import type { PropertyDeclaration, ReactiveElement } from 'lit'

type PropertyDecorator = (prototype: ReactiveElement, name: string) => void

/**
 * Declares a reactive property, as `property` of `lit/decorators.js` does. Lit's own also supports standard decorators,
 * which these elements do not use, and so adds 0.3 kB to every page.
 */
export function property(options?: PropertyDeclaration): PropertyDecorator {
  return (prototype, name) => (prototype.constructor as typeof ReactiveElement).createProperty(name, options)
}

/** Declares internal state: a reactive property without an attribute. */
export function state(): PropertyDecorator {
  return property({ state: true, attribute: false })
}
