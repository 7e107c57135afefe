import { type ChildPart, noChange } from 'lit'
import { Directive, directive, type DirectiveResult } from 'lit/directive.js'
import { insertPart, removePart, setChildPartValue, setCommittedValue } from 'lit/directive-helpers.js'

type KeyedListProps<T> = readonly [
  items: readonly T[],
  keyOf: (item: T) => unknown,
  render: (item: T) => unknown,
]

/**
 * Renders a list whose entries keep their DOM, found by their keys, as Lit's `repeat` does. That one also moves as few
 * entries as possible when a list is sorted anew. These lists only grow and shrink, so this one is 0.4 kB smaller.
 */
export const keyedList = directive(
  class extends Directive {
    readonly #parts = new Map<unknown, ChildPart>()

    /** Not called, because `update` renders. */
    declare render: (...props: KeyedListProps<unknown>) => unknown

    override update(list: ChildPart, props: unknown[]): unknown {
      const [items, keyOf, render] = props as unknown as KeyedListProps<unknown>
      const parts = this.#parts
      const keys = items.map(keyOf)
      const kept = new Set(keys)
      // First, so that the entries that stay are neighbours and do not move, which would take the focus from them.
      for (const [key, part] of parts) {
        if (kept.has(key)) continue
        removePart(part)
        parts.delete(key)
      }
      let next: ChildPart | undefined
      for (let index = items.length - 1; index >= 0; index--) {
        next = insertPart(list, next, parts.get(keys[index]))
        parts.set(keys[index], setChildPartValue(next, render(items[index])))
      }
      // Otherwise, Lit would not remove the entries if another value took the place of the list.
      setCommittedValue(list, parts)
      return noChange
    }
  },
) as <T>(...props: KeyedListProps<T>) => DirectiveResult
