/**
 * Writes search parameters, including the question mark; returns an empty string without parameters. The parameter of a
 * list repeats: `id=1&id=2`. Values that are not a string, a number or a boolean are omitted. `parseQuery()` reads them.
 */
export function serializeQuery(query: Readonly<Record<string, unknown>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') {
        search.append(name, `${item}`)
      }
    }
  }
  return search.size > 0 ? `?${search}` : ''
}
