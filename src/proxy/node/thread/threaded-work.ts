import { Worker } from 'node:worker_threads'
import { createSlots } from '../../admission/slots.ts'
import { type HeavyWork, type Turn, workAtOnce } from '../../validation/heavy-work.ts'
import type { Log } from '../../observe/log.ts'
import { refusals } from '../../http/refusals.ts'
import type { Json } from '../../http/reply.ts'
import { readValidBody, type ValidBody } from '../../validation/valid-body.ts'
import { buffersIn, errorOf, type WorkOrder, type WorkOutcome, type WorkReport } from './work-messages.ts'

export interface ThreadedWorkOptions {
  /** Module that runs in the thread. Default: the one of this package; none if the package runs from its sources. */
  readonly module?: URL | undefined
  /** Time after which a thread without work ends, in ms. Default 30,000. */
  readonly idleTimeout?: number
  readonly log: Log
}

interface ThreadedWork extends HeavyWork {
  /** Ends the thread. */
  readonly close: () => Promise<void>
}

/** Maximum length of JSON in bytes that is parsed in the thread of the proxy: to hand it over costs more. */
const smallJson = 16 * 1024
/** The same for HTML, which costs much more. */
const smallHtml = 500

/** Maximum time that work waits for its turn, in ms. */
const timeout = 30_000

/**
 * Does heavy work in a thread of its own, so that the proxy handles other requests in the meantime. People take turns. It
 * starts the thread when there is work for it. If the thread cannot start, because the host has bundled the package without
 * it, the thread of the proxy does the work at once.
 */
export function createThreadedWork({
  module = moduleBeside(import.meta.url),
  idleTimeout = 30_000,
  log,
}: ThreadedWorkOptions): ThreadedWork {
  /** The thread, which has no place for a second piece of work. */
  const places = createSlots({ total: 1, wait: timeout })
  let isAvailable = module !== undefined
  let thread: WorkThread | undefined
  let idle: ReturnType<typeof setTimeout> | undefined

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = thread
    thread = undefined
    await ended?.end()
  }

  /** Runs an order in its turn. Returns `undefined` if the thread is not available. */
  async function run(
    turn: Turn,
    order: WorkOrder,
    logOfCaller: Log = log,
  ): Promise<{ readonly value: unknown } | undefined> {
    const outcome = await runInTurn(turn, order)
    if (!outcome) return undefined
    for (const entry of outcome.logged) logOfCaller(...entry)
    const { result } = outcome
    if ('value' in result) return result
    throw 'refusal' in result ? errorOf(result.refusal) : new Error(result.error)
  }

  async function runInTurn(turn: Turn, order: WorkOrder): Promise<WorkOutcome | undefined> {
    if (!isAvailable) return undefined
    const leave = await places.take(turn)
    try {
      if (turn.signal.aborted) throw refusals.interrupted()
      // The thread may have failed to start in the meantime.
      return isAvailable && module ? await runInThread(module, order) : undefined
    } finally {
      leave()
    }
  }

  async function runInThread(module: URL, order: WorkOrder): Promise<WorkOutcome | undefined> {
    clearTimeout(idle)
    thread ??= startThread(module)
    try {
      return await thread.run(order)
    } catch (error) {
      const hadBegun = thread.isReady()
      thread = undefined
      if (hadBegun) throw error
      isAvailable = false
      log('warn', 'There is no work thread. Large bodies and responses slow down other requests', {
        error: String(error),
      })
      return undefined
    } finally {
      idle = setTimeout(() => void end(), idleTimeout).unref()
    }
  }

  async function sanitizeHtml(turn: Turn, input: string): Promise<string | undefined> {
    const done = input.length > smallHtml ? await run(turn, { task: 'sanitizeHtml', input }) : undefined
    return done ? (done.value as string | undefined) : await workAtOnce.sanitizeHtml(turn, input)
  }

  return {
    async readBody(turn, input) {
      const done = input.bytes.length > smallJson ? await run(turn, { task: 'readBody', input }) : undefined
      if (done) return done.value as ValidBody
      return await readValidBody(input, (html) => sanitizeHtml(turn, html))
    },
    sanitizeHtml,
    async readResponse(turn, input, logOfCaller) {
      const done = await run(turn, { task: 'readResponse', input }, logOfCaller)
      return done ? done.value : await workAtOnce.readResponse(turn, input, logOfCaller)
    },
    async readJson(turn, input, logOfCaller) {
      const done = await run(turn, { task: 'readJson', input }, logOfCaller)
      return done ? (done.value as Json) : await workAtOnce.readJson(turn, input, logOfCaller)
    },
    close: end,
  }
}

interface WorkThread {
  /** Runs one order at a time. Rejects if the thread ends. */
  readonly run: (order: WorkOrder) => Promise<WorkOutcome>
  /** Whether the thread has started. */
  readonly isReady: () => boolean
  readonly end: () => Promise<void>
}

function startThread(module: URL): WorkThread {
  const worker = new Worker(module, { resourceLimits: { maxYoungGenerationSizeMb: 4 } })
  let isReady = false
  let settle:
    | { readonly resolve: (report: WorkReport) => void; readonly reject: (error: Error) => void }
    | undefined
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure ??= error
    settle?.reject(failure)
  }
  worker.on('message', (report: WorkReport) => {
    if (report === 'ready') isReady = true
    settle?.resolve(report)
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The work thread has ended')))
  worker.unref()

  function nextReport(): Promise<WorkReport> {
    return new Promise((resolve, reject) => {
      settle = { resolve, reject }
      if (failure) reject(failure)
    })
  }

  return {
    isReady: () => isReady,
    async run(order) {
      // Without work, the thread does not keep the process running.
      worker.ref()
      try {
        // If the thread cannot start, the order is still whole.
        if (!isReady) await nextReport()
        const outcome = nextReport()
        const whole = withOwnBuffer(order)
        worker.postMessage(whole, buffersIn(whole.input))
        return (await outcome) as WorkOutcome
      } finally {
        worker.unref()
      }
    },
    end: async () => void (await worker.terminate()),
  }
}

/** Returns an order whose bytes have a buffer of their own, which can be handed over. */
function withOwnBuffer(order: WorkOrder): WorkOrder {
  if (order.task === 'sanitizeHtml') return order
  const { bytes } = order.input
  if (bytes.byteLength === bytes.buffer.byteLength) return order
  return { ...order, input: { ...order.input, bytes: new Uint8Array(bytes) } } as WorkOrder
}

/** The module of the thread beside this one; none for the sources, whose compiler does not run in threads. */
function moduleBeside(url: string): URL | undefined {
  return url.endsWith('.js') ? new URL('work-thread.js', url) : undefined
}
