import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pagesOf } from '../../scripts/test/plan.mjs'
import { filesBelow } from '../../scripts/files.mjs'

const files = filesBelow('test').filter(
  (file) => file.endsWith('.test.ts') && !file.endsWith('.node.test.ts'),
)

describe('The pages of browser tests in other engines', () => {
  it('run each file once', () => {
    assert.deepEqual(pagesOf(files).flat().toSorted(), files.toSorted())
  })

  it('are shared by quick files only, and not by those that need elements before their definition', () => {
    const shared = pagesOf(files).filter((page) => page.length > 1)
    assert.ok(shared.length > 5 && shared.every((page) => page.length <= 8))
    for (const file of [
      'test/elements/configuration/configuration.test.ts',
      'test/elements/wf-attachments.test.ts',
    ])
      assert.ok(!shared.flat().includes(file), file)
    assert.ok(shared.flat().includes('test/elements/notices/announcer.test.ts'))
  })
})
