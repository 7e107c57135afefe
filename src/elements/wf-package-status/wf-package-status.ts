import { Task } from '@lit/task'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { property, state } from 'lit/decorators.js'
import { ForbiddenError, NotFoundError, SignedOutError } from '../../client/index.ts'
import type { HistoryEvent } from '../../contract/history.ts'
import type { Session } from '../../contract/session.ts'
import type { InboxSignature, Package } from '../../contract/workflow.ts'
import { packageStatus } from '../../locales/en.ts'
import type { Messages } from '../../locales/messages.ts'
import { controlStyles } from '../controls.styles.ts'
import { type ShownPackage, WfChangeEvent } from '../events.ts'
import { FocusKeeper } from '../focus-keeper.ts'
import { renderTime } from '../format.ts'
import { renderIcon } from '../icon.ts'
import { humanize } from '../humanize.ts'
import { renderNotice } from '../notice.ts'
import { PackageElement, type PackageTarget } from '../package-element.ts'
import { messagesFor } from '../messages.ts'
import type { ActionDialog } from './action-dialog.ts'
import { type Badge, renderBadge } from './badge.ts'
import {
  type ActionName,
  actionsFor,
  type PackageStatusContent,
  holdersOf,
  labelOf,
  loadCard,
  loadForBadge,
  peekContent,
  reasonOf,
} from './content.ts'
import { WfSignEvent } from './wf-package-status.events.ts'
import { packageStatusStyles } from './wf-package-status.styles.ts'

/**
 * Shows where a package stands on its route: its state, whom it waits for and since when, who initiated it; and lets
 * people do with it what they may: sign, start routing, void, and whatever routing tools the site allows them.
 *
 * With `variant="badge"` it is one word in a line, for tables and lists: however many there are, they ask for a hundred
 * packages at a time. Badges have no actions, and announce nothing.
 *
 * What stands inside the tag is shown until the script has loaded, and where it never does: a link, for instance.
 *
 * ```html
 * <wf-package-status
 *   endpoint="/api/wf"
 *   form-id="6025"
 *   package-id="42"
 *   sign-url="/sign/{packageId}/{signatureId}"
 * ></wf-package-status>
 * <wf-package-status endpoint="/api/wf" form-id="6025" package-id="43" variant="badge"></wf-package-status>
 * ```
 *
 * @element wf-package-status
 *
 * @slot forbidden - Shown to someone who has no rights on the package. Not in a badge.
 * @slot missing - Shown where there is no such package. Not in a badge.
 * @slot signed-out - Shown to someone who is not signed in. Not in a badge.
 * @slot loading - Shown until the package is loaded. Not in a badge.
 *
 * @fires {WfLoadEvent<PackageStatusContent>} wf-load - The package was loaded, for the first time or again.
 * @fires {WfErrorEvent} wf-error - Loading or changing something failed.
 * @fires {WfSignedOutEvent} wf-signed-out - Nobody is signed in any more.
 * @fires {WfBeforeChangeEvent} wf-before-change - Someone has confirmed an action: `operation` and `body` say which. Cancelable.
 * @fires {WfChangeEvent} wf-change - The package is in another state than the one shown before, or was restarted here.
 * @fires {WfSignEvent} wf-sign - Someone follows the link to sign. Cancelable.
 *
 * @csspart base - All of it.
 * @csspart state - The state itself.
 * @csspart environment - The mark that the package is in the test environment.
 * @csspart facts - The list of facts.
 * @csspart counts - How many comments and attachments there are.
 * @csspart sign - The link to where the package is signed.
 * @csspart actions - What holds the actions where there are many.
 * @csspart action - A button that opens the dialog of an action.
 * @csspart dialog - The dialog that asks for confirmation.
 * @csspart stale - The notice that what is shown may be out of date; in a badge, the mark.
 * @csspart failure - The notice that there is nothing to show, or that an action cannot be opened; in a badge, the mark.
 * @csspart try-again - The button in either notice.
 * @csspart loading - What stands there until the package is loaded.
 * @csspart forbidden - What someone without rights is told.
 * @csspart missing - What is said where there is no such package.
 * @csspart signed-out - What someone is told who is not signed in.
 * @csspart not-configured - What the author of the page is told.
 *
 * @cssprop [--wf-accent] - Colour of focus, of what is chosen, and of the main button.
 * @cssprop [--wf-on-accent] - Colour of text on it.
 * @cssprop [--wf-danger] - Colour of what takes something away.
 * @cssprop [--wf-on-danger] - Colour of text on it.
 * @cssprop [--wf-surface] - Background of the dialog.
 * @cssprop [--wf-text] - Text colour of the dialog.
 * @cssprop [--wf-line] - Colour of borders.
 * @cssprop [--wf-radius=0.5em] - Radius of corners.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text colour of notices.
 * @cssprop [--wf-notice-line] - Border of notices.
 * @cssprop [--wf-state-background] - Background of the state, whichever it is.
 * @cssprop [--wf-state-color] - Text colour of the state, whichever it is.
 * @cssprop [--wf-state-line] - Border of the state, whichever it is.
 *
 * @cssState loading - The package is not there yet.
 * @cssState loaded - Something is shown.
 * @cssState busy - It is being asked for, for the first time or again.
 * @cssState stale - The latest attempt failed: what is shown may be out of date.
 * @cssState failed - It could not be loaded, and there is nothing to show.
 * @cssState forbidden - The person has no rights on the package.
 * @cssState missing - There is no such package.
 * @cssState signed-out - Nobody is signed in.
 * @cssState not-configured - Something that it needs is missing or wrong: it says what.
 */
