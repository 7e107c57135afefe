import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  detectContent,
  hasSignature,
  isKnownKind,
  isProgram,
  isProgramExtension,
  mayHaveExtension,
  mayHaveProgramExtension,
} from '../../../src/proxy/files/file-kinds.ts'

/** Extensions that a kind may have, and some that it may not have. */
const kinds: readonly (readonly [kind: string, may: string, mayNot: string])[] = [
  ['pdf', 'pdf', 'png zip docx'],
  ['png', 'png apng', 'jpg'],
  ['apng', 'png apng', 'gif'],
  ['jpg', 'jpg jpeg jpe jfif', 'png'],
  ['gif', 'gif', 'png'],
  ['webp', 'webp', 'png'],
  ['bmp', 'bmp dib', 'png'],
  ['tif', 'tif tiff', 'dng'],
  ['dng', 'tif tiff dng', 'nef'],
  ['heic', 'heic heics heif hif avif', 'jpg'],
  ['avif', 'avif heif hif', 'heic'],
  ['zip', 'zip docx docm dotx dotm xlsx xlsm xltx xltm xlsb pptx pptm potx potm ppsx ppsm', 'pdf exe'],
  ['zip', 'odt ods odp odg ott ots otp otg epub jar apk kmz', 'doc gz'],
  ['docx', 'zip docx docm dotx dotm', 'xlsx pptx odt'],
  ['dotx', 'zip dotx dotm', 'docx'],
  ['docm', 'zip docm', 'docx'],
  ['dotm', 'zip dotm', 'docx'],
  ['xlsx', 'zip xlsx xlsm xltx xltm xlsb', 'docx'],
  ['xltx', 'zip xltx xltm', 'xlsx'],
  ['xlsm', 'zip xlsm', 'xlsx'],
  ['xltm', 'zip xltm', 'xlsx'],
  ['pptx', 'zip pptx pptm potx potm ppsx ppsm', 'xlsx'],
  ['potx', 'zip potx potm', 'pptx'],
  ['ppsx', 'zip ppsx ppsm', 'pptx'],
  ['pptm', 'zip pptm', 'pptx'],
  ['odt', 'zip odt', 'ods'],
  ['epub', 'zip epub', 'odt'],
  ['jar', 'zip jar', 'apk'],
  ['xpi', 'zip', 'xpi jar'],
  ['cfb', 'doc dot xls xlt xla ppt pps pot msg', 'docx'],
  ['rtf', 'rtf doc', 'docx'],
  ['gz', 'gz tgz svgz', 'zip'],
  ['tar.gz', 'gz tgz', 'svgz'],
  ['mp4', 'mp4 m4v m4a m4b mov qt 3gp 3g2', 'webm avi'],
  ['mov', 'mp4 mov qt', 'mkv'],
  ['ogg', 'ogg oga ogv ogx opus spx', 'mp4'],
  ['opus', 'ogg opus', 'mp4'],
  ['webm', 'webm weba mkv', 'mp4'],
  ['mkv', 'mkv mka webm', 'weba'],
]

describe('the kinds of files', () => {
  it('may have their own extensions, and no others (T22)', () => {
    for (const [kind, may, mayNot] of kinds) {
      assert.ok(isKnownKind(kind), kind)
      for (const extension of may.split(' ')) {
        assert.ok(mayHaveExtension(kind, extension), `${kind} as .${extension}`)
        assert.ok(hasSignature(extension), extension)
      }
      for (const extension of mayNot.split(' '))
        assert.ok(!mayHaveExtension(kind, extension), `${kind} as .${extension}`)
    }
    for (const kind of [undefined, '', 'txt']) {
      assert.ok(!isKnownKind(kind))
      assert.ok(!mayHaveExtension(kind, 'txt'))
    }
    for (const extension of ['txt', 'csv', 'html', '']) assert.ok(!hasSignature(extension), extension)
  })

  it('know programs by their content and by their extension (T22)', () => {
    for (const [kind, extensions] of [
      ['exe', 'exe dll sys scr com ocx cpl drv'],
      ['elf', 'elf so o ko'],
      ['macho', 'macho dylib bundle o'],
      ['class', 'class'],
      ['lnk', 'lnk'],
    ] as const) {
      assert.ok(isProgram(kind), kind)
      for (const extension of extensions.split(' ')) {
        assert.ok(isProgramExtension(extension), extension)
        assert.ok(mayHaveProgramExtension(kind, extension), `${kind} as .${extension}`)
      }
      assert.ok(!mayHaveProgramExtension(kind, 'pdf'))
    }
    assert.ok(!mayHaveProgramExtension('exe', 'so'))
    for (const kind of [undefined, 'pdf', 'zip']) {
      assert.ok(!isProgram(kind))
      assert.ok(!mayHaveProgramExtension(kind, 'exe'))
    }
    for (const extension of ['pdf', 'txt', 'js', '']) assert.ok(!isProgramExtension(extension), extension)
  })

  it('recognise markup only at the beginning of a file (T22)', async () => {
    const markupOf = async (text: string) => (await detectContent(new TextEncoder().encode(text))).markup
    for (const [text, markup] of [
      ['<svg>', 'svg'],
      ['<!-- a --> <?xml version="1.0"?>\n<!DOCTYPE svg ><x:svg >', 'svg'],
      ['<svg-like>', undefined],
      ['see <svg>', undefined],
      ['<p><svg>', undefined],
      ['<html>', 'page'],
      ['<!doctype HTML>', 'page'],
      ['<!-- a --><script>', 'page'],
      ['see <script>', undefined],
      ['<header>', undefined],
      [' <?xml version="1.0"?><note>', 'xml'],
      ['see <?xml', undefined],
      ['', undefined],
    ] as const)
      assert.equal(await markupOf(text), markup, text)
  })
})
