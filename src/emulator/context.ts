import type { Environment } from '../contract/values/values.ts'
import type { Clock } from './clock.ts'
import type { ObjectStore } from './state/object-store.ts'
import type { EmulatorState } from './state/state.ts'
import type { Form } from './state/stored-forms.ts'
import type { StoredPackage } from './state/stored-packages.ts'
import type { SpecOptions } from './control/spec-options.ts'
import type { Signing } from './workflow/signing.ts'

/** The state, clock and stores that every part of the emulator shares. */
export interface EmulatorContext {
  readonly state: EmulatorState
  readonly clock: Clock
  readonly objects: ObjectStore
  readonly specOptions: SpecOptions
  readonly signing: Signing
  /** Base URL of presigned links, to which a slash and a token are appended. */
  readonly objectsUrl: string
  /** Whether to send neither mail nor callbacks, while a seed is created. Default false. */
  readonly isSilent?: boolean
}

/** A package with its environment and form. */
export interface PackageRecord {
  readonly env: Environment
  readonly form: Form
  readonly pkg: StoredPackage
}

/** Returns a number that no other record has. */
export function nextId({ state }: EmulatorContext): number {
  return state.next.id++
}
