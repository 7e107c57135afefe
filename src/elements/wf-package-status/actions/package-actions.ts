import { adoptStyles, type LitElement } from 'lit'
import { UnavailableError } from '../../../client/index.ts'
import type { TransitionName } from '../../../contract/values/transitions.ts'
import type { Package } from '../../../contract/schemas/workflow.ts'
import { overrides } from '../../../locales/en-overrides.ts'
import { packageActions } from '../../../locales/en-package-actions.ts'
import { WfBeforeChangeEvent, WfErrorEvent } from '../../element/events.ts'
import { fillUrl } from '../../text/fill-url.ts'
import { messagesFor } from '../../text/messages.ts'
import type { PackageTarget } from '../../element/package-element.ts'
import { ActionDialog, type ActionDialogInput } from './action-dialog.ts'
import type { ActionName, ActionOutcome, ActionProblem, ActionRequest, Withdrawal } from './actions.ts'
import type { PackageStatusContent } from '../content.ts'
import { actionRefusal, changePackage, lostSignatures, readSignatures, tookEffect } from './send-action.ts'
import { WfEditEvent } from '../wf-package-status.events.ts'

/** The current content of a card. */
export interface CardView {
  readonly target: PackageTarget | undefined
  readonly value: PackageStatusContent | undefined
  /** The error of the latest attempt to load the package. */
  readonly error: unknown
  /** University id of the signed-in person; `undefined` if it is not known. */
  readonly person: string | undefined
  readonly actionNames: readonly ActionName[]
}

/** The card that the actions belong to. */
export interface ActionCard extends LitElement {
  refresh(): Promise<void>
}

/** The functions that the actions call on their card. */
export interface ActionCallbacks {
  readonly view: () => CardView
  /** Shows the package as the response to an action returned it. */
  readonly onChanged: (found: Package) => void
  /** Moves the focus to what shows the outcome. */
  readonly onDone: () => void
}

/**
 * Opens the dialog of an action, and carries out what the person confirms there. Loads only for people who are about to take
 * an action, see `ActionOpener`.
 */
export class PackageActions {
  readonly dialog: ActionDialog = new ActionDialog()
  readonly #card: ActionCard
  readonly #callbacks: ActionCallbacks
  /** The action that the dialog is open for. */
  #request: ActionRequest | undefined
  /** Template of the address of the page where a request is edited. */
  #editUrl: string | undefined
  /** Signatures of others before the withdrawal. */
  #before: Awaited<ReturnType<typeof readSignatures>>

  constructor(card: ActionCard, callbacks: ActionCallbacks) {
    this.#card = card
    this.#callbacks = callbacks
    card.addController({
      hostUpdate: () => this.#closeOutdated(),
      // A dialog that moves in the document stays open, but is not modal any more.
      hostDisconnected: () => this.dialog.close(),
    })
    const root = card.renderRoot as ShadowRoot
    adoptStyles(root, [...root.adoptedStyleSheets, ...ActionDialog.styles])
  }

  /** Renders the dialog. Its English messages load with it. */
  render({
    editUrl,
    ...input
  }: Omit<ActionDialogInput, 'messages' | 'personMessages'> & {
    readonly editUrl: string | undefined
  }): HTMLElement {
    this.#editUrl = editUrl
    const messages = messagesFor(this.#card, 'packageActions', packageActions)
    const personMessages = messagesFor(this.#card, 'overrides', overrides)
    return this.dialog.render({ ...input, messages, personMessages })
  }

  /** Opens the dialog of an action, unless it is open. The card has to have rendered the dialog. */
  async open(name: ActionName): Promise<void> {
    const { dialog } = this
    const card = this.#card
    const { target, value, person } = this.#callbacks.view()
    const found = value?.found
    if (!target || !found || !card.isConnected || dialog.isInUse) return
    const request = { name, target, found, person }
    this.#request = request
    let next: string | undefined
    const isDone = await dialog.open(request, {
      check: () => this.#check(request),
      confirm: async (body) => {
        const outcome = await this.#change(request, body)
        if (outcome !== 'done' || name !== 'withdrawPackage') return outcome
        const withdrawal = await this.#withdrawn(request)
        if (withdrawal.lost?.length !== 0) return withdrawal
        next = withdrawal.editUrl
        return 'done'
      },
    })
    // Browsers return the focus to the button, if it is still there.
    const { activeElement } = card.renderRoot as ShadowRoot
    if (isDone || !activeElement || dialog.element.contains(activeElement)) this.#callbacks.onDone()
    if (isDone && next && card.dispatchEvent(new WfEditEvent(next))) location.assign(next)
  }

  /** Closes the dialog if it is about another package or person than the card shows. */
  #closeOutdated(): void {
    if (!this.#isCurrent(this.#request)) this.dialog.close()
  }

  /** Shows in the dialog that its action is not possible any more. */
  warnOvertaken(): void {
    if (this.#request && !this.#offers(this.#request.name)) this.dialog.warn('overtaken')
  }

  #offers(name: ActionName): boolean {
    return this.#callbacks.view().actionNames.includes(name)
  }

  /** Whether the card still shows the package of a request, and the same person is signed in. */
  #isCurrent(request: ActionRequest | undefined): boolean {
    const { target: requested = [], person } = request ?? {}
    const { target, person: current } = this.#callbacks.view()
    const isSamePerson = !person || (current ?? person) === person
    return isSamePerson && requested.every((part, index) => part === target?.[index])
  }

  #check({ name, found }: ActionRequest): ActionProblem | undefined {
    const { value } = this.#callbacks.view()
    // If nothing is shown, for instance because the session ended, the proxy decides.
    if (!value || this.#offers(name)) return undefined
    return value.found.state === found.state ? 'forbidden' : 'overtaken'
  }

  /** Finds out who has signed since the signatures were read before a withdrawal, and where the person goes on. */
  async #withdrawn({ target, person }: ActionRequest): Promise<Withdrawal> {
    const [, formId, packageId] = target
    const signatures = await readSignatures(target, person)
    const { actions } = this.#callbacks.view().value ?? {}
    const ids = { formId, packageId, signatureId: actions?.signatureId }
    return {
      lost: lostSignatures(this.#before, signatures)?.map((event) => event.person?.displayName ?? null),
      editUrl: actions?.canEdit ? fillUrl(this.#editUrl, ids) : undefined,
    }
  }

  async #change(request: ActionRequest, body: object | undefined): Promise<ActionOutcome> {
    const { target, found, person } = request
    const isWithdrawal = request.name === 'withdrawPackage'
    const name = isWithdrawal ? 'removePackage' : (request.name as TransitionName)
    const card = this.#card
    const { view, onChanged } = this.#callbacks
    if (!this.#isCurrent(request) || !card.dispatchEvent(new WfBeforeChangeEvent(name, body)))
      return 'dropped'
    if (isWithdrawal) this.#before = await readSignatures(target, person)
    const before = view().value?.found.state ?? found.state
    try {
      const changed = await changePackage(target, name, body)
      if (this.#isCurrent(request)) onChanged(changed)
    } catch (error) {
      card.dispatchEvent(new WfErrorEvent(error))
      await card.refresh()
      // If the response was lost, only the state shows whether the action took effect.
      const { error: loadError, value } = view()
      const isDone =
        error instanceof UnavailableError && !loadError && tookEffect(name, before, value?.found.state)
      if (!isDone && this.#isCurrent(request)) return actionRefusal(error, name)
    }
    await card.updateComplete
    return 'done'
  }
}
