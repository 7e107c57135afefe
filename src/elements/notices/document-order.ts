/** Sorts by the place of elements in the page. */
export function byPlace(
  { host: one }: { readonly host: Node },
  { host: other }: { readonly host: Node },
): number {
  return isBefore(one, other) ? -1 : 1
}

/** Whether a node comes before another one of the page. */
export function isBefore(first: Node, second: Node): boolean {
  return (first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
}
