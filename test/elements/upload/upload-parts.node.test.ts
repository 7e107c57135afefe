import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  isFinished,
  isOnItsWay,
  type SendOptions,
  UnavailableError,
  type UploadState,
} from '../../../src/client/index.ts'
import type { Attachment } from '../../../src/contract/schemas/attachments.ts'
import { isHidden, readDroppedFiles, withPaths } from '../../../src/elements/upload/incoming-files.ts'
import { sendFile } from '../../../src/elements/upload/send-file.ts'
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

  /** Sends a file whose upload reports some progress and then ends. Returns the progress. */
  async function send(file: File, end: Promise<string>, ...progress: readonly (readonly [number, number])[]) {
    end.catch(() => {})
    const reported: unknown[] = []
    const options: SendOptions = {
      signal: new AbortController().signal,
      idempotencyKey: '"1"',
      onProgress: (...args) => reported.push(args),
    }
    const stored = await sendFile(file, rules, options, (inner) => {
      for (const one of progress) inner.onProgress(...one)
      return end
    })
    return { stored, reported }
  }

  it('sends a valid file, and passes its progress on', async () => {
    assert.deepEqual(await send(pdf, Promise.resolve('stored'), [0, 0], [4, 8]), {
      stored: 'stored',
      reported: [
        [0, 0],
        [4, 8],
      ],
    })
  })

  it('sends no file that the rules reject or that cannot be read', async () => {
    const unexpected = () => Promise.reject(new Error('It was sent'))
    for (const [file, kind, limit] of [
      [new File([], 'a.pdf'), 'empty', 100],
      [new File(['x'.repeat(101)], 'a.pdf'), 'tooLarge', 100],
      [movedAfter(0), 'unreadable', 100],
    ] as const)
      await assert.rejects(send(file, unexpected()), {
        name: 'FileProblem',
        kind,
        limit,
        message: `The file was not sent: ${kind}`,
      })
  })

  it('blames the file for a failure before all of it was sent, if it has changed', async () => {
    const fail = (error: Error = failure) => Promise.reject(error)
    await assert.rejects(send(movedAfter(1), fail(), [3, 4]), { kind: 'unreadable' })
    await assert.rejects(send(movedAfter(1), fail(), [0, 0]), { kind: 'unreadable' }, 'nothing was sent')
    await assert.rejects(send(movedAfter(1), fail(), [4, 4]), failure, 'the response was lost')
    await assert.rejects(send(movedAfter(2), fail(), [3, 4]), failure, 'the file has not changed')
    await assert.rejects(send(movedAfter(1), fail()), { kind: 'unreadable' }, 'it failed at once')
    const refused = new Error('refused')
    await assert.rejects(send(movedAfter(1), fail(refused)), refused)
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

describe('isHidden()', () => {
  it('is true for files that systems keep in folders, not for a file that was chosen by itself', () => {
    const hidden = (path: string) => isHidden({ file: pdf, path })
    for (const path of [
      'trip/.DS_Store',
      'trip/.git/config',
      'trip/a/Thumbs.db',
      'trip/desktop.ini',
      'trip/._a.pdf',
    ])
      assert.equal(hidden(path), true, path)
    for (const path of ['', '.htaccess', 'trip/a.pdf', 'trip/my.thumbs.db', 'trip/a.b/c'])
      assert.equal(hidden(path), false, path)
  })
})

describe('withPaths()', () => {
  it('adds the paths that the folder dialog reports', () => {
    const file = Object.assign(new File(['x'], 'a'), { webkitRelativePath: 'trip/a' })
    assert.deepEqual(withPaths([file]), [{ file, path: 'trip/a' }])
  })
})

describe('the state of an upload', () => {
  const sending = { kind: 'sending', sent: 0, total: 1, speed: null, secondsLeft: null } as const
  const states = {
    stored: { kind: 'stored', value: 1 },
    failed: { kind: 'failed', error: 1, isUncertain: false, mayDuplicate: false },
    gone: { kind: 'gone', mayDuplicate: false },
    queued: { kind: 'queued' },
    held: { kind: 'queued', hold: 'start' },
    offline: { kind: 'queued', hold: 'offline' },
    sending: { ...sending, isStalled: false },
    stalled: { ...sending, isStalled: true },
    verifying: { kind: 'verifying', next: 'send' },
  } as const satisfies Readonly<Record<string, UploadState<number>>>
  const named = (is: (state: UploadState<unknown>) => boolean) =>
    Object.entries(states).flatMap(([name, state]) => (is(state) ? [name] : []))

  it('is finished when it is stored, failed or gone', () => {
    assert.deepEqual(named(isFinished), ['stored', 'failed', 'gone'])
  })

  it('is on its way if it waits for nobody and for no network', () => {
    assert.deepEqual(named(isOnItsWay), ['queued', 'sending', 'verifying'])
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
