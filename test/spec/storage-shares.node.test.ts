import assert from 'node:assert/strict'
import type { Operation } from '../../src/contract/services/operation.ts'
import { type OperationName, operations } from '../../src/contract/services/operations.ts'
import type { Share, SharePage } from '../../src/contract/schemas/shares.ts'
import { advance, localNow, nowhere, presign, upload } from './files.ts'
import { type Call, describeSection, type System, type SystemResponse } from './system.ts'

const owner = 'demo-app'
const grantee = 'partner-app'
const admin = 'storage-admin'

describeSection('storage/Share', (it) => {
  it('has exactly ownerClientId, granteeClientId, fileAssetUuid, type and createdAt, to the second', async (system) => {
    const { uuid } = await upload(system)
    const before = await localNow(system)
    const { createdAt, ...single } = await share(system, uuid)
    const { createdAt: later, ...all } = await shareAll(system, { granteeClientId: admin })
    const after = await localNow(system)
    assert.deepEqual(single, {
      ownerClientId: owner,
      granteeClientId: grantee,
      fileAssetUuid: uuid,
      type: 'SINGLE_FILE',
    })
    assert.deepEqual(all, {
      ownerClientId: owner,
      granteeClientId: admin,
      fileAssetUuid: null,
      type: 'ALL_FILES',
    })
    for (const timestamp of [createdAt ?? '', later ?? '']) {
      assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
      assert.ok(before <= timestamp && timestamp <= after, `${before} ${timestamp} ${after}`)
    }
  })

  it('SINGLE_FILE grants read access to one file', async (system) => {
    const [shared, other] = [await upload(system, { metadata: { a: 'b' } }), await upload(system)]
    const read = (client: string, uuid: string) => reads(system, client, uuid)
    assert.deepEqual(await read(grantee, shared.uuid), [404, 404])
    await share(system, shared.uuid)
    assert.deepEqual(await read(owner, shared.uuid), [200, 200])
    assert.deepEqual(await read(grantee, shared.uuid), [200, 200])
    assert.deepEqual(await read(grantee, other.uuid), [404, 404])
    assert.deepEqual(await read(admin, shared.uuid), [404, 404], 'an administrator is not a grantee')

    const as = { client: grantee, params: { uuid: shared.uuid } }
    assert.deepEqual(await system.ok('getFileMeta', as), shared)
    const link = await presign(system, shared.uuid, {}, { client: grantee })
    assert.equal((await system.fetch(link)).text, 'hello')
  })

  it('ALL_FILES grants read access to all files of the owner, including future uploads', async (system) => {
    const before = await upload(system)
    const foreign = await upload(system, undefined, { client: admin })
    await shareAll(system)
    const after = await upload(system)
    for (const { uuid } of [before, after]) {
      assert.deepEqual(await reads(system, grantee, uuid), [200, 200])
      assert.deepEqual(await reads(system, admin, uuid), [404, 404])
    }
    assert.deepEqual(await reads(system, grantee, foreign.uuid), [404, 404])
    assert.deepEqual(await reads(system, owner, foreign.uuid), [404, 404])
  })

  it('a grantee of either type cannot change, delete or share files of the owner', async (system) => {
    for (const give of [share, (on: System) => shareAll(on)]) {
      const { uuid } = await upload(system)
      const params = { uuid }
      const onward = { granteeClientId: admin, fileAssetUuid: uuid }
      await give(system, uuid)
      const as = { client: grantee }
      await system.refused(403, 'updateFileMeta', { ...as, params, body: { filename: 'x.txt' } })
      await system.refused(403, 'deleteFile', { ...as, params })
      await system.refused(404, 'createShare', { ...as, body: onward })
      assert.equal((await system.ok<{ filename: string }>('getFileMeta', { params })).filename, 'hello.txt')

      await system.ok('updateFileMeta', { params, body: { filename: 'x.txt' } })
      await system.ok('createShare', { body: onward })
      await system.ok('revokeShare', revoking(uuid, admin))
      await system.ok('deleteFile', { params })
      await system.refused(404, 'deleteFile', { ...as, params })
    }
  })

  it('SINGLE_FILE is available to all clients, including administrators', async (system) => {
    for (const client of [owner, grantee, admin]) {
      const { uuid } = await upload(system, undefined, { client })
      const granteeClientId = client === grantee ? owner : grantee
      const body = { granteeClientId, fileAssetUuid: uuid }
      const { type, ownerClientId } = await system.ok<Share>('createShare', { client, body })
      assert.deepEqual([type, ownerClientId], ['SINGLE_FILE', client])
    }
  })

  it('only an administrator can configure ALL_FILES, for any owner', async (system) => {
    const { uuid } = await upload(system)
    const body = { type: 'ALL_FILES', granteeClientId: grantee, ownerClientId: owner }
    for (const wrong of [body, { ...body, ownerClientId: undefined }, { ...body, ownerClientId: admin }]) {
      await system.refused(403, 'createShare', { body: wrong })
    }
    const self = { ...body, granteeClientId: owner, ownerClientId: grantee }
    await system.refused(403, 'createShare', { body: self })
    assert.deepEqual(await reads(system, grantee, uuid), [404, 404])
    assert.equal((await list(system)).page?.totalElements, 0)
    await system.ok('createShare', { client: admin, body: { ...body, fileAssetUuid: null } })
    assert.deepEqual(await reads(system, grantee, uuid), [200, 200])

    const revoke = {
      params: { granteeClientId: grantee },
      query: { type: 'ALL_FILES', ownerClientId: owner },
    }
    await system.refused(403, 'revokeShare', revoke)
    await system.refused(403, 'revokeShare', { ...revoke, query: { type: 'ALL_FILES' } })
    assert.deepEqual(await reads(system, grantee, uuid), [200, 200])
    await system.ok('revokeShare', { ...revoke, client: admin })
    assert.deepEqual(await reads(system, grantee, uuid), [404, 404])
    await system.refused(404, 'revokeShare', { ...revoke, client: admin })
  })

  it('an administrator who names no owner shares their own files', async (system) => {
    const own = await upload(system, undefined, { client: admin })
    const foreign = await upload(system)
    const all = { type: 'ALL_FILES', granteeClientId: grantee }
    const created = await system.ok<Share>('createShare', { client: admin, body: all })
    assert.equal(created.ownerClientId, admin)
    assert.deepEqual(await reads(system, grantee, own.uuid), [200, 200])
    assert.deepEqual(await reads(system, grantee, foreign.uuid), [404, 404])
    await shareAll(system)

    const params = { granteeClientId: grantee }
    await system.ok('revokeShare', { client: admin, params, query: { type: 'ALL_FILES' } })
    assert.deepEqual(await reads(system, grantee, own.uuid), [404, 404])
    assert.deepEqual(await reads(system, grantee, foreign.uuid), [200, 200], 'the other owner’s share stays')
  })

  it('ALL_FILES must name no file, and only clients that exist', async (system) => {
    const { uuid } = await upload(system)
    const body = { type: 'ALL_FILES', granteeClientId: grantee, ownerClientId: owner }
    for (const wrong of [
      { ...body, ownerClientId: 'nobody' },
      { ...body, granteeClientId: 'nobody' },
      { ...body, ownerClientId: grantee },
      { ...body, type: 'SINGLE_FILE' },
      { ...body, type: 'ALL' },
      { ...body, fileAssetUuid: uuid },
      { ...body, granteeClientId: undefined },
    ]) {
      await system.refused(400, 'createShare', { client: admin, body: wrong })
    }
    assert.equal((await list(system)).page?.totalElements, 0)
    await system.ok('createShare', { client: admin, body })
  })

  it('a grantee gets the same response for an expired file as its owner', async (system) => {
    const { uuid } = await upload(system, { expiresIn: '10m' })
    await share(system, uuid)
    assert.deepEqual(await reads(system, grantee, uuid), [200, 200])
    await advance(system, '10m')
    assert.deepEqual(await reads(system, owner, uuid), [404, 400])
    assert.deepEqual(await reads(system, grantee, uuid), [404, 400])
    assert.deepEqual(await reads(system, admin, uuid), [404, 404])
  })

  it('a share of one deployment grants nothing in the other', async (system) => {
    const [here, there] = [await upload(system), await upload(system, undefined, { env: 'prod' })]
    await share(system, here.uuid)
    assert.equal((await list(system)).page?.totalElements, 1)
    assert.equal((await list(system, {}, { env: 'prod' })).page?.totalElements, 0)
    await system.refused(404, 'revokeShare', { ...revoking(here.uuid), env: 'prod' })

    await shareAll(system, {}, { env: 'prod' })
    const prod = { env: 'prod', client: grantee } as const
    await system.ok('getFileMeta', { ...prod, params: { uuid: there.uuid } })
    await system.refused(404, 'getFileMeta', { ...prod, params: { uuid: here.uuid } })
    await system.ok('revokeShare', revoking(here.uuid))
    assert.deepEqual(await reads(system, grantee, here.uuid), [404, 404])
  })
})

