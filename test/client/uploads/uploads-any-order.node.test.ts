import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { RefusedError, SignedOutError, UnavailableError } from '../../../src/client/index.ts'
import { holdSends } from '../held-sends.ts'
import { createOneUpload } from './one-upload.ts'

// Random events on a fake clock. `transfer.test.ts` covers the rest in a browser.

describe('a transfer, in any order of events', () => {
  it('stores at most one copy and reports the truth', async (t) => {
    await fc.assert(property(t, 'checks'), { numRuns: 1000 })
  })

  it('without a way to check, stores one copy for each key and reports the truth', async (t) => {
    await fc.assert(property(t, 'keys'), { numRuns: 1000 })
  })

  it('would store two copies without the checks (control)', async (t) => {
    assert.equal((await fc.check(property(t, 'nothing'), { numRuns: 1000 })).failed, true)
  })
})

const events = [
  'start',
  'cancel',
  'abandon',
  'offline',
  'online',
  'bytes',
  'all bytes',
  'stored, no response',
  'stored, response',
  'no response',
  'refused',
  'signed out',
  'checks fail',
  'checks work',
  'wait',
] as const

type Defence = 'checks' | 'keys' | 'nothing'

function property(t: TestContext, defence: Defence) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const pass = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const lists = fc.array(fc.constantFrom(...events), { maxLength: 25 })
  return fc.asyncProperty(lists, (list) => runEvents(list, defence, pass))
}

/**
 * Applies random events to a transfer. The server stores each complete upload and can be checked, or stores one copy for each
 * key and cannot be checked, or does neither. Checks the state after each event.
 */
async function runEvents(
  list: readonly (typeof events)[number][],
  defence: Defence,
  pass: (milliseconds: number) => Promise<void>,
): Promise<void> {
  const stored: string[] = []
  const keys = new Set<string>()
  const window = new EventTarget()
  const { sends, send } = holdSends()
  const ended = new Set<object>()
  let canCheck = true
  let requested = 0

  const transfer = createOneUpload({
    send,
    find:
      defence === 'keys'
        ? undefined
        : async () => {
            if (!canCheck) throw lost()
            return defence === 'checks' ? stored[0] : undefined
          },
    onChange: () => {},
    lag: 1,
    now: Date.now,
    window,
  })

  const arrive = () => {
    const last = sends.at(-1)!
    last.progress(100, 100)
    if (defence !== 'keys' || !keys.has(last.key)) stored.push(`copy ${stored.length + 1}`)
    keys.add(last.key)
    return last
  }

  for (const next of list) {
    const open = sends.at(-1)
    const isOpen = open && !open.signal.aborted && !ended.has(open)
    if (next === 'start') {
      requested++
      transfer.start()
    } else if (next === 'cancel') transfer.cancel()
    else if (next === 'abandon') transfer.abandon()
    else if (next === 'offline') window.dispatchEvent(new Event('offline'))
    else if (next === 'online') {
      requested++
      window.dispatchEvent(new Event('online'))
    } else if (next === 'checks fail') canCheck = false
    else if (next === 'checks work') canCheck = true
    // The upload stalls.
    else if (next === 'wait') await pass(30_000)
    else if (isOpen && next === 'bytes') open.progress(50, 100)
    else if (isOpen && next === 'all bytes') open.progress(100, 100)
    else if (isOpen) {
      ended.add(open)
      if (next === 'stored, response') arrive().respond(stored[0]!)
      else if (next === 'stored, no response') arrive().fail(lost())
      else if (next === 'no response') open.fail(lost())
      else if (next === 'refused') open.fail(new RefusedError('uploadFile', 400))
      else open.fail(new SignedOutError('uploadFile', 'needs someone to sign in'))
    }
    // The second look of a check is 1 ms after the first.
    for (let look = 0; look < 2; look++) await pass(1)

    const { state } = transfer
    assert.ok(stored.length <= 1, 'copies on the server')
    assert.ok(sends.length <= requested, 'sends only on request')
    assert.ok(sends.filter((send) => !send.signal.aborted && !ended.has(send)).length <= 1)
    if (state.kind === 'stored') assert.equal(stored.length, 1)
    if (state.kind === 'failed' && !state.isUncertain) assert.equal(stored.length, 0)
  }
}

const lost = () => new UnavailableError('uploadFile', 'got no usable response')
