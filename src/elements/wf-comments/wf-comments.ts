import { html, nothing } from 'lit'
import { state } from '../decorators.ts'
import { guard } from 'lit/directives/guard.js'
import type { Comment } from '../../contract/comments.ts'
import { comments } from '../../locales/en.ts'
import type { Messages } from '../../locales/messages.ts'
import { controlStyles } from '../controls.styles.ts'
import { FocusKeeper } from '../focus-keeper.ts'
import { renderTime } from '../format.ts'
import { renderIcon } from '../icon.ts'
import { humanize } from '../humanize.ts'
import { PackageElement, type PackageTarget } from '../package-element.ts'
import { messagesFor } from '../messages.ts'
import { WfCommentsCountEvent } from './wf-comments.events.ts'
import { commentsStyles } from './wf-comments.styles.ts'

/** Comments as the service answers them: null where one could not be read. */
export type Comments = readonly (Comment | null)[]

/**
 * Shows what was said about a package, oldest first: who, when, whether only approvers may see it, and what is inactive.
 * Long comments are folded; from six on there is a field to search in them. Comments are read here, not written: the
 * service has no call for that.
 *
 * What stands inside the tag is shown until the script has loaded, and where it never does: a link, for instance.
 *
 * ```html
 * <wf-comments endpoint="/api/wf" form-id="6025" package-id="42"></wf-comments>
 * ```
 *
 * @element wf-comments
 *
 * @slot empty - Shown where there are no comments.
 * @slot loading - Shown until they are loaded.
 * @slot forbidden - Shown to someone who has no rights on the package.
 * @slot missing - Shown where there is no such package.
 * @slot signed-out - Shown to someone who is not signed in.
 *
 * @fires {WfLoadEvent<Comments>} wf-load - The comments were loaded, for the first time or again. `value` is the list.
 * @fires {WfCommentsCountEvent} wf-comments-count - How many there are has become known or is another number.
 * @fires {WfErrorEvent} wf-error - Loading failed.
 * @fires {WfSignedOutEvent} wf-signed-out - Nobody is signed in any more.
 *
 * @csspart base - All of it.
 * @csspart filter - The search field and what stands beside it.
 * @csspart comments - The list.
 * @csspart comment - One comment.
 * @csspart text - Its text.
 * @csspart empty - What is said where there are none.
 * @csspart stale - The notice that what is shown may be out of date.
 * @csspart failure - The notice that there is nothing to show.
 * @csspart try-again - The button in either notice.
 * @csspart loading - What stands there until they are loaded.
 * @csspart forbidden - What someone without rights is told.
 * @csspart missing - What is said where there is no such package.
 * @csspart signed-out - What someone is told who is not signed in.
 * @csspart not-configured - What the author of the page is told.
 *
 * @cssprop [--wf-accent] - Colour of focus and of what can be unfolded.
 * @cssprop [--wf-danger] - Colour of what the author of the page is told.
 * @cssprop [--wf-line] - Colour of borders.
 * @cssprop [--wf-radius=0.5em] - Radius of corners.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text colour of notices.
 * @cssprop [--wf-notice-line] - Border of notices.
 *
 * @cssState loading - The comments are not there yet.
 * @cssState loaded - Something is shown.
 * @cssState empty - There are none.
 * @cssState busy - It is being asked for, for the first time or again.
 * @cssState stale - The latest attempt failed: what is shown may be out of date.
 * @cssState failed - It could not be loaded, and there is nothing to show.
 * @cssState forbidden - The person has no rights on the package.
 * @cssState missing - There is no such package.
 * @cssState signed-out - Nobody is signed in.
 * @cssState not-configured - Something that it needs is missing or wrong: it says what.
 */
export class WfComments extends PackageElement<Comments> {
  static override styles = [controlStyles, commentsStyles]

  @state() private _needle = ''
  @state() private _shown = slice
  /** Ids of what is unfolded. */
  @state() private _open: ReadonlySet<number> = new Set()

