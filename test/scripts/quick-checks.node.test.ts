import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { partsOf } from '../../scripts/test/quick-checks.mjs'

const sources = {
  'settings.json': '{}',
  'src/a.ts': "import type { B } from './b/b.ts'\nexport const a: B = 1\n",
  'src/b/b.ts': 'export type B = number\n',
  'src/c.ts': "export { a } from './a.ts'\nvoid import('./b/b.ts')\n",
  'docs/d.md': 'Text',
}

type By = 'content' | 'types' | 'imports'

/** Returns the names of the parts that run again after a file was changed. */
function partsAfter(by: By, change: Partial<typeof sources>): readonly string[] {
  const parts = (texts: Readonly<Record<string, string>>) =>
    partsOf(
      { name: 'lint', quick: { settings: ['settings.json'], files: /^src\//, by } },
      Object.keys(texts),
      (file) => texts[file] ?? 'missing',
    )
  const passed = new Set(parts(sources).map(({ hash }) => hash))
  return parts({ ...sources, ...change })
    .filter(({ hash }) => !passed.has(hash))
    .map(({ name }) => name)
}

describe('`npm run check` repeats a check', () => {
  it('of nothing if no file has changed, or only one that it does not read', () => {
    for (const by of ['content', 'types', 'imports'] as const) {
      assert.deepEqual(partsAfter(by, {}), [])
      assert.deepEqual(partsAfter(by, { 'docs/d.md': 'Other' }), [])
    }
  })

  it('of everything if the settings have changed', () => {
    const all = ['lint of src/a.ts', 'lint of src/b/b.ts', 'lint of src/c.ts']
    assert.deepEqual(partsAfter('content', { 'settings.json': '[]' }), all)
    assert.deepEqual(partsAfter('types', { 'settings.json': '[]' }), all)
    assert.deepEqual(partsAfter('imports', { 'settings.json': '[]' }), ['lint'])
  })

  it('of the changed file, and of those that import it if types matter', () => {
    const change = { 'src/b/b.ts': 'export type B = string\n' }
    assert.deepEqual(partsAfter('content', change), ['lint of src/b/b.ts'])
    assert.deepEqual(partsAfter('types', change), [
      'lint of src/a.ts',
      'lint of src/b/b.ts',
      'lint of src/c.ts',
    ])
  })

  it('of all boundaries if a statement that imports has changed, or a file is new', () => {
    const only = (text: string) => partsAfter('imports', { 'src/a.ts': text })
    assert.deepEqual(only("import type { B } from './b/b.ts'\nexport const a: B = 2\n"), [])
    assert.deepEqual(only("import { B } from './b/b.ts'\nexport const a: B = 1\n"), ['lint'])
    assert.deepEqual(only("import type {\n  B,\n} from './b.ts'\nexport const a: B = 1\n"), ['lint'])
    assert.deepEqual(partsAfter('imports', { 'src/e.ts': '' } as object), ['lint'])
    assert.deepEqual(
      partsAfter('imports', { 'src/c.ts': "export { a } from './a.ts'\nvoid import('./a.ts')\n" }),
      ['lint'],
    )
  })
})
