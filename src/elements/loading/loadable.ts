import {
  ForbiddenError,
  NoProxyError,
  NotFoundError,
  SignedOutError,
  UnavailableError,
} from '../../client/index.ts'
import type { loading } from '../../locales/en-loading.ts'
import type { Compiled, Texts } from '../../locales/messages.ts'
import { type Formatting, formatMoment } from '../text/format.ts'

/** States that a page can style with `:state(...)`. */
export type ElementState =
  | 'not-configured'
  | 'no-proxy'
  | 'loading'
  | 'loaded'
  | 'empty'
  | 'busy'
  | 'stale'
  | 'forbidden'
  | 'signed-out'
  | 'missing'
  | 'failed'

/**
 * Why content could not be loaded. The first three concern the person or the package, so content that was loaded before is not
 * valid any more. `between`: a server before the proxy refused the request, such as a firewall.
 */
type Cause = 'forbidden' | 'missing' | 'signed-out' | 'no-proxy' | 'between' | 'failed'

/** Returns the cause of an error. */
export function causeOf(error: unknown): Cause {
  if (error instanceof NoProxyError) return 'no-proxy'
  return slotOf(error) ?? (statusBetween(error) === undefined ? 'failed' : 'between')
}

/** Returns the state and slot of an error that concerns the package or the person; `undefined` for an outage. */
export function slotOf(error: unknown): 'forbidden' | 'missing' | 'signed-out' | undefined {
  if (error instanceof ForbiddenError) return 'forbidden'
  if (error instanceof NotFoundError) return 'missing'
  return error instanceof SignedOutError ? 'signed-out' : undefined
}

/**
 * Returns an error about content that is not that of a package, such as files or offices. It is never forbidden or missing,
 * because the messages and states for these speak of a request: it could not be loaded.
 */
export function outsidePackage(error: unknown): unknown {
  const slot = slotOf(error)
  return slot && slot !== 'signed-out' ? 'failed' : error
}

/** Returns the status with which a server before the proxy refused a request; `undefined` if none did. */
export function statusBetween(error: unknown): number | undefined {
  return error instanceof UnavailableError && typeof error.cause === 'number' ? error.cause : undefined
}

/** Returns what an error means to the person. `forbidden` is the message for a person without rights. */
export function failureText(
  error: unknown,
  texts: Compiled<typeof loading>,
  forbidden: string = texts.forbidden,
): string {
  const cause = causeOf(error)
  if (cause === 'forbidden') return forbidden
  if (cause === 'missing') return texts.missing
  if (cause === 'signed-out') return texts.signedOut
  if (cause === 'no-proxy') return texts.noProxy((error as NoProxyError).endpoint)
  return cause === 'between' ? texts.between(String(statusBetween(error))) : texts.unavailable
}

/** Returns the text of a notice above content that was loaded before, at a time in ms since 1970, or 0 if it is not known. */
export function staleText(
  error: unknown,
  loadedAt: number,
  common: Texts['common'],
  formatting: Formatting,
): string {
  const known = loadedAt ? common.knownAt(formatMoment(loadedAt, formatting)) : common.stale
  return causeOf(error) === 'between' ? `${failureText(error, common)} ${known}` : known
}

/** Content that an element shows, as far as it has loaded. */
interface Loadable {
  /** The problem with the settings of the element. */
  readonly problem?: string
  /** Why the latest attempt failed. */
  readonly error: unknown
  /** Whether there is content, of this attempt or an earlier one. */
  readonly isLoaded: boolean
  readonly isEmpty?: boolean | undefined
  /** Whether a request is in progress. */
  readonly isBusy?: boolean
}

/** Returns the states that a page can style. */
export function statesOf({ problem, error, isLoaded, isEmpty, isBusy }: Loadable): readonly ElementState[] {
  if (problem) return ['not-configured']
  const slot = slotOf(error)
  if (slot) return [slot]
  const states: ElementState[] = isLoaded
    ? ['loaded']
    : [error ? (causeOf(error) === 'no-proxy' ? 'no-proxy' : 'failed') : 'loading']
  if (isEmpty) states.push('empty')
  if (isBusy) states.push('busy')
  if (isLoaded && error) states.push('stale')
  return states
}