describeSection('storage/States and transitions', (it) => {
  it('switching between the styles for a grantee requires revoking the shares first, in both directions', async (system) => {
    const [one, two] = [await upload(system), await upload(system)]
    await share(system, one.uuid)
    await share(system, two.uuid)
    const all = { client: admin, body: { type: 'ALL_FILES', granteeClientId: grantee, ownerClientId: owner } }
    await system.refused(400, 'createShare', all)
    await system.ok('revokeShare', revoking(one.uuid))
    await system.refused(400, 'createShare', all)
    await system.ok('revokeShare', revoking(two.uuid))
    await system.ok('createShare', all)

    const single = { body: { granteeClientId: grantee, fileAssetUuid: one.uuid } }
    await system.refused(400, 'createShare', single)
    await revokeAll(system)
    await system.ok('createShare', single)
  })

  it('a revoked share can be granted again', async (system) => {
    const { uuid } = await upload(system)
    const first = await share(system, uuid)
    await system.ok('revokeShare', revoking(uuid))
    await advance(system, '1m')
    const second = await share(system, uuid)
    assert.ok((second.createdAt ?? '') > (first.createdAt ?? ''))
    assert.deepEqual(await reads(system, grantee, uuid), [200, 200])
  })
})

describeSection('storage/Page of shares', (it) => {
  it('has content and page, with four counts', async (system) => {
    assert.deepEqual(await list(system), {
      content: [],
      page: { totalElements: 0, totalPages: 0, number: 0, size: 20 },
    })
    const created = await share(system, (await upload(system)).uuid)
    assert.deepEqual(await list(system), {
      content: [created],
      page: { totalElements: 1, totalPages: 1, number: 0, size: 20 },
    })
  })
})

