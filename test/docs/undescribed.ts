// A public module whose exports have no descriptions, for the reference.

export interface Options {
  readonly silent: boolean
  /** Explained. */
  readonly told?: number
}

/** Explained. */
export interface Inherited extends Options {
  /** Explained. */
  readonly more: string
}

export function run(_options: Options): void {}

/** Explained. */
export class Explained {
  /** Explained. */
  readonly kind = 'explained'
  #hidden = 1

  /** Explained. */
  count({ told = 1 }: Options, ...others: readonly number[]): number {
    return told + others.length + this.#hidden
  }
}
