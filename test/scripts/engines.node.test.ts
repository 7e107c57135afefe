import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { dependsOnEngine, engineTag, isNodeTest, listTestFiles } from '../../scripts/test/test-files.mjs'

const browserTests = listTestFiles().filter((file) => !isNodeTest(file))

/** Returns the titles of the tests in a formatted source that press keys or move the mouse, after those of their suites. */
function testsWithInput(source: string): readonly string[] {
  const found: string[] = []
  const suites: { indent: number; title: string }[] = []
  let test: { indent: number; title: string } | undefined
  for (const line of source.split('\n')) {
    const indent = line.search(/\S/)
    const [, kind, , title] = /^\s*(it|describe)\((['"`])(.*)\2/.exec(line) ?? []
    if (title !== undefined) {
      while (suites.length > 0 && suites.at(-1)!.indent >= indent) suites.pop()
      const full = [...suites.map((suite) => suite.title), title].join(' › ')
      if (kind === 'describe') suites.push({ indent, title })
      test = kind === 'it' ? { indent, title: full } : undefined
    } else if (test && indent >= 0 && indent <= test.indent && !line.trim().startsWith('}')) test = undefined
    if (test && /\bsend(?:Keys|Mouse)\(/.test(line) && found.at(-1) !== test.title) found.push(test.title)
  }
  return found
}

describe('the tests that run in all engines', () => {
  it('are in each file that presses keys or moves the mouse', () => {
    const withInput = browserTests.filter((file) => /\bsend(?:Keys|Mouse)\(/.test(readFileSync(file, 'utf8')))
    assert.ok(withInput.length > 5)
    assert.deepEqual(
      withInput.filter((file) => !dependsOnEngine(file)),
      [],
      `Add "${engineTag}" to the titles of the tests that need it.`,
    )
  })

  it('contain each one that presses keys or moves the mouse itself', () => {
    const all = browserTests.flatMap((file) =>
      testsWithInput(readFileSync(file, 'utf8')).map((title) => `${file}: ${title}`),
    )
    assert.ok(all.length > 40, `${all.length}`)
    assert.deepEqual(
      all.filter((title) => !title.includes(engineTag)),
      [],
      `Add "${engineTag}" to these titles.`,
    )
  })

  it('are found by their titles and those of their suites (control)', () => {
    const source = `describe('One', () => {
  it('a', async () => {
    await sendKeys({ press: 'Tab' })
  })
  it('b', async () => {})
  describe('Two ${engineTag}', () => {
    it('c', async () => {
      await sendMouse({ type: 'click' })
    })
  })
})
async function helper() {
  await sendKeys({ press: 'Tab' })
}`
    assert.deepEqual(testsWithInput(source), ['One › a', `One › Two ${engineTag} › c`])
  })

  it('are not those of what is the same in all engines', () => {
    assert.equal(dependsOnEngine('test/stories/stories.test.ts'), false)
  })
})
