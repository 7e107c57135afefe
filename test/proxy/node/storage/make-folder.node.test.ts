import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { makeFolder } from '../../../../src/proxy/node/storage/make-folder.ts'

describe('makeFolder()', () => {
  it('creates a folder with those that contain it, and keeps one that exists', (t) => {
    const root = mkdtempSync(join(tmpdir(), 'routeslip-folder-'))
    t.after(() => rmSync(root, { recursive: true }))
    const path = join(root, 'a', 'b', 'c')
    makeFolder(path, 0o700)
    makeFolder(path, 0o700)
    assert.equal(statSync(path).mode & 0o777, 0o700)
    assert.equal(statSync(join(root, 'a')).mode & 0o777, 0o700)
  })

  it('fails at once where no folder can be', (t) => {
    const root = mkdtempSync(join(tmpdir(), 'routeslip-folder-'))
    t.after(() => rmSync(root, { recursive: true }))
    const file = join(root, 'file')
    writeFileSync(file, '')
    assert.throws(() => makeFolder(file), { code: 'EEXIST' })
    assert.throws(() => makeFolder(join(file, 'a')), { code: 'ENOTDIR' })
    // On Linux, no folder can be created here, and the system reports that as a missing parent.
    assert.throws(() => makeFolder('/proc/routeslip/a'))
  })
})
