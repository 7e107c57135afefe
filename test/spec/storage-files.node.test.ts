import assert from 'node:assert/strict'
import type { OperationName } from '../../src/contract/services/operations.ts'
import type { FileAsset } from '../../src/contract/schemas/storage.ts'
import { advance, localNow, nowhere, presign, upload } from './files.ts'
import { type Call, describeSection, secrets, type System, type SystemResponse, textFile } from './system.ts'

const prod = { env: 'prod' } as const
const month = 30 * 86_400_000

/** Durations in both notations and all units, with their milliseconds. */
const durations: readonly (readonly [string, number])[] = [
  ['2000000000ns', 2000],
  ['2000000us', 2000],
  ['2000ms', 2000],
  ['2s', 2000],
  ['2m', 120_000],
  ['2h', 7_200_000],
  ['2d', 172_800_000],
  ['90', 90_000],
  ['+90', 90_000],
  ['PT2S', 2000],
  ['PT2M', 120_000],
  ['PT2H', 7_200_000],
  ['P2D', 172_800_000],
  ['P1DT2H3M4S', 93_784_000],
  ['PT1.5S', 1500],
  ['PT1.5H', 5_400_000],
  ['P1W', 604_800_000],
  ['P1.5D', 129_600_000],
  ['1.5h', 5_400_000],
  ['2.5', 2500],
]

const noDurations = [
  '',
  ' ',
  'soon',
  '2w',
  '2 h',
  '2h30m',
  '1,5h',
  'PT1.5H30M',
  '0x10',
  'P',
  'PT',
  'P1DT',
  'P1Y',
  'P1M',
  'PT1e3S',
  'T1H',
]

describeSection('storage/Conventions', (it) => {
  it('timestamps of a file are local times without zone, with six fractional digits', async (system) => {
    const before = await localNow(system)
    const { uuid, uploadDate, expirationDate } = await upload(system, { expiresIn: '1h' })
    const after = await localNow(system)
    for (const timestamp of [uploadDate, expirationDate]) {
      assert.match(timestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
    }
    const second = uploadDate?.slice(0, 19) ?? ''
    assert.ok(before <= second && second <= after, `${before} ${second} ${after}`)

    await advance(system, '1m')
    assert.equal((await meta(system, uuid)).uploadDate, uploadDate, 'and stays')
    assert.ok(((await upload(system)).uploadDate ?? '') > (uploadDate ?? ''))
  })

  it('each file has its own UUID, and other identifiers are not found', async (system) => {
    const [one, other] = [await upload(system), await upload(system)]
    for (const { uuid } of [one, other]) {
      assert.match(uuid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      assert.equal((await meta(system, uuid)).uuid, uuid)
    }
    assert.notEqual(one.uuid, other.uuid)
    await system.refused(404, 'getFileMeta', { params: { uuid: nowhere } })
  })

  it('paths begin with /api/v1 in both deployments', async (system) => {
    for (const env of ['test', 'prod'] as const) {
      const { uuid } = await upload(system, undefined, { env })
      const get = async (path: string) => (await system.fetch(path, { headers: basic() })).status
      assert.equal(await get(`/fs/${env}/api/v1/files/${uuid}/meta`), 200)
      assert.equal(await get(`/fs/${env}/files/${uuid}/meta`), 404)
      assert.equal(await get(`/fs/api/v1/files/${uuid}/meta`), 404)
    }
  })
})

describeSection('storage/What the service does', (it) => {
  it('the stored bytes are returned for the identifier', async (system) => {
    const every = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7919) % 256)
    for (const bytes of [
      every,
      new Uint8Array(0),
      new TextEncoder().encode('\r\n--x\r\n\r\n--x--\r\n'),
      Uint8Array.of(0),
    ]) {
      const file = textFile('a.bin', 'application/x-any', bytes)
      const { uuid, fileSize } = await upload(system, undefined, { file })
      assert.equal(fileSize, bytes.length)
      const { status, bytes: found, headers } = await system.fetch(await presign(system, uuid))
      assert.equal(status, 200)
      assert.equal(headers.get('content-length'), String(bytes.length))
      assert.deepEqual(found, bytes)
    }
  })

  it('a client can read and change metadata, get links, share and delete', async (system) => {
    const { uuid } = await upload(system)
    const params = { uuid }
    assert.equal((await meta(system, uuid)).filename, 'hello.txt')
    await change(system, uuid, { metadata: { term: 'fall' } })
    assert.deepEqual((await meta(system, uuid)).metadata, { term: 'fall' })
    assert.equal((await system.fetch(await presign(system, uuid))).text, 'hello')
    await system.ok('createShare', { body: { granteeClientId: 'partner-app', fileAssetUuid: uuid } })
    await system.ok('getFileMeta', { params, client: 'partner-app' })
    await system.ok('deleteFile', { params })
    await system.refused(404, 'getFileMeta', { params })
  })
})

