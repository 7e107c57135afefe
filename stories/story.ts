import type { StoryObj } from '@storybook/web-components-vite'
import type { ElementPart } from 'lit'
import { Directive, directive, type PartInfo, PartType } from 'lit/directive.js'
import { type Backend, breakDown, createBackend, hang, pageNotFound, people } from './backend.ts'
import { declareProgress, never, OpenWork } from './settled.ts'

/** The setup of a story, besides its arguments, and what it has to show. */
interface Setup {
  /**
   * Creates the backend. A `<wf-context>` around the story provides its client. Default: the backend in its initial state,
   * with the initiator of package 42 signed in. `null`: the page configures nothing.
   */
  readonly backend?: (() => Backend) | null
  /** Runs once, after the element has been added to the page. */
  readonly act?: (element: never, backend: Backend) => unknown
  /** The visible text when the story has finished. Not checked while a setting of the toolbar changes the content. */
  readonly shows: RegExp
  /** The custom state (`:state()`) of the element when the story has finished. */
  readonly state?: string
}

/** A story that is tested: it has to show the text in `parameters.shows`. */
export interface Story extends StoryObj {
  readonly parameters: Setup & Readonly<Record<string, unknown>>
}

/** The part of Storybook's story context that the stories use. */
export interface Context {
  readonly canvasElement: HTMLElement
  readonly parameters: object
  readonly globals: Readonly<Record<string, unknown>>
  readonly argTypes: Readonly<
    Record<string, { readonly name: string; readonly table?: { readonly category?: string } }>
  >
  readonly abortSignal: AbortSignal
  readonly viewMode: string
}

/** The arguments of a story that shows package 42. */
export const package42 = { endpoint: '/api/wf', 'form-id': 6025, 'package-id': 42 }

/** Stories of the states that all elements of a package have. */
export const common = {
  notConfigured: {
    args: { endpoint: '', 'form-id': undefined, 'package-id': undefined },
    parameters: { backend: null, shows: /needs endpoint, form-id, package-id/, state: 'not-configured' },
  },
  noProxy: {
    parameters: {
      backend: () => createBackend(people.initiator, { fetch: pageNotFound }),
      shows: /^No Routeslip proxy found at https:\/\/northfield\.test\/api\/wf\.$/,
      state: 'no-proxy',
    },
  },
  loading: {
    parameters: {
      backend: () => {
        const backend = createBackend(people.initiator, { timeout: 3_600_000 })
        hang(backend)
        return backend
      },
      shows: /^Loading…$/,
      state: 'loading',
    },
  },
  forbidden: {
    parameters: {
      backend: () => createBackend(people.outsider),
      shows: /not available to you/,
      state: 'forbidden',
    },
  },
  signedOut: {
    parameters: { backend: () => createBackend(null), shows: /signed out/, state: 'signed-out' },
  },
  notFound: {
    args: { 'package-id': 43 },
    parameters: { shows: /does not exist/, state: 'missing' },
  },
  failed: {
    parameters: {
      backend: () => {
        const backend = createBackend()
        breakDown(backend)
        return backend
      },
      shows: /be loaded.*Try again/,
      state: 'failed',
    },
  },
} satisfies Readonly<Record<string, Story>>

/** Creates a story in which the content has loaded and a refresh has failed. */
export function stale(shows: RegExp, backend?: () => Backend): Story {
  return refreshing(breakDown, { shows, state: 'stale', ...(backend && { backend }) })
}

/** Creates a story in which the content has loaded and a refresh is in progress. */
export function busy(shows: RegExp, backend?: () => Backend): Story {
  return refreshing(hang, { shows, state: 'busy', ...(backend && { backend }) })
}

function refreshing(breakBackend: (backend: Backend) => void, setup: Setup): Story {
  return {
    parameters: {
      ...setup,
      act: async (element: HTMLElement & { refresh(): Promise<void> }, backend: Backend) => {
        await loaded(element)
        breakBackend(backend)
        void element.refresh()
      },
    },
  }
}

/** Resolves when the element loads its content the next time. */
export function loaded(element: Element): Promise<unknown> {
  return new Promise((resolve) => element.addEventListener('wf-load', resolve, { once: true }))
}

