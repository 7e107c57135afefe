import { html, nothing, type PropertyValues } from 'lit'
import { property } from 'lit/decorators.js'
import { SignedOutError } from '../../client/index.ts'
import type { Attachment, AttachmentType } from '../../contract/schemas/attachments.ts'
import type { PagePart } from '../../contract/routes/package-page.ts'
import { maxFileSize } from '../../contract/values/values.ts'
import { attachments } from '../../locales/en-attachments.ts'
import type { Texts } from '../../locales/messages.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { attachmentsParts } from '../loading/expected-parts.ts'
import { WfBeforeChangeEvent, WfChangeEvent, WfErrorEvent } from '../element/events.ts'
import { FocusKeeper } from '../element/focus-keeper.ts'
import { type FieldProblem, FormField } from '../element/form-field.ts'
import { formattingLanguage, messagesFor } from '../text/messages.ts'
import { PackageElement, type PackageTarget } from '../element/package-element.ts'
import { FileIntake } from '../upload/file-intake.ts'
import { acceptOf, findFileProblem } from '../upload/file-rules.ts'
import { renderOutcome } from '../upload/transfer-row.ts'
import { type FailedUpload, UploadQueue } from '../upload/upload-queue.ts'
import { uploadStyles } from '../upload/upload.styles.ts'
import { canAdd, isRequiredNow, mayContribute, missingTypes, rulesFor, titleOf } from './attachment-rules.ts'
import { type AttachmentDetails, type AttachmentItem, Checklist } from './checklist.ts'
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
 * @slot loading - Shown until the attachments are loaded.
 * @slot forbidden - Shown to people without rights to the package.
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
 * @csspart files - The attachments of a type, and its files on their way.
 * @csspart file - One of them.
 * @csspart progress - The progress bar of a file.
 * @csspart download - The link to an attachment.
 * @csspart empty - The message that the form has no attachments.
 * @csspart outcome - The summary of several uploads, some of which failed.
 * @csspart stale - The notice that the list may be out of date.
 * @csspart failure - The notice that the attachments could not be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart loading - The placeholder until the attachments are loaded.
 * @csspart forbidden - The message for people without rights.
 * @csspart missing - The message that the package does not exist.
 * @csspart signed-out - The message for people who are not signed in.
 * @csspart sign-in - The link to the page where people sign in.
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
  static override styles = [controlStyles, uploadStyles, attachmentsStyles]

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

  readonly #queue = new UploadQueue<Attachment, AttachmentDetails>(this, this.announcer, {
    rules: ({ details }) => rulesFor(details.type, this.value?.session),
    confirm: ({ details: { type, description } }, file) =>
      this.dispatchEvent(
        new WfBeforeChangeEvent('uploadAttachment', { file, attachmentTypeId: type.id, description }),
      ),
    send: ({ details: { target, type, description } }, file, options) => {
      const [client, formId, packageId] = target
      const params = { formId, packageId, attachmentTypeId: type.id }
      return client.uploadAttachment({ params, file, ...(description && { body: description }) }, options)
    },
    find: (item, file, signal) => this.#find(item, file, signal),
    maxSize: () => this.#maxSize,
    onChange: () => this.#updateForm(),
    onStored: (_item, attachment) => this.dispatchEvent(new WfChangeEvent(attachment)),
    onFailed: (_item, error) => this.dispatchEvent(new WfErrorEvent(error)),
    onRemove: (item) => this.#moveFocusFrom(item),
  })

  readonly #checklist = new Checklist(this, this.#queue, this.#intake)
  readonly #lagPoller = new LagPoller(this, { refresh: () => void this.refresh() })

  constructor() {
    super()
    new FocusKeeper(this, (row) => row?.querySelector('.name') ?? this.#list)
  }

  /** The files whose upload failed, until people try again or remove them. */
  get failedFiles(): readonly FailedUpload[] {
    return this.#queue.failed
  }

  /** Adds files as if people had chosen them for a type: each waits for a description and for "Upload". */
  add(attachmentTypeId: number, files: Iterable<File>): void {
    const { target } = this
    const type = this.#types.find(({ id }) => id === attachmentTypeId)
    if (!target || !type) return
    const older = new Set(this.#attachments.map(({ id }) => id))
    const items = this.#queue.add(
      Array.from(files, (file) => ({
        file,
        name: file.name,
        details: { target, type, older, description: '' },
      })),
    )
    const [first] = items
    if (first) void this.updateComplete.then(() => this.#elementOf(first)?.querySelector('input')?.focus())
    // A file that cannot be sent needs no description. Its row shows why.
    const rules = rulesFor(type, this.value?.session)
    for (const item of items) if (item.file && findFileProblem(item.file, rules)) this.#queue.start(item)
  }

  protected override get contentName(): string {
    return this.#messages.list
  }

  protected override get expectedParts(): readonly PagePart[] {
    return attachmentsParts
  }

  protected override get signInTarget(): string {
    return this.#queue.unfinished.length > 0 ? '_blank' : ''
  }

  protected override load(target: PackageTarget, signal: AbortSignal): Promise<Attachments> {
    return loadAttachments(target, signal)
  }

  protected override peek(target: PackageTarget): Attachments | undefined {
    return peekAttachments(target)
  }

  protected override isEmpty({ types, attachments }: Attachments): boolean {
    return types.length + attachments.length + this.#queue.stored.length === 0
  }

  protected override loaded({ session }: Attachments): boolean {
    if (session) this.#queue.signedIn(session.univid)
    this.#lagPoller.update(this.#attachments.length > this.#listed.length)
    return false
  }

  protected override forget(): void {
    this.#queue.removeStored()
  }

  protected override async scheduleUpdate(): Promise<void> {
    await this.#queue.throttleUpdate()
    await super.scheduleUpdate()
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const { target } = this
    const isOutdated = ({ details }: AttachmentItem) =>
      details.target.some((part, index) => part !== target?.[index])
    if (this.#queue.items.some(isOutdated)) this.#queue.clear()
    this.#queue.showNextSlice()
  }

  protected override updated(): void {
    super.updated()
    if (this.content.error instanceof SignedOutError) this.#queue.signedOut()
    this.#updateForm()
  }

  protected override renderContent(value: Attachments): unknown {
    if (this.isEmpty(value))
      return html`<slot name="empty"><p part="empty">${this.#messages.empty}</p></slot>`
    const unreadable = [...value.types, ...value.attachments].filter((row) => row === null).length
    const [client, formId = 0, packageId = 0] = this.target ?? []
    return html`
      ${renderOutcome(this.#queue.outcome)}
      ${this.#checklist.render({
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
      })}
      ${unreadable > 0 ? html`<p class="detail">${this.common.leftOut(unreadable)}</p>` : nothing}
    `
  }

  /** Stored attachments stay. */
  protected override reset(): void {
    this.#queue.removeUnstored()
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
    const stored = this.#queue.items.flatMap(({ details: { type }, transfer: { state } }) =>
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

  async #find(item: AttachmentItem, file: File, signal: AbortSignal): Promise<Attachment | undefined> {
    const { target, type, older } = item.details
    const [client, formId, packageId] = target
    client.invalidate(`${formId}/${packageId}`)
    const listed = await client.getAttachments({ params: { formId, packageId } }, { signal })
    // Another file with the same name and size may be looked for at the same time.
    const taken = this.#queue.items.flatMap(({ details: { foundId }, transfer: { state } }) => [
      foundId,
      state.kind === 'stored' ? state.value.id : undefined,
    ])
    const excluded = new Set([...older, ...taken])
    const found = findUpload(listed, { typeId: type.id, file, excluded })
    if (found) item.details.foundId = found.id
    return found
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
    const { unfinished } = this.#queue
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

declare global {
  interface HTMLElementTagNameMap {
    'wf-attachments': WfAttachments
  }
}
