import { html, nothing, type TemplateResult } from 'lit'
import { property } from 'lit/decorators.js'
import { ForbiddenError, NotFoundError, SignedOutError, UnavailableError } from '../../client/index.ts'
import type { PagePart } from '../../contract/routes/package-page.ts'
import { parseId } from '../../contract/values/path.ts'
import type { AllowedActions } from '../../contract/schemas/session.ts'
import { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from './events.ts'
import { causeOf, failureText, slotOf, staleText, statesOf } from '../loading/loadable.ts'
import { createFormats } from '../text/format.ts'
import type { NoticePart } from '../notices/notice.ts'
import { renderMark } from '../notices/stale-mark.ts'
import { endOutage } from '../notices/outage.ts'
import { missingIds, type PackageTarget, scopeOf, targetOf } from './package-target.ts'
import { PageMessage } from '../notices/page-message.ts'
import { Resource } from '../loading/resource.ts'
import { RouteslipElement } from './routeslip-element.ts'
import { renderSignedOut } from '../notices/signed-out.ts'

export type { PackageTarget } from './package-target.ts'

/** Converts an attribute to an id. Ids are never coerced: anything but plain digits becomes 0. */
export const idConverter = { fromAttribute: (text: string | null): number => parseId(text ?? '') ?? 0 }

/** The base of the elements that show one package: loads their content, and renders their loading and error states. */
export abstract class PackageElement<T> extends RouteslipElement {
  /** Id of the package's form. If absent, the nearest `<wf-context>` or the page configures it. */
  @property({ attribute: 'form-id', converter: idConverter }) formId = 0

  /** Id of the package to show. If absent, the nearest `<wf-context>` or the page configures it. */
  @property({ attribute: 'package-id', converter: idConverter }) packageId = 0

  readonly #pageMessage = new PageMessage(this.announcer, {
    name: () => this.contentName,
    refresh: () => this.refresh(),
    hasFailed: () => this.hasFailed,
  })

  /** The package and text of the last announced failure; empty if the latest attempt succeeded. */
  #announced = ''

  protected readonly content = new Resource<PackageTarget, T>(this, {
    key: () => this.target ?? [],
    load: (target, signal) => this.#load(target, signal),
    peek: (target) => this.peek(target),
    watch: (target, changed) => target[0].watch(scopeOf(target), changed),
    onForget: (isOtherPerson) => {
      if (isOtherPerson) this.announcer.clear()
      this.forget?.()
    },
    onLoad: (value) => this.#onLoad(value),
    onError: (error) => this.#onError(error),
  })

  /** The loaded content; `undefined` if nothing is shown. */
  get value(): T | undefined {
    return this.content.value
  }

  /** Loads the content again, for example after the page has changed something. Never rejects: errors fire `wf-error`. */
  async refresh(): Promise<void> {
    const { target } = this
    target?.[0].invalidate(scopeOf(target))
    await this.content.refresh()
  }

  /** The package to load; `undefined` if the element is not configured. */
  protected get target(): PackageTarget | undefined {
    return targetOf(this.settings, this.currentClient)
  }

  /** The names of required attributes that are not set. */
  protected get missing(): readonly string[] {
    return missingIds(this.settings)
  }

  /** Whether the latest attempt failed, in whole or in part. */
  protected get hasFailed(): boolean {
    return this.content.error !== undefined
  }

  protected abstract load(target: PackageTarget, signal: AbortSignal): Promise<T>

  /** The parts of a package that `load` always reads once the rights are known. */
  protected get expectedParts(): readonly PagePart[] {
    return []
  }

  /** Whether to load the person's rights first. Elements whose `load` does so return false. */
  protected get checksRightsFirst(): boolean {
    return true
  }

  /** Returns the content from the cache; `undefined` if it is not complete there. */
  protected abstract peek(target: PackageTarget): T | undefined

  /** Renders the loaded content. */
  protected abstract renderContent(value: T): unknown

  /** The name of the content for announcements, in the language of the element. */
  protected abstract get contentName(): string

  /** The message for a person without rights. */
  protected get forbiddenText(): string {
    return this.common.forbidden
  }

  /** `_blank` if something would be lost with this page when people sign in. */
  protected get signInTarget(): string {
    return ''
  }

  /** Whether the content is empty. */
  protected isEmpty?(value: T): boolean

  /** Called when content has loaded, before it is rendered. Returns whether it announced the change. */
  protected loaded?(value: T): boolean

  /** Called when the shown content is no longer valid. */
  protected forget?(): void

  /** Renders dialogs. They are outside the content, so that a refresh cannot remove them. */
  protected renderDialogs?(): unknown

  /** Renders the placeholder while the content loads. */
  protected renderLoading(): TemplateResult {
    return html`<span></span><span></span><span></span>`
  }

  protected override render(): TemplateResult {
    const content = this.#renderState()
    return html`
      <div
        part="base"
        lang=${this.textLanguage}
        aria-busy=${this.content.busy && !this.value}
        ?hidden=${this.isQuiet}
      >
        ${content}
      </div>
      ${this.announcer.render()} ${this.renderDialogs?.()}
    `
  }

  protected override updated(): void {
    const { value } = this
    const { error, busy } = this.content
    this.showStates(
      statesOf({
        problem: this.configurationProblem(this.missing),
        error,
        isLoaded: value !== undefined,
        isEmpty: value !== undefined && this.isEmpty?.(value),
        isBusy: busy,
      }),
    )
  }

  /** Loads the rights first, also for content that is shown: the person may have lost access to it. */
  async #load(target: PackageTarget, signal: AbortSignal): Promise<T> {
    const [client, formId, packageId] = target
    client.expect({ formId, packageId }, this.expectedParts)
    // The card, which reads the rights itself, shows its first frame without times.
    if (this.checksRightsFirst) {
      setTimeout(createFormats, 0, this.formatting.language)
      await readRights(target, signal).catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error
      })
    }
    return await this.load(target, signal)
  }

  #renderState() {
    const problem = this.configurationProblem(this.missing)
    if (problem) return this.renderConfigurationProblem(problem)
    const { value } = this
    const { error } = this.content
    // Errors with a slot concern the package itself, so the previous content is no longer valid.
    if (value !== undefined && !slotOf(error)) {
      // First, because the content may be many screens long.
      return [error ? this.#renderStale(error) : nothing, this.renderContent(value)]
    }
    return error ? this.renderError(error) : this.renderPlaceholder()
  }

  /** Renders why there is no content, unless another element of the page shows the same. */
  protected renderError(error: unknown): unknown {
    const text = this.#failureText(error)
    if (causeOf(error) === 'no-proxy') return this.renderConfigurationProblem(text, 'no-proxy')
    const slot = slotOf(error)
    const isShown = this.#isShown(error)
    if (slot) {
      return html`<div class="message" part=${slot} tabindex="-1">
        <slot name=${slot}>${isShown ? html`<p>${this.#renderFailure(error)}</p>` : nothing}</slot>
      </div>`
    }
    return isShown ? this.#pageMessage.renderFailure(text) : nothing
  }

  /** Whether the element has nothing to show, because another element of the page shows the same message. */
  protected get isQuiet(): boolean {
    return !this.value && this.#pageMessage.isQuiet
  }

  /** Renders what the element shows until its first content has loaded. */
  protected renderPlaceholder(): TemplateResult {
    return html`<slot name="loading">
      <div class="skeleton" part="loading" role="img" aria-label=${this.common.loading}>
        ${this.renderLoading()}
      </div>
    </slot>`
  }

  #renderStale(error: unknown): unknown {
    if (!this.#isShown(error)) return renderMark(this.common)
    return this.renderNotice('stale', staleText(error, this.content.loadedAt, this.common, this.formatting))
  }

  /** Renders a notice that something could not be loaded, with a button that loads everything again. */
  protected renderNotice(part: NoticePart, text: string): TemplateResult {
    return this.#pageMessage.renderNotice(part, text)
  }

  #failureText(error: unknown): string {
    return failureText(error, this.common, this.forbiddenText)
  }

  #renderFailure(error: unknown): unknown {
    return error instanceof SignedOutError
      ? renderSignedOut(this.common, this.settings.get('signInUrl'), this.signInTarget)
      : this.#failureText(error)
  }

  /** Whether this element shows an error that others in the page may have too. */
  #isShown(error: unknown): boolean {
    // The page may have words of its own for this element.
    const hasOwnWords = this.querySelector(`:scope > [slot="${slotOf(error)}"]`)
    return hasOwnWords !== null || this.#pageMessage.shows(this.currentClient, this.#messageOf(error))
  }

  /** Identifies an error among those of the page: a person may lack the rights to one package only. */
  #messageOf(error: unknown): string {
    const slot = slotOf(error)
    const ids =
      slot && slot !== 'signed-out' ? [this.settings.get('formId'), this.settings.get('packageId')] : []
    return [this.#failureText(error), this.value !== undefined, ...ids].join()
  }

  #onLoad(value: T): void {
    const hadFailed = endOutage(this.announcer)
    this.#announced = ''
    this.dispatchEvent(new WfLoadEvent(value))
    if (!this.loaded?.(value) && hadFailed) this.announcer.announce(this.common.upToDate)
  }

  /** Announces a failure once, even if every retry fails, and an outage once for the page. */
  #onError(error: unknown): void {
    const slot = slotOf(error)
    if (slot) this.content.forget()
    const text = this.value === undefined ? this.#failureText(error) : this.common.stale
    const message = this.#messageOf(error)
    const isNew = message !== this.#announced
    if (slot && slot !== 'signed-out') {
      endOutage(this.announcer)
      const isFirst = this.#pageMessage.join(this.currentClient, message)
      if (isNew && isFirst) this.announcer.announce(text)
    } else this.#pageMessage.report(text)
    this.#announced = message
    this.dispatchEvent(new WfErrorEvent(error))
    if (isNew && slot === 'signed-out') this.dispatchEvent(new WfSignedOutEvent())
  }
}

/**
 * Loads the person's rights to a package. Elements call it before they load the package, because browsers log each 403 to
 * the console, although missing rights are not an error. Rejects with `ForbiddenError` if the person may not view the
 * package.
 */
export async function readRights(
  [client, formId, packageId]: PackageTarget,
  signal: AbortSignal,
): Promise<AllowedActions> {
  const rows = await client.getActions({ params: { formId }, query: { id: [packageId] } }, { signal })
  const row = rows.find((candidate) => candidate?.packageId === packageId)
  if (!row) throw new NotFoundError('getActions', 'found nothing')
  if (!row.canView) throw new ForbiddenError('getPackage', 'is not allowed')
  return row
}
