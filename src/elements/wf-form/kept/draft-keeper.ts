import type { EntryValues } from '../state/entry-merge.ts'
import type { Kept } from '../state/field-state.ts'
import { type CopyScope, keyOf, LocalCopies, type LocalCopy } from './local-copy.ts'
import type { Creation } from '../state/submission.ts'

/** Reads and writes the local copy of a form. */
interface DraftKeeperOptions {
  /** Called if another tab has changed or removed the copy. */
  readonly onElsewhere: (copy: LocalCopy | undefined) => void
}

/**
 * Keeps what a person types in this browser until the service has it. All tabs share the copy, so a request that is not saved
 * yet exists once for each person and form.
 */
export class DraftKeeper {
  readonly #copies = new LocalCopies()
  readonly #options: DraftKeeperOptions
  #scope: CopyScope | undefined
  #stopWatching: (() => void) | undefined
  #release = (): void => {}
  /** The names of files that the copy has and that are not chosen again. Browsers cannot keep files. */
  lostFiles: readonly string[] = []

  constructor(options: DraftKeeperOptions) {
    this.#options = options
  }

  /** Opens the copy of a form. Copies of other people are removed: they have signed out. */
  open(scope: CopyScope): LocalCopy | undefined {
    this.#stopWatching?.()
    this.#scope = scope
    this.#copies.removeOthers(scope.person)
    this.#stopWatching = this.#copies.watch(scope, this.#options.onElsewhere)
    const copy = this.#copies.read(scope)
    this.lostFiles = copy?.files ?? []
    return copy
  }

  /** Ends the reports about other tabs, and lets them send the request. The copy stays. */
  close(): void {
    this.#stopWatching?.()
    this.#release()
    this.#scope = undefined
  }

  /**
   * Writes what was typed, and the names of the files that are `chosen`. `secrets`: the keys that may not be kept. Returns false if the
   * browser cannot keep it.
   */
  keep(
    kept: Kept | undefined,
    secrets: readonly string[],
    creation: Creation | undefined,
    chosen: readonly string[] = [],
  ): boolean {
    if (!this.#scope) return false
    if (chosen.length > 0) this.lostFiles = []
    const files = [...chosen, ...this.lostFiles]
    if (!kept && !creation && files.length === 0) {
      this.#copies.remove(this.#scope)
      return true
    }
    const isOpen = ([name]: [string, unknown]) => !secrets.includes(name)
    const entry = Object.fromEntries(Object.entries(creation?.body.entry ?? {}).filter(isOpen)) as EntryValues
    return this.#copies.write(this.#scope, {
      entry: {},
      ...kept,
      ...(files.length > 0 && { files }),
      ...(creation && { creation: { ...creation, body: { ...creation.body, entry } } }),
      savedAt: Date.now(),
    })
  }

  /** Notes the package of a new request, so that a reload continues with it. */
  created(packageId: number): void {
    if (this.#scope) this.#copies.write(this.#scope, { entry: {}, packageId, savedAt: Date.now() })
  }

  /** Removes the copy, and that of the new request which became this package: it is submitted, or abandoned. */
  remove(): void {
    this.lostFiles = []
    if (!this.#scope) return
    const { packageId } = this.#scope
    const fresh = { ...this.#scope, packageId: 0 }
    this.#copies.remove(this.#scope)
    if (this.#copies.read(fresh)?.packageId === packageId) this.#copies.remove(fresh)
  }

  /**
   * Runs a function while no other tab sends the same request. Resolves with false if one does. Browsers release the lock of a
   * tab that closes.
   */
  async exclusively(run: () => Promise<void>): Promise<boolean> {
    const { locks } = navigator as { readonly locks?: LockManager }
    // Pages without HTTPS have no locks. The proxy still creates a request once.
    if (!locks || !this.#scope) return await run().then(() => true)
    let isBlocked = true
    try {
      return await locks.request(keyOf(this.#scope), { ifAvailable: true }, async (lock) => {
        isBlocked = false
        if (lock) await Promise.race([run(), new Promise<void>((resolve) => (this.#release = resolve))])
        return lock !== null
      })
    } catch (error) {
      if (!isBlocked) throw error
      // Frames without an origin may not use locks.
      return await run().then(() => true)
    }
  }
}
