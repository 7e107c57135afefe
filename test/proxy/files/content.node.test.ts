import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { checkContent, headLength } from '../../../src/proxy/files/content.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'

const plain = 'application/octet-stream'
const ooxml = 'application/vnd.openxmlformats-officedocument'
const docxType = `${ooxml}.wordprocessingml.document`
const xlsxType = `${ooxml}.spreadsheetml.sheet`

describe('checkContent()', () => {
  /** Name, declared type, bytes, and the type that the file goes on with, or the status of the refusal. */
  const samples: readonly (readonly [string, string, Uint8Array, string | number])[] = [
    // Honest files.
    ['a.pdf', 'application/pdf', pdf(), 'application/pdf'],
    ['A.PDF', '', pdf(), 'application/pdf'],
    ['a.pdf', plain, pdf(), 'application/pdf'],
    ['a.pdf', 'application/x-pdf', pdf(), 'application/pdf'],
    ['a.pdf', 'application/pdf; charset=binary', latin1('%PDF-1.7\nall of it is text\n'), 'application/pdf'],
    ['a.pdf', 'application/pdf', latin1('\n%PDF-1.7\n'), 'application/pdf'],
    ['a.pdf', 'application/pdf', latin1('\xef\xbb\xbf%PDF-1.7\n'), 'application/pdf'],
    ['a.pdf', '', latin1(`${'x'.repeat(1023)}%PDF-1.7`), 'application/pdf'],
    [
      'a.pdf',
      '',
      latin1(`HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7`),
      'application/pdf',
    ],
    // Their extensions are those of rare text formats too.
    ['plan.mpp', '', cfb(), plain],
    ['plan.mpp', 'application/vnd.ms-project', cfb(), plain],
    ['plan.mpp', '', latin1('\x01\x02\x03\x04 a format of its own'), plain],
    ['plan.mpp', '', latin1('<?xml version="1.0"?><Patch/>'), plain],
    ['a.png', 'image/png', png(), 'image/png'],
    ['a.jpg', 'image/jpg', jpeg(), 'image/jpeg'],
    ['a.jpeg', 'image/jpeg', jpeg(), 'image/jpeg'],
    ['a.jfif', 'image/pjpeg', jpeg(), 'image/jpeg'],
    ['a.gif', 'image/gif', gif(), 'image/gif'],
    ['a.webp', 'image/webp', latin1('RIFF\x24\0\0\0WEBPVP8 \0\0'), 'image/webp'],
    ['a.tif', 'image/tiff', latin1('II*\0\x08\0\0\0\0\0'), 'image/tiff'],
    ['a.tiff', '', latin1('MM\0*\0\0\0\x08\0\0'), 'image/tiff'],
    ['a.bmp', 'image/x-ms-bmp', latin1('BM\x36\0\0\0\0\0'), 'image/bmp'],
    ['a.heic', 'image/heic', box('heic'), 'image/heic'],
    ['a.heic', 'image/heif', box('mif1'), 'image/heic'],
    ['a.docx', docxType, docx(), docxType],
    ['a.docx', '', zip(['customXml/item1.xml', 'x'.repeat(5000)]), docxType],
    [
      'a.docx',
      docxType,
      zip(['_rels/.rels', '<x/>'], ['[Content_Types].xml', '<x/>'], ['word/document.xml', '<x/>']),
      docxType,
    ],
    ['a.xlsx', xlsxType, xlsx(), xlsxType],
    [
      'a.pptx',
      '',
      office('ppt/presentation.xml', `${ooxml}.presentationml.presentation`),
      `${ooxml}.presentationml.presentation`,
    ],
    [
      'a.odt',
      '',
      zip(['mimetype', 'application/vnd.oasis.opendocument.text']),
      'application/vnd.oasis.opendocument.text',
    ],
    ['a.epub', '', zip(['mimetype', 'application/epub+zip']), 'application/epub+zip'],
    ['a.zip', 'application/x-zip-compressed', zip(['a.txt', 'x']), 'application/zip'],
    ['a.zip', 'application/zip', docx(), 'application/zip'],
    ['a.zip', '', latin1(`PK\x05\x06${'\0'.repeat(18)}`), 'application/zip'],
    ['a.doc', 'application/msword', cfb(), 'application/msword'],
    ['a.doc', 'application/msword', latin1('{\\rtf1 x}'), 'application/msword'],
    ['a.xls', 'application/vnd.ms-excel', cfb(), 'application/vnd.ms-excel'],
    ['a.msg', '', cfb(), 'application/vnd.ms-outlook'],
    ['a.rtf', 'application/msword', latin1('{\\rtf1 x}'), 'application/rtf'],
    ['a.gz', 'application/x-gzip', gzipSync('x'), 'application/gzip'],
    [
      'a.tgz',
      'application/x-compressed',
      gzipSync(Buffer.alloc(100_000, 'abc')).subarray(0, 60),
      'application/gzip',
    ],
    ['a.7z', '', latin1("7z\xbc\xaf'\x1c\0\x04"), 'application/x-7z-compressed'],
    ['a.rar', 'application/x-rar-compressed', latin1('Rar!\x1a\x07\x01\0'), 'application/vnd.rar'],
    ['a.mp4', 'video/mp4', box('isom'), 'video/mp4'],
    ['a.m4a', 'audio/x-m4a', box('M4A '), 'audio/mp4'],
    ['a.mov', 'video/quicktime', box('qt  '), 'video/quicktime'],
    ['a.ogg', 'audio/ogg', latin1(`OggS\0\x02${'\0'.repeat(22)}\x01vorbis${'\0'.repeat(20)}`), 'audio/ogg'],
    ['a.txt', 'text/plain', latin1('MZ are my initials'), 'text/plain'],
    ['a.csv', 'application/vnd.ms-excel', latin1('BMI;weight\n20;70 kg f\xfcr J\xfcrgen\n'), 'text/csv'],
    ['a.csv', 'text/plain', latin1('\xff\xfea\0;\0b\0'), 'text/csv'],
    ['a.md', '', latin1('<p align="center">x</p>'), 'text/markdown'],
    ['a.json', 'application/json', latin1('{}'), 'application/json'],
    ['a.ics', 'text/calendar', latin1('BEGIN:VCALENDAR\n'), 'text/calendar'],
    ['a.log', '', latin1('\x1b[31mred\x1b[0m <html>'), 'text/plain'],
    ['a.mp3', 'audio/mpeg', latin1('\xff\xfb\x90\0\0'), 'audio/mpeg'],
    ['a.dwg', 'application/acad', latin1('AC1032\0\0'), 'image/vnd.dwg'],
    ['a.sav', '', latin1('$FL2@(#)'), plain],
    ['README', '', latin1('Read me'), plain],
    ['scan', 'application/pdf', pdf(), plain],
    // Content that a browser would run is forwarded as plain bytes.
    ['a.html', 'text/html', latin1('<!doctype html><p>x'), plain],
    ['a.svg', 'image/svg+xml', latin1('<?xml version="1.0"?><!-- x --><svg/>'), plain],
    ['a.xml', 'text/xml', latin1('<?xml version="1.0"?><x/>'), plain],
    ['a.js', 'text/javascript', latin1('alert(1)'), plain],
    ['a.exe', 'application/x-msdownload', exe(), plain],
    // Active content under other names.
    ['a.pdf', 'application/pdf', latin1('<!doctype html><script>x</script>'), 415],
    ['a.png', 'image/png', latin1('<svg onload="x">'), 415],
    ['a.png', '', latin1('\n\n<html>'), 415],
    ['a.svg', '', latin1('<!-- x --><!DOCTYPE HTML><script>'), 415],
    ['a.txt', 'text/plain', latin1('\xef\xbb\xbf \n<!-- x --><HTML>'), 415],
    ['a.txt', '', latin1('\xff\xfe<\0s\0c\0r\0i\0p\0t\0>\0'), 415],
    ['a.csv', '', latin1('<?xml version="1.0"?><svg/>'), 415],
    ['a.json', '', latin1('<script>x</script>'), 415],
    ['a.dat', '', latin1('<?xml version="1.0"?>\n<!-- --><html xmlns="x">'), 415],
    ['scan', '', latin1('<script>x</script>'), 415],
    ['a.mp3', '', latin1('<svg:svg xmlns:svg="x">'), 415],
    ['a.xls', 'application/vnd.ms-excel', latin1('<html><table>'), 415],
    ['a.txt', '', latin1('<?xml version="1.0"?><x/>'), 415],
    ['a.dat', '', latin1('<?xml version="1.0"?><x/>'), plain],
    ['a.rss', '', latin1('<?xml version="1.0"?><x/>'), plain],
    // Programs under other names.
    ['a.pdf', '', exe(), 415],
    ['a.docx', '', latin1('\x7fELF\x02\x01\x01\0'), 415],
    ['a.dat', '', exe(), 415],
    ['setup', '', latin1('\xcf\xfa\xed\xfe\x07\0\0\x01'), 415],
    ['a.txt', '', latin1('\xca\xfe\xba\xbe\0\0\0\x34'), 415],
    ['a.mp3', '', exe(), 415],
    ['a.exe', '', latin1('\x7fELF\x02\x01\x01\0'), 415],
    // A signature that is not there, or not at the beginning.
    ['a.pdf', 'application/pdf', latin1(`<html>${'x'.repeat(100)}%PDF-1.7`), 415],
    ['a.pdf', 'application/pdf', latin1(`PK\x03\x04${'x'.repeat(100)}%PDF-1.7`), 415],
    ['a.pdf', 'application/pdf', latin1(`MZ\x90\0${'\0'.repeat(100)}%PDF-1.7`), 415],
    ['a.pdf', 'application/pdf', latin1(`${'x'.repeat(1024)}%PDF-1.7`), 415],
    ['a.pdf', 'application/pdf', latin1('ID3\x03\0\0\0\0\0\0%PDF-1.7\n'), 415],
    ['a.pdf', 'application/pdf', latin1('%PDFx'), 415],
    ['a.pdf', 'application/pdf', latin1('%PDF'), 415],
    ['a.png', 'image/png', Buffer.concat([latin1('\xef\xbb\xbf'), png()]), 415],
    ['a.jpg', 'image/jpeg', Buffer.concat([latin1('ID3\x03\0\0\0\0\0\0'), jpeg()]), 415],
    ['a.gif', 'image/gif', latin1('GIF=1;alert(1)//\0'), 415],
    ['a.png', 'image/png', jpeg(), 415],
    ['a.jpg', '', latin1('x'), 415],
    ['a.zip', '', latin1('x'), 415],
    ['a.docx', docxType, xlsx(), 415],
    ['a.docx', '', cfb(), 415],
    ['a.docx', '', office('word/document.xml', 'application/vnd.ms-word.document.macroEnabled'), 415],
    ['a.exe', '', pdf(), 415],
    ['plan.mpp', '', exe(), 415],
    ['a.doc', '', docx(), 415],
    ['a.odt', '', zip(['mimetype', 'application/epub+zip']), 415],
    ['a.xlsx', '', zip(['META-INF/MANIFEST.MF', 'x']), 415],
    ['a.mp4', '', png(), 415],
    ['a.txt', 'text/plain', pdf(), 415],
    ['a.txt', 'text/plain', latin1('%PDF-1.7\n'), 415],
    ['a.csv', 'text/csv', latin1('a\0b'), 415],
    // A declared type that is something else.
    ['a.pdf', 'text/html', pdf(), 415],
    ['a.pdf', 'image/png', pdf(), 415],
    ['a.pdf', 'text/plain', latin1('%PDF-1.7\n'), 415],
    ['a.png', 'image/svg+xml', png(), 415],
    ['a.docx', 'application/pdf', docx(), 415],
    ['a.docx', xlsxType, docx(), 415],
    ['a.txt', 'text/html', latin1('x'), 415],
    ['a.txt', 'application/pdf', latin1('x'), 415],
    ['a.dat', 'image/png', latin1('x'), 415],
    ['a.dat', 'TEXT/HTML;charset=utf-8', latin1('x'), 415],
    ['a.pdf', ' image/png ; x', pdf(), 415],
    ['a.dat', 'application/vnd.ms-excel', latin1('x'), 415],
    ['a.tsv', 'application/vnd.ms-excel', latin1('a\tb'), 'text/tab-separated-values'],
    ['a.txt', 'application/vnd.ms-excel', latin1('a'), 415],
    // Formats that are text, and those that only sound like it.
    ['a.json', '', latin1('a\0b'), 415],
    ['a.geojson', '', latin1('a\0b'), 415],
    ['a.yaml', '', latin1('a\0b'), 415],
    ['a.eml', '', latin1('a\0b'), 415],
    ['a.json5', '', latin1('a\0b'), 'application/json5'],
    // Nothing at all.
    ['a.pdf', 'application/pdf', latin1(''), 422],
    ['a.txt', '', latin1(''), 422],
  ]

  it('accepts a file if name, type and content agree, and refuses it otherwise (T15, T22)', async () => {
    assert.ok(samples.length >= 60)
    const wrong: unknown[] = []
    for (const [filename, contentType, head, expected] of samples) {
      const outcome = await verdict({ filename, contentType, head })
      const bytes = Buffer.from(head).toString('latin1').slice(0, 20)
      if (outcome !== expected) wrong.push({ filename, contentType, bytes, outcome, expected })
    }
    assert.deepEqual(wrong, [])
  })

  it('accepts every kind of file with its own extension only (T22)', async () => {
    const kinds: Readonly<Record<string, Uint8Array>> = {
      ...{ pdf: pdf(), png: png(), jpg: jpeg(), gif: gif(), docx: docx(), xls: cfb() },
      ...{
        xlsx: xlsx(),
        mp4: box('isom'),
        gz: gzipSync('x'),
        rtf: latin1('{\\rtf1 x}'),
        txt: latin1('x'),
      },
      ...{ exe: exe(), html: latin1('<!doctype html>') },
    }
    for (const [kind, head] of Object.entries(kinds))
      for (const extension of Object.keys(kinds)) {
        // A web page is text, and text may be named so.
        const isTaken = extension === kind || (kind === 'txt' && extension === 'html')
        const outcome = await verdict({ filename: `a.${extension}`, head })
        assert.equal(outcome !== 415, isTaken, `${kind} as .${extension}: ${outcome}`)
      }
  })

  it('never returns the type that a browser declared (T15)', async () => {
    for (const contentType of [
      'x/y\r\nz: 1',
      'image/anything',
      'a'.repeat(10_000),
      'constructor',
      '__proto__',
      '*/*',
    ])
      assert.equal(await verdict({ filename: 'a.constructor', contentType, head: latin1('x') }), plain)
  })

  it('accepts only a PDF if a PDF is required (T22)', async () => {
    const mustBePdf = true
    assert.equal(await verdict({ filename: 'a.pdf', head: pdf(), mustBePdf }), 'application/pdf')
    assert.equal(
      await verdict({ filename: 'a.pdf', contentType: plain, head: pdf(), mustBePdf }),
      'application/pdf',
    )
    for (const facts of [
      { filename: 'a.png', contentType: 'image/png', head: png() },
      { filename: 'a.pdf', contentType: 'application/pdf', head: png() },
      { filename: 'a.txt', contentType: 'application/pdf', head: pdf() },
      { filename: 'scan', contentType: 'application/pdf', head: pdf() },
      { filename: 'a.pdf', contentType: 'image/png', head: pdf() },
      { filename: 'a.pdf.exe', contentType: '', head: pdf() },
    ]) {
      await assert.rejects(check({ ...facts, mustBePdf }), {
        status: 415,
        message: 'This type of attachment has to be a PDF. Choose a PDF file.',
      })
    }
    assert.equal(await verdict({ filename: 'a.pdf', head: latin1(''), mustBePdf }), 422)
  })

  it('accepts only the listed extensions', async () => {
    const extensions = ['pdf', 'png']
    assert.equal(await verdict({ filename: 'a.PNG', head: png(), extensions }), 'image/png')
    assert.equal(await verdict({ filename: 'a.pdf. ', head: pdf(), extensions }), 'application/pdf')
    assert.equal(await verdict({ filename: 'a.p\u200bdf', head: pdf(), extensions }), 'application/pdf')
    for (const filename of ['a.gif', 'pdf', 'a.pdf.gif', '', 'a.pdf/b.gif'])
      await assert.rejects(check({ filename, head: gif(), extensions }), { status: 415, message: /pdf, png/ })
    assert.equal(await verdict({ filename: 'a.png', head: png(), extensions: [] }), 415)
  })

  it('recognises text by its control characters (T22)', async () => {
    for (let byte = 0; byte < 0x20; byte++) {
      const isText = (byte >= 0x07 && byte <= 0x0d) || byte >= 0x1a
      const outcome = await verdict({ filename: 'a.txt', head: Uint8Array.of(0x61, byte, 0x62) })
      assert.equal(outcome, isText ? 'text/plain' : 415, `0x${byte.toString(16)}`)
    }
  })

  it('explains what to do', async () => {
    await assert.rejects(check({ filename: 'a.docx', head: cfb() }), { message: /remove the password/ })
    await assert.rejects(check({ filename: 'a.pdf', head: exe() }), { message: /is a program/ })
    await assert.rejects(check({ filename: 'a.pdf', head: png() }), { message: /rename it/ })
    await assert.rejects(check({ filename: 'a.pdf', head: latin1('') }), { message: /is empty/ })
    const renamed = { message: /rename it/ }
    await assert.rejects(check({ filename: 'a.png', head: cfb() }), renamed)
    await assert.rejects(check({ filename: 'a.docx', head: pdf() }), renamed)
    await assert.rejects(check({ filename: 'a.docx', head: latin1('x') }), renamed)
  })

  it('decides on a file that is cut off anywhere (T22)', async () => {
    const whole = [pdf(), png(), docx(), gzipSync(Buffer.alloc(9000, 'ab')), box('heic'), cfb(), exe()]
    for (const bytes of whole)
      for (let length = 1; length <= Math.min(bytes.byteLength, 100); length++)
        assert.ok(
          [plain, 415].includes(await verdict({ filename: 'a.bin', head: bytes.subarray(0, length) })),
        )
  })
})

