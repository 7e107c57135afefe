import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Limiter } from '../../src/proxy/admission/limiter.ts'
import { until } from './until.ts'

// What every limiter has to do, whoever shares it.

/** Tests a limiter. `open` opens one that has counted nothing. */
export function testLimiter(name: string, open: () => Promise<Limiter>): void {
  describe(`${name} as a limiter`, () => {
    it('limits the places of each person and each kind, at exactly the limit', async () => {
      const { hold } = await open()
      const results = await Promise.all(Array.from({ length: 5 }, () => hold('files', '1', 2)))
      assert.equal(results.filter((release) => release !== undefined).length, 2)
      assert.notEqual(await hold('files', '2', 2), undefined)
      assert.notEqual(await hold('streams', '1', 2), undefined)
    })

    it('gives a place back once, even if it is released twice', async () => {
      const { hold } = await open()
      const release = await hold('files', '1', 2)
      await hold('files', '1', 2)
      release?.()
      release?.()
      // A limiter carries out these in the order of the calls, so the second release comes before the third hold.
      await until(async () => (await hold('files', '1', 2)) !== undefined)
      assert.equal(await hold('files', '1', 2), undefined)
    })

    it('counts within a window, per person and kind, and names the seconds until the next time', async () => {
      const { count } = await open()
      const hour = 3_600_000
      assert.deepEqual([await count('packages', '1', 2, hour), await count('packages', '1', 2, hour)], [0, 0])
      const wait = await count('packages', '1', 2, hour)
      assert.ok(wait > 3500 && wait <= 3600, `${wait}`)
      assert.equal(await count('packages', '2', 2, hour), 0)
      assert.equal(await count('requests', '1', 2, hour), 0)
    })

    it('does not count refused times, and allows more when the window has passed', async () => {
      const { count } = await open()
      assert.equal(await count('requests', '1', 1, 300), 0)
      const start = Date.now()
      await until(
        async () => (await count('requests', '1', 1, 300)) === 0,
        () => pause(5),
      )
      // Clocks of two programs may differ by a few milliseconds.
      assert.ok(Date.now() - start >= 250, `${Date.now() - start} ms`)
    })
  })
}
