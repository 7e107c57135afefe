import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { Session } from '../../contract/schemas/session.ts'
import type { PackageTarget } from '../element/package-element.ts'
import { type CardReads, neededReads } from './card-reads.ts'
import { holdersOf, type PackageStatusContent } from './content.ts'

/** The package that a card shows; `undefined` until it has loaded. */
interface ShownCard {
  readonly target: PackageTarget
  readonly value: PackageStatusContent
}

/**
 * Loads the session and what explains the state for a card, which is shown without waiting for them. If one of them
 * fails, it is loaded again whenever the package is.
 */
export class CardExtras implements ReactiveController {
  readonly #host: ReactiveControllerHost
  readonly #card: () => ShownCard | undefined
  #session: Session | undefined
  /** What was loaded for last. */
  #loaded: { readonly version: readonly unknown[]; readonly value: unknown } = {
    version: [],
    value: undefined,
  }

  constructor(host: ReactiveControllerHost, card: () => ShownCard | undefined) {
    this.#host = host
    this.#card = card
    host.addController(this)
  }

  hostUpdate(): void {
    const { target, value } = this.#card() ?? {}
    if (!target || !value) return
    const version = [...target, this.#version]
    const isChanged = version.some((part, index) => part !== this.#loaded.version[index])
    if (target[0] !== this.#loaded.version[0]) this.#session = undefined
    if (!isChanged && (this.#isComplete || value === this.#loaded.value)) return
    this.#loaded = { version, value }
    this.#load(target)
  }

  get session(): Session | undefined {
    return this.#session
  }

  /** The reads that the state of the package needs, as far as any element has loaded them. */
  get reads(): CardReads {
    const [client, formId = 0, packageId = 0] = this.#card()?.target ?? []
    const input = { params: { formId, packageId } }
    return Object.fromEntries(this.#needed.map((name) => [name, client?.getCached(name, input)]))
  }

  get #needed(): (keyof CardReads)[] {
    const { value } = this.#card() ?? {}
    return value ? neededReads(value) : []
  }

  get #isComplete(): boolean {
    return !!this.session && Object.values(this.reads).every(Boolean)
  }

  /** The client keeps what the reads return. */
  #load([client, formId, packageId]: PackageTarget): void {
    const update = () => this.#host.requestUpdate()
    client.getSession().then((session) => {
      if (client === this.#loaded.version[0]) this.#session = session
      update()
    }, update)
    for (const name of this.#needed) client[name]({ params: { formId, packageId } }).then(update, update)
  }

  /** Differs if the reads may have changed. While people hold the package, only the people matter. */
  get #version(): string {
    const { found, inbox } = this.#card()?.value ?? {}
    const ids = holdersOf(inbox).holders.map(({ id }) => id)
    const counts = [found?.actionDate, found?.commentCount, found?.attachmentCount]
    return [...this.#needed, ...(ids.length > 0 ? ids : counts)].join()
  }
}
