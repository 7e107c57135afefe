import { css, html, nothing, render, type TemplateResult } from 'lit'
import type { Attachment } from '../../../contract/schemas/attachments.ts'
import type { Texts } from '../../../locales/messages.ts'
import { dialogStyles } from '../../dialog/dialog.styles.ts'
import type { FindPeople } from '../../person/person-lookup.ts'
import { renderSignedOut } from '../../notices/signed-out.ts'
import { dialogFieldStyles } from '../../dialog/dialog-fields.styles.ts'
import { type InputProblem, readActionForm, renderControls } from './action-form.ts'
import type {
  ActionName,
  ActionOutcome,
  ActionProblem,
  ActionRefusal,
  ActionRequest,
  Withdrawal,
} from './actions.ts'
import { stateLabel } from '../labels.ts'
import { refusedBetweenText } from '../../loading/refused-between.ts'
import { Recipient } from './recipient.ts'
import { WfEditEvent } from '../wf-package-status.events.ts'

/** The input of `ActionDialog.render()`. */
export interface ActionDialogInput {
  readonly messages: Texts['packageActions']
  /** Of the field for a person. */
  readonly personMessages: Texts['overrides']
  readonly statusMessages: Texts['packageStatus']
  readonly common: Texts['common']
  /** Language of the messages. */
  readonly language: string
  /** The state of the package as it is shown now. */
  readonly state: string
  /** Searches the directory of the institution, if the page supplies it. */
  readonly findPeople: FindPeople | undefined
  /** URL of the sign-in page. */
  readonly signInUrl: string | undefined
}

/** The callbacks of an open dialog. */
interface ActionHandlers {
  /** Returns why the action is not possible at present. Called before the input is checked. */
  readonly check: () => ActionProblem | undefined
  /** Carries out the action. The dialog shows a problem or what a withdrawal has taken away, and closes otherwise. */
  readonly confirm: (body: object | undefined) => Promise<ActionOutcome>
}

const styles = css`
  [part='named'] {
    margin-block: 1.1em 0;
    font-weight: 600;
  }

  dialog ul.detail {
    max-block-size: 9em;
    overflow: auto;
  }

  dialog ul.detail li {
    display: list-item;
    margin-inline-start: 1.2em;
    list-style: disc;
  }
`

/** The dialog that confirms each action: it explains the consequence, asks for what is needed, and shows problems. */
export class ActionDialog {
  static readonly styles = [dialogStyles, dialogFieldStyles, styles]

