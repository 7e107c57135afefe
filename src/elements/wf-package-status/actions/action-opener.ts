import { loadPackageActions } from '../late.ts'
import type { ActionName } from './actions.ts'
import type { ActionCallbacks, ActionCard, PackageActions } from './package-actions.ts'

/** Loads what actions need when a person is about to take one, and opens their dialog. */
export class ActionOpener {
  /** The actions, once they have loaded. */
  actions: PackageActions | undefined
  /** The action whose dialog could not be loaded. */
  unopened: ActionName | undefined
  readonly #card: ActionCard
  readonly #callbacks: ActionCallbacks

  constructor(card: ActionCard, callbacks: ActionCallbacks) {
    this.#card = card
    this.#callbacks = callbacks
  }

  /** Loads the actions, so that the dialog opens at once. Resolves with false if that fails. */
  async prepare(): Promise<boolean> {
    try {
      const Actions = await loadPackageActions()
      this.actions ??= new Actions(this.#card, this.#callbacks)
      this.#card.requestUpdate()
    } catch {}
    return this.actions !== undefined
  }

  /** Opens the dialog of an action. Never rejects: `unopened` names an action whose dialog could not be loaded. */
  async open(name: ActionName): Promise<void> {
    this.unopened = (await this.prepare()) ? undefined : name
    this.#card.requestUpdate()
    await this.#card.updateComplete
    await this.actions?.open(name)
  }
}
