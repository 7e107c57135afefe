import type { PackageState } from '../src/contract/values/values.ts'
import { type Backend, createBackend, people } from './backend.ts'

/** Creates a backend with package 42 in another state. */
export function inState(
  state: PackageState,
  more: object = {},
  person: string = people.administrator,
): Backend {
  const backend = createBackend(person)
  const found = backend.emulator.packages.test.get(42)
  if (found)
    Object.assign(found, {
      state,
      inbox: [],
      voidReason: state === 'VOID' ? 'INCORRECT_FORM' : null,
      ...more,
    })
  return backend
}
