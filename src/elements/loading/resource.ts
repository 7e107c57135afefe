import { initialState, Task, TaskStatus } from '@lit/task'
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { RevalidationReason } from '../../client/index.ts'

interface ResourceOptions<Key extends readonly unknown[], T> {
  /** The key that the content depends on. If it is empty, nothing is loaded. */
  readonly key: () => Key | readonly []
  readonly load: (key: Key, signal: AbortSignal) => Promise<T>
  /** Returns cached content, which is shown until the content has loaded. */
  readonly peek?: (key: Key) => T | undefined
  /** Calls `changed` when the content should be loaded again. Returns a function that stops this. */
  readonly watch: (key: Key, changed: (why: RevalidationReason) => void) => () => void
  /** Called when the shown content is no longer valid, because it belongs to another key or another person. */
  readonly onForget?: (isOtherPerson: boolean) => void
  readonly onLoad?: (value: T) => void
  readonly onError?: (error: unknown) => void
}

/**
 * Remote content of an element. Loads when its key changes, and again when the content may have changed. Keeps the last
 * loaded content meanwhile, but never shows the content of another key.
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

  /** The last loaded content; `undefined` if nothing has loaded yet. */
  get value(): T | undefined {
    return this.#value
  }

  /** The error of the latest attempt; `undefined` if it succeeded. */
  get error(): unknown {
    return this.#error
  }

  /** Whether an attempt is in progress. */
  get busy(): boolean {
    return this.#task.status === TaskStatus.PENDING
  }

  /** Loads the content again. The shown content stays until a response arrives. */
  async refresh(): Promise<void> {
    if (this.#isConnected) await this.#task.run()
  }

  /** Shows this content until the next response: the response to a write is newer than anything loaded before. */
  replace(value: T): void {
    this.#value = value
    this.#error = undefined
    this.#options.onLoad?.(value)
    this.#host.requestUpdate()
  }

  /** Removes the shown content, because it is no longer valid. */
  forget(isOtherPerson = false): void {
    this.#value = undefined
    this.#options.onForget?.(isOtherPerson)
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
    // An element that only moves is connected again before this runs.
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
    // Properties may be set while the element is disconnected. It loads when it is connected again.
    if (key.length === 0 || !this.#isConnected) return initialState

    try {
      return await this.#options.load(key as Key, signal)
    } catch (error) {
      if (signal.aborted) return initialState
      throw error
    }
  }

  #begin(isOtherPerson = false): void {
    this.#error = undefined
    this.forget(isOtherPerson)
  }

  #watch(): void {
    this.#stopWatching?.()
    this.#stopWatching =
      this.#key.length > 0 && this.#isConnected
        ? this.#options.watch(this.#key as Key, (why) => {
            if (why === 'user') this.#begin(true)
            // An attempt that began before a change may return the previous content.
            if (why !== 'poll' || !this.busy) void this.refresh()
          })
        : undefined
  }
}
