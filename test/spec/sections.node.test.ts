import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { sections } from './sections.ts'

describe('test/spec', () => {
  for (const [section, file] of Object.entries(sections)) {
    it(`has a test for ${section}`, async () => {
      const source = await readFile(new URL(`${file}.node.test.ts`, import.meta.url), 'utf8')
      assert.ok(source.includes(`describeSection('${section}', `))
    })
  }
})
