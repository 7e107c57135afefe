import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRevalidation } from '../../../src/client/reads/revalidation.ts'

describe('a function that createRevalidation() returns to stop a listener', () => {
  it('may be called again, which changes and reports nothing', async () => {
    const reported: (readonly string[])[] = []
    const { watch } = createRevalidation({
      onInvalidate: () => {},
      onScopes: (scopes) => reported.push(scopes),
    })
    const stop = watch('6025/42', () => {})
    await new Promise(setImmediate)
    for (let call = 0; call < 3; call++) {
      stop()
      await new Promise(setImmediate)
    }
    assert.deepEqual(reported, [['6025/42'], []])
  })
})
