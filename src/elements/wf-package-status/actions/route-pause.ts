import { initialState, Task } from '@lit/task'
import {
  adoptStyles,
  html,
  type LitElement,
  nothing,
  type ReactiveController,
  type TemplateResult,
} from 'lit'
import { type Client, type PageClient, SignedOutError, UnavailableError } from '../../../client/index.ts'
import { lockReaders } from '../../../contract/readers/lock-readers.ts'
import { ownLockRoutes } from '../../../contract/routes/lock-routes.ts'
import type { OpenLock } from '../../../contract/schemas/callbacks.ts'
import { pause } from '../../../locales/en-pause.ts'
import type { Texts } from '../../../locales/messages.ts'
import { WfBeforeChangeEvent, WfErrorEvent } from '../../element/events.ts'
import { type Formatting, renderTime } from '../../text/format.ts'
import { messagesFor, messagesLanguage } from '../../text/messages.ts'
import type { PackageTarget } from '../../element/package-element.ts'
import { dialogStyles } from '../../dialog/dialog.styles.ts'
import { dialogFieldStyles } from '../../dialog/dialog-fields.styles.ts'
import type { PackageStatusContent } from '../content.ts'
import { ReleaseDialog } from './release-dialog.ts'

/** The card that shows the pause. */
export interface PausedCard extends LitElement {
  /** The content; `undefined` if it is not shown. */
  readonly value: PackageStatusContent | undefined
  refresh(): Promise<void>
}

/** The current content of the card. */
export interface PauseInput {
  readonly target: PackageTarget | undefined
  /** The content of a package that waits for nobody; false if it does not. */
  readonly value: PackageStatusContent | false
  /** How times are written. */
  readonly style: Formatting
}

/** The content of the dialog. */
export interface PauseDialogInput {
  /** The error of the latest attempt to load the package. */
  readonly error: unknown
  readonly common: Texts['common']
  /** URL of the sign-in page. */
  readonly signInUrl: string | undefined
}

type LockClient = PageClient & Pick<Client, keyof typeof ownLockRoutes>

/**
 * Shows since when a callback has frozen the route of a package. People with permission from the policy of the site can
 * release the lock. Loads only for packages that wait for nobody.
 */
export class RoutePause implements ReactiveController {
  readonly #card: PausedCard
  readonly #tell: (text: string) => void
  readonly #dialog = new ReleaseDialog()
  #input: PauseInput | undefined
  /** The package that is shown, or was shown last. */
  #target: PackageTarget | undefined
  /** University id of the person who may have typed in the dialog. */
  #person = ''
  /** The lock that freezes the route; `undefined` if none is known. */
  lock: OpenLock | undefined
  /** Whether the latest attempt to read the lock has failed. */
  hasFailed = false
  /** Whether the lock was released, but the service shows no effect yet. */
  #isReleased = false
  /** How often the card has left the page. */
  #departures = 0
  /** Whether the card has shown after the pause that somebody has to act again. */
  #isOver = false

  /** `tell` announces a text. */
  constructor(card: PausedCard, tell: (text: string) => void) {
    this.#card = card
    this.#tell = tell
    card.addController(this)
    // The lock is read again whenever the package is, after the card has shown it.
    new Task(card, {
      autoRun: 'afterUpdate',
      args: () => [this.#input?.value, this.#departures],
      task: async () => {
        const { target, value } = this.#input ?? {}
        return target && value ? await this.#read(target) : initialState
      },
      onComplete: (lock) => {
        this.#isReleased &&= !lock
        this.lock = lock
      },
    })
    const root = card.renderRoot as ShadowRoot
    adoptStyles(root, [...root.adoptedStyleSheets, dialogStyles, dialogFieldStyles])
  }

  hostDisconnected(): void {
    this.#departures++
    this.#clear()
  }

  hostUpdate(): void {
    if (!this.#card.value) this.#forget()
  }

  /** Renders the pause, as soon as it is known. */
  render(input: PauseInput): TemplateResult | typeof nothing {
    const { target, value } = input
    this.#input = input
    if (!this.#target?.every((part, index) => part === target?.[index])) {
      this.#clear(input)
      // The reason was for another package.
      this.#dialog.reset()
    }
    this.#target = target
    if (!target || !value) this.#clear(input, true)
    return this.#renderPause(input)
  }

  /** Renders the dialog, also while the card shows nothing: what was typed stays while nobody is signed in. */
  renderDialog({ error, common, signInUrl }: PauseDialogInput): HTMLElement {
    const card = this.#card
    if (!card.value && error && !(error instanceof SignedOutError)) this.#dialog.close()
    return this.#dialog.render({
      ...{ common, signInUrl },
      messages: this.#messages,
      language: messagesLanguage(card),
    })
  }

