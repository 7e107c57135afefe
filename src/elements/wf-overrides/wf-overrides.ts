import { isSamePerson } from '../../contract/values/patterns.ts'
import { html, nothing } from 'lit'
import type { RoutingOverride } from '../../contract/schemas/overrides.ts'
import { overrides } from '../../locales/en-overrides.ts'
import type { Texts } from '../../locales/messages.ts'
import { dialogFieldStyles } from '../dialog/dialog-fields.styles.ts'
import { dialogStyles } from '../dialog/dialog.styles.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { property } from 'lit/decorators.js'
import { WfBeforeChangeEvent, WfErrorEvent } from '../element/events.ts'
import { slotOf } from '../loading/loadable.ts'
import { FocusKeeper } from '../element/focus-keeper.ts'
import { renderIcon } from '../element/icon.ts'
import { messagesFor } from '../text/messages.ts'
import { PackageElement, type PackageTarget } from '../element/package-element.ts'
import { renderSignIn } from '../notices/signed-out.ts'
import { renderEmpty } from '../notices/empty.ts'
import { loadOverrides, overrideClient, type OverrideContent } from './override-content.ts'
import type { OverrideChange } from './override-change.ts'
import { OverrideDialog } from './override-dialog.ts'
import { effectOf } from './override-effect.ts'
import type { FindPeople } from '../person/person-lookup.ts'
import { WfOverrideChangeEvent } from './wf-overrides.events.ts'
import { overridesStyles } from './wf-overrides.styles.ts'

