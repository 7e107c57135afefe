import assert from 'node:assert/strict'
import type { Attachment, AttachmentType } from '../../src/contract/schemas/attachments.ts'
import { parseTimestamp } from '../../src/contract/values/timestamp.ts'
import type { Package } from '../../src/contract/schemas/workflow.ts'
import {
  complete,
  describeSection,
  initiatorOf42,
  people,
  sign,
  type System,
  textFile,
  travelEntry,
} from './system.ts'

/** Attachment types of the form 6025. */
const [itinerary, receipt, other] = [
  { id: 1, naturalKey: 'itinerary', title: 'Itinerary', required: false, pdf: true },
  { id: 2, naturalKey: 'receipt', title: 'Receipt', required: true, pdf: false },
  { id: 3, naturalKey: 'other', title: 'Other', required: false, pdf: false },
].map(({ required, pdf, ...rest }) => ({
  ...rest,
  visiblePreRouting: true,
  requiredPreRouting: false,
  requiredBeforeComplete: required,
  mimeTypeRestrictions: { pdf },
}))

const pdf = new File(['%PDF-1.7'], 'plan.pdf', { type: 'application/pdf' })

describeSection('routing/List attachment types', (it) => {
  it('it returns the types of the form, with exactly the documented fields', async (system) => {
    assert.deepEqual(await system.ok('getAttachmentTypes'), [itinerary, receipt, other])
  })

  it('a package of another form has the types of that form', async (system) => {
    const packageId = await purchase(system, 'PRE_ROUTING')
    const types = await system.ok<AttachmentType[]>('getAttachmentTypes', {
      params: { formId: 6026, packageId },
    })
    assert.deepEqual(
      types.map(({ id, visiblePreRouting, requiredPreRouting, mimeTypeRestrictions }) => [
        id,
        visiblePreRouting,
        requiredPreRouting,
        mimeTypeRestrictions,
      ]),
      [
        [11, true, true, { pdf: false }],
        [12, false, false, { pdf: true }],
      ],
    )
    await system.refused(404, 'getAttachmentTypes', { params: { packageId } })
  })
})

