import { createIdempotencyKey, NoProxyError, RefusedError, UnavailableError } from '../../../client/index.ts'
import { statusBetween } from '../../loading/loadable.ts'
import { isRefusedBeforehand } from '../../loading/refused-between.ts'

/** A change of the service, and how to learn whether it was carried out. */
export interface Change<T> {
  /** Sends the change. All calls with the same key send the same body. */
  readonly send: (idempotencyKey: string) => Promise<T>
  /** Reads whether the change was carried out: resolves with its result, or with `undefined` if it was not. */
  readonly find?: () => Promise<T | undefined>
  /** The key to begin with. Default: a new one. */
  readonly key?: string
  /** Whether the change may have been sent before, so that its outcome is already unknown. */
  readonly isRepeated?: boolean
}

/** It is not known whether a change was carried out. `cause` is the error of the latest attempt. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError'

  constructor(cause: unknown) {
    super('It is not known whether the change was carried out', { cause })
  }
}

/** Attempts before the person is told that the outcome is unknown. */
const maxAttempts = 3

/** Longest wait until a limit admits the change, in ms. The person has to try again if it takes longer. */
const maxWait = 3000

/**
 * Sends a change until its outcome is known. Repeats it with the same key, which the proxy carries out once. A new key
 * follows only after a read has shown that the change was not carried out. Rejects with `UnknownOutcomeError` if neither
 * helps; with the error of the client if nothing was changed.
 */
export async function carryOut<T>({ send, find, key, isRepeated = false }: Change<T>): Promise<T> {
  let currentKey = key ?? createIdempotencyKey()
  let isUnknown = isRepeated
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(currentKey)
    } catch (error) {
      const isUnavailable = error instanceof UnavailableError && !(error instanceof NoProxyError)
      const isLimited = isUnavailable && error.limitedUntil !== undefined
      const isLost = isUnavailable && !isLimited && !isRefusedBeforehand(statusBetween(error))
      isUnknown ||= isLost
      const isRefused = error instanceof RefusedError
      // A refusal may be the consequence of an earlier attempt, or of another tab, which was carried out.
      const mayBeDone = isLost || (isRefused && error.status === 409)
      const found = mayBeDone ? await find?.().catch(() => null) : null
      if (found) return found
      // The proxy has carried out another request with this key, so it cannot know about this one.
      const isReused = isRefused && error.status === 422 && error.refusedBy === 'proxy'
      if (isRefused && !(isUnknown && isReused)) throw error
      const isOver = attempt >= maxAttempts || !(isLost || (isLimited && isSoon(error)))
      if (isOver) throw isUnknown ? new UnknownOutcomeError(error) : error
      if (found === undefined && find && attempt > 1) currentKey = createIdempotencyKey()
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt * (0.5 + Math.random() / 2)))
    }
  }
}

function isSoon({ limitedUntil = Infinity }: UnavailableError): boolean {
  return limitedUntil - Date.now() <= maxWait
}