export class WfPackageStatus extends PackageElement<PackageStatusContent> {
  static override styles = [controlStyles, packageStatusStyles]

  /** `badge`: one word in a line, for tables and lists. Absent: all of it. */
  @property({ reflect: true }) variant?: 'badge'

  /**
   * Address at which the package is signed, with `{formId}`, `{packageId}` and `{signatureId}` in place of the ids.
   * Absent: as the nearest `<wf-context>` or the page is configured; else there is no link.
   */
  @property({ attribute: 'sign-url' }) signUrl = ''

  /** What could not be opened. */
  @state() private _unopened: ActionName | undefined

  /** The package as last seen, while nothing says that it is out of reach. */
  #shown: ShownPackage | undefined
  /** The dialogs, once they were needed. */
  #actions: ActionDialog | undefined

  /** Who is signed in. Only the whole of it asks that: there may be hundreds of badges. */
  #sessionTask: Task<readonly unknown[], Session | undefined> | undefined

  protected override get checksRightsFirst(): boolean {
    return false
  }

  protected override load(target: PackageTarget, signal: AbortSignal): Promise<PackageStatusContent> {
    return this.variant
      ? loadForBadge(target, signal)
      : loadCard(target, this.#shown?.id === target[2], signal)
  }

  protected override peek(target: PackageTarget): PackageStatusContent | undefined {
    return peekContent(target, this.variant !== undefined)
  }

  protected override forget(): void {
    this.#shown = undefined
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('variant') && this.hasUpdated) void this.refresh()
    if (!this.variant) this.#sessionTask ??= this.#startWhole()
  }

