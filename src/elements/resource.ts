import { initialState, Task, TaskStatus } from '@lit/task'
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { RevalidationReason } from '../client/index.ts'

export interface ResourceOptions<Key extends readonly unknown[], T> {
  /** What the content depends on. Empty while there is nothing to ask for. */
  readonly key: () => Key | readonly []
  readonly load: (key: Key, signal: AbortSignal) => Promise<T>
  /** What is known already, to show while it is loaded. */
  readonly peek?: (key: Key) => T | undefined
  /** Calls `changed` when the content should be asked for again. Returns how to stop. */
  readonly watch: (key: Key, changed: (why: RevalidationReason) => void) => () => void
  /** Nothing of what was shown counts any more: it belongs to another key, or was for another person. */
  readonly onForget?: () => void
  readonly onLoad?: (value: T) => void
  readonly onError?: (error: unknown) => void
}

/**
 * Remote content of an element. Loads it when what it depends on changes, again whenever it may have changed, and keeps
 * the last good content through all of that; content of one key is never shown under another.
 */
export class Resource<Key extends readonly unknown[], T> implements ReactiveController {
  readonly #host: ReactiveControllerHost
  readonly #options: ResourceOptions<Key, T>
  readonly #task: Task<readonly unknown[], T>
  #key: readonly unknown[] = []
  #value: T | undefined
  #error: unknown
  #stopWatching: (() => void) | undefined
  #isConnected = false

  constructor(host: ReactiveControllerHost, options: ResourceOptions<Key, T>) {
    this.#host = host
    this.#options = options
    host.addController(this)
    this.#task = new Task(host, {
      args: () => options.key(),
      task: (key, { signal }) => this.#load(key, signal),
      onComplete: (value) => {
        this.#value = value
        this.#error = undefined
        options.onLoad?.(value)
      },
      onError: (error) => {
        this.#error = error
        options.onError?.(error)
      },
    })
  }

  /** The last good content, or `undefined` where there has been none yet. */
  get value(): T | undefined {
    return this.#value
  }

  /** Why the latest attempt failed; `undefined` after one that did not. */
  get error(): unknown {
    return this.#error
  }

  /** Whether an attempt is under way. */
  get busy(): boolean {
    return this.#task.status === TaskStatus.PENDING
  }

  /** Asks again; what is shown stays until there is an answer. */
  async refresh(): Promise<void> {
    if (this.#isConnected) await this.#task.run()
  }

  /** Shows this until the next answer: what a write has answered is newer than anything read. */
  replace(value: T): void {
    this.#value = value
    this.#error = undefined
    this.#options.onLoad?.(value)
    this.#host.requestUpdate()
  }

  /** Drops what is shown, because it does not count any more. */
  forget(): void {
    this.#value = undefined
    this.#options.onForget?.()
  }

  hostConnected(): void {
    this.#isConnected = true
    if (this.#key.length > 0 && !this.#stopWatching) {
      this.#watch()
      void this.refresh()
    }
  }

  hostDisconnected(): void {
    this.#isConnected = false
    // An element that only moves is back before this runs.
    queueMicrotask(() => {
      if (this.#isConnected) return
      this.#task.abort()
      this.#stopWatching?.()
      this.#stopWatching = undefined
    })
  }

  async #load(key: readonly unknown[], signal: AbortSignal): Promise<T | typeof initialState> {
    if (key.length !== this.#key.length || key.some((part, index) => part !== this.#key[index])) {
      this.#key = key
      this.#begin()
      this.#watch()
      if (key.length > 0) this.#value = this.#options.peek?.(key as Key)
    }
    // Properties may be set while the element is out of the page: it asks once it is back.
    if (key.length === 0 || !this.#isConnected) return initialState

    try {
      return await this.#options.load(key as Key, signal)
    } catch (error) {
      if (signal.aborted) return initialState
      throw error
    }
  }

  #begin(): void {
    this.#error = undefined
    this.forget()
  }

  #watch(): void {
    this.#stopWatching?.()
    this.#stopWatching =
      this.#key.length > 0 && this.#isConnected
        ? this.#options.watch(this.#key as Key, (why) => {
            if (why === 'user') this.#begin()
            // An attempt that began before a change may answer with what was there before it.
            if (why !== 'poll' || !this.busy) void this.refresh()
          })
        : undefined
  }
}