  readonly element: HTMLDialogElement = document.createElement('dialog')
  #input: ActionDialogInput | undefined
  #request: ActionRequest | undefined
  #handlers: ActionHandlers | undefined
  #resolve: ((isConfirmed: boolean) => void) | undefined
  #isBusy = false
  #problem: ActionProblem | InputProblem | undefined
  /** The status with which a server before the proxy refused the action. */
  #status: number | undefined
  /** The reason that the service or the site gives for the problem, in English. */
  #detail: string | undefined
  #isInvalid = false
  /** The withdrawal that was carried out, if something is to be said about it. */
  #withdrawal: Withdrawal | undefined
  /** Names of the attachments that a PDF cannot hold; null if they are not known, `undefined` until they are read. */
  #leftOut: readonly string[] | null | undefined
  /** The options chosen for the PDF. */
  #options: Readonly<Record<string, boolean>> = {}
  readonly #recipient = new Recipient(
    () => this.#render(),
    () => this.#focusRecipient(),
  )

  constructor() {
    const { element } = this
    element.part = 'dialog'
    element.setAttribute('aria-labelledby', 'title')
    element.setAttribute('aria-describedby', 'consequence')
    element.addEventListener('cancel', (event) => {
      if (this.#isBusy) event.preventDefault()
    })
    element.addEventListener('close', () => {
      this.#recipient.stop()
      // It may have opened again since.
      if (!this.#isBusy && !element.open) this.#settle(this.#withdrawal !== undefined)
    })
  }

  /** Opens the dialog. Resolves when it has closed: with true if the action was carried out. */
  async open(request: ActionRequest, handlers: ActionHandlers): Promise<boolean> {
    this.#request = request
    this.#handlers = handlers
    this.#withdrawal = undefined
    this.#options = {}
    if (request.name === 'getPdf') void this.#findLeftOut(request)
    if (request.name === 'returnPackage') void this.#recipient.reset(request)
    this.#showProblem(undefined)
    this.#form?.reset()
    // After rendering, because the first control gets the focus: in a dialog without fields, the one that loses nothing.
    this.element.showModal()
    return await new Promise((resolve) => (this.#resolve = resolve))
  }

  /** Whether the dialog is open, or carries out an action. */
  get isInUse(): boolean {
    return this.#isBusy || this.element.open
  }

  close(): void {
    this.element.close()
  }

  /** Shows why the action is not possible any more, unless it is being carried out. */
  warn(problem: ActionProblem): void {
    if (this.element.open && !this.#isBusy && !this.#withdrawal) this.#showProblem(problem)
  }

  /** Renders the dialog with the present messages and state. Returns its element. */
  render(input: ActionDialogInput): HTMLElement {
    this.#input = input
    this.#render()
    return this.element
  }

  get #form(): HTMLFormElement | null {
    return this.element.querySelector('form')
  }

  #render(): void {
    const { element } = this
    if (!this.#input) return
    element.lang = this.#input.language
    element.setAttribute('closedby', this.#isBusy ? 'none' : 'closerequest')
    render(
      html`
        <form method="dialog" novalidate @submit=${this.#onSubmit} @input=${this.#onInput}>
          ${this.#request ? this.#renderForm(this.#request, this.#input) : nothing}
        </form>
      `,
      element,
    )
  }

  #renderForm({ name, target }: ActionRequest, input: ActionDialogInput) {
    const { messages, personMessages, statusMessages } = input
    if (this.#withdrawal) return this.#renderWithdrawal(this.#withdrawal, input)
    const [client, formId, packageId] = target
    const action = statusMessages[name]
    const isLoss = losses.includes(name)
    const isWaiting = this.#isBusy || this.#recipient.isSearching
    const next = this.#lacksRecipient(name) ? personMessages.next : action
    return html`
      <h2 id="title">${messages.titles[name]}</h2>
      <p id="consequence">${messages.consequences[name]}</p>
      ${
        name === 'returnPackage'
          ? this.#recipient.render(input)
          : renderControls(name, messages, statusMessages, this.#isInvalid)
      }
      ${this.#options['mergeAttachments'] ? this.#renderLeftOut(messages) : nothing}
      <p class="error" id="error" role="alert">
        ${this.#problemText} ${this.#detail ? html`<bdi lang="en">${this.#detail}</bdi>` : nothing}
      </p>
      <div class="buttons">
        ${
          name === 'getPdf'
            ? html`<a
                class="button solid"
                download
                href=${client.href('getPdf', { formId, packageId }, this.#options)}
                @click=${this.#onCancel}
                >${action}</a
              >`
            : html`<button
                type="submit"
                class=${isLoss ? 'danger solid' : 'solid'}
                aria-disabled=${isWaiting}
              >
                ${isWaiting ? messages.busy : next}
              </button>`
        }
        <button
          type="button"
          ?autofocus=${isLoss && name !== 'voidPackage'}
          aria-disabled=${this.#isBusy}
          @click=${this.#onCancel}
        >
          ${isLoss && name !== 'restartPackage' ? messages.keep : messages.cancel}
        </button>
      </div>
    `
  }

  /** Renders whose signatures a withdrawal has taken away. */
  #renderWithdrawal({ lost, editUrl }: Withdrawal, { messages, statusMessages, common }: ActionDialogInput) {
    const texts = lost?.map((name) => messages.lost(name ?? common.someone)) ?? [messages.lostUnknown]
    return html`
      <h2 id="title">${messages.withdrawn}</h2>
      <div id="consequence" role="alert">${texts.map((text) => html`<p>${text}</p>`)}</div>
      <div class="buttons">
        ${
          editUrl
            ? html`<a class="button solid" href=${editUrl} @click=${this.#onEdit}
                >${statusMessages.editAndSubmit}</a
              >`
            : nothing
        }
        <button type="button" @click=${this.#onCancel}>${messages.close}</button>
      </div>
    `
  }

  #renderLeftOut(messages: Texts['packageActions']): TemplateResult | typeof nothing {
    if (this.#leftOut === null) return html`<p class="detail">${messages.leftOutUnknown}</p>`
    if (!this.#leftOut?.length) return nothing
    return html`
      <p class="detail">${messages.leftOut}</p>
      <ul class="detail">
        ${this.#leftOut.map((name) => html`<li><bdi>${name}</bdi></li>`)}
      </ul>
    `
  }

  get #problemText(): TemplateResult | string {
    const problem = this.#problem
    if (!problem || !this.#input) return ''
    if (this.#status !== undefined) return refusedBetweenText(this.element, this.#status)
    const { messages, statusMessages, common, state, signInUrl } = this.#input
    // In another tab, so that what was typed stays.
    if (problem === 'signedOut') return renderSignedOut(common, signInUrl, '_blank')
    return problem === 'overtaken' ? messages.overtaken(stateLabel(state, statusMessages)) : messages[problem]
  }

  #showProblem(
    problem: ActionProblem | InputProblem | undefined,
    isInvalid = false,
    { detail, status }: Partial<ActionRefusal> = {},
  ): void {
    this.#problem = problem
    this.#detail = detail
    this.#status = status
    this.#isInvalid = isInvalid
    this.#render()
  }

  #settle(isConfirmed: boolean): void {
    this.#resolve?.(isConfirmed)
    this.#resolve = undefined
  }

  readonly #onCancel = (): void => {
    if (!this.#isBusy) this.close()
  }

  readonly #onEdit = (event: MouseEvent): void => {
    const { href } = event.currentTarget as HTMLAnchorElement
    if (!this.element.dispatchEvent(new WfEditEvent(href))) event.preventDefault()
    this.close()
  }

  /** Whether the action needs a person that the dialog has not shown yet. */
  #lacksRecipient(name: ActionName): boolean {
    return name === 'returnPackage' && this.#recipient.univid === undefined
  }

  readonly #onInput = (event: Event): void => {
    const { name, checked } = event.target as HTMLInputElement
    this.#options = { ...this.#options, [name]: checked }
    this.#showProblem(undefined)
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const request = this.#request
    const handlers = this.#handlers
    if (this.#isBusy || this.#recipient.isSearching || !request || !handlers) return
    if (request.name === 'getPdf') return
    const refusal = handlers.check()
    if (refusal) return this.#showProblem(refusal)
    const form = event.currentTarget as HTMLFormElement
    if (this.#lacksRecipient(request.name)) return await this.#findRecipient()
    const { univid } = this.#recipient
    const content = readActionForm(request.name, new FormData(form), request.found, univid)
    if ('problem' in content) {
      this.#showProblem(content.problem, true)
      return form.querySelector<HTMLElement>('input, textarea')?.focus()
    }
    this.#isBusy = true
    this.#showProblem(undefined)
    const outcome = await handlers.confirm(content.body)
    this.#isBusy = false
    if (outcome === 'done' || outcome === 'dropped') {
      this.#showProblem(undefined)
      this.close()
      return this.#settle(outcome === 'done')
    }
    if ('problem' in outcome) this.#showProblem(outcome.problem, false, outcome)
    else {
      this.#withdrawal = outcome
      this.#showProblem(undefined)
    }
    // Browsers close a dialog on the second Escape even if `cancel` is prevented; the problem must still be seen.
    if (this.element.isConnected && !this.element.open) this.element.showModal()
    // The button that had the focus is gone.
    if (this.#withdrawal) this.element.querySelector<HTMLElement>('.buttons > *')?.focus()
  }

  /** Looks up the person, who then has to be confirmed. The focus moves to what is still to do. */
  async #findRecipient(): Promise<void> {
    this.#showProblem(undefined)
    await this.#recipient.find(this.#input?.findPeople)
    this.#render()
    if (this.#lacksRecipient('returnPackage')) this.#focusRecipient()
  }

  #focusRecipient(): void {
    const find = (name: string) => this.element.querySelector<HTMLElement>(`[name=${name}]`)
    ;(find('univid-choice') ?? find('univid'))?.focus()
  }

  /** Finds the attachments that a PDF cannot hold. The services return no media types, so file names have to do. */
  async #findLeftOut(request: ActionRequest): Promise<void> {
    const [client, formId, packageId] = request.target
    this.#leftOut = undefined
    const attachments: readonly (Attachment | null)[] | null = await client
      .getAttachments({ params: { formId, packageId } })
      .catch(() => null)
    // Meanwhile the dialog may have opened for another package.
    if (this.#request !== request) return
    this.#leftOut =
      attachments?.flatMap((attachment) => {
        const name = attachment?.fileName ?? ''
        return attachment && !/\.pdf$/i.test(name) ? name || `${attachment.id}` : []
      }) ?? null
    this.#render()
  }
}

/** Actions that take something away that people may miss. */
const losses: readonly ActionName[] = ['voidPackage', 'removePackage', 'withdrawPackage', 'restartPackage']
