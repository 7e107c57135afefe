import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pagesOf } from '../../scripts/test/plan.mjs'
import { filesBelow } from '../../scripts/files.mjs'

const files = filesBelow('test').filter(
  (file) => file.endsWith('.test.ts') && !file.endsWith('.node.test.ts'),
)

describe('The pages of browser tests in other engines', () => {
  const slow = 'test/elements/wf-attachments.test.ts'
  const sharedBy = (isAll: boolean) => pagesOf(files, isAll).filter((page) => page.length > 1)

  it('run each file once', () => {
    for (const isAll of [true, false])
      assert.deepEqual(pagesOf(files, isAll).flat().toSorted(), files.toSorted())
  })

  it('are shared by at most 16 files, but not by those that need elements before their definition', () => {
    const shared = sharedBy(false)
    assert.ok(shared.length > 5 && shared.every((page) => page.length <= 16))
    assert.ok(!shared.flat().includes('test/elements/configuration/configuration.test.ts'))
    assert.ok(shared.flat().includes(slow))
  })

  it('are shared by quick files only if all tests run', () => {
    const shared = sharedBy(true)
    assert.ok(shared.every((page) => page.length <= 8) && !shared.flat().includes(slow))
    assert.ok(shared.flat().includes('test/elements/notices/announcer.test.ts'))
  })
})
