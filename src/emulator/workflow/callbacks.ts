import type { CallbackBody } from '../../contract/callbacks.ts'
import { verificationHeader } from '../../contract/callbacks.ts'
import { minute } from '../clock.ts'
import type { Mailer } from './mail.ts'
import type { CalculatedStop } from './routing/route.ts'
import type { Signing } from './signing.ts'
import type { StoredCallback } from '../state/stored-packages.ts'
import type { Quirks } from '../control/quirks.ts'
import { type PackageRecord, nextId, type EmulatorContext } from '../context.ts'

/** Queues and sends callbacks to client applications (spec, Events). */
export interface CallbackQueue {
  /** Queues the state-based callback of a package whose state has just changed. */
  readonly stateChanged: (record: PackageRecord) => void
  /** Queues the route-based callback of a stop. Returns the id of the lock that freezes the route, or null. */
  readonly arrived: (record: PackageRecord, stop: CalculatedStop) => number | null
  /**
   * Sends the batches that have become due since the last call: one per minute, in order of priority, with pending
   * callbacks again. Waits up to `timeout` for each response; later ones still count. Returns whether anything was sent.
   */
  readonly tick: () => Promise<boolean>
  /** Sends the next batch now, before it is due. */
  readonly deliver: () => Promise<unknown>
  /** Queues failed callbacks again, as the service's support team does on request. Returns their number. */
  readonly retry: () => number
}

export interface CallbackQueueOptions {
  readonly fetch: typeof globalThis.fetch
  readonly signing: Signing
  readonly mailer: Mailer
  readonly quirks: Quirks
  /** How long a batch waits for the response to one callback, in milliseconds of real time. */
  readonly timeout: number
  readonly setTimeout: (callback: () => void, delay: number) => ReturnType<typeof globalThis.setTimeout>
  readonly clearTimeout: (timer: ReturnType<typeof globalThis.setTimeout> | undefined) => void
  /** Called when a response arrives after its batch. */
  readonly onLateResponse: () => void
}

/** Maximum number of open requests per URL. Further callbacks wait for the next batch. */
const maxOpenRequests = 50

/** The most urgent callbacks are sent first: frozen routes, then other stops, then states. */
const priorities = { freeze: 1, stop: 2, state: 3 } as const

