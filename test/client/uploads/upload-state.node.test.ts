import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  RefusedError,
  SignedOutError,
  UnavailableError,
  type UploadsAction,
  type UploadsState,
  type UploadState,
} from '../../../src/client/index.ts'
import { nextUploads, noUploads, type UploadsEvent } from '../../../src/client/uploads/upload-state.ts'

const lost = new UnavailableError('uploadFile', 'got no response')
const doubtful = new UnavailableError('uploadFile', 'failed', { outcome: 'unknown' })
const signedOut = new SignedOutError('uploadFile', 'needs a sign-in')
const refused = new RefusedError('uploadFile', 422, { outcome: 'none' })

type State = UploadsState<string, object>
type Event = UploadsEvent<string, object>
const file = { file: new File(['x'], 'a'), name: 'a', details: {} }
const add: Event = { type: 'add', files: [file] }
const hold: Event = { type: 'add', files: [file], hold: 'start' }
const action = (type: 'start' | 'cancel' | 'remove'): Event => ({ type, key: -1 })
const part: Report = { type: 'progress', sent: 1, total: 2, speed: null, secondsLeft: null }
const all: Report = { ...part, sent: 2 }
const unknown: Report = { ...part, sent: 0, total: 0 }
const stalled: Report = { type: 'stalled', sent: 1 }
const stored: Report = { type: 'stored', value: 'v' }
const failed = (error: unknown): Report => ({ type: 'failed', error })
const missed = (isLast: boolean): Report => ({ type: 'missed', isLast })
const offline: Event = { type: 'connection', isOffline: true }
const online: Event = { type: 'connection', isOffline: false }

/** A report of the current attempt. */
type Report = { readonly type: string } & Record<string, unknown>

/** Applies events to a new list. */
function after(canFind: boolean, ...events: readonly (Event | Report)[]) {
  let state: State = noUploads
  const effects: string[] = []
  for (const event of events) {
    const isReport = ['progress', 'stalled', 'stored', 'failed', 'missed', 'unverified'].includes(event.type)
    const full = (isReport ? { key: -1, attempt: state.items[0]?.attempt ?? 0, ...event } : event) as Event
    const next = nextUploads(state, full, { canFind })
    state = next.state
    effects.push(...next.effects.map(({ type }) => type))
  }
  return { state, effects }
}

function word(state: UploadState<string> | undefined): string {
  if (!state) return 'left'
  const { kind } = state
  if (kind === 'queued') return state.hold ? `held: ${state.hold}` : 'queued'
  if (kind === 'sending') return state.isStalled ? 'stalled' : 'sending'
  if (kind === 'verifying') return `verifying: ${state.next}`
  return kind === 'failed' ? `failed${state.mayDuplicate ? ', twice?' : state.isUncertain ? '?' : ''}` : kind
}

const unverified = (error: unknown): Report => ({ type: 'unverified', error })
const asking = [add, part, failed(lost)]
const missing = [...asking, missed(true)]

