import { Task } from '@lit/task'
import type { ReactiveControllerHost } from 'lit'
import type { HistoryEvent } from '../../contract/history.ts'
import type { Session } from '../../contract/session.ts'
import type { PackageTarget } from '../package-element.ts'
import { holdersOf, type PackageStatusContent } from './content.ts'

/** The package that a card shows; `undefined` in a badge and until the package has loaded. */
export interface ShownCard {
  readonly target: PackageTarget
  readonly value: PackageStatusContent
}

/**
 * Loads the session and the history for a card, which is shown without waiting for them. If one of them fails, it is
 * loaded again whenever the package is. Badges load neither, because there may be hundreds of them.
 */
export class CardExtras {
  readonly #card: () => ShownCard | undefined
  readonly #session: Task<readonly unknown[], Session | undefined>

  constructor(host: ReactiveControllerHost, card: () => ShownCard | undefined) {
    this.#card = card
    // Has no value of its own, because the client caches the history. Runs again only if other people hold the package.
    new Task(host, {
      args: () => [this.#holderIds, this.history ? 0 : card()?.value] as const,
      task: async ([ids], { signal }) => {
        const [client, formId = 0, packageId = 0] = card()?.target ?? []
        if (ids) await client?.getHistory({ params: { formId, packageId } }, { signal })
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

  /** The history, if any element has loaded it. */
  get history(): readonly (HistoryEvent | null)[] | undefined {
    const [client, formId = 0, packageId = 0] = this.#card()?.target ?? []
    return client?.getCached('getHistory', { params: { formId, packageId } })
  }

  /** The ids of the signatures that the package waits for. */
  get #holderIds(): string {
    return holdersOf(this.#card()?.value.inbox)
      .holders.map(({ id }) => id)
      .join()
  }
}