describeSection('storage/File asset', (it) => {
  it('has exactly uuid, filename, fileSize, contentType, uploadDate, expirationDate and metadata', async (system) => {
    const asset = await upload(system, { metadata: { term: 'fall', year: '2026' } }, prod)
    const { uuid, uploadDate, ...rest } = asset
    assert.equal(typeof uuid, 'string')
    assert.equal(typeof uploadDate, 'string')
    assert.deepEqual(rest, {
      filename: 'hello.txt',
      fileSize: 5,
      contentType: 'text/plain',
      expirationDate: null,
      metadata: { term: 'fall', year: '2026' },
    })
    assert.deepEqual(await meta(system, uuid, prod), asset, 'everywhere the same')
    assert.deepEqual(await change(system, uuid, {}, prod), asset)
  })

  it('contentType is the media type of the upload', async (system) => {
    for (const [type, expected] of [
      ['application/pdf', 'application/pdf'],
      ['text/html; charset=utf-8', 'text/html; charset=utf-8'],
      ['', 'application/octet-stream'],
    ]) {
      const { contentType, uuid } = await upload(system, undefined, { file: textFile('a', type) })
      assert.equal(contentType, expected)
      const { headers } = await system.fetch(await presign(system, uuid))
      assert.equal(headers.get('content-type'), expected)
    }
  })
})

describeSection('storage/Duration format', (it) => {
  it('accepts ISO 8601, and a number with ns, us, ms, s, m, h, d or without a unit for seconds', async (system) => {
    for (const [expiresIn, milliseconds] of durations) {
      assertExpires(await upload(system, { expiresIn }, prod), milliseconds, expiresIn)
      // Do not request a file after it got an expiration date: on a slow machine, it may already have expired.
      const { uuid } = await upload(system, undefined, prod)
      assert.ok(await presign(system, uuid, { expiresIn }, prod), expiresIn)
      assertExpires(await change(system, uuid, { expiresIn }, prod), milliseconds, expiresIn)
    }
  })

  it('accepts no other text', async (system) => {
    const { uuid } = await upload(system)
    const params = { uuid }
    for (const expiresIn of noDurations) {
      await system.refused(400, 'uploadFile', { body: { expiresIn } })
      await system.refused(400, 'updateFileMeta', { params, body: { expiresIn } })
      await system.refused(400, 'presignFile', { params, query: { expiresIn } })
    }
    for (const expiresIn of [1.5, true, {}, ['60']]) {
      await system.refused(400, 'uploadFile', { body: { expiresIn } })
      await system.refused(400, 'updateFileMeta', { params, body: { expiresIn } })
    }
    await upload(system, { expiresIn: '60' })
    await change(system, uuid, { expiresIn: '60' })
    await presign(system, uuid, { expiresIn: '60' })
  })

  it('a positive duration below the resolution of the clock is not zero', async (system) => {
    const { uuid, uploadDate, expirationDate } = await upload(system, { expiresIn: '1ns' }, prod)
    assert.ok((expirationDate ?? '') > (uploadDate ?? ''))
    await advance(system, '1ms')
    await system.refused(404, 'getFileMeta', { ...prod, params: { uuid } })
  })
})

describeSection('storage/States and transitions', (it) => {
  it('an active file expires and becomes inaccessible; a presign request then returns 400', async (system) => {
    for (const env of ['test', 'prod'] as const) {
      const { uuid } = await upload(system, { expiresIn: '10m' }, { env })
      const at = { env, params: { uuid } }
      const link = await presign(system, uuid, {}, { env })
      await advance(system, '9m')
      await system.ok('getFileMeta', at)
      await presign(system, uuid, {}, { env })

      await advance(system, '1m')
      const refused = await system.refused(400, 'presignFile', at)
      assert.match(detailOf(refused), /expired/)
      await system.refused(404, 'getFileMeta', at)
      await system.refused(404, 'updateFileMeta', { ...at, body: { expiresIn: '0' } })
      await system.refused(404, 'deleteFile', at)
      const body = { granteeClientId: 'partner-app', fileAssetUuid: uuid }
      await system.refused(404, 'createShare', { env, body })
      assert.equal((await system.fetch(link)).text, 'hello', 'the link was given before, and lives its hour')
    }
  })

  it('a file without expiration does not expire', async (system) => {
    const { uuid, expirationDate } = await upload(system, undefined, prod)
    assert.equal(expirationDate, null)
    await advance(system, '3650d')
    assert.equal((await meta(system, uuid, prod)).uuid, uuid)
    await presign(system, uuid, {}, prod)
  })

  it('an expiresIn of zero clears the expiration of an active file', async (system) => {
    for (const expiresIn of ['0', '0s', '0d', 'PT0S', 'P0D', '-0']) {
      const { uuid } = await upload(system, { expiresIn: '1h' }, prod)
      assert.equal((await change(system, uuid, { expiresIn }, prod)).expirationDate, null, expiresIn)
      assert.equal((await meta(system, uuid, prod)).expirationDate, null)
      await advance(system, '1h')
      assert.equal((await meta(system, uuid, prod)).uuid, uuid)
    }
  })

  it('a deleted file is inaccessible at once, but its object stays in the store and links work until they expire', async (system) => {
    const { uuid } = await upload(system)
    const params = { uuid }
    const link = await presign(system, uuid, { expiresIn: '2h' })
    await system.ok('deleteFile', { params })
    await system.refused(404, 'getFileMeta', { params })
    await system.refused(404, 'presignFile', { params })
    await system.refused(404, 'updateFileMeta', { params, body: {} })
    await system.refused(404, 'deleteFile', { params })
    const body = { granteeClientId: 'partner-app', fileAssetUuid: uuid }
    await system.refused(404, 'createShare', { body })

    assert.equal((await system.fetch(link)).text, 'hello')
    await advance(system, '119m')
    assert.equal((await system.fetch(link)).text, 'hello')
    await advance(system, '1m')
    assert.equal((await system.fetch(link)).status, 403)
  })
})

