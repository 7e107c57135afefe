import type { ReactiveControllerHost } from 'lit'
import { NotFoundError } from '../../client/index.ts'
import { guardUnload } from '../upload/unload-guard.ts'

/**
 * `waiting`: people can still undo it, and nothing has been sent. `lost`: the file does not exist for the person any more, for
 * whatever reason.
 */
export type DeletionState = 'waiting' | 'deleting' | 'failed' | 'lost' | 'deleted'

interface FileDeletionsOptions {
  /** How long people can undo a deletion, in seconds. */
  readonly undoSeconds: () => number
  /** Sends the deletion. */
  readonly send: (uuid: string) => Promise<void>
  /** Called when the state of a file has changed. `error` is why its deletion failed. */
  readonly onChange: (uuid: string, state: DeletionState | undefined, error?: unknown) => void
}

/** The deletions that people have requested. Each waits for a while before it is sent, so that it can be undone. */
export class FileDeletions {
  readonly #options: FileDeletionsOptions
  readonly #host: Pick<ReactiveControllerHost, 'requestUpdate'> | undefined
  readonly #states = new Map<string, DeletionState>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** When each deletion that waits will be sent. */
  readonly #ends = new Map<string, number>()
  #clock: ReturnType<typeof setInterval> | undefined

  /** `host` is updated every second while a deletion waits, because it shows the seconds. */
  constructor(options: FileDeletionsOptions, host?: Pick<ReactiveControllerHost, 'requestUpdate'>) {
    this.#options = options
    this.#host = host
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

  /** Seconds until a deletion that waits is sent. */
  secondsLeft(uuid: string): number {
    return Math.max(0, Math.ceil(((this.#ends.get(uuid) ?? 0) - performance.now()) / 1000))
  }

  start(uuid: string): void {
    if (this.includes(uuid)) return
    this.#ends.set(uuid, performance.now() + this.#options.undoSeconds() * 1000)
    this.#timers.set(
      uuid,
      setTimeout(() => void this.sendNow(uuid), this.#options.undoSeconds() * 1000),
    )
    this.#set(uuid, 'waiting')
  }

  undo(uuid: string): void {
    if (this.of(uuid) !== 'waiting') return
    this.#stopWaiting(uuid)
    this.#set(uuid, undefined)
  }

  /** Sends a deletion that waits. */
  async sendNow(uuid: string): Promise<void> {
    if (this.of(uuid) !== 'waiting') return
    this.#stopWaiting(uuid)
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
  sendAll(): void {
    for (const uuid of [...this.#timers.keys()]) void this.sendNow(uuid)
  }

  #stopWaiting(uuid: string): void {
    clearTimeout(this.#timers.get(uuid))
    this.#timers.delete(uuid)
  }

  #set(uuid: string, state: DeletionState | undefined, error?: unknown): void {
    if (state) this.#states.set(uuid, state)
    else this.#states.delete(uuid)
    // A page that is left sends no deletion, so browsers ask first.
    guardUnload(this, this.#timers.size > 0)
    clearInterval(this.#clock)
    if (this.#timers.size > 0) this.#clock = setInterval(() => this.#host?.requestUpdate(), 1000)
    this.#options.onChange(uuid, state, error)
  }
}
