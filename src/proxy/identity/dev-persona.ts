import type { Identify } from './identity.ts'

/**
 * Identifies everyone as one person, for development on this machine. A page of another site could make its host name lead to
 * this machine (DNS rebinding), so only requests to a name of this machine count.
 */
export function devPersona(univid: string): Identify {
  return (request, explain) => {
    if (isThisMachine(new URL(request.url).hostname)) return { univid }
    explain?.({
      cause: 'other_host',
      text: 'The development persona works only at an address of this machine, such as localhost.',
    })
    return null
  }
}

/** Whether a host name always leads to the machine itself (RFC 6761, section 6.3). */
export function isThisMachine(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname)
}
