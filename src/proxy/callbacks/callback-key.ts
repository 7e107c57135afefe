import { readPublicKey } from '../../contract/values/public-key.ts'
import type { Log } from '../observe/log.ts'

/** A body and its signature, not verified yet. */
export interface SignedBody {
  readonly body: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
  /** The value of `generation()` when the body arrived. */
  readonly generation: number
}

/**
 * The result of a verification. `invalid` only if the key was requested after the body arrived. `unknown` if no key is known
 * or the signature does not match, but the service may have a newer key.
 */
export type Verification = 'valid' | 'invalid' | 'unknown'

/** The public key of the service. It is cached, and requested again once per cooldown at most (spec, Authentication 7). */
export interface CallbackKey {
  /** Returns the number of key requests so far, for `SignedBody`. */
  readonly generation: () => number
  /** Verifies a signature with the cached key. */
  readonly verify: (signed: SignedBody) => Promise<Verification>
  /**
   * Requests the key, unless the cooldown is not over. Resolves to whether the latest request, which may have started
   * earlier, has returned a key. Never rejects. If `isUrgent`, the cooldown is one second.
   */
  readonly refresh: (isUrgent?: boolean) => Promise<boolean>
  /** Resolves to whether a key is known. If not, requests it as `refresh()` does. */
  readonly isKnown: () => Promise<boolean>
  /** Returns the time until `refresh()` may request the key, in ms. */
  readonly refreshDelay: () => number
}

interface CallbackKeyOptions {
  readonly fetchKey: () => Promise<string | Uint8Array>
  /** Minimum time between the start of two requests, in ms. */
  readonly cooldown: number
  /** Maximum time that `refresh()` waits for a response, in ms. The request itself continues. */
  readonly timeout: number
  /** Called when a key arrives, whether or not it is a new one. */
  readonly onKey: () => void
  readonly log: Log
  /** Returns the time in ms since 1970. */
  readonly now: () => number
}

/** Creates the cache of the key. It is empty at first. */
export function createCallbackKey({
  fetchKey,
  cooldown,
  timeout,
  onKey,
  log,
  now,
}: CallbackKeyOptions): CallbackKey {
  let cached: { readonly key: CryptoKey; readonly raw: Uint8Array; readonly generation: number } | undefined
  let generation = 0
  let lastRequest = -Infinity
  let latest = Promise.resolve(false)

  function delayUntil(minimum: number): number {
    const elapsed = now() - lastRequest
    // Negative if the clock was set back.
    return elapsed < 0 ? 0 : Math.max(0, minimum - elapsed)
  }

  function request(): void {
    lastRequest = now()
    latest = resolveWithin(fetchOnce(++generation), timeout)
  }

  /** Keeps the cached key if the request fails: outages of the service are more frequent than new keys. */
  async function fetchOnce(requested: number): Promise<boolean> {
    try {
      const raw = readPublicKey(await fetchKey())
      if (!raw || isWeak(raw)) throw new TypeError('The response holds no Ed25519 public key, or a weak one')
      const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
      // A slow request may finish after a later one.
      if (cached && cached.generation > requested) return false
      const before = cached?.raw
      cached = { key, raw, generation: requested }
      if (before && before.some((byte, index) => byte !== raw[index])) {
        log('info', 'The service signs its callbacks with a new key', {})
      }
      onKey()
      return true
    } catch (error) {
      log('warn', 'The public key for callbacks could not be fetched', {
        error: String(error),
        hasCachedKey: cached !== undefined,
      })
      return false
    }
  }

  function refresh(isUrgent = false): Promise<boolean> {
    if (delayUntil(isUrgent ? Math.min(cooldown, urgentCooldown) : cooldown) === 0) request()
    return latest
  }

  return {
    generation: () => generation,
    refreshDelay: () => delayUntil(cooldown),
    isKnown: async () => cached !== undefined || (await refresh()),

    async verify({ body, signature, generation: arrived }) {
      for (;;) {
        const used = cached
        if (!used) return 'unknown'
        if (await crypto.subtle.verify('Ed25519', used.key, signature, body)) return 'valid'
        // If another key arrived in the meantime, that one decides.
        if (used === cached) return used.generation > arrived ? 'invalid' : 'unknown'
      }
    },

    refresh,
  }
}

/** Minimum time between the start of two urgent requests, in ms. */
const urgentCooldown = 1000

/** Resolves as `task` does, or to false if that takes longer than `timeout` ms. */
function resolveWithin(task: Promise<boolean>, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeout)
    void task.then((value) => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}

/** Whether a key is a point of small order: anyone can create valid signatures for those. */
function isWeak(raw: Uint8Array): boolean {
  // The highest bit is the sign, which can be either for such a point.
  const hex = Array.from(raw, (byte, index) =>
    (index === 31 ? byte & 0x7f : byte).toString(16).padStart(2, '0'),
  )
  return smallOrder.has(hex.join(''))
}

/** Points of order 1, 2, 4 and 8 without their sign, including encodings that are not reduced (RFC 8032, 5.1). */
const smallOrder = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
])