describeSection('storage/Upload a file', (it) => {
  it('accepts a part file alone', async (system) => {
    const { filename, fileSize, metadata } = await upload(system)
    assert.deepEqual({ filename, fileSize, metadata }, { filename: 'hello.txt', fileSize: 5, metadata: {} })
  })

  it('accepts both parts in either order', async (system) => {
    for (const order of [
      ['file', 'meta'],
      ['meta', 'file'],
    ]) {
      const form = new FormData()
      for (const part of order) {
        form.append(part, part === 'file' ? textFile() : json({ filename: 'other.txt' }))
      }
      const response = await post(system, form)
      assert.equal(response.status, 200, response.text)
      assert.equal((response.json as FileAsset).filename, 'other.txt')
    }
  })

  it('filename overrides the uploaded name', async (system) => {
    const file = textFile('uploaded.txt')
    assert.equal((await upload(system, undefined, { file })).filename, 'uploaded.txt')
    assert.equal((await upload(system, {}, { file })).filename, 'uploaded.txt')
    for (const filename of ['Final “1”.txt', 'Отчёт 1.pdf', 'a/b\\c.txt', ' x ', 'x'.repeat(255)]) {
      const { uuid, filename: found } = await upload(system, { filename }, { file })
      assert.equal(found, filename)
      assert.equal((await meta(system, uuid)).filename, filename)
    }
    assert.equal((await upload(system, { filename: '  ' }, { file })).filename, 'uploaded.txt')
  })

  it('keeps an uploaded name in any script', async (system) => {
    for (const name of [
      'Résumé “2”.pdf',
      '報告書.txt',
      'with "quotes".txt',
      'semi;colon=1.txt',
      '100%.txt',
    ]) {
      assert.equal((await upload(system, undefined, { file: textFile(name) })).filename, name)
    }
  })

  it('a negative or zero expiresIn, or one beyond the range of dates, gives an error', async (system) => {
    for (const env of ['test', 'prod'] as const) {
      for (const expiresIn of ['-1', '-10m', '-1ns', '-PT10M', 'PT-10M', '0', '0s', 'PT0S', '9999999d']) {
        const refused = await system.refused(400, 'uploadFile', { env, body: { expiresIn } })
        assert.match(detailOf(refused), /expiresIn/, expiresIn)
      }
      await upload(system, { expiresIn: '1' }, { env })
      await upload(system, { expiresIn: '2900000d' }, { env })
    }
  })

  it('metadata must be pairs of strings', async (system) => {
    const metadata = { term: 'fall', empty: '', 'Ключ “1”': 'Wert\n2', constructor: 'c', toString: 't' }
    const { uuid, metadata: found } = await upload(system, { metadata })
    assert.deepEqual(Object.entries(found ?? {}), Object.entries(metadata))
    assert.deepEqual(Object.entries((await meta(system, uuid)).metadata ?? {}), Object.entries(metadata))
    for (const wrong of [{ a: 1 }, { a: true }, { a: {} }, { a: ['b'] }, { a: null }, ['a'], 'a']) {
      await system.refused(400, 'uploadFile', { body: { metadata: wrong } })
    }
  })

  it('metadata is not a database: large keys and values are rejected', async (system) => {
    await upload(system, { metadata: { ['k'.repeat(100)]: 'v'.repeat(1000) } })
    await system.refused(400, 'uploadFile', { body: { metadata: { ['k'.repeat(101)]: 'v' } } })
    await system.refused(400, 'uploadFile', { body: { metadata: { k: 'v'.repeat(1001) } } })
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v'.repeat(1000)]))
    await upload(system, { metadata: many(60) })
    await system.refused(400, 'uploadFile', { body: { metadata: many(70) } })
  })

  it('meta must be a JSON object without other attributes', async (system) => {
    for (const body of [{ uuid: nowhere }, { fileSize: 1 }, { owner: 'partner-app' }, [], 'text', 7]) {
      await system.refused(400, 'uploadFile', { body })
    }
    await upload(system, {})
    const withMeta = async (content: string, type = 'application/json') => {
      const form = new FormData()
      form.append('file', textFile())
      form.append('meta', new Blob([content], { type }))
      return (await post(system, form)).status
    }
    assert.equal(await withMeta('{"filename":"a.txt"}'), 200)
    assert.equal(await withMeta('{"filename":"a.txt"'), 400)
    assert.equal(await withMeta(''), 400)
    assert.equal(await withMeta('{"filename":"a.txt"}', 'application/xml'), 400)
  })

  it('the body must be multipart/form-data with a part file', async (system) => {
    const form = (parts: Readonly<Record<string, File | Blob>>) => {
      const made = new FormData()
      for (const [name, value] of Object.entries(parts)) made.append(name, value)
      return made
    }
    assert.equal((await post(system, form({ file: textFile() }))).status, 200)
    for (const [body, type] of [
      [form({}), undefined],
      [form({ meta: json({}) }), undefined],
      [form({ file: textFile(), other: json({}) }), undefined],
      [form({ attachment: textFile() }), undefined],
      ['hello', 'text/plain'],
      ['{"file":"hello"}', 'application/json'],
      ['file=hello', 'application/x-www-form-urlencoded'],
      ['--x\r\n', 'multipart/form-data; boundary=x'],
      ['--x--\r\n', 'multipart/form-data; boundary=x'],
      ['hello', 'multipart/form-data'],
      [undefined, undefined],
    ] as const) {
      assert.equal((await post(system, body, type)).status, 400, String(type))
    }
  })
})

