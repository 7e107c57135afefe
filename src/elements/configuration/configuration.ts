import type { PageClient } from '../../client/index.ts'
import type { FindPeople } from '../person/person-lookup.ts'
import { renderAll } from './mounted-elements.ts'

/** Settings that elements can share, instead of repeating them as attributes. */
export interface Configuration {
  /** Root URL of the proxy, such as `/api/wf`. */
  readonly endpoint?: string | undefined
  /** Id of the form. */
  readonly formId?: number | undefined
  /** Id of the package. */
  readonly packageId?: number | undefined
  /** IANA name of the institution's time zone, such as `America/Chicago`. */
  readonly timeZone?: string | undefined
  /** URL of the signing page, with the placeholders `{formId}`, `{packageId}` and `{signatureId}`. */
  readonly signUrl?: string | undefined
  /** URL of the page where people edit and submit a draft, with the placeholders `{formId}` and `{packageId}`. */
  readonly editUrl?: string | undefined
  /** URL of the page where people sign in, with the placeholder `{returnUrl}`. */
  readonly signInUrl?: string | undefined
  /** Finds people in the directory of the institution by a part of their name or by university id. */
  readonly findPeople?: FindPeople | undefined
  /** Client to call instead of the page's shared one for `endpoint`. */
  readonly client?: PageClient | undefined
}

/** Configuration of a whole page. */
export interface PageConfiguration extends Configuration {
  /**
   * Origins that a proxy may have, besides the origin of the page. Anyone who edits the page can write attributes, so
   * an `endpoint` attribute alone never sends requests to another origin.
   */
  readonly origins?: readonly string[] | undefined
}

let configured: PageConfiguration = {}
let script: PageConfiguration | undefined
/** Whether the current task has already searched the page for the script. */
let hasSearched = false

/** Configures all elements of the page. Attributes and `<wf-context>` take precedence. Calls add to earlier ones. */
export function configure(configuration: PageConfiguration): void {
  configured = { ...configured, ...configuration }
  renderAll()
}

/** Returns a setting of the whole page. */
export function fromPage<Name extends keyof PageConfiguration>(name: Name): PageConfiguration[Name] {
  // Without the script, hundreds of elements would search the whole page many times each.
  if (!script && !hasSearched) {
    script = readScript()
    hasSearched = true
    setTimeout(() => (hasSearched = false))
  }
  return Object.hasOwn(configured, name) ? configured[name] : script?.[name]
}

/** Reads `<script type="application/json" data-wf-config>`, which holds the same names as JSON. */
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

/** Returns the origin of an endpoint if the page does not allow it; otherwise `undefined`. */
export function foreignOriginOf(endpoint: string): string | undefined {
  const origin = endpointOrigin(endpoint)
  return origin === endpointOrigin('') || fromPage('origins')?.includes(origin) ? undefined : origin
}

/** Origins by endpoint, cached for one task because hundreds of elements need the same one many times. */
const origins = new Map<string, string>()

/** Returns the origin of an endpoint, or of the page if the endpoint is empty. */
function endpointOrigin(endpoint: string): string {
  let origin = origins.get(endpoint)
  if (origin === undefined) {
    const base = document.baseURI
    origin = endpoint && URL.canParse(endpoint, base) ? new URL(endpoint, base).origin : location.origin
    origins.set(endpoint, origin)
    setTimeout(() => origins.clear())
  }
  return origin
}
