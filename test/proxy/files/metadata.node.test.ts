import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import { changeToSend, fileForBrowser, metaToSend } from '../../../src/proxy/files/metadata.ts'

const asset = (facts: Partial<FileAsset>) => ({ uuid: 'x', filename: 'plan.pdf', ...facts }) as FileAsset
const reserved = {
  status: 422,
  message: 'Metadata keys that begin with "routeslip-" are reserved. Choose another key.',
}
const tooLong = {
  status: 422,
  message: 'This site does not keep files for that time. Choose an expiration of 1 to 3600 seconds.',
}

describe('fileForBrowser()', () => {
  it('leaves out the metadata of the proxy, in any spelling', () => {
    const metadata = { 'routeslip-owner': '1', ' Routeslip-X': '2', 'my-routeslip-': '3', note: '4' }
    assert.deepEqual(fileForBrowser(asset({ metadata })), {
      uuid: 'x',
      filename: 'plan.pdf',
      metadata: { 'my-routeslip-': '3', note: '4' },
    })
    assert.equal(fileForBrowser(asset({ metadata: null })).metadata, null)
  })
})

describe('metaToSend()', () => {
  it('adds the owner, and replaces the file name', () => {
    const meta = { filename: 'ignored', metadata: { note: 'a' } }
    assert.deepEqual(metaToSend(meta, 'plan.pdf', '10000001', null), {
      filename: 'plan.pdf',
      metadata: { note: 'a', 'routeslip-owner': '10000001' },
    })
    assert.deepEqual(metaToSend({}, 'plan.pdf', '10000001', null), {
      filename: 'plan.pdf',
      metadata: { 'routeslip-owner': '10000001' },
    })
  })

  it('adds the maximum lifetime if none is requested', () => {
    const expiresIn = (requested: string | undefined, max: number | null) =>
      metaToSend(requested === undefined ? {} : { expiresIn: requested }, 'a', '1', max).expiresIn
    assert.equal(expiresIn(undefined, 3600), '3600s')
    assert.equal(expiresIn('1s', 3600), '1s')
    assert.equal(expiresIn('1h', 3600), '1h')
    assert.equal(expiresIn('400d', null), '400d')
    assert.equal(expiresIn(undefined, null), undefined)
  })

  it('refuses a lifetime that is too long, zero, or cannot be read', () => {
    for (const expiresIn of ['3601s', '2h', '0', '0s', '999ms', '', 'soon', '-1s'])
      assert.throws(() => metaToSend({ expiresIn }, 'a', '1', 3600), tooLong, expiresIn)
  })

  it('refuses the keys of the proxy', () => {
    for (const key of ['routeslip-owner', 'routeslip-', '\tROUTESLIP-x'])
      assert.throws(() => metaToSend({ metadata: { note: 'a', [key]: '1' } }, 'a', '1', null), reserved, key)
  })
})

describe('changeToSend()', () => {
  it('cleans a new name, and keeps everything else', () => {
    const change = { filename: ' new<.PDF', expiresIn: '1h', metadata: { note: 'a' } }
    assert.deepEqual(changeToSend(change, asset({}), 3600), { ...change, filename: 'new_.PDF' })
    for (const filename of [undefined, null, '', '  '])
      assert.deepEqual(changeToSend({ filename }, asset({}), null), { filename })
  })

  it('refuses another extension', () => {
    const rename = (filename: string, before: string | null) => () =>
      changeToSend({ filename }, asset({ filename: before }), null)
    assert.throws(rename('plan.exe', 'plan.pdf'), {
      status: 422,
      message: 'The extension of a file cannot be changed. Choose a name that ends with ".pdf".',
    })
    assert.throws(rename('plan.pdf', null), { status: 422 })
    assert.deepEqual(rename('plan', null)(), { filename: 'plan' })
  })

  it('refuses the keys of the proxy, and a lifetime that is too long', () => {
    const change = (facts: object) => () => changeToSend(facts, asset({}), 3600)
    assert.throws(change({ metadata: { 'routeslip-owner': '2' } }), reserved)
    assert.throws(change({ expiresIn: '2h' }), tooLong)
    assert.deepEqual(change({ metadata: null, expiresIn: null })(), { metadata: null, expiresIn: null })
  })
})