type Facts = Partial<Parameters<typeof checkContent>[0]> & {
  readonly filename: string
  readonly head: Uint8Array
}

function check({ contentType = '', mustBePdf = false, extensions = null, ...facts }: Facts) {
  return checkContent({
    contentType,
    mustBePdf,
    extensions,
    ...facts,
    head: facts.head.subarray(0, headLength),
  })
}

/** The type a file goes on with, or the status of its refusal. */
async function verdict(facts: Facts): Promise<string | number> {
  try {
    return (await check(facts)).contentType
  } catch (error) {
    assert.ok(error instanceof ProxyError, String(error))
    return error.status
  }
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}

function pdf(): Uint8Array {
  return latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Length 4 >> stream\n\0\x01\x02\x03\nendstream')
}

function png(): Uint8Array {
  const header = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89'
  return latin1(`${header}\0\0\0\x0aIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n-\xb4`)
}

function jpeg(): Uint8Array {
  return latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0')
}

function gif(): Uint8Array {
  return latin1('GIF89a\x01\0\x01\0\x80\0\0')
}

/** A compound file, as Word and Excel wrote them before 2007, and write them still under a password. */
function cfb(): Uint8Array {
  return latin1(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${'\0'.repeat(600)}`)
}

function exe(): Uint8Array {
  return latin1(`MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff${'\0'.repeat(80)}`)
}

/** The beginning of an ISO media file with this brand. */
function box(brand: string): Uint8Array {
  return latin1(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`)
}

/** The beginning of an Office document whose main part is this one. */
function office(part: string, type: string): Uint8Array {
  const override = `<Override PartName="/${part}" ContentType="${type}.main+xml"/>`
  return zip(['[Content_Types].xml', `<Types>${override}</Types>`], ['_rels/.rels', '<x/>'], [part, '<x/>'])
}

function docx(): Uint8Array {
  return office('word/document.xml', docxType)
}

function xlsx(): Uint8Array {
  return office('xl/workbook.xml', xlsxType)
}

/** A zip of stored entries, without its directory: that is beyond what is looked at. */
function zip(...entries: readonly (readonly [string, string])[]): Uint8Array {
  return Buffer.concat(
    entries.map(([name, content]) => {
      const header = Buffer.alloc(30)
      header.write('PK\x03\x04', 'latin1')
      header.writeUInt32LE(content.length, 18)
      header.writeUInt32LE(content.length, 22)
      header.writeUInt16LE(name.length, 26)
      return Buffer.concat([header, Buffer.from(name + content, 'latin1')])
    }),
  )
}
