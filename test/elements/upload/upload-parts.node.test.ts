import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TransferState, UnavailableError } from '../../../src/client/index.ts'
import type { Attachment } from '../../../src/contract/schemas/attachments.ts'
import { readDroppedFiles, withPaths } from '../../../src/elements/upload/incoming-files.ts'
import { sendFile } from '../../../src/elements/upload/send-file.ts'
import {
  isFinished,
  isOnItsWay,
  isSignedOut,
  storedTransfer,
  type UploadItem,
} from '../../../src/elements/upload/upload-item.ts'
import { findUpload } from '../../../src/elements/wf-attachments/find-upload.ts'

const pdf = new File(['%PDF-1.7'], 'a.pdf', { type: 'application/pdf' })

describe('sendFile()', () => {
  const rules = { maxSize: 100 }
  const failure = new UnavailableError('uploadFile', 'got no response')

  /** A file that cannot be opened any more after this many times. */
  function movedAfter(count: number) {
    const file = new File(['text'], 'a.txt')
    file.slice = () => {
      if (count-- <= 0) throw new DOMException('It was moved', 'NotReadableError')
      return new Blob(['t'])
    }
    return file
  }

  it('sends a valid file, and passes its progress on', async () => {
    const progress: unknown[] = []
    const upload = (report: (sent: number, total: number) => void) => {
      report(0, 0)
      report(4, 8)
      return Promise.resolve('stored')
    }
    const stored = await sendFile(pdf, rules, upload, (...args) => progress.push(args))
    assert.equal(stored, 'stored')
    assert.deepEqual(progress, [
      [0, 0],
      [4, 8],
    ])
  })

  it('sends no file that the rules reject or that cannot be read', async () => {
    const unexpected = () => Promise.reject(new Error('It was sent'))
    for (const [file, kind] of [
      [new File([], 'a.pdf'), 'empty'],
      [new File(['x'.repeat(101)], 'a.pdf'), 'tooLarge'],
      [movedAfter(0), 'unreadable'],
    ] as const)
      await assert.rejects(
        sendFile(file, rules, unexpected, () => {}),
        { name: 'FileProblem', kind, message: `The file was not sent: ${kind}` },
      )
  })

  it('blames the file for a failure before all of it was sent, if it has changed', async () => {
    const reportAndFail = (sent: number, total: number) => (report: (one: number, all: number) => void) => {
      report(sent, total)
      return Promise.reject(failure)
    }
    const send = (file: File, ...progress: [number, number]) =>
      sendFile(file, rules, reportAndFail(...progress), () => {})
    await assert.rejects(send(movedAfter(1), 3, 4), { kind: 'unreadable' })
    await assert.rejects(send(movedAfter(1), 0, 0), { kind: 'unreadable' }, 'nothing was sent')
    await assert.rejects(send(movedAfter(1), 4, 4), failure, 'the response was lost')
    await assert.rejects(send(movedAfter(2), 3, 4), failure, 'the file has not changed')
    await assert.rejects(
      sendFile(
        movedAfter(1),
        rules,
        () => Promise.reject(failure),
        () => {},
      ),
      { kind: 'unreadable' },
      'it failed at once',
    )
    const refused = new Error('refused')
    await assert.rejects(
      sendFile(
        movedAfter(1),
        rules,
        () => Promise.reject(refused),
        () => {},
      ),
      refused,
    )
  })
})

describe('readDroppedFiles()', () => {
  const fileEntry = (fullPath: string, file?: File) => ({
    isFile: true,
    fullPath,
    file: (resolve: (file: File) => void, reject: (error: Error) => void) =>
      file ? resolve(file) : reject(new DOMException('It was moved', 'NotFoundError')),
  })
  /** A folder that returns its entries in portions, as browsers do. */
  const folderEntry = (fullPath: string, ...portions: unknown[][]) => ({
    isFile: false,
    fullPath,
    createReader: () => ({
      readEntries: (resolve: (entries: unknown[]) => void) => resolve(portions.shift() ?? []),
    }),
  })
  const brokenFolder = (fullPath: string) => ({
    isFile: false,
    fullPath,
    createReader: () => ({
      readEntries: (_: unknown, reject: (error: Error) => void) => reject(new Error('no')),
    }),
  })
  const item = (entry: unknown, file: File | null = null, kind = 'file') => ({
    kind,
    webkitGetAsEntry: () => entry,
    getAsFile: () => file,
  })
  const read = (...items: unknown[]) => readDroppedFiles({ items } as unknown as DataTransfer)

  it('reads all files in the order of the drop, with their paths if they come with a folder', async () => {
    const [one, two, three] = ['1', '2', '3'].map((name) => new File(['x'], name))
    const folder = folderEntry(
      '/trip',
      [fileEntry('/trip/2', two)],
      [folderEntry('/trip/more', [fileEntry('/trip/more/3', three)])],
    )
    assert.deepEqual(await read(item(fileEntry('/1', one)), item(folder), item(null, pdf)), {
      files: [
        { file: one, path: '' },
        { file: two, path: 'trip/2' },
        { file: three, path: 'trip/more/3' },
        { file: pdf, path: '' },
      ],
      skipped: [],
    })
  })

  it('names what holds no file or could not be read, and goes on', async () => {
    const folder = folderEntry('/trip', [fileEntry('/trip/gone'), fileEntry('/trip/a.pdf', pdf)])
    const items = [item(folderEntry('/empty')), item(brokenFolder('/locked')), item(folder), item(null)]
    assert.deepEqual(await read(...items, item(fileEntry('/text', pdf), null, 'string')), {
      files: [{ file: pdf, path: 'trip/a.pdf' }],
      skipped: ['empty', 'locked', 'trip/gone'],
    })
  })
})

