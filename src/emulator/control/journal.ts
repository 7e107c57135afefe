/** One request that the services have received. */
export interface JournalEntry {
  /** Local date-time. */
  readonly at: string
  readonly method: string
  /** Path and search as they came. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Name of the operation in the contract's table, `download` for a link; null where there is none. */
  operation: string | null
  /** Values of the path's placeholders. */
  params: Readonly<Record<string, unknown>> | null
  /** Every search parameter with its values. */
  readonly query: Readonly<Record<string, readonly string[]>>
  /** JSON body; of an upload, its file's name, type and size, and its other part. What is large is left out. */
  body: unknown
  /** Status of the answer; null while it is awaited. */
  status: number | null
}

/** Most requests to remember. The oldest go first. */
export const maxJournalEntries = 10_000

/** Longest body to remember, as JSON. */
const maxBodyLength = 16 * 1024

/** A body as the journal keeps it. */
export function journalBody(body: unknown): unknown {
  const { length } = JSON.stringify(body) ?? ''
  return length <= maxBodyLength ? body : `left out: ${length} characters`
}

/** Notes a request. What is decoded later is filled in by the caller. */
export function addJournalEntry(journal: JournalEntry[], at: string, request: Request): JournalEntry {
  const { pathname, search, searchParams } = new URL(request.url)
  const entry: JournalEntry = {
    at,
    method: request.method,
    url: pathname + search,
    headers: Object.fromEntries(request.headers),
    operation: null,
    params: null,
    query: Object.fromEntries([...searchParams.keys()].map((key) => [key, searchParams.getAll(key)])),
    body: null,
    status: null,
  }
  journal.push(entry)
  if (journal.length > maxJournalEntries) journal.shift()
  return entry
}