describeSection('storage/Presigned download link', (it) => {
  it('the response body is a URL that the object store serves without credentials', async (system) => {
    const { uuid } = await upload(system)
    const response = await system.call('presignFile', { params: { uuid } })
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain/)
    assert.equal(new URL(response.text).href, response.text)
    assert.ok(!response.text.includes('/fs/'), 'not by the service')
    assert.ok(!response.text.includes(uuid))
    for (let times = 0; times < 2; times += 1) {
      const found = await system.fetch(response.text)
      assert.equal(found.status, 200)
      assert.equal(found.text, 'hello')
    }
    const other = `${response.text.slice(0, -nowhere.length)}${nowhere}`
    assert.equal((await system.fetch(other)).status, 403)
    assert.notEqual(await presign(system, uuid), response.text, 'each request gives another')
  })

  it('may also be returned as a JSON string', async (system) => {
    const { uuid } = await upload(system)
    await system.control('PUT', '/spec-options', { presign: 'json' })
    const response = await system.call('presignFile', { params: { uuid } })
    await system.control('PUT', '/spec-options', { presign: 'text' })
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal((await system.fetch(response.json as string)).text, 'hello')
  })

  it('inline makes the content disposition inline instead of attachment', async (system) => {
    const { uuid } = await upload(system)
    for (const [query, type] of [
      [{ inline: 'true' }, 'inline'],
      [{ inline: 'false' }, 'attachment'],
      [{}, 'attachment'],
    ] as const) {
      const { headers } = await system.fetch(await presign(system, uuid, query))
      assert.equal(
        headers.get('content-disposition'),
        `${type}; filename="hello.txt"; filename*=UTF-8''hello.txt`,
      )
    }
    for (const inline of ['yes', '1', '', 'TRUE']) {
      await system.refused(400, 'presignFile', { params: { uuid }, query: { inline } })
    }
  })

  it('serves name, type and length, with headers that forbid caching and sniffing', async (system) => {
    const { uuid } = await upload(system, { filename: 'Résumé "1" 50%.txt' })
    const { headers } = await system.fetch(await presign(system, uuid))
    const expected = {
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-disposition':
        'attachment; filename="R_sum_ _1_ 50_.txt"; filename*=UTF-8\'\'R%C3%A9sum%C3%A9%20%221%22%2050%25.txt',
      'content-length': '5',
      'content-type': 'text/plain',
      'x-content-type-options': 'nosniff',
    }
    assert.deepEqual(
      Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)])),
      expected,
    )
  })

  it('expiresIn must be between 1 second and 7 days; other values give an error', async (system) => {
    const { uuid } = await upload(system)
    for (const expiresIn of ['1', '1s', 'PT1S', '1000ms', '1000000000ns', '7d', 'P7D', '168h', '604800']) {
      await presign(system, uuid, { expiresIn })
    }
    for (const expiresIn of ['0', '999ms', '999999999ns', 'PT0.9S', '-1', '-7d', '604801', 'P7DT1S', '8d']) {
      const refused = await system.refused(400, 'presignFile', { params: { uuid }, query: { expiresIn } })
      assert.match(detailOf(refused), /expiresIn/, expiresIn)
    }
  })

  it('accepts no other parameters', async (system) => {
    const { uuid } = await upload(system)
    await presign(system, uuid, { inline: 'true', expiresIn: '5m' })
    for (const query of [{ filename: 'x' }, { expiresIn: ['5m', '6m'] }, { inline: ['true', 'true'] }]) {
      await system.refused(400, 'presignFile', { params: { uuid }, query })
    }
  })

  it('can be downloaded until it expires: after an hour, or after the requested time', async (system) => {
    const { uuid } = await upload(system)
    const short = await presign(system, uuid, { expiresIn: '10m' })
    const normal = await presign(system, uuid)
    const long = await presign(system, uuid, { expiresIn: '7d' })
    const statuses = async () => [
      (await system.fetch(short)).status,
      (await system.fetch(normal)).status,
      (await system.fetch(long)).status,
    ]
    await advance(system, '9m')
    assert.deepEqual(await statuses(), [200, 200, 200])
    await advance(system, '1m')
    assert.deepEqual(await statuses(), [403, 200, 200])
    await advance(system, '49m')
    assert.deepEqual(await statuses(), [403, 200, 200])
    await advance(system, '1m')
    assert.deepEqual(await statuses(), [403, 403, 200])
    await advance(system, 'P6DT22H')
    assert.deepEqual(await statuses(), [403, 403, 200])
    await presign(system, uuid)
    assert.deepEqual(await statuses(), [403, 403, 200], 'a new link ends no other')
    await advance(system, '1h')
    assert.deepEqual(await statuses(), [403, 403, 403])
  })

  it('keeps the name at the time of its creation, whatever happens to the file asset', async (system) => {
    const { uuid } = await upload(system)
    const link = await presign(system, uuid)
    await change(system, uuid, { filename: 'other.txt' })
    const nameOf = async (address: string) =>
      (await system.fetch(address)).headers.get('content-disposition') ?? ''
    assert.match(await nameOf(link), /"hello\.txt"/)
    assert.match(await nameOf(await presign(system, uuid)), /"other\.txt"/)
  })

  it('serves a single range of bytes', async (system) => {
    const file = textFile('a.txt', 'text/plain', 'hello world')
    const link = await presign(system, (await upload(system, undefined, { file })).uuid)
    for (const [range, content, stated] of [
      ['bytes=0-4', 'hello', 'bytes 0-4/11'],
      ['bytes=6-', 'world', 'bytes 6-10/11'],
      ['bytes=-3', 'rld', 'bytes 8-10/11'],
      ['bytes=-99', 'hello world', 'bytes 0-10/11'],
      ['bytes=10-99', 'd', 'bytes 10-10/11'],
      ['Bytes=0-0', 'h', 'bytes 0-0/11'],
    ] as const) {
      const { status, headers, text } = await system.fetch(link, { headers: { range } })
      assert.equal(status, 206, range)
      assert.equal(headers.get('content-range'), stated)
      assert.equal(headers.get('content-length'), String(content.length))
      assert.equal(headers.get('content-type'), 'text/plain')
      assert.equal(text, content)
    }
  })

  it('rejects a range that starts behind the end with 416', async (system) => {
    const file = textFile('a.txt', 'text/plain', 'hello world')
    const link = await presign(system, (await upload(system, undefined, { file })).uuid)
    for (const range of ['bytes=11-', 'bytes=99-100', 'bytes=-0', 'bytes=99999999999999999999-']) {
      const { status, headers, text } = await system.fetch(link, { headers: { range } })
      assert.equal(status, 416, range)
      assert.equal(headers.get('content-range'), 'bytes */11')
      assert.equal(text, '')
    }
    const nothing = textFile('a.txt', 'text/plain', '')
    const empty = await presign(system, (await upload(system, undefined, { file: nothing })).uuid)
    assert.equal((await system.fetch(empty, { headers: { range: 'bytes=0-' } })).status, 416)
    assert.equal((await system.fetch(empty, { headers: { range: 'bytes=-1' } })).status, 200)
  })

  it('ignores a range that is invalid, plural, of another unit or conditional', async (system) => {
    const { uuid } = await upload(system)
    const link = await presign(system, uuid)
    const whole = async (headers: Record<string, string>) => {
      const { status, text } = await system.fetch(link, { headers })
      assert.deepEqual([status, text], [200, 'hello'], JSON.stringify(headers))
    }
    for (const range of ['bytes=4-0', 'bytes=-', 'bytes=a-b', 'bytes', 'items=0-1', 'bytes=0-0,2-3', '0-4']) {
      await whole({ range })
    }
    await whole({ range: 'bytes=0-1', 'if-range': '"x"' })
    assert.equal((await system.fetch(link, { headers: { range: 'bytes=0-1' } })).text, 'he')
  })
})

