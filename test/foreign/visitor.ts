/** A person at a browser with a new profile. Selectors are those of Playwright, and reach into open shadow roots. */
export interface Visitor {
  /** Signs in by a cookie, instead of the earlier person. */
  readonly signIn: (univid: string) => Promise<void>
  readonly goto: (url: string) => Promise<void>
  readonly reload: () => Promise<void>
  readonly back: () => Promise<void>
  /** Ends the tab, so that the page gets no event, and opens its address in a new one. */
  readonly crash: () => Promise<void>
  /** Enters a text, ticks a box, or selects options by their values. */
  readonly fill: (selector: string, value: string | boolean | readonly string[]) => Promise<void>
  readonly type: (selector: string, text: string) => Promise<void>
  readonly press: (key: string) => Promise<void>
  readonly click: (selector: string) => Promise<void>
  /** Clicks if the element is visible and enabled. */
  readonly clickIfPossible: (selector: string) => Promise<void>
  readonly chooseFile: (selector: string, name: string, type: string) => Promise<void>
  /** Answers questions of the browser from now on. */
  readonly answer: (answer: 'ok' | 'cancel') => Promise<void>
  /** Number of questions so far, without those about leaving the page. */
  readonly asked: () => Promise<number>
  /** Evaluates an expression. */
  readonly evaluate: <Value>(expression: string) => Promise<Value>
  /** Evaluates an expression with the first element of each selector in the list `probed`. Returns undefined if one does not exist. */
  readonly probe: <Value>(selectors: readonly string[], expression: string) => Promise<Value | undefined>
  /** All messages on the console. */
  readonly messages: () => Promise<readonly string[]>
  /** Uncaught errors. */
  readonly errors: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}
