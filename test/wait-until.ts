import { waitUntil as waitUntilWithin } from '@open-wc/testing'

/**
 * Waits until `predicate` returns a truthy value, by default for up to 30 s. Only a test that fails waits that long.
 * The library's default of 1 s is too short for a busy machine.
 */
export async function waitUntil(
  predicate: () => unknown,
  message?: string,
  { interval = 50, timeout = 30_000 }: { interval?: number; timeout?: number } = {},
): Promise<void> {
  await waitUntilWithin(predicate, message, { interval, timeout })
}