describeSection('storage/Create share', (it) => {
  it('returns a share of type SINGLE_FILE that the authenticated client owns', async (system) => {
    const { uuid } = await upload(system)
    const { type, ownerClientId, granteeClientId, fileAssetUuid } = await share(system, uuid)
    assert.deepEqual(
      [type, ownerClientId, granteeClientId, fileAssetUuid],
      ['SINGLE_FILE', owner, grantee, uuid],
    )
  })

  it('granteeClientId and fileAssetUuid are required, and other fields are rejected', async (system) => {
    const { uuid } = await upload(system)
    const body = { granteeClientId: grantee, fileAssetUuid: uuid }
    for (const wrong of [
      {},
      [],
      { granteeClientId: grantee },
      { fileAssetUuid: uuid },
      { ...body, fileAssetUuid: null },
      { ...body, fileAssetUuid: '' },
      { ...body, fileAssetUuid: 'a.txt' },
      { ...body, fileAssetUuid: uuid.toUpperCase() },
      { ...body, granteeClientId: '' },
      { ...body, granteeClientId: null },
      { ...body, granteeClientId: 'not a client' },
      { ...body, ownerClientId: grantee },
      { ...body, createdAt: '2026-01-01T00:00:00' },
    ]) {
      await system.refused(400, 'createShare', { body: wrong })
    }
    await system.ok('createShare', { body })
  })

  it('the grantee must be another client that exists', async (system) => {
    const { uuid } = await upload(system)
    for (const [granteeClientId, status] of [
      ['nobody', 400],
      [owner, 400],
      [grantee, 200],
      [admin, 200],
    ] as const) {
      const body = { granteeClientId, fileAssetUuid: uuid }
      assert.equal((await system.call('createShare', { body })).status, status, granteeClientId)
    }
  })

  it('the file must belong to the client and be accessible', async (system) => {
    const alive = await upload(system)
    const foreign = await upload(system, undefined, { client: admin })
    const deleted = await upload(system)
    await system.ok('deleteFile', { params: { uuid: deleted.uuid } })
    const expired = await upload(system, { expiresIn: '1m' })
    await advance(system, '1m')
    for (const uuid of [foreign.uuid, deleted.uuid, expired.uuid, nowhere]) {
      await system.refused(404, 'createShare', { body: { granteeClientId: grantee, fileAssetUuid: uuid } })
    }
    // The rule also applies to administrators.
    await system.refused(404, 'createShare', {
      client: admin,
      body: { granteeClientId: grantee, fileAssetUuid: alive.uuid },
    })
    await share(system, alive.uuid)
    await share(system, foreign.uuid, { client: admin })
  })

  it('creating the same share twice creates one share', async (system) => {
    const { uuid } = await upload(system)
    const first = await share(system, uuid)
    await advance(system, '5s')
    assert.deepEqual(await share(system, uuid), first)
    assert.equal((await list(system)).page?.totalElements, 1)
    const all = await shareAll(system, { granteeClientId: admin })
    await advance(system, '5s')
    assert.deepEqual(await shareAll(system, { granteeClientId: admin }), all)
    assert.equal((await list(system)).page?.totalElements, 2)
  })

  it('returns 400 when an ALL_FILES share exists for that grantee from that owner', async (system) => {
    const { uuid } = await upload(system)
    await shareAll(system)
    const refused = await system.refused(400, 'createShare', {
      body: { granteeClientId: grantee, fileAssetUuid: uuid },
    })
    assert.match(refused.text, /ALL_FILES/)
    await system.ok('createShare', { body: { granteeClientId: admin, fileAssetUuid: uuid } })
    await share(system, (await upload(system, undefined, { client: admin })).uuid, { client: admin })
  })

  it('ALL_FILES returns 400 when SINGLE_FILE shares exist for that grantee from that owner', async (system) => {
    const { uuid } = await upload(system)
    await share(system, uuid)
    const all = (body: object) => ({
      client: admin,
      body: { type: 'ALL_FILES', granteeClientId: grantee, ownerClientId: owner, ...body },
    })
    const refused = await system.refused(400, 'createShare', all({}))
    assert.match(refused.text, /SINGLE_FILE/)
    await system.ok('createShare', all({ granteeClientId: admin }))
    await system.ok('createShare', all({ ownerClientId: admin }))
    await system.ok('createShare', all({ ownerClientId: grantee, granteeClientId: owner }))
  })

  it('a share of a deleted file does not block other shares', async (system) => {
    const { uuid } = await upload(system)
    const expiring = await upload(system, { expiresIn: '1m' })
    await share(system, uuid)
    await share(system, expiring.uuid)
    await system.ok('deleteFile', { params: { uuid } })
    await advance(system, '1m')
    assert.equal((await shareAll(system)).type, 'ALL_FILES')
  })
})