  /** Ids of the active ones that were loaded last. */
  #active: ReadonlySet<number> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    new FocusKeeper(this, () => this.renderRoot.querySelector<HTMLElement>('[part=comments]'))
  }

  get #words(): Messages['comments'] {
    return messagesFor(this, 'comments', comments)
  }

  /** What has not changed stays the same object, so that nothing is rendered again. */
  protected override async load(
    [client, formId, packageId]: PackageTarget,
    signal: AbortSignal,
  ): Promise<Comments> {
    const { value } = this
    const rows = sorted(await client.getComments({ params: { formId, packageId } }, { signal }))
    return value && JSON.stringify(value) === JSON.stringify(rows) ? value : rows
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
    this._open = new Set()
    this._shown = slice
  }

  protected override loaded(value: Comments): boolean {
    const before = this.#active
    const active = readable(value)
      .filter(isActive)
      .map(({ id }) => id)
    this.#active = new Set(active)
    if (active.length !== before?.size) this.dispatchEvent(new WfCommentsCountEvent(active.length))
    const added = before ? active.filter((id) => !before.has(id)).length : 0
    if (added) this.announcer.announce(this.#words.added(added))
    return added > 0
  }

  protected override renderContent(value: Comments): unknown {
    const t = this.#words
    if (this.isEmpty(value)) return html`<slot name="empty"><p part="empty">${t.empty}</p></slot>`
    const thread = readable(value)
    const inactive = thread.filter((comment) => !isActive(comment)).length
    const found = this.#found(thread)
    const isLong = thread.length > 5 || this._needle !== ''
    const { language, timeZone } = this.formatting
    // With a time zone, ages are shown, which grow.
    const minute = timeZone && Math.floor(Date.now() / 60_000)
    const what = [value, t, this._open, this._needle, language, timeZone, minute]

    return html`
      <div part="filter" role="search" ?hidden=${!isLong && !inactive}>
        <label ?hidden=${!isLong}
          >${t.search}<input type="search" .value=${this._needle} @input=${this.#onInput}
        /></label>
        <span class="detail" ?hidden=${!isLong}>${t.found(found.length, thread.length)}</span>
        <label ?hidden=${!inactive}><input type="checkbox" />${t.hideInactive(inactive)}</label>
      </div>
      <p ?hidden=${found.length || !thread.length}>${t.none}</p>
      <div part="comments" role="list" tabindex="-1" aria-label=${t.list}>
        ${Array.from(
          { length: Math.ceil(Math.min(found.length, this._shown) / slice) },
          (_, chunk) => html`
            <div class=${(chunk + 1) * slice <= found.length ? 'chunk' : nothing}>
              ${guard([chunk, ...what], () =>
                found
                  .slice(chunk * slice, (chunk + 1) * slice)
                  .map((comment) => this.#renderComment(comment)),
              )}
            </div>
          `,
        )}
      </div>
      ${thread.length < value.length ? html`<p class="detail">${this.common.leftOut(value.length - thread.length)}</p>` : nothing}
    `
  }

  /** Beyond the first ones, a slice a frame: the page stays quick, and in the end all is in the document. */
  protected override updated(): void {
    super.updated()
    if (this._shown < (this.value?.length ?? 0)) requestAnimationFrame(() => (this._shown += slice))
  }

  #renderComment(comment: Comment) {
    const t = this.#words
    const { id, comment: text, approversOnly, createdAt, person, state } = comment
    const author = person?.displayName ?? this.common.someone
    // What was found may stand anywhere in it.
    const head = this._needle ? undefined : headOf(text ?? '')
    const isOpen = this._open.has(id)
    const action = isOpen ? t.less : t.more
    return html`
      <div part="comment" role="listitem" class=${isActive(comment) ? '' : 'inactive'}>
        <strong><bdi>${author}</bdi></strong>
        <span class="detail">${createdAt && renderTime(createdAt, this.formatting)}</span>
        ${approversOnly ? html`<span class="mark">${lock}${t.approversOnly}</span>` : nothing}
        ${
          state && state !== 'ACTIVE'
            ? html`<span class="mark">${isActive(comment) ? humanize(state) : t.inactive}</span>`
            : nothing
        }
        <p part="text">${isOpen ? text : (head ?? text)}</p>
        ${
          head
            ? html`<button
                type="button"
                aria-expanded=${isOpen}
                aria-label=${`${action}: ${author}`}
                @click=${() => this.#onFold(id)}
              >
                ${action}
              </button>`
            : nothing
        }
      </div>
    `
  }

  #found(thread: readonly Comment[]): readonly Comment[] {
    const needle = searchable(this._needle.trim())
    if (!needle) return thread
    return thread.filter(({ person, comment }) =>
      searchable(`${person?.displayName}\n${comment}`).includes(needle),
    )
  }

  /** Searches once the typing has paused: each number on the way would be no news. */
  #onInput({ target }: Event): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this._needle = (target as HTMLInputElement).value
      this._shown = slice
      const thread = readable(this.value ?? [])
      this.announcer.announce(this.#words.found(this.#found(thread).length, thread.length))
    }, 300)
  }

  #onFold(id: number): void {
    const open = new Set(this._open)
    if (!open.delete(id)) open.add(id)
    this._open = open
  }
}

/** How many comments are rendered at once. */
const slice = 50

/** Each comment once, by time; of one time as the service lists them, and without a time at the end. */
function sorted(rows: Comments): Comments {
  const timeOf = (row: Comment | null) => row?.createdAt ?? '~'
  const ids = new Set<number>()
  return rows
    .filter((row) => !row || (!ids.has(row.id) && ids.add(row.id)))
    .sort((a, b) => Number(timeOf(a) > timeOf(b)) - Number(timeOf(a) < timeOf(b)))
}

function readable(rows: Comments): readonly Comment[] {
  return rows.filter((row) => row !== null)
}

function isActive({ state }: Comment): boolean {
  return state !== 'INACTIVE'
}

/** The beginning of a long text, some lines of it, up to the end of a word; of others nothing. */
function headOf(text: string): string | undefined {
  const [head = ''] = /^(?:.{0,70}\r?\s?){9}/u.exec(text) ?? []
  return text.length > head.length * 1.3 ? `${head.replace(/\s+\S*$/, '')}…` : undefined
}

/** Without capitals and accents. */
function searchable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

const lock = renderIcon('M5 11h14v9H5zM8 11V7a4 4 0 0 1 8 0v4')

declare global {
  interface HTMLElementTagNameMap {
    'wf-comments': WfComments
  }
}
