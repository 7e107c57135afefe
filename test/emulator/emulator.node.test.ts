import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FileAsset } from '../../src/contract/storage.ts'
import type { Package, PackageActions, PackageStatus12 } from '../../src/contract/workflow.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'

const forms = '/wf/workflow/test/api/developer/forms/6025'
const tools = '/wf/workflow/test/api/developer/tools/forms/6025'
const initiator = '10000001'
const outsider = '10000008'

describe('createEmulator()', () => {
  describe('authentication', () => {
    it('demands client credentials', async () => {
      const { fetch } = createEmulator()
      const basic = (text: string) => ({
        Authorization: `Basic ${btoa(text)}`,
        'x-workflow-request-user': initiator,
      })

      const headers = [
        {},
        basic('demo-app:wrong'),
        basic('other:demo-secret'),
        basic(''),
        { Authorization: 'Basic %%' },
      ]
      for (const given of headers) {
        const response = await fetch(`http://emulator.test${forms}/packages/42`, { headers: given })
        assert.equal(response.status, 401)
      }
      const { status } = await fetch(`http://emulator.test${forms}/packages/42`, {
        headers: basic('demo-app:demo-secret'),
      })
      assert.equal(status, 200)
    })

    it('demands a request user that exists, and takes a client id for one', async () => {
      const emulator = createEmulator()
      for (const user of [undefined, '', '99999999', '10000001, 10000002']) {
        assert.equal((await ask(emulator, `${forms}/packages/42`, { user })).status, 400)
      }
      assert.equal((await ask(emulator, `${forms}/packages/42`, { user: 'demo-app' })).status, 200)
    })
  })

  describe('packages', () => {
    it('shows a package to those who have to do with it, and to nobody else', async () => {
      const emulator = createEmulator()
      for (const user of [initiator, '10000002', '10000003', '10000004', '10000009']) {
        assert.equal((await ask(emulator, `${forms}/packages/42`, { user })).status, 200)
      }
      assert.equal((await ask(emulator, `${forms}/packages/42`, { user: outsider })).status, 403)
      assert.equal((await ask(emulator, `${forms}/packages/43`, { user: initiator })).status, 404)
    })

    it('honours bypass authorization', async () => {
      const response = await ask(createEmulator(), `${forms}/packages/42`, {
        user: outsider,
        headers: { 'x-workflow-bypass-authorization': 'true' },
      })
      assert.equal(response.status, 200)
    })

    it('computes the actions of each user', async () => {
      const emulator = createEmulator()
      const may = async (user: string) => {
        const [row] = await json<PackageActions[]>(ask(emulator, `${forms}/packages/actions?id=42`, { user }))
        assert.ok(row)
        return Object.entries(row).flatMap(([flag, value]) => (value === true ? [flag] : []))
      }
      assert.deepEqual(await may(initiator), ['canView', 'canInitiatorVoid'])
      assert.deepEqual(await may('10000002'), ['canView', 'canEdit', 'canSign', 'canVoid', 'canAddApprover'])
      assert.deepEqual(await may('10000003'), ['canView'])
      assert.deepEqual(await may('10000009'), ['canView', 'canEdit', 'canVoid', 'canAddApprover'])
      assert.deepEqual(await may(outsider), [])
    })

    it('tells the status in both versions to anyone (Routing tools)', async () => {
      const emulator = createEmulator()
      const plain = await json(ask(emulator, `${forms}/packages/status?id=42&id=43`, { user: outsider }))
      assert.deepEqual(plain, [{ id: 42, state: 'ROUTING' }])

      const accept = 'application/vnd.workflow+json;version=1.2'
      const [row] = await json<PackageStatus12[]>(
        ask(emulator, `${forms}/packages/status?id=42`, { user: outsider, headers: { accept } }),
      )
      assert.deepEqual(
        row?.inboxSignatures?.map((entry) => [entry?.approver, entry?.permission, entry?.state]),
        [
          ['Daniel Reyes', 'SIGNATURE_REQUIRED', 'RECEIVED'],
          ['Ruth Lindqvist', 'VIEW_ONLY', 'RECEIVED'],
        ],
      )
    })

    it('voids for anyone, for each of the four reasons and no other (Void)', async () => {
      for (const voidReason of [
        'DUPLICATE_TRANSACTION',
        'INCORRECT_FORM',
        'TRANSACTION_CANCELLED',
        'TRANSACTION_DENIED',
      ]) {
        const now = Date.UTC(2026, 10, 20, 12)
        const emulator = createEmulator({ now: () => now })
        const body = { id: 42, state: 'VOID', voidReason }
        const found = await json<Package>(put(emulator, `${tools}/packages/42`, body, outsider))
        assert.equal(found.state, 'VOID')
        assert.equal(found.voidReason, voidReason)
        assert.equal(found.actionDate, '2026-11-20T12:00:00')
        assert.deepEqual(emulator.packages.test.get(42)?.inbox, [])
      }

      const emulator = createEmulator()
      for (const body of [
        { id: 42, state: 'VOID', voidReason: 'BORED' },
        { id: 42, state: 'VOID' },
        { id: 42, state: 'ROUTING', voidReason: 'INCORRECT_FORM' },
        { id: 43, state: 'VOID', voidReason: 'INCORRECT_FORM' },
        { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM', extra: 1 },
      ]) {
        assert.equal((await put(emulator, `${tools}/packages/42`, body, initiator)).status, 400)
      }
      assert.equal(emulator.packages.test.get(42)?.state, 'ROUTING')
    })

    for (const [state, status] of [
      ['ROUTING', 200],
      ['COMPLETE', 200],
      ['VOID', 409],
      ['DRAFT', 409],
      ['PRE_ROUTING', 409],
    ] as const) {
      it(`answers ${status} when a package in ${state} is to be voided (States and transitions)`, async () => {
        const emulator = createEmulator()
        emulator.packages.test.get(42)!.state = state
        const body = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
        assert.equal((await put(emulator, `${tools}/packages/42`, body, initiator)).status, status)
      })
    }

    it('keeps environments and forms apart', async () => {
      const emulator = createEmulator()
      const production = forms.replace('/test/', '/prod/')
      assert.equal((await ask(emulator, `${production}/packages/42`, { user: initiator })).status, 404)
      assert.equal(
        (await ask(emulator, `${forms.replace('6025', '6026')}/packages/42`, { user: initiator })).status,
        404,
      )
    })

    it('takes no id that is not plain digits', async () => {
      for (const query of ['', '?id=', '?id=1e1', '?id=0x2a', '?id=42&x=1', '?ID=42', '?id=-1']) {
        const { status } = await ask(createEmulator(), `${forms}/packages/status${query}`, {
          user: initiator,
        })
        assert.equal(status, 400, query)
      }
    })
  })

  describe('files', () => {
    it('keeps a file with its name, type, metadata and dates', async () => {
      const emulator = createEmulator({ now: () => Date.UTC(2026, 10, 20, 12) })
      const asset = await upload(emulator, { filename: 'renamed.txt', metadata: { purpose: 'travel' } })
      assert.deepEqual(asset, {
        uuid: asset.uuid,
        filename: 'renamed.txt',
        fileSize: 5,
        contentType: 'text/plain',
        uploadDate: '2026-11-20T12:00:00.000000',
        expirationDate: '2026-12-20T12:00:00.000000',
        metadata: { purpose: 'travel' },
      })
      assert.deepEqual(await json(ask(emulator, `/fs/test/api/v1/files/${asset.uuid}/meta`)), asset)
      assert.equal((await ask(emulator, `/fs/prod/api/v1/files/${asset.uuid}/meta`)).status, 404)
    })

    it('answers a link that is served as an attachment and dies in time', async () => {
      let now = 0
      const emulator = createEmulator({ now: () => now })
      const { uuid } = await upload(emulator, { filename: 'résumé "1".txt' })
      const response = await ask(emulator, `/fs/test/api/v1/files/${uuid}/presign?expiresIn=PT60S`)
      const link = await response.text()

      now = 59_999
      const file = await emulator.fetch(link)
      assert.equal(await file.text(), 'hello')
      assert.equal(
        file.headers.get('content-disposition'),
        `attachment; filename="r_sum_ _1_.txt"; filename*=UTF-8''r%C3%A9sum%C3%A9%20%221%22.txt`,
      )
      now = 60_000
      assert.equal((await emulator.fetch(link)).status, 403)
    })

    it('answers links for 1 second to 7 days (Limits)', async () => {
      const emulator = createEmulator()
      const { uuid } = await upload(emulator)
      for (const [expiresIn, status] of [
        ['1s', 200],
        ['7d', 200],
        ['999ms', 400],
        ['604801', 400],
        ['-1s', 400],
        ['0', 400],
        ['soon', 400],
      ] as const) {
        const response = await ask(emulator, `/fs/test/api/v1/files/${uuid}/presign?expiresIn=${expiresIn}`)
        assert.equal(response.status, status, expiresIn)
      }
    })

    it('forgets a file when its time has come', async () => {
      let now = 0
      const emulator = createEmulator({ now: () => now })
      const { uuid } = await upload(emulator, { expiresIn: '1h' })
      now = 3_600_000
      const { status } = await ask(emulator, `/fs/test/api/v1/files/${uuid}/presign`)
      assert.equal(status, 400, 'presign of an expired file (Errors)')
      for (const expiresIn of ['-1h', '0']) {
        assert.equal((await send(emulator, { expiresIn })).status, 400)
      }
    })

    it('describes errors as problem details', async () => {
      const response = await ask(
        createEmulator(),
        '/fs/test/api/v1/files/00000000-0000-4000-8000-000000000000/meta',
      )
      assert.equal(response.headers.get('content-type'), 'application/problem+json')
      assert.deepEqual(await response.json(), {
        status: 404,
        title: 'Not Found',
        detail: 'There is no such file asset',
        instance: '/fs/test/api/v1/files/00000000-0000-4000-8000-000000000000/meta',
        type: '/docs#errors',
      })
    })
  })
})

interface Ask {
  readonly user?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: BodyInit
}

function ask({ fetch }: Emulator, path: string, { user, headers, ...init }: Ask = {}): Promise<Response> {
  return fetch(`http://emulator.test${path}`, {
    ...init,
    headers: {
      Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      ...(user !== undefined && { 'x-workflow-request-user': user }),
      ...headers,
    },
  })
}

function put(emulator: Emulator, path: string, body: unknown, user: string): Promise<Response> {
  return ask(emulator, path, {
    method: 'PUT',
    user,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
}

function send(emulator: Emulator, meta?: object): Promise<Response> {
  const body = new FormData()
  body.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
  if (meta) body.append('meta', new Blob([JSON.stringify(meta)], { type: 'application/json' }))
  return ask(emulator, '/fs/test/api/v1/files/upload', { method: 'POST', body })
}

function upload(emulator: Emulator, meta?: object): Promise<FileAsset> {
  return json<FileAsset>(send(emulator, meta))
}

async function json<T = unknown>(response: Promise<Response>): Promise<T> {
  const answer = await response
  assert.equal(answer.status, 200)
  return (await answer.json()) as T
}
