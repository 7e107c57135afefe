import { css, html, nothing, type ReactiveController, type TemplateResult } from 'lit'
import {
  packageScope,
  type PageClient,
  type SendOptions,
  type UploadItem,
  uploadTable,
} from '../../../client/index.ts'
import { isOnItsWay } from '../../../client/uploads/upload-state.ts'
import type { Attachment, AttachmentType } from '../../../contract/schemas/attachments.ts'
import type { AllowedActions, Session } from '../../../contract/schemas/session.ts'
import type { Package } from '../../../contract/schemas/workflow.ts'
import { files } from '../../../locales/en-upload.ts'
import type { Texts } from '../../../locales/messages.ts'
import {
  WfBeforeChangeEvent,
  WfChangeEvent,
  WfErrorEvent,
  WfLoadEvent,
  WfSignedOutEvent,
} from '../../element/events.ts'
import { writtenForms } from '../../element/form-element.ts'
import type { RouteslipElement } from '../../element/routeslip-element.ts'
import type { Announcer } from '../../notices/announcer.ts'
import { formattingLanguage, messagesFor } from '../../text/messages.ts'
import { actionOf, type FileRow, linksOf, renderFileRow } from '../../upload/file-row.ts'
import { fileRowStyles } from '../../upload/file-row.styles.ts'
import { sendFile } from '../../upload/send-file.ts'
import { uploadStyles } from '../../upload/upload.styles.ts'
import { UploadList } from '../../upload/upload-list.ts'
import { renderOutcome, uploadMessage, uploadRow } from '../../upload/upload-row.ts'
import { canAdd, rulesFor } from '../../wf-attachments/attachment-rules.ts'
import { findUpload } from '../../wf-attachments/find-upload.ts'
import type { OtherProblem } from '../fields/field-problems.ts'
import type { FormContent } from '../state/form-content.ts'
import { fireEdit } from '../fields/form-controls.ts'
import { type FileTexts, isWanted, notSent, requiredFile } from './form-files.ts'

/** The request whose attachments the files become. */
export interface FilesTarget {
  readonly client: PageClient
  readonly formId: number
  readonly found: Package
}

/** What the service says about the attachments of a request. */
interface AttachmentFacts {
  readonly target: FilesTarget
  readonly types: readonly (AttachmentType | null)[]
  readonly session: Session
  readonly actions: AllowedActions | undefined
  readonly listed: readonly (Attachment | null)[]
}

/** Other facts about a file. */
interface FileDetails {
  readonly input: HTMLInputElement
  /** Absent until the file is to be sent for the first time. */
  readonly facts?: AttachmentFacts
  /** Absent as well if the request does not take the file. */
  readonly type?: AttachmentType | undefined
  /** Id of the attachment that this upload turned out to be. */
  readonly foundId?: number
}

type PageFile = UploadItem<Attachment, FileDetails>

/** The form that the inputs belong to. */
interface PageFilesHost {
  readonly element: RouteslipElement
  readonly announcer: Announcer
  /** Returns the file inputs of the page whose files become attachments. */
  readonly inputs: () => readonly HTMLInputElement[]
  readonly texts: () => FileTexts
}

/**
 * Uploads the files in the page's own inputs as attachments of the type that the page author names: when the person saves or
 * submits, because an attachment cannot be deleted. An input is emptied of the files that the service has.
 */
export class PageFiles implements ReactiveController {
  static readonly styles = [
    uploadStyles,
    fileRowStyles,
    css`
      /* The rows depend on its size. The form itself is no container, because it has content of the page. */
      .list {
        container-type: inline-size;
      }

      .list > :first-child {
        border-block-start: 0;
      }
    `,
  ]

  readonly #host: PageFilesHost
  readonly #uploads: UploadList<Attachment, FileDetails>
  /** Called after the next change of an upload. */
  readonly #waiting = new Set<() => void>()