describeSection('storage/Get file meta', (it) => {
  it('returns the file asset as it was uploaded', async (system) => {
    const asset = await upload(system, { filename: 'a.txt', expiresIn: '5d', metadata: { a: 'b' } })
    assert.deepEqual(await meta(system, asset.uuid), asset)
    await system.refused(404, 'getFileMeta', { params: { uuid: nowhere } })
  })

  it('is for the owner and for grantees; to everyone else the file does not exist', async (system) => {
    const { uuid } = await upload(system)
    const params = { uuid }
    await system.ok('getFileMeta', { params })
    await system.refused(404, 'getFileMeta', { params, client: 'partner-app' })
    await system.refused(404, 'getFileMeta', { params, client: 'storage-admin' })
    await system.refused(404, 'presignFile', { params, client: 'partner-app' })
    await system.ok('createShare', { body: { granteeClientId: 'partner-app', fileAssetUuid: uuid } })
    await system.ok('getFileMeta', { params, client: 'partner-app' })
  })
})

describeSection('storage/Update file meta', (it) => {
  it('filename is replaced only when non-blank, otherwise ignored', async (system) => {
    const { uuid } = await upload(system)
    assert.equal((await change(system, uuid, { filename: 'new.txt' })).filename, 'new.txt')
    for (const filename of ['', '   ', '\t', '\u00a0', null, undefined]) {
      assert.equal((await change(system, uuid, { filename })).filename, 'new.txt')
    }
    assert.equal((await meta(system, uuid)).filename, 'new.txt')
  })

  it('expiresIn counts from the upload date, not from the time of the change', async (system) => {
    const { uuid } = await upload(system, undefined, prod)
    await advance(system, '1h')
    assertExpires(await change(system, uuid, { expiresIn: '2h' }, prod), 7_200_000)
    for (const expiresIn of [undefined, null]) {
      assertExpires(await change(system, uuid, { expiresIn }, prod), 7_200_000, 'left as it was')
    }
    await advance(system, '1h')
    await system.refused(404, 'getFileMeta', { ...prod, params: { uuid } })
  })

  it('an expiration in the past expires the file at once', async (system) => {
    const { uuid } = await upload(system)
    await advance(system, '2h')
    assertExpires(await change(system, uuid, { expiresIn: '1h' }), 3_600_000)
    await system.refused(404, 'getFileMeta', { params: { uuid } })
    await system.refused(400, 'presignFile', { params: { uuid } })
  })

  it('an expiresIn that is negative or beyond the range of dates gives an error and changes nothing', async (system) => {
    for (const env of ['test', 'prod'] as const) {
      const { uuid } = await upload(system, { expiresIn: '2h' }, { env })
      for (const expiresIn of ['-1', '-PT1H', 'PT-1H', '-1ns', '9999999d']) {
        const body = { expiresIn, filename: 'other.txt', metadata: { a: 'b' } }
        const refused = await system.refused(400, 'updateFileMeta', { env, params: { uuid }, body })
        assert.match(detailOf(refused), /expiresIn/)
      }
      const asset = await meta(system, uuid, { env })
      assertExpires(asset, 7_200_000)
      assert.equal(asset.filename, 'hello.txt')
      assert.deepEqual(asset.metadata, {})
      assertExpires(await change(system, uuid, { expiresIn: '1h' }, { env }), 3_600_000)
    }
  })

  it('metadata: a value adds or updates, null and an empty string remove, and omitted keys stay', async (system) => {
    const { uuid } = await upload(system, { metadata: { a: '1', b: '2', c: '3', d: '4' } })
    const expected = { c: '5', d: '4', e: '6' }
    const changed = await change(system, uuid, { metadata: { a: null, b: '', c: '5', e: '6', f: null } })
    assert.deepEqual(changed.metadata, expected)
    for (const body of [{}, { metadata: null }, { metadata: {} }, { filename: 'x' }]) {
      assert.deepEqual((await change(system, uuid, body)).metadata, expected)
    }
    assert.deepEqual((await meta(system, uuid)).metadata, expected)
  })

  it('names of built-in object properties are ordinary keys', async (system) => {
    const { uuid } = await upload(system, { metadata: { constructor: 'y' } })
    const changed = await change(system, uuid, { metadata: { constructor: '', toString: 't' } })
    assert.deepEqual(Object.entries(changed.metadata ?? {}), [['toString', 't']])
  })

  it('accepts only these three fields, with their types', async (system) => {
    const { uuid } = await upload(system)
    const params = { uuid }
    for (const body of [
      { uuid: nowhere },
      { uploadDate: '2026-01-01T00:00:00.000000' },
      { contentType: 'text/html' },
      { filename: 7 },
      { metadata: { a: 1 } },
      { metadata: ['a'] },
      [],
      'text',
    ]) {
      await system.refused(400, 'updateFileMeta', { params, body })
    }
    const asset = await meta(system, uuid)
    assert.deepEqual(await change(system, uuid, {}), asset)
    await system.refused(404, 'updateFileMeta', { params: { uuid: nowhere }, body: {} })
  })

  it('changes nothing else', async (system) => {
    const before = await upload(system, { metadata: { a: 'b' } })
    await advance(system, '1m')
    const after = await change(system, before.uuid, { filename: 'new.txt' })
    assert.deepEqual(after, { ...before, filename: 'new.txt' })
  })
})

