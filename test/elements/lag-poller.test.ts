import { expect } from '@open-wc/testing'
import { LagPoller } from '../../src/elements/wf-attachments/lag-poller.ts'

describe('LagPoller', () => {
  it('doubles the delay while the list lags, and resets it after that', () => {
    const { poller, delays } = create()
    for (const isLagging of [true, true, true, false, true]) poller.update(isLagging)
    expect(delays).to.deep.equal([3000, 6000, 12_000, 3000])
  })

  it('has one timer at a time, and none while the element is not in the page', () => {
    const { poller, pending } = create()
    poller.update(true)
    poller.update(true)
    expect(pending.size).to.equal(1)
    poller.hostDisconnected()
    expect(pending.size).to.equal(0)
    poller.hostConnected()
    expect(pending.size, 'back in the page').to.equal(1)
    poller.update(false)
    expect(pending.size).to.equal(0)
    poller.hostConnected()
    expect(pending.size, 'nothing lags').to.equal(0)
  })

  it('refreshes when the timer fires', () => {
    const { poller, pending, refreshed } = create()
    poller.update(true)
    for (const callback of pending.values()) callback()
    expect(refreshed.length).to.equal(1)
  })
})

/** Creates a poller whose timers fire only when the test calls them. */
function create() {
  const pending = new Map<number, () => void>()
  const delays: number[] = []
  const refreshed: string[] = []
  const host = {
    addController() {},
    removeController() {},
    requestUpdate() {},
    updateComplete: Promise.resolve(true),
  }
  const poller = new LagPoller(host, {
    refresh: () => refreshed.push('refreshed'),
    setTimeout: (callback, delay) => {
      pending.set(delays.push(delay), callback)
      return delays.length as unknown as ReturnType<typeof setTimeout>
    },
    clearTimeout: (timer) => pending.delete(timer as unknown as number),
  })
  return { poller, pending, delays, refreshed }
}
