import { html, type ReactiveController, type TemplateResult } from 'lit'
import type { Client, PageClient } from '../../client/index.ts'
import { formReaders } from '../../contract/readers/form-readers.ts'
import { formRoutes } from '../../contract/routes/form-routes.ts'
import type { ListRow } from '../../contract/schemas/lists.ts'
import { type ExtendedList, keyOf } from './shown-rows.ts'

/** The place of a title in a row. */
type Place = HTMLElement & { row?: ListRow }

/** Shows one field of the entry in each row. Reads it as the person when people see the row, and keeps it only in the memory of the page. */
export class RowTitles implements ReactiveController {
  readonly #host: ExtendedList
  readonly #client: () => PageClient | undefined
  readonly #observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) if (isIntersecting) void this.#read(target as Place)
  })
  #field = ''
  /** The titles by row; empty while one is read, or if the row has none. */
  #titles = new Map<string, string>()

  constructor(host: ExtendedList, client: () => PageClient | undefined) {
    this.#host = host
    this.#client = client
    host.addController(this)
  }

  hostUpdate(): void {
    if (this.#host.titleField !== this.#field) this.clear()
    this.#field = this.#host.titleField
  }

  hostUpdated(): void {
    this.#observer.disconnect()
    const places = this.#host.renderRoot.querySelectorAll<Place>('[part=title]')
    for (const place of places)
      if (place.row && !this.#titles.has(keyOf(place.row))) this.#observer.observe(place)
  }

  hostDisconnected(): void {
    this.#observer.disconnect()
  }

  /** Forgets all titles: another person has signed in. */
  clear(): void {
    this.#titles = new Map()
  }

  render(row: ListRow): TemplateResult {
    return html`<div part="title" .row=${row}><bdi>${this.#titles.get(keyOf(row))}</bdi></div>`
  }

  async #read({ row }: Place): Promise<void> {
    const client = this.#client()
    const titles = this.#titles
    if (!client || !row || titles.has(keyOf(row))) return
    const { formId, packageId } = row
    titles.set(keyOf(row), '')
    const entries: Pick<Client, 'getEntry'> = client.extend({ routes: formRoutes, readers: formReaders })
    try {
      const entry = await entries.getEntry({ params: { formId, packageId } })
      const value = Object.hasOwn(entry, this.#field) ? entry[this.#field] : null
      if (typeof value === 'string' || typeof value === 'number') titles.set(keyOf(row), `${value}`)
    } catch {
      // The row stays as it is: the person may see the request, but not what was entered.
    }
    this.#host.requestUpdate()
  }
}
