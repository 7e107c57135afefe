import { html, nothing, type PropertyValues } from 'lit'
import { property } from 'lit/decorators.js'
import { type SendOptions, SignedOutError, uploadTable } from '../../client/index.ts'
import type { Attachment, AttachmentType } from '../../contract/schemas/attachments.ts'
import type { PagePart } from '../../contract/routes/package-page.ts'
import { maxFileSize } from '../../contract/values/values.ts'
import { attachments } from '../../locales/en-attachments.ts'
import { files } from '../../locales/en-upload.ts'
import type { Texts } from '../../locales/messages.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { attachmentsParts } from '../loading/expected-parts.ts'
import { WfBeforeChangeEvent, WfChangeEvent, WfErrorEvent } from '../element/events.ts'
import { FocusKeeper } from '../element/focus-keeper.ts'
import { type FieldProblem, FormField } from '../element/form-field.ts'
import { formattingLanguage, messagesFor } from '../text/messages.ts'
import { renderEmpty } from '../notices/empty.ts'
import { PackageElement, type PackageTarget } from '../element/package-element.ts'
import { FileIntake } from '../upload/file-intake.ts'
import { actionOf } from '../upload/file-row.ts'
import { fileRowStyles } from '../upload/file-row.styles.ts'
import { acceptOf, findFileProblem } from '../upload/file-rules.ts'
import { sendFile } from '../upload/send-file.ts'
import { type FailedUpload, UploadList } from '../upload/upload-list.ts'
import { renderOutcome } from '../upload/upload-row.ts'
import { uploadStyles } from '../upload/upload.styles.ts'
import { canAdd, isRequiredNow, mayContribute, missingTypes, rulesFor, titleOf } from './attachment-rules.ts'
import { type AttachmentDetails, type AttachmentItem, renderChecklist } from './checklist.ts'
import { type Attachments, loadAttachments, peekAttachments } from './content.ts'
import { findUpload } from './find-upload.ts'
import { LagPoller } from './lag-poller.ts'
import { attachmentsStyles } from './wf-attachments.styles.ts'

