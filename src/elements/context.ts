import type { LitElement, ReactiveController } from 'lit'

// The context protocol of the web components' community:
// https://github.com/webcomponents-cg/community-protocols/blob/main/proposals/context.md

/** What the context is called. A text, so that elements of two copies of the kit understand each other. */
const name = 'routeslip'

/** Takes a value, and with it how to hear of no further ones. */
type Callback<T> = (value: T, unsubscribe?: () => void) => void

/** Asks the nearest provider around an element, across shadow roots, for its value now and from now on. */
class ContextRequestEvent<T> extends Event {
  static readonly type = 'context-request'
  readonly context = name
  readonly subscribe = true
  readonly callback: Callback<T>

  constructor(callback: Callback<T>) {
    super(ContextRequestEvent.type, { bubbles: true, composed: true })
    this.callback = callback
  }
}

/** Says that there is a provider now, for elements in it that have asked before. */
class ContextProviderEvent extends Event {
  static readonly type = 'context-provider'
  readonly context = name

  constructor() {
    super(ContextProviderEvent.type, { bubbles: true, composed: true })
  }
}

/** Value of the nearest provider around an element, wherever the element moves. */
export class ContextConsumer<T> implements ReactiveController {
  readonly #host: LitElement
  #value: T | undefined
  #unsubscribe: (() => void) | undefined

  constructor(host: LitElement) {
    this.#host = host
    host.addController(this)
  }

  /** `undefined` where there is no provider. */
  get value(): T | undefined {
    return this.#value
  }

  hostConnected(): void {
    document.addEventListener(ContextProviderEvent.type, this.#onProvider)
    this.#ask()
  }

  hostDisconnected(): void {
    document.removeEventListener(ContextProviderEvent.type, this.#onProvider)
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }

  #ask(): void {
    // Where nobody answers, nothing of what was said elsewhere holds.
    this.#take(undefined)
    this.#host.dispatchEvent(new ContextRequestEvent<T>(this.#take))
  }

  readonly #take = (value: T | undefined, unsubscribe?: () => void): void => {
    if (unsubscribe !== this.#unsubscribe) this.#unsubscribe?.()
    this.#unsubscribe = unsubscribe
    this.#value = value
    this.#host.requestUpdate()
  }

  readonly #onProvider = (event: Event): void => {
    if ((event as Event & { readonly context?: unknown }).context === name) this.#ask()
  }
}

/** Gives a value to all consumers in an element, but for those with a provider of their own nearer to them. */
export class ContextProvider<T> implements ReactiveController {
  readonly #host: LitElement
  readonly #subscribers = new Map<Callback<T>, () => void>()
  #value: T

  constructor(host: LitElement, value: T) {
    this.#host = host
    this.#value = value
    host.addController(this)
    host.addEventListener(ContextRequestEvent.type, this.#onRequest)
  }

  set(value: T): void {
    this.#value = value
    for (const [callback, unsubscribe] of this.#subscribers) callback(value, unsubscribe)
  }

  hostConnected(): void {
    this.#host.dispatchEvent(new ContextProviderEvent())
  }

  readonly #onRequest = (event: Event): void => {
    const { context, subscribe, callback } = event as ContextRequestEvent<T>
    // What the element asks itself is for whoever is around it.
    if (context !== name || event.composedPath()[0] === this.#host) return
    event.stopPropagation()
    if (!subscribe) return callback(this.#value)
    const unsubscribe = () => void this.#subscribers.delete(callback)
    this.#subscribers.set(callback, unsubscribe)
    callback(this.#value, unsubscribe)
  }
}
