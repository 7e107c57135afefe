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
