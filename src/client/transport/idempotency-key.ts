/** Returns a new value of `Idempotency-Key`. Not `crypto.randomUUID()`, which pages without HTTPS lack. */
export function createIdempotencyKey(): string {
  return `"${crypto.getRandomValues(new Uint32Array(4)).join('-')}"`
}
