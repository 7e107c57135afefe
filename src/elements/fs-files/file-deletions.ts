import { NotFoundError } from '../../client/index.ts'

/**
 * `waiting`: people can still undo it, and nothing has been sent. `lost`: the file does not exist for the person any more, for
 * whatever reason.
 */
export type DeletionState = 'waiting' | 'deleting' | 'failed' | 'lost' | 'deleted'

interface FileDeletionsOptions {
  /** Sends the deletion. */
  readonly send: (uuid: string) => Promise<void>
  /** Called when the state of a file has changed. `error` is why its deletion failed. */
  readonly onChange: (uuid: string, state: DeletionState | undefined, error?: unknown) => void
}

/**
 * The deletions that people have requested. Each waits until they confirm it or leave the page, so that they can undo it for as
 * long as they need.
 */
export class FileDeletions {
  readonly #options: FileDeletionsOptions
  readonly #states = new Map<string, DeletionState>()

  constructor(options: FileDeletionsOptions) {
    this.#options = options
  }

  /** The state of a file; `undefined` if nobody has requested its deletion. */
  of(uuid: string): DeletionState | undefined {
    return this.#states.get(uuid)
  }

  /** Whether a file is deleted, or will be unless people undo it. */
  includes(uuid: string): boolean {
    const state = this.of(uuid)
    return state !== undefined && state !== 'failed' && state !== 'lost'
  }

  start(uuid: string): void {
    if (!this.includes(uuid)) this.#set(uuid, 'waiting')
  }

  undo(uuid: string): void {
    if (this.of(uuid) === 'waiting') this.#set(uuid, undefined)
  }

  /** Sends a deletion that waits. */
  async sendNow(uuid: string): Promise<void> {
    if (this.of(uuid) !== 'waiting') return
    this.#set(uuid, 'deleting')
    try {
      await this.#options.send(uuid)
    } catch (error) {
      // The proxy gives the same response for a file that was deleted and for one that the person may not delete any more.
      return this.#set(uuid, error instanceof NotFoundError ? 'lost' : 'failed', error)
    }
    this.#set(uuid, 'deleted')
  }

  /** Sends all deletions that wait. */
  readonly sendAll = (): void => {
    for (const uuid of [...this.#states.keys()]) void this.sendNow(uuid)
  }

  #set(uuid: string, state: DeletionState | undefined, error?: unknown): void {
    if (state) this.#states.set(uuid, state)
    else this.#states.delete(uuid)
    if (state === 'waiting') window.addEventListener('pagehide', this.sendAll)
    else if (![...this.#states.values()].includes('waiting'))
      window.removeEventListener('pagehide', this.sendAll)
    this.#options.onChange(uuid, state, error)
  }
}
