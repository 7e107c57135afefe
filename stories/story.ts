import type { StoryObj } from '@storybook/web-components-vite'
import type { ElementPart } from 'lit'
import { Directive, directive, type PartInfo, PartType } from 'lit/directive.js'
import { type Backend, breakDown, createBackend, hang, people } from './backend.ts'

/** What a story is about, besides its arguments. */
interface Scene {
  /**
   * The system behind the element, and its client, as a `<wf-context>` around it provides it. Absent: package 42 as it is
   * at the start, with its initiator signed in. Null: the page configures nothing.
   */
  readonly backend?: (() => Backend) | null
  /** Done once, when the element has been put into the page. */
  readonly act?: (element: never, backend: Backend) => unknown
  /** Text that is shown in the end, as long as the toolbar does not say otherwise. */
  readonly shows: RegExp
  /** State that the element is in then, for `:state()`. */
  readonly state?: string
}

/** A story whose text is tested. */
export interface Story extends StoryObj {
  readonly parameters: Scene & Readonly<Record<string, unknown>>
}

/** What is used of the context that Storybook hands to stories. */
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

/** Arguments of stories about package 42. */
export const about42 = { endpoint: '/api/wf', 'form-id': 6025, 'package-id': 42 }

/** The states that all elements about a package have in common. */
export const common = {
  notConfigured: {
    args: { endpoint: '', 'form-id': undefined, 'package-id': undefined },
    parameters: { backend: null, shows: /needs endpoint, form-id, package-id/, state: 'not-configured' },
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

/** The content is there, and a refresh failed. */
export function stale(shows: RegExp, backend?: () => Backend): Story {
  return refreshing(breakDown, { shows, state: 'stale', ...(backend && { backend }) })
}

/** The content is there, and a refresh is under way. */
export function busy(shows: RegExp, backend?: () => Backend): Story {
  return refreshing(hang, { shows, state: 'busy', ...(backend && { backend }) })
}

function refreshing(trouble: (backend: Backend) => void, scene: Scene): Story {
  return {
    parameters: {
      ...scene,
      act: async (element: HTMLElement & { refresh(): Promise<void> }, backend: Backend) => {
        await loaded(element)
        trouble(backend)
        void element.refresh()
      },
    },
  }
}

/** Waits until an element has loaded its content for the first time. */
export function loaded(element: Element): Promise<unknown> {
  return new Promise((resolve) => element.addEventListener('wf-load', resolve, { once: true }))
}

/** The systems of the stories that are in the page, by where they are rendered. */
const systems = new WeakMap<Element, Backend>()

/** The system behind a story; `undefined` where it has none. It stays until the story is left or begun again. */
export function systemOf({ canvasElement, parameters }: Context): Backend | undefined {
  const { backend: create = () => createBackend() } = parameters as Scene
  if (create && !systems.has(canvasElement)) systems.set(canvasElement, create())
  return systems.get(canvasElement)
}

/** Ends the system behind a story: if it begins again, it does so with another one. */
export function forgetSystem({ canvasElement }: Context): void {
  systems.delete(canvasElement)
}

/**
 * Gives an element the arguments of its story: as attributes, objects as properties. The first time, lets the story act.
 */
export const given = directive(
  class extends Directive {
    #hasActed = false

    constructor(part: PartInfo) {
      super(part)
      if (part.type !== PartType.ELEMENT) throw new Error('given() stands in place of attributes')
    }

    // Says what it takes; `update` does it.
    render(...given: readonly [args: object, context: Context]): void {
      void given
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
      // Storybook also renders what it shows as the code, outside the page.
      queueMicrotask(() => {
        const backend = systemOf(context)
        if (element.isConnected)
          void (context.parameters as Scene).act?.(element as never, backend as Backend)
      })
    }
  },
)

/** Waits until a story shows what it is there to show. Throws where it does not come to that. */
export async function shown({ canvasElement, parameters, abortSignal }: Context): Promise<void> {
  const { shows, state } = parameters as Scene
  const deadline = Date.now() + 8000
  while (!abortSignal.aborted) {
    const text = textIn(canvasElement)
    const isThere = !state || elementsIn(canvasElement).some((element) => element.matches(`:state(${state})`))
    if (shows.test(text) && isThere) return
    if (Date.now() > deadline) throw new Error(`Expected ${shows} ${state ?? ''}, and it shows "${text}"`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Visible text of the kit's elements, and of nothing else; of an open dialog alone where there is one. */
function textIn(canvas: Element): string {
  return elementsIn(canvas)
    .map(({ shadowRoot }) => {
      const find = (selector: string) => shadowRoot?.querySelector<HTMLElement>(selector)
      const loading = find('[part=loading]')
      if (loading) return loading.ariaLabel ?? loading.title
      // A badge is nothing but a span.
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
