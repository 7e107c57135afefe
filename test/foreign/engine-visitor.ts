import { setTimeout as pause } from 'node:timers/promises'
import { personaCookieName } from '../../src/proxy/identity/identity.ts'
import type { EnginePage } from '../../tools/engines/start-engine.mjs'
import { inEngineScript, inPageScript } from './expected.ts'
import type { Visitor } from './visitor.ts'

/** Inputs that people do not fill by typing. */
const withoutTyping = /^(?:color|date|datetime-local|month|range|time|week)$/

interface Notes {
  readonly messages: readonly string[]
  readonly errors: readonly string[]
  readonly asked: number
}

/** Puts the scripts that this visitor needs into a page, before those of the page. */
export function withEngineScripts(html: string): string {
  return html.replace(
    /^<!doctype html>/i,
    (doctype) => `${doctype}<script>${inPageScript}${inEngineScript}</script>`,
  )
}

/** Visits a site with another engine than Chromium, in its one tab. `timeout` is the deadline of each action, in milliseconds. */
export async function visitWithEngine(page: EnginePage, url: string, timeout: number): Promise<Visitor> {
  const messages: string[] = []
  const errors: string[] = []
  let asked = 0
  let answer: 'ok' | 'cancel' = 'ok'

  const evaluate = async <Value>(expression: string): Promise<Value> =>
    (await page.evaluate(`return (${expression})`)) as Value
  const call = async <Value>(name: string, ...values: readonly unknown[]): Promise<Value> =>
    await evaluate<Value>(`inEngine.${name}(${values.map((value) => JSON.stringify(value)).join()})`)

  /** Notes what the page has collected. The page may be between two documents, or none of ours. */
  async function drain(): Promise<void> {
    const notes = await evaluate<Notes | null>('globalThis.inEngine?.drain() ?? null').catch(() => null)
    if (!notes) return
    messages.push(...notes.messages)
    errors.push(...notes.errors)
    asked += notes.asked
  }

  /** Does something as soon as it is possible: until then, `attempt` resolves with null or false. */
  async function soon<Value>(what: string, attempt: () => Promise<Value | null | false>): Promise<Value> {
    for (const deadline = Date.now() + timeout; ;) {
      const value = await attempt().catch(() => null)
      if (value) return value
      if (Date.now() > deadline) throw new Error(`Nobody can do that: ${what}`)
      await pause(20)
    }
  }

  /** Clicks on an element. Without `isNeeded`, only as long as people could: a page may take it away in the meantime. */
  async function click(selector: string, isNeeded = true): Promise<void> {
    // Until two looks find it at the same place.
    let earlier = ''
    const [x, y] = await soon<[number, number] | []>(`click ${selector}`, async () => {
      const point = await call<[number, number] | null>('aim', selector)
      if (!point && !isNeeded && !(await call<boolean>('canBeUsed', selector))) return []
      const isStill = String(point) === earlier
      earlier = String(point)
      return isStill && point
    })
    if (x !== undefined && y !== undefined) await page.mouse.click(x, y)
  }

  const enter = (selector: string, isReplacing: boolean) =>
    soon(`type into ${selector}`, () => call<boolean>('enter', selector, isReplacing))
  const choose = (selector: string, value: unknown) =>
    soon(`choose in ${selector}`, () => call<boolean>('choose', selector, value))

  /** Loads a document, which has other answers than the one before. */
  async function load(open: () => Promise<unknown>): Promise<void> {
    await drain()
    await open()
    await visitor.answer(answer)
  }

  const visitor: Visitor = {
    async signIn(univid) {
      await evaluate(`document.cookie = '${personaCookieName}=${univid}; path=/'`)
    },
    goto: (address) => load(() => page.goto(address)),
    reload: () => load(() => page.reload()),
    back: () => load(() => page.back()),
    async crash() {
      const address = await evaluate<string>('location.href')
      await call('crash')
      await visitor.goto('about:blank')
      await visitor.goto(address)
    },
    async fill(selector, value) {
      if (typeof value === 'boolean') {
        const [isOther] = await soon(`find ${selector}`, () =>
          evaluate<[boolean]>(`[inEngine.find(${JSON.stringify(selector)}).checked !== ${value}]`),
        )
        return isOther ? await click(selector) : undefined
      }
      const type = await soon(`find ${selector}`, () =>
        evaluate<string>(`inEngine.find(${JSON.stringify(selector)}).type ?? 'none'`),
      )
      if (typeof value !== 'string' || withoutTyping.test(type)) return void (await choose(selector, value))
      await enter(selector, true)
      await (value ? page.keyboard.type(value) : page.keyboard.press('Delete'))
    },
    async type(selector, text) {
      await enter(selector, false)
      await page.keyboard.type(text)
    },
    press: (key) => page.keyboard.press(key),
    click,
    clickIfPossible: (selector) => click(selector, false),
    chooseFile: async (selector, name, type) => void (await choose(selector, { name, type })),
    async answer(chosen) {
      answer = chosen
      await evaluate(`globalThis.inEngine?.answer(${chosen === 'ok'})`)
    },
    async asked() {
      await drain()
      return asked
    },
    evaluate,
    async probe(selectors, expression) {
      const isFound = await evaluate<boolean>(
        `!(globalThis.probed = ${JSON.stringify(selectors)}.map(inEngine.find)).includes(null)`,
      )
      return isFound ? await evaluate(expression) : undefined
    },
    async messages() {
      await drain()
      return messages
    },
    async errors() {
      await drain()
      return errors
    },
    // The next site may get the same address.
    async close() {
      await evaluate('localStorage.clear()').catch(() => {})
      await page.goto('about:blank')
    },
  }
  await page.goto(new URL('/start', url).href)
  return visitor
}
