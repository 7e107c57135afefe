import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createPoller, type PollerOptions } from '../../../src/client/reads/poller.ts'

describe('createPoller()', () => {
  it('polls at each interval until it is stopped', (t) => {
    const { poller, polls, wait } = startPoller(t, { interval: 1000 })
    wait(999)
    assert.equal(polls(), 0)
    wait(1)
    assert.equal(polls(), 1)
    wait(2000)
    assert.equal(polls(), 3)
    poller.stop()
    wait(10_000)
    assert.equal(polls(), 3)
  })

  it('keeps its schedule when it is started again', (t) => {
    const { poller, polls, wait, page } = startPoller(t, { interval: 1000 })
    wait(600)
    poller.start()
    wait(400)
    assert.equal(polls(), 1)
    assert.equal(page.listenerCount, 4)
  })

  it('does not poll while the page is hidden, and polls once when it is shown again', (t) => {
    const { polls, wait, page } = startPoller(t, { interval: 1000 })
    page.setVisibility('hidden')
    wait(60_000)
    assert.equal(polls(), 0)
    page.setVisibility('visible')
    assert.equal(polls(), 1)
    wait(1000)
    assert.equal(polls(), 2)
  })

  it('does not poll when the page is hidden, however long after the last poll', (t) => {
    const { polls, wait, page } = startPoller(t, { interval: 60_000 })
    wait(30_000)
    page.setVisibility('hidden')
    assert.equal(polls(), 0)
    page.setVisibility('visible')
    assert.equal(polls(), 1)
  })

  it('may be stopped before it starts, and twice', (t) => {
    const { poller, page } = startPoller(t)
    poller.stop()
    poller.stop()
    createPoller({ window: page.window, onPoll: () => {} }).stop()
    assert.equal(page.listenerCount, 0)
  })

  it('does not start to poll in a hidden page, not even after a failure or a change of live events', (t) => {
    const { poller, polls, wait, page } = startPoller(t, { interval: 1000, isHidden: true })
    wait(60_000)
    poller.report(false)
    poller.setLive(true)
    const before = polls()
    poller.setLive(false)
    wait(60_000)
    assert.equal(polls(), before)
    page.setVisibility('visible')
    wait(1000)
    assert.ok(polls() > before)
  })

  for (const type of ['focus', 'online', 'pageshow']) {
    it(`polls on ${type}, but not within a second after another poll`, (t) => {
      const { polls, wait, page } = startPoller(t, { interval: 60_000 })
      wait(1000)
      page.window.dispatchEvent(new Event(type))
      assert.equal(polls(), 0, 'exactly a second')
      wait(1)
      page.window.dispatchEvent(new Event(type))
      assert.equal(polls(), 1)
      page.window.dispatchEvent(new Event('focus'))
      page.setVisibility('visible')
      assert.equal(polls(), 1)
    })
  }

  it('removes all its listeners when it is stopped, each time', (t) => {
    const { poller, polls, wait, page } = startPoller(t, { interval: 60_000 })
    for (let round = 0; round < 3; round++) {
      assert.equal(page.listenerCount, 4)
      poller.stop()
      assert.equal(page.listenerCount, 0)
      wait(5000)
      page.window.dispatchEvent(new Event('focus'))
      assert.equal(polls(), 0)
      poller.start()
    }
  })

  it('waits longer after each failed poll, up to the maximum, and as usual after a success (F01)', (t) => {
    const { poller, polls, wait } = startPoller(t, { interval: 1000, maxBackoff: 8000 })
    for (const expected of [2000, 4000, 8000, 8000]) {
      poller.report(false)
      assert.equal(waitUntilPoll(polls, wait), expected)
    }
    poller.report(true)
    assert.equal(waitUntilPoll(polls, wait), 1000)
    poller.report(false)
    assert.equal(waitUntilPoll(polls, wait), 2000, 'the count starts again')
  })

  it('counts several failures of one poll as one', (t) => {
    const { poller, polls, wait } = startPoller(t, { interval: 1000 })
    poller.report(false)
    poller.report(true)
    poller.report(false)
    poller.report(false)
    assert.equal(waitUntilPoll(polls, wait), 2000)
  })

  it('does not poll before the time that the proxy asks for (F20)', (t) => {
    const { poller, polls, wait } = startPoller(t, { interval: 1000 })
    poller.report(false, 30_000)
    wait(29_999)
    assert.equal(polls(), 0)
    wait(1)
    assert.equal(polls(), 1)
  })

  it('takes the longer of the two: the backoff, or the time that the proxy asks for', (t) => {
    const { poller, polls, wait } = startPoller(t, { interval: 1000 })
    poller.report(false, 500)
    assert.equal(waitUntilPoll(polls, wait), 2000)
  })

  it('does not poll for minutes while live events arrive, and as before when they stop', (t) => {
    const { poller, polls, wait, page } = startPoller(t)
    poller.setLive(true)
    wait(4900)
    for (const type of ['focus', 'online', 'pageshow']) page.window.dispatchEvent(new Event(type))
    page.setVisibility('hidden')
    page.setVisibility('visible')
    assert.equal(polls(), 0, 'the person has returned at once')
    wait(75_000)
    assert.equal(polls(), 0, 'after 75 seconds')
    page.window.dispatchEvent(new Event('focus'))
    assert.equal(polls(), 1, 'the person has returned after a while')
    wait(299_900)
    assert.equal(polls(), 1)
    wait(100)
    assert.equal(polls(), 2)
    poller.setLive(false)
    assert.equal(waitUntilPoll(polls, wait), 10_000)
  })

  it('polls less often while live events arrive, and once at their start unless it has just polled', (t) => {
    const { poller, polls, wait } = startPoller(t, { interval: 10_000, liveInterval: 60_000 })
    wait(5000)
    poller.setLive(true)
    assert.equal(polls(), 0, 'it started five seconds ago')
    poller.setLive(false)
    wait(1)
    poller.setLive(true)
    assert.equal(polls(), 1)
    wait(6000)
    poller.setLive(true)
    assert.equal(polls(), 1, 'they have not stopped')
    wait(53_999)
    assert.equal(polls(), 1)
    wait(1)
    assert.equal(polls(), 2)
    poller.setLive(false)
    assert.equal(waitUntilPoll(polls, wait), 10_000)
  })

  it('polls when live events start right after a poll that failed', (t) => {
    const { poller, polls, wait } = startPoller(t)
    wait(10_000)
    poller.report(false)
    wait(100)
    poller.setLive(true)
    assert.equal(polls(), 2)
  })

  it('polls outside browsers, where there is no document', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    let polls = 0
    const poller = createPoller({ interval: 1000, onPoll: () => polls++ })
    poller.start()
    for (let second = 0; second < 3; second++) t.mock.timers.tick(1000)
    poller.stop()
    assert.equal(polls, 3)
  })
})

