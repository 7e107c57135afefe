import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { ExpectedPage, Run, Step } from './expected.ts'
import { type FindFile, type ForeignSite, startForeignSite } from './foreign-site.ts'
import type { Visitor } from './visitor.ts'

/** Where the steps of a run are taken. */
interface Place {
  readonly site: ForeignSite
  readonly visitor: Visitor
}

/** The values of each step that does something. */
interface ActionValues {
  open: []
  reload: []
  back: []
  crash: []
  refresh: []
  fill: [selector: string, value: string | boolean | readonly string[]]
  type: [selector: string, text: string]
  press: [key: string]
  click: [selector: string]
  'click-if-possible': [selector: string]
  file: [selector: string, name: string, type: string]
  answer: [answer: 'ok' | 'cancel']
  person: [name: string]
  responds: [by: 'service' | 'front', status: number | 'ok']
  wait: [milliseconds: number]
}

/** The values of each check. */
interface CheckValues {
  shown: [selector: string, value: string | boolean | readonly string[]]
  text: [selector: string, text: string]
  says: [text: string]
  visible: [selector: string]
  focus: [selector: string]
  attribute: [selector: string, name: string, value: string | null]
  'at-most': [selector: string, name: string, maximum: number]
  uncovered: [selector: string]
  touching: [first: string, second: string]
  kept: [text: string]
  'leave-warning': [isExpected: boolean]
  asked: [number: number]
  url: [path: string]
  packages: [states: readonly string[]]
  stored: [fields: Readonly<Record<string, unknown>>]
  console: [text: string]
}

type Action<Values extends readonly unknown[]> = (place: Place, ...values: Values) => Promise<void> | void

/** Looks once. Returns whether it found what was expected, and what it found. */
type Check<Values extends readonly unknown[]> = (
  place: Place,
  ...values: Values
) => Promise<readonly [isMet: boolean, found: unknown]>

/** Takes the steps of a run on a site of its own. Rejects if a step is not possible or a check fails within `patience`, in ms. */
export async function takeRun(
  page: ExpectedPage,
  run: Run,
  html: string,
  visit: (site: ForeignSite) => Promise<Visitor> | Visitor,
  patience: number,
  findFile?: FindFile,
): Promise<void> {
  const site = await startForeignSite(page, run, html, findFile)
  const visitor = await visit(site)
  try {
    await visitor.signIn(site.people.get('Amara Okafor')!)
    for (const [at, step] of run.steps.entries()) {
      try {
        await take({ site, visitor }, step, patience)
        await rest({ site, visitor })
      } catch (error) {
        throw new Error(`Step ${at + 1}, ${JSON.stringify(step)}: ${(error as Error).message}`, {
          cause: error,
        })
      }
      assert.deepEqual(await visitor.errors(), [], `Uncaught after step ${at + 1}, ${JSON.stringify(step)}`)
    }
  } finally {
    await visitor.close()
    await site.close()
  }
}

async function take(place: Place, [name, ...values]: Step, patience: number): Promise<void> {
  const action = actions[name as keyof ActionValues] as Action<readonly unknown[]> | undefined
  if (action) return await action(place, ...values)
  const isNegated = name === 'not'
  const check = checks[(isNegated ? values.shift() : name) as keyof CheckValues] as
    | Check<readonly unknown[]>
    | undefined
  if (!check) throw new Error('There is no step of this name.')
  for (const deadline = Date.now() + patience; ;) {
    // The page may be between two documents.
    const [isMet, found] = await check(place, ...values).catch(
      (error: unknown) => [isNegated, error] as const,
    )
    if (isMet !== isNegated) return
    if (Date.now() > deadline) throw new Error(`Found ${JSON.stringify(found) ?? String(found)}`)
    await pause(50)
  }
}

/** Waits until the page has loaded, and no request has been in progress for a moment. */
async function rest({ site, visitor }: Place): Promise<void> {
  const script = `document.readyState === 'complete' && !document.querySelector('wf-form:not(:defined)')`
  for (let calm = 0, deadline = Date.now() + 20_000; calm < 3; await pause(20)) {
    const isReady = await visitor.evaluate<boolean>(script).catch(() => false)
    calm = isReady && !site.isBusy() ? calm + 1 : 0
    if (Date.now() > deadline) throw new Error('The page does not come to rest.')
  }
}

