import { Task } from '@lit/task'
import { css, html, LitElement, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'

/** What .storybook/search-index.ts writes: see https://pagefind.app/docs/api/. */
interface Pagefind {
  search(text: string): Promise<{ readonly results: readonly { data(): Promise<Found> }[] }>
}

/** A page that contains the words. */
interface Found {
  readonly url: string
  readonly meta: { readonly title?: string }
  /** The sections that contain them, and the beginning of the page. `excerpt` is HTML. */
  readonly sub_results: readonly { readonly title: string; readonly url: string; readonly excerpt: string }[]
}

/** Searches the text of all pages of documentation. */
@customElement('docs-search')
export class DocsSearch extends LitElement {
  static override styles = css`
    :host {
      display: block;
      color: CanvasText;
      font:
        1rem/1.5 system-ui,
        sans-serif;
    }
    label {
      display: block;
      font-weight: 600;
    }
    input {
      box-sizing: border-box;
      inline-size: 100%;
      max-inline-size: 32rem;
      min-block-size: 44px;
      padding: 0.25rem 0.75rem;
      border: 1px solid light-dark(#6b6b6b, #a3a3a3);
      border-radius: 4px;
      font: inherit;
    }
    :is(input, a):focus-visible {
      outline: 3px solid light-dark(#17624a, #45ad86);
      outline-offset: 2px;
    }
    a {
      color: light-dark(#17624a, #45ad86);
    }
    ol {
      padding: 0;
      list-style: none;
    }
    li {
      margin-block: 1rem;
    }
    h2 {
      margin: 0;
      font-size: 1.125rem;
    }
    p {
      margin: 0;
    }
    label,
    [role='status'] {
      margin-block: 0.5rem;
    }
    /* It does not move the list while it changes. */
    [role='status'] {
      min-block-size: 1.5em;
    }
    .section {
      margin-block-start: 0.5rem;
    }
    mark {
      background: #fff2a8;
      color: #1c2126;
    }
  `

  @state() private text = new URLSearchParams(location.search).get('search') ?? ''

  readonly #search = new Task(this, {
    args: () => [this.text.trim()] as const,
    task: async ([text]) => {
      if (text === '') return undefined
      const address = new URL('search/pagefind.js', document.baseURI).href
      // eslint-disable-next-line no-unsanitized/method -- The address is one of this site.
      const pagefind = (await import(/* @vite-ignore */ address)) as Pagefind
      const { results } = await pagefind.search(text)
      const pages = await Promise.all(results.slice(0, 15).map((result) => result.data()))
      return { text, count: results.length, pages }
    },
  })

  protected override render() {
    return html`<form role="search" @submit=${(event: Event) => event.preventDefault()}>
        <label for="text">Words in the guides and in the descriptions of elements</label>
        <input
          id="text"
          type="search"
          autocomplete="off"
          .value=${this.text}
          @input=${({ target }: Event) => (this.text = (target as HTMLInputElement).value)}
        />
      </form>
      <p role="status">
        ${this.#search.render({
          complete: (found) => found && (found.count === 0 ? nothingFound(found.text) : countOf(found.count)),
          error: () => 'The search could not be loaded. Reload the page to try again.',
        })}
      </p>
      ${
        this.#search.value &&
        html`<ol>
          ${this.#search.value.pages.map(renderPage)}
        </ol>`
      }`
  }
}

const nothingFound = (text: string) => `No page contains “${text}”. Try fewer or other words.`

const countOf = (count: number) =>
  count === 1 ? '1 page' : count > 15 ? `${count} pages, the best 15 of them below` : `${count} pages`

function renderPage({ url, meta, sub_results: sections }: Found) {
  return html`<li>
    <h2><a href=${addressOf(url)} target="_parent">${meta.title ?? url}</a></h2>
    ${sections.slice(0, 3).map(
      (section) =>
        html`<div class="section">
          ${
            section.title === meta.title
              ? nothing
              : html`<a href=${addressOf(section.url)} target="_parent">${section.title}</a>`
          }
          <p>${withMarks(section.excerpt)}</p>
        </div>`,
    )}
  </li>`
}

/** Renders an excerpt: HTML in which only `<mark>` is an element. */
function withMarks(excerpt: string) {
  const toText = (part: string) => new DOMParser().parseFromString(part, 'text/html').body.textContent
  return excerpt
    .split(/<\/?mark>/)
    .map((part, at) => (at % 2 === 1 ? html`<mark>${toText(part)}</mark>` : toText(part)))
}

/** Returns the address of a page in the frame around it. The index knows the page as `/guides-proxy--docs#section`. */
function addressOf(url: string): string {
  return `./?path=/docs${url}`
}