/**
 * Shows who is replaced on a package because of a conflict of interest, with the effect of each replacement, and whether the
 * inboxes show it yet. People with permission from the policy of the site can replace somebody, or end a replacement.
 *
 * Before anything is sent, the dialog shows the names of both people, and refuses a replacement that has no sense: of somebody
 * who is replaced already, by the person who made the request, or one that concerns the signed-in user. The proxy checks the
 * latter again. People are found by `findPeople`, which the page supplies, or by their university id.
 *
 * ```html
 * <wf-overrides endpoint="/api/wf" form-id="6025" package-id="42"></wf-overrides>
 * ```
 *
 * @element wf-overrides
 *
 * @slot loading - Shown until the content has loaded.
 * @slot empty - Shown if nobody is replaced.
 * @slot forbidden - Shown to people without rights.
 * @slot missing - Shown if the package does not exist.
 * @slot signed-out - Shown to people who are not signed in.
 *
 * @fires {WfLoadEvent<OverrideContent>} wf-load - The replacements were loaded, for the first time or again.
 * @fires {WfErrorEvent} wf-error - Loading or changing something failed.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 * @fires {WfBeforeChangeEvent} wf-before-change - A replacement is about to be made or ended. Cancelable.
 * @fires {WfOverrideChangeEvent} wf-override-change - A replacement was made or ended.
 *
 * @csspart base - The whole element.
 * @csspart list - The list.
 * @csspart override - One replacement.
 * @csspart effect - The sentence that states whether a replacement is in force.
 * @csspart end - The button that ends a replacement.
 * @csspart add - The button that opens the form.
 * @csspart dialog - The dialog.
 * @csspart people - The people to choose from if a search finds several.
 * @csspart named - The names of the people before the change is confirmed.
 * @csspart no-right - The message that the person may change nothing.
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
 * @cssprop [--wf-accent] - Color of the button that confirms.
 * @cssprop [--wf-on-accent] - Text color of the button that confirms.
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-danger] - Color of problems.
 * @cssprop [--wf-success] - Color of a replacement that is in force.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-surface] - Background of the dialog.
 * @cssprop [--wf-text] - Text color of the dialog.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-radius=0.5em] - Corner radius.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border color of notices.
 *
 * @cssState loading - The replacements have not loaded yet.
 * @cssState loaded - The replacements are shown.
 * @cssState empty - Nobody is replaced.
 * @cssState busy - A request is in progress.
 * @cssState stale - The latest request failed: the content may be out of date.
 * @cssState failed - The replacements could not be loaded.
 * @cssState forbidden - The person has no rights.
 * @cssState missing - The package does not exist.
 * @cssState signed-out - The person is not signed in.
 * @cssState not-configured - A setting is missing or invalid; the element shows which.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class WfOverrides extends PackageElement<OverrideContent> {
  static override styles = [controlStyles, dialogStyles, dialogFieldStyles, overridesStyles]

  /**
   * Finds people in the directory of the institution by a part of their name or by university id. If absent, the page
   * configures it; otherwise, only people of the package are found by name, and others are entered by university id.
   */
  @property({ attribute: false }) findPeople: FindPeople | undefined

  readonly #dialog: OverrideDialog
  /** The package and the person for which the dialog was opened last. */
  #opened: Opening | undefined

  constructor() {
    super()
    this.#dialog = new OverrideDialog(this, () => this.settings.get('findPeople'))
    new FocusKeeper(
      this,
      (item) => item?.querySelector('button') ?? this.renderRoot.querySelector('[part=add]'),
    )
  }

  /** Renders the link with which people sign in. In another tab, so that what was typed stays. Used by the dialog. */
  renderSignInLink(): unknown {
    return renderSignIn(this.common, this.settings.get('signInUrl'))
  }

  /** The texts of the element. */
  get messages(): Texts['overrides'] {
    return messagesFor(this, 'overrides', overrides)
  }

  protected override get contentName(): string {
    return this.messages.label
  }

  protected override get forbiddenText(): string {
    return this.messages.noRight
  }

  /** The policy may allow overrides to people who may not view the package. */
  protected override get checksRightsFirst(): boolean {
    return false
  }

  protected override async load(target: PackageTarget, signal: AbortSignal): Promise<OverrideContent> {
    return await loadOverrides(target, this.settings.get('findPeople'), signal)
  }

  protected override peek(): undefined {
    return undefined
  }

  protected override isEmpty({ overrides: rows }: OverrideContent): boolean {
    return rows.length === 0
  }

  protected override updated(): void {
    super.updated()
    if (this.#opened && !this.#isOwn(this.#opened)) {
      this.#opened = undefined
      this.#dialog.close()
    }
  }

  /**
   * Whether what is in the dialog belongs to the package and the person of now. It stays while nobody is signed in, and during
   * an outage: the same person may sign in again.
   */
  #isOwn(opened: Opening): boolean {
    const { value, target } = this
    const { error } = this.content
    if (!target || target.some((part, index) => part !== opened.target[index])) return false
    const slot = slotOf(error)
    return value ? value.user === opened.user : slot === undefined || slot === 'signed-out'
  }

  protected override renderDialogs(): unknown {
    return html`<div lang=${this.textLanguage}>${this.#dialog.render()}</div>`
  }

  protected override renderContent(content: OverrideContent): unknown {
    const t = this.messages
    const rows = content.overrides.filter((row) => row !== null)
    const leftOut = content.overrides.length - rows.length
    return html`
      ${
        this.isEmpty(content)
          ? renderEmpty(t.empty)
          : html`<ul part="list" aria-label=${t.label}>
              ${rows.map((row) => this.#renderOverride(row, content))}
            </ul>`
      }
      ${leftOut > 0 ? html`<p class="detail">${this.common.leftOut(leftOut)}</p>` : nothing}
      ${
        content.canCreate
          ? html`<div>
              <button type="button" part="add" @click=${() => this.#open(() => this.#dialog.create())}>
                ${t.add}
              </button>
            </div>`
          : content.canEnd
            ? nothing
            : html`<p part="no-right" class="detail">${t.noRight}</p>`
      }
    `
  }

  #renderOverride(row: RoutingOverride, content: OverrideContent) {
    const t = this.messages
    const nameOf = (univid: string | null) => content.names.get(univid ?? '') ?? t.unknown(univid ?? '')
    const [subject, replacement] = [nameOf(row.subjectUnivid), nameOf(row.replacementUnivid)]
    const effect = effectOf(row, content)
    const texts = {
      inForce: t.inForce(replacement, subject),
      notYet: t.notYet(subject),
      later: t.later(subject),
      unproven: t.unproven,
    }
    const sentence = { CHANGE: t.change(subject), DELEGATE: t.delegate(subject) }[row.type ?? '']
    return html`
      <li part="override">
        <div>
          <span class="announcement">${t.pair(replacement, subject)}</span>
          <strong aria-hidden="true"><bdi>${subject}</bdi> ${arrow} <bdi>${replacement}</bdi></strong>
          <p>${sentence ?? t.otherType}</p>
          ${row.reason === 'CONFLICT_OF_INTEREST' ? html`<p class="detail">${t.reason}</p>` : nothing}
          <p part="effect" class=${effect}>${texts[effect]}</p>
        </div>
        ${
          content.canEnd && !concernsUser(row, content)
            ? html`<button
                type="button"
                part="end"
                aria-label=${t.endFor(subject)}
                @click=${() => this.#open(() => this.#dialog.end(row))}
              >
                ${t.end}
              </button>`
            : nothing
        }
      </li>
    `
  }

  #open(show: () => void): void {
    const { target, value } = this
    if (!target || !value) return
    this.#opened = { target, user: value.user }
    show()
  }

  /** Sends a change that was confirmed. Used by the dialog. */
  async send({ operation, override }: OverrideChange): Promise<boolean> {
    const { target, value: before } = this
    if (!target) return false
    const [pageClient, formId, packageId] = target
    const client = overrideClient(pageClient)
    const { subjectUnivid: univid, replacementUnivid } = override
    const body = operation === 'createOverride' ? override : { univid }
    /** @internal */
    if (!this.dispatchEvent(new WfBeforeChangeEvent(operation, body))) return false
    try {
      await (operation === 'createOverride'
        ? client.createOverride({ params: { formId, packageId }, body: override })
        : client.deactivateOverride({ params: { formId, packageId, univid } }))
    } catch (error) {
      /** @internal */
      this.dispatchEvent(new WfErrorEvent(error))
      throw error
    }
    await this.refresh()
    const t = this.messages
    const nameOf = (id: string | null) =>
      this.value?.names.get(id ?? '') ?? before?.names.get(id ?? '') ?? t.unknown(id ?? '')
    const isEnded = operation === 'deactivateOverride'
    this.announcer.announce(
      isEnded ? t.ended(nameOf(univid)) : t.made(nameOf(replacementUnivid), nameOf(univid)),
    )
    /** @internal */
    this.dispatchEvent(new WfOverrideChangeEvent(override, isEnded))
    return true
  }
}

/** The package and the person for which a dialog was opened. */
interface Opening {
  readonly target: PackageTarget
  readonly user: string
}

/** Whether the proxy would refuse to end an override, because it concerns the signed-in user. */
function concernsUser(
  { subjectUnivid, replacementUnivid }: RoutingOverride,
  { user, overrides: rows }: OverrideContent,
): boolean {
  return (
    isSamePerson(subjectUnivid, user) ||
    isSamePerson(replacementUnivid, user) ||
    rows.some((row) => isSamePerson(row?.subjectUnivid, user))
  )
}

const arrow = renderIcon('M4 12h15m-6-6 6 6-6 6')

declare global {
  interface HTMLElementTagNameMap {
    'wf-overrides': WfOverrides
  }
}
