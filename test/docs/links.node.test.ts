import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, it } from 'node:test'
import { type Document, parseDocument, readDocuments, root } from './documents.ts'

describe('links between documents', () => {
  it('lead to existing files and anchors', () => {
    assert.deepEqual(broken(readDocuments()), [])
  })

  it('lead from the README to all documents', () => {
    assert.deepEqual(unreachable(readDocuments()), [])
  })

  it('are reported if they lead nowhere (control)', () => {
    const documents = [
      parseDocument(
        'README.md',
        '# A\n\n[one](docs/gone.md) [two](docs/proxy.md#gone) [three](#a) ![](docs/gone.png)',
      ),
      parseDocument('docs/proxy.md', '# There\n\n[up](../README.md#b)\n'),
      parseDocument('docs/lonely.md', '# Nobody comes\n'),
    ]
    assert.deepEqual(broken(documents), [
      'README.md: docs/gone.md',
      'README.md: docs/proxy.md#gone',
      'README.md: docs/gone.png',
      'docs/proxy.md: ../README.md#b',
    ])
    assert.deepEqual(unreachable(documents), ['docs/lonely.md'])
  })
})

/** Returns the links that lead nowhere. Does not follow links to other sites. */
function broken(documents: readonly Document[]): readonly string[] {
  return documents.flatMap((document) =>
    document.links
      .filter((link) => !/^(?:https?|mailto):/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const file = path === '' ? document.file : posix.join(posix.dirname(document.file), path)
        const target = documents.find((each) => each.file === file)
        if (target) return anchor !== undefined && !target.anchors.has(anchor)
        return !existsSync(root + file)
      })
      .map((link) => `${document.file}: ${link}`),
  )
}

/** Returns the documents that no chain of links from the README leads to. */
function unreachable(documents: readonly Document[]): readonly string[] {
  const found = new Set<string>(['README.md'])
  for (const file of found) {
    for (const link of documents.find((each) => each.file === file)?.links ?? [])
      found.add(posix.join(posix.dirname(file), link.split('#')[0] ?? ''))
  }
  return documents.map(({ file }) => file).filter((file) => !found.has(file))
}
