import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findFileProblem, isAccepted } from '../../../src/elements/upload/file-rules.ts'

const file = (name: string, size = 1, type = '') => new File(['x'.repeat(size)], name, { type })

describe('isAccepted()', () => {
  it('compares extensions without regard to case', () => {
    const accept = ' .PDF, .tar.gz ,'
    assert.equal(isAccepted(file('a.pdf'), { accept }), true)
    assert.equal(isAccepted(file('A.PDF'), { accept }), true)
    assert.equal(isAccepted(file('a.tar.gz'), { accept }), true)
    assert.equal(isAccepted(file('a.gz'), { accept }), false)
    assert.equal(isAccepted(file('apdf'), { accept }), false)
    assert.equal(isAccepted(file('a.pdf.exe'), { accept }), false)
  })

  it('compares media types, also with any subtype', () => {
    assert.equal(isAccepted(file('a', 1, 'image/png'), { accept: 'image/*' }), true)
    assert.equal(isAccepted(file('a', 1, 'image/png'), { accept: 'text/plain,image/png' }), true)
    assert.equal(isAccepted(file('a', 1, 'imagery/png'), { accept: 'image/*' }), false)
    assert.equal(isAccepted(file('a', 1, 'image/png+x'), { accept: 'image/png' }), false)
    assert.equal(isAccepted(file('image/png', 1), { accept: 'image/png' }), false)
  })

  it('knows that browsers and systems report other types for the same file, or none', () => {
    for (const [name, type, accept, is] of [
      ['a.zip', 'application/x-zip-compressed', 'application/zip', true],
      ['a.zip', 'application/zip', 'application/x-zip-compressed', true],
      ['a.csv', 'application/vnd.ms-excel', 'text/csv', true],
      ['a.csv', '', 'text/csv', true],
      ['A.HEIC', '', 'image/*', true],
      ['a.docx', '', 'image/*, text/csv', false],
      ['a.csv', 'application/vnd.ms-excel', 'image/*', false],
    ] as const)
      assert.equal(isAccepted(file(name, 1, type), { accept }), is, `${name} ${type}`)
  })

  it('accepts every file without rules', () => {
    for (const rules of [{}, { accept: ' , ' }, { accept: '', extensions: null }, { extensions: undefined }])
      assert.equal(isAccepted(file('a'), rules), true)
  })

  it('needs both if both are given', () => {
    const rules = { accept: 'image/*', extensions: ['PNG', 'jpg'] }
    assert.equal(isAccepted(file('a.png', 1, 'image/png'), rules), true)
    assert.equal(isAccepted(file('A.JPG', 1, 'image/jpeg'), rules), true)
    assert.equal(isAccepted(file('a.txt', 1, 'text/plain'), rules), false)
    assert.equal(isAccepted(file('a.gif', 1, 'image/gif'), rules), false)
    assert.equal(isAccepted(file('png', 1, 'image/png'), rules), false)
    assert.equal(isAccepted(file('a.png'), { extensions: [] }), false)
  })
})

describe('findFileProblem()', () => {
  it('names the first problem', () => {
    const rules = { maxSize: 3, extensions: ['pdf', 'png'] }
    assert.equal(findFileProblem(file('a.png', 3), rules), undefined)
    assert.equal(findFileProblem(file('a.png', 4), rules), 'tooLarge')
    assert.equal(findFileProblem(file('a.png', 0), rules), 'empty')
    assert.equal(findFileProblem(file('a.gif', 0), rules), 'wrongType')
    assert.equal(findFileProblem(file('a.png', 4), { ...rules, accept: '.pdf' }), 'notPdf')
    assert.equal(findFileProblem(file('a.pdf', 3), { ...rules, accept: '.pdf' }), undefined)
    assert.equal(
      findFileProblem(file('a.pdf', 3), { maxSize: 3, accept: '.pdf', extensions: ['png'] }),
      'wrongType',
    )
    assert.equal(findFileProblem(file('a.png', 3), { ...rules, accept: '.pdf,.gif' }), 'wrongType')
  })
})