describeSection('storage/List shares', (it) => {
  it('lists active shares of both types that the authenticated client has granted, oldest first', async (system) => {
    const { uuid } = await upload(system)
    const single = await share(system, uuid)
    const all = await shareAll(system, { granteeClientId: admin })
    const foreign = await upload(system, undefined, { client: grantee })
    const others = await share(system, foreign.uuid, { client: grantee }, admin)
    assert.deepEqual((await list(system)).content, [single, all])
    assert.deepEqual((await list(system, {}, { client: grantee })).content, [others])
    assert.deepEqual((await list(system, {}, { client: admin })).content, [])
    await system.ok('revokeShare', revoking(uuid))
    assert.deepEqual((await list(system)).content, [all])
  })

  it('shares of a deleted or expired file are not active', async (system) => {
    const [kept, deleted] = [await upload(system), await upload(system)]
    const expiring = await upload(system, { expiresIn: '10m' })
    for (const { uuid } of [kept, deleted, expiring]) await share(system, uuid)
    assert.deepEqual(await listed(system), [kept.uuid, deleted.uuid, expiring.uuid])
    await system.ok('deleteFile', { params: { uuid: deleted.uuid } })
    assert.deepEqual(await listed(system), [kept.uuid, expiring.uuid])
    await advance(system, '10m')
    assert.deepEqual(await listed(system), [kept.uuid])
    assert.equal((await list(system)).page?.totalElements, 1)
    await system.refused(404, 'revokeShare', revoking(deleted.uuid))
  })

  it('page is zero-based and defaults to 0; size defaults to 20; pages beyond the end are empty', async (system) => {
    const uuids: string[] = []
    for (let index = 0; index < 23; index += 1) {
      const { uuid } = await upload(system)
      await share(system, uuid)
      uuids.push(uuid)
    }
    const get = async (query: Call['query']) => {
      const { content, page } = await list(system, query)
      return [content.map((each) => each?.fileAssetUuid), page]
    }
    const total = { totalElements: 23, totalPages: 2, number: 0, size: 20 }
    assert.deepEqual(await get({}), [uuids.slice(0, 20), total])
    assert.deepEqual(await get({ page: 0 }), [uuids.slice(0, 20), total])
    assert.deepEqual(await get({ page: 1 }), [uuids.slice(20), { ...total, number: 1 }])
    assert.deepEqual(await get({ page: 2 }), [[], { ...total, number: 2 }])
    assert.deepEqual(await get({ page: 2, size: 5 }), [
      uuids.slice(10, 15),
      { totalElements: 23, totalPages: 5, number: 2, size: 5 },
    ])
    assert.deepEqual(await get({ size: 23 }), [uuids, { ...total, totalPages: 1, size: 23 }])
    const wrong: readonly NonNullable<Call['query']>[] = [
      { size: 0 },
      { size: -1 },
      { size: '1.5' },
      { size: '' },
      { page: -1 },
      { page: 'x' },
      { page: '' },
      { page: [1, 2] },
      { limit: 5 },
    ]
    for (const query of wrong) await system.refused(400, 'getShares', { query })
  })

  it('sorts by property and direction, ascending by default', async (system) => {
    const uuids = [(await upload(system)).uuid, (await upload(system)).uuid].sort()
    const [a = '', b = ''] = uuids
    // Neither in the order of clients nor of files.
    const order: readonly (readonly [string, string])[] = [
      [grantee, b],
      [admin, a],
      [grantee, a],
      [admin, b],
    ]
    for (const [client, uuid] of order) {
      await share(system, uuid, {}, client)
      await advance(system, '1m')
    }
    const get = async (query: Call['query']) =>
      (await list(system, query)).content.map((each) =>
        order.findIndex(([client, uuid]) => client === each?.granteeClientId && uuid === each.fileAssetUuid),
      )
    assert.deepEqual(await get({}), [0, 1, 2, 3])
    assert.deepEqual(await get({ sort: 'createdAt' }), [0, 1, 2, 3])
    assert.deepEqual(await get({ sort: 'createdAt,asc' }), [0, 1, 2, 3])
    assert.deepEqual(await get({ sort: 'createdAt,desc' }), [3, 2, 1, 0])
    assert.deepEqual(await get({ sort: 'granteeClientId,asc' }), [0, 2, 1, 3])
    assert.deepEqual(await get({ sort: 'granteeClientId,desc' }), [1, 3, 0, 2])
    assert.deepEqual(await get({ sort: 'fileAssetUuid' }), [1, 2, 0, 3])
    assert.deepEqual(await get({ sort: 'fileAssetUuid,desc' }), [0, 3, 1, 2])
    assert.deepEqual(await get({ sort: 'createdAt,desc', page: 1, size: 3 }), [0], 'before it is cut')
    assert.deepEqual(await get({ sort: 'ownerClientId,desc' }), [0, 1, 2, 3])
    assert.deepEqual(await get({ sort: 'type,desc' }), [0, 1, 2, 3])
    for (const sort of ['secret,asc', 'createdAt,up', 'createdAt,asc,desc', 'asc', ',asc', '']) {
      await system.refused(400, 'getShares', { query: { sort } })
    }
  })

  it('granteeClientId filters', async (system) => {
    const { uuid } = await upload(system)
    const one = await share(system, uuid)
    const two = await share(system, uuid, {}, admin)
    const get = async (granteeClientId: string) => (await list(system, { granteeClientId })).content
    assert.deepEqual(await get(grantee), [one])
    assert.deepEqual(await get(admin), [two])
    assert.deepEqual(await get('nobody'), [])
    assert.equal((await list(system, { granteeClientId: grantee })).page?.totalElements, 1)
    await system.refused(400, 'getShares', { query: { granteeClientId: 'not a client' } })
  })

  it('fileAssetUuid filters SINGLE_FILE shares, and also returns any ALL_FILES shares', async (system) => {
    const [first, second] = [await upload(system), await upload(system)]
    const one = await share(system, first.uuid)
    const two = await share(system, second.uuid)
    const all = await shareAll(system, { granteeClientId: admin })
    const get = async (query: Call['query']) => (await list(system, query)).content
    assert.deepEqual(await get({}), [one, two, all])
    assert.deepEqual(await get({ fileAssetUuid: first.uuid }), [one, all])
    assert.deepEqual(await get({ fileAssetUuid: second.uuid }), [two, all])
    assert.deepEqual(await get({ fileAssetUuid: nowhere }), [all])
    assert.deepEqual(await get({ fileAssetUuid: second.uuid, granteeClientId: grantee }), [two])
    assert.deepEqual(await get({ fileAssetUuid: second.uuid, granteeClientId: admin }), [all])
    assert.equal((await list(system, { fileAssetUuid: first.uuid })).page?.totalElements, 2)
    await system.refused(400, 'getShares', { query: { fileAssetUuid: 'x' } })
  })
})

