import { Task } from '@lit/task'
import type { ReactiveControllerHost } from 'lit'
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
export class CardExtras {
  readonly #card: () => ShownCard | undefined
  readonly #session: Task<readonly unknown[], Session | undefined>

  constructor(host: ReactiveControllerHost, card: () => ShownCard | undefined) {
    this.#card = card
    // Has no value of its own, because the client caches the reads. Runs again only if the package has changed.
    new Task(host, {
      args: () => [this.#version, this.#isComplete ? 0 : card()?.value] as const,
      task: async (_, { signal }) => {
        const [client, formId = 0, packageId = 0] = card()?.target ?? []
        const input = { params: { formId, packageId } }
        if (client) await Promise.all(this.#needed.map((name) => client[name](input, { signal })))
      },
    })
    this.#session = new Task(host, {
      args: () => [card()?.target[0], this.session ? 0 : card()?.value] as const,
      task: ([client], { signal }) => client?.getSession({ signal }),
    })
  }

  get session(): Session | undefined {
    return this.#session.value
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
    return Object.values(this.reads).every(Boolean)
  }

  /** Differs if the reads may have changed. While people hold the package, only the people matter. */
  get #version(): string {
    const { found, inbox } = this.#card()?.value ?? {}
    const ids = holdersOf(inbox).holders.map(({ id }) => id)
    const counts = [found?.actionDate, found?.commentCount, found?.attachmentCount]
    return [...this.#needed, ...(ids.length > 0 ? ids : counts)].join()
  }
}
