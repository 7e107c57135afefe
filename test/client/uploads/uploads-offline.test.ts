import { expect } from '@open-wc/testing'
import { UnavailableError } from '../../../src/client/index.ts'
import { waitUntil } from '../../wait-until.ts'
import { createOneUpload, type Summary } from './one-upload.ts'

describe('a transfer that fails @engines', () => {
  for (const [name, isOnline, expected] of [
    ['pauses if the browser was offline when it started', false, 'paused'],
    ['does not pause if the browser was online when it started (control)', true, 'failed'],
  ] as const) {
    it(name, async () => {
      const states: Summary[] = []
      const transfer = createOneUpload({
        send: () => Promise.reject(new UnavailableError('uploadFile', 'got no valid response')),
        onChange: (state) => states.push(state),
        window: new EventTarget(),
      })
      // No browser can be offline while the test runner needs its connection.
      Object.defineProperty(navigator, 'onLine', { configurable: true, value: isOnline })
      try {
        transfer.start()
      } finally {
        Reflect.deleteProperty(navigator, 'onLine')
      }
      await waitUntil(() => transfer.state.kind !== 'waiting', 'the transfer still waits')
      expect(states.map(({ kind }) => kind)).to.deep.equal(['waiting', expected])
    })
  }
})
