/** A page in its own window. */
export interface EnginePage {
  readonly version: string
  /** Path of the folder with the files that the page has downloaded. Undefined if the engine saves none. */
  readonly downloads: string | undefined
  /** Gives the window the focus, which the list of downloads takes. */
  readonly bringToFront: () => Promise<void>
  readonly goto: (url: string) => Promise<unknown>
  /** Runs the body of a function in the page. Returns what it returns. */
  readonly evaluate: (script: string, ...args: readonly unknown[]) => Promise<unknown>
  /** Sizes the page, in px. */
  readonly setViewportSize: (size: { readonly width: number; readonly height: number }) => Promise<void>
  /** A picture in PNG. */
  readonly screenshot: () => Promise<Uint8Array>
  readonly keyboard: {
    readonly press: (key: string) => Promise<void>
    readonly type: (text: string) => Promise<void>
  }
  readonly close: () => Promise<void>
}

export function startEngine(engine: string): Promise<EnginePage>