/**
 * Shows the attachments of a package as a checklist: each type that the form has, whether it is required and when, what is
 * uploaded and what is missing. People add files to a type by button, drop or paste. Attachments cannot be changed or
 * deleted, so each file waits for an optional description before it is sent.
 *
 * In a form it is a field without a value: the form cannot be sent while a required attachment is missing or an upload
 * is not finished. If the requirements cannot be loaded, the form can be sent.
 *
 * The element's own content, for example a link, is shown until the script loads, or if it never does.
 *
 * ```html
 * <form>
 *   <wf-attachments endpoint="/api/wf" form-id="6025" package-id="42"></wf-attachments>
 *   <button>Send</button>
 * </form>
 * ```
 *
 * @element wf-attachments
 *
 * @slot empty - Shown if the form has no types of attachments and the package has no attachments.
 * @slot loading - Shown until the content has loaded.
 * @slot forbidden - Shown to people without rights.
 * @slot missing - Shown if the package does not exist.
 * @slot signed-out - Shown to people who are not signed in.
 *
 * @fires {WfLoadEvent<Attachments>} wf-load - The attachments were loaded, for the first time or again.
 * @fires {WfBeforeChangeEvent} wf-before-change - A file is about to be uploaded: `operation` is `uploadAttachment`,
 *   `body` holds `file`, `attachmentTypeId` and `description`. Cancelable.
 * @fires {WfChangeEvent} wf-change - An attachment was stored.
 * @fires {WfErrorEvent} wf-error - Loading or uploading failed.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart required - The number of required documents that are uploaded.
 * @csspart types - The checklist.
 * @csspart type - One type of attachment.
 * @csspart add - The button that opens the file dialog for a type.
 * @csspart choose - The button that uploads a file.
 * @csspart files - The list of files.
 * @csspart file - One file.
 * @csspart progress - The progress bar of a file.
 * @csspart download - The link to a stored file.
 * @csspart empty - The message that there is nothing to show.
 * @csspart outcome - The summary of several files, some of which failed.
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
 * @cssprop [--wf-accent] - Color of progress and of the button that uploads.
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-on-accent] - Color of text on the accent color.
 * @cssprop [--wf-danger] - Color of missing attachments and of failures.
 * @cssprop [--wf-success] - Color of uploaded attachments.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-radius=0.5em] - Radius of corners.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border of notices.
 *
 * @cssState loading - The attachments are not loaded yet.
 * @cssState loaded - The element shows attachments.
 * @cssState empty - The form has no types of attachments and the package has no attachments.
 * @cssState busy - A request is running.
 * @cssState stale - The latest request failed. The list may be out of date.
 * @cssState failed - The attachments could not be loaded, and there is nothing to show.
 * @cssState forbidden - The person has no rights to the package.
 * @cssState missing - The package does not exist.
 * @cssState signed-out - The session has ended.
 * @cssState not-configured - A setting is missing or not valid. A message names it.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class WfAttachments extends FormField(PackageElement<Attachments>) {
  static override styles = [controlStyles, uploadStyles, fileRowStyles, attachmentsStyles]

  /**
   * The attachments that a form waits for: those required before `routing`, or also those required before `completion`.
   * Absent: before routing the former, afterwards the latter.
   */
  @property() require: 'routing' | 'completion' | '' = ''

  readonly #intake = new FileIntake<number>(this, 0, {
    accepts: (typeId) => this.#types.some((type) => type.id === typeId && this.#canAdd(type)),
    onFiles: (typeId, incoming) => {
      this.add(
        typeId,
        incoming.map(({ file }) => file),
      )
    },
  })

  readonly #uploads = new UploadList<Attachment, AttachmentDetails>(this, this.announcer, {
    send: (item, options) => this.#send(item, options),
    find: (item, signal) => this.#find(item, signal),
    onChange: (ended, left) => this.#onUploads(ended, left),
  })

  readonly #lagPoller = new LagPoller(this, { refresh: () => void this.refresh() })

  constructor() {
    super()
    new FocusKeeper(this, (row) => row?.querySelector('.name') ?? this.#list)
  }

  /** The files whose upload failed, until people try again or remove them. */
  get failedFiles(): readonly FailedUpload[] {
    return this.#uploads.failed
  }

  /** Adds files as if people had chosen them for a type: each waits for a description and for "Upload". */
  add(attachmentTypeId: number, files: Iterable<File>): void {
    const { target } = this
    const type = this.#types.find(({ id }) => id === attachmentTypeId)
    if (!target || !type) return
    const older = new Set(this.#attachments.map(({ id }) => id))
    const known = this.#uploads.items.length
    this.#uploads.dispatch({
      type: 'add',
      files: [...files].map((file) => ({
        file,
        name: file.name,
        details: { target, type, older, description: '' },
      })),
      hold: 'start',
    })
    const items = this.#uploads.items.slice(known)
    const [first] = items
    if (first) void this.updateComplete.then(() => this.#elementOf(first)?.querySelector('input')?.focus())
    // A file that cannot be sent needs no description. Its row shows why.
    const rules = rulesFor(type, this.value?.session)
    for (const { key, file } of items)
      if (file && findFileProblem(file, rules)) this.#uploads.dispatch({ type: 'start', key })
  }

  protected override get contentName(): string {
    return this.#messages.list
  }

  protected override get expectedParts(): readonly PagePart[] {
    return attachmentsParts
  }

  protected override get signInTarget(): string {
    return this.#uploads.unfinished.length > 0 ? '_blank' : ''
  }

  protected override load(target: PackageTarget, signal: AbortSignal): Promise<Attachments> {
    return loadAttachments(target, signal)
  }

  protected override peek(target: PackageTarget): Attachments | undefined {
    return peekAttachments(target)
  }

  protected override isEmpty({ types, attachments }: Attachments): boolean {
    return types.length + attachments.length + this.#uploads.stored.length === 0
  }

  protected override loaded({ session }: Attachments): boolean {
    if (session) this.#uploads.dispatch({ type: 'signed-in', univid: session.univid })
    this.#lagPoller.update(this.#attachments.length > this.#listed.length)
    return false
  }

  protected override forget(): void {
    this.#uploads.dispatch({ type: 'clear', kinds: ['stored'] })
  }

  protected override async scheduleUpdate(): Promise<void> {
    await this.#uploads.throttleUpdate()
    await super.scheduleUpdate()
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const { target } = this
    const isOutdated = ({ details }: AttachmentItem) =>
      details.target.some((part, index) => part !== target?.[index])
    if (this.#uploads.items.some(isOutdated)) this.#uploads.dispatch({ type: 'clear' })
    this.#uploads.showNextSlice()
  }

  protected override updated(): void {
    super.updated()
    if (this.content.error instanceof SignedOutError) this.#uploads.dispatch({ type: 'signed-out' })
    this.#updateForm()
  }

  protected override renderContent(value: Attachments): unknown {
    if (this.isEmpty(value)) return renderEmpty(this.#messages.empty)
    const unreadable = [...value.types, ...value.attachments].filter((row) => row === null).length
    const [client, formId = 0, packageId = 0] = this.target ?? []
    return html`
      ${renderOutcome(this.#uploads.outcome)}
      ${renderChecklist({
        uploads: this.#uploads,
        intake: this.#intake,
        messages: this.#messages,
        fileMessages: messagesFor(this, 'files', files),
        someone: this.common.someone,
        types: this.#types,
        attachments: this.#attachments,
        listed: new Set(this.#listed.map(({ id }) => id)),
        state: value.state,
        mayContribute: mayContribute(value),
        maxSize: this.#maxSize,
        formatting: this.formatting,
        canAdd: (type) => this.#canAdd(type),
        accept: (type) => acceptOf(rulesFor(type, value.session)),
        href: ({ id }) => client?.href('downloadAttachment', { formId, packageId, attachmentId: id }) ?? '',
        onAction: this.#onAction,
        onDescribe: this.#onDescribe,
        onSend: this.#onSend,
      })}
      ${unreadable > 0 ? html`<p class="detail">${this.common.leftOut(unreadable)}</p>` : nothing}
    `
  }

  /** Stored attachments stay. */
  protected override reset(): void {
    this.#uploads.dispatch({ type: 'clear', kinds: ['queued', 'sending', 'verifying', 'failed', 'gone'] })
  }

  get #messages(): Texts['attachments'] {
    return messagesFor(this, 'attachments', attachments)
  }

  get #types(): readonly AttachmentType[] {
    return this.value?.types.filter((type) => type !== null) ?? []
  }

  get #listed(): readonly Attachment[] {
    return this.value?.attachments.filter((attachment) => attachment !== null) ?? []
  }

  /** The listed attachments, then the stored ones that the list does not have yet. */
  get #attachments(): readonly Attachment[] {
    const ids = new Set(this.#listed.map(({ id }) => id))
    const stored = this.#uploads.items.flatMap(({ details: { type }, state }) =>
      state.kind === 'stored' ? [{ ...state.value, attachmentType: state.value.attachmentType ?? type }] : [],
    )
    return [...this.#listed, ...stored.filter(({ id }) => !ids.has(id))]
  }

  get #maxSize(): number {
    return this.value?.session?.allows.maxFileSize ?? maxFileSize
  }

  get #list(): HTMLElement | null {
    return this.renderRoot.querySelector('[part=types]')
  }

  #canAdd(type: AttachmentType): boolean {
    return !this.isDisabled && this.value !== undefined && canAdd(type, this.value)
  }

  #elementOf({ key }: AttachmentItem): HTMLElement | null {
    return this.renderRoot.querySelector(`[data-key="${key}"]`)
  }

  async #send({ key, file, details }: AttachmentItem, options: SendOptions): Promise<Attachment> {
    // Only attachments from before have none, and those are not in this list.
    if (!file) throw options.signal.reason
    const { target, type, description } = details
    const [client, formId, packageId] = target
    const attachmentTypeId = type.id
    return await sendFile(file, rulesFor(type, this.value?.session), options, (inner) => {
      const body = { file, attachmentTypeId, description }
      if (!this.dispatchEvent(new WfBeforeChangeEvent('uploadAttachment', body)))
        this.#uploads.dispatch({ type: 'remove', key })
      options.signal.throwIfAborted()
      const params = { formId, packageId, attachmentTypeId }
      return client
        .extend(uploadTable)
        .uploadAttachment({ params, file, ...(description && { body: description }) }, inner)
    })
  }

  async #find({ key, file, details }: AttachmentItem, signal: AbortSignal): Promise<Attachment | undefined> {
    if (!file) return undefined
    const { target, type, older } = details
    const [client, formId, packageId] = target
    client.invalidate(`${formId}/${packageId}`)
    const listed = await client.getAttachments({ params: { formId, packageId } }, { signal })
    // Another file with the same name and size may be looked for at the same time.
    const taken = this.#uploads.items.flatMap(({ details: { foundId }, state }) => [
      foundId,
      state.kind === 'stored' ? state.value.id : undefined,
    ])
    const excluded = new Set([...older, ...taken])
    const found = findUpload(listed, { typeId: type.id, file, excluded })
    if (found) this.#uploads.dispatch({ type: 'describe', key, details: { foundId: found.id } })
    return found
  }

  #onUploads(ended: readonly AttachmentItem[], left: readonly AttachmentItem[]): void {
    for (const item of left) this.#moveFocusFrom(item)
    this.#updateForm()
    for (const { state } of ended) {
      if (state.kind === 'stored') this.dispatchEvent(new WfChangeEvent(state.value))
      if (state.kind === 'failed') this.dispatchEvent(new WfErrorEvent(state.error))
    }
  }

  readonly #onAction = (event: MouseEvent): void => {
    const { action, key: text } = actionOf(event)
    const key = Number(text)
    if (action === 'cancel' || action === 'remove') this.#uploads.dispatch({ type: action, key })
    else this.#uploads.dispatch({ type: 'start', key })
  }

  readonly #onDescribe = (event: Event): void => {
    const input = event.target as HTMLInputElement
    this.#uploads.dispatch({ type: 'describe', key: keyOf(input), details: { description: input.value } })
  }

  readonly #onSend = (event: SubmitEvent): void => {
    event.preventDefault()
    this.#uploads.dispatch({ type: 'start', key: keyOf(event.target as HTMLElement) })
  }

  /** Reports the validity to the form. */
  #updateForm(): void {
    if (!this.hasUpdated) return
    const problem = this.#fieldProblem
    this.setProblem(problem && { ...problem, anchor: problem.anchor ?? this.#list })
  }

  get #fieldProblem(): FieldProblem | undefined {
    const kind = 'customError'
    const messages = this.#messages
    const { state = '' } = this.value ?? {}
    const { unfinished } = this.#uploads
    if (unfinished[0]) {
      const anchor = this.#elementOf(unfinished[0])?.querySelector<HTMLElement>('input, button')
      return { kind, message: messages.unfinished(unfinished.length), anchor }
    }
    const missing = missingTypes(this.#types, this.#attachments, (type) =>
      isRequiredNow(type, state, this.require),
    )
    if (missing?.[0]) {
      const titles = missing.map((type) => titleOf(type, messages))
      const list = new Intl.ListFormat(formattingLanguage(this)).format(titles)
      const anchor = this.renderRoot.querySelector<HTMLElement>(`[data-key="${missing[0].id}"] [part=add]`)
      return { kind, message: messages.wanted(missing.length, list), anchor }
    }
    return this.content.busy && !this.value ? { kind, message: this.common.loading } : undefined
  }

  /** Moves the focus to the button of the file's type. */
  #moveFocusFrom(item: AttachmentItem): void {
    const element = this.#elementOf(item)
    if (!element?.contains(this.shadowRoot?.activeElement ?? null)) return
    element.closest('[part=type]')?.querySelector<HTMLElement>('[part=add], .name')?.focus()
  }
}

/** Returns the key of the file whose row contains an element. */
function keyOf(element: HTMLElement): number {
  return Number(element.closest<HTMLElement>('[data-key]')?.dataset['key'])
}

declare global {
  interface HTMLElementTagNameMap {
    'wf-attachments': WfAttachments
  }
}
