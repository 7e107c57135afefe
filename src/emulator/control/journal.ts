/** A request that the services received. */
export interface JournalEntry {
  /** Local date-time. */
  readonly at: string
  readonly method: string
  /** Path and query string, as received. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Name of the operation in the contract, or `download` for a presigned link. Null if no operation matches. */
  operation: string | null
  /** Path parameters. */
  params: Readonly<Record<string, unknown>> | null
  /** Query parameters with all their values. */
  readonly query: Readonly<Record<string, readonly string[]>>
  /** JSON body. Of an upload: name, type and size of the file, and the other part. Large bodies are left out. */
  body: unknown
  /** Status of the response. Null until it is sent. */
  status: number | null
}

/** Maximum number of entries. The oldest are dropped. */
export const maxJournalEntries = 10_000

/** Maximum length of a body, as JSON. */
const maxBodyLength = 16 * 1024

/** Returns a body as the journal keeps it: large bodies are replaced by a note. */
export function journalBody(body: unknown): unknown {
  const { length } = JSON.stringify(body) ?? ''
  return length <= maxBodyLength ? body : `left out: ${length} characters`
}

/** Adds a request to the journal. The caller fills in what it decodes later. */
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