describeSection('storage/Delete file asset', (it) => {
  it('returns 204 without a body', async (system) => {
    const [gone, kept] = [await upload(system), await upload(system)]
    const response = await system.call('deleteFile', { params: { uuid: gone.uuid } })
    assert.equal(response.status, 204)
    assert.equal(response.bytes.length, 0)
    await system.refused(404, 'getFileMeta', { params: { uuid: gone.uuid } })
    await system.refused(404, 'deleteFile', { params: { uuid: nowhere } })
    assert.deepEqual(await meta(system, kept.uuid), kept, 'others stay')
  })
})

describeSection('storage/Errors', (it) => {
  it('each error is problem details: status, title, detail, instance and type', async (system) => {
    const { uuid } = await upload(system)
    const ended = await upload(system, { expiresIn: '1m' })
    await system.ok('createShare', { body: { granteeClientId: 'partner-app', fileAssetUuid: uuid } })
    await advance(system, '1m')
    const params = { uuid }
    const missing = { params: { uuid: nowhere } }
    const all = { type: 'ALL_FILES', granteeClientId: 'partner-app' }
    const refusals: readonly (readonly [number, string, string, OperationName, Call])[] = [
      [400, 'Bad Request', '/files/upload', 'uploadFile', { body: { expiresIn: '-1' } }],
      [400, 'Bad Request', '/files/upload', 'uploadFile', { body: { expiresIn: '9999999d' } }],
      [400, 'Bad Request', '/files/upload', 'uploadFile', { body: { unknown: 1 } }],
      [400, 'Bad Request', `/files/${uuid}/meta`, 'updateFileMeta', { params, body: { expiresIn: '-1' } }],
      [400, 'Bad Request', `/files/${uuid}/presign`, 'presignFile', { params, query: { expiresIn: '8d' } }],
      [400, 'Bad Request', `/files/${uuid}/presign`, 'presignFile', { params, query: { inline: 'yes' } }],
      [400, 'Bad Request', `/files/${ended.uuid}/presign`, 'presignFile', { params: { uuid: ended.uuid } }],
      [400, 'Bad Request', '/shares', 'createShare', { body: {} }],
      [
        400,
        'Bad Request',
        '/shares',
        'createShare',
        { body: { ...all, ownerClientId: 'demo-app' }, ...admin },
      ],
      [400, 'Bad Request', '/shares', 'getShares', { query: { size: 0 } }],
      [
        400,
        'Bad Request',
        '/shares/partner-app',
        'revokeShare',
        { params: { granteeClientId: 'partner-app' } },
      ],
      [401, 'Unauthorized', `/files/${uuid}/meta`, 'getFileMeta', { params, client: null }],
      [403, 'Forbidden', '/shares', 'createShare', { body: all }],
      [403, 'Forbidden', `/files/${uuid}`, 'deleteFile', { params, client: 'partner-app' }],
      [404, 'Not Found', `/files/${nowhere}/meta`, 'getFileMeta', missing],
      [404, 'Not Found', `/files/${nowhere}/meta`, 'updateFileMeta', { ...missing, body: {} }],
      [404, 'Not Found', `/files/${nowhere}/presign`, 'presignFile', missing],
      [404, 'Not Found', `/files/${nowhere}`, 'deleteFile', missing],
    ]
    for (const [status, title, path, name, call] of refusals) {
      assertProblem(await system.call(name, call), { status, title, instance: `/fs/test/api/v1${path}` })
    }
    await system.ok('getFileMeta', { params })
  })

  it('requests outside the service return problem details too', async (system) => {
    const send = (path: string, method: string, body?: string) =>
      system.fetch(path, { method, headers: basic(), ...(body !== undefined && { body }) })
    const { uuid } = await upload(system)
    const root = '/fs/test/api/v1/files'
    assertProblem(await send(`${root}/${uuid}`, 'GET'), {
      status: 405,
      title: 'Method Not Allowed',
      instance: `${root}/${uuid}`,
    })
    assertProblem(await send(`${root}/${uuid}/content`, 'GET'), {
      status: 404,
      title: 'Not Found',
      instance: `${root}/${uuid}/content`,
    })
    assertProblem(await send(`${root}/${uuid}/meta?x=1`, 'PUT', '{"filename":'), {
      status: 400,
      title: 'Bad Request',
      instance: `${root}/${uuid}/meta`,
    })
    assert.equal((await send(`${root}/${uuid}/meta`, 'PUT', '{"filename":"a"}')).status, 200)
  })
})

