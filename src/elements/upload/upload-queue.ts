import type { LitElement, ReactiveController } from 'lit'
import {
  createTransfer,
  type TransferSendOptions,
  type TransferState,
  type UploadOptions,
} from '../../client/index.ts'
import { files } from '../../locales/en-upload.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Announcer } from '../notices/announcer.ts'
import { joinTexts } from '../text/join-texts.ts'
import { formattingLanguage, messagesFor } from '../text/messages.ts'
import type { FileRules } from './file-rules.ts'
import { type ReportProgress, sendFile } from './send-file.ts'
import { type TransferRow, transferMessage } from './transfer-row.ts'
import { UploadOutcomes } from './upload-outcomes.ts'
import { guardUnload } from './unload-guard.ts'
import {
  isFinished,
  isOnItsWay,
  isSignedOut,
  type NewUpload,
  type QueuedItem,
  storedTransfer,
  type UploadItem,
} from './upload-item.ts'

/** A file whose upload failed. */
export interface FailedUpload {
  readonly name: string
  /** The part of its row that can take the focus; null if a long list does not show it yet. */
  readonly row: HTMLElement | null
}

interface UploadQueueOptions<T, Details> {
  /** Returns the rules for a file. A file that breaks them is not sent. */
  readonly rules: (item: UploadItem<T, Details>, signal: AbortSignal) => FileRules | Promise<FileRules>
  /** Returns whether a file may be sent. A file that may not leaves the queue. */
  readonly confirm: (item: UploadItem<T, Details>, file: File) => boolean
  /** Sends a file once. */
  readonly send: (item: UploadItem<T, Details>, file: File, options: UploadOptions) => Promise<T>
  /** Looks for a file whose upload got no response; see `TransferOptions.find`. */
  readonly find?: (item: UploadItem<T, Details>, file: File, signal: AbortSignal) => Promise<T | undefined>
  /** Maximum file size in bytes, for messages. */
  readonly maxSize: () => number
  /** Returns the name that a file was stored under. */
  readonly storedName?: (value: T) => string | null | undefined
  /** Called when the list changes, or an upload starts or ends. Progress does not count. */
  readonly onChange: () => void
  readonly onStored: (item: UploadItem<T, Details>, value: T) => void
  readonly onFailed: (item: UploadItem<T, Details>, error: unknown) => void
  /** Called before a file leaves the queue one by one. */
  readonly onRemove?: (item: UploadItem<T, Details>) => void
  /** Milliseconds between two probes; see `TransferOptions.lag`. */
  readonly lag?: number
}

/** The maximum number of items that one update adds. A longer list is updated at intervals. */
const sliceSize = 20

/** The maximum number of failed files that a summary names. */
const maxNames = 3

/** Milliseconds between updates of a long list. */
const updateInterval = 50

/**
 * The files of an element: chosen, on their way, stored and failed. Sends them, announces how they end, guards the page
 * while any is unfinished, and renders long lists in slices. Files belong to the person who chose them.
 */
export class UploadQueue<T, Details> implements ReactiveController {
  readonly #host: LitElement
  readonly #options: UploadQueueOptions<T, Details>
  #items: readonly QueuedItem<T, Details>[] = []
  #visible: readonly UploadItem<T, Details>[] = []
  readonly #outcomes: UploadOutcomes
  #lastKey = 0
  /** University id of the person whose files these are, if known. */
  #owner: string | undefined
  #wasSignedOut = false

  constructor(host: LitElement, announcer: Announcer, options: UploadQueueOptions<T, Details>) {
    this.#host = host
    this.#outcomes = new UploadOutcomes(announcer)
    this.#options = options
    host.addController(this)
  }

  /** All files, oldest first. */
  get items(): readonly UploadItem<T, Details>[] {
    return this.#items
  }

  /** The first files, as many as are rendered so far. Those that have failed before come first. */
  get visible(): readonly UploadItem<T, Details>[] {
    return this.#visible
  }

