import { verificationHeader } from '../../contract/schemas/callbacks.ts'
import { minuteOf, undelivered } from './callbacks.ts'
import { notifyOwners } from './mail.ts'
import type { StoredCallback } from '../state/stored-packages.ts'
import type { Quirks } from '../control/quirks.ts'
import type { EmulatorContext } from '../context.ts'

/** Sends callbacks to client applications (spec, Events). */
export interface CallbackSender {
  /**
   * Sends the batches that have become due since the last call: one per minute, in order of priority, with pending
   * callbacks again. Waits up to `timeout` for each response; later ones still count. Returns whether anything was sent.
   */
  readonly tick: () => Promise<boolean>
  /** Sends the next batch now, before it is due. */
  readonly deliver: () => Promise<unknown>
}

interface CallbackSenderOptions {
  readonly fetch: typeof globalThis.fetch
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

/** Creates the sender of the callbacks that are queued. */
export function createCallbackSender(
  context: EmulatorContext,
  { fetch, quirks, timeout, setTimeout, clearTimeout, onLateResponse }: CallbackSenderOptions,
): CallbackSender {
  const { state, clock } = context

  /** Number of open requests by URL. */
  const openRequests = new Map<string, number>()

  /** Sends a callback. The promise stays pending if the receiver never responds. */
  function send(callback: StoredCallback): Promise<void> {
    const { url } = callback
    const count = (change: number) => openRequests.set(url, (openRequests.get(url) ?? 0) + change)
    // A pending callback may have been settled since the batch began.
    if (callback.state === 'waiting') callback.state = 'pending'
    count(1)
    return post(fetch, context, callback)
      .then(
        (response) => {
          void response.body?.cancel()
          settle(
            context,
            callback,
            /^20\d$/.test(String(response.status)),
            `it returned status ${response.status}`,
          )
        },
        () => settle(context, callback, false, 'it could not be reached'),
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
    for (let batches = 0; state.clock.lastBatch < minuteOf(clock) && batches < 5; batches++) {
      if (undelivered(state.callbacks.values()).length === 0) break
      state.clock.lastBatch++
      hasSent = true
      await sendBatch()
    }
    state.clock.lastBatch = minuteOf(clock)
    return hasSent
  }

  return { tick: () => inTurn(tick), deliver: () => inTurn(sendBatch) }
}

async function post(
  fetch: typeof globalThis.fetch,
  { signing }: EmulatorContext,
  { url, body }: StoredCallback,
): Promise<Response> {
  const signature = await signing.sign(body)
  const headers = { 'Content-Type': 'application/json', [verificationHeader]: signature }
  // The service does not follow redirects.
  return await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
}

function settle(
  context: EmulatorContext,
  callback: StoredCallback,
  isAccepted: boolean,
  reason: string,
): void {
  const { state } = context
  // A reset may have happened before the response.
  if (state.callbacks.get(callback.id) !== callback) return
  if (isAccepted) callback.state = 'delivered'
  else if (callback.state === 'pending') {
    callback.state = 'failed'
    const { env, formId, packageId, url } = callback
    const form = state.forms[env].get(formId)
    const pkg = state.packages[env].get(packageId)
    if (form && pkg) notifyOwners(context, { env, form, pkg }, url, reason)
  }
}
