import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  decodePDFRawStream,
  PDFArray,
  PDFDocument,
  PDFName,
  PDFRawStream,
  type PDFPage,
} from '@pdfme/pdf-lib'
import { withoutPassword, withPassword } from './encrypted.ts'
import { createPdf, type PdfContent } from '../../../../src/emulator/workflow/pdf/pdf.ts'

const content: PdfContent = {
  title: 'Research leave',
  packageId: 1042,
  state: 'ROUTING',
  subType: 'Sabbatical',
  initiator: 'Zoë Okafor',
  routingDate: '2026-11-16T09:42:10',
  fields: [
    { label: 'Reason', value: 'Field work' },
    { label: 'Amount', value: '1250.5' },
  ],
}
const step = { stop: 'Chair', person: 'Amara Okafor', action: 'APPROVED', date: '2026-11-17T10:00:00' }

/** Characters of Windows-1252 from 0x80 on that differ from Latin-1. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

interface Piece {
  readonly text: string
  readonly x: number
  readonly y: number
}

/** Returns the texts of a page in the order in which its operators show them. */
function piecesOf(page: PDFPage): Piece[] {
  const contents = page.node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray() : [contents]
  const operators = streams
    .map((entry) => page.doc.context.lookup(entry))
    .map((stream) =>
      stream instanceof PDFRawStream ? decodePDFRawStream(stream).decode() : new Uint8Array(),
    )
    .map((bytes) => Buffer.from(bytes).toString('latin1'))
    .join('\n')
  return [...operators.matchAll(/([\d.]+) ([\d.]+) T[dm]\s+<([\dA-Fa-f]*)> Tj/g)].map(
    ([, x, y, hex = '']) => ({
      text: Array.from(Buffer.from(hex, 'hex'), (byte) =>
        byte >= 0x80 && byte < 0xa0 ? windows1252.charAt(byte - 0x80) : String.fromCharCode(byte),
      ).join(''),
      x: Number(x),
      y: Number(y),
    }),
  )
}

/** Returns the texts of each page. */
async function read(pdf: Uint8Array): Promise<string[][]> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false, throwOnInvalidObject: true })
  return document.getPages().map((page) => piecesOf(page).map(({ text }) => text))
}

/** Creates a PDF with one page per text. */
async function pdfOf(...texts: string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  for (const text of texts) document.addPage([300, 200]).drawText(text, { x: 10, y: 10 })
  return document.save()
}

const bytes = (text: string) => new TextEncoder().encode(text)

