import { isRecord } from '../../contract/record.ts'
import { emptyState, type EmulatorState } from './state.ts'

/** Format version. If the state changes its shape, raise the version and convert older snapshots in `readSnapshot()`. */
const snapshotVersion = 1

type PlainRecord = Readonly<Record<string, unknown>>

/** The text is not a snapshot, or has a version that this emulator cannot read. The message names the reason. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

/**
 * Serializes the state as JSON. `readSnapshot()` restores an equal state, with the keys in the same order. File contents,
 * the journal, faults and quirks are not part of it.
 */
export function writeSnapshot(state: EmulatorState): string {
  return JSON.stringify({ version: snapshotVersion, state: toPlain(emptyState(), state) })
}

/** Restores a state from `writeSnapshot()`. Throws `SnapshotError` if the text is not a valid snapshot. */
export function readSnapshot(text: string): EmulatorState {
  const snapshot = parseSnapshot(text)
  if (!isPlainRecord(snapshot) || !Object.hasOwn(snapshot, 'version')) {
    throw new SnapshotError('it is not a snapshot of an emulator')
  }
  if (snapshot['version'] !== snapshotVersion) {
    const found = JSON.stringify(snapshot['version'])
    throw new SnapshotError(`it has version ${found}, and this emulator reads version ${snapshotVersion}`)
  }
  // The check covers the members of the state. The entries of the Maps are trusted.
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
  if (!isPlainRecord(template) || !isPlainRecord(value)) return value
  return Object.fromEntries(
    Object.entries(template).map(([name, part]) => [name, toPlain(part, value[name])]),
  )
}

function fromPlain(template: unknown, value: unknown, path: string): unknown {
  if (template instanceof Map) return toMap(value, path)
  if (!isPlainRecord(template)) {
    if (typeof value === typeof template) return value
    throw new SnapshotError(`${path} is not a ${typeof template}`)
  }
  if (!isPlainRecord(value)) throw new SnapshotError(`${path} is not an object`)
  // The next snapshot would lose unknown members.
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(template, name))
  if (unknown !== undefined) throw new SnapshotError(`${path} has an unknown member "${unknown}"`)
  return Object.fromEntries(
    Object.entries(template).map(([name, part]) => {
      if (!Object.hasOwn(value, name)) throw new SnapshotError(`${path}.${name} is missing`)
      return [name, fromPlain(part, value[name], `${path}.${name}`)]
    }),
  )
}

function toMap(value: unknown, path: string): Map<unknown, unknown> {
  if (!Array.isArray(value)) throw new SnapshotError(`${path} is not a list of pairs`)
  const map = new Map<unknown, unknown>()
  for (const [index, pair] of (value as unknown[]).entries()) {
    const [key, content] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : []
    if (typeof key !== 'string' && typeof key !== 'number') {
      throw new SnapshotError(`${path}[${index}] is not a pair of a key and a value`)
    }
    if (map.has(key)) throw new SnapshotError(`${path} has the key ${JSON.stringify(key)} twice`)
    map.set(key, content)
  }
  return map
}

function parseSnapshot(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SnapshotError(`it is not valid JSON: ${(cause as SyntaxError).message}`, { cause })
  }
}

function isPlainRecord(value: unknown): value is PlainRecord {
  return isRecord(value) && !(value instanceof Map)
}
