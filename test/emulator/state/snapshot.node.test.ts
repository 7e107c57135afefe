import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scenarios } from '../../../src/emulator/scenarios/index.ts'
import {
  fromSnapshot,
  replaceState,
  SnapshotError,
  toSnapshot,
} from '../../../src/emulator/state/snapshot.ts'
import { emptyState, type EmulatorState } from '../../../src/emulator/state/state.ts'

/** Returns a state with something in most members. */
function fullState(): EmulatorState {
  const state = scenarios.campus()
  state.clock.offset = -5
  state.clients.set('__proto__', { id: '__proto__', secret: 's', isAdministrator: true })
  state.packages.test.get(42)!.packageDetails = 'half a pair \ud83d, \udc00 and "quotes"\u2028\u0000'
  // An assignment would set the prototype instead.
  const entry = JSON.parse('{ "__proto__": "text", "toJSON": "x", "2": 0, "1": 0 }') as Record<
    string,
    unknown
  >
  Object.assign(state.packages.test.get(42)!, { entry })
  return state
}

/** Converts each Map to its pairs, because `deepEqual` ignores the order of Maps and of properties. */
function ordered(state: EmulatorState): string {
  const replace = (_: string, value: unknown) =>
    value instanceof Map ? { map: [...(value as Map<unknown, unknown>)] } : value
  return JSON.stringify(state, replace)
}

/** Writes a state as JSON and reads it again. */
function copied(state: EmulatorState): EmulatorState {
  return fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(state))))
}

describe('toSnapshot() and fromSnapshot()', () => {
  it('restore all members in the same order, whatever their keys and texts are', () => {
    for (const state of [emptyState(), fullState()]) {
      assert.deepEqual(copied(state), state)
      assert.equal(ordered(copied(state)), ordered(state))
    }
    assert.ok(Object.hasOwn(copied(fullState()).packages.test.get(42)!.entry, '__proto__'))
  })

  it('keep only the state of an emulator', () => {
    const emulator = { ...fullState(), fetch: () => {}, name: 'emulator' }
    assert.deepEqual(toSnapshot(emulator), toSnapshot(fullState()))
  })

  it('report why a value is not a snapshot', () => {
    const { version, state } = toSnapshot(emptyState()) as { version: number; state: EmulatorState }
    const other = /is missing or of another type$/
    const table: readonly (readonly [snapshot: unknown, message: RegExp])[] = [
      [null, /^it is not a snapshot of an emulator$/],
      [[], /^it is not a snapshot of an emulator$/],
      [{ state }, /^it is not a snapshot of an emulator$/],
      [{ version: 1, state }, /^it has version 1, and this emulator reads version 2$/],
      [{ version }, other],
      [{ version, state: { ...state, packages: undefined } }, /^state\.packages is/],
      [{ version, state: { ...state, packages: { test: [] } } }, /^state\.packages\.prod is/],
      [{ version, state: { ...state, people: {} } }, /^state\.people is/],
      [{ version, state: { ...state, people: [['1', {}], ['2']] } }, other],
      [{ version, state: { ...state, next: { ...state.next, id: '7' } } }, /^state\.next\.id is/],
    ]
    for (const [snapshot, message] of table) {
      assert.throws(
        () => fromSnapshot(snapshot),
        (error) => error instanceof SnapshotError && message.test(error.message),
        `${message}`,
      )
    }
    assert.deepEqual(fromSnapshot({ version, state }), emptyState())
  })
})

describe('replaceState()', () => {
  it('fills the existing Maps and records', () => {
    const target = fullState()
    target.clients.set('gone', { id: 'gone', secret: '', isAdministrator: false })
    target.packages.prod.set(1, { ...fullState().packages.test.get(42)!, id: 1 })
    const held = { ...target, test: target.packages.test, prod: target.packages.prod }
    const source = fullState()
    source.next.id = 77
    source.clock.offset = 99
    source.people.delete('10000001')

    replaceState(target, source)
    assert.deepEqual(target, source)
    assert.equal(ordered(target), ordered(source))
    for (const name of Object.keys(emptyState()) as (keyof EmulatorState)[]) {
      assert.equal(target[name], held[name], `${name} is still the same`)
      assert.notEqual(target[name], source[name])
    }
    assert.equal(target.packages.test, held.test)
    assert.equal(target.packages.prod, held.prod)
  })

  it('empties', () => {
    const target = fullState()
    replaceState(target, emptyState())
    assert.deepEqual(target, emptyState())
  })

  it('keeps everything if source and target are the same', () => {
    const state = fullState()
    replaceState(state, { ...state })
    assert.deepEqual(state, fullState())
  })
})
