import type { Rights } from '../contract/rights.ts'
import type { Environment } from '../contract/values.ts'

/** One request to the proxy under test. */
export interface TargetCall {
  readonly method: string
  /** Path and search below the proxy's root, such as `/session`. */
  readonly path: string
  /** University id of the person who is signed in; null: nobody is. */
  readonly as: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

/** A proxy under test, which stands in front of an emulator with the scenario `small`. */
export interface Target {
  /** Sends a request to the proxy as a browser would that is signed in as this person. Follows no redirect. */
  readonly ask: (call: TargetCall) => Promise<Response>
  /** Sends a request to the emulator; the path begins with `/wf`, `/fs/test`, `/fs/prod` or `/_emulator`. */
  readonly emulator: (path: string, init?: RequestInit) => Promise<Response>
  /** Deployment that the proxy serves. Default `test`. */
  readonly env?: Environment
  /** What the host's policy lets the administrator do, and nobody else. Default: the tools. */
  readonly administratorMay?: readonly Rights[]
  /** Milliseconds within which the proxy has to give up on a service that does not answer. Default 20 000. */
  readonly patience?: number
  /** Beginnings of the names of checks. Default: all are made. */
  readonly only?: readonly string[]
}

/** What became of one check. */
export interface CheckResult {
  /** What holds, as a sentence that begins with its group: `rights: voidPackage as viewer, ROUTING`. */
  readonly name: string
  readonly ok: boolean
  /** What was expected and what came instead. Empty where all is well. */
  readonly detail: string
}

/** One check, which is made or left out when it is its turn. */
export interface Check {
  readonly name: string
  /** Answers what is wrong; empty where nothing is. Rejects where that cannot be told. */
  readonly run: () => Promise<string>
}

export function check(name: string, run: Check['run']): Check {
  return { name, run }
}

/** The form that the proxy has to serve. */
export const formId = 6025

/** A form of the emulator that the proxy must not serve. */
export const otherFormId = 6026

/** Credentials that the proxy under test has for both services. */
export const client = { id: 'demo-app', secret: 'demo-secret' } as const

/** People of the scenario by what they are to its packages. */
export const people = {
  initiator: '10000001',
  firstApprover: '10000002',
  secondApprover: '10000003',
  viewer: '10000004',
  outsider: '10000008',
  administrator: '10000009',
} as const

export type Role = keyof typeof people | 'nobody'

/** Everyone who may ask, and nobody. */
export const roles = [...(Object.keys(people) as (keyof typeof people)[]), 'nobody'] as const satisfies Role[]

/** University id of a role; null for nobody. */
export function personOf(role: Role): string | null {
  return role === 'nobody' ? null : people[role]
}