/** Starts a poller in a fake page with fake time. The random part of a wait has its maximum. */
function startPoller(
  t: TestContext,
  { isHidden = false, ...options }: Partial<PollerOptions> & { isHidden?: boolean } = {},
) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
  const page = createPage(isHidden ? 'hidden' : 'visible')
  let count = 0
  const poller = createPoller({ ...options, window: page.window, random: () => 1, onPoll: () => count++ })
  poller.start()
  // In steps, because a tick fires only the timers that were set before it.
  const wait = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) t.mock.timers.tick(Math.min(100, ms - passed))
  }
  return { poller, page, polls: () => count, wait }
}

/** Returns how many milliseconds pass before the next poll, in steps of 100. */
function waitUntilPoll(polls: () => number, wait: (ms: number) => void): number {
  const before = polls()
  for (let passed = 100; passed <= 100_000; passed += 100) {
    wait(100)
    if (polls() > before) return passed
  }
  throw new Error('No poll in 100 seconds')
}

function createPage(visibilityState: DocumentVisibilityState) {
  let listenerCount = 0
  class Target extends EventTarget {
    override addEventListener(...[type, listener, options]: Parameters<EventTarget['addEventListener']>) {
      listenerCount++
      const { signal } = options as AddEventListenerOptions
      signal?.addEventListener('abort', () => listenerCount--)
      super.addEventListener(type, listener, options)
    }
  }
  const document = Object.assign(new Target(), { visibilityState })
  return {
    window: Object.assign(new Target(), { document }),
    get listenerCount() {
      return listenerCount
    },
    setVisibility(state: DocumentVisibilityState): void {
      document.visibilityState = state
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
}
