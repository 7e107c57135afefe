import { html, nothing, type TemplateResult } from 'lit'
import { property, state } from './decorators.ts'
import {
  type Client,
  ForbiddenError,
  NotFoundError,
  packageScope,
  SignedOutError,
  UnavailableError,
} from '../client/index.ts'
import { parseId } from '../contract/path.ts'
import type { AllowedActions } from '../contract/session.ts'
import { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from './events.ts'
import { renderNotice } from './notice.ts'
import { Resource } from './resource.ts'
import { type ElementState, RouteslipElement } from './routeslip-element.ts'

/** Ids are never coerced: what is not written in plain digits is none. */
export const idConverter = { fromAttribute: (text: string | null): number => parseId(text ?? '') ?? 0 }

/** What the content of an element depends on: client, form, package. */
export type PackageTarget = readonly [client: Client, formId: number, packageId: number]

/** What all elements about one package have in common: what they load, and how they show that they could not. */
export abstract class PackageElement<T> extends RouteslipElement {
  /** Id of the form that the package was submitted with. Absent: as the nearest `<wf-context>` or the page is configured. */
  @property({ attribute: 'form-id', converter: idConverter }) formId = 0

  /** Id of the package to show. Absent: as the nearest `<wf-context>` or the page is configured. */
  @property({ attribute: 'package-id', converter: idConverter }) packageId = 0

  @state() private _isTrying = false

  /** What was announced of the present failure, and of which package; empty while all goes well. */
  #said = ''

  protected readonly content = new Resource<PackageTarget, T>(this, {
    key: () => this.target ?? [],
    load: (target, signal) => this.#load(target, signal),
    peek: (target) => this.peek(target),
    watch: ([client, formId, packageId], changed) => client.watch(packageScope(formId, packageId), changed),
    onForget: () => this.forget?.(),
    onLoad: (value) => this.#onLoad(value),
    onError: (error) => this.#onError(error),
  })

  /** What is shown, as last loaded; `undefined` where nothing is. */
  get value(): T | undefined {
    return this.content.value
  }

  /** Asks again, for instance after the page knows that something changed. Never rejects: see `wf-error`. */
  async refresh(): Promise<void> {
    const [client, formId, packageId] = this.target ?? []
    client?.invalidate(packageScope(formId ?? 0, packageId ?? 0))
    await this.content.refresh()
  }

  /** What is asked for; `undefined` while something is missing for that. */
  protected get target(): PackageTarget | undefined {
    const client = this.currentClient
    const formId = this.settings.get('formId')
    const packageId = this.settings.get('packageId')
    return client && isId(formId) && isId(packageId) ? [client, formId, packageId] : undefined
  }

  /** Names of what has to be configured and is not. */
  protected get missing(): readonly string[] {
    return [
      ...(isId(this.settings.get('formId')) ? [] : ['form-id']),
      ...(isId(this.settings.get('packageId')) ? [] : ['package-id']),
    ]
  }

  /** Whether the latest attempt left something out. */
  protected get hasFailed(): boolean {
    return this.content.error !== undefined
  }

  protected abstract load(target: PackageTarget, signal: AbortSignal): Promise<T>

  /** Whether to ask what the person may do before anything else. Not where `load` does so itself. */
  protected get checksRightsFirst(): boolean {
    return true
  }

  /** What is known of it already; `undefined` where that is not all. */
  protected abstract peek(target: PackageTarget): T | undefined

  /** The content that was loaded. */
  protected abstract renderContent(value: T): unknown

  /** Whether there is nothing to show in it. */
  protected isEmpty?(value: T): boolean

  /** Called whenever something was loaded, before it is rendered. Says whether it has announced it. */
  protected loaded?(value: T): boolean

  /** Called when nothing of what was shown counts any more. */
  protected forget?(): void

  /** What stands beside the content, such as dialogs: a refresh cannot take it away. */
  protected renderDialogs?(): unknown

  /** What stands there until the content is loaded. */
  protected renderLoading(): TemplateResult {
    return html`<span></span><span></span><span></span>`
  }

  protected override render(): TemplateResult {
    return html`
      <div part="base" lang=${this.textLanguage} aria-busy=${this.content.busy && !this.value}>
        ${this.#renderState()}
      </div>
      ${this.announcer.render()} ${this.renderDialogs?.()}
    `
  }

  protected override updated(): void {
    this.showStates(this.#states())
  }

  /** Whoever could view it a moment ago is not asked twice. */
  async #load(target: PackageTarget, signal: AbortSignal): Promise<T> {
    if (this.checksRightsFirst && this.content.value === undefined) {
      await readRights(target, signal).catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error
      })
    }
    return await this.load(target, signal)
  }

  #renderState() {
    const flaw = this.configurationProblem(this.missing)
    if (flaw) return this.renderConfigurationProblem(flaw)
    const { value } = this
    const { error } = this.content
    // These say something about the package itself, so what was shown before no longer holds.
    const slot = slotOf(error)
    if (slot) {
      return html`<div class="message" part=${slot}>
        <slot name=${slot}><p>${this.#failureText(error)}</p></slot>
      </div>`
    }
    if (value !== undefined) {
      return [this.renderContent(value), error ? this.renderNotice('stale', this.common.stale) : nothing]
    }
    if (error) return this.renderNotice('failure', this.#failureText(error))
    return html`<slot name="loading">
      <div class="skeleton" part="loading" role="img" aria-label=${this.common.loading}>
        ${this.renderLoading()}
      </div>
    </slot>`
  }

  /** Says that something could not be loaded, with a button that loads all of it again. */
  protected renderNotice(part: 'stale' | 'failure', text: string): TemplateResult {
    return renderNotice(part, text, this.common, this._isTrying, () => void this.#onTryAgain())
  }

  #states(): ElementState[] {
    if (this.configurationProblem(this.missing)) return ['not-configured']
    const { value } = this
    const { error, busy } = this.content
    const slot = slotOf(error)
    if (slot) return [slot]
    const now: ElementState[] =
      value !== undefined
        ? ['loaded', ...(this.isEmpty?.(value) ? (['empty'] as const) : [])]
        : [error ? 'failed' : 'loading']
    if (busy) now.push('busy')
    if (error && value !== undefined) now.push('stale')
    return now
  }

  #failureText(error: unknown): string {
    if (error instanceof ForbiddenError) return this.common.forbidden
    if (error instanceof NotFoundError) return this.common.missing
    if (error instanceof SignedOutError) return this.common.signedOut
    return this.common.unavailable
  }

  #onLoad(value: T): void {
    const hadFailed = this.#said !== ''
    this.#said = ''
    this.dispatchEvent(new WfLoadEvent(value))
    if (!this.loaded?.(value) && hadFailed) this.announcer.announce(this.common.upToDate)
  }

  /** Announces a failure once: the same words again are no news. */
  #onError(error: unknown): void {
    if (slotOf(error)) this.content.forget()
    const text = this.content.value === undefined ? this.#failureText(error) : this.common.stale
    const said = [this.settings.get('formId'), this.settings.get('packageId'), text].join()
    const isNew = said !== this.#said
    if (isNew) this.announcer.announce(text)
    this.#said = said
    this.dispatchEvent(new WfErrorEvent(error))
    if (isNew && error instanceof SignedOutError) this.dispatchEvent(new WfSignedOutEvent())
  }

  async #onTryAgain(): Promise<void> {
    if (this._isTrying) return
    this._isTrying = true
    await this.refresh()
    this._isTrying = false
    if (this.hasFailed) this.announcer.announce(this.common.stillUnavailable)
  }
}

/**
 * What the person may do with a package. Asked before the package itself: browsers write each 403 to the console as an
 * error, and being an outsider is none. Rejects with `ForbiddenError` where they may not view it.
 */
export async function readRights(
  [client, formId, packageId]: PackageTarget,
  signal: AbortSignal,
): Promise<AllowedActions> {
  const rows = await client.getActions({ params: { formId }, query: { id: [packageId] } }, { signal })
  const row = rows.find((candidate) => candidate?.packageId === packageId)
  if (!row) throw new NotFoundError('getActions', 'does not know the package')
  if (!row.canView) throw new ForbiddenError('getPackage', 'is not allowed to this person')
  return row
}

function isId(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value > 0
}

/** State and slot of an error that says something about the package or the person. */
function slotOf(error: unknown): 'forbidden' | 'missing' | 'signed-out' | undefined {
  if (error instanceof ForbiddenError) return 'forbidden'
  if (error instanceof NotFoundError) return 'missing'
  return error instanceof SignedOutError ? 'signed-out' : undefined
}
