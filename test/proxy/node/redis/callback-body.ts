import assert from 'node:assert/strict'
import type { CallbackBody } from '../../../../src/contract/schemas/callbacks.ts'
import { parseCallback } from '../../../../src/proxy/callbacks/callback-inbox.ts'

/** Returns a callback, and the bytes that the service would have signed. */
export function parseCallbackBody(
  packageId: number,
  state: string,
): { readonly body: Uint8Array<ArrayBuffer>; readonly callback: CallbackBody } {
  const values = { formId: 6025, packageId, state, createdAt: '2026-11-16T10:00:00', stop: null, lockId: 17 }
  const body = new TextEncoder().encode(JSON.stringify({ '@class': 'developer', ...values, entry: {} }))
  const callback = parseCallback(body)
  assert.ok(callback)
  return { body, callback }
}
