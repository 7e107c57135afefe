/** A page that a person uses, in any engine. Its clock starts at `startTime`. */
export interface Actor {
  readonly goto: (url: string) => Promise<unknown>
  /** Runs the body of a function in the page. Returns what it returns. */
  readonly evaluate: (script: string, ...args: readonly unknown[]) => Promise<unknown>
  /** Presses a key, or several at once, such as `Control+A`. */
  readonly press: (key: string) => Promise<unknown>
  readonly type: (text: string) => Promise<unknown>
  /** Lets time pass in the page, in ms. All timers that end before have ended afterwards. */
  readonly settle: (milliseconds: number) => Promise<unknown>
}

/** A file that a person chooses. */
export interface ChosenFile {
  readonly name: string
  readonly type?: string
  readonly content: string
}

/** What a person does in a page by keyboard alone. */
export interface User {
  readonly press: (key: string) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** Moves the focus to a control of an element, as if by Tab. `in` is the tag; without it, the control is in the page. */
  readonly focus: (selector: string, tag?: string) => Promise<void>
  /** Chooses files in the dialog that the button in focus opens. */
  readonly choose: (tag: string, files: readonly ChosenFile[]) => Promise<void>
  /** Calls `refresh()` of all elements. */
  readonly refresh: () => Promise<void>
  /** Waits until everything that has happened was heard. */
  readonly listen: () => Promise<void>
  /** Waits until a script, the body of a function, returns a truthy value. `root` is the content of the element. */
  readonly see: (script: string, tag?: string) => Promise<void>
}

/** `listen` waits until everything that has happened was heard. */
export function createUser(actor: Actor, listen: () => Promise<void>): User {
  const rootOf = (tag: string | undefined) =>
    `const root = ${tag ? `document.querySelector('${tag}').shadowRoot` : 'document'};`
  const see: User['see'] = async (script, tag) => {
    for (const end = Date.now() + 60_000; ;) {
      // Objects of the page cannot be returned.
      if (await actor.evaluate(`${rootOf(tag)} return Boolean((() => {${script}})())`)) return
      if (Date.now() > end) throw new Error(`Not seen within a minute: ${script}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return {
    press: async (key) => void (await actor.press(key)),
    type: async (text) => void (await actor.type(text)),
    see,
    listen,
    refresh: async () =>
      void (await actor.evaluate(
        `document.querySelectorAll('*').forEach((host) => /^(wf|fs)-/.test(host.localName) && void host.refresh?.())`,
      )),
    async focus(selector, tag) {
      const found = JSON.stringify(selector)
      await see(`return root.querySelector(${found})`, tag)
      await actor.evaluate(`${rootOf(tag)} root.querySelector(${found}).focus()`)
    },
    async choose(tag, files) {
      await actor.evaluate(
        `${rootOf(tag)}
        const [files] = arguments
        const input = root.querySelector('input[type=file]')
        const chosen = new DataTransfer()
        for (const { name, type = 'text/plain', content } of files)
          chosen.items.add(new File([content], name, { type }))
        input.files = chosen.files
        input.dispatchEvent(new Event('change', { bubbles: true }))`,
        files,
      )
    },
  }
}
