import { adoptStyles, css, html, nothing } from 'lit'
import { ForbiddenError, NotFoundError, type PageClient } from '../../client/index.ts'
import type { ListKnowledge, ListRow } from '../../contract/schemas/lists.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import { personKey } from '../../contract/values/patterns.ts'
import { common } from '../../locales/en.ts'
import { listExtras as english } from '../../locales/en-list-extras.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Announcer } from '../notices/announcer.ts'
import { renderNotice } from '../notices/notice.ts'
import { formatInstant, type Formatting } from '../text/format.ts'
import { messagesFor } from '../text/messages.ts'
import type { FormList } from './form-list.ts'
import { type ListContent, readKept } from './list-content.ts'
import { ListPlace } from './list-place.ts'
import type { RemindDialog, RemindInput } from '../reminder/remind-dialog.ts'
import { remindedText } from '../reminder/reminded-text.ts'
import { RowTitles } from './row-titles.ts'
import { type Departure, type ExtendedList, keyOf, type Shown, type ShownRow } from './shown-rows.ts'

/**
 * The parts that a list needs only after it is shown: why rows have left, what may be missing, a field of each request, and the
 * place to which Back leads.
 */
export class ListExtras {
  readonly titles: RowTitles
  /** The query of its conditions. */
  filter: string
  readonly #host: ExtendedList
  readonly #client: () => PageClient | undefined
  readonly #shown: () => Shown | undefined
  readonly #place: ListPlace
  readonly #announcer: Announcer
  #form: FormList | undefined
  /** The dialog that reminds approvers; `undefined` until it is needed. */
  #reminder: RemindDialog | undefined
  /** The request whose dialog could not be loaded. */
  #unopened: { readonly row: ListRow; readonly name: string } | undefined
  /** Why rows have left, by key, as far as that is known. */
  #departures = new Map<string, Departure>()