  /** The number of uploaded files and the names of those that failed, as a text; empty if none of several files failed. */
  get outcome(): string {
    const failed = this.#ofKind('failed').map(({ name }) => name)
    const stored = this.#ofKind('stored').length
    if (failed.length === 0 || stored + failed.length < 2) return ''
    const names = joinTexts(this.#host, failed.slice(0, maxNames)) + (failed.length > maxNames ? '…' : '')
    return this.#messages.outcome(this.#counts(stored, failed.length), names)
  }

  /** The files whose upload failed, oldest first. */
  get failed(): readonly FailedUpload[] {
    return this.#ofKind('failed').map(({ key, name }) => ({
      name,
      row: this.#host.renderRoot.querySelector<HTMLElement>(`[data-key="${key}"] .name`),
    }))
  }

  /** Counts the stored files that `isThere` accepts, and the failed, unfinished and paused ones, as a text. */
  counts(isThere: (value: T) => boolean): string {
    const failed = this.#items.filter(({ transfer }) => transfer.state.kind === 'failed').length
    const paused = this.#ofKind('paused').length
    return this.#counts(this.stored.filter(isThere).length, failed, this.unfinished.length - paused, paused)
  }

  /** Files that are neither stored, failed nor cancelled. */
  get unfinished(): readonly UploadItem<T, Details>[] {
    return this.#items.filter(({ transfer }) => !isFinished(transfer.state))
  }

  /** The values of stored files, oldest first. */
  get stored(): readonly T[] {
    return this.#items.flatMap(({ transfer: { state } }) => (state.kind === 'stored' ? [state.value] : []))
  }

  /** University id of the person whose files these are, if known. */
  get owner(): string | undefined {
    return this.#owner
  }

  /** Maximum file size in bytes, for messages. */
  get maxSize(): number {
    return this.#options.maxSize()
  }

  /** Returns how many more files `max` allows. Files that failed or were cancelled do not count. */
  room(max: number): number {
    return Math.max(0, max - this.unfinished.length - this.stored.length)
  }

  /** Adds files, without starting their uploads. */
  add(uploads: readonly NewUpload<Details>[]): readonly UploadItem<T, Details>[] {
    const items = uploads.map((upload) => this.#createItem(upload))
    this.#items = [...this.#items, ...items]
    this.#changed()
    return items
  }

  /** Replaces all files with stored ones. */
  restore(
    stored: readonly {
      readonly value: T
      readonly name: string
      readonly size: number
      readonly details: Details
    }[],
  ): void {
    this.clear()
    this.#items = stored.map(({ value, ...facts }) => ({
      ...facts,
      key: --this.#lastKey,
      file: undefined,
      isStarted: true,
      hasFailed: false,
      transfer: storedTransfer(value),
    }))
    this.#changed()
  }

  /** Replaces the value of stored files, for example when their facts have loaded. */
  replaceStored(
    isSame: (value: T) => boolean,
    { value, name, size }: { readonly value: T; readonly name: string; readonly size: number },
  ): void {
    this.#items = this.#items.map((item) => {
      const { state } = item.transfer
      return state.kind === 'stored' && isSame(state.value)
        ? { ...item, name, size, transfer: storedTransfer(value) }
        : item
    })
    this.#changed()
  }

  /** Starts an upload, or starts it again. Does nothing while it runs or after it succeeded. */
  start(item: UploadItem<T, Details>): void {
    const found = this.#items.find((one) => one === item)
    if (!found) return
    found.isStarted = true
    found.transfer.start()
  }

  /** Starts the uploads of visible files that were not started. */
  startVisible(): void {
    for (const item of this.#visible) if (!item.isStarted) this.start(item)
  }

  /** Cancels an upload. The file leaves the list unless it turns out to be stored. */
  cancel({ transfer }: UploadItem<T, Details>): void {
    transfer.cancel()
  }

  remove(item: UploadItem<T, Details>): void {
    this.#options.onRemove?.(item)
    this.#items = this.#items.filter((one) => one !== item)
    this.#changed()
  }

  /** Removes all files. Nothing more is sent. */
  clear(): void {
    this.#keep(() => false)
  }

  /** Removes stored files from the list. */
  removeStored(): void {
    this.#keep((kind) => kind !== 'stored')
  }

  /** Removes the files that are not stored. Nothing more is sent. */
  removeUnstored(): void {
    this.#keep((kind) => kind === 'stored')
  }

  /** Call this when the proxy reports that nobody is signed in. */
  signedOut(): void {
    this.#wasSignedOut = true
  }

  /**
   * Call this when the proxy reports who is signed in. Removes the files of another person; continues the uploads that
   * the sign-out interrupted.
   */
  signedIn(univid: string): void {
    if (this.#owner !== undefined && this.#owner !== univid) this.clear()
    this.#owner = univid
    // Not if only uploads are refused: they would be sent again for ever.
    if (this.#wasSignedOut)
      for (const { transfer } of this.#items) if (isSignedOut(transfer)) transfer.start()
    this.#wasSignedOut = false
  }

  /** Whether any upload waits for a sign-in. */
  get isSignedOut(): boolean {
    return this.#items.some(({ transfer }) => isSignedOut(transfer))
  }

  /** Returns a file as a row shows it. */
  rowOf(item: UploadItem<T, Details>): TransferRow {
    const { transfer } = item
    return {
      ...this.#describe(item),
      onStart: () => this.start(item),
      onCancel: () => transfer.cancel(),
      onRemove: () => this.remove(item),
    }
  }

  /** Delays updates of a long list: re-rendering on every progress event would stall uploads. */
  async throttleUpdate(): Promise<void> {
    // Not `requestAnimationFrame()`: hidden pages have no frames.
    if (this.#items.length > sliceSize) await new Promise((resolve) => setTimeout(resolve, updateInterval))
  }

  /** Makes the next slice visible. Call this before each update. */
  showNextSlice(): void {
    const { length } = this.#visible
    const first = this.#items.filter(({ hasFailed }) => hasFailed)
    this.#visible = [...first, ...this.#items.filter(({ hasFailed }) => !hasFailed)].slice(
      0,
      length + sliceSize,
    )
  }

  hostConnected(): void {
    this.#guard()
  }

  hostUpdated(): void {
    if (this.#visible.length < this.#items.length) queueMicrotask(() => this.#host.requestUpdate())
  }

  hostDisconnected(): void {
    this.#guard()
    // An element that only moves is connected again before this runs.
    queueMicrotask(() => {
      if (this.#host.isConnected) return
      for (const { isStarted, transfer } of this.#items) if (isStarted) transfer.abandon()
    })
  }

  get #messages(): Texts['files'] {
    return messagesFor(this.#host, 'files', files)
  }

  /** Returns a text of the numbers of stored, failed, running and paused uploads, without zeros. */
  #counts(...numbers: number[]): string {
    const { uploaded, failed, uploading, paused } = this.#messages
    const kinds = [uploaded, failed, uploading, paused]
    const texts = kinds.flatMap((text, index) => (numbers[index] ? [text(numbers[index])] : []))
    return joinTexts(this.#host, texts)
  }

  /** The files of this queue, without those that were stored before. */
  #ofKind(kind: TransferState<T>['kind']): readonly UploadItem<T, Details>[] {
    return this.#items.filter(({ file, transfer }) => file && transfer.state.kind === kind)
  }

  #createItem({ file, name, details }: NewUpload<Details>): QueuedItem<T, Details> {
    const { find, lag } = this.#options
    const item: QueuedItem<T, Details> = {
      key: --this.#lastKey,
      file,
      name,
      // Read only for rendering: browsers block the page to get it.
      get size() {
        return file.size
      },
      details,
      isStarted: false,
      hasFailed: false,
      transfer: createTransfer<T>({
        send: (options) => this.#send(item, file, options),
        find: find && ((signal) => find(item, file, signal)),
        onChange: (state) => this.#onTransferChange(item, state),
        ...(lag !== undefined && { lag }),
      }),
    }
    return item
  }

  async #send(item: QueuedItem<T, Details>, file: File, options: TransferSendOptions): Promise<T> {
    const { signal } = options
    const upload = async (report: ReportProgress) => {
      signal.throwIfAborted()
      if (this.#options.confirm(item, file))
        return await this.#options.send(item, file, { ...options, onProgress: report })
      item.transfer.abandon()
      throw signal.reason
    }
    return await sendFile(file, await this.#options.rules(item, signal), upload, options.onProgress)
  }

  #onTransferChange(item: QueuedItem<T, Details>, state: TransferState<T>): void {
    if (!this.#items.includes(item)) return
    this.#host.requestUpdate()
    const message = transferMessage(this.#describe(item), this.#messages, formattingLanguage(this.#host))
    if (message) this.#outcomes.add(message, state.kind)
    // A row that is tried again stays in its place.
    if (state.kind === 'failed') item.hasFailed = true
    // A cancelled file stays in the list if the page removed the element: people may start it again.
    if (state.kind === 'cancelled' && this.#host.isConnected) this.remove(item)
    // Other states wait for the next update, because each of many files goes through all of them.
    else if (isFinished(state)) this.#changed()
    if (state.kind === 'stored') this.#options.onStored(item, state.value)
    if (state.kind === 'failed') this.#options.onFailed(item, state.error)
    if (!this.#items.some(isOnItsWay)) this.#outcomes.end(this.#messages)
  }

  #describe(item: UploadItem<T, Details>) {
    const {
      name,
      transfer: { state },
    } = item
    const storedName = state.kind === 'stored' ? this.#options.storedName?.(state.value) : undefined
    return {
      // A path identifies a file better than the stored name.
      name: (!name.includes('/') && storedName) || name,
      get size() {
        return item.size
      },
      state,
      maxSize: this.maxSize,
    }
  }

  #keep(isKept: (kind: TransferState<T>['kind']) => boolean): void {
    const removed = this.#items.filter(({ transfer }) => !isKept(transfer.state.kind))
    this.#items = this.#items.filter(({ transfer }) => isKept(transfer.state.kind))
    for (const { transfer } of removed) transfer.abandon()
    this.#changed()
  }

  #changed(): void {
    this.#guard()
    this.#host.requestUpdate()
    this.#options.onChange()
  }

  #guard(): void {
    guardUnload(this, this.#host.isConnected && this.unfinished.length > 0)
  }
}
