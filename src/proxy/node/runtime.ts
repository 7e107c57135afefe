import type { ProxyRuntime } from '../runtime.ts'
import { createFetchSend } from '../send.ts'
import { createSend, type SendOptions } from './send.ts'
import { createReadUpload, type ReadUploadOptions } from './upload.ts'

export interface NodeRuntimeOptions extends SendOptions, ReadUploadOptions {
  /** Sends requests with this `fetch` instead of connections of its own, for example that of an emulator. Default: none. */
  readonly fetch?: typeof globalThis.fetch
}

export interface NodeRuntime extends ProxyRuntime {
  /** Ends all connections to the services at once. */
  readonly close: () => Promise<void>
}

/**
 * Creates a runtime for Node. It keeps connections to both services open and pauses requests to a service that fails
 * repeatedly. It streams uploads, so that no file is in memory as a whole.
 */
export function nodeRuntime({ fetch, ...options }: NodeRuntimeOptions = {}): NodeRuntime {
  const readUpload = createReadUpload(options)
  if (fetch) return { send: createFetchSend(fetch), readUpload, close: async () => {} }
  return { ...createSend(options), readUpload }
}
