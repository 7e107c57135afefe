import { readPublicKey } from '../../contract/public-key.ts'
import type { Log } from '../log.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Something that the service is said to have signed. */
export interface Signed {
  readonly body: Bytes
  readonly signature: Bytes
  /** What `mark()` answered when it came. */
  readonly mark: number
}

/**
 * `invalid` only where the key was fetched after the callback came. `undecided`: the signature does not hold, but the
 * service may have another key by now.
 */
export type Verdict = 'valid' | 'invalid' | 'undecided'

/** The service's public key: kept, and fetched again at most once in a cool-down (spec, Authentication 7). */
export interface CallbackKey {
  /** Names the present, for `Signed`. */
  readonly mark: () => number
  /** Verifies with the key that is kept. */
  readonly check: (signed: Signed) => Promise<Verdict>
  /** Fetches the key unless it is too soon. Whether the latest fetch, which may be under way, has brought one. */
  readonly renew: () => Promise<boolean>
  /** Milliseconds until the key may be fetched. */
  readonly wait: () => number
}

export interface CallbackKeyOptions {
  readonly fetchKey: () => Promise<string | Uint8Array>
  /** Least milliseconds from the beginning of one fetch to that of the next. */
  readonly cooldown: number
  /** Most milliseconds that `renew()` waits for a fetch. The fetch itself goes on. */
  readonly patience: number
  /** Called when a key has come, be it another or the same. */
  readonly onRenewed: () => void
  readonly log: Log
  readonly now: () => number
}

/** Creates the keeper of the key, which has none yet. */
export function createCallbackKey({
  fetchKey,
  cooldown,
  patience,
  onRenewed,
  log,
  now,
}: CallbackKeyOptions): CallbackKey {
  let held: { readonly key: CryptoKey; readonly raw: Bytes; readonly fetch: number } | undefined
  /** How many fetches have begun. A key tells something about what was marked with a smaller number. */
  let fetches = 0
  let lastFetch = -Infinity
  let latest = Promise.resolve(false)

  function wait(): number {
    const passed = now() - lastFetch
    // Negative where the clock was put back.
    return passed < 0 ? 0 : Math.max(0, cooldown - passed)
  }

  function begin(): void {
    lastFetch = now()
    latest = within(fetchOnce(++fetches), patience)
  }

  /** Whatever goes wrong, the key that is held stays: a rotation is rarer than a service that is down. */
  async function fetchOnce(fetch: number): Promise<boolean> {
    try {
      const raw = readPublicKey(await fetchKey())
      if (!raw || isWeak(raw)) throw new TypeError('The answer holds no Ed25519 public key, or a weak one')
      const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
      // A fetch that hung may end after a later one.
      if (held && held.fetch > fetch) return false
      const before = held?.raw
      held = { key, raw, fetch }
      if (before && before.some((byte, index) => byte !== raw[index])) {
        log('info', 'The service signs its callbacks with a new key', {})
      }
      onRenewed()
      return true
    } catch (error) {
      log('warn', 'The key of callbacks could not be fetched', {
        error: String(error),
        kept: held !== undefined,
      })
      return false
    }
  }

  return {
    mark: () => fetches,
    wait,

    async check({ body, signature, mark }) {
      for (;;) {
        const used = held
        if (!used) return 'undecided'
        if (await crypto.subtle.verify('Ed25519', used.key, signature, body)) return 'valid'
        // Otherwise another has come in the meantime.
        if (used === held) return used.fetch > mark ? 'invalid' : 'undecided'
      }
    },

    renew() {
      if (wait() === 0) begin()
      return latest
    },
  }
}

/** What a task answers; false where that takes longer than so many milliseconds. */
function within(task: Promise<boolean>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds)
    void task.then((value) => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}

/** Whether a key is a point of small order, for which anyone can make signatures. */
function isWeak(raw: Bytes): boolean {
  // The highest bit is a sign, which such a point may have or not.
  const hex = Array.from(raw, (byte, index) =>
    (index === 31 ? byte & 0x7f : byte).toString(16).padStart(2, '0'),
  )
  return smallOrder.has(hex.join(''))
}

/** Points of order 1, 2, 4 and 8 without their sign, also as numbers that are not reduced (RFC 8032, 5.1). */
const smallOrder = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
])
