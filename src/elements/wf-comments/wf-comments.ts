import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { guard } from 'lit/directives/guard.js'
import { serverNow } from '../../client/index.ts'
import type { Comment } from '../../contract/schemas/comments.ts'
import type { PagePart } from '../../contract/routes/package-page.ts'
import { comments } from '../../locales/en-comments.ts'
import type { Texts } from '../../locales/messages.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { commentsParts } from '../loading/expected-parts.ts'
import { FocusKeeper } from '../element/focus-keeper.ts'
import { renderTime } from '../text/format.ts'
import { renderIcon } from '../element/icon.ts'
import { humanize } from '../text/humanize.ts'
import { PackageElement, type PackageTarget } from '../element/package-element.ts'
import { messagesFor } from '../text/messages.ts'
import { renderEmpty } from '../notices/empty.ts'
import { printEvents, WindowEvents } from '../element/window-events.ts'
import type { CommentExtras } from './comment-extras.ts'
import { loadExtras } from './late.ts'
import { WfCommentsCountEvent } from './wf-comments.events.ts'
import { commentsStyles } from './wf-comments.styles.ts'

/** The comments on a package. A comment that could not be read is null. */
export type Comments = readonly (Comment | null)[]

/**
 * Shows the comments on a package, oldest first: who wrote them and when, and whether only approvers can see them. Beside the
 * name stands whether the author is the initiator, or an approver and at which stop, if the history contains it. Comments of
 * other people that arrive while the page is open are marked as new until the person leaves the page. Long comments are
 * collapsed, except on paper. If there are more than five, a search field appears. People cannot write comments here, because the
 * service has no operation for that.
 *
 * The content of the tag is shown until the script has loaded, and stays if it never loads.
 *
 * ```html
 * <wf-comments endpoint="/api/wf" form-id="6025" package-id="42"></wf-comments>
 * ```
 *
 * @element wf-comments
 *
 * @slot empty - Shown if the package has no comments.
 * @slot loading - Shown until the content has loaded.
 * @slot forbidden - Shown to people without rights.
 * @slot missing - Shown if the package does not exist.
 * @slot signed-out - Shown to people who are not signed in.
 *
 * @fires {WfLoadEvent<Comments>} wf-load - The comments were loaded, for the first time or again. `value` is the list.
 * @fires {WfCommentsCountEvent} wf-comments-count - The number of active comments is known, or has changed.
 * @fires {WfErrorEvent} wf-error - The comments failed to load.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart filter - The search field, the number of matches, and the checkbox.
 * @csspart comments - The list.
 * @csspart comment - One comment.
 * @csspart text - The text of a comment.
 * @csspart empty - The message that there is nothing to show.
 * @csspart stale - The notice or mark that the content may be out of date.
 * @csspart failure - The notice that the content could not be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart loading - The placeholder shown until the content has loaded.
 * @csspart forbidden - The message for people without rights.
 * @csspart missing - The message that the package does not exist.
 * @csspart signed-out - The message for people who are not signed in.
 * @csspart sign-in - The link to the sign-in page.
 * @csspart not-configured - The message for the page author.
 * @csspart no-proxy - The message for the page author that no proxy was found.
 *
 * @cssprop [--wf-accent] - Color of the checkbox, and of the border around “New”.
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-danger] - Color of messages for the page author.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-radius=0.5em] - Corner radius.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border color of notices.
 *
 * @cssState loading - The comments have not loaded yet.
 * @cssState loaded - The comments are shown.
 * @cssState empty - The package has no comments.
 * @cssState busy - A request is in progress.
 * @cssState stale - The latest request failed, so the content may be out of date.
 * @cssState failed - The comments could not be loaded.
 * @cssState forbidden - The person has no rights to the package.
 * @cssState missing - The package does not exist.
 * @cssState signed-out - The person is not signed in.
 * @cssState not-configured - A setting is missing or invalid; the element shows which.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class WfComments extends PackageElement<Comments> {
  static override styles = [controlStyles, commentsStyles]

  /** The number of comments rendered so far. */
  @state() private _limit = batchSize
  /** Ids of the expanded comments. */
  @state() private _expanded: ReadonlySet<number> = new Set()

  /** Whether a printout is being made, which contains the whole text of each comment. */
  @state() private _isPrinting = false

  /** Ids of the active comments that were loaded last. */
  #active: ReadonlySet<number> | undefined
  /** The marks of the authors, and the search. They load when there are comments. */
  #extras: CommentExtras | undefined

  constructor() {
    super()
    new WindowEvents(this, printEvents, (event) => this.#onPrint(event))
    new FocusKeeper(this, () => this.renderRoot.querySelector<HTMLElement>('[part=comments]'))
  }

  get #messages(): Texts['comments'] {
    return messagesFor(this, 'comments', comments)
  }

  protected override get contentName(): string {
    return this.#messages.list
  }

  protected override get expectedParts(): readonly PagePart[] {
    return this.value ? ['getComments'] : commentsParts
  }

  /** Resolves with the same list if nothing has changed, so that nothing is rendered again. */
  protected override async load(
    [client, formId, packageId]: PackageTarget,
    signal: AbortSignal,
  ): Promise<Comments> {
    const { value } = this
    const input = { params: { formId, packageId } }
    const rows = sorted(await client.getComments(input, { signal }))
    const isSame = value && JSON.stringify(value) === JSON.stringify(rows)
    if (rows.length > 0 && !(isSame && this.#extras)) void this.#loadExtras(client.getHistory(input))
    return isSame ? value : rows
  }

  /** The history contains the roles of the authors. If it cannot be loaded, they are missing. */
  async #loadExtras(history: Promise<unknown>): Promise<void> {
    const read = history.catch(() => {})
    const Extras = await loadExtras().catch(() => undefined)
    if (!Extras) return
    this.#extras ??= new Extras(this, (found, total) => {
      this._limit = batchSize
      this.announcer.announce(this.#messages.found(found, total))
    })
    this.requestUpdate()
    await read
    this.requestUpdate()
  }

  protected override peek([client, formId, packageId]: PackageTarget): Comments | undefined {
    const rows = client.getCached('getComments', { params: { formId, packageId } })
    return rows && sorted(rows)
  }

  protected override isEmpty(value: Comments): boolean {
    return value.length === 0
  }

  protected override forget(): void {
    this.#active = undefined
    this.#extras?.forget()
    this._expanded = new Set()
    this._limit = batchSize
  }

  protected override loaded(value: Comments): boolean {
    const before = this.#active
    const active = withoutUnreadable(value).filter(isActiveComment)
    this.#active = new Set(active.map(({ id }) => id))
    if (active.length !== before?.size) this.dispatchEvent(new WfCommentsCountEvent(active.length))
    const added = before ? active.filter(({ id }) => !before.has(id)) : []
    const t = this.#messages
    const author = added.length === 1 && added[0]?.person?.displayName
    if (added.length > 0) this.announcer.announce(author ? t.addedBy(author) : t.added(added.length))
    return added.length > 0
  }

  protected override renderContent(value: Comments): unknown {
    const t = this.#messages
    if (this.isEmpty(value)) return renderEmpty(t.empty)
    const thread = withoutUnreadable(value)
    const extras = this.#extras
    const filter = extras?.filter
    const query = filter?.query
    const found = filter?.find(thread) ?? thread
    const { language, timeZone } = this.formatting
    // With a time zone, ages are shown, which change every minute.
    const minute = timeZone && Math.floor(serverNow() / 60_000)
    // Without a target, there is no content.
    const authors = extras?.authorsOf(this.target as PackageTarget, t)
    const dependencies = [
      ...(authors?.dependencies ?? []),
      this._isPrinting,
      value,
      t,
      this._expanded,
      query,
      language,
      timeZone,
      minute,
    ]

    return html`
      <div
        part="filter"
        role="search"
        ?hidden=${thread.length < 6 && !query && thread.every(isActiveComment)}
      >
        ${filter?.render(thread, found.length, t)}
      </div>
      <p ?hidden=${found.length || !thread.length}>${t.none}</p>
      <div
        part="comments"
        class=${filter?.activeOnly ? 'active-only' : nothing}
        role="list"
        tabindex="-1"
        aria-label=${t.list}
      >
        ${[...Array(Math.ceil(Math.min(found.length, this._limit) / batchSize)).keys()].map(
          (chunk) => html`
            <div class=${(chunk + 1) * batchSize <= found.length ? 'chunk' : nothing}>
              ${guard([chunk, ...dependencies], () =>
                found
                  .slice(chunk * batchSize, (chunk + 1) * batchSize)
                  .map((comment) => this.#renderComment(comment, authors?.render(comment))),
              )}
            </div>
          `,
        )}
      </div>
      ${thread.length < value.length ? html`<p class="detail">${this.common.leftOut(value.length - thread.length)}</p>` : nothing}
    `
  }

  /** Renders a further batch per frame until all comments are in the document, so that the page stays responsive. */
  protected override updated(): void {
    super.updated()
    if (this._limit < (this.value?.length ?? 0)) requestAnimationFrame(() => (this._limit += batchSize))
  }

  /** Renders at once: the browser prints what is in the page when the event ends. */
  #onPrint({ type }: Event): void {
    this._isPrinting = type === 'beforeprint'
    this.performUpdate()
  }

  #renderComment(comment: Comment, [before, after]: readonly unknown[] = []) {
    const t = this.#messages
    const { id, comment: text, approversOnly, createdAt, person, state } = comment
    const author = person?.displayName ?? this.common.someone
    // A match may be anywhere in the text.
    const head = this.#extras?.filter.query ? undefined : headOf(text ?? '')
    const isExpanded = this._isPrinting || this._expanded.has(id)
    const action = isExpanded ? t.less : t.more
    return html`
      <div part="comment" role="listitem" class=${isActiveComment(comment) ? '' : 'inactive'}>
        <div class="head">
          ${before}
          <strong><bdi>${author}</bdi></strong>
          ${after}
          <span class="detail">${createdAt && renderTime(createdAt, this.formatting)}</span>
        </div>
        ${approversOnly ? html`<span class="mark">${lock}${t.approversOnly}</span>` : nothing}
        ${
          state && state !== 'ACTIVE'
            ? html`<span class="mark">${isActiveComment(comment) ? humanize(state) : t.inactive}</span>`
            : nothing
        }
        <p part="text">${isExpanded ? text : (head ?? text)}</p>
        ${
          head
            ? html`<button
                type="button"
                aria-expanded=${isExpanded}
                aria-label=${this.common.labelled(action, author)}
                @click=${() => this.#toggle(id)}
              >
                ${action}
              </button>`
            : nothing
        }
      </div>
    `
  }

  #toggle(id: number): void {
    const expanded = new Set(this._expanded)
    if (!expanded.delete(id)) expanded.add(id)
    this._expanded = expanded
  }
}