  protected override loaded({ found }: PackageStatusContent): boolean {
    const before = this.#shown
    this.#shown = found
    if (before?.id !== found.id || before.state === found.state) return false
    this.announcer.announce(this.#words.stateChanged(labelOf(found.state, this.#words)))
    this.dispatchEvent(new WfChangeEvent(found, before.state, found.state))
    this.#actions?.stateChanged()
    return true
  }

  protected override render(): TemplateResult {
    return this.variant && !this.configurationProblem(this.missing)
      ? renderBadge(this.#badge(), this.textLanguage)
      : super.render()
  }

  protected override renderContent(content: PackageStatusContent): unknown {
    const t = this.#words
    const { found, inbox } = content
    const { state, initiator, routingDate, actionDate, voidReason, commentCount, attachmentCount } = found
    const isRouting = state === 'ROUTING'
    // What was removed or sent back has a date too, of a routing that counts no more.
    const isUnderway = state !== 'PRE_ROUTING' && state !== 'DRAFT'
    const counts = [
      commentCount == null ? '' : t.comments(commentCount),
      attachmentCount == null ? '' : t.attachments(attachmentCount),
    ]
      .filter(Boolean)
      .join(' · ')
    return html`
      <div class="row">
        <p part="state" data-state=${state} tabindex="-1">${renderState(state, t)}</p>
        ${
          this.#session?.env === 'test'
            ? html`<span part="environment" title=${t.testHint}>${t.test}</span>`
            : nothing
        }
      </div>
      <dl part="facts">
        ${voidReason && state === 'VOID' ? renderFact(t.voidReason, reasonOf(voidReason, t), 'wide') : nothing}
        ${isRouting ? this.#renderInbox(inbox) : nothing}
        ${initiator ? renderFact(t.initiator, html`<bdi>${initiator.displayName}</bdi>`) : nothing}
        ${isUnderway ? this.#renderDate(isRouting ? t.routingDate : t.routingBegan, routingDate) : nothing}
        ${this.#renderDate(t.actionDate, actionDate)}
      </dl>
      ${counts ? html`<p class="detail" part="counts">${counts}</p>` : nothing}
      ${this.#renderActions(content)}
      ${
        this._unopened
          ? renderNotice(
              'failure',
              t.actionsFailed,
              this.common,
              false,
              () => void this.#open(this._unopened),
            )
          : nothing
      }
    `
  }

  /** Stands beside the content, so that a refresh cannot take it away from whoever is about to choose. */
  protected override renderDialogs(): unknown {
    return this.#actions?.render()
  }

  // Worth showing, and not worth waiting for. What could not be had is asked for again when the package is.
  #startWhole(): Task<readonly unknown[], Session | undefined> {
    new FocusKeeper(this, () => this.#shownState)
    // Holds no value: what was read last is the client's to know. The same signatures have waited since the same time.
    new Task(this, {
      args: () => [this.#isWhole ? this.#holderIds : '', this.#events ? 0 : this.value] as const,
      task: async ([ids], { signal }) => {
        const [client, formId, packageId] = this.target ?? []
        if (ids && client && formId && packageId)
          await client.getHistory({ params: { formId, packageId } }, { signal })
      },
    })
    return new Task(this, {
      args: () => [this.#isWhole ? this.target?.[0] : undefined, this.#session ? 0 : this.value] as const,
      task: ([client], { signal }) => client?.getSession({ signal }),
    })
  }

  /** Who is signed in, once that is known. */
  get #session(): Session | undefined {
    return this.#sessionTask?.value
  }

  get #shownState(): HTMLElement | null {
    return this.renderRoot.querySelector('[part=state]')
  }

  get #words(): Messages['packageStatus'] {
    return messagesFor(this, 'packageStatus', packageStatus)
  }

  /** Whether all of it is shown. */
  get #isWhole(): boolean {
    return this.value !== undefined && !this.variant
  }

