import assert from 'node:assert/strict'
import type { FileAsset } from '../../src/contract/schemas/storage.ts'
import type { Call, System } from './system.ts'

/** A uuid that no file asset has. */
export const nowhere = '00000000-0000-4000-8000-000000000000'

/** Uploads a file and asserts success. */
export function upload(system: System, meta?: object, call?: Call): Promise<FileAsset> {
  return system.ok<FileAsset>('uploadFile', { ...call, ...(meta && { body: meta }) })
}

/** Returns a presigned link. Asserts success. */
export async function presign(
  system: System,
  uuid: string,
  query: Call['query'] = {},
  call?: Call,
): Promise<string> {
  const response = await system.call('presignFile', { ...call, params: { uuid }, query })
  assert.equal(response.status, 200, response.text)
  return response.text
}

/** Moves the clock forward by a duration. */
export async function advance(system: System, duration: string): Promise<void> {
  await system.control('POST', '/clock', { advance: duration })
}

/** Returns the local date-time of the service, to the second. */
export async function localNow(system: System): Promise<string> {
  return (await system.control<{ now: string }>('GET', '/clock')).now
}
