import { fromPage } from '../src/elements/configuration/configuration.ts'

// Stories and tests wait for the state that they are about, never for a time. Work that is only due later is not in progress: a
// poll, a retry, an announcement or a debounced search. To wait for one of these, wait for its effect.

/** The key of what is in progress for a client or an element. A property, so that copies of a client have it too. */
const key = Symbol('progress')

/** What is in progress. */
interface Progress {
  /** One line for each. */
  readonly names: () => readonly string[]
  /** Whether some of it depends on a promise that `held()` has marked. */
  readonly isHeld: () => boolean
}

type Owner = object & { readonly [key]?: Progress }

/** Promises that a test resolves itself, or never. */
const heldByTests = new WeakSet<Promise<unknown>>()

/** Work that the page does for an owner, such as the requests of a client. */
export class OpenWork {
  readonly #open = new Map<Promise<unknown>, string>()

  /** Adds work until it ends or is aborted. */
  add<Result>(name: string, work: Promise<Result>, signal?: AbortSignal | null): Promise<Result> {
    this.#open.set(work, name)
    const end = () => void this.#open.delete(work)
    work.then(end, end)
    signal?.addEventListener('abort', end, { once: true })
    return work
  }

  /** Whether a test holds some of it. */
  get isHeld(): boolean {
    return [...this.#open.keys()].some((work) => heldByTests.has(work))
  }

  /** The names of what is in progress. */
  get names(): readonly string[] {
    return [...this.#open].flatMap(([work, name]) => (heldByTests.has(work) ? [] : [name]))
  }
}

/** Makes `settled()` wait while something is in progress for a client or an element. */
export function declareProgress(owner: object, names: Progress['names'], isHeld = () => false): void {
  Object.assign(owner, { [key]: { names, isHeld } satisfies Progress })
}

function progressOf(owner: Owner | undefined): Progress | undefined {
  return owner?.[key]
}

/** Marks a promise that the test itself resolves, or never does. `settled()` does not wait for it. */
export function held<Held extends Promise<unknown>>(promise: Held): Held {
  heldByTests.add(promise)
  return promise
}

/** Returns a promise that never resolves. `settled()` does not wait for it, or only until `before` has resolved. */
export function never(before?: Promise<unknown>): Promise<never> {
  const promise = new Promise<never>(() => {})
  if (before) void before.then(() => heldByTests.add(promise))
  else heldByTests.add(promise)
  return promise
}

/**
 * Resolves after all timers of at most `delay` ms that run now, however slow the machine is, because timers end in order. Use it
 * only to show that something does not happen when such a timer ends. If something happens, wait for it instead.
 */
export async function outlast(delay: number): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- The one place that waits for a time.
  await new Promise((resolve) => setTimeout(resolve, delay))
}

/** Resolves when the page has been rendered once more, with its observers. A hidden page is not rendered. */
export async function rendered(): Promise<void> {
  if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => setTimeout(resolve))
}

/**
 * Resolves when everything in `root` has come to rest: no update is pending, no element is loading or busy, no request of its
 * clients and no act of a story is in progress, and nothing has changed for a frame and a turn of the event loop. Rejects after
 * `timeout` ms with the reasons. Ignores promises that `held()` has marked, and the elements that wait for them.
 */
export async function settled(root: Element, { timeout = 20_000 } = {}): Promise<void> {
  const deadline = performance.now() + timeout
  const changed = new Set<string>()
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const root = target.getRootNode()
      const changing = root instanceof ShadowRoot ? root.host : target
      changed.add(`${nameOf(changing)} still changes`)
    }
  })
  const observed = new Set<Node>()
  try {
    for (let isQuiet = false; ;) {
      const all = elementsIn(root)
      for (const node of [root, ...all.flatMap(({ shadowRoot }) => shadowRoot ?? [])]) {
        if (observed.has(node)) continue
        observed.add(node)
        observer.observe(node, { childList: true, characterData: true, attributes: true, subtree: true })
      }
      const reasons = [...reasonsIn(all), ...changed]
      if (reasons.length === 0 && isQuiet) return
      if (performance.now() > deadline) throw new Error(`Not settled: ${reasons.join('; ')}`)
      isQuiet = reasons.length === 0
      changed.clear()
      await rendered()
    }
  } finally {
    observer.disconnect()
  }
}

/**
 * Resolves when an element has stayed where it is for three frames. A browser gives a chunk whose layout it has skipped its real
 * size in the second frame after the chunk has come near the screen, and moves what lies below.
 */
export async function atRest(element: Element): Promise<void> {
  for (let frames = 0; frames < 3;) {
    const { top, left } = element.getBoundingClientRect()
    const { scrollHeight } = document.documentElement
    await rendered()
    const now = element.getBoundingClientRect()
    const isStill =
      now.top === top && now.left === left && document.documentElement.scrollHeight === scrollHeight
    frames = isStill ? frames + 1 : 0
  }
}

function* reasonsIn(all: readonly Element[]): Iterable<string> {
  const owners = new Set<object>([...all, ...all.flatMap((element) => clientOf(element) ?? [])])
  for (const owner of owners) yield* progressOf(owner)?.names() ?? []
  for (const element of all) {
    if ('isUpdatePending' in element && element.isUpdatePending) yield `${nameOf(element)} has to update`
    if (progressOf(clientOf(element))?.isHeld()) continue
    // An uploader is busy until all its files are uploaded, also while they wait for a person.
    for (const state of element.localName === 'fs-uploader' ? ['loading'] : ['loading', 'busy'])
      if (element.matches(`:state(${state})`)) yield `${nameOf(element)} is still ${state}`
  }
}

/** Returns all elements in `root`, also those in shadow roots, and itself. */
function elementsIn(root: Element): Element[] {
  return [root, ...descendants(root)]
}

function descendants(root: Element | ShadowRoot): Element[] {
  const children = [...root.querySelectorAll('*')]
  const inside = root instanceof Element && root.shadowRoot ? descendants(root.shadowRoot) : []
  return [
    ...inside,
    ...children.flatMap((child) => [child, ...(child.shadowRoot ? descendants(child.shadowRoot) : [])]),
  ]
}

/** Returns the client that an element calls: its own, that of an element around it, or that of the page. */
function clientOf(element: Element): object | undefined {
  for (
    let node: Node | null = element;
    node;
    node = node.parentNode ?? ('host' in node ? (node.host as Node) : null)
  ) {
    if ('client' in node && node.client) return node.client
  }
  return fromPage('client')
}

function nameOf({ nodeName }: Node): string {
  return `<${nodeName.toLowerCase()}>`
}
