import { html, nothing, type PropertyValues } from 'lit'
import { property, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import { createTransfer, RefusedError, type Transfer } from '../../client/index.ts'
import type { Attachment, AttachmentType } from '../../contract/attachments.ts'
import type { Session } from '../../contract/session.ts'
import { maxFileSize, packageStates } from '../../contract/values.ts'
import { attachments, files as englishFiles } from '../../locales/en.ts'
import type { Messages } from '../../locales/messages.ts'
import { controlStyles } from '../controls.styles.ts'
import { WfBeforeChangeEvent, WfChangeEvent, WfErrorEvent } from '../events.ts'
import { isAccepted, sendFile } from '../upload/file-problem.ts'
import { uploadStyles as filesStyles } from '../upload/upload.styles.ts'
import { FocusKeeper } from '../focus-keeper.ts'
import { formatSize, renderTime } from '../format.ts'
import { renderIcon } from '../icon.ts'
import { languageOf } from '../language.ts'
import { humanize } from '../humanize.ts'
import { PackageElement, type PackageTarget } from '../package-element.ts'
import { guardDrops, guardLeaving } from '../upload/page-guard.ts'
import { renderButton, renderTransfer, transferMessage } from '../upload/transfer-row.ts'
import { messagesFor } from '../messages.ts'
import { styles } from './wf-attachments.styles.ts'

/** What is known of the attachments of a package. */
export interface Attachments {
  /** Kinds of attachments that the form knows; null where one could not be read. */
  readonly types: readonly (AttachmentType | null)[]
  /** What was uploaded; null where one could not be read. */
  readonly attachments: readonly (Attachment | null)[]
  /** State of the package. */
  readonly state: string
  /** What the proxy allows; `undefined` where it does not tell. */
  readonly session: Session | undefined
}

/**
 * The documents of a package as a checklist: each kind that its form knows, whether it is required and when, what is there
 * and what is missing; and takes more, into their kind, by button, drop or paste. An attachment cannot be changed or deleted
 * later, so each file is shown with a field for its description before it is sent.
 *
 * In a form it is a field without a value: the form waits until all is there that is required, and nothing is on its way.
 * While it is not known what is required, because that could not be loaded, it does not stand in the way.
 *
 * What stands inside the tag is shown until the script has loaded, and where it never does: a link, for instance.
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
 * @slot empty - Shown where the form knows no attachments and there are none.
 * @slot loading - Shown until they are loaded.
 * @slot forbidden - Shown to someone who has no rights on the package.
 * @slot missing - Shown where there is no such package.
 * @slot signed-out - Shown to someone who is not signed in.
 *
 * @fires {WfLoadEvent<Attachments>} wf-load - The attachments were loaded, for the first time or again.
 * @fires {WfBeforeChangeEvent} wf-before-change - A file is about to be uploaded: `operation` is `uploadAttachment`,
 *   `body` holds `file`, `attachmentTypeId` and `description`. Cancelable.
 * @fires {WfChangeEvent} wf-change - An attachment was stored.
 * @fires {WfErrorEvent} wf-error - Loading or uploading failed.
 * @fires {WfSignedOutEvent} wf-signed-out - Nobody is signed in any more.
 *
 * @csspart base - All of it.
 * @csspart required - How many of the required documents are there.
 * @csspart types - The checklist.
 * @csspart type - One kind of attachment.
 * @csspart add - The button that opens the file dialog for a kind.
 * @csspart choose - The button that uploads a file.
 * @csspart files - The attachments of a kind, and files on their way there.
 * @csspart file - One of them.
 * @csspart progress - How much of a file has been sent.
 * @csspart download - The link to an attachment.
 * @csspart empty - What is said where there is nothing.
 * @csspart stale - The notice that what is shown may be out of date.
 * @csspart failure - The notice that there is nothing to show.
 * @csspart try-again - The button in either notice.
 * @csspart loading - What stands there until they are loaded.
 * @csspart forbidden - What someone without rights is told.
 * @csspart missing - What is said where there is no such package.
 * @csspart signed-out - What someone is told who is not signed in.
 * @csspart not-configured - What the author of the page is told.
 *
 * @cssprop [--wf-accent] - Colour of focus, of progress, and of the button that uploads.
 * @cssprop [--wf-on-accent] - Colour of text on it.
 * @cssprop [--wf-danger] - Colour of what is missing and of failures.
 * @cssprop [--wf-success] - Colour of what is there.
 * @cssprop [--wf-line] - Colour of borders.
 * @cssprop [--wf-radius=0.5em] - Radius of corners.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text colour of notices.
 * @cssprop [--wf-notice-line] - Border of notices.
 *
 * @cssState loading - The attachments are not there yet.
 * @cssState loaded - Something is shown.
 * @cssState empty - The form knows no attachments and there are none.
 * @cssState busy - It is being asked for, for the first time or again.
 * @cssState stale - The latest attempt failed: what is shown may be out of date.
 * @cssState failed - It could not be loaded, and there is nothing to show.
 * @cssState forbidden - The person has no rights on the package.
 * @cssState missing - There is no such package.
 * @cssState signed-out - Nobody is signed in.
 * @cssState not-configured - Something that it needs is missing or wrong: it says what.
 */
export class WfAttachments extends PackageElement<Attachments> {
  static override styles = [controlStyles, filesStyles, styles]
  static readonly formAssociated = true

  /**
   * What a form waits for: what is required before `routing`, or also what is before `completion`. Absent: before routing
   * the former, afterwards the latter.
   */
  @property() require: 'routing' | 'completion' | '' = ''

  @state() private _rows: readonly Row[] = []
  @state() private _isDisabled = false
  /** Kind over which files are held. */
  @state() private _over = 0

  /** What was stored from here, with the key of its row: lists may lag behind. */
  readonly #stored = new Map<number, readonly [attachment: Attachment, key: number]>()
  /** Whose files they are, where that is known. */
  #univid: string | undefined
  /** Kind for which the file dialog is open. */
  #chosen = 0
  #lastKey = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #lag = lag
  #releaseDrops: (() => void) | undefined

  constructor() {
    super()
    new FocusKeeper(this, (row) => row?.querySelector('.name') ?? this.#list)
  }

  /** The form it is a field of. */
  get form(): HTMLFormElement | null {
    return this.internals.form
  }

  /** As of any field of a form. */
  get validity(): ValidityState {
    return this.internals.validity
  }

  /** As of any field of a form. */
  get validationMessage(): string {
    return this.internals.validationMessage
  }

  /** As of any field of a form. */
  checkValidity(): boolean {
    return this.internals.checkValidity()
  }

  /** As of any field of a form. */
  reportValidity(): boolean {
    return this.internals.reportValidity()
  }

  /** Adds files as if they had been chosen for a kind of attachment: they wait for a description and the click on "Upload". */
  add(attachmentTypeId: number, files: Iterable<File>): void {
    const { target } = this
    const type = this.#types.find(({ id }) => id === attachmentTypeId)
    if (!target || !type) return
    const rows = [...files].map((file) => this.#rowOf(target, type, file))
    this._rows = [...this._rows, ...rows]
    const [first] = rows
    if (first) void this.updateComplete.then(() => this.#elementOf(first)?.querySelector('input')?.focus())
    // What cannot be sent needs no description: its row says why.
    for (const row of rows) if (!this.#isWelcome(row)) this.#start(row)
  }

  /** Called by the browser when the element or a fieldset around it is disabled. */
  formDisabledCallback(isDisabled: boolean): void {
    this._isDisabled = isDisabled
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#releaseDrops = guardDrops()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#releaseDrops?.()
    guardLeaving(this, false)
    // An element that only moves is back before this runs.
    queueMicrotask(() => {
      if (!this.isConnected) this.#clear()
    })
  }

  protected override async load(
    [client, formId, packageId]: PackageTarget,
    signal: AbortSignal,
  ): Promise<Attachments> {
    const input = { params: { formId, packageId } }
    const [types, attachments, { state }, session] = await Promise.all([
      client.getAttachmentTypes(input, { signal }),
      client.getAttachments(input, { signal }),
      client.getPackage(input, { signal }),
      client.getSession({ signal }).catch(() => undefined),
    ])
    return { types, attachments, state, session }
  }

  protected override peek([client, formId, packageId]: PackageTarget): Attachments | undefined {
    const input = { params: { formId, packageId } }
    const types = client.getCached('getAttachmentTypes', input)
    const attachments = client.getCached('getAttachments', input)
    const found = client.getCached('getPackage', input)
    return types && attachments && found && { types, attachments, state: found.state, session: undefined }
  }

  protected override isEmpty({ types, attachments }: Attachments): boolean {
    return types.length + attachments.length + this.#stored.size === 0
  }

  protected override loaded({ session, attachments }: Attachments): boolean {
    const { univid = this.#univid } = session ?? {}
    // What one person has chosen is not shown to the next, nor uploaded as theirs.
    if (this.#univid && univid !== this.#univid) this.#clear()
    this.#univid = univid
    // Nobody's file goes on as someone else's: not before it is known who has signed in.
    for (const { transfer } of session ? this._rows : [])
      if (transfer.state.kind === 'paused' && transfer.state.why === 'signed-out') transfer.start()
    clearTimeout(this.#timer)
    const isLagging = this.#all.length > attachments.filter((row) => row !== null).length
    if (isLagging) this.#timer = setTimeout(() => void this.refresh(), this.#lag)
    this.#lag = isLagging ? this.#lag * 2 : lag
    return false
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const { target } = this
    if (this._rows.some((row) => row.target.some((part, index) => part !== target?.[index]))) this.#clear()
  }

  protected override forget(): void {
    this.#stored.clear()
  }

  protected override updated(): void {
    super.updated()
    const missing = this.#types.filter((type) => this.#isWanted(type) && this.#of(type.id).length === 0)
    const unfinished = this._rows.filter(({ transfer: { state } }) => !isOver(state.kind))
    guardLeaving(this, unfinished.length > 0 && this.isConnected)
    const t = this.#words
    const language = languageOf(this)
    const [message, anchor] = unfinished[0]
      ? [
          t.unfinished(unfinished.length),
          this.#elementOf(unfinished[0])?.querySelector<HTMLElement>('input, button'),
        ]
      : missing[0]
        ? [
            t.wanted(new Intl.ListFormat(language).format(missing.map(titleOf))),
            this.renderRoot.querySelector<HTMLElement>(`[data-key="${missing[0].id}"] [part=add]`),
          ]
        : [this.content.busy && !this.value ? this.common.loading : '']
    this.internals.setValidity(
      message ? { customError: true } : {},
      message,
      anchor ?? this.#list ?? undefined,
    )
  }

  protected override renderContent(value: Attachments): unknown {
    const t = this.#words
    if (this.isEmpty(value)) return html`<slot name="empty"><p part="empty">${t.empty}</p></slot>`
    const types = this.#types
    const required = types.filter((type) => type.requiredPreRouting || type.requiredBeforeComplete)
    const there = required.filter(({ id }) => this.#of(id).length > 0).length
    const others = this.#all.filter(
      ({ attachmentType }) => !types.some(({ id }) => id === attachmentType?.id),
    )
    const leftOut = [...value.types, ...value.attachments].filter((row) => row === null).length

    return html`
      ${
        required.length > 0
          ? html`<div part="required">
              <strong>${t.required(there, required.length)}</strong>
              <progress aria-hidden="true" max=${required.length} .value=${there}></progress>
            </div>`
          : nothing
      }
      <ul part="types" tabindex="-1" aria-label=${t.list}>
        ${types.map((type) => this.#renderType(type, value))}
        ${
          others.length > 0
            ? html`<li part="type"><strong>${t.other}</strong>${this.#renderFiles(others, [])}</li>`
            : nothing
        }
      </ul>
      ${types.some((type) => this.#mayAdd(type)) ? html`<p class="hint">${t.hint(this.#size(this.#rules.maxSize))}</p>` : nothing}
      ${leftOut > 0 ? html`<p class="detail">${this.common.leftOut(leftOut)}</p>` : nothing}
      <input type="file" hidden multiple aria-label=${t.list} @change=${this.#onChosen} />
    `
  }

  #renderType(type: AttachmentType, { state }: Attachments) {
    const t = this.#words
    const { id } = type
    const there = this.#of(id)
    const isMissing = there.length === 0 && (type.requiredPreRouting || type.requiredBeforeComplete)
    const mayAdd = this.#mayAdd(type)
    const rules = [
      type.requiredPreRouting
        ? t.beforeRouting
        : type.requiredBeforeComplete
          ? t.beforeCompletion
          : t.optional,
      ...(isPdfOnly(type) ? [t.pdf] : []),
    ]
    return html`
      <li
        part="type"
        data-key=${id}
        class=${this._over === id ? 'over' : ''}
        @dragover=${(event: DragEvent) => this.#onDragOver(event, type)}
        @dragleave=${this.#onDragLeave}
        @drop=${(event: DragEvent) => this.#onDrop(event, type)}
        @paste=${(event: ClipboardEvent) => this.#onPaste(event, type)}
      >
        <div class="head">
          <span class=${there.length > 0 ? 'there' : 'detail'}>${there.length > 0 ? check : circle}</span>
          <div>
            <strong><bdi>${titleOf(type)}</bdi></strong>
            <span class="detail">${rules.join(' · ')}</span>
            ${isMissing ? html`<span class="error">${t.missing}</span>` : nothing}
            ${isBefore(state) && !isForBefore(type) ? html`<div class="detail">${t.later}</div>` : nothing}
          </div>
          ${
            mayAdd
              ? html`<button type="button" part="add" @click=${() => this.#onAdd(type)}>
                  ${t.add(titleOf(type))}
                </button>`
              : nothing
          }
        </div>
        ${this.#renderFiles(
          there,
          this._rows.filter((row) => row.type.id === id),
        )}
      </li>
    `
  }

  /** An attachment takes the place of the row that it was uploaded in. */
  #renderFiles(there: readonly Attachment[], rows: readonly Row[]) {
    if (there.length + rows.length === 0) return nothing
    const keyOf = (item: Attachment | Row) =>
      'key' in item ? item.key : (this.#stored.get(item.id)?.[1] ?? item.id)
    return html`
      <ul part="files">
        ${repeat(
          [...there, ...rows],
          keyOf,
          (item) => html`
            <li part="file" data-key=${keyOf(item)}>
              ${'key' in item ? (item.isStarted ? this.#renderRow(item) : this.#renderChosen(item)) : this.#renderAttachment(item)}
            </li>
          `,
        )}
      </ul>
    `
  }

  #renderAttachment({ id, fileName, fileSize, description, person, uploadTimestamp }: Attachment) {
    const t = this.#words
    const name = fileName ?? `#${id}`
    const [, formId = 0, packageId = 0] = this.target ?? []
    const isListed = this.value?.attachments.some((row) => row?.id === id)
    return html`
      <div>
        ${renderName(name, fileSize === null ? '' : this.#size(fileSize))}
        ${description ? html`<p><bdi>${description}</bdi></p>` : nothing}
        <div class="detail">
          <bdi>${person?.displayName ?? this.common.someone}</bdi>
          ${uploadTimestamp && html` · ${renderTime(uploadTimestamp, this.formatting)}`}
        </div>
      </div>
      ${
        isListed
          ? html`<a
              class="button"
              part="download"
              download
              href=${this.currentClient?.href('downloadAttachment', { formId, packageId, attachmentId: id }) ?? ''}
              aria-label=${this.#fileWords.named(t.download, name)}
              >${t.download}</a
            >`
          : html`<span class="detail">${t.processing}</span>`
      }
    `
  }

  #renderChosen(row: Row) {
    const t = this.#words
    const { name, size } = row.file
    const { named, cancel } = this.#fileWords
    return html`
      <form @submit=${(event: Event) => this.#onUpload(event, row)}>
        <div>
          ${renderName(name, this.#size(size))}
          <label
            >${t.description}<input
              maxlength="1000"
              .value=${row.description}
              @input=${({ target }: Event) => (row.description = (target as HTMLInputElement).value)}
          /></label>
          <p class="detail">${t.final}</p>
        </div>
        <div class="actions">
          <button part="choose" aria-label=${named(t.upload, name)}>${t.upload}</button>
          ${renderButton(named(cancel, name), cancel, () => row.transfer.cancel())}
        </div>
      </form>
    `
  }

  #renderRow(row: Row) {
    const { transfer, file } = row
    return renderTransfer(
      {
        ...this.#shown(row),
        size: file.size,
        onStart: () => transfer.start(),
        onCancel: () => transfer.cancel(),
        onRemove: () => this.#drop(row),
      },
      this.#fileWords,
      languageOf(this),
    )
  }

  get #words(): Messages['attachments'] {
    return messagesFor(this, 'attachments', attachments)
  }

  get #fileWords(): Messages['files'] {
    return messagesFor(this, 'files', englishFiles)
  }

  get #types(): readonly AttachmentType[] {
    return this.value?.types.filter((type) => type !== null) ?? []
  }

  /** All attachments that there are, as listed; behind them what the list does not know yet. */
  get #all(): readonly Attachment[] {
    const listed = this.value?.attachments.filter((row) => row !== null) ?? []
    const ids = new Set(listed.map(({ id }) => id))
    const added = [...this.#stored.values()].map(([attachment]) => attachment)
    return [...listed, ...added.filter(({ id }) => !ids.has(id))]
  }

  #of(typeId: number): readonly Attachment[] {
    return this.#all.filter(({ attachmentType }) => attachmentType?.id === typeId)
  }

  /** Where nothing is known against it, the service decides. */
  #mayAdd(type: AttachmentType): boolean {
    const { state = '', session } = this.value ?? {}
    const mayEver = session?.allows.operations.includes('uploadAttachment') ?? true
    const isKnown = (packageStates as readonly string[]).includes(state) && state !== 'VOID'
    return mayEver && isKnown && !this._isDisabled && (isForBefore(type) || !isBefore(state))
  }

  /** Whether a form waits for it now. */
  #isWanted({ requiredPreRouting, requiredBeforeComplete }: AttachmentType): boolean {
    const { state = '' } = this.value ?? {}
    const until = this.require || (isBefore(state) ? 'routing' : 'completion')
    return (
      state !== 'VOID' && Boolean(requiredPreRouting || (until === 'completion' && requiredBeforeComplete))
    )
  }

  get #rules() {
    const { maxFileSize: maxSize = maxFileSize, extensions = null } = this.value?.session?.allows ?? {}
    return { maxSize, extensions }
  }

  #isWelcome({ file, type }: Row): boolean {
    const { size } = file
    return size > 0 && size <= this.#rules.maxSize && isAccepted(file, this.#rules) && isRightKind(file, type)
  }

  #size(bytes: number): string {
    return formatSize(bytes, languageOf(this))
  }

  #shown({ file, transfer }: Row) {
    return { name: file.name, state: transfer.state, maxSize: this.#rules.maxSize }
  }

  #rowOf(target: PackageTarget, type: AttachmentType, file: File): Row {
    const [client, formId, packageId] = target
    const input = { params: { formId, packageId } }
    const params = { ...input.params, attachmentTypeId: type.id }
    const before = new Set(this.#all.map(({ id }) => id))
    let said: string | undefined

    const send = async (signal: AbortSignal, onProgress: (sent: number, total: number) => void) => {
      // It may have been dropped while an earlier attempt was looked for.
      if (!this._rows.includes(row)) throw new DOMException('Dropped', 'AbortError')
      if (!isRightKind(file, type)) throw new RefusedError('uploadAttachment', 415, this.#words.notPdf)
      return await sendFile(
        file,
        this.#rules,
        async (report) => {
          const { description } = row
          const body = { file, attachmentTypeId: type.id, description }
          if (this.dispatchEvent(new WfBeforeChangeEvent('uploadAttachment', body)))
            return await client.uploadAttachment(
              { params, file, ...(description && { body: description }) },
              { signal, onProgress: report },
            )
          row.transfer.cancel()
          throw signal.reason
        },
        onProgress,
      )
    }

    /** What is new, of this kind and size, and called the same but for what the proxy takes out of names. */
    const find = async (signal: AbortSignal) => {
      client.invalidate(`${formId}/${packageId}`)
      const rows = await client.getAttachments(input, { signal })
      const found = rows.find(
        (one) =>
          one?.attachmentType?.id === type.id &&
          one.fileSize === file.size &&
          plain(one.fileName ?? '') === plain(file.name) &&
          !before.has(one.id) &&
          !this.#stored.has(one.id),
      )
      // Another file of the same name and size may be looked for at the same time.
      if (found && this._rows.includes(row)) this.#stored.set(found.id, [found, row.key])
      return found ?? undefined
    }

    const row: Row = {
      key: --this.#lastKey,
      target,
      type,
      file,
      description: '',
      isStarted: false,
      transfer: createTransfer<Attachment>({
        send,
        find,
        onChange: (now) => {
          // Of what was taken from the list, or was for another package, nothing is shown any more.
          if (!this._rows.includes(row)) return
          this.requestUpdate()
          const message = transferMessage(this.#shown(row), this.#fileWords, languageOf(this))
          if (message && message !== said) this.announcer.announce(message)
          said = message
          if (now.kind === 'cancelled') this.#drop(row)
          if (now.kind === 'failed') this.dispatchEvent(new WfErrorEvent(now.error))
          if (now.kind === 'stored') {
            const { value } = now
            this.#stored.set(value.id, [{ ...value, attachmentType: value.attachmentType ?? type }, row.key])
            this._rows = this._rows.filter((one) => one !== row)
            this.dispatchEvent(new WfChangeEvent(value))
          }
        },
      }),
    }
    return row
  }

  #start(row: Row): void {
    row.isStarted = true
    row.transfer.start()
  }

  #clear(): void {
    const rows = this._rows
    this._rows = []
    for (const { transfer } of rows) transfer.cancel()
  }

  /** The focus goes to the button of its kind. */
  #drop(row: Row): void {
    const element = this.#elementOf(row)
    const hadFocus = element?.contains(this.shadowRoot?.activeElement ?? null)
    if (hadFocus) element?.closest('[part=type]')?.querySelector<HTMLElement>('[part=add], .name')?.focus()
    this._rows = this._rows.filter((one) => one !== row)
  }

  get #list(): HTMLElement | null {
    return this.renderRoot.querySelector('[part=types]')
  }

  #elementOf({ key }: Row): HTMLElement | null {
    return this.renderRoot.querySelector(`[data-key="${key}"]`)
  }

  #onAdd(type: AttachmentType): void {
    const input = this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')
    if (!input) return
    this.#chosen = type.id
    input.accept = isPdfOnly(type)
      ? '.pdf'
      : (this.#rules.extensions?.map((extension) => `.${extension}`).join() ?? '')
    input.click()
  }

  #onChosen({ target }: Event): void {
    const input = target as HTMLInputElement
    this.add(this.#chosen, input.files ?? [])
    // The same file may be chosen again.
    input.value = ''
  }

  #onUpload(event: Event, row: Row): void {
    event.preventDefault()
    this.#start(row)
  }

  #onDragOver(event: DragEvent, type: AttachmentType): void {
    if (!event.dataTransfer?.types.includes('Files') || !this.#mayAdd(type)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    this._over = type.id
  }

  #onDragLeave({ currentTarget, relatedTarget }: DragEvent): void {
    if (!(relatedTarget instanceof Node && (currentTarget as Node).contains(relatedTarget))) this._over = 0
  }

  #onDrop(event: DragEvent, type: AttachmentType): void {
    this._over = 0
    this.#take(event, event.dataTransfer, type)
  }

  #onPaste(event: ClipboardEvent, type: AttachmentType): void {
    // Text that is copied from an office program comes with a picture of it.
    if (!(event.target instanceof HTMLInputElement)) this.#take(event, event.clipboardData, type)
  }

  #take(event: Event, data: DataTransfer | null, type: AttachmentType): void {
    if (!data?.files.length || !this.#mayAdd(type)) return
    event.preventDefault()
    this.add(type.id, data.files)
  }
}

