import type { Configuration } from '../configuration/configuration.ts'
import { ContextConsumer, ContextProvider } from '../configuration/context.ts'
import type { RouteslipElement } from '../element/routeslip-element.ts'

/** Configures the elements inside a form: with its own settings, and otherwise with those around it. */
export class InnerConfiguration {
  readonly #host: RouteslipElement & { readonly formId: number; readonly packageId: number }
  readonly #outer: ContextConsumer<Configuration>
  readonly #provider: ContextProvider<Configuration>

  constructor(host: RouteslipElement & { readonly formId: number; readonly packageId: number }) {
    this.#host = host
    this.#outer = new ContextConsumer<Configuration>(host, host)
    this.#provider = new ContextProvider<Configuration>(host, () => this.#configuration)
    host.addController(this)
  }

  hostUpdate(): void {
    this.#provider.notify()
  }

  get #configuration(): Configuration {
    const { endpoint, formId, packageId, timeZone, client } = this.#host
    const own = Object.entries({ endpoint, formId, packageId, timeZone, client }).filter(([, value]) => value)
    return { ...this.#outer.value, ...(Object.fromEntries(own) as Configuration) }
  }
}
