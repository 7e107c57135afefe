import { isRecord } from '../../contract/values/values.ts'
import { emptyState, type EmulatorState } from './state.ts'

/** Version of the format. Raise it if the state changes its shape. */
const version = 2

/** A state as a JSON value. */
export interface Snapshot {
  readonly version: number
  readonly state: unknown
}

/** The value is not a snapshot, or has a version that this emulator cannot read. The message names the reason. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

/**
 * Converts the state to a JSON value, from which `fromSnapshot()` restores an equal state. File contents, the journal, faults
 * and quirks are not part of it. The values in the Maps are shared, not copied.
 */
export function toSnapshot(state: EmulatorState): Snapshot {
  return { version, state: toPlain(emptyState(), state) }
}

/** Restores a state. Throws `SnapshotError` if the value is not a snapshot. What the Maps contain is not checked. */
export function fromSnapshot(snapshot: unknown): EmulatorState {
  if (!isRecord(snapshot) || !('version' in snapshot))
    throw new SnapshotError('it is not a snapshot of an emulator')
  if (snapshot['version'] !== version) {
    const found = JSON.stringify(snapshot['version'])
    throw new SnapshotError(`it has version ${found}, and this emulator reads version ${version}`)
  }
  return fromPlain(emptyState(), snapshot['state'], 'state') as EmulatorState
}

/**
 * Replaces the content of `target` by that of `source`. The Maps and records of `target` stay the same objects, so that
 * references to them see the new content. The entries of the Maps are shared, not copied.
 */
export function replaceState(target: EmulatorState, source: EmulatorState): void {
  for (const name of Object.keys(emptyState()) as (keyof EmulatorState)[]) replace(target[name], source[name])
}

function replace(target: object, source: object): void {
  if (target instanceof Map && source instanceof Map) {
    // Copied first, because both may be the same Map.
    const pairs = [...(source as Map<unknown, unknown>)]
    target.clear()
    for (const [key, value] of pairs) target.set(key, value)
    return
  }
  const members = target as Record<string, unknown>
  for (const [name, value] of Object.entries(source) as [string, unknown][]) {
    const own = members[name]
    if (own instanceof Map && value instanceof Map) replace(own, value)
    else members[name] = value
  }
}

/** Converts Maps to lists of pairs. Keys keep their type, and no key is mistaken for a property. */
function toPlain(template: unknown, value: unknown): unknown {
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)]
  if (!isRecord(template) || !isRecord(value)) return value
  return mapMembers(template, (part, name) => toPlain(part, value[name]))
}

function fromPlain(template: unknown, value: unknown, path: string): unknown {
  if (template instanceof Map) {
    if (isPairs(value)) return new Map(value)
  } else if (isRecord(template)) {
    if (isRecord(value))
      return mapMembers(template, (part, name) => fromPlain(part, value[name], `${path}.${name}`))
  } else if (typeof value === typeof template) return value
  throw new SnapshotError(`${path} is missing or of another type`)
}

function isPairs(value: unknown): value is readonly (readonly [unknown, unknown])[] {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2)
}

function mapMembers(
  record: Readonly<Record<string, unknown>>,
  convert: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value, name)]))
}