/** Returns what an element shows inside, as soon as it is there. */
export async function find<Found extends HTMLElement>(
  element: HTMLElement,
  selector: string,
): Promise<Found> {
  for (;;) {
    const found = element.shadowRoot?.querySelector<Found>(selector)
    if (found) return found
    // The user has left the story, so it does not go on.
    if (!element.isConnected) await never()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The backends of the stories in the page, by the element that contains the story. */
const backends = new WeakMap<Element, Backend>()

/**
 * Returns the backend of a story, or `undefined` if the story has none. The first call creates it. It is kept until the user
 * leaves or restarts the story.
 */
export function backendOf({ canvasElement, parameters }: Context): Backend | undefined {
  const { backend: create = () => createBackend() } = parameters as Setup
  if (create && !backends.has(canvasElement)) backends.set(canvasElement, create())
  return backends.get(canvasElement)
}

/** Discards the backends of a story and its cells. If the story starts again, it gets new ones. */
export function discardBackend({ canvasElement }: Context): void {
  backends.delete(canvasElement)
  cells.delete(canvasElement)
}

/** Stands for the canvases of the stories that one story shows side by side, by its canvas. */
const cells = new WeakMap<Element, Map<string, HTMLElement>>()

/** Returns an element that stands for the canvas of one story among several: each has a backend of its own. */
export function cellOf(canvas: Element, name: string): HTMLElement {
  const known = cells.get(canvas) ?? new Map<string, HTMLElement>()
  cells.set(canvas, known)
  const cell = known.get(name) ?? document.createElement('div')
  known.set(name, cell)
  return cell
}

/**
 * Sets the arguments of a story on an element: objects as properties, all others as attributes. The first time, also calls
 * the `act` function of the story.
 */
export const applyArgs = directive(
  class extends Directive {
    #hasActed = false

    constructor(part: PartInfo) {
      super(part)
      if (part.type !== PartType.ELEMENT)
        throw new Error('Use applyArgs() on an element, in place of its attributes')
    }

    // Declares the parameters. `update` does the work.
    render(...parameters: readonly [args: object, context: Context]): void {
      void parameters
    }

    override update({ element }: ElementPart, [args, context]: [object, Context]): void {
      for (const [name, value] of Object.entries(args as Readonly<Record<string, unknown>>)) {
        if (typeof value === 'object') Object.assign(element, { [name]: value })
        else if (value === true) element.setAttribute(name, '')
        else if (typeof value === 'number') element.setAttribute(name, `${value}`)
        else if (typeof value === 'string' && value) element.setAttribute(name, value)
        else element.removeAttribute(name)
      }
      if (this.#hasActed) return
      this.#hasActed = true
      // Storybook also renders the story outside the page, to show its code.
      queueMicrotask(() => {
        const backend = backendOf(context)
        if (!element.isConnected) return
        const acts = new OpenWork()
        declareProgress(element, () => acts.names)
        const { act } = context.parameters as Setup
        if (act)
          void acts.add('The story still acts', Promise.resolve(act(element as never, backend as Backend)))
      })
    }
  },
)

/** Waits until a story shows its expected text and state. Throws if it does not within 20 seconds. */
export async function waitUntilShown({ canvasElement, parameters, abortSignal }: Context): Promise<void> {
  const { shows, state } = parameters as Setup
  const deadline = Date.now() + 20_000
  while (!abortSignal.aborted) {
    const text = textIn(canvasElement)
    const hasState =
      !state || elementsIn(canvasElement).some((element) => element.matches(`:state(${state})`))
    if (shows.test(text) && hasState) return
    if (Date.now() > deadline)
      throw new Error(`Expected ${shows} ${state ?? ''}, but the story shows "${text}"`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Returns the visible text of the package's elements, without the page around them. If a dialog is open, only its text. */
function textIn(canvas: Element): string {
  return elementsIn(canvas)
    .map(({ shadowRoot }) => {
      const find = (selector: string) => shadowRoot?.querySelector<HTMLElement>(selector)
      const loading = find('[part=loading]')
      if (loading) return loading.ariaLabel ?? loading.title
      // A badge consists of one span.
      return (find('dialog[open]') ?? find('[part=base]') ?? find('span'))?.innerText ?? ''
    })
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function elementsIn(canvas: Element): Element[] {
  return [...canvas.querySelectorAll('*')].filter(
    ({ localName, shadowRoot }) =>
      /^(?:wf|fs|routing)-/.test(localName) && localName !== 'wf-context' && shadowRoot,
  )
}