/** Creates the queue of callbacks. */
export function createCallbackQueue(
  context: EmulatorContext,
  { fetch, signing, mailer, quirks, timeout, setTimeout, clearTimeout, onLateResponse }: CallbackQueueOptions,
): CallbackQueue {
  const { state, clock, specOptions } = context

  function queue(
    record: PackageRecord,
    url: string,
    priority: number,
    stop: CalculatedStop | null,
  ): StoredCallback {
    const { env, form, pkg } = record
    const id = nextId(context)
    const body = {
      '@class': form.kind,
      formId: form.id,
      packageId: pkg.id,
      state: pkg.state,
      createdAt: clock.localNow(),
      stop: stop && (stopShapes[specOptions.callbackStop](stop) as CallbackBody['stop']),
      lockId: id,
      entry: form.kind === 'developer' ? pkg.entry : toAnswerArrays(pkg.entry),
    } satisfies CallbackBody
    const callback: StoredCallback = {
      id,
      env,
      formId: form.id,
      packageId: pkg.id,
      url,
      priority,
      body: JSON.stringify(body),
      state: 'waiting',
    }
    beginMinute()
    state.callbacks.set(id, callback)
    return callback
  }

  /** Starts the minute at whose end the next batch is due, if nothing is queued. */
  function beginMinute(): void {
    if (undelivered(state.callbacks.values()).length === 0) state.clock.lastBatch = thisMinute()
  }

  /** Number of open requests by URL. */
  const openRequests = new Map<string, number>()

  /** Sends a callback. The promise stays pending if the receiver never responds. */
  function send(callback: StoredCallback): Promise<void> {
    const { url } = callback
    const count = (change: number) => openRequests.set(url, (openRequests.get(url) ?? 0) + change)
    // A pending callback may have been settled since the batch began.
    if (callback.state === 'waiting') callback.state = 'pending'
    count(1)
    return post(callback)
      .then(
        (response) => {
          void response.body?.cancel()
          settle(callback, /^20\d$/.test(String(response.status)), `it returned status ${response.status}`)
        },
        () => settle(callback, false, 'it could not be reached'),
      )
      .finally(() => count(-1))
  }

  /** Returns whether a task ends within `timeout`. */
  async function endsInTime(task: Promise<unknown>): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const expired = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeout)
    })
    const isInTime = await Promise.race([task.then(() => true), expired])
    clearTimeout(timer)
    return isInTime
  }

  async function post({ url, body }: StoredCallback): Promise<Response> {
    const signature = await signing.sign(body)
    const headers = { 'Content-Type': 'application/json', [verificationHeader]: signature }
    // The service does not follow redirects.
    return await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  }

  function settle(callback: StoredCallback, isAccepted: boolean, reason: string): void {
    // A reset may have happened before the response.
    if (state.callbacks.get(callback.id) !== callback) return
    if (isAccepted) callback.state = 'delivered'
    else if (callback.state === 'pending') {
      callback.state = 'failed'
      const { env, formId, packageId, url } = callback
      const form = state.forms[env].get(formId)
      const pkg = state.packages[env].get(packageId)
      if (form && pkg) mailer.callbackFailed({ env, form, pkg }, url, reason)
    }
  }

  async function sendBatch(): Promise<void> {
    const due = undelivered(state.callbacks.values()).sort((a, b) => a.priority - b.priority || a.id - b.id)
    const slow = new Set<string>()
    const hanging: Promise<void>[] = []
    const others: Promise<void>[] = []
    for (const callback of quirks.inOrder(due)) {
      // A reset or a late response may have happened since the batch began.
      if (state.callbacks.get(callback.id) !== callback || callback.state === 'failed') continue
      if ((openRequests.get(callback.url) ?? 0) >= maxOpenRequests) continue
      for (const forged of await quirks.forgeries(callback)) {
        await endsInTime(
          fetch(callback.url, forged).then(
            (response) => response.body?.cancel(),
            () => {},
          ),
        )
      }
      const settled = send(callback)
      // Wait only once per slow receiver, then send it the rest at once. One hanging request must not block the others.
      if (slow.has(callback.url)) {
        others.push(settled)
      } else if (!(await endsInTime(settled))) {
        slow.add(callback.url)
        hanging.push(settled)
      }
    }
    if (others.length > 0) await endsInTime(Promise.all(others))
    for (const settled of [...hanging, ...others]) void settled.then(onLateResponse)
  }

  // Batches run one at a time. Two at once would send the same callbacks twice.
  let running: Promise<unknown> = Promise.resolve()
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = running.then(task)
    running = done.catch(() => {})
    return done
  }

  async function tick(): Promise<boolean> {
    let hasSent = false
    // Each minute sends pending callbacks again. After a long jump of the clock, five batches are enough.
    for (let batches = 0; state.clock.lastBatch < thisMinute() && batches < 5; batches++) {
      if (undelivered(state.callbacks.values()).length === 0) break
      state.clock.lastBatch++
      hasSent = true
      await sendBatch()
    }
    state.clock.lastBatch = thisMinute()
    return hasSent
  }

  function thisMinute(): number {
    return Math.floor(clock.now() / minute)
  }

  return {
    stateChanged(record) {
      const { callbackUrl } = record.form
      if (callbackUrl !== null) queue(record, callbackUrl, priorities.state, null)
    },

    arrived(record, stop) {
      const callback = record.form.stopCallbacks[stop.stopNumber]
      if (!callback) return null
      const { freeze, url } = callback
      const { id } = queue(record, url, freeze ? priorities.freeze : priorities.stop, stop)
      return freeze ? id : null
    },

    tick: () => inTurn(tick),
    deliver: () => inTurn(sendBatch),

    retry() {
      beginMinute()
      const failed = [...state.callbacks.values()].filter((callback) => callback.state === 'failed')
      for (const callback of failed) callback.state = 'waiting'
      return failed.length
    },
  }
}

const stopShapes = {
  object: ({ name, stopNumber }: CalculatedStop) => ({ name, stopNumber }),
  number: ({ stopNumber }: CalculatedStop) => stopNumber,
  name: ({ name }: CalculatedStop) => name,
} as const

function undelivered(callbacks: Iterable<StoredCallback>): StoredCallback[] {
  return [...callbacks].filter(({ state }) => state === 'waiting' || state === 'pending')
}

/** Converts an entry to the form builder's shape, with an array of values per field. */
function toAnswerArrays(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      value === null ? [] : Array.isArray(value) ? value : [value],
    ]),
  )
}
