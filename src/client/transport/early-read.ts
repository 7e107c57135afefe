import { callHeader } from '../../contract/values/headers.ts'
import type { PagePart } from '../../contract/routes/package-page.ts'

/** Time in ms after which the response may be out of date, so that the client reads again. */
const usableTime = 10_000

/** Parts of its package that the elements of a page will read. */
export interface EarlyTarget {
  /** Root URL of the proxy. */
  readonly endpoint: string
  readonly formId: number
  readonly packageId: number
  readonly parts: readonly PagePart[]
}

/** A request that was sent before the client existed. */
interface EarlyRead extends EarlyTarget {
  readonly response: Promise<Response>
}

let early: EarlyRead | undefined

/** Sends the request that the client would send later, when the code of the elements has run. */
export function startEarlyRead(
  target: EarlyTarget,
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): void {
  const response = fetch(packagePageUrl(rootOf(target.endpoint), target, target.parts), {
    credentials: 'include',
    redirect: 'manual',
    headers: { [callHeader]: '1', Accept: 'application/json' },
  })
  // The client sends it again if it failed.
  response.catch(() => {})
  const read = { ...target, response }
  early = read
  setTimeout(() => {
    if (early === read) early = undefined
  }, usableTime)
}

/** Returns the early read from a proxy, once. */
export function takeEarlyRead(root: string): EarlyRead | undefined {
  if (!early || rootOf(early.endpoint) !== root) return undefined
  const read = early
  early = undefined
  return read
}

/** Returns the root URL of a proxy without trailing slashes. */
export function rootOf(endpoint: string): string {
  return endpoint.replace(/\/+$/, '')
}

/** Returns the URL that reads several parts of a package in one request. */
export function packagePageUrl(
  root: string,
  { formId, packageId }: { readonly formId: unknown; readonly packageId: unknown },
  parts: readonly string[],
): string {
  return `${root}/forms/${String(formId)}/packages/${String(packageId)}/page?part=${parts.join('&part=')}`
}
