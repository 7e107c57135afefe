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

const film = 'mp4 m4v m4a m4b mov qt 3gp 3g2'
const sound = 'ogg oga ogv ogx opus spx'

/** The extensions that each kind may have. */
const kinds: Readonly<Record<string, string>> = {
  pdf: 'pdf',
  png: 'png apng',
  apng: 'png apng',
  jpg: 'jpg jpeg jpe jfif',
  gif: 'gif',
  webp: 'webp',
  bmp: 'bmp dib',
  tif: 'tif tiff',
  dng: 'tif tiff dng',
  nef: 'tif tiff nef',
  arw: 'tif tiff arw',
  cr2: 'tif tiff cr2',
  heic: 'heic heics heif hif avif',
  avif: 'heif hif avif',
  zip:
    'zip docx docm dotx dotm xlsx xlsm xltx xltm xlsb pptx pptm potx potm ppsx ppsm ' +
    'odt ods odp odg ott ots otp otg epub jar apk kmz',
  docx: 'zip docx docm dotx dotm',
  dotx: 'zip dotx dotm',
  docm: 'zip docm',
  dotm: 'zip dotm',
  xlsx: 'zip xlsx xlsm xltx xltm xlsb',
  xltx: 'zip xltx xltm',
  xlsm: 'zip xlsm',
  xltm: 'zip xltm',
  pptx: 'zip pptx pptm potx potm ppsx ppsm',
  potx: 'zip potx potm',
  ppsx: 'zip ppsx ppsm',
  pptm: 'zip pptm',
  potm: 'zip potm',
  ppsm: 'zip ppsm',
  odt: 'zip odt',
  ods: 'zip ods',
  odp: 'zip odp',
  odg: 'zip odg',
  ott: 'zip ott',
  ots: 'zip ots',
  otp: 'zip otp',
  otg: 'zip otg',
  epub: 'zip epub',
  jar: 'zip jar',
  apk: 'zip apk',
  xpi: 'zip',
  vsdx: 'zip',
  '3mf': 'zip',
  cfb: 'doc dot xls xlt xla ppt pps pot msg',
  rtf: 'rtf doc',
  gz: 'gz tgz svgz',
  'tar.gz': 'gz tgz',
  '7z': '7z',
  rar: 'rar',
  mp4: film,
  m4v: film,
  m4a: film,
  m4b: film,
  mov: film,
  qt: film,
  '3gp': film,
  '3g2': film,
  m4p: film,
  f4v: film,
  f4p: film,
  f4a: film,
  f4b: film,
  webm: 'webm weba mkv',
  mkv: 'mkv mka webm',
  avi: 'avi',
  ogg: sound,
  oga: sound,
  ogv: sound,
  ogx: sound,
  opus: sound,
  spx: sound,
  ogm: sound,
}

/** Everything that is an extension of a kind or of a program, or the name of a kind. */
const candidates = [
  ...new Set([
    ...Object.values(kinds).flatMap((extensions) => extensions.split(' ')),
    ...Object.keys(kinds),
    ...['txt', 'csv', 'html', 'exe', 'so', 'o', 'class', 'js', ''],
  ]),
]

describe('the kinds of files', () => {
  it('may have their own extensions, and no others (T22)', () => {
    for (const [kind, extensions] of Object.entries(kinds)) {
      assert.ok(isKnownKind(kind), kind)
      assert.deepEqual(
        candidates.filter((extension) => mayHaveExtension(kind, extension)).sort(),
        extensions.split(' ').sort(),
        kind,
      )
    }
    const signed = new Set(Object.values(kinds).flatMap((extensions) => extensions.split(' ')))
    assert.deepEqual(new Set(candidates.filter(hasSignature)), signed)
    for (const kind of [undefined, '', 'txt', 'exe', 'doc', 'docx ']) {
      assert.ok(!isKnownKind(kind))
      assert.deepEqual(
        candidates.filter((extension) => mayHaveExtension(kind, extension)),
        [],
      )
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
      ...(['html', 'head', 'body', 'script', 'iframe', 'style', 'title', 'meta', 'base'] as const).map(
        (name) => [`<${name.toUpperCase()} a>`, 'page'] as const,
      ),
      ['<object>', 'page'],
      ['<embed/>', 'page'],
      ['<embedded>', undefined],
      ['<html-x>', undefined],
      ['<!DOCTYPE\n\thtml>', 'page'],
      ['<!doctypehtml>', undefined],
      ['<!doctype  note >\n<html>', 'page'],
      ['<!-- a\n--><!-- b --> <?xml version="1.0"?>\n<?x y?><html>', 'page'],
      ['<!-- <html>', undefined],
      ['<xml:svg/>', 'svg'],
      ['<:svg>', undefined],
      ['<SVG>', 'svg'],
      ['<svgs>', undefined],
      ['\n\t <?XML?>', 'xml'],
    ] as const)
      assert.equal(await markupOf(text), markup, text)
  })

  it('are recognised in UTF-16 too, with a byte order mark', async () => {
    for (const order of ['le', 'be']) {
      const bytes = Buffer.from('\ufeff<svg>', 'utf16le')
      const head = new Uint8Array(order === 'le' ? bytes : bytes.swap16())
      assert.deepEqual(await detectContent(head), { kind: undefined, isText: true, markup: 'svg' }, order)
    }
    const unmarked = new Uint8Array(Buffer.from('<svg>', 'utf16le'))
    assert.deepEqual(await detectContent(unmarked), { kind: undefined, isText: false, markup: undefined })
  })
})
