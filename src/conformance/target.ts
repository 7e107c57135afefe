import type { Rights } from '../contract/routes/rights.ts'
import type { Environment } from '../contract/values/values.ts'

/** One request to the proxy under test. */
export interface TargetCall {
  readonly method: string
  /** Path and search below the proxy's root, such as `/session`. */
  readonly path: string
  /** University id of the signed-in user. Null if nobody is signed in. */
  readonly as: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

/** A proxy under test, in front of an emulator with the scenario `small`. */
export interface Target {
  /** Sends a request to the proxy like a browser in which this user is signed in. Does not follow redirects. */
  readonly request: (call: TargetCall) => Promise<Response>
  /** Sends a request to the emulator; the path starts with `/wf`, `/fs/test`, `/fs/prod` or `/_emulator`. */
  readonly emulator: (path: string, init?: RequestInit) => Promise<Response>
  /** Environment that the proxy serves. Default `test`. */
  readonly env?: Environment
  /** Rights that the host's policy grants only to the administrator. Default: the tools. */
  readonly administratorRights?: readonly Rights[]
  /** Timeout of the proxy for requests to a service, in milliseconds. Default 20,000. */
  readonly timeout?: number
  /** Prefixes of the names of the checks to run. Default: all checks. */
  readonly only?: readonly string[]
}

/** Result of a check. */
export interface CheckResult {
  /** Name of the check, which starts with its group: `rights: voidPackage as viewer, ROUTING`. */
  readonly name: string
  /** Whether the proxy did what the contract demands. */
  readonly ok: boolean
  /** The difference between expectation and result. Empty if the check passed. */
  readonly detail: string
  /** Why the check was skipped, if it was. A skipped check is `ok`. */
  readonly skipped?: string
}

/** A check that can run or be skipped. */
export interface Check {
  readonly name: string
  /** Returns what is wrong, or an empty string. Rejects if the check cannot run. */
  readonly run: () => Promise<string>
}

/** Creates a check. */
export function check(name: string, run: Check['run']): Check {
  return { name, run }
}

/** Id of the form that the proxy must serve. */
export const formId = 6025

/** Id of a form of the emulator that the proxy must not serve. */
export const otherFormId = 6026

/** Credentials of the proxy under test for both services. */
export const client = { id: 'demo-app', secret: 'demo-secret' } as const

/** University ids in the scenario, by role. */
export const people = {
  initiator: '10000001',
  firstApprover: '10000002',
  secondApprover: '10000003',
  viewer: '10000004',
  outsider: '10000008',
  administrator: '10000009',
} as const

/** Role in which a check calls the proxy. `nobody`: not signed in. */
export type CallerRole = keyof typeof people | 'nobody'

/** All roles. */
export const roles = [
  ...(Object.keys(people) as (keyof typeof people)[]),
  'nobody',
] as const satisfies CallerRole[]

/** Returns the university id of a role. Null for `nobody`. */
export function personOf(role: CallerRole): string | null {
  return role === 'nobody' ? null : people[role]
}
