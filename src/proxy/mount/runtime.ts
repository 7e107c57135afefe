import { type ReadUpload, readUploadWhole } from '../files/read-upload.ts'
import type { HeavyWork } from '../validation/heavy-work.ts'
import { createFetchSend, type Send, type PausedServices } from '../upstream/send.ts'

/** The parts of the proxy that depend on the platform that runs it. */
export interface ProxyRuntime {
  /** Sends requests to the services. */
  readonly send: Send
  /** Reads uploads. */
  readonly readUpload: ReadUpload
  /** Returns the services to which requests are paused because they fail. Default: none. */
  readonly pausedServices?: PausedServices
  /** Does what keeps the processor busy. Default: at once. */
  readonly work?: HeavyWork
}

/**
 * Creates a runtime that works wherever `fetch` does: in pages, tests and workers. It reads each upload into memory. On
 * Node, use `nodeRuntime()`.
 */
export function fetchRuntime(
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): ProxyRuntime {
  return { send: createFetchSend(fetch), readUpload: readUploadWhole }
}
