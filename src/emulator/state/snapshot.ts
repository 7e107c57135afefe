import { isRecord } from '../../contract/record.ts'
import { emptyState, type EmulatorState } from './state.ts'

/** Version of the text. Whoever changes what the state consists of raises it, and reads the older ones here. */
const snapshotVersion = 1

type PlainRecord = Readonly<Record<string, unknown>>

/** A text that is no snapshot, or not one that this version reads. The message says why. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

/**
 * Writes the state down as JSON. `readSnapshot` makes an equal one of it, with the same keys in the same order. Of what
 * an emulator has besides its state, nothing is written.
 */
export function writeSnapshot(state: EmulatorState): string {
  return JSON.stringify({ version: snapshotVersion, state: toPlain(emptyState(), state) })
}

/** Reads what `writeSnapshot` wrote. Throws `SnapshotError` where the text is anything else. */
export function readSnapshot(text: string): EmulatorState {
  const snapshot = parseSnapshot(text)
  if (!isPlainRecord(snapshot) || !Object.hasOwn(snapshot, 'version')) {
    throw new SnapshotError('it is no snapshot of an emulator')
  }
  if (snapshot['version'] !== snapshotVersion) {
    const found = JSON.stringify(snapshot['version'])
    throw new SnapshotError(`it has version ${found}, and this emulator reads version ${snapshotVersion}`)
  }
  // Member by member like the empty state; what the Maps hold is as we wrote it.
  return fromPlain(emptyState(), snapshot['state'], 'state') as EmulatorState
}

/**
 * Makes `target` hold what `source` holds. Its Maps and records stay the ones they are, so whoever holds them sees the
 * new content. Packages, files and whatever else is in the Maps is not copied: from now on both hold the same.
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

/** Maps become lists of pairs, so keys keep their type, and none is taken for a property. */
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
    throw new SnapshotError(`${path} is no ${typeof template}`)
  }
  if (!isPlainRecord(value)) throw new SnapshotError(`${path} is no object`)
  // What is not known would be gone with the next snapshot.
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
  if (!Array.isArray(value)) throw new SnapshotError(`${path} is no list of pairs`)
  const map = new Map<unknown, unknown>()
  for (const [index, pair] of (value as unknown[]).entries()) {
    const [key, content] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : []
    if (typeof key !== 'string' && typeof key !== 'number') {
      throw new SnapshotError(`${path}[${index}] is no pair of a key and a value`)
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
    throw new SnapshotError(`it is no JSON: ${(cause as SyntaxError).message}`, { cause })
  }
}

function isPlainRecord(value: unknown): value is PlainRecord {
  return isRecord(value) && !(value instanceof Map)
}
