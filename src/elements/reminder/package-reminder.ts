import { Task } from '@lit/task'
import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit'
import { ForbiddenError, NotFoundError } from '../../client/index.ts'
import type { Reminder } from '../../contract/schemas/lists.ts'
import { list } from '../../locales/en-list.ts'
import { listExtras } from '../../locales/en-list-extras.ts'
import type { PackageTarget } from '../element/package-element.ts'
import type { Formatting } from '../text/format.ts'
import { messagesFor } from '../text/messages.ts'
import { remindedText } from './reminded-text.ts'
import { readReminder } from './reminder-client.ts'
import type { RemindDialog, RemindInput } from './remind-dialog.ts'

/** The card that shows the reminders of a package. */
export interface ReminderCard extends LitElement {
  /** The content; `undefined` if it is not shown. */
  readonly value: unknown
  refresh(): Promise<void>
}

/**
 * Shows when the approvers of a package were reminded last, and offers to remind them. Loads only for people whom the policy of the site
 * lets do so, while the package is routing.
 */
export class PackageReminder implements ReactiveController {
  readonly #card: ReminderCard
  readonly #tell: (text: string) => void
  /** The dialog; `undefined` until it is needed. */
  #dialog: RemindDialog | undefined
  #input: RemindInput | undefined
  #target: PackageTarget | undefined
  #found: Reminder | undefined
  /** Whether the code of the dialog could not be loaded. */
  #isUnopened = false
  /** How often the card has left the page. */
  #departures = 0

  /** `tell` announces a text. */
  constructor(card: ReminderCard, tell: (text: string) => void) {
    this.#card = card
    this.#tell = tell
    card.addController(this)
    // They are read again whenever the package is, after the card has shown it.
    new Task(card, {
      autoRun: 'afterUpdate',
      args: () => [this.#target && card.value, this.#departures],
      task: () => this.#read(),
    })
  }

  hostDisconnected(): void {
    this.#departures++
    // A dialog that moves in the document stays open, but is not modal any more.
    this.#dialog?.close()
  }

  /** Renders the button and the latest reminder, as soon as it is known. */
  render(target: PackageTarget, { language }: Formatting): TemplateResult {
    this.#follow(target)
    const t = messagesFor(this.#card, 'listExtras', listExtras)
    return html`
      <div part="reminder" class="row">
        <button type="button" part="remind" aria-haspopup="dialog" @click=${this.#onRemind}>
          ${t.remind}…
        </button>
        <p>
          ${this.#isUnopened ? this.#input?.common.unavailable : this.#found && remindedText(this.#found, t, language)}
        </p>
      </div>
    `
  }

  /** Renders the dialog, also while the card shows nothing: what was typed stays while nobody is signed in. */
  renderDialog({ error, ...input }: RemindInput & { readonly error: unknown }): HTMLElement | undefined {
    this.#input = input
    // Whoever is signed in may not see the package.
    if (error instanceof ForbiddenError || error instanceof NotFoundError) this.#dialog?.forget()
    return this.#dialog?.render(input)
  }

  /** Nobody can be reminded of the package any more. An open dialog shows why. */
  forget(): void {
    this.#target = undefined
    this.#found = undefined
  }

  #follow(target: PackageTarget): void {
    if (this.#target?.every((part, index) => part === target[index])) return
    this.forget()
    this.#dialog?.close()
    this.#target = target
  }

  async #read(): Promise<void> {
    const target = this.#target
    if (!target || !this.#card.value) return
    // Without it, the button remains, and the dialog shows the reason.
    const found = await readReminder(...target).catch(() => undefined)
    if (target !== this.#target) return
    this.#found = found?.[0]
    this.#card.requestUpdate()
  }

  readonly #onRemind = async (): Promise<void> => {
    const card = this.#card
    const target = this.#target
    try {
      const { RemindDialog: Dialog } = await import('./remind-dialog.ts')
      this.#dialog ??= new Dialog(card)
    } catch {
      if (this.#input) this.#tell(this.#input.common.unavailable)
    }
    this.#isUnopened = !this.#dialog
    card.requestUpdate()
    await card.updateComplete
    if (!target || target !== this.#target || !card.isConnected) return
    const [client, formId, packageId] = target
    const name = `${messagesFor(card, 'list', list).request} ${packageId}`
    const onSent = async (text: string): Promise<void> => {
      this.#tell(text)
      await card.refresh()
    }
    await this.#dialog?.open({ client, formId, packageId, name, onSent })
  }
}