describeSection('storage/Limits', (it) => {
  it('the test deployment expires each file after 30 days, whatever was requested; production does not', async (system) => {
    const plain = await upload(system)
    assertExpires(plain, month)
    assertExpires(await upload(system, { expiresIn: '31d' }), month)
    assertExpires(await upload(system, { expiresIn: '2900000d' }), month)
    assertExpires(await upload(system, { expiresIn: '29d' }), month - 86_400_000)
    assertExpires(await change(system, plain.uuid, { expiresIn: '60d' }), month)
    assertExpires(await change(system, plain.uuid, { expiresIn: '0' }), month)

    const lasting = await upload(system, undefined, prod)
    assert.equal(lasting.expirationDate, null)
    const late = await upload(system, { expiresIn: '400d' }, prod)
    assertExpires(late, 400 * 86_400_000)
    await advance(system, '29d')
    await system.ok('getFileMeta', { params: { uuid: plain.uuid } })
    await advance(system, '1d')
    await system.refused(404, 'getFileMeta', { params: { uuid: plain.uuid } })
    await system.refused(400, 'presignFile', { params: { uuid: plain.uuid } })
    await meta(system, lasting.uuid, prod)
    await meta(system, late.uuid, prod)
  })

  it('a link is valid for at least one second and at most seven days', async (system) => {
    const { uuid } = await upload(system)
    const link = await presign(system, uuid, { expiresIn: 'P7D' })
    const brief = await presign(system, uuid, { expiresIn: 'PT1S' })
    await advance(system, '1s')
    assert.equal((await system.fetch(brief)).status, 403)
    await advance(system, '604739s')
    assert.equal((await system.fetch(link)).status, 200)
    await advance(system, '1m')
    assert.equal((await system.fetch(link)).status, 403)
  })
})

