import type { ReactiveController, ReactiveControllerHost } from 'lit'

/** Milliseconds until the first repetition. */
const firstDelay = 3000

interface LagPollerOptions {
  readonly refresh: () => void
  /** Default: those of the page. */
  readonly setTimeout?: (callback: () => void, delay: number) => ReturnType<typeof setTimeout>
  readonly clearTimeout?: (timer: ReturnType<typeof setTimeout> | undefined) => void
}

/** Loads a list again while it lags behind what was stored: after 3 s, and after twice as long each time. */
export class LagPoller implements ReactiveController {
  readonly #refresh: () => void
  readonly #setTimeout: NonNullable<LagPollerOptions['setTimeout']>
  readonly #clearTimeout: NonNullable<LagPollerOptions['clearTimeout']>
  #timer: ReturnType<typeof setTimeout> | undefined
  #delay = firstDelay
  #isLagging = false

  constructor(host: ReactiveControllerHost, options: LagPollerOptions) {
    this.#refresh = options.refresh
    this.#setTimeout = options.setTimeout ?? ((callback, delay) => setTimeout(callback, delay))
    this.#clearTimeout = options.clearTimeout ?? ((timer) => clearTimeout(timer))
    host.addController(this)
  }

  /** Call this after each load. */
  update(isLagging: boolean): void {
    this.#isLagging = isLagging
    this.#clearTimeout(this.#timer)
    if (isLagging) this.#schedule()
    else this.#delay = firstDelay
  }

  hostConnected(): void {
    if (this.#isLagging) this.#schedule()
  }

  hostDisconnected(): void {
    this.#clearTimeout(this.#timer)
  }

  #schedule(): void {
    this.#timer = this.#setTimeout(this.#refresh, this.#delay)
    this.#delay *= 2
  }
}