describeSection('storage/Revoke share', (it) => {
  it('returns 204 without a body and ends the access at once', async (system) => {
    const [shared, other] = [await upload(system), await upload(system)]
    await share(system, shared.uuid)
    await share(system, shared.uuid, {}, admin)
    await share(system, other.uuid)
    const response = await system.call('revokeShare', revoking(shared.uuid))
    assert.equal(response.status, 204)
    assert.equal(response.bytes.length, 0)
    assert.deepEqual(await reads(system, grantee, shared.uuid), [404, 404])
    assert.deepEqual(await reads(system, grantee, other.uuid), [200, 200], 'other files stay shared')
    assert.deepEqual(await reads(system, admin, shared.uuid), [200, 200], 'with other clients, too')
    assert.deepEqual(await reads(system, owner, shared.uuid), [200, 200])
  })

  it('fileAssetUuid is required', async (system) => {
    const { uuid } = await upload(system)
    await share(system, uuid)
    const params = { granteeClientId: grantee }
    const wrong: readonly NonNullable<Call['query']>[] = [
      {},
      { fileAssetUuid: '' },
      { fileAssetUuid: 'all' },
      { fileAssetUuid: [uuid, uuid] },
      { fileAssetUuid: uuid, type: 'SINGLE_FILE' },
    ]
    for (const query of wrong) await system.refused(400, 'revokeShare', { params, query })
    assert.deepEqual(await reads(system, grantee, uuid), [200, 200])
    await system.ok('revokeShare', revoking(uuid))
  })

  it('a share that does not exist cannot be revoked', async (system) => {
    const { uuid } = await upload(system)
    await share(system, uuid)
    await system.refused(404, 'revokeShare', revoking(uuid, admin))
    await system.refused(404, 'revokeShare', revoking(uuid, 'nobody'))
    await system.refused(404, 'revokeShare', revoking(nowhere))
    await system.refused(404, 'revokeShare', { ...revoking(uuid), client: grantee })
    await system.refused(404, 'revokeShare', { ...revoking(uuid), client: admin })
    await system.ok('revokeShare', revoking(uuid))
    await system.refused(404, 'revokeShare', revoking(uuid))
  })

  it('revokes SINGLE_FILE shares, but not ALL_FILES shares', async (system) => {
    const { uuid } = await upload(system)
    await shareAll(system)
    await system.refused(404, 'revokeShare', revoking(uuid))
    assert.deepEqual(await reads(system, grantee, uuid), [200, 200])
    await revokeAll(system)
    assert.deepEqual(await reads(system, grantee, uuid), [404, 404])
  })
})

