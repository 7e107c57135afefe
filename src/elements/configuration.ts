import type { LitElement } from 'lit'
import type { Client } from '../client/index.ts'
import { ContextConsumer } from './context.ts'
import { mount, renderAll, unmount } from './mounted-elements.ts'

/** What elements may share instead of each having it as an attribute of its own. */
export interface Configuration {
  /** Root URL of the proxy, such as `/api/wf`. */
  readonly endpoint?: string | undefined
  /** Id of the form. */
  readonly formId?: number | undefined
  /** Id of the package. */
  readonly packageId?: number | undefined
  /** IANA name of the institution's time zone, such as `America/Chicago`. */
  readonly timeZone?: string | undefined
  /** Address at which a package is signed, with `{formId}`, `{packageId}` and `{signatureId}` in place of the ids. */
  readonly signUrl?: string | undefined
  /** Client to call instead of the page's shared one for `endpoint`. */
  readonly client?: Client | undefined
}

/** Configuration of a whole page. */
export interface PageConfiguration extends Configuration {
  /**
   * Origins besides the page's own at which a proxy may be. What stands in attributes may have been written by anyone
   * who edits the page, so it alone sends nothing to another origin.
   */
  readonly origins?: readonly string[] | undefined
}

let configured: PageConfiguration = {}
let script: PageConfiguration | undefined
/** Whether the page has been searched for the script in this task. */
let hasLooked = false

/** Configures all elements of the page that are not told otherwise by attributes or a `<wf-context>`. Adds to earlier calls. */
export function configure(configuration: PageConfiguration): void {
  configured = { ...configured, ...configuration }
  renderAll()
}

function fromPage<Name extends keyof PageConfiguration>(name: Name): PageConfiguration[Name] {
  // Where there is no script, hundreds of elements would search the whole page, and each of them many times.
  if (!script && !hasLooked) {
    script = readScript()
    hasLooked = true
    setTimeout(() => (hasLooked = false))
  }
  return Object.hasOwn(configured, name) ? configured[name] : script?.[name]
}

/** Reads `<script type="application/json" data-wf-config>`: the same names, as JSON. */
function readScript(): PageConfiguration | undefined {
  const text = document.querySelector('script[data-wf-config]')?.textContent
  if (text == null) return undefined
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found === 'object' && found !== null) return found
    throw new TypeError('expected an object')
  } catch (error) {
    console.warn(`The script data-wf-config cannot be read: ${String(error)}`)
    return {}
  }
}

/** Gives an element what it is configured with: its own properties first, then the nearest `<wf-context>`, then the page. */
export class Settings {
  readonly #host: LitElement & Configuration
  readonly #around: ContextConsumer<Configuration>

  constructor(host: LitElement & Configuration) {
    this.#host = host
    this.#around = new ContextConsumer(host)
    host.addController(this)
  }

  get<Name extends keyof Configuration>(name: Name): Configuration[Name] {
    return this.#host[name] || this.#around.value?.[name] || fromPage(name)
  }

  /** Origin of `endpoint` where the element may not use it, else nothing. */
  get foreignOrigin(): string | undefined {
    const endpoint = this.get('endpoint')
    if (this.get('client') || !endpoint) return undefined
    const origin = originOf(endpoint)
    return origin === originOf('') || fromPage('origins')?.includes(origin) ? undefined : origin
  }

  hostConnected(): void {
    mount(this.#host)
  }

  hostDisconnected(): void {
    unmount(this.#host)
  }
}

/** Origins of endpoints, and the page's own, for the time of one task: hundreds of elements ask for the same one, many times. */
const origins = new Map<string, string>()

/** Origin of an endpoint; of the page where that is empty. */
function originOf(endpoint: string): string {
  let origin = origins.get(endpoint)
  if (origin === undefined) {
    const base = document.baseURI
    origin = endpoint && URL.canParse(endpoint, base) ? new URL(endpoint, base).origin : location.origin
    origins.set(endpoint, origin)
    setTimeout(() => origins.clear())
  }
  return origin
}