/** Milliseconds until a list that lacks what was stored is asked for again; longer each time. */
const lag = 3000

/** A file that was chosen for a kind of attachment. */
interface Row {
  readonly key: number
  readonly target: PackageTarget
  readonly type: AttachmentType
  readonly file: File
  readonly transfer: Transfer<Attachment>
  description: string
  /** Whether it has been sent off; until then it waits for its description. */
  isStarted: boolean
}

function isOver(kind: Transfer<Attachment>['state']['kind']): boolean {
  return kind === 'stored' || kind === 'failed' || kind === 'cancelled'
}

function isBefore(state: string): boolean {
  return state === 'PRE_ROUTING' || state === 'DRAFT'
}

/** Whether it may be uploaded before routing begins. */
function isForBefore({ visiblePreRouting, requiredPreRouting }: AttachmentType): boolean {
  return Boolean(visiblePreRouting || requiredPreRouting)
}

function isPdfOnly({ mimeTypeRestrictions }: AttachmentType): boolean {
  return mimeTypeRestrictions?.pdf === true
}

function isRightKind(file: File, type: AttachmentType): boolean {
  return !isPdfOnly(type) || isAccepted(file, { accept: '.pdf' })
}

function titleOf({ id, title, naturalKey }: AttachmentType): string {
  return title ?? humanize(naturalKey ?? `#${id}`)
}

/** What is left of a name whatever the proxy takes out of it. */
function plain(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 40)
}

function renderName(name: string, size: string) {
  return html`<span class="name" tabindex="-1"><bdi>${name}</bdi></span> <bdi class="detail">${size}</bdi>`
}

const check = renderIcon('M4 13l5 5L20 6')
const circle = renderIcon('M4 12a8 8 0 0 1 16 0a8 8 0 0 1-16 0')

declare global {
  interface HTMLElementTagNameMap {
    'wf-attachments': WfAttachments
  }
}
