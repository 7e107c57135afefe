import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  ForbiddenError,
  NoProxyError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../../../src/client/transport/errors.ts'
import { carryOut, type Change, UnknownOutcomeError } from '../../../src/elements/wf-form/state/carry-out.ts'

const lost = new UnavailableError('createPackage', 'got no valid response', { isTransient: true })
const forbidden = new ForbiddenError('createPackage', 'is not allowed')
const signedOut = new SignedOutError('createPackage', 'needs a sign-in')
const noProxy = new NoProxyError('createPackage', '/api/wf')
const invalid = new RefusedError('createPackage', 422, { refusedBy: 'service' })
const wrongState = new RefusedError('routePackage', 409)
const keyReused = new RefusedError('createPackage', 422)
/** Refused because of a limit, which ends in some ms. */
const limited = (wait: number) =>
  new UnavailableError('createPackage', 'failed with status 429', { limitedUntil: wait })

describe('carryOut()', () => {
  it('throws the error of the client if the first attempt was refused: nothing was changed', async (t) => {
    for (const error of [forbidden, signedOut, noProxy, invalid, keyReused, limited(60_000)]) {
      const { keys, outcome } = start(t, [error])
      assert.equal(await outcome, error)
      assert.equal(keys.length, 1)
    }
  })

  it('repeats a lost attempt with the same key, and then does not know the outcome', async (t) => {
    for (const responses of [
      [lost, lost, lost],
      [lost, forbidden],
      [lost, signedOut],
      [lost, noProxy],
      [lost, keyReused],
      [lost, limited(60_000)],
    ]) {
      const { keys, outcome } = start(t, responses)
      const error = await outcome
      assert.ok(error instanceof UnknownOutcomeError)
      assert.equal(`${error}`, 'UnknownOutcomeError: It is not known whether the change was carried out')
      assert.equal(error.cause, responses.at(-1))
      assert.equal(keys.length, responses.length)
      assert.equal(new Set(keys).size, 1)
    }
  })

  it('trusts the repetition: it has the result, or the refusal of the service', async (t) => {
    assert.equal(await start(t, [lost, 'done']).outcome, 'done')
    assert.equal(await start(t, [lost, invalid]).outcome, invalid)
    assert.equal(await start(t, [lost, wrongState]).outcome, wrongState)
  })

  it('waits longer before each attempt, and no two pages wait equally long', async (t) => {
    const { waits, outcome } = start(t, [lost, lost, 'done'])
    t.mock.method(Math, 'random', () => 0.5)
    assert.equal(await outcome, 'done')
    assert.deepEqual(waits(), [750, 1500])
  })

  it('waits for a limit that ends soon, without a doubt about the outcome', async (t) => {
    assert.equal(await start(t, [limited(3000), 'done']).outcome, 'done')
    assert.equal(await start(t, [limited(8000), 'done'], {}, 5000).outcome, 'done')
    const late = limited(3001)
    assert.equal(await start(t, [late]).outcome, late)
    const { outcome } = start(t, [limited(2000), limited(2000), forbidden])
    assert.equal(await outcome, forbidden)
    const { keys, outcome: last } = start(t, [limited(0), limited(0), limited(0)])
    assert.ok((await last) instanceof UnavailableError)
    assert.equal(keys.length, 3)
  })

  it('begins with a doubt if the change may have been sent before', async (t) => {
    const { keys, outcome } = start(t, [forbidden], { key: '"known"', isRepeated: true })
    assert.ok((await outcome) instanceof UnknownOutcomeError)
    assert.deepEqual(keys, ['"known"'])
  })

  it('reads whether a lost change, or one in conflict, was carried out', async (t) => {
    const found = await start(t, [lost], { find: () => Promise.resolve('found') }).outcome
    assert.equal(found, 'found')
    assert.equal(await start(t, [wrongState], { find: () => Promise.resolve('found') }).outcome, 'found')
    const absent = { find: () => Promise.resolve(undefined) }
    assert.equal(await start(t, [wrongState], absent).outcome, wrongState)
    for (const error of [forbidden, invalid, limited(60_000)])
      assert.equal(await start(t, [error], { find: () => Promise.resolve('found') }).outcome, error)
  })

  it('takes a new key only after two reads have shown that nothing was changed', async (t) => {
    const { keys } = await end(start(t, [lost, lost, lost], { find: () => Promise.resolve(undefined) }))
    assert.equal(keys[0], keys[1])
    assert.notEqual(keys[1], keys[2])
    const unreadable = { find: () => Promise.reject(lost) }
    const { keys: same } = await end(start(t, [lost, lost, lost], unreadable))
    assert.equal(new Set(same).size, 1)
  })
})

interface Run {
  /** The keys of all attempts. */
  readonly keys: readonly string[]
  /** Returns the pauses so far, in ms. */
  readonly waits: () => unknown[]
  /** The result, or the error. */
  readonly outcome: Promise<unknown>
}

/** Carries out a change whose attempts get these responses. Time passes by itself. */
function start(
  t: TestContext,
  responses: readonly (Error | string)[],
  change: Partial<Change<string>> = {},
  now = 0,
): Run {
  const timer = t.mock.method(globalThis, 'setTimeout', (run: () => void) => queueMicrotask(run))
  t.mock.method(Date, 'now', () => now)
  const keys: string[] = []
  const outcome = carryOut({
    ...change,
    send: (key) => {
      const response = responses[keys.length]
      keys.push(key)
      if (response === undefined) throw new Error('Another attempt was not expected')
      return response instanceof Error ? Promise.reject(response) : Promise.resolve(response)
    },
  })
    .catch((error: unknown) => error)
    .finally(() => timer.mock.restore())
  return { keys, waits: () => timer.mock.calls.map((call): unknown => call.arguments.at(1)), outcome }
}

async function end(run: Run): Promise<Run> {
  await run.outcome
  return run
}
