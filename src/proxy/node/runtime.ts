import type { ProxyRuntime } from '../mount/runtime.ts'
import { createFetchSend } from '../upstream/send.ts'
import { createSend, type SendOptions } from './send.ts'
import { createThreadedWork } from './thread/threaded-work.ts'
import { createReadUpload, type ReadUploadOptions } from './upload.ts'

/** Options of `nodeRuntime()`. */
export interface NodeRuntimeOptions extends SendOptions, ReadUploadOptions {
  /** Sends requests with this `fetch` instead of connections of its own, for example that of an emulator. Default: none. */
  readonly fetch?: typeof globalThis.fetch
  /**
   * Module of the thread for work that keeps the processor busy: `lib/proxy/node/thread/work-thread.js` of this package. Only
   * applications that are bundled need to set it. Default: that file.
   */
  readonly workThread?: URL
}

/** The runtime that `nodeRuntime()` creates. */
export interface NodeRuntime extends ProxyRuntime {
  /** Ends all connections to the services and the work thread at once. */
  readonly close: () => Promise<void>
}

/**
 * Creates a runtime for Node. It keeps connections to both services open and pauses requests to a service that fails
 * repeatedly. It streams uploads, so that no file is in memory as a whole. It parses large bodies and responses in a thread
 * of its own.
 */
export function nodeRuntime({ fetch, workThread, ...options }: NodeRuntimeOptions = {}): NodeRuntime {
  const readUpload = createReadUpload(options)
  const work = createThreadedWork({ module: workThread, log: options.log ?? (() => {}) })
  if (fetch) return { send: createFetchSend(fetch), readUpload, work, close: work.close }
  const { send, pausedServices, close } = createSend(options)
  return {
    send,
    pausedServices,
    readUpload,
    work,
    close: async () => {
      await Promise.all([close(), work.close()])
    },
  }
}
