import type { CallbackBody } from '../../contract/callbacks.ts'
import { verificationHeader } from '../../contract/callbacks.ts'
import type { Mailer } from './mail.ts'
import type { CalculatedStop } from './routing/route.ts'
import type { Signing } from './signing.ts'
import type { StoredCallback } from '../state/state.ts'
import type { Quirks } from '../control/quirks.ts'
import { type PackageRecord, nextId, type EmulatorContext } from '../context.ts'

/** Tells client applications what happens to packages (spec, Events). */
export interface CallbackQueue {
  /** Queues the state-based callback of a package that has just changed its state. */
  readonly stateChanged: (record: PackageRecord) => void
  /** Queues the route-based callback of a stop. Answers the lock that freezes the route there; null: it goes on. */
  readonly arrived: (record: PackageRecord, stop: CalculatedStop) => number | null
  /**
   * Sends the batches that the clock has made due since the last call: one a minute, in priority order, pending ones
   * again. Waits a moment for each answer; one that comes later still counts. Tells whether anything was sent.
   */
  readonly tick: () => Promise<boolean>
  /** Sends the next batch now, without waiting for its minute. */
  readonly deliver: () => Promise<unknown>
  /** Queues failed callbacks again, as the service's support does on request. Answers how many. */
  readonly retry: () => number
}

export interface CallbackQueueOptions {
  readonly fetch: typeof globalThis.fetch
  readonly signing: Signing
  readonly mailer: Mailer
  readonly quirks: Quirks
  /** How long to wait for the answer to one callback before going on, in milliseconds of real time. */
  readonly timeout: number
  /** Called when an answer comes after its batch. */
  readonly onLateResponse: () => void
}

const minute = 60_000

/** Most requests without an answer at one address. The rest waits for the next batch. */
const maxOpenRequests = 50

/** What must not wait goes first: a frozen route, then other stops, then states. */
const priorities = { freeze: 1, stop: 2, state: 3 } as const

/** Creates the queue of callbacks. */
export function createCallbackQueue(
  context: EmulatorContext,
  { fetch, signing, mailer, quirks, timeout, onLateResponse }: CallbackQueueOptions,
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

  /** What happens within a minute goes with the batch at its end. */
  function beginMinute(): void {
    if (undelivered(state.callbacks.values()).length === 0) state.clock.lastBatch = thisMinute()
  }

  /** How many requests to an address have no answer yet. */
  const unanswered = new Map<string, number>()

  /** Sends a callback. The promise ends when it is settled, which may be never. */
  function send(callback: StoredCallback): Promise<void> {
    const { url } = callback
    const count = (change: number) => unanswered.set(url, (unanswered.get(url) ?? 0) + change)
    // One that was pending may have been settled since the batch began, and stays so.
    if (callback.state === 'waiting') callback.state = 'pending'
    count(1)
    return post(callback)
      .then(
        (response) => {
          void response.body?.cancel()
          settle(callback, /^20\d$/.test(String(response.status)), `it answered ${response.status}`)
        },
        () => settle(callback, false, 'it could not be reached'),
      )
      .finally(() => count(-1))
  }

  /** Whether something ends before our patience does. */
  async function isSoon(task: Promise<unknown>): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeout)
    })
    const isInTime = await Promise.race([task.then(() => true), wait])
    clearTimeout(timer)
    return isInTime
  }

  async function post({ url, body }: StoredCallback): Promise<Response> {
    const signature = await signing.sign(body)
    const headers = { 'Content-Type': 'application/json', [verificationHeader]: signature }
    // The service keeps to the address it was given.
    return await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  }

  function settle(callback: StoredCallback, isAccepted: boolean, reason: string): void {
    // A reset may have come before the answer.
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
      // A reset may have come in between, or a late answer.
      if (state.callbacks.get(callback.id) !== callback || callback.state === 'failed') continue
      if ((unanswered.get(callback.url) ?? 0) >= maxOpenRequests) continue
      for (const forged of await quirks.forgeries(callback)) {
        await isSoon(
          fetch(callback.url, forged).then(
            (response) => response.body?.cancel(),
            () => {},
          ),
        )
      }
      const settled = send(callback)
      // Whoever let us wait once gets the others all the same: one that hangs must not hold them up for ever.
      if (slow.has(callback.url)) {
        others.push(settled)
      } else if (!(await isSoon(settled))) {
        slow.add(callback.url)
        hanging.push(settled)
      }
    }
    if (others.length > 0) await isSoon(Promise.all(others))
    for (const settled of [...hanging, ...others]) void settled.then(onLateResponse)
  }

  // One at a time: two batches at once would send the same callbacks twice.
  let running: Promise<unknown> = Promise.resolve()
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = running.then(task)
    running = done.catch(() => {})
    return done
  }

  async function tick(): Promise<boolean> {
    let hasSent = false
    // A pending callback is sent again at every minute; after a long jump a few times tell as much as thousands.
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

/** Forms of the form builder hold an array of answers per field. */
function toAnswerArrays(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      value === null ? [] : Array.isArray(value) ? value : [value],
    ]),
  )
}
