import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ESLint } from 'eslint'

const eslint = new ESLint()

/** Returns whether the rule against what old libraries replace reports a statement in a file. */
async function isReported(statement: string, filePath: string): Promise<boolean> {
  const [result] = await eslint.lintText(`${statement}\n`, { filePath })
  return result!.messages.some(({ ruleId }) => ruleId === 'no-restricted-syntax')
}

describe('The rule against what old libraries replace', () => {
  for (const statement of [
    'export class WfEvent extends Event {}',
    'export const made = class extends Event {}',
    "element.dispatchEvent(new Event('change'))",
    'export const codes = Array.from(text, (letter) => letter.codePointAt(0))',
  ]) {
    it(`forbids ${statement}`, async () => {
      for (const folder of ['client', 'contract/values', 'elements/wf-form'])
        assert.equal(await isReported(statement, `src/${folder}/example.ts`), true, folder)
    })

    it(`allows it on servers: ${statement}`, async () => {
      assert.equal(await isReported(statement, 'src/proxy/example.ts'), false)
    })
  }

  for (const statement of [
    'export class WfEvent extends CustomEvent {}',
    "element.dispatchEvent(new UIEvent('change'))",
    'export const copy = Array.from(texts)',
    'export const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0))',
  ])
    it(`allows ${statement}`, async () => {
      assert.equal(await isReported(statement, 'src/elements/example.ts'), false)
    })
})