describeSection('storage/Versioning', (it) => {
  it('/api/v1 is the only version', async (system) => {
    const { uuid } = await upload(system)
    for (const [version, status] of [
      ['v1', 200],
      ['v2', 404],
      ['v0', 404],
      ['V1', 404],
    ] as const) {
      const path = `/fs/test/api/${version}/files/${uuid}/meta`
      assert.equal((await system.fetch(path, { headers: basic() })).status, status, version)
    }
  })

  it('production and test do not share files', async (system) => {
    for (const [env, other] of [
      ['prod', 'test'],
      ['test', 'prod'],
    ] as const) {
      const { uuid } = await upload(system, undefined, { env })
      const there = { env: other, params: { uuid } }
      await system.refused(404, 'getFileMeta', there)
      await system.refused(404, 'presignFile', there)
      await system.refused(404, 'updateFileMeta', { ...there, body: { filename: 'x' } })
      await system.refused(404, 'deleteFile', there)
      const body = { granteeClientId: 'partner-app', fileAssetUuid: uuid }
      await system.refused(404, 'createShare', { env: other, body })
      assert.equal((await meta(system, uuid, { env })).filename, 'hello.txt')
    }
  })
})

const admin = { client: 'storage-admin' }

function meta(system: System, uuid: string, call?: Call): Promise<FileAsset> {
  return system.ok<FileAsset>('getFileMeta', { ...call, params: { uuid } })
}

function change(system: System, uuid: string, body: object, call?: Call): Promise<FileAsset> {
  return system.ok<FileAsset>('updateFileMeta', { ...call, params: { uuid }, body })
}

/** Sends any body to the upload endpoint. */
function post(system: System, body: FormData | string | undefined, type?: string): Promise<SystemResponse> {
  return system.fetch('/fs/test/api/v1/files/upload', {
    method: 'POST',
    headers: { ...basic(), ...(type !== undefined && { 'Content-Type': type }) },
    ...(body !== undefined && { body }),
  })
}

function json(value: unknown): Blob {
  return new Blob([JSON.stringify(value)], { type: 'application/json' })
}

function basic(): Record<string, string> {
  return { Authorization: `Basic ${btoa(`demo-app:${secrets['demo-app']}`)}` }
}

function detailOf(response: SystemResponse): string {
  return (response.json as { detail: string }).detail
}

function assertProblem(
  response: SystemResponse,
  expected: { readonly status: number; readonly title: string; readonly instance: string },
): void {
  assert.equal(response.status, expected.status, response.text)
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const { detail, type, ...rest } = response.json as Record<string, unknown>
  assert.deepEqual(rest, expected)
  assert.ok(typeof detail === 'string' && detail !== '' && detail !== expected.title)
  assert.match(String(type), /#errors$/)
}

/** Timestamps have no zone. They are in UTC in a page, and in the zone of the machine on a server. */
function assertExpires(
  { uploadDate, expirationDate }: FileAsset,
  milliseconds: number,
  message?: string,
): void {
  const between = ['Z', ''].map(
    (zone) => Date.parse(`${expirationDate}${zone}`) - Date.parse(`${uploadDate}${zone}`),
  )
  assert.ok(between.includes(milliseconds), `${message}: ${uploadDate} to ${expirationDate}`)
}

describeSection('storage/Duration format', (it) => {
  it('a JSON number also means seconds', async (system) => {
    const file = await system.ok<FileAsset>('uploadFile', { env: 'prod', body: { expiresIn: 3600 } })
    const written = await system.ok<FileAsset>('uploadFile', { env: 'prod', body: { expiresIn: '1h' } })
    const length = ({ uploadDate, expirationDate }: FileAsset) =>
      Date.parse(`${expirationDate}Z`) - Date.parse(`${uploadDate}Z`)
    assert.equal(length(file), 3_600_000)
    assert.equal(length(written), 3_600_000)
    const { uuid } = file
    await system.refused(400, 'updateFileMeta', { env: 'prod', params: { uuid }, body: { expiresIn: -1 } })
    const cleared = await system.ok<FileAsset>('updateFileMeta', {
      env: 'prod',
      params: { uuid },
      body: { expiresIn: 0 },
    })
    assert.equal(cleared.expirationDate, null)
  })
})