describeSection('routing/Attachment type', (it) => {
  it('before routing, the initiator may upload only types that are visible before routing', async (system) => {
    const packageId = await purchase(system, 'DRAFT')
    const invoice = { params: { formId: 6026, packageId, attachmentTypeId: 12 }, file: pdf }
    const quotation = { params: { formId: 6026, packageId, attachmentTypeId: 11 } }
    const { json } = await system.refused(409, 'uploadAttachment', invoice)
    assert.match((json as { detail: string }).detail, /Invoice .*before routing begins/)
    await system.ok('uploadAttachment', quotation)
    assert.deepEqual(await titles(system, { formId: 6026, packageId }), ['Quotation'])
  })

  it('types that are not visible before routing may be uploaded after routing has begun', async (system) => {
    const params = { formId: 6026, packageId: await purchase(system, 'PRE_ROUTING') }
    await system.ok('uploadAttachment', { params: { ...params, attachmentTypeId: 11 } })
    const invoice = { params: { ...params, attachmentTypeId: 12 }, file: pdf }
    await system.refused(409, 'uploadAttachment', invoice)
    await system.ok('routePackage', { params, body: { state: 'ROUTING', subType: 'DOMESTIC' } })
    await system.ok('uploadAttachment', invoice)
    assert.deepEqual(await titles(system, params), ['Quotation', 'Invoice'])
  })

  it('types that are required before routing block the start of routing, and the error names them', async (system) => {
    const params = { formId: 6026, packageId: await purchase(system, 'PRE_ROUTING') }
    const route = { params, body: { state: 'ROUTING', subType: 'DOMESTIC' } }
    const { json } = await system.refused(409, 'routePackage', route)
    assert.match((json as { detail: string }).detail, /Quotation.* before routing begins/)
    const found = await system.ok<Package>('getPackage', { params })
    assert.equal(found.state, 'PRE_ROUTING')

    await system.ok('uploadAttachment', { params: { ...params, attachmentTypeId: 11 } })
    assert.equal((await system.ok<Package>('routePackage', route)).state, 'ROUTING')
  })

  it('a package without a required attachment cannot be created in ROUTING, and nothing is stored', async (system) => {
    const entry = { item: 'Microscope', price: 4200, needed_by: null }
    const body = { subType: 'DOMESTIC', entry }
    await system.refused(409, 'createPackage', { params: { formId: 6026 }, body })
    const outbox = await system.control<unknown[]>('GET', '/outbox')
    assert.deepEqual(outbox, [])
    const created = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
    assert.equal(created.state, 'ROUTING', 'a form that requires nothing before routing')
  })

  it('types that are required before completion block the last signature, and the error names them', async (system) => {
    await sign(system, people.firstApprover)
    const last = await trySign(system, people.secondApprover)
    assert.equal(last.status, 409)
    assert.match((last.json as { detail: string }).detail, /Receipt.* before routing completes/)
    assert.doesNotMatch((last.json as { detail: string }).detail, /Itinerary|Other/)
    assert.equal((await system.ok<Package>('getPackage')).state, 'ROUTING')

    await system.ok('uploadAttachment', { params: { attachmentTypeId: 3 } })
    assert.equal((await trySign(system, people.secondApprover)).status, 409, 'another type does not do')
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
    await sign(system, people.secondApprover)
    assert.equal((await system.ok<Package>('getPackage')).state, 'COMPLETE')
  })

  it('types that are required before completion do not block routing before the last signature', async (system) => {
    const { id } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
    await sign(system, people.firstApprover, id)
    const { state } = await system.ok<Package>('getPackage', { params: { packageId: id } })
    assert.equal(state, 'ROUTING')
  })

  it('a type for PDF only rejects other files', async (system) => {
    const upload = (file: File) => system.call('uploadAttachment', { params: { attachmentTypeId: 1 }, file })
    for (const type of ['text/plain', 'image/png', 'application/pdfx', 'application/x-pdf', '']) {
      const { status, text } = await upload(new File(['%PDF-1.7'], 'plan.pdf', { type }))
      assert.equal(status, 400, type)
      assert.match(text, /Itinerary must be a PDF/)
    }
    assert.deepEqual(await system.ok('getAttachments'), [])
    assert.equal((await upload(pdf)).status, 200)
  })

  it('a media type with parameters or capital letters still counts as PDF', async (system) => {
    for (const type of ['Application/PDF', 'application/pdf; name="plan.pdf"']) {
      const response = await raw(system, 1, [
        part('form-data; name="file"; filename="plan.pdf"', '%PDF-1.7', type),
      ])
      assert.equal(response.status, 200, `${type}: ${response.text}`)
    }
  })

  it('a type without restrictions accepts any media type', async (system) => {
    for (const file of [textFile('a.txt'), textFile('a.png', 'image/png'), pdf]) {
      await system.ok('uploadAttachment', { params: { attachmentTypeId: 3 }, file })
    }
    assert.deepEqual(await titles(system), ['Other', 'Other', 'Other'])
  })
})

