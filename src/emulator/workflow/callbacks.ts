import type { CallbackBody } from '../../contract/schemas/callbacks.ts'
import { type Clock, minute } from '../clock.ts'
import type { CalculatedStop } from './routing/route.ts'
import type { StoredCallback } from '../state/stored-packages.ts'
import { type PackageRecord, nextId, type EmulatorContext } from '../context.ts'

/** The most urgent callbacks are sent first: frozen routes, then other stops, then states. */
const priorities = { freeze: 1, stop: 2, state: 3 } as const

/** Queues the state-based callback of a package whose state has just changed. */
export function queueStateCallback(context: EmulatorContext, record: PackageRecord): void {
  const { callbackUrl } = record.form
  if (callbackUrl !== null && !context.isSilent) queue(context, record, callbackUrl, priorities.state, null)
}

/** Queues the route-based callback of a stop. Returns the id of the lock that freezes the route, or null. */
export function queueStopCallback(
  context: EmulatorContext,
  record: PackageRecord,
  stop: CalculatedStop,
): number | null {
  const callback = record.form.stopCallbacks[stop.stopNumber]
  if (!callback) return null
  const { freeze, url } = callback
  if (context.isSilent) return freeze ? nextId(context) : null
  const { id } = queue(context, record, url, freeze ? priorities.freeze : priorities.stop, stop)
  return freeze ? id : null
}

/** Queues failed callbacks again, as the service's support team does on request. Returns their number. */
export function retryCallbacks(context: EmulatorContext): number {
  beginMinute(context)
  const failed = [...context.state.callbacks.values()].filter(({ state }) => state === 'failed')
  for (const callback of failed) callback.state = 'waiting'
  return failed.length
}

function queue(
  context: EmulatorContext,
  record: PackageRecord,
  url: string,
  priority: number,
  stop: CalculatedStop | null,
): StoredCallback {
  const { state, clock, specOptions } = context
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
  beginMinute(context)
  state.callbacks.set(id, callback)
  return callback
}

/** Starts the minute at whose end the next batch is due, if nothing is queued. */
function beginMinute({ state, clock }: EmulatorContext): void {
  if (undelivered(state.callbacks.values()).length === 0) state.clock.lastBatch = minuteOf(clock)
}

/** Returns the minute of the clock, counted from 1970. */
export function minuteOf(clock: Clock): number {
  return Math.floor(clock.now() / minute)
}

const stopShapes = {
  object: ({ name, stopNumber }: CalculatedStop) => ({ name, stopNumber }),
  number: ({ stopNumber }: CalculatedStop) => stopNumber,
  name: ({ name }: CalculatedStop) => name,
} as const

/** Returns the callbacks that the next batch sends. */
export function undelivered(callbacks: Iterable<StoredCallback>): StoredCallback[] {
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
