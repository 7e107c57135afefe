import { clientFor, type PageClient } from '../../client/index.ts'
import type { Settings } from './settings.ts'

/** Returns the client that an element calls; `undefined` if it is not configured. */
export function clientOf(settings: Settings): PageClient | undefined {
  const endpoint = settings.get('endpoint')
  if (settings.foreignOrigin) return undefined
  return settings.get('client') ?? (endpoint ? clientFor(endpoint) : undefined)
}
