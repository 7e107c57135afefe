import type { LitElement, ReactiveController } from 'lit'
import type { SendOptions, UploadItem, UploadsAction, UploadsState } from '../../client/index.ts'
import { isFinished, isOnItsWay } from '../../client/uploads/upload-state.ts'
import { createUploads } from '../../client/uploads/uploads.ts'
import { files } from '../../locales/en-upload.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Announcer } from '../notices/announcer.ts'
import { joinTexts } from '../text/join-texts.ts'
import { formattingLanguage, messagesFor } from '../text/messages.ts'
import { uploadMessage } from './upload-row.ts'
import { UploadOutcomes } from './upload-outcomes.ts'
import { guardUnload } from './unload-guard.ts'

/** A file whose upload failed. */
export interface FailedUpload {
  readonly name: string
  /** The part of its row that can take the focus; null if a long list does not show it yet. */
  readonly row: HTMLElement | null
}

/** Work of an element with its files. See `UploadWork`. */
interface ListWork<T, Details> {
  send(item: UploadItem<T, Details>, options: SendOptions): Promise<T>
  find?(item: UploadItem<T, Details>, signal: AbortSignal): Promise<T | undefined>
  /** Called after each change, before it is rendered: with the files whose uploads have ended, and those that have left. */
  onChange(ended: readonly UploadItem<T, Details>[], left: readonly UploadItem<T, Details>[]): void
}

/** The maximum number of items that one update adds. A longer list is updated at intervals. */
const sliceSize = 20

/** The maximum number of failed files that a summary names. */
const maxNames = 3

/** Milliseconds between updates of a long list. */
const updateInterval = 50

/**
 * The files of an element. Announces how uploads end, guards the page while any is unfinished, and makes long lists visible in
 * slices. Files belong to the person who chose them.
 */
export class UploadList<T extends object, Details> implements ReactiveController {
  readonly #host: LitElement
  readonly #work: ListWork<T, Details>
  readonly #uploads: ReturnType<typeof createUploads<T, Details>>
  readonly #outcomes: UploadOutcomes
  #visible: readonly UploadItem<T, Details>[] = []

  constructor(
    host: LitElement,
    announcer: Announcer,
    work: ListWork<T, Details>,
    /** Milliseconds before the second query for a file. */
    lag?: number,
  ) {
    this.#host = host
    this.#work = work
    this.#outcomes = new UploadOutcomes(announcer)
    this.#uploads = createUploads<T, Details>(
      {
        send: work.send,
        ...(work.find && { find: work.find }),
        onChange: (before) => this.#onChange(before),
      },
      lag === undefined ? {} : { lag },
    )
    host.addController(this)
  }

  /** All files, oldest first. */
  get items(): readonly UploadItem<T, Details>[] {
    return this.#uploads.state.items
  }

  /** University id of the person whose files these are, if known. */
  get owner(): string | undefined {
    return this.#uploads.state.owner
  }

  /** The first files, as many as are rendered so far. Those that have failed before come first. */
  get visible(): readonly UploadItem<T, Details>[] {
    return this.#visible
  }

  /** Files whose uploads are not over. */
  get unfinished(): readonly UploadItem<T, Details>[] {
    return this.items.filter(({ state }) => !isFinished(state))
  }

  /** The values of stored files, oldest first. */
  get stored(): readonly T[] {
    return this.items.flatMap(({ state }) => (state.kind === 'stored' ? [state.value] : []))
  }

  /** Whether any upload waits for a sign-in. */
  get isSignedOut(): boolean {
    return this.items.some(({ state }) => state.kind === 'queued' && state.hold === 'signed-out')
  }

  /** The files whose upload failed, oldest first. */
  get failed(): readonly FailedUpload[] {
    return this.#uploaded('failed').map(({ key, name }) => ({
      name,
      row: this.#host.renderRoot.querySelector<HTMLElement>(`[data-key="${key}"] .name`),
    }))
  }

  /** The number of uploaded files and the names of those that failed, as a text; empty if none of several files failed. */
  get outcome(): string {
    const failed = this.#uploaded('failed').map(({ name }) => name)
    const stored = this.#uploaded('stored').length
    if (failed.length === 0 || stored + failed.length < 2) return ''
    const names = joinTexts(this.#host, failed.slice(0, maxNames)) + (failed.length > maxNames ? '…' : '')
    return this.#messages.outcome(this.#counts(stored, failed.length), names)
  }

  /** Counts the stored files that `isThere` accepts, and the failed, unfinished and paused ones, as a text. */
  counts(isThere: (value: T) => boolean): string {
    const failed = this.items.filter(({ state }) => state.kind === 'failed').length
    const paused = this.unfinished.filter(
      ({ state }) => state.kind === 'queued' && isPaused(state.hold),
    ).length
    return this.#counts(this.stored.filter(isThere).length, failed, this.unfinished.length - paused, paused)
  }

  /** Returns how many more files `max` allows. Files that failed or were cancelled do not count. */
  room(max: number): number {
    return Math.max(0, max - this.unfinished.length - this.stored.length)
  }

  dispatch(action: UploadsAction<T, Details>): void {
    this.#uploads.dispatch(action)
  }

  /** Delays updates of a long list: re-rendering on every progress event would stall uploads. */
  async throttleUpdate(): Promise<void> {
    // Not `requestAnimationFrame()`: hidden pages have no frames.
    if (this.items.length > sliceSize) await new Promise((resolve) => setTimeout(resolve, updateInterval))
  }

  /** Makes the next slice visible. Call this before each update. */
  showNextSlice(): void {
    const first = this.items.filter(({ hasFailed }) => hasFailed)
    const all = [...first, ...this.items.filter(({ hasFailed }) => !hasFailed)]
    this.#visible = all.slice(0, this.#visible.length + sliceSize)
  }

  hostConnected(): void {
    this.#guard()
  }

  hostUpdated(): void {
    if (this.#visible.length < this.items.length) queueMicrotask(() => this.#host.requestUpdate())
  }

  hostDisconnected(): void {
    this.#guard()
    // An element that only moves is connected again before this runs.
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.dispatch({ type: 'abandon' })
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

  /** The files of a state, without those that were stored before. */
  #uploaded(kind: 'stored' | 'failed'): readonly UploadItem<T, Details>[] {
    return this.items.filter(({ file, state }) => file && state.kind === kind)
  }

  #onChange({ items: before }: UploadsState<T, Details>): void {
    const { items } = this
    if (items === before) return
    this.#guard()
    this.#host.requestUpdate()
    const states = new Set(before.map(({ state }) => state))
    const keys = new Set(items.map(({ key }) => key))
    const changed = items.filter(({ file, state }) => file && !states.has(state))
    const language = formattingLanguage(this.#host)
    for (const item of changed) {
      const message = uploadMessage(item, this.#messages, language)
      if (message) this.#outcomes.add(message, item.state.kind)
    }
    this.#work.onChange(
      changed.filter(({ state }) => state.kind === 'stored' || state.kind === 'failed'),
      before.filter(({ key }) => !keys.has(key)),
    )
    if (!this.items.some(({ state }) => isOnItsWay(state))) this.#outcomes.end(this.#messages)
  }

  #guard(): void {
    guardUnload(this, this.#host.isConnected && this.unfinished.length > 0)
  }
}

/** Whether a held upload waits for something else than its start. */
function isPaused(hold: string | undefined): boolean {
  return hold === 'offline' || hold === 'signed-out'
}