describeSection('routing/Upload attachment', (it) => {
  it('it returns the attachment, with exactly the documented fields', async (system) => {
    const attachment = await system.ok<Attachment>('uploadAttachment', {
      params: { attachmentTypeId: 2 },
      file: textFile('receipt.txt', 'text/plain', 'paid: 12 €'),
      body: 'Train, second class',
    })
    const { id, uploadTimestamp, ...rest } = attachment
    assert.deepEqual(rest, {
      fileName: 'receipt.txt',
      description: 'Train, second class',
      attachmentType: receipt,
      person: initiatorOf42,
      fileSize: 12,
    })
    assert.ok(Number.isSafeInteger(id) && id > 0)
    assert.match(uploadTimestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    assert.ok(parseTimestamp(uploadTimestamp ?? ''))
  })

  it('the description is optional', async (system) => {
    const { description } = await system.ok<Attachment>('uploadAttachment', {
      params: { attachmentTypeId: 2 },
    })
    assert.equal(description, '')
  })

  it('the description may come before or after the file', async (system) => {
    const file = part('form-data; name="file"; filename="a.txt"', 'hello', 'text/plain')
    const description = part('form-data; name="description"', 'Größe: 5 Bytes')
    for (const parts of [
      [file, description],
      [description, file],
    ]) {
      const { json } = await raw(system, 2, parts)
      assert.equal((json as Attachment).description, 'Größe: 5 Bytes')
      assert.equal((json as Attachment).fileSize, 5)
    }
  })

  it('a body without a file is rejected', async (system) => {
    const description = part('form-data; name="description"', 'Nothing')
    const file = part('form-data; name="file"; filename="a.txt"', 'hello', 'text/plain')
    const value = part('form-data; name="file"', 'hello')
    for (const parts of [
      [],
      [description],
      [value],
      [file, file],
      [file, part('form-data; name="meta"', '{}')],
    ]) {
      assert.equal((await raw(system, 2, parts)).status, 400, parts.join())
    }
    const plain = await system.fetch(
      '/wf/workflow/test/api/developer/forms/6025/packages/42/attachments/types/2',
      {
        method: 'POST',
        headers: { ...credentials, 'Content-Type': 'application/json' },
        body: '{"file":"hello"}',
      },
    )
    assert.equal(plain.status, 400)
    assert.deepEqual(await system.ok('getAttachments'), [])
    assert.equal((await raw(system, 2, [file])).status, 200)
  })

  it('an empty file is accepted', async (system) => {
    const { id, fileSize } = await system.ok<Attachment>('uploadAttachment', {
      params: { attachmentTypeId: 2 },
      file: textFile('empty.txt', 'text/plain', ''),
    })
    assert.equal(fileSize, 0)
    const { bytes, headers } = await system.call('downloadAttachment', { params: { attachmentId: id } })
    assert.equal(bytes.length, 0)
    assert.equal(headers.get('content-length'), '0')
  })

  it('the type must belong to the form of the package', async (system) => {
    for (const attachmentTypeId of [11, 99]) {
      await system.refused(404, 'uploadAttachment', { params: { attachmentTypeId }, file: pdf })
    }
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 1 }, file: pdf })
  })

  it('approvers may upload, users without rights on the package may not', async (system) => {
    const params = { attachmentTypeId: 3 }
    await system.refused(403, 'uploadAttachment', { params, user: people.outsider })
    const { person } = await system.ok<Attachment>('uploadAttachment', { params, user: people.firstApprover })
    assert.equal(person?.displayName, 'Daniel Reyes')
    await system.ok('uploadAttachment', { params, user: people.outsider, bypass: true })
  })

  it('the package counts its attachments', async (system) => {
    const count = async () => (await system.ok<Package>('getPackage')).attachmentCount
    assert.equal(await count(), 0)
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 3 } })
    assert.equal(await count(), 2)
  })

  it('a void package accepts no attachments until it is unvoided', async (system) => {
    await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } })
    await system.refused(409, 'uploadAttachment', { params: { attachmentTypeId: 2 } })
    await system.ok('unvoidPackage')
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
  })

  it('a complete package accepts attachments', async (system) => {
    await complete(system)
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 3 } })
    assert.deepEqual(await titles(system), ['Receipt', 'Other'])
  })
})

describeSection('routing/List uploaded attachments', (it) => {
  it('it returns an empty array, and then all attachments as the upload returned them, oldest first', async (system) => {
    assert.deepEqual(await system.ok('getAttachments'), [])
    const first = await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 }, body: 'First' })
    const second = await system.ok('uploadAttachment', { params: { attachmentTypeId: 1 }, file: pdf })
    assert.deepEqual(await system.ok('getAttachments'), [first, second])
  })

  it('it returns only the attachments of this package', async (system) => {
    const { id: packageId } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
    assert.deepEqual(await titles(system, { packageId }), [])
    assert.deepEqual(await titles(system), ['Receipt'])
  })
})

describeSection('routing/Attachment', (it) => {
  it('attachments survive removal, re-initiation and a void', async (system) => {
    const { id } = await system.ok<Attachment>('uploadAttachment', { params: { attachmentTypeId: 2 } })
    await system.ok('removePackage')
    assert.deepEqual(await titles(system), ['Receipt'])
    await system.ok('reinitiatePackage')
    await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } })
    const { text } = await system.call('downloadAttachment', { params: { attachmentId: id } })
    assert.equal(text, 'hello')
  })

  it('each attachment has a unique id', async (system) => {
    const ids = new Set<number>()
    for (let count = 0; count < 3; count++) {
      ids.add((await system.ok<Attachment>('uploadAttachment', { params: { attachmentTypeId: 2 } })).id)
    }
    assert.equal(ids.size, 3)
  })

  it('its size is counted in bytes', async (system) => {
    const { fileSize } = await system.ok<Attachment>('uploadAttachment', {
      params: { attachmentTypeId: 2 },
      file: textFile('a.txt', 'text/plain', '€€'),
    })
    assert.equal(fileSize, 6)
  })
})

