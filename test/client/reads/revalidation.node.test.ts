import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRevalidation } from '../../../src/client/reads/revalidation.ts'

describe('createRevalidation()', () => {
  it('reports the scopes that are watched once for all changes of a moment, each time', async () => {
    const reported: (readonly string[])[] = []
    const { watch } = createRevalidation({
      onInvalidate: () => {},
      onScopes: (scopes) => reported.push(scopes),
    })
    const first = watch('6025/42', () => {})
    const second = watch('6025/43', () => {})
    watch('6025/42', () => {})()
    await Promise.resolve()
    assert.deepEqual(reported, [['6025/42', '6025/43']])

    first()
    await Promise.resolve()
    second()
    await Promise.resolve()
    assert.deepEqual(reported.slice(1), [['6025/43'], []])
  })
})
