import type { LitElement, ReactiveController } from 'lit'
import type { UpdatingElement } from './mounted-elements.ts'

// The Context Community Protocol of the Web Components Community Group:
// https://github.com/webcomponents-cg/community-protocols/blob/main/proposals/context.md

/** The key of the context. It is a string, so that two copies of the package on a page can share a context. */
const name = 'routeslip'

/** Receives a value, and a function that stops further ones. */
type Callback<T> = (value: T, unsubscribe?: () => void) => void

/** Requests the value of the nearest provider around an element, across shadow roots, and all later values. */
interface ContextRequest<T> {
  readonly subscribe: boolean
  readonly callback: Callback<T>
}
const requestType = 'context-request'
/** Announces a new provider, so that elements inside it repeat their requests. */
const providerType = 'context-provider'

/** Creates an event of the protocol. */
function contextEvent<T>(type: string, request?: ContextRequest<T>): Event {
  const event = new CustomEvent(type, { bubbles: true, composed: true })
  return Object.assign(event, { context: name }, request)
}

/** Called for each new provider. They share one listener, because a page may have hundreds of elements. */
const consumers = new Set<() => void>()

function onProvider(event: Event): void {
  if ((event as Event & Record<'context', unknown>).context !== name) return
  for (const request of consumers) request()
}

/** The value of the nearest provider around an element, even if the element moves. */
export class ContextConsumer<T> implements ReactiveController {
  readonly #host: HTMLElement
  readonly #updates: UpdatingElement
  #value: T | undefined
  #unsubscribe: (() => void) | undefined

  /** See `Settings`. */
  constructor(host: HTMLElement, updates: UpdatingElement) {
    this.#host = host
    this.#updates = updates
    updates.addController(this)
  }

  /** The current value; `undefined` without a provider. */
  get value(): T | undefined {
    return this.#value
  }

  hostConnected(): void {
    document.addEventListener(providerType, onProvider)
    consumers.add(this.#request)
    this.#request()
  }

  hostDisconnected(): void {
    consumers.delete(this.#request)
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }

  readonly #request = (): void => {
    // Without a provider here, the value of an earlier place no longer applies.
    this.#take(undefined)
    this.#host.dispatchEvent(contextEvent<T>(requestType, { subscribe: true, callback: this.#take }))
  }

  readonly #take = (value: T | undefined, unsubscribe?: () => void): void => {
    if (unsubscribe !== this.#unsubscribe) this.#unsubscribe?.()
    this.#unsubscribe = unsubscribe
    this.#value = value
    this.#updates.requestUpdate()
  }
}

/** Provides a value to all consumers inside an element, unless another provider is nearer to them. */
export class ContextProvider<T> implements ReactiveController {
  readonly #host: LitElement
  readonly #read: () => T
  readonly #subscribers = new Map<Callback<T>, () => void>()

  /** `read` is called for each request, so that elements inside get the value even before the host's first update. */
  constructor(host: LitElement, read: () => T) {
    this.#host = host
    this.#read = read
    host.addController(this)
    host.addEventListener(requestType, this.#onRequest)
  }

  /** Notifies all consumers that the value has changed. */
  notify(): void {
    const value = this.#read()
    for (const [callback, unsubscribe] of this.#subscribers) callback(value, unsubscribe)
  }

  hostConnected(): void {
    this.#host.dispatchEvent(contextEvent(providerType))
  }

  readonly #onRequest = (event: Event): void => {
    const { context, subscribe, callback } = event as Event & ContextRequest<T> & Record<'context', unknown>
    // Requests of the host itself go to the next provider around it.
    if (context !== name || event.composedPath()[0] === this.#host) return
    event.stopPropagation()
    if (!subscribe) return callback(this.#read())
    const unsubscribe = () => void this.#subscribers.delete(callback)
    this.#subscribers.set(callback, unsubscribe)
    callback(this.#read(), unsubscribe)
  }
}
