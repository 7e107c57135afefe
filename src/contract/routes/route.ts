/** How browsers call one operation of the proxy. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below the root of the proxy, with `:name` placeholders. */
  readonly path: `/${string}`
  /** Format of the request body. Absent if the request has no body. */
  readonly requestBody?: 'json' | 'multipart'
  /** Name of the only part besides `file` in a multipart body: `meta` is JSON, `description` is text. */
  readonly part?: 'meta' | 'description'
  /** Kind of response. Browsers follow a `redirect` as a navigation. */
  readonly response: 'json' | 'file' | 'nothing' | 'redirect'
  /** Representation versions that an `Accept` header can select, besides the default (spec, Versioning). */
  readonly versions?: readonly string[]
}

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
