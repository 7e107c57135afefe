import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UnavailableError } from '../../../src/client/index.ts'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import { keepFiles, KeptFiles } from '../../../src/elements/fs-uploader/kept-files.ts'
import {
  metaProblem,
  type MetaSettings,
  uploadMetaOf,
} from '../../../src/elements/fs-uploader/upload-meta.ts'
import { uploader } from '../../../src/locales/en-uploader.ts'
import { textsOf } from '../texts.ts'

const file = new File(['x'], 'a.pdf')
const settings = (fields: Partial<MetaSettings> = {}): MetaSettings => ({
  filename: '',
  rename: undefined,
  expiresIn: '',
  metadata: {},
  ...fields,
})

describe('uploadMetaOf()', () => {
  it('contains only what the page has set', () => {
    assert.deepEqual(uploadMetaOf(file, '', settings()), {})
    assert.deepEqual(uploadMetaOf(file, '', settings({ metadata: null })), {})
    const all = { filename: 'Report.pdf', expiresIn: '30d', metadata: { kind: 'report' } }
    assert.deepEqual(uploadMetaOf(file, '', settings(all)), all)
  })

  it('contains the path of a file that comes with a folder', () => {
    assert.deepEqual(uploadMetaOf(file, 'trip/a.pdf', settings()), { metadata: { path: 'trip/a.pdf' } })
    const metadata = { kind: 'report', path: 'of the page' }
    assert.deepEqual(uploadMetaOf(file, 'trip/a.pdf', settings({ metadata })), {
      metadata: { kind: 'report', path: 'trip/a.pdf' },
    })
  })

  it('prefers the name that the page makes for the file', () => {
    const rename = ({ name }: File) => `2027-${name}`
    assert.deepEqual(uploadMetaOf(file, '', settings({ filename: 'b', rename })), { filename: '2027-a.pdf' })
    assert.deepEqual(uploadMetaOf(file, '', settings({ filename: 'b', rename: () => '' })), {})
  })

  it('fails as an upload does if the page cannot make a name', () => {
    const cause = new Error('no such field')
    const rename = () => {
      throw cause
    }
    assert.throws(
      () => uploadMetaOf(file, '', settings({ rename })),
      (error: UnavailableError) =>
        error instanceof UnavailableError &&
        error.message === 'uploadFile was not sent: rename() failed' &&
        error.cause === cause,
    )
  })
})

describe('metaProblem()', () => {
  const problem = (fields: object) => metaProblem(settings(fields), textsOf(uploader))

  it('accepts a duration and texts', () => {
    for (const expiresIn of ['', '30d', 'PT45M']) assert.equal(problem({ expiresIn }), '')
    assert.equal(problem({ metadata: { kind: 'report', empty: '' } }), '')
  })

  it('names a setting that is not valid', () => {
    for (const expiresIn of ['soon', '0s', '-1d'])
      assert.equal(
        problem({ expiresIn }),
        `expires-in="${expiresIn}" is not a duration such as 30d, 12h or PT45M.`,
      )
    for (const metadata of [null, 'text', ['text'], { kind: 1 }, { kind: 'report', size: null }])
      assert.equal(problem({ metadata }), 'metadata must be a JSON object of strings.')
  })
})

describe('KeptFiles', () => {
  const assets = [{ uuid: '1' } as FileAsset]

  it('return the files once, when it is known that the same person is back', () => {
    const kept = new KeptFiles()
    assert.equal(kept.take('7'), undefined)
    kept.restore(keepFiles('7', assets))
    assert.equal(kept.take(undefined), undefined)
    assert.deepEqual(kept.take('7'), assets)
    assert.equal(kept.take('7'), undefined)
  })

  it('return nothing to another person, also not later', () => {
    const kept = new KeptFiles()
    kept.restore(keepFiles('7', assets))
    assert.equal(kept.take('8'), undefined)
    assert.equal(kept.take('7'), undefined)
  })
})