describe('createPdf()', () => {
  it('shows the package and its entry on a page with a footer', async () => {
    assert.deepEqual(await read(await createPdf(content)), [
      [
        ...['Research leave', 'Package 1042'],
        ...['State', 'ROUTING', 'Sub-type', 'Sabbatical', 'Initiator', 'Zoë Okafor'],
        ...['Routing date', '2026-11-16 09:42:10'],
        ...['Entry', 'Reason', 'Field work', 'Amount', '1250.5'],
        ...['Package 1042', 'Page 1 of 1'],
      ],
    ])
  })

  it('leaves out a missing sub-type, entry and routing history', async () => {
    const [page = []] = await read(await createPdf({ ...content, subType: null, fields: [] }))
    for (const text of ['Sub-type', 'Entry', 'Routing history', 'Stop']) assert.ok(!page.includes(text), text)
  })

  it('shows the routing history', async () => {
    const routing = [step, { ...step, stop: '', person: '', action: 'complete' }]
    const [page = []] = await read(await createPdf({ ...content, routing }))
    assert.deepEqual(page.slice(page.indexOf('Routing history'), -2), [
      ...['Routing history', 'Stop', 'Person', 'Action', 'Date'],
      ...['Chair', 'Amara Okafor', 'APPROVED', '2026-11-17 10:00:00'],
      ...['complete', '2026-11-17 10:00:00'],
    ])
  })

  it('shows that a routing history is empty', async () => {
    const [page = []] = await read(await createPdf({ ...content, routing: [] }))
    assert.deepEqual(page.slice(-3), ['None yet', 'Package 1042', 'Page 1 of 1'])
  })

  it('repeats column heads on each page of a long routing history, and loses no row', async () => {
    const routing = Array.from({ length: 300 }, (_, index) => ({ ...step, stop: `Stop no. ${index}` }))
    const pages = await read(await createPdf({ ...content, routing }))
    assert.ok(pages.length > 5, 'too few pages')
    for (const [index, page] of pages.entries()) {
      assert.deepEqual(page.slice(-2), ['Package 1042', `Page ${index + 1} of ${pages.length}`])
      assert.equal(page.filter((text) => text === 'Person').length, 1)
      if (index > 0) assert.deepEqual(page.slice(0, 4), ['Stop', 'Person', 'Action', 'Date'])
    }
    const stops = pages.flat().filter((text) => text.startsWith('Stop no.'))
    assert.deepEqual(
      stops,
      routing.map(({ stop }) => stop),
    )
  })

  it('does not split rows across pages, and stays within the margins', async () => {
    const routing = Array.from({ length: 80 }, (_, index) => ({
      ...step,
      stop: `begin ${'word '.repeat(index % 20)}end`,
    }))
    const document = await PDFDocument.load(await createPdf({ ...content, routing }))
    for (const page of document.getPages()) {
      const pieces = piecesOf(page)
      const count = (word: RegExp) => pieces.filter(({ text }) => word.test(text)).length
      assert.equal(count(/^begin/), count(/end$/))
      const body = pieces.slice(0, -2)
      assert.deepEqual(
        body.filter(({ x, y }) => x < 56 || x >= 556 || y < 56 || y > 736),
        [],
      )
      assert.deepEqual(
        pieces.slice(-2).map(({ y }) => y),
        [32, 32],
      )
    }
  })

  it('breaks a value that is longer than a page', async () => {
    const value = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')
    const pages = await read(await createPdf({ ...content, fields: [{ label: 'Essay', value }] }))
    assert.ok(pages.length > 2, 'too few pages')
    const words = pages
      .flatMap((page) => page.slice(0, -2))
      .join(' ')
      .match(/word\d+/g)
    assert.equal(words?.join(' '), value)
  })

  it('breaks a word of 10 kB, as value, label, title and stop', async () => {
    const word = 'abcdefghij'.repeat(1000)
    const field = { label: word, value: word }
    const routing = [{ ...step, stop: word }]
    const pages = await read(await createPdf({ ...content, title: word, fields: [field], routing }))
    const letters = pages
      .flat()
      .filter((text) => /^[a-j]+$/.test(text))
      .join('')
    assert.equal(letters.length, 4 * word.length)
  })

  it('writes names of any script legibly', async () => {
    const names = ['Łukasz Őry', 'Иван', 'محمد', '王小明', '“Zoë” – €']
    const fields = names.map((value) => ({ label: 'Name', value }))
    const [page = []] = await read(await createPdf({ ...content, title: '请假', initiator: '王', fields }))
    for (const text of [
      '[U+8BF7 U+5047]',
      '[U+738B]',
      'Lukasz Ory',
      '[U+0418 U+0432 U+0430 U+043D]',
      '[U+0645 U+062D U+0645 U+062F]',
      '[U+738B U+5C0F U+660E]',
      '“Zoë” – €',
    ]) {
      assert.ok(page.includes(text), text)
    }
  })

  it('keeps every character of the title in the properties of the file', async () => {
    const document = await PDFDocument.load(await createPdf({ ...content, title: 'Leave 请假 🎓' }))
    assert.equal(document.getTitle(), 'Leave 请假 🎓')
  })

  it('accepts all texts', async () => {
    const odd = [
      '',
      ' ',
      '\n',
      '\t',
      '\r\n\r\n',
      '\0\x07\x1b[0m',
      '\ud800',
      '\udfff',
      '(\\)<>[]%/',
      '\u202eabc',
      '🎓',
    ]
    for (const text of odd) {
      const pdf = await createPdf({
        title: text,
        packageId: 1,
        state: text,
        subType: text,
        initiator: text,
        routingDate: text,
        fields: [{ label: text, value: text }],
        routing: [{ stop: text, person: text, action: text, date: text }],
      })
      assert.equal((await read(pdf)).length, 1, JSON.stringify(text))
    }
  })

  it('keeps line breaks of a value', async () => {
    const value = 'one\ntwo\r\n\r\n\tthree (\\)'
    const [page = []] = await read(await createPdf({ ...content, fields: [{ label: 'Text', value }] }))
    const start = page.indexOf('one')
    assert.deepEqual(page.slice(start, start + 3), ['one', 'two', '    three (\\)'])
  })

  it('appends the pages of attachments in order', async () => {
    const attachments = [await pdfOf('A1', 'A2'), await pdfOf('B1'), await pdfOf('C1')]
    const pages = await read(await createPdf({ ...content, attachments }))
    assert.equal(pages.length, 5)
    assert.deepEqual(pages.slice(1), [['A1'], ['A2'], ['B1'], ['C1']])
  })

  it('keeps the size of appended pages, and counts only its own in the footer', async () => {
    const pdf = await createPdf({ ...content, attachments: [await pdfOf('A1')] })
    const document = await PDFDocument.load(pdf)
    assert.deepEqual(document.getPage(1).getSize(), { width: 300, height: 200 })
    assert.equal((await read(pdf))[0]?.at(-1), 'Page 1 of 1')
  })

  it('appends PDFs that it created, and the same file twice', async () => {
    const one = await createPdf(content)
    const pages = await read(await createPdf({ ...content, packageId: 7, attachments: [one, one] }))
    assert.deepEqual(
      pages.map((page) => page.at(-2)),
      ['Package 7', 'Package 1042', 'Package 1042'],
    )
  })

  it('leaves out only attachments that are not PDF, broken, encrypted or empty', async () => {
    const good = await pdfOf('A1')
    const noPages = await PDFDocument.create()
    const bad = [
      new Uint8Array(),
      bytes('hello'),
      bytes('see %PDF-1.7 for more'),
      bytes('%PDF-1.7\n%%EOF'),
      bytes('%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 1 0 R>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF'),
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      good.slice(0, 200),
      withPassword,
      withoutPassword,
      await noPages.save({ addDefaultPage: false }),
    ]
    const attachments = bad.flatMap((file) => [file, good])
    const pages = await read(await createPdf({ ...content, attachments }))
    assert.deepEqual(
      pages.slice(1),
      bad.map(() => ['A1']),
    )
  })

  it('leaves out an attachment whose page tree runs in a circle', async () => {
    const kids = (n: number) => `${n} 0 obj\n<</Type/Pages/Count 1/Kids[2 0 R]>>\nendobj\n`
    const circle = `%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n${kids(2)}trailer\n<</Root 1 0 R>>\n%%EOF`
    const pages = await read(await createPdf({ ...content, attachments: [bytes(circle)] }))
    assert.equal(pages.length, 1)
  })

  it('keeps nothing of an attachment that fails midway', async () => {
    const document = await PDFDocument.load(await pdfOf('A1'))
    const { context } = document
    // The chain of references is too long to follow.
    let next = context.register(context.obj({ Marker: 'End' }))
    for (let index = 0; index < 20_000; index++) next = context.register(context.obj({ Next: next }))
    document.getPage(0).node.set(PDFName.of('Chain'), next)
    const [bad, good] = [await document.save(), await pdfOf('B1')]
    const pdf = await createPdf({ ...content, attachments: [good] })
    assert.deepEqual((await read(pdf)).slice(1), [['B1']])
    assert.deepEqual(await createPdf({ ...content, attachments: [bad, good] }), pdf)
    assert.deepEqual(await createPdf({ ...content, attachments: [good, bad] }), pdf)
  })

  it('gives the same bytes for the same content at any time', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 20, 12) })
    const full = { ...content, routing: [step], attachments: [await pdfOf('A1', 'A2')] }
    const one = await createPdf(full)
    t.mock.timers.setTime(Date.UTC(2027, 1, 3, 4, 5, 6))
    assert.deepEqual(await createPdf(structuredClone(full)), one)
    assert.notDeepEqual(await createPdf({ ...full, state: 'VOID' }), one)
  })

  it('uses the date of the package as the date of the file, if it has one', async () => {
    const dated = await PDFDocument.load(await createPdf(content), { updateMetadata: false })
    assert.equal(dated.getCreationDate()?.toISOString(), '2026-11-16T09:42:10.000Z')
    assert.equal(dated.getModificationDate()?.toISOString(), '2026-11-16T09:42:10.000Z')
    const undated = await PDFDocument.load(await createPdf({ ...content, routingDate: 'soon' }), {
      updateMetadata: false,
    })
    assert.equal(undated.getCreationDate(), undefined)
  })

  it('does not change attachments', async () => {
    const attachment = await pdfOf('A1')
    const before = attachment.slice()
    await createPdf({ ...content, attachments: [attachment] })
    assert.deepEqual(attachment, before)
  })
})
