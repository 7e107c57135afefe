import type { PageClient } from '../../client/index.ts'
import type { Settings } from './settings.ts'

/** Returns the client that an element calls; `undefined` if it is not configured. `shared` returns that of an endpoint. */
export function clientOf(
  settings: Settings,
  shared: (endpoint: string) => PageClient,
): PageClient | undefined {
  const endpoint = settings.get('endpoint')
  if (settings.foreignOrigin) return undefined
  return settings.get('client') ?? (endpoint ? shared(endpoint) : undefined)
}
