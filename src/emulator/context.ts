import type { Environment } from '../contract/values.ts'
import type { Clock } from './clock.ts'
import type { ObjectStore } from './state/object-store.ts'
import type { EmulatorState, Form, StoredPackage } from './state/state.ts'
import type { SpecOptions } from './control/spec-options.ts'

/** What every part of the emulator works with. */
export interface EmulatorContext {
  readonly state: EmulatorState
  readonly clock: Clock
  readonly objects: ObjectStore
  readonly specOptions: SpecOptions
}

/** A package with what it belongs to. */
export interface PackageRecord {
  readonly env: Environment
  readonly form: Form
  readonly pkg: StoredPackage
}

/** Hands out a number that nothing else has. */
export function nextId({ state }: EmulatorContext): number {
  return state.next.id++
}