  constructor(
    host: ExtendedList,
    client: () => PageClient | undefined,
    shown: () => Shown | undefined,
    announcer: Announcer,
  ) {
    this.#announcer = announcer
    this.#host = host
    this.#client = client
    this.#shown = shown
    this.titles = new RowTitles(host, client)
    this.filter = readKept(host)?.filter ?? ''
    this.#place = new ListPlace(host, () => {
      const content = shown()
      return content && { ...content, filter: this.filter }
    })
    const root = host.renderRoot as ShadowRoot
    adoptStyles(root, [...root.adoptedStyleSheets, styles])
  }

  /** Follows the list after it has loaded, for the first time or again. */
  async follow(): Promise<void> {
    const { value } = this.#host
    if (value) this.form?.follow(value, this.filter)
    if (this.#reminder) this.#recheckPerson()
    await this.#place.restore()
    try {
      await this.#explainDepartures()
    } catch {
      // The rows say only that they are no longer in the list.
    }
  }

  /** The list is opened again, perhaps by another person. */
  forget(isOtherPerson = false): void {
    this.#departures = new Map()
    if (!isOtherPerson) return
    this.titles.clear()
    this.#form?.forget()
    this.closeDialog()
  }

  /** The list of a form; `undefined` until it is read, and in other lists. */
  get form(): FormList | undefined {
    return this.#host.view === 'form' ? this.#form : undefined
  }

  /** Reads the list of a form, at most `parts` parts. */
  async readForm(client: PageClient, parts: number, signal: AbortSignal): Promise<ListContent> {
    const { FormList } = await import('./form-list.ts')
    this.#form ??= new FormList(this.#host, this.#announcer)
    return await this.#form.read(client, this.filter, parts, signal)
  }

  get emptyText(): string | undefined {
    return this.form?.emptyText(this.filter)
  }

  /** Renders what a row shows below its name. */
  renderTitle(row: ListRow): unknown {
    return [this.#host.titleField ? this.titles.render(row) : nothing, this.form?.renderPlace(row)]
  }

  renderConditions(): unknown {
    return this.form?.render(this.filter, (filter) => {
      this.filter = filter
      this.#host.requestUpdate()
    })
  }

  /** Returns when the approvers of a request were reminded; empty if they were not. */
  remindedText({ reminder }: ListRow, language: string | undefined): string {
    return reminder ? remindedText(reminder, this.#messages, language) : ''
  }

  /** Renders the button that reminds the approvers of a request. */
  renderRemind(row: ListRow, name: string): unknown {
    const t = this.#messages
    return row.reminder
      ? html`<button
          type="button"
          part="remind"
          aria-haspopup="dialog"
          aria-label=${t.remindNamed(name)}
          @click=${() => void this.#remind(row, name)}
        >
          ${t.remind}…
        </button>`
      : nothing
  }

  /** Renders that a dialog could not be loaded. */
  renderUnopened(): unknown {
    const unopened = this.#unopened
    const texts = this.#common
    return unopened
      ? renderNotice('failure', texts.unavailable, texts, false, () => {
          void this.#remind(unopened.row, unopened.name)
        })
      : nothing
  }

  /** Opens the dialog that reminds the approvers of a request, and loads it before. */
  async #remind(row: ListRow, name: string): Promise<void> {
    const isOpened = await this.#open(row, name)
    this.#unopened = isOpened ? undefined : { row, name }
    if (!isOpened) this.#announcer.announce(this.#common.unavailable)
    this.#host.requestUpdate()
  }

  /** Opens the dialog. Resolves to false if it could not be loaded. */
  async #open(row: ListRow, name: string): Promise<boolean> {
    const client = this.#client()
    try {
      const { RemindDialog } = await import('../reminder/remind-dialog.ts')
      this.#reminder ??= new RemindDialog(this.#host)
    } catch {
      return false
    }
    this.#host.requestUpdate()
    await this.#host.updateComplete
    const onSent = async (text: string) => {
      this.#announcer.announce(text)
      await this.#host.refresh()
    }
    if (client && this.#host.isConnected) {
      const { formId, packageId } = row
      void this.#reminder.open({ client, formId, packageId, name, onSent })
    }
    return true
  }

  /** An open dialog stays while nobody is signed in. Now somebody is, so it finds out whether that is the same person. */
  #recheckPerson(): void {
    this.#client()
      ?.getSession()
      .then(
        () => this.#host.requestUpdate(),
        () => {},
      )
  }

  renderDialog(
    common: RemindInput['common'],
    formatting: Formatting,
    signInUrl: RemindInput['signInUrl'],
  ): unknown {
    return this.#reminder?.render({ common, formatting, signInUrl })
  }

  closeDialog(): void {
    this.#reminder?.close()
  }

  /** Returns why a row has left; `undefined` if that is not known. */
  departureOf(row: ListRow): Departure | undefined {
    return this.#departures.get(keyOf(row))
  }

  /** Returns the reason as a text; `undefined` if nothing more is known. */
  departureText(departure: Departure): string | undefined {
    return departure === 'gone' ? undefined : this.#messages[departure]
  }

  /** Renders what the list may lack. */
  renderGaps({ gaps, isLimited }: ListKnowledge, formatting: Formatting): unknown {
    const t = this.#messages
    const time = (text: string) =>
      formatInstant(new Date(text), formatting, { dateStyle: 'medium', timeStyle: 'short' })
    return [
      gaps.map((gap) => (gap ? html`<p>${t.gap(time(gap.from), time(gap.to))}</p>` : nothing)),
      isLimited ? html`<p>${t.limited}</p>` : nothing,
    ]
  }

  get #common(): Texts['common'] {
    return messagesFor(this.#host, 'common', common)
  }

  get #messages(): Texts['listExtras'] {
    return messagesFor(this.#host, 'listExtras', english)
  }

  /** Reasons that cannot be found now are looked for again when the list has loaded again. */
  async #explainDepartures(): Promise<void> {
    const client = this.#client()
    const known = this.#departures
    const { rows = [] } = this.#shown() ?? {}
    for (const { row, hasLeft } of rows) if (!hasLeft) known.delete(keyOf(row))
    const unknown = rows.filter(({ row, hasLeft }) => hasLeft && !known.has(keyOf(row)))
    if (!client) return
    for (const one of unknown.slice(0, maxExplained)) {
      known.set(keyOf(one.row), await findDeparture(client, one))
      this.#host.requestUpdate()
    }
  }
}

/** Finds out why a row has left. Rejects if that is not known now. */
async function findDeparture(client: PageClient, { row, group }: ShownRow): Promise<Departure> {
  const { formId, packageId, received } = row
  if (group === 'drafts' && !isBeforeRouting(row.state)) return 'submitted'
  try {
    const [history, session] = await Promise.all([
      client.getHistory({ params: { formId, packageId } }),
      client.getSession(),
    ])
    if (group !== 'toSign' && group !== 'toRead') return 'gone'
    const own = personKey(session.univid)
    const hasSigned = history.some((event) => {
      const univid = event?.person?.univid
      return (
        event?.['@class'] === 'signature' &&
        univid != null &&
        personKey(univid) === own &&
        !event.isInInbox &&
        !unsigned.includes(event.state ?? 'RECEIVED') &&
        (received === null || (event.actionDate ?? '') >= received)
      )
    })
    return hasSigned ? 'signed' : 'elsewhere'
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return 'hidden'
    throw error
  }
}

/** States of events that are no signature of the person. */
const unsigned: readonly string[] = ['RECEIVED', 'BYPASSED_REMOVE', 'VOIDED']
/** Maximum number of rows that reasons are found for after each load. */
const maxExplained = 10

const styles = css`
  [part~='left'] .name {
    color: var(--_muted);
    font-weight: inherit;
  }

  @media (forced-colors: active) {
    [part='views'] button[aria-pressed='true'] {
      background: SelectedItem;
      color: SelectedItemText;
      forced-color-adjust: none;
    }
  }

  @media print {
    [part='views'],
    .more {
      display: none;
    }
  }
`