describe('nextUploads()', () => {
  // Events, whether the server can be queried, the state, and the effects.
  const table: readonly (readonly [string, readonly (Event | Report)[], boolean, string, string])[] = [
    ['add starts', [add], false, 'queued', 'send'],
    ['add with a hold waits', [hold], false, 'held: start', ''],
    ['start', [hold, action('start')], false, 'queued', 'send'],
    ['release', [hold, { type: 'release' }], false, 'queued', 'send'],
    ['a second start changes nothing', [add, action('start'), action('start')], false, 'queued', 'send'],
    ['progress', [add, part], false, 'sending', 'send'],
    ['a stall', [add, part, stalled], false, 'stalled', 'send'],
    ['a stall before anything was sent', [add, stalled], false, 'queued', 'send'],
    ['progress after a stall', [add, part, stalled, all], false, 'sending', 'send'],
    ['a start after a stall', [add, part, stalled, action('start')], false, 'queued', 'send stop send'],
    [
      'a start after a stall, with queries',
      [add, part, stalled, action('start')],
      true,
      'verifying: send',
      'send stop find',
    ],
    ['the response', [add, part, stored], false, 'stored', 'send'],
    ['the response of a short file', [add, stored], false, 'stored', 'send'],
    ['no failure after the response', [add, stored, failed(lost)], false, 'stored', 'send'],
    [
      'no start after the response',
      [add, stored, action('start'), action('cancel')],
      false,
      'stored',
      'send',
    ],
    ['a refusal', [add, all, failed(refused)], true, 'failed', 'send'],
    ['no response', [add, all, failed(lost)], false, 'failed?', 'send'],
    ['no response before anything was sent', [add, failed(lost)], false, 'failed', 'send'],
    ['no response, with queries', [add, part, failed(lost)], true, 'verifying: fail', 'send find'],
    ['a first miss', [add, part, failed(lost), missed(false)], true, 'verifying: fail', 'send find find'],
    [
      'a second miss',
      [add, part, failed(lost), missed(false), missed(true)],
      true,
      'failed',
      'send find find',
    ],
    ['a find', [add, part, failed(lost), stored], true, 'stored', 'send find'],
    [
      'a query that fails',
      [add, part, failed(lost), { type: 'unverified', error: lost }],
      true,
      'failed?',
      'send find',
    ],
    ['an outcome that will never be known', [add, part, failed(doubtful)], false, 'failed, twice?', 'send'],
    ['the end of the session', [add, part, failed(signedOut)], false, 'held: signed-out', 'send'],
    ['a cancellation', [add, part, action('cancel')], true, 'left', 'send stop'],
    ['a cancellation after everything was sent', [add, all, action('cancel')], false, 'left', 'send stop'],
    ['the same, with queries', [add, all, action('cancel')], true, 'verifying: leave', 'send stop find'],
    [
      'the same without known progress',
      [add, unknown, action('cancel')],
      true,
      'verifying: leave',
      'send stop find',
    ],
    [
      'no cancellation of a query',
      [add, all, action('cancel'), action('cancel')],
      true,
      'verifying: leave',
      'send stop find',
    ],
    [
      'a miss after a cancellation',
      [add, all, action('cancel'), missed(true)],
      true,
      'left',
      'send stop find',
    ],
    ['a find after a cancellation', [add, all, action('cancel'), stored], true, 'stored', 'send stop find'],
    ['no miss of what was not queried', [add, part, missed(true)], true, 'sending', 'send'],
    ['a removal', [add, part, action('remove')], true, 'left', 'send stop'],
    ['a removed element', [add, part, { type: 'abandon' }], true, 'gone', 'send stop'],
    ['a removed element with a file that waits', [hold, { type: 'abandon' }], true, 'held: start', ''],
    ['a start after that', [add, { type: 'abandon' }, action('start')], false, 'queued', 'send stop send'],
    ['a lost connection', [add, part, offline], false, 'held: offline', 'send stop'],
    ['a lost connection in the queue', [add, offline], false, 'queued', 'send'],
    ['a lost connection after the last byte', [add, all, offline], false, 'sending', 'send'],
    ['the connection is back', [add, part, offline, online], false, 'queued', 'send stop send'],
    [
      'the connection is back, with queries',
      [add, part, offline, online],
      true,
      'verifying: send',
      'send stop find',
    ],
    ['a failure without a connection', [add, offline, failed(lost)], false, 'held: offline', 'send'],
    [
      'the same with a second copy possible',
      [add, part, offline, online, part, failed(doubtful), offline, action('start'), failed(lost)],
      false,
      'failed, twice?',
      'send stop send send',
    ],
    [
      'no response after progress without a byte',
      [add, { ...part, sent: 0 }, failed(lost)],
      false,
      'failed?',
      'send',
    ],
    ['a start after a miss', [...missing, action('start')], true, 'verifying: send', 'send find find'],
    ['the same, and it is there', [...missing, action('start'), stored], true, 'stored', 'send find find'],
    [
      'the same, and it is not',
      [...missing, action('start'), missed(true)],
      true,
      'queued',
      'send find find send',
    ],
    [
      'a start after a query that fails',
      [...asking, unverified(lost), action('start')],
      true,
      'verifying: send',
      'send find find',
    ],
    ['a sign-out during a query', [...asking, unverified(signedOut)], true, 'held: signed-out', 'send find'],
    [
      'a start after that',
      [...asking, unverified(signedOut), action('start')],
      true,
      'verifying: send',
      'send find find',
    ],
    [
      'a query without a connection',
      [...asking, offline, unverified(lost)],
      true,
      'held: offline',
      'send find',
    ],
    [
      'the connection is back after that',
      [...asking, offline, unverified(lost), online],
      true,
      'verifying: send',
      'send find find',
    ],
    [
      'no cancellation of a query about a lost response',
      [...asking, action('cancel')],
      true,
      'verifying: fail',
      'send find',
    ],
    [
      'misses after an outcome that will never be known',
      [add, part, failed(doubtful), missed(true)],
      true,
      'failed, twice?',
      'send find',
    ],
    [
      'no second copy by itself',
      [add, all, offline, failed(doubtful), online],
      false,
      'failed, twice?',
      'send',
    ],
    ['a removed element after the last byte', [add, all, { type: 'abandon' }], true, 'gone', 'send stop'],
    [
      'a removed element after a failure',
      [add, failed(refused), { type: 'abandon' }],
      true,
      'failed',
      'send',
    ],
  ]
  for (const [name, events, canFind, state, effects] of table)
    it(name, () => {
      const result = after(canFind, ...events)
      assert.equal(word(result.state.items[0]?.state), state)
      assert.equal(result.effects.join(' '), effects)
    })

  it('changes nothing after a report of an earlier attempt', () => {
    const { state } = after(false, add, part, stalled, action('start'))
    for (const report of [part, stored, failed(lost)])
      assert.equal(
        nextUploads(state, { key: -1, attempt: 1, ...report } as Event, { canFind: false }).state,
        state,
      )
    const current = { key: -1, attempt: state.items[0]!.attempt, ...stored } as Event
    assert.notEqual(nextUploads(state, current, { canFind: false }).state, state, 'control')
  })

  it('changes the number of the key only after the proxy has reported an outcome', () => {
    const numberAfter = (error: unknown) =>
      after(false, add, part, failed(error), action('start')).state.items[0]!.keyNumber
    assert.deepEqual([lost, doubtful, refused].map(numberAfter), [0, 1, 1])
  })

  it('is uncertain until the proxy reports an outcome, and for ever if that is not known', () => {
    const failure = (status: number, facts?: object) =>
      new UnavailableError('uploadFile', `failed with status ${status}`, facts)
    const events: (Event | Report)[] = [add]
    for (const [error, expected] of [
      [lost, 'failed?'],
      // Responses of servers in between, and of the proxy before it has looked for the key.
      [failure(502), 'failed?'],
      [new RefusedError('uploadFile', 413), 'failed?'],
      [failure(429, { limitedUntil: 1 }), 'failed?'],
      [refused, 'failed'],
      [failure(429, { limitedUntil: 1 }), 'failed'],
      [failure(503, { outcome: 'none' }), 'failed'],
      [doubtful, 'failed, twice?'],
      // What the next attempts did says nothing about the one before.
      [refused, 'failed, twice?'],
      [lost, 'failed, twice?'],
    ] as const) {
      events.push({ ...part, sent: 0 }, failed(error))
      assert.equal(word(after(false, ...events).state.items[0]?.state), expected)
      events.push(action('start'))
    }
    const { state } = after(false, ...events, { type: 'abandon' })
    assert.deepEqual(state.items[0]?.state, { kind: 'gone', mayDuplicate: true })
  })

  it('stops after five lost connections, until people start again', () => {
    const flap: Event[] = [part as unknown as Event, offline, online]
    const flaps = Array.from({ length: 9 }, () => flap).flat()
    const { effects } = after(false, add, ...flaps)
    assert.equal(effects.filter((type) => type === 'send').length, 6)
    const again = after(false, add, ...flaps, action('start'), ...flaps)
    assert.equal(again.effects.filter((type) => type === 'send').length, 12)
  })

  it('continues after the same person has signed in, and only after a sign-out', () => {
    const signIn = (univid: string): UploadsAction<string, object> => ({ type: 'signed-in', univid })
    const waiting = [signIn('1'), add, part, failed(signedOut)]
    assert.equal(word(after(false, ...waiting, signIn('1')).state.items[0]?.state), 'held: signed-out')
    const out: Event = { type: 'signed-out' }
    assert.equal(word(after(false, ...waiting, out, signIn('1')).state.items[0]?.state), 'queued')
    const other = after(false, ...waiting, out, signIn('2'))
    assert.deepEqual([other.state.items, other.state.owner], [[], '2'])
    const running = after(false, signIn('1'), add, part, signIn('2'))
    assert.deepEqual([running.state.items, running.effects], [[], ['send', 'stop']])
  })

  it('keeps files that were chosen before it is known who is signed in, and failed ones through a sign-in', () => {
    const signIn: Event = { type: 'signed-in', univid: '1' }
    const { state } = after(false, hold, signIn, signIn)
    assert.deepEqual([state.items.length, state.owner], [1, '1'])
    const again = after(false, signIn, add, failed(refused), { type: 'signed-out' }, signIn)
    assert.equal(word(again.state.items[0]?.state), 'failed')
  })

  it('replaces and clears stored files apart from the others', () => {
    const files = ['1', '2'].map((value) => ({ value, name: value, size: 1, details: {} }))
    const mixed = [{ type: 'restore', stored: files }, add] as const
    const names = (...events: readonly Event[]) =>
      after(false, ...mixed, ...events).state.items.map(({ name, size }) => `${name} ${size}`)
    assert.deepEqual(names(), ['1 1', '2 1', 'a undefined'])
    const keys = after(false, ...mixed).state.items.map(({ key }) => key)
    const updates = keys
      .slice(1)
      .map((key): Event => ({ type: 'update', key, value: '2b', name: 'new', size: 7 }))
    assert.deepEqual(names(...updates), ['1 1', 'new 7', 'a undefined'])
    assert.deepEqual(names({ type: 'clear', kinds: ['queued'] }), ['1 1', '2 1'])
    assert.deepEqual(names({ type: 'clear', kinds: ['stored'] }), ['a undefined'])
  })

  it('returns the same state if nothing changes', () => {
    const { state } = after(false, { type: 'signed-in', univid: '1' }, add, stored)
    const { state: out } = after(false, { type: 'signed-out' })
    assert.equal(nextUploads(out, { type: 'signed-out' }, { canFind: false }).state, out)
    for (const event of [
      { type: 'signed-in', univid: '1' },
      { type: 'start', key: -1 },
      { type: 'cancel', key: -1 },
      { type: 'remove', key: -2 },
      { type: 'release' },
      { type: 'abandon' },
    ] as const)
      assert.equal(nextUploads(state, event, { canFind: false }).state, state, event.type)
  })
})