describeSection('storage/Authentication', (it) => {
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    if (operation.service !== 'storage') continue
    it(`${name} requires Basic credentials in both deployments`, async (system) => {
      for (const env of ['test', 'prod'] as const) {
        const { uuid } = await upload(system, undefined, { env })
        if (name === 'revokeShare') await share(system, uuid, { env })
        const call = { ...callOf(name as OperationName, uuid), env }
        const statusWith = async (credentials: Pick<Call, 'client' | 'headers'>) =>
          (await system.call(name as OperationName, { ...call, ...credentials })).status
        const authorization = (value: string) => ({ client: null, headers: { Authorization: value } })

        assert.equal(await statusWith({ client: null }), 401, 'none')
        assert.equal(await statusWith({ client: 'nobody' }), 401, 'unknown client')
        for (const value of [
          `Basic ${btoa('demo-app:wrong')}`,
          `Basic ${btoa('demo-app:partner-secret')}`,
          `Basic ${btoa('demo-app:')}`,
          `Basic ${btoa('demo-app')}`,
          `Basic ${btoa(':')}`,
          'Basic demo-app:demo-secret',
          'Basic',
          `Bearer ${btoa('demo-app:demo-secret')}`,
          btoa('demo-app:demo-secret'),
        ]) {
          assert.equal(await statusWith(authorization(value)), 401, value)
        }
        // The rejected calls have changed nothing.
        const status = await statusWith(authorization(`Basic ${btoa('demo-app:demo-secret')}`))
        assert.ok(status === 200 || status === 204, `${status} with credentials`)
      }
    })
  }

  it('credentials are checked before anything else in a request', async (system) => {
    await system.refused(401, 'getFileMeta', { client: null, params: { uuid: nowhere } })
    await system.refused(401, 'uploadFile', { client: null, body: { expiresIn: '-1' } })
    await system.refused(401, 'createShare', { client: null, body: {} })
    await system.refused(404, 'getFileMeta', { params: { uuid: nowhere } })
  })

  it('the owner of a share is the authenticated client', async (system) => {
    for (const client of [grantee, admin]) {
      const { uuid } = await upload(system, undefined, { client })
      const created = await share(system, uuid, { client }, owner)
      assert.equal(created.ownerClientId, client)
      assert.deepEqual((await list(system, {}, { client })).content, [created])
    }
    assert.equal((await list(system)).page?.totalElements, 0)
  })

  it('anyone with a presigned URL can download until it expires', async (system) => {
    const { uuid } = await upload(system)
    const link = await presign(system, uuid, { expiresIn: '10m' })
    const get = async (headers: Record<string, string>) => (await system.fetch(link, { headers })).status
    const everyone = [{}, { Authorization: `Basic ${btoa('nobody:wrong')}` }, { Authorization: 'Bearer x' }]
    for (const headers of everyone) assert.equal(await get(headers), 200)
    await advance(system, '10m')
    const credentials = { Authorization: `Basic ${btoa('demo-app:demo-secret')}` }
    for (const headers of [...everyone, credentials]) assert.equal(await get(headers), 403)
  })
})