  constructor(host: PageFilesHost) {
    const { element, announcer } = host
    this.#host = host
    this.#uploads = new UploadList<Attachment, FileDetails>(element, announcer, {
      send: (item, options) => this.#send(item, options),
      find: (item, signal) => this.#find(item, signal),
      onChange: (ended, left) => this.#onChange(ended, left),
    })
    element.addController(this)
    element.addEventListener(WfSignedOutEvent.type, ({ target }) => {
      if (target === element) this.#uploads.dispatch({ type: 'signed-out' })
    })
    element.addEventListener(WfLoadEvent.type, (event) => {
      const { univid } = (event as WfLoadEvent<FormContent>).value.session
      if (event.target === element) this.#uploads.dispatch({ type: 'signed-in', univid })
    })
  }

  hostUpdate(): void {
    this.#follow()
    this.#uploads.showNextSlice()
  }

  /** Returns the attachments of a request that were uploaded here. */
  storedIn({ id }: Package): readonly Attachment[] {
    return this.#uploads.items.flatMap(({ details: { facts, type = null }, state }) =>
      state.kind === 'stored' && facts?.target.found.id === id
        ? [{ ...state.value, attachmentType: state.value.attachmentType ?? type }]
        : [],
    )
  }

  /**
   * Uploads all files that are chosen. Resolves with what keeps the request from being complete, or with `undefined` if the page
   * canceled an upload. `isSubmitted`: whether required files count.
   */
  async send(target: FilesTarget, isSubmitted: boolean): Promise<readonly OtherProblem[] | undefined> {
    const facts = await readFacts(target)
    this.#follow()
    const tried = new Set<number>()
    const untried = () =>
      this.#uploads.items.filter(
        ({ key, state }) => !tried.has(key) && state.kind !== 'stored' && !isOnItsWay(state),
      )
    // The person may choose others meanwhile.
    for (let items = untried(); items.length > 0; items = untried()) {
      for (const { key, details } of items) {
        tried.add(key)
        const type = this.#typeOf(details.input, facts)
        this.#uploads.dispatch({ type: 'describe', key, details: { facts, type } })
        if (type && !this.#start(key)) return undefined
      }
      await this.#end()
    }
    await this.#end()
    return this.#problems(facts, isSubmitted)
  }

  /** Resolves when no file is on its way. Those that wait for the person or for the network are not. */
  async #end(): Promise<void> {
    while (this.#uploads.items.some(({ state }) => isOnItsWay(state)))
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    this.#follow()
  }

  /** Renders the files that are chosen, those that are being uploaded, and those that were. */
  render(packageId: number): TemplateResult | typeof nothing {
    const shown = this.#uploads.visible.filter(
      ({ details: { facts } }) => !facts || facts.target.found.id === packageId,
    )
    if (shown.length === 0) return nothing
    return html`${renderOutcome(this.#uploads.outcome)}
      <ul class="list" part="files" aria-label=${this.#host.texts().attachments.list}>
        ${shown.map((item) => html`<li part="file" data-key=${item.key}>${this.#renderRow(item)}</li>`)}
      </ul>`
  }

  /** Forgets all files. */
  clear(): void {
    this.#uploads.dispatch({ type: 'clear' })
  }

  #renderRow(item: PageFile): TemplateResult {
    const messages = this.#messages
    const language = formattingLanguage(this.#host.element)
    const { state } = item
    const waits = state.kind === 'queued' && state.hold === 'start'
    const row: FileRow = {
      ...uploadRow(item, messages, language),
      onAction: this.#onAction,
      ...(waits && {
        detail: isRefused(item)
          ? nothing
          : html`<p class="detail">${this.#host.texts().reasons.fileWaits}</p>`,
        actions: [{ action: 'remove', text: messages.remove, kind: 'quiet' }],
      }),
      ...(state.kind === 'stored' && {
        mark: 'done',
        links: linksOf(null, () => hrefOf(item)),
        detail: html`<p class="detail">${messages.uploaded(1)}</p>`,
      }),
    }
    return renderFileRow(row, messages, language)
  }

  get #messages(): Texts['files'] {
    return messagesFor(this.#host.element, 'files', files)
  }

  /** Takes over what is chosen in the inputs now. */
  #follow(): void {
    const chosen = this.#host
      .inputs()
      .flatMap((input) => [...(input.files ?? [])].map((file) => ({ file, input })))
    for (const item of this.#uploads.items) {
      const { key, state } = item
      if (state.kind === 'stored' || state.kind === 'verifying' || chosen.some((one) => isOf(item, one)))
        continue
      const isSending = state.kind === 'sending' || state.kind === 'queued'
      this.#uploads.dispatch({ type: isSending ? 'cancel' : 'remove', key })
    }
    const added = chosen.filter((one) => !this.#uploads.items.some((item) => isOf(item, one)))
    if (added.length > 0)
      this.#uploads.dispatch({
        type: 'add',
        files: added.map(({ file, input }) => ({ file, name: file.name, details: { input } })),
        hold: 'start',
      })
  }

  /** The type of the files of an input; `undefined` if the request does not take them from this person now. */
  #typeOf(input: HTMLInputElement, facts: AttachmentFacts): AttachmentType | undefined {
    const key = input.dataset['attachmentType']
    const type = facts.types.find((one) => one && (one.naturalKey === key || `${one.id}` === key))
    return type && canAdd(type, { ...facts, state: facts.target.found.state }) ? type : undefined
  }

  /** Starts the upload of a file, unless the page cancels it. */
  #start(key: number): boolean {
    const { file, details } = this.#uploads.items.find((item) => item.key === key) ?? {}
    const body = { file, attachmentTypeId: details?.type?.id, description: '' }
    const isAllowed = this.#host.element.dispatchEvent(new WfBeforeChangeEvent('uploadAttachment', body))
    if (isAllowed) this.#uploads.dispatch({ type: 'start', key })
    return isAllowed
  }

  #problems(facts: AttachmentFacts, isSubmitted: boolean): readonly OtherProblem[] {
    const texts = this.#host.texts()
    const there = [...facts.listed, ...this.storedIn(facts.target.found)]
    const inputs = this.#host.inputs().flatMap((input) => {
      const type = this.#typeOf(input, facts)
      if (!type) return isWanted(input) ? [notSent(input, texts)] : []
      const isMissing =
        isSubmitted &&
        input.required &&
        !input.files?.length &&
        !there.some((one) => one?.attachmentType?.id === type.id)
      return isMissing ? [requiredFile(input, texts)] : []
    })
    const language = formattingLanguage(this.#host.element)
    const uploads = this.#uploads.items.flatMap((item): OtherProblem[] => {
      const { details, key, name, state } = item
      if (state.kind === 'stored' || isRefused(item)) return []
      const text = state.kind === 'failed' ? undefined : uploadMessage(item, this.#messages, language)
      const row = this.#rowOf(key)?.querySelector<HTMLElement>('.name')
      return [{ text: text ?? texts.reasons.notUploaded(name), target: row ?? details.input }]
    })
    return [...inputs, ...uploads]
  }

  #rowOf(key: number): HTMLElement | null {
    return this.#host.element.renderRoot.querySelector(`[data-key="${key}"]`)
  }

  async #send(
    { file, details: { facts, input, type } }: PageFile,
    options: SendOptions,
  ): Promise<Attachment> {
    // Nothing starts before the service was asked.
    if (!file || !facts || !type) throw options.signal.reason
    const { client, formId, found } = facts.target
    const { accept, ...rules } = rulesFor(type, facts.session)
    return await sendFile(file, { ...rules, accept: accept ?? input.accept }, options, (inner) => {
      const params = { formId, packageId: found.id, attachmentTypeId: type.id }
      return client.extend(uploadTable).uploadAttachment({ params, file }, inner)
    })
  }

  async #find(item: PageFile, signal: AbortSignal): Promise<Attachment | undefined> {
    const { key, file, details } = item
    const { facts, type } = details
    if (!file || !facts || !type) return undefined
    const listed = await readListed(facts.target, signal)
    // Another file with the same name and size may be looked for at the same time.
    const excluded = new Set([...facts.listed.map((one) => one?.id), ...this.#taken])
    const found = findUpload(listed, { typeId: type.id, file, excluded })
    if (found) this.#uploads.dispatch({ type: 'describe', key, details: { foundId: found.id } })
    return found
  }

  /** Ids of the attachments that other uploads turned out to be. */
  get #taken(): readonly (number | undefined)[] {
    return this.#uploads.items.flatMap(({ details: { foundId }, state }) => [
      foundId,
      state.kind === 'stored' ? state.value.id : undefined,
    ])
  }

  #onChange(ended: readonly PageFile[], left: readonly PageFile[]): void {
    const { element } = this.#host
    for (const { details, key } of left)
      if (this.#rowOf(key)?.contains(element.shadowRoot?.activeElement ?? null)) details.input.focus()
    for (const item of ended) {
      const { state } = item
      if (state.kind === 'stored') {
        takeOut(item)
        element.dispatchEvent(new WfChangeEvent(state.value))
      }
      if (state.kind === 'failed') element.dispatchEvent(new WfErrorEvent(state.error))
    }
    for (const resume of this.#waiting) resume()
    this.#waiting.clear()
  }

  readonly #onAction = (event: MouseEvent): void => {
    const { action, key: text } = actionOf(event)
    const key = Number(text)
    const item = this.#uploads.items.find((one) => one.key === key)
    if (action !== 'cancel' && action !== 'remove') return void this.#start(key)
    if (item) takeOut(item)
    this.#uploads.dispatch({ type: action, key })
  }
}

