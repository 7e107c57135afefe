import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { faults } from '../../tools/lab/faults/index.ts'
import { reliabilityPage } from '../../tools/lab/page.ts'
import { readResults } from '../../tools/lab/results.ts'

const root = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')

describe('docs/reliability.md', () => {
  it('is what the table says', async () => {
    const fix = 'Update it with: npm run lab -- page'
    assert.equal(read('docs/reliability.md'), await reliabilityPage(), fix)
  })

  it('has each of the 60 faults once', () => {
    const wanted = Array.from({ length: 60 }, (_, index) => `F${String(index + 1).padStart(2, '0')}`)
    assert.deepEqual(faults.map(({ id }) => id).toSorted(), wanted)
    const page = read('docs/reliability.md')
    for (const id of wanted) assert.equal(page.split(`\n| ${id} |`).length, 2, id)
  })

  it('lists faults whose tests and controls have all been run', () => {
    const { faults: results } = readResults()
    for (const { id, proofs } of faults) {
      const result = results[id]
      assert.equal(result?.proofs.length, proofs.length, `${id} has changed. Run it: npm run lab -- ${id}`)
      const isFine = result?.proofs.every((outcome) => outcome === 'passed')
      assert.ok(isFine, `${id} has not passed`)
      assert.equal(result?.control, 'noticed', id)
    }
  })
})

describe('the table of the fault laboratory', () => {
  it('names tests that exist', () => {
    const missing = faults.flatMap(({ id, proofs, control }) =>
      [...proofs, control.noticedBy]
        .filter(({ file, test }) => !hasTest(read(file), test))
        .map(({ file, test }) => `${id}: ${file} has no test "${test}"`),
    )
    assert.deepEqual(missing, [])
  })

  it('removes code that each file contains exactly once', () => {
    for (const { id, control } of faults) {
      assert.equal(read(control.file).split(control.from).length, 2, id)
    }
  })
})

/** Whether a source contains a name, or a template with one of its parts. */
function hasTest(source: string, test: string): boolean {
  const plain = source.replaceAll("\\'", "'")
  if (plain.includes(test)) return true
  const parts = [...plain.matchAll(/\bit\(\s*`([^`]+)`/g)].flatMap(([, text = '']) =>
    text.split(/\$\{[^}]*\}/),
  )
  return parts.some((part) => part.trim().length >= 6 && test.includes(part.trim()))
}