  /** Names the signatures that the package waits for. */
  get #holderIds(): string {
    return holdersOf(this.value?.inbox)
      .holders.map(({ id }) => id)
      .join()
  }

  /** The history, as last read by whichever element. */
  get #events(): readonly (HistoryEvent | null)[] | undefined {
    const [client, formId = 0, packageId = 0] = this.target ?? []
    return client?.getCached('getHistory', { params: { formId, packageId } })
  }

  #badge(): Badge {
    const t = this.#words
    const { value, error } = this.content
    if (value) {
      const { state } = value.found
      const names = holdersOf(state === 'ROUTING' ? value.inbox : null).holders.map(
        ({ approver }) => approver,
      )
      const waiting = names.length > 0 ? `${t.waitingFor} ${this.#list(names)}` : ''
      const about = [waiting, error ? this.common.stale : ''].filter(Boolean).join('. ')
      return {
        part: error ? 'state stale' : 'state',
        state,
        path: pathOf(state),
        label: labelOf(state, t),
        mark: error ? mark : undefined,
        about,
      }
    }
    if (!error) return { part: 'loading', about: this.common.loading }
    if (error instanceof ForbiddenError || error instanceof NotFoundError)
      return { part: 'failure', path: unknownPath, label: t.notAvailable }
    const about = error instanceof SignedOutError ? this.common.signedOut : this.common.unavailable
    return { part: 'failure', path: markPath, label: t.notLoaded, about }
  }

  #list(names: readonly (string | null)[]): string {
    const [only = this.common.someone, ...others] = names.map((name) => name ?? this.common.someone)
    // To create a format takes long, and there may be hundreds of badges.
    return others.length > 0 ? new Intl.ListFormat(this.textLanguage).format([only, ...others]) : only
  }

  #renderInbox(inbox: PackageStatusContent['inbox']) {
    if (inbox === undefined) return nothing
    const { holders, leftOut } = holdersOf(inbox)
    if (holders.length + leftOut === 0 && inbox) return nothing

    const list = html`
      <ul>
        ${holders.map((entry) => this.#renderHolder(entry))}
      </ul>
      ${leftOut > 0 ? html`<span class="detail">${this.common.leftOut(leftOut)}</span>` : nothing}
    `
    return renderFact(this.#words.waitingFor, inbox ? list : this.#words.waitingUnknown, 'wide')
  }

  #renderHolder({ approver, permission, responsibleOffice }: InboxSignature): TemplateResult {
    const known: Readonly<Record<string, string>> = this.common.permissions
    const may = permission === null ? undefined : (known[permission] ?? humanize(permission))
    const details = [may, responsibleOffice?.name].filter(Boolean).join(' · ')
    const since = this.#events?.findLast(
      (event) =>
        event?.isInInbox && event.person?.displayName === approver && event.permission === permission,
    )?.actionDate
    return html`
      <li>
        <strong><bdi>${approver}</bdi></strong>
        ${details ? html`<span class="detail">${details}</span>` : nothing}
        ${
          since
            ? html`<span class="detail">${this.#words.since} ${renderTime(since, this.formatting)}</span>`
            : nothing
        }
      </li>
    `
  }

  #renderDate(label: string, timestamp: string | null | undefined) {
    return timestamp ? renderFact(label, renderTime(timestamp, this.formatting)) : nothing
  }

  #renderActions(content: PackageStatusContent) {
    const t = this.#words
    const url = this.#signUrl(content)
    const names = actionsFor(content, this.#session)
    if (!url && names.length === 0) return nothing
    const buttons = names.map(
      (name) =>
        html`<li>
          <button
            type="button"
            part="action"
            class=${name === 'voidPackage' || name === 'removePackage' ? 'danger' : ''}
            data-action=${name}
            aria-haspopup="dialog"
            @click=${() => void this.#open(name)}
          >
            ${t[name]}…
          </button>
        </li>`,
    )
    return html`
      <div class="row" @pointerenter=${this.#onApproach} @focusin=${this.#onApproach}>
        ${
          url
            ? html`<a
                class="button solid"
                part="sign"
                href=${url}
                @click=${(event: Event) => this.#onSign(event, url)}
                >${t.sign}</a
              >`
            : nothing
        }
        ${
          // More than two would hide what the package waits for.
          names.length > 2
            ? html`<details part="actions" @keydown=${onMenuKey}>
                <summary class="button">${t.actions}</summary>
                <ul>
                  ${buttons}
                </ul>
              </details>`
            : html`<ul class="row">
                ${buttons}
              </ul>`
        }
      </div>
    `
  }

  /** Where this person signs the package, if they may and the page has said where. */
  #signUrl({ found, actions }: PackageStatusContent): string | undefined {
    const template = this.settings.get('signUrl')
    if (!template || found.state !== 'ROUTING' || !actions?.canSign) return undefined
    const ids: Readonly<Record<string, number | null | undefined>> = {
      formId: this.target?.[1],
      packageId: found.id,
      signatureId: actions.signatureId,
    }
    const filled = template.replace(/{(\w+)}/g, (all, name: string) => `${ids[name] ?? all}`)
    // Whoever edits the page may have written it: it must lead somewhere, and never run.
    const url = URL.canParse(filled, document.baseURI) ? new URL(filled, document.baseURI) : undefined
    return url && /^https?:$/.test(url.protocol) ? url.href : undefined
  }

  #onSign(event: Event, url: string): void {
    const signatureId = this.value?.actions?.signatureId ?? null
    if (!this.dispatchEvent(new WfSignEvent(url, signatureId))) event.preventDefault()
  }

  #onApproach(): void {
    this.#fetchActions().catch(() => {})
  }

  async #open(name: ActionName | undefined): Promise<void> {
    try {
      await this.#fetchActions()
      this._unopened = undefined
    } catch {
      this._unopened = name
      this.announcer.announce(this.#words.actionsFailed)
      return
    }
    if (name && this.isConnected) await this.#actions?.open(name)
  }

  /** The dialogs are worth their bytes only to those who are about to use one. */
  async #fetchActions(): Promise<void> {
    const Actions = await importActions()
    this.#actions ??= new Actions(this, {
      target: () => this.target,
      offered: () => actionsFor(this.value, this.#session),
      person: () => this.#session?.univid,
      done: (found) => this.#onDone(found),
      isStale: () => this.content.error !== undefined,
      leave: () => this.#onLeave(),
    })
  }

  /** The package as the answer to an action tells it. */
  #onDone(found: Package): void {
    const before = this.#shown
    this.content.replace({ found, actions: found.actions, inbox: undefined })
    if (before?.state !== found.state) return
    this.announcer.announce(this.#words.restarted)
    this.dispatchEvent(new WfChangeEvent(found))
  }

  /** What was done is told by the state; the button may be gone. */
  #onLeave(): void {
    this.renderRoot.querySelector('details')?.removeAttribute('open')
    this.#shownState?.focus()
  }
}

/** Not in the class: in one without a constructor, TypeScript 6 leaves `.ts` in what it writes to `lib/`. */
async function importActions() {
  const { ActionDialog } = await import('./action-dialog.ts')
  return ActionDialog
}

/** Closes the menu by Escape, as people expect of one. */
function onMenuKey({ key, currentTarget }: KeyboardEvent): void {
  const menu = currentTarget as HTMLDetailsElement
  if (key !== 'Escape' || !menu.open) return
  menu.open = false
  menu.querySelector('summary')?.focus()
}

function renderState(state: string, words: Messages['packageStatus']): readonly unknown[] {
  return [renderIcon(pathOf(state)), labelOf(state, words)]
}

function pathOf(state: string): string {
  return paths.get(state) ?? unknownPath
}

function renderFact(label: string, value: unknown, size = ''): TemplateResult {
  return html`
    <div class=${size}>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>
  `
}

/** Each state has a shape of its own, so that it does not depend on colour. */
const paths: ReadonlyMap<string, string> = new Map([
  ['PRE_ROUTING', 'M3 12a9 9 0 0 1 18 0a9 9 0 0 1-18 0M12 7v5l3 3'],
  ['DRAFT', 'M4 20h4L19 9l-4-4L4 16z'],
  ['ROUTING', 'M3 12h17M13 5l7 7-7 7'],
  ['COMPLETE', 'M4 13l5 5L20 6'],
  ['VOID', 'M6 6l12 12M18 6L6 18'],
])

const unknownPath = 'M4 12a8 8 0 0 1 16 0a8 8 0 0 1-16 0'

/** Stands where something could not be loaded. */
const markPath = 'M12 4v10M12 19v.5'
const mark = renderIcon(markPath)

declare global {
  interface HTMLElementTagNameMap {
    'wf-package-status': WfPackageStatus
  }
}