async function readFacts(target: FilesTarget): Promise<AttachmentFacts> {
  const { client, formId, found } = target
  const [types, listed, session, [actions]] = await Promise.all([
    client.getAttachmentTypes({ params: { formId, packageId: found.id } }),
    readListed(target),
    client.getSession(),
    client.getActions({ params: { formId }, query: { id: [found.id] } }),
  ])
  return { target, types, listed, session, actions: actions ?? undefined }
}

async function readListed(
  { client, formId, found }: FilesTarget,
  signal?: AbortSignal,
): Promise<readonly (Attachment | null)[]> {
  client.invalidate(packageScope(formId, found.id))
  const input = { params: { formId, packageId: found.id } }
  return await client.getAttachments(input, signal ? { signal } : {})
}

/** Returns the address of the attachment that a file has become; an empty string before. */
function hrefOf({ details: { facts }, state }: PageFile): string {
  if (!facts || state.kind !== 'stored') return ''
  const { client, formId, found } = facts.target
  return client.href('downloadAttachment', { formId, packageId: found.id, attachmentId: state.value.id })
}

/** Whether the request does not take a file. */
function isRefused({ details: { facts, type } }: PageFile): boolean {
  return facts !== undefined && !type
}

/** Whether a file of an input is the one of an upload. Browsers may show the same file as another object. */
function isOf(
  { file: own, details }: PageFile,
  { file, input }: { readonly file: File; readonly input: HTMLInputElement },
): boolean {
  const isSame = own?.name === file.name && own.size === file.size && own.lastModified === file.lastModified
  return details.input === input && isSame
}

/** Empties an input of one file, as if the person had not chosen it. */
function takeOut(item: PageFile): void {
  const { input } = item.details
  const chosen = [...(input.files ?? [])]
  const rest = chosen.filter((file) => !isOf(item, { file, input }))
  if (rest.length === chosen.length) return
  const left = new DataTransfer()
  for (const file of rest) left.items.add(file)
  input.files = left.files
  const { form } = input
  if (form) writtenForms.add(form)
  fireEdit(input)
  if (form) writtenForms.delete(form)
}
