import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { Session } from '../../contract/schemas/session.ts'
import { isSamePerson } from '../../contract/values/patterns.ts'
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
  /** The signed-in user and what the proxy serves; `undefined` until that has loaded. */
  session: Session | undefined
  /** The content for which the extras were loaded last. */
  #loaded: { readonly version: readonly unknown[]; readonly value?: unknown } = { version: [] }
  /** The operations that were requested for it. */
  readonly #requested = new Set<string>()
  /** Those of them that have failed. */
  readonly failed: Set<string> = new Set()

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
    if (target[0] !== this.#loaded.version[0]) this.session = undefined
    const isComplete = this.session && Object.values(this.reads).every(Boolean)
    if (isChanged || (!isComplete && value !== this.#loaded.value)) {
      this.#loaded = { version, value }
      this.#requested.clear()
      this.failed.clear()
    }
    this.#load(target)
  }

  /** Whether the signed-in user made the request. False until the session has loaded. */
  get isInitiator(): boolean {
    return isSamePerson(this.session?.univid, this.#card()?.value.found.initiator?.univid)
  }

  /** The reads that the card needs, as far as any element has loaded them. */
  get reads(): CardReads {
    const { target, value } = this.#card() ?? {}
    if (!target || !value) return {}
    const [client, formId, packageId] = target
    const read = (names: readonly (keyof CardReads)[]): CardReads =>
      Object.fromEntries(
        names.map((name) => [name, client.getCached(name, { params: { formId, packageId } })]),
      )
    return read(neededReads(value, read(['getAttachmentTypes']), this.isInitiator))
  }

  /** Loads what was not requested yet. What is needed may depend on what was loaded. The client keeps what the reads return. */
  #load([client, formId, packageId]: PackageTarget): void {
    const loaded = this.#loaded
    const start = (name: string, load: () => Promise<unknown>) => {
      if (this.#requested.has(name)) return
      this.#requested.add(name)
      void load()
        .catch(() => loaded === this.#loaded && this.failed.add(name))
        .then(() => this.#host.requestUpdate())
    }
    start('getSession', async () => {
      const session = await client.getSession()
      if (client === this.#loaded.version[0]) this.session = session
    })
    for (const name of Object.keys(this.reads) as (keyof CardReads)[])
      start(name, () => client[name]({ params: { formId, packageId } }))
  }

  /** Differs if the reads may have changed. While people hold the package, only the people matter, and documents to those who sign. */
  get #version(): string {
    const { found, inbox, actions } = this.#card()?.value ?? {}
    const ids = holdersOf(inbox).holders.map(({ id }) => id)
    const isFollowed = ids.length === 0 || actions?.canSign
    return [
      found?.state,
      ...ids,
      ...(isFollowed ? [found?.actionDate, found?.commentCount, found?.attachmentCount] : []),
    ].join()
  }
}
