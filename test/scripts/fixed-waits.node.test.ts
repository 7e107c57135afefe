import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ESLint } from 'eslint'

const eslint = new ESLint()

/** Returns whether the rules about waits report a statement of a test. */
async function isReported(statement: string): Promise<boolean> {
  const text = `export async function test() {\n${statement}\n}\n`
  const [result] = await eslint.lintText(text, { filePath: 'test/example.node.test.ts' })
  return result!.messages.some(({ ruleId }) => ruleId === 'no-restricted-syntax')
}

describe('The rule against fixed waits', () => {
  for (const wait of [
    'await new Promise((resolve) => setTimeout(resolve, 20))',
    'await new Promise((resolve) => setTimeout(() => resolve(1), 20))',
    'await new Promise<void>((resolve) => void setTimeout(resolve, 20))',
    'const later = (time: number) => new Promise((resolve) => setTimeout(resolve, time))',
    'return new Promise((done) => setTimeout(done, 20))',
    'await pause(20)',
    'await page.waitForTimeout(20)',
    'requestAnimationFrame(() => requestAnimationFrame(done))',
  ])
    it(`forbids ${wait}`, async () => {
      assert.equal(await isReported(wait), true)
    })

  for (const statement of [
    'await new Promise((resolve) => setTimeout(resolve))',
    'while (!isReady()) await new Promise((resolve) => setTimeout(resolve, 20))',
    'for (;;) await pause(20)',
    'await new Promise((_, reject) => setTimeout(() => reject(new Error()), 20))',
    'const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))',
    'await until(() => isReady(), () => pause(20))',
  ])
    it(`allows ${statement}`, async () => {
      assert.equal(await isReported(statement), false)
    })
})

describe('The rule about waits for a text', () => {
  it('demands the first of several', async () => {
    assert.equal(await isReported(`await form.getByText('Saved.').waitFor()`), true)
    assert.equal(await isReported(`await form.getByText('Saved.').first().waitFor()`), false)
  })
})
