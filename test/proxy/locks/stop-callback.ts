import { CallbackBody } from '../../../src/contract/schemas/callbacks.ts'
import type { Standstill } from '../../../src/proxy/locks/open-locks.ts'

export const stop = { name: 'Department', stopNumber: 1 }
export const createdAt = '2026-11-16T10:00:00'

export const paused: Standstill = { state: 'ROUTING', isPaused: true, isOver: false }
export const moving: Standstill = { state: 'ROUTING', isPaused: false, isOver: true }

/** Returns the callback of a stop. */
export function stopCallback(values: Partial<Record<keyof CallbackBody, unknown>> = {}): CallbackBody {
  return CallbackBody.parse({
    '@class': 'developer',
    ...{ formId: 6025, packageId: 42, state: 'ROUTING', createdAt, stop, lockId: 7, entry: {} },
    ...values,
  })
}
