import assert from 'node:assert/strict'
import { decodePDFRawStream, PDFArray, PDFDocument, type PDFPage, PDFRawStream } from '@pdfme/pdf-lib'
import type { Package } from '../../src/contract/schemas/workflow.ts'
import { complete, describeSection, people, sign, type System, textFile, travelEntry } from './system.ts'

describeSection('routing/Download package PDF', (it) => {
  it('the response is a PDF that readers can open', async (system) => {
    const { status, headers, bytes } = await system.call('getPdf')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/pdf')
    assert.equal(headers.get('content-length'), String(bytes.length))
    assert.equal(Buffer.from(bytes.subarray(0, 5)).toString(), '%PDF-')
    assert.equal((await PDFDocument.load(bytes)).getPageCount(), 1)
  })

  it('the PDF shows the package and its entry', async (system) => {
    const text = await textOf(system)
    for (const words of [
      'Travel request',
      'Package 42',
      'ROUTING',
      'Amara Okafor',
      '2026-11-16 09:42:10',
      'Annual meeting of the Society for Freshwater Science',
      '1250.5',
      '05-0333-0001',
    ]) {
      assert.ok(text.includes(words), words)
    }
  })

  it('the PDF shows the current package', async (system) => {
    await complete(system)
    await system.ok('updateEntry', { body: travelEntry({ purpose: 'Field work on lake mussels' }) })
    const text = await textOf(system)
    assert.ok(text.includes('COMPLETE'))
    assert.ok(text.includes('Field work on lake mussels'))
    assert.ok(!text.includes('river'))
  })

  it('the PDF shows the sub-type if the form has sub-types', async (system) => {
    const { id: packageId } = await system.ok<Package>('createPackage', {
      params: { formId: 6026 },
      body: { state: 'DRAFT', subType: 'FOREIGN', entry: { item: 'Lens', price: 9.5, needed_by: null } },
    })
    const { bytes } = await system.call('getPdf', { params: { formId: 6026, packageId } })
    const text = (await pagesOf(bytes)).join(' ')
    assert.ok(text.includes('FOREIGN'))
    assert.ok(!(await textOf(system)).includes('FOREIGN'))
  })

  it('includeRouting adds the routing history as a table', async (system) => {
    await sign(system, people.firstApprover)
    const text = await textOf(system, { includeRouting: 'true' })
    for (const words of [
      'Routing history',
      'initiation',
      'Daniel Reyes',
      'APPROVED',
      'Mei-Ling Zhou',
      'College',
    ]) {
      assert.ok(text.includes(words), words)
    }
  })

  it('the routing history is left out by default, and if includeRouting is false', async (system) => {
    for (const query of [{}, { includeRouting: 'false' }, { mergeAttachments: 'true' }]) {
      const text = await textOf(system, query)
      assert.ok(text.includes('Annual meeting of the Society for Freshwater Science'))
      assert.doesNotMatch(text, /Routing history|Daniel Reyes|initiation/)
    }
  })

  it('mergeAttachments adds all pages of PDF attachments in order', async (system) => {
    await attach(system, await pdf('First', 'Second'))
    await attach(system, await pdf('Third'))
    const pages = await pagesOf((await system.call('getPdf', { query: { mergeAttachments: 'true' } })).bytes)
    assert.equal(pages.length, 4)
    assert.match(pages[0] ?? '', /Travel request/)
    assert.deepEqual(pages.slice(1), ['First', 'Second', 'Third'])
  })

  it('attachments are left out by default, and where mergeAttachments is false', async (system) => {
    await attach(system, await pdf('First'))
    for (const query of [{}, { mergeAttachments: 'false' }, { includeRouting: 'true' }]) {
      const pages = await pagesOf((await system.call('getPdf', { query })).bytes)
      assert.equal(pages.length, 1)
    }
  })

  it('only attachments of media type application/pdf are merged', async (system) => {
    await attach(system, textFile())
    await attach(system, await pdf('In disguise'), 'text/plain')
    await attach(system, await pdf('Merged'))
    const pages = await pagesOf((await system.call('getPdf', { query: { mergeAttachments: 'true' } })).bytes)
    assert.deepEqual(pages.slice(1), ['Merged'])
  })

  it('an attachment that is no readable PDF does not keep the others out', async (system) => {
    await attach(system, textFile('broken.pdf', 'application/pdf', '%PDF-1.7 and nothing else'))
    await attach(system, await pdf('Merged'))
    const pages = await pagesOf((await system.call('getPdf', { query: { mergeAttachments: 'true' } })).bytes)
    assert.deepEqual(pages.slice(1), ['Merged'])
  })

  it('both can be had together', async (system) => {
    await attach(system, await pdf('Merged'))
    const query = { includeRouting: 'true', mergeAttachments: 'true' }
    const pages = await pagesOf((await system.call('getPdf', { query })).bytes)
    assert.match(pages[0] ?? '', /Routing history/)
    assert.deepEqual(pages.slice(1), ['Merged'])
  })

  it('both are booleans, and there are no other parameters', async (system) => {
    for (const query of [
      { includeRouting: '1' },
      { includeRouting: 'TRUE' },
      { includeRouting: '' },
      { mergeAttachments: 'yes' },
      { mergeAttachments: ['true', 'true'] },
      { includerouting: 'true' },
    ]) {
      await system.refused(400, 'getPdf', { query })
    }
    await system.ok('getPdf', { query: { includeRouting: 'true', mergeAttachments: 'false' } })
  })

  it('there is none of a package that does not exist', async (system) => {
    await system.refused(404, 'getPdf', { params: { packageId: 43 } })
    await system.refused(404, 'getPdf', { params: { formId: 6026 } })
    await system.refused(404, 'getPdf', { params: { env: 'prod' } })
    await system.ok('getPdf')
  })
})

/** Returns the text of the PDF of package 42. */
async function textOf(system: System, query: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, bytes } = await system.call('getPdf', { query })
  assert.equal(status, 200)
  return (await pagesOf(bytes)).join(' ')
}

/** Returns the text of each page. */
async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(bytes)
  return document.getPages().map(wordsOf)
}

function wordsOf({ node }: PDFPage): string {
  const contents = node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray() : [contents]
  const operators = streams.map((each) => {
    const stream = node.context.lookup(each)
    return stream instanceof PDFRawStream
      ? Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
      : ''
  })
  // Texts are written in hexadecimal, in the one-byte encoding of the standard fonts.
  const texts = [...operators.join('\n').matchAll(/<([0-9A-F]*)> Tj/gi)]
  return texts
    .map(([, hex = '']) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
    .join(' ')
}

/** Creates a PDF with one page per word. */
async function pdf(...words: readonly string[]): Promise<File> {
  const document = await PDFDocument.create()
  for (const each of words) document.addPage().drawText(each)
  return new File([new Uint8Array(await document.save())], 'attached.pdf', { type: 'application/pdf' })
}

async function attach(system: System, file: File, type = file.type): Promise<void> {
  await system.ok('uploadAttachment', {
    params: { attachmentTypeId: 3 },
    file: new File([file], file.name, { type }),
  })
}
