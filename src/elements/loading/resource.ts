import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { type RevalidationReason, serverNow } from '../../client/index.ts'

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
  #key: readonly unknown[] = []
  #value: T | undefined
  #error: unknown
  #loadedAt = 0
  /** Ends the attempt that is in progress. */
  #attempt: AbortController | undefined
  #stopWatching: (() => void) | undefined
  #isConnected = false

  constructor(host: ReactiveControllerHost, options: ResourceOptions<Key, T>) {
    this.#host = host
    this.#options = options
    host.addController(this)
  }

  /** The last loaded content; `undefined` if nothing has loaded yet. */
  get value(): T | undefined {
    return this.#value
  }

  /** The error of the latest attempt; `undefined` if it succeeded. */
  get error(): unknown {
    return this.#error
  }

  /** When the content was loaded, in ms since 1970; 0 for content from the cache. */
  get loadedAt(): number {
    return this.#loadedAt
  }

  /** Whether an attempt is in progress. */
  get busy(): boolean {
    return this.#attempt !== undefined
  }

  /** Loads the content again. The shown content stays until a response arrives. */
  async refresh(): Promise<void> {
    if (this.#isConnected) await this.#load()
  }

  /** Shows this content until the next response: the response to a write is newer than anything loaded before. */
  replace(value: T): void {
    this.#keep(value)
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

  hostUpdate(): void {
    if (!isSame(this.#options.key(), this.#key)) void this.#load()
  }

  hostDisconnected(): void {
    this.#isConnected = false
    // An element that only moves is connected again before this runs.
    queueMicrotask(() => {
      if (this.#isConnected) return
      this.#abort()
      this.#stopWatching?.()
      this.#stopWatching = undefined
    })
  }

  async #load(): Promise<void> {
    this.#abort()
    const key = this.#options.key()
    if (!isSame(key, this.#key)) {
      this.#key = key
      this.#begin()
      this.#watch()
      this.#value = key.length > 0 ? this.#options.peek?.(key as Key) : undefined
      this.#loadedAt = 0
    }
    this.#host.requestUpdate()
    // Properties may be set while the element is disconnected. It loads when it is connected again.
    if (key.length === 0 || !this.#isConnected) return

    const attempt = (this.#attempt = new AbortController())
    const [value, error] = await this.#options.load(key as Key, attempt.signal).then(
      (loaded) => [loaded] as const,
      (cause: unknown) => [undefined, cause] as const,
    )
    if (this.#attempt !== attempt) return
    this.#attempt = undefined
    this.#host.requestUpdate()
    if (error === undefined) return this.#keep(value as T)
    this.#error = error
    this.#options.onError?.(error)
  }

  #abort(): void {
    const attempt = this.#attempt
    this.#attempt = undefined
    attempt?.abort()
  }

  #keep(value: T): void {
    this.#value = value
    this.#error = undefined
    this.#loadedAt = serverNow()
    this.#options.onLoad?.(value)
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

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index])
}