/** Returns the call with which each operation on this file succeeds. */
function callOf(name: OperationName, uuid: string): Call {
  if (name === 'createShare') return { body: { granteeClientId: grantee, fileAssetUuid: uuid } }
  if (name === 'revokeShare') return revoking(uuid)
  if (name === 'updateFileMeta') return { params: { uuid }, body: {} }
  const { upstream } = operations[name]
  return upstream.includes(':uuid') ? { params: { uuid } } : {}
}

function share(system: System, uuid: string, call: Call = {}, granteeClientId = grantee): Promise<Share> {
  return system.ok<Share>('createShare', { ...call, body: { granteeClientId, fileAssetUuid: uuid } })
}

/** Shares all files of the owner, as an administrator. */
function shareAll(system: System, body: object = {}, call: Call = {}): Promise<Share> {
  return system.ok<Share>('createShare', {
    ...call,
    client: admin,
    body: { type: 'ALL_FILES', granteeClientId: grantee, ownerClientId: owner, ...body },
  })
}

async function revokeAll(system: System): Promise<void> {
  const query = { type: 'ALL_FILES', ownerClientId: owner }
  await system.ok('revokeShare', { client: admin, params: { granteeClientId: grantee }, query })
}

function revoking(uuid: string, granteeClientId = grantee): Call {
  return { params: { granteeClientId }, query: { fileAssetUuid: uuid } }
}

function list(system: System, query: Call['query'] = {}, call: Call = {}): Promise<SharePage> {
  return system.ok<SharePage>('getShares', { ...call, query })
}

async function listed(system: System): Promise<unknown[]> {
  return (await list(system)).content.map((each) => each?.fileAssetUuid)
}

/** Returns the statuses of both ways to read a file: its metadata and a link. */
async function reads(system: System, client: string, uuid: string): Promise<number[]> {
  const call = { client, params: { uuid } }
  const responses: SystemResponse[] = [
    await system.call('getFileMeta', call),
    await system.call('presignFile', call),
  ]
  return responses.map(({ status }) => status)
}
