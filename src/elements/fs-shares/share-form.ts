import { html, type LitElement, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { ForbiddenError, NotFoundError, RefusedError, SignedOutError } from '../../client/index.ts'
import type { Share } from '../../contract/schemas/shares.ts'
import type { Texts } from '../../locales/messages.ts'
import type { FilesClient } from '../fs-files/files-client.ts'
import { type Grantee, granteeName } from '../fs-files/grantees.ts'
import type { SharedFile } from './fs-shares.events.ts'

interface ShareFormContext {
  readonly messages: Texts['shares']
  /** Renders that the person is signed out, with a link that opens another tab. */
  readonly renderSignedOut: () => unknown
  readonly grantees: readonly Grantee[]
  /** The files that people can choose, with their names; only one if the element is about one. */
  readonly files: readonly (readonly [uuid: string, name: string])[]
  readonly client: FilesClient
  /** Sends the request. Resolves to false if the page has refused it. */
  readonly send: (share: SharedFile) => Promise<boolean>
}

type ShareProblem =
  | { readonly kind: 'noFile' | 'noApplication' }
  | { readonly kind: 'hasAll' | 'isShared'; readonly name: string; readonly share: SharedFile }
  | { readonly kind: 'failed'; readonly error: unknown }

/** The form in which people share a file with an application of the directory. */
export class ShareForm {
  readonly #host: LitElement
  #problem: ShareProblem | undefined
  #isSending = false
  #isStarted = false
  /** University id of the person who chooses. */
  #person = ''

  constructor(host: LitElement) {
    this.#host = host
  }

  /** Whether people have chosen something. */
  get isStarted(): boolean {
    return this.#isStarted
  }

  /** Whether the form shows that the person is signed out. */
  get isSignedOut(): boolean {
    return this.#problem?.kind === 'failed' && this.#problem.error instanceof SignedOutError
  }

  /** Notes who is signed in. The choice of another person is discarded. */
  signedIn(univid: string): void {
    if (univid !== this.#person) this.#reset()
    this.#person = univid
    if (this.isSignedOut) this.#problem = undefined
  }

  /**
   * Notes all shares of a file and an application, or of all if one is empty. The problem that a file is already shared ends
   * with its share.
   */
  listed(shares: readonly Share[], { file, grantee }: Readonly<Record<'file' | 'grantee', string>>): void {
    const problem = this.#problem
    if (problem?.kind !== 'isShared') return
    const { fileAssetUuid, granteeClientId } = problem.share
    if ((file && file !== fileAssetUuid) || (grantee && grantee !== granteeClientId)) return
    const isStill = shares.some(
      (one) => one.fileAssetUuid === fileAssetUuid && one.granteeClientId === granteeClientId,
    )
    if (!isStill) this.#show(undefined)
  }

  /** Notes that a share has ended here, also if the list has further pages. */
  ended({ fileAssetUuid, granteeClientId }: SharedFile): void {
    this.listed([], { file: fileAssetUuid, grantee: granteeClientId })
  }

  render(context: ShareFormContext): unknown {
    const { messages: t, grantees, files } = context
    const [only] = files
    if (!only || grantees.length === 0) return nothing
    const { kind } = this.#problem ?? {}
    return html`
      <form
        part="create"
        novalidate
        aria-labelledby="create-title"
        @submit=${(event: SubmitEvent) => void this.#onSubmit(event, context)}
        @change=${() => {
          this.#isStarted = true
          this.#show(undefined)
        }}
      >
        <strong id="create-title">${files.length > 1 ? t.create : t.createOf(only[1])}</strong>
        <div class="fields">
          ${files.length > 1 ? renderSelect('file', t.file, t.chooseFile, files, kind === 'noFile') : nothing}
          ${renderSelect(
            'grantee',
            t.application,
            t.chooseApplication,
            grantees.map(({ clientId, name }) => [clientId, name] as const),
            kind === 'noApplication',
          )}
          <button type="submit" class="solid" aria-disabled=${this.#isSending}>
            ${this.#isSending ? t.sharing : t.share}
          </button>
        </div>
        <p id="create-problem" class="error" role="alert" ?hidden=${!this.#problem}>
          ${this.#problemText(context)}
        </p>
      </form>
    `
  }

  #problemText({ messages: t, renderSignedOut }: ShareFormContext): unknown {
    const problem = this.#problem
    if (!problem) return nothing
    if (problem.kind !== 'failed') return 'name' in problem ? t[problem.kind](problem.name) : t[problem.kind]
    const { error } = problem
    if (error instanceof SignedOutError) return renderSignedOut()
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return t.notShareable
    return error instanceof RefusedError
      ? html`${t.refused} <bdi lang="en">${error.detail}</bdi>`
      : t.notShared
  }

  #show(problem: ShareProblem | undefined): void {
    this.#problem = problem
    this.#host.requestUpdate()
  }

  async #onSubmit(event: SubmitEvent, context: ShareFormContext): Promise<void> {
    event.preventDefault()
    if (this.#isSending) return
    const form = event.currentTarget as HTMLFormElement
    const choice = (name: 'file' | 'grantee') => form.querySelector<HTMLSelectElement>(`[name=${name}]`)!
    const fileAssetUuid = context.files.length > 1 ? choice('file').value : context.files[0]![0]
    const granteeClientId = choice('grantee').value
    if (!fileAssetUuid || !granteeClientId) {
      this.#show({ kind: fileAssetUuid ? 'noApplication' : 'noFile' })
      return choice(fileAssetUuid ? 'grantee' : 'file').focus()
    }
    this.#isSending = true
    this.#show(undefined)
    const problem = await this.#share({ fileAssetUuid, granteeClientId }, context)
    this.#isSending = false
    this.#show(problem)
    if (!problem) this.#reset()
  }

  #reset(): void {
    this.#isStarted = false
    this.#problem = undefined
    this.#host.renderRoot.querySelector<HTMLFormElement>('[part=create]')?.reset()
  }

  /** The service refuses a share that would be in conflict with another. Reading first shows which. */
  async #share(share: SharedFile, context: ShareFormContext): Promise<ShareProblem | undefined> {
    const name = granteeName(context.grantees, share.granteeClientId) ?? ''
    try {
      context.client.invalidate()
      const { content } = await context.client.getShares({ query: { ...share } })
      if (content.some((row) => row?.fileAssetUuid === null)) return { kind: 'hasAll', name, share }
      if (content.some((row) => row?.fileAssetUuid === share.fileAssetUuid))
        return { kind: 'isShared', name, share }
      await context.send(share)
      return undefined
    } catch (error) {
      return { kind: 'failed', error }
    }
  }
}

/** Renders a choice. The first option chooses nothing. */
export function renderSelect(
  name: string,
  label: string,
  nothingText: string,
  options: readonly (readonly [value: string, text: string])[],
  isInvalid = false,
  selected = '',
  onChange?: (value: string) => void,
): TemplateResult {
  return html`
    <label class="field">
      <span>${label}</span>
      <select
        name=${name}
        aria-invalid=${isInvalid}
        aria-describedby=${isInvalid ? 'create-problem' : nothing}
        @change=${({ target }: Event) => onChange?.((target as HTMLSelectElement).value)}
      >
        ${nothingText ? html`<option value="">${nothingText}</option>` : nothing}
        ${repeat(
          options,
          // The browser keeps the choice of an option, so each stays its own.
          ([value]) => value,
          ([value, text]) => html`<option value=${value} ?selected=${value === selected}>${text}</option>`,
        )}
      </select>
    </label>
  `
}