  #renderPause({ style }: PauseInput): TemplateResult | typeof nothing {
    const t = this.#messages
    if (this.#isReleased) return html`<p part="pause" class="attention">${t.waits}</p>`
    const lock = this.lock
    if (!lock) return nothing
    const { stop, since, mayRelease } = lock
    const place = placeText(stop, t)
    const paused = place ? t.pausedAt(place) : t.paused
    const pausedSince = place ? t.sinceAt(place) : t.since
    return html`
      <div part="pause" class="row">
        <p>${since ? html`${pausedSince} ${renderTime(since, style)}` : paused}</p>
        ${
          mayRelease
            ? html`<button type="button" part="release" aria-haspopup="dialog" @click=${this.#onRelease}>
                ${t.release}…
              </button>`
            : nothing
        }
      </div>
    `
  }

  /** Forgets the lock: somebody has to act again (`isOver`), or the card shows nothing or another package. */
  #clear(input?: PauseInput, isOver = false): void {
    this.#input = input
    this.#forget()
    this.#isOver = isOver
    this.#dialog.close()
  }

  #forget(): void {
    this.#isOver = false
    this.lock = undefined
    this.#isReleased = false
  }

  get #messages(): Texts['pause'] {
    return messagesFor(this.#card, 'pause', pause)
  }

  /** Reads the lock of a package; `undefined` if none is known. */
  async #read([client, formId, packageId]: PackageTarget): Promise<OpenLock | undefined> {
    this.hasFailed = false
    try {
      const { allows, univid } = await client.getSession()
      if (this.#person !== univid) this.#dialog.reset()
      this.#person = univid
      // Proxies in other languages need not remember locks.
      const isServed = allows.operations.includes('getLocks')
      const { locks } = isServed
        ? await lockClient(client).getLocks({ params: { formId, packageId } })
        : { locks: [] }
      return locks.find((row) => row?.packageId === packageId) ?? undefined
    } catch {
      // The card shows that this could not be checked. The lock is read again with the package.
      this.hasFailed = true
      return undefined
    }
  }

  readonly #onRelease = (): void => {
    const { target } = this.#input ?? {}
    const lock = this.lock
    if (!target || !lock) return
    this.#dialog.open({
      send: (reason) => this.#release(target, lock, reason),
      // The button is gone.
      onDone: () => this.#card.renderRoot.querySelector<HTMLElement>('[part=state]')?.focus(),
    })
  }

  async #release(
    [client, formId, packageId]: PackageTarget,
    { lockId }: OpenLock,
    reason: string,
  ): Promise<boolean> {
    const card = this.#card
    const body = { reason }
    if (!card.dispatchEvent(new WfBeforeChangeEvent('releaseLock', body))) return false
    try {
      const params = { formId, packageId, lockId }
      const { isPaused } = await lockClient(client).releaseLock({ params, body })
      this.#isReleased = isPaused
      this.#tell(isPaused ? this.#messages.waits : this.#messages.continues)
    } catch (error) {
      card.dispatchEvent(new WfErrorEvent(error))
      await card.refresh()
      await card.updateComplete
      // If the response was lost, only the state shows whether the route continues.
      if (!(error instanceof UnavailableError && this.#isOver)) throw error
      this.#tell(this.#messages.continues)
    }
    await card.refresh()
    await card.updateComplete
    return true
  }
}

function lockClient(client: PageClient): LockClient {
  return client.extend({ routes: ownLockRoutes, readers: lockReaders })
}

/** Returns what is known of the stop, as part of a sentence. */
function placeText(stop: OpenLock['stop'], messages: Texts['pause']): string | null | undefined {
  const { stopNumber, name } = stop ?? {}
  if (stopNumber == null) return name
  return name == null ? messages.stop(`${stopNumber}`) : messages.namedStop(`${stopNumber}`, name)
}
