export interface Display {
  /** Such as `:99`. */
  readonly name: string
  readonly close: () => void
}

export function startDisplay(): Promise<Display>
