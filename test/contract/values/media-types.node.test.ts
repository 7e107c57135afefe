import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import mime from 'mime'
import { extensionsOf, mediaTypes } from '../../../src/contract/values/media-types.ts'

const lines = mediaTypes
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [string, ...string[]])

describe('mediaTypes', () => {
  it('gives each type the extensions that the package `mime` gives it', () => {
    const known = new Set(lines.flatMap(([, ...extensions]) => extensions))
    for (const [type, ...extensions] of lines) {
      const all = [...(mime.getAllExtensions(type) ?? [])].filter((extension) => known.has(extension))
      assert.deepEqual(extensions.toSorted(), all.toSorted(), type)
    }
  })

  it('contains the type of each of its extensions', () => {
    for (const extension of lines.flatMap(([, ...extensions]) => extensions)) {
      const type = mime.getType(extension)!
      assert.ok(extensionsOf(type).includes(extension), `${extension}: ${type}`)
    }
  })
})

describe('extensionsOf()', () => {
  it('knows the names that systems give to the same type, and groups', () => {
    assert.deepEqual(extensionsOf('application/x-zip-compressed'), ['zip'])
    assert.deepEqual(extensionsOf('text/csv'), ['csv'])
    assert.ok(extensionsOf('image/*').includes('heic'))
    assert.ok(!extensionsOf('image/*').includes('pdf'))
    for (const type of ['', 'image', '*/*', 'application/unknown'])
      assert.deepEqual(extensionsOf(type), [], type)
  })
})