describeSection('routing/Download attachment', (it) => {
  it('it returns the content byte for byte', async (system) => {
    // All byte values, and delimiters that look like the end of the form.
    const content = Uint8Array.from([
      ...Array(256).keys(),
      ...new TextEncoder().encode('\r\n--\r\n------\r\n\r\n'),
      ...Array(256).keys(),
    ])
    const { id } = await system.ok<Attachment>('uploadAttachment', {
      params: { attachmentTypeId: 3 },
      file: textFile('all.bin', 'application/octet-stream', content),
    })
    const { status, bytes } = await system.call('downloadAttachment', { params: { attachmentId: id } })
    assert.equal(status, 200)
    assert.deepEqual(bytes, content)
  })

  it('the response has exactly the documented headers', async (system) => {
    const { id } = await system.ok<Attachment>('uploadAttachment', {
      params: { attachmentTypeId: 1 },
      file: pdf,
      body: 'The plan',
    })
    const { headers } = await system.call('downloadAttachment', { params: { attachmentId: id } })
    const { date = '', ...rest } = Object.fromEntries(headers)
    // These two headers describe the connection (RFC 9110, 7.6.1), not the file.
    delete rest['connection']
    delete rest['keep-alive']
    assert.deepEqual(rest, {
      'cache-control': 'no-cache',
      'content-disposition': 'inline; filename=plan.pdf',
      'content-length': '8',
      'content-type': 'application/pdf',
    })
    assert.equal(new Date(date).toUTCString(), date)
  })

  it('the header contains the file name unchanged', async (system) => {
    const { id, fileName } = await system.ok<Attachment>('uploadAttachment', {
      params: { attachmentTypeId: 3 },
      file: textFile('Résumé 1; draft.txt'),
    })
    assert.equal(fileName, 'Résumé 1; draft.txt')
    const { headers } = await system.call('downloadAttachment', { params: { attachmentId: id } })
    const value = headers.get('content-disposition') ?? ''
    assert.equal(Buffer.from(value, 'latin1').toString(), 'inline; filename=Résumé 1; draft.txt')
  })

  it('an attachment of another package is not found', async (system) => {
    const { id: packageId } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
    const { id: attachmentId } = await system.ok<Attachment>('uploadAttachment', {
      params: { attachmentTypeId: 2 },
    })
    await system.refused(404, 'downloadAttachment', { params: { packageId, attachmentId } })
    await system.refused(404, 'downloadAttachment', { params: { attachmentId: attachmentId + 1 } })
    await system.ok('downloadAttachment', { params: { attachmentId } })
  })
})

async function purchase(system: System, state: string): Promise<number> {
  const { id } = await system.ok<Package>('createPackage', {
    params: { formId: 6026 },
    body: { state, subType: 'DOMESTIC', entry: { item: 'Microscope', price: 4200, needed_by: null } },
  })
  return id
}

async function titles(
  system: System,
  params: Readonly<Record<string, number>> = {},
): Promise<(string | null | undefined)[]> {
  const attachments = await system.ok<Attachment[]>('getAttachments', { params })
  return attachments.map(({ attachmentType }) => attachmentType?.title)
}

function trySign(system: System, univid: string) {
  return system.fetch('/_emulator/test/forms/6025/packages/42/sign', {
    method: 'POST',
    body: JSON.stringify({ univid }),
  })
}

const credentials = {
  Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
  'x-workflow-request-user': people.initiator,
}

/** One part of a multipart body. */
function part(disposition: string, content: string, type?: string): string {
  return `--x\r\nContent-Disposition: ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${content}\r\n`
}

/** Uploads an attachment to package 42 with a hand-written body. */
function raw(system: System, attachmentTypeId: number, parts: readonly string[]) {
  return system.fetch(
    `/wf/workflow/test/api/developer/forms/6025/packages/42/attachments/types/${attachmentTypeId}`,
    {
      method: 'POST',
      headers: { ...credentials, 'Content-Type': 'multipart/form-data; boundary=x' },
      body: `${parts.join('')}--x--\r\n`,
    },
  )
}
