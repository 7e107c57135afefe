import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { dependsOnEngine, isNodeTest, listTestFiles } from '../../scripts/test/test-files.mjs'

const browserTests = listTestFiles().filter((file) => !isNodeTest(file))

describe('dependsOnEngine()', () => {
  it('is true for each browser test that presses keys or moves the mouse', () => {
    const withInput = browserTests.filter((file) => /\bsend(?:Keys|Mouse)\(/.test(readFileSync(file, 'utf8')))
    assert.ok(withInput.length > 5)
    assert.deepEqual(
      withInput.filter((file) => !dependsOnEngine(file)),
      [],
      'Begin these files with "// In all engines: " and the reason.',
    )
  })

  it('is false for tests of what is the same in all engines', () => {
    assert.equal(dependsOnEngine('test/stories/stories.test.ts'), false)
  })
})
