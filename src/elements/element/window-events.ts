import type { ReactiveController, ReactiveControllerHost } from 'lit'

/** Listens to events that reach the window while the element is connected. */
export class WindowEvents implements ReactiveController {
  readonly #types: readonly string[]
  readonly #listener: (event: Event) => void

  constructor(host: ReactiveControllerHost, types: readonly string[], listener: (event: Event) => void) {
    this.#types = types
    this.#listener = listener
    host.addController(this)
  }

  hostConnected(): void {
    for (const type of this.#types) addEventListener(type, this.#listener)
  }

  hostDisconnected(): void {
    for (const type of this.#types) removeEventListener(type, this.#listener)
  }
}

/** The events before and after the browser makes a printout. */
export const printEvents = ['beforeprint', 'afterprint'] as const
