import { html, nothing, type TemplateResult } from 'lit'
import { SignedOutError } from '../../client/index.ts'
import { WfSignedOutEvent } from '../element/events.ts'
import { FsChangeEvent, FsErrorEvent } from '../fs-uploader/fs-uploader.events.ts'
import {
  causeOf,
  type ElementState,
  failureText,
  outsidePackage,
  staleText,
  statesOf,
} from '../loading/loadable.ts'
import type { NoticePart } from '../notices/notice.ts'
import { renderMark } from '../notices/stale-mark.ts'
import { endOutage } from '../notices/outage.ts'
import { PageMessage } from '../notices/page-message.ts'
import { RouteslipElement } from '../element/routeslip-element.ts'
import { renderSignedOut } from '../notices/signed-out.ts'

/** The base of the elements that list what the storage service holds: their loading and error states. */
export abstract class StorageElement extends RouteslipElement {
  readonly #pageMessage = new PageMessage(this.announcer, {
    name: () => this.listName,
    refresh: () => this.refresh(),
    hasFailed: () => this.readError !== undefined,
  })
  #isSignedOut = false

  /** Loads the list again. Never rejects: errors fire `fs-error`. */
  abstract refresh(): Promise<void>

  /** The error of the latest read. */
  protected abstract get readError(): unknown

  /** When the rows were loaded, in ms since 1970. */
  protected abstract get loadedAt(): number

  /** Whether a read is in progress. */
  protected abstract get isReading(): boolean

  /** The number of rows; `undefined` until the list has loaded. */
  protected abstract get rowCount(): number | undefined

  /** The name of the list for announcements, in the language of the element. */
  protected abstract get listName(): string

  /** Renders the list, or why it is not available. */
  protected abstract renderState(): unknown

  /** Called when another element of the page has changed or deleted a file. */
  protected abstract onFileChange(event: FsChangeEvent): void

  /** Renders dialogs. They are outside the list, so that a refresh cannot remove them. */
  protected renderDialogs?(): unknown

  override connectedCallback(): void {
    super.connectedCallback()
    this.ownerDocument.addEventListener(FsChangeEvent.type, this.#onChange)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.ownerDocument.removeEventListener(FsChangeEvent.type, this.#onChange)
  }

  protected override updated(): void {
    this.showStates(this.elementStates)
  }

  protected override render(): TemplateResult {
    const problem = this.configurationProblem()
    const content = problem ? this.renderConfigurationProblem(problem) : this.renderState()
    return html`
      <div
        part="base"
        lang=${this.textLanguage}
        ?hidden=${this.rowCount === undefined && this.#pageMessage.isQuiet}
      >
        ${content}
      </div>
      ${this.renderDialogs?.()} ${this.announcer.render()}
    `
  }

  /** Renders why the list is not available, unless an element above shows the same; `undefined` while it loads. */
  protected renderFailure(): TemplateResult | typeof nothing | undefined {
    const error = outsidePackage(this.readError)
    if (!error) return undefined
    const text = failureText(error, this.common)
    const cause = causeOf(error)
    if (cause === 'no-proxy') return this.renderConfigurationProblem(text, cause)
    const isShown = this.#isShown(text, false)
    if (cause === 'signed-out')
      return html`<p part=${cause}>${isShown ? this.renderSignedOut() : nothing}</p>`
    return isShown ? this.#pageMessage.renderFailure(text) : nothing
  }

  /** Renders why the content may be out of date. `isSaid`: whether a form in it shows that the person is signed out. */
  protected renderStale(isSaid: boolean): unknown {
    const error = outsidePackage(this.readError)
    if (error instanceof SignedOutError)
      return isSaid ? nothing : html`<p part="signed-out">${this.renderSignedOut('_blank')}</p>`
    if (!error) return nothing
    if (!this.#isShown(failureText(error, this.common), true)) return renderMark(this.common)
    return this.renderNotice('stale', staleText(error, this.loadedAt, this.common, this.formatting))
  }

  /** Renders that the person is signed out. `target` is `_blank` if something would be lost with this page. */
  protected renderSignedOut(target?: string): TemplateResult | string {
    return renderSignedOut(this.common, this.settings.get('signInUrl'), target)
  }

  /** Renders the placeholder while the list loads. */
  protected renderLoading(): TemplateResult {
    return html`<div class="skeleton" part="loading" role="img" aria-label=${this.common.loading}>
      <span></span><span></span><span></span>
    </div>`
  }

  /** Renders a notice that something could not be loaded, with a button that loads everything again. */
  protected renderNotice(part: NoticePart, text: string): TemplateResult {
    return this.#pageMessage.renderNotice(part, text)
  }

  protected get elementStates(): readonly ElementState[] {
    const { rowCount, isReading: isBusy } = this
    const error = outsidePackage(this.readError)
    const isLoaded = rowCount !== undefined
    return statesOf({
      problem: this.configurationProblem(),
      error,
      isLoaded,
      isEmpty: rowCount === 0,
      isBusy,
    })
  }

  protected onRead(): void {
    this.#isSignedOut = false
    if (endOutage(this.announcer)) this.announcer.announce(this.common.upToDate)
  }

  /**
   * Fires events for an error, and announces it if it is not about the person's rights. `isSaid`: whether a form has said that
   * the person is signed out.
   */
  protected onReadError(error: unknown, isSaid: boolean, isAnnounced = true): void {
    const isLoaded = this.rowCount !== undefined && !(error instanceof SignedOutError)
    const text = isLoaded ? this.common.stale : failureText(outsidePackage(error), this.common)
    if (isAnnounced) this.#pageMessage.report(text, isSaid)
    this.dispatchEvent(new FsErrorEvent(error))
    const isSignedOut = error instanceof SignedOutError
    if (isSignedOut && !this.#isSignedOut) this.dispatchEvent(new WfSignedOutEvent())
    this.#isSignedOut = isSignedOut
  }

  readonly #onChange = (event: Event): void => {
    if (event instanceof FsChangeEvent && !event.composedPath().includes(this)) this.onFileChange(event)
  }

  /** Whether this element shows a message that others in the page may have too. */
  #isShown(text: string, isLoaded: boolean): boolean {
    return this.#pageMessage.shows(this.currentClient, [text, isLoaded].join())
  }
}
