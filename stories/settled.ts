import { fromPage } from '../src/elements/configuration.ts'

// How stories and tests wait: for the state that they are about, never for a time. What is only due later, such as a poll, a
// repeated attempt, an announcement or a debounced search, is not in progress. Who waits for that waits for what it causes.

/** What is in progress for a client or an element: one line for each. */
type Progress = () => Iterable<string>

const progressOf = new WeakMap<object, Progress>()

/** What waits on purpose for something that never comes. */
const stuck = new WeakSet<Promise<unknown>>()

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

  /** Whether some of it never ends, on purpose. */
  get isStuck(): boolean {
    return [...this.#open.keys()].some((work) => stuck.has(work))
  }

  /** The names of what is in progress. */
  get names(): readonly string[] {
    return [...this.#open].flatMap(([work, name]) => (stuck.has(work) ? [] : [name]))
  }
}

/** Clients with requests that never end, on purpose. What waits for them stays as it is. */
const isStuckOf = new WeakMap<object, () => boolean>()

/** Makes `settled()` wait while something is in progress for a client or an element. */
export function declareProgress(owner: object, progress: Progress, isStuck = () => false): void {
  progressOf.set(owner, progress)
  isStuckOf.set(owner, isStuck)
}

/** Returns a promise that never resolves. `settled()` does not wait for it, or only until `before` has resolved. */
export function never(before?: Promise<unknown>): Promise<never> {
  const promise = new Promise<never>(() => {})
  if (before) void before.then(() => stuck.add(promise))
  else stuck.add(promise)
  return promise
}

/** Resolves after one turn of the event loop: what was due before has run. */
export async function turn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
}

/**
 * Resolves when everything in `root` has come to rest: no update is pending, no element is loading or busy, no request of its
 * clients and no act of a story is in progress, and nothing has changed for a frame and a turn of the event loop. Rejects after
 * `timeout` ms with the reasons why not. Requests that never end, see `never()`, do not count, nor do elements that wait for them.
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
      await frame()
      await turn()
    }
  } finally {
    observer.disconnect()
  }
}

function* reasonsIn(all: readonly Element[]): Iterable<string> {
  const owners = new Set<object>([...all, ...all.flatMap((element) => clientOf(element) ?? [])])
  for (const owner of owners) yield* progressOf.get(owner)?.() ?? []
  for (const element of all) {
    if ('isUpdatePending' in element && element.isUpdatePending) yield `${nameOf(element)} has to update`
    const client = clientOf(element)
    if (client && isStuckOf.get(client)?.()) continue
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

/** Resolves with the next frame. A hidden page has none. */
async function frame(): Promise<void> {
  if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(resolve))
}
