import { type Configuration, foreignOriginOf, fromPage } from './configuration.ts'
import { ContextConsumer } from './context.ts'
import { mount, unmount, type UpdatingElement } from './mounted-elements.ts'

/** The settings of an element: its own properties first, then the nearest `<wf-context>`, then the page. */
export class Settings {
  readonly #host: HTMLElement & Configuration
  readonly #updates: UpdatingElement
  readonly #around: ContextConsumer<Configuration>

  /** `updates` renders the element, and takes controllers. For an element of Lit, this is the element. */
  constructor(host: HTMLElement & Configuration, updates: UpdatingElement) {
    this.#host = host
    this.#updates = updates
    this.#around = new ContextConsumer(host, updates)
    updates.addController(this)
  }

  get<Name extends keyof Configuration>(name: Name): Configuration[Name] {
    return this.#host[name] || this.#around.value?.[name] || fromPage(name)
  }

  /** The origin of `endpoint` if the element may not use it; otherwise `undefined`. */
  get foreignOrigin(): string | undefined {
    const endpoint = this.get('endpoint')
    return this.get('client') || !endpoint ? undefined : foreignOriginOf(endpoint)
  }

  hostConnected(): void {
    mount(this.#updates)
  }

  hostDisconnected(): void {
    unmount(this.#updates)
  }
}
