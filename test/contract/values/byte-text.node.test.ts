import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeBytes, encodeBytes } from '../../../src/contract/values/byte-text.ts'

const encodings = ['base64', 'base64url', 'hex'] as const

describe('writeBytes()', () => {
  for (const encoding of encodings) {
    it(`writes ${encoding} like Node`, () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
      for (let length = 0; length <= 256; length++) {
        const part = bytes.subarray(256 - length)
        assert.equal(encodeBytes(part, encoding), Buffer.from(part).toString(encoding))
      }
    })
  }
})

describe('readBytes()', () => {
  for (const encoding of encodings) {
    it(`reads its own output in ${encoding}`, () => {
      for (let length = 0; length <= 256; length++) {
        const bytes = Uint8Array.from({ length }, (_, index) => 255 - index)
        assert.deepEqual(decodeBytes(encodeBytes(bytes, encoding), encoding), bytes)
      }
    })
  }

  for (const [encoding, text] of [
    ['base64', '+/8'],
    ['base64', '+/8=='],
    ['base64', '+/9='],
    ['base64', '-_8='],
    ['base64', '+/8=\n'],
    ['base64', ' +/8='],
    ['base64', '+/ 8='],
    ['base64', 'é'],
    ['base64url', '-_8='],
    ['base64url', '-_9'],
    ['base64url', '+/8'],
    ['base64url', '-_8 '],
    ['base64url', 'A'],
    ['hex', 'FF'],
    ['hex', 'f'],
    ['hex', '0x'],
    ['hex', 'ff '],
    ['hex', 'fg'],
    ['hex', 'ff0'],
  ] as const) {
    it(`rejects ${JSON.stringify(text)} as ${encoding}`, () => {
      assert.equal(decodeBytes(text, encoding), undefined)
    })
  }
})
