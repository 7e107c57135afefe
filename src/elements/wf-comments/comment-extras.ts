import { css, html, type ReactiveController, type TemplateResult } from 'lit'
import type { Comment } from '../../contract/schemas/comments.ts'
import { isSamePerson } from '../../contract/values/patterns.ts'
import type { Texts } from '../../locales/messages.ts'
import { addStyles } from '../element/late-styles.ts'
import type { PackageElement } from '../element/package-element.ts'
import type { PackageTarget } from '../element/package-target.ts'
import { searchable } from '../text/searchable.ts'
import { WindowEvents } from '../element/window-events.ts'
import { authorStyles, groupByPerson, renderAuthor } from './authors.ts'

/** An element that shows comments. A comment that could not be read is null. */
export type CommentsElement = PackageElement<readonly (Comment | null)[]>

/** The search, and the checkbox that hides inactive comments. */
class CommentFilter implements ReactiveController {
  readonly #host: CommentsElement
  readonly #onSearch: (found: number, total: number) => void
  #query = ''
  #activeOnly = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(host: CommentsElement, onSearch: (found: number, total: number) => void) {
    this.#host = host
    this.#onSearch = onSearch
    host.addController(this)
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer)
  }

  /** The text to find; empty if all comments are shown. */
  get query(): string {
    return this.#query
  }

  /** Whether inactive comments are hidden. */
  get activeOnly(): boolean {
    return this.#activeOnly
  }

  /** Returns the comments whose text or author contains the query. */
  find(thread: readonly Comment[]): readonly Comment[] {
    const needle = searchable(this.#query.trim())
    if (!needle) return thread
    return thread.filter(({ person, comment }) =>
      searchable([person?.displayName, comment].join('\n')).includes(needle),
    )
  }

  render(thread: readonly Comment[], found: number, messages: Texts['comments']): TemplateResult {
    const isLong = thread.length > 5 || this.#query !== ''
    const inactive = thread.filter(({ state }) => state === 'INACTIVE').length
    return html`
      <label ?hidden=${!isLong}
        >${messages.search}<input type="search" .value=${this.#query} @input=${this.#onInput}
      /></label>
      <span class="detail" ?hidden=${!isLong}>${messages.found(found, thread.length)}</span>
      <label ?hidden=${!inactive}
        ><input
          type="checkbox"
          .checked=${this.#activeOnly}
          @input=${this.#onToggle}
        />${messages.hideInactive(inactive)}</label
      >
    `
  }

  /** Searches when the typing pauses, so that only the result of the whole query is announced. */
  readonly #onInput = ({ target }: Event): void => {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#query = (target as HTMLInputElement).value
      const thread = (this.#host.value ?? []).filter((row) => row !== null)
      this.#onSearch(this.find(thread).length, thread.length)
      this.#host.requestUpdate()
    }, 300)
  }

  readonly #onToggle = (): void => {
    this.#activeOnly = !this.#activeOnly
    this.#host.requestUpdate()
  }
}

/** Renders the authors of comments. */
interface Authors {
  /** The result of `render` depends on these. */
  readonly dependencies: readonly unknown[]
  readonly render: (comment: Comment) => readonly [before: TemplateResult, after: TemplateResult]
}

/** Adds to the comments: the initials and roles of their authors, the marks of new ones, and the search. */
export class CommentExtras implements ReactiveController {
  readonly filter: CommentFilter
  readonly #element: CommentsElement
  /** Ids of the comments that are not new: those that were shown first, or when the person left the page last. */
  #seen: ReadonlySet<number | undefined> | undefined

  /** @param onSearch Called with the number of matches when a search begins. */
  constructor(element: CommentsElement, onSearch: (found: number, total: number) => void) {
    this.#element = element
    this.filter = new CommentFilter(element, onSearch)
    addStyles(element, [filterStyles, authorStyles])
    element.addController(this)
    new WindowEvents(element, ['visibilitychange'], () => {
      if (document.hidden) this.forget()
    })
  }

  hostUpdate(): void {
    const { value } = this.#element
    this.#seen ??= value && new Set(value.map((row) => row?.id))
  }

  /** Makes all comments that are shown next old: they are of another package, or the person leaves the page. */
  forget(): void {
    this.#seen = undefined
    this.#element.requestUpdate()
  }

  /** Returns what renders the authors of a package's comments, from what the page has loaded. */
  authorsOf([client, formId, packageId]: PackageTarget, messages: Texts['comments']): Authors {
    const history = client.getCached('getHistory', { params: { formId, packageId } })
    const person = client.getCached('getSession', {})?.univid
    const events = groupByPerson(history ?? [])
    return {
      dependencies: [history, person, this.#seen],
      render: (comment) => {
        const isNew = this.#seen?.has(comment.id) === false && !isSamePerson(comment.person?.univid, person)
        return renderAuthor(comment, events, isNew, messages)
      },
    }
  }
}

const filterStyles = css`
  [part='filter'],
  [part='filter'] label {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em 0.75em;
    min-block-size: 2.75em;
  }

  input {
    margin: 0;
    padding: 0.6em;
    border: 1px solid var(--_muted);
    border-radius: var(--_radius);
    background: transparent;
    accent-color: var(--_accent);
    color: inherit;
    font: inherit;
  }

  [type='checkbox'] {
    inline-size: 1.15em;
    block-size: 1.15em;
  }

  .active-only .inactive {
    display: none;
  }
`
