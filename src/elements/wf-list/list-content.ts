import type { Client, PageClient } from '../../client/index.ts'
import { listReaders } from '../../contract/readers/list-readers.ts'
import { ownListRoutes } from '../../contract/routes/list-routes.ts'
import type { ListKnowledge, ListRow } from '../../contract/schemas/lists.ts'

/** The list that is shown. */
export type ListView = 'mine' | 'waiting'

/** What a list depends on: the client, the view, and the ids of the forms, separated by spaces. */
export type ListKey = readonly [client: PageClient, view: ListView, forms: string]

/** The content of a `<wf-list>`. */
export interface ListContent {
  readonly view: ListView
  readonly rows: readonly ListRow[]
  /** Number of rows that could not be read. */
  readonly leftOut: number
  /** Whether the list continues. */
  readonly hasMore: boolean
  /** Whether some requests could not be checked. */
  readonly isPartial: boolean
  readonly known: ListKnowledge
}

/** Reads the first parts of a list, at most `parts`. */
export async function readList(
  [client, view, forms]: ListKey,
  parts: number,
  signal: AbortSignal,
): Promise<ListContent> {
  const lists: Pick<Client, 'getList'> = client.extend({ routes: ownListRoutes, readers: listReaders })
  const form = forms.split(' ').filter(Boolean).map(Number)
  const rows: (ListRow | null)[] = []
  let isPartial = false
  let after: string | null = null
  for (let part = 1; ; part++) {
    const query = { view, ...(form.length > 0 && { form }), ...(after !== null && { after }) }
    const found = await lists.getList({ query }, { signal })
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
