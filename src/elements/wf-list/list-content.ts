import type { Client, PageClient } from '../../client/index.ts'
import { listReaders } from '../../contract/readers/list-readers.ts'
import { ownListRoutes } from '../../contract/routes/list-routes.ts'
import type { ListKnowledge, ListRow, RequestList } from '../../contract/schemas/lists.ts'

/** The list that is shown. */
export type ListView = OwnView | 'form'

/** A list of the person's own, between which people choose. */
export type OwnView = 'mine' | 'waiting'

/**
 * The arguments of a read: the client, the view if one is chosen, the ids of the forms, separated by spaces, and the query of the
 * conditions.
 */
export type ListKey = readonly [client: PageClient, view: ListView | '', forms: string, filter: string]

/** The content of a `<wf-list>`. */
export interface ListContent {
  /** Which requests the list contains. */
  readonly view: ListView
  /** The requests, in the order in which they are shown. */
  readonly rows: readonly ListRow[]
  /** Number of rows that could not be read. */
  readonly leftOut: number
  /** Whether the list continues. */
  readonly hasMore: boolean
  /** Whether some requests could not be checked. */
  readonly isPartial: boolean
  /** Since when the proxy has known the requests. */
  readonly known: ListKnowledge
}

/** The place in a list that a person has left. The browser keeps it, so that Back, Forward and reloading show the same. */
export interface KeptPlace {
  readonly view: ListView
  /** Number of parts that were shown. */
  readonly parts: number
  /** The query of the conditions of the list of a form. */
  readonly filter?: string | undefined
  /** Key of the request that had the focus, or of the first one on the screen; absent if there was none. */
  readonly row?: string | undefined
  /** Its distance from the top of the window, in pixels. */
  readonly top: number
  /** Which of its links and buttons had the focus; -1 if none. */
  readonly control: number
}

/**
 * Returns the name under which a list is kept; `undefined` in browsers without the Navigation API. There, each entry of the
 * history has a key of its own. So nothing has to be written into the history, which belongs to the page.
 */
export function keptName({ id, view }: Record<'id' | 'view', string>): string | undefined {
  const key = (window as Partial<Window>).navigation?.currentEntry?.key
  return key && `routeslip list ${key} ${id} ${view}`
}

/** Returns what is kept of a list in the present entry of the history; `undefined` if nothing is. */
export function readKept(list: Parameters<typeof keptName>[0]): KeptPlace | undefined {
  // Frames without an origin have no storage.
  try {
    return JSON.parse(sessionStorage.getItem(keptName(list) ?? '') ?? '') as KeptPlace
  } catch {
    return undefined
  }
}

/**
 * Reads the first parts of a list, at most `parts`. If no view is chosen, it is what waits for the person, or, if nothing that is known
 * does, what the person has started.
 */
export async function readList(
  key: readonly [client: PageClient, view: OwnView | '', forms: string],
  parts: number,
  signal: AbortSignal,
): Promise<ListContent> {
  const [client, view, forms] = key
  const read = (one: OwnView) => readView([client, one, forms], parts, signal)
  if (view) return await read(view)
  const waiting = await read('waiting')
  const { rows, leftOut, hasMore, isPartial } = waiting
  if (rows.length + leftOut > 0 || hasMore || isPartial) return waiting
  const mine = await read('mine')
  return mine.rows.length > 0 ? mine : waiting
}

async function readView(
  [client, view, forms]: readonly [client: PageClient, view: OwnView, forms: string],
  parts: number,
  signal: AbortSignal,
): Promise<ListContent> {
  const lists: Pick<Client, 'getList'> = client.extend({ routes: ownListRoutes, readers: listReaders })
  const form = forms.split(' ').filter(Boolean).map(Number)
  return await readParts(view, parts, (after) =>
    lists.getList({ query: { view, ...(form.length > 0 && { form }), ...after } }, { signal }),
  )
}

/** Reads the first parts of a list, at most `parts`. */
export async function readParts(
  view: ListView,
  parts: number,
  read: (place: { readonly after?: string }) => Promise<RequestList>,
): Promise<ListContent> {
  const rows: (ListRow | null)[] = []
  let isPartial = false
  let after: string | null = null
  for (let part = 1; ; part++) {
    const found: RequestList = await read(after === null ? {} : { after })
    rows.push(...found.rows)
    isPartial ||= found.isPartial
    after = found.next
    if (after !== null && part < parts) continue
    const { known } = found
    const readable = rows.filter((row) => row !== null)
    const leftOut = rows.length - readable.length
    return { view, rows: readable, leftOut, hasMore: after !== null, isPartial, known }
  }
}