/** The number of comments rendered in one frame. */
const batchSize = 50

/** Sorts comments by time, those without a time last, and removes duplicates. */
function sorted(rows: Comments): Comments {
  const timeOf = (row: Comment | null) => row?.createdAt ?? '~'
  const ids = new Set<number>()
  return rows
    .filter((row) => !row || (!ids.has(row.id) && ids.add(row.id)))
    .sort((a, b) => Number(timeOf(a) > timeOf(b)) - Number(timeOf(a) < timeOf(b)))
}

function withoutUnreadable(rows: Comments): readonly Comment[] {
  return rows.filter((row) => row !== null)
}

function isActiveComment({ state }: Comment): boolean {
  return state !== 'INACTIVE'
}

/** Returns the first lines of a long text, up to the end of a word; `undefined` if the text is short. */
function headOf(text: string): string | undefined {
  const [head = ''] = /^(?:.{0,70}\r?\s?){9}/u.exec(text) ?? []
  return text.length > head.length * 1.3 ? `${head.replace(/\s+\S*$/, '')}…` : undefined
}

const lock = renderIcon('M5 11h14v9H5zM8 11V7a4 4 0 0 1 8 0v4')

declare global {
  interface HTMLElementTagNameMap {
    'wf-comments': WfComments
  }
}