describe('withPaths()', () => {
  it('adds the paths that the folder dialog reports', () => {
    const file = Object.assign(new File(['x'], 'a'), { webkitRelativePath: 'trip/a' })
    assert.deepEqual(withPaths([file]), [{ file, path: 'trip/a' }])
  })
})

describe('an item of a queue', () => {
  const item = (state: object, isStarted = true) =>
    ({ isStarted, transfer: { state } }) as unknown as UploadItem<unknown, unknown>

  it('is finished when it is stored, failed or cancelled', () => {
    const kinds = ['stored', 'failed', 'cancelled', 'waiting', 'sending', 'paused']
    assert.deepEqual(
      kinds.map((kind) => isFinished({ kind } as TransferState<unknown>)),
      [true, true, true, false, false, false],
    )
  })

  it('is on its way if it waits for nobody and for no network', () => {
    for (const [state, isStarted, isMoving] of [
      [{ kind: 'sending' }, true, true],
      [{ kind: 'sending', isStalled: false }, true, true],
      [{ kind: 'sending', isStalled: true }, true, false],
      [{ kind: 'sending' }, false, false],
      [{ kind: 'paused', why: 'offline' }, true, false],
      [{ kind: 'stored' }, true, false],
    ] as const)
      assert.equal(isOnItsWay(item(state, isStarted)), isMoving, JSON.stringify(state))
  })

  it('knows whether it waits for a sign-in', () => {
    assert.equal(isSignedOut(item({ kind: 'paused', why: 'signed-out' }).transfer), true)
    assert.equal(isSignedOut(item({ kind: 'paused', why: 'offline' }).transfer), false)
    assert.equal(isSignedOut(item({ kind: 'failed', why: 'signed-out' }).transfer), false)
  })

  it('may be stored already', () => {
    assert.deepEqual(storedTransfer('7').state, { kind: 'stored', value: '7' })
  })
})

describe('findUpload()', () => {
  const file = new File(['12345'], 'Über den Fluß (2).pdf')
  const stored = { id: 3, fileName: 'Uber_den.pdf', fileSize: 5, attachmentType: { id: 1 } }
  const find = (...attachments: unknown[]) =>
    findUpload(attachments as Attachment[], { typeId: 1, file, excluded: new Set([9]) })?.id

  it('compares the letters and digits of the name, the size and the type', () => {
    const same = { ...stored, fileName: 'U\u0308ber-den-Fluß-2-.pdf' }
    assert.equal(find(null, same), 3)
    for (const fields of [
      { fileName: 'other.pdf' },
      { fileName: null },
      { fileSize: 6 },
      { attachmentType: { id: 2 } },
      { attachmentType: null },
      { id: 9 },
    ])
      assert.equal(find({ ...same, ...fields }), undefined, JSON.stringify(fields))
  })

  it('compares no names that differ only in letters or digits', () => {
    for (const fileName of ['Ufer den Fluß (2).pdf', 'Über den Fluß (3).pdf'])
      assert.equal(find({ ...stored, fileName }), undefined, fileName)
  })

  it('finds an upload whose name has neither letters nor digits, even if the service keeps no name', () => {
    const found = findUpload([{ ...stored, fileName: null } as Attachment], {
      ...{ typeId: 1, excluded: new Set<number>() },
      file: new File(['12345'], '(-)'),
    })
    assert.equal(found?.id, 3)
  })

  it('compares only the start of a long name, because services shorten it', () => {
    const long = new File(['12345'], `${'x'.repeat(40)}1.pdf`)
    const found = (fileName: string) =>
      findUpload([{ ...stored, fileName } as Attachment], { typeId: 1, file: long, excluded: new Set() })
    assert.equal(found('x'.repeat(40))?.id, 3)
    assert.equal(found('x'.repeat(39)), undefined)
  })
})