const actions: { readonly [Name in keyof ActionValues]: Action<ActionValues[Name]> } = {
  open: ({ site, visitor }) => visitor.goto(site.url),
  reload: ({ visitor }) => visitor.reload(),
  back: ({ visitor }) => visitor.back(),
  crash: ({ visitor }) => visitor.crash(),
  fill: ({ visitor }, selector, value) => visitor.fill(selector, value),
  type: ({ visitor }, selector, text) => visitor.type(selector, text),
  press: ({ visitor }, key) => visitor.press(key),
  click: ({ visitor }, selector) => visitor.click(selector),
  'click-if-possible': ({ visitor }, selector) => visitor.clickIfPossible(selector),
  file: ({ visitor }, selector, name, type) => visitor.chooseFile(selector, name, type),
  answer: ({ visitor }, answer) => visitor.answer(answer),
  person: ({ site, visitor }, name) => visitor.signIn(site.people.get(name)!),
  refresh: ({ visitor }) => visitor.evaluate<void>(`void document.querySelector('wf-form').refresh()`),
  responds: ({ site }, by, status) => site.respond(by, status),
  // The pages of such runs count what happens in that time.
  // eslint-disable-next-line no-restricted-syntax
  wait: async (_place, milliseconds) => await pause(milliseconds),
}

const checks: { readonly [Name in keyof CheckValues]: Check<CheckValues[Name]> } = {
  async shown({ visitor }, selector, value) {
    const property =
      typeof value === 'boolean'
        ? 'checked'
        : typeof value === 'string'
          ? 'value'
          : 'selectedOptions && [...probed[0].selectedOptions].map((option) => option.value)'
    const found = await visitor.probe<unknown>([selector], `probed[0].${property}`)
    return [isLike(found, value), found]
  },
  async text({ visitor }, selector, text) {
    const found = await visitor.probe<string>([selector], 'inPage.textOf(probed[0])')
    return [found !== undefined && contains(found, text), found]
  },
  async says({ visitor }, text) {
    const found = await visitor.evaluate<string>('inPage.says()')
    return [contains(found, text), found]
  },
  async visible({ visitor }, selector) {
    const found = await visitor.probe<boolean>([selector], 'inPage.isVisible(probed[0])')
    return [found === true, found]
  },
  async focus({ visitor }, selector) {
    const found = await visitor.probe<string | true>(
      [selector],
      'probed[0].getRootNode().activeElement === probed[0] || document.activeElement?.outerHTML',
    )
    return [found === true, found]
  },
  async attribute({ visitor }, selector, name, value) {
    const found = await visitor.probe<string | null>([selector], `probed[0].getAttribute('${name}')`)
    return [found !== undefined && isLike(found, value), found]
  },
  async 'at-most'({ visitor }, selector, name, maximum) {
    const found = await visitor.probe<string>([selector], `probed[0].getAttribute('${name}')`)
    return [Number(found ?? NaN) <= maximum, found]
  },
  async uncovered({ visitor }, selector) {
    const found = await visitor.probe<boolean>([selector], 'inPage.isUncovered(probed[0])')
    return [found === true, found]
  },
  async touching({ visitor }, first, second) {
    const found = await visitor.probe<boolean>([first, second], 'inPage.areTouching(probed[0], probed[1])')
    return [found === true, found]
  },
  async kept({ visitor }, text) {
    const number = await visitor.evaluate<number>('inPage.collect()')
    for (;;) {
      const found = await visitor.evaluate<string | null>(`inPage.collected.get(${number}) ?? null`)
      if (found !== null) return [contains(found, text), found]
      await pause(10)
    }
  },
  async 'leave-warning'({ visitor }, isExpected) {
    const found = await visitor.evaluate<boolean>('inPage.asksToStay()')
    return [found === isExpected, found]
  },
  async asked({ visitor }, number) {
    const found = await visitor.asked()
    return [found === number, found]
  },
  async url({ visitor }, path) {
    const found = await visitor.evaluate<string>('location.pathname')
    return [found === path, found]
  },
  async packages({ site }, states) {
    const found = site.packages().map(({ state, subType }) => (subType ? `${state} ${subType}` : state))
    return [isLike(found, states), found]
  },
  async stored({ site }, fields) {
    const entry = site.packages().at(-1)?.entry
    return [Object.entries(fields).every(([key, value]) => isLike(entry?.[key], value)), entry]
  },
  async console({ visitor }, text) {
    const found = await visitor.messages()
    return [found.some((message) => contains(message, text)), found]
  },
}

function contains(found: string, text: string): boolean {
  return toPattern(text)?.test(found) ?? found.includes(text)
}

function isLike(found: unknown, value: unknown): boolean {
  const pattern = typeof value === 'string' && toPattern(value)
  if (pattern) return typeof found === 'string' && pattern.test(found)
  return JSON.stringify(found) === JSON.stringify(value)
}

/** Returns the regular expression in a text such as `/enter/i`. */
function toPattern(text: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/(i?)$/.exec(text) ?? []
  return source === undefined ? undefined : new RegExp(source, flags)
}
