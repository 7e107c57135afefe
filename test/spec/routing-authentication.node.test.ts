import assert from 'node:assert/strict'
import type { HistoryEvent } from '../../src/contract/schemas/history.ts'
import { type OperationName, operations } from '../../src/contract/services/operations.ts'
import type { Package } from '../../src/contract/schemas/workflow.ts'
import { type Call, complete, describeSection, people, type System, travelEntry } from './system.ts'

/** Name of an operation of the routing service. */
type WorkflowOperation = {
  [Name in OperationName]: (typeof operations)[Name]['service'] extends 'workflow' ? Name : never
}[OperationName]

/** The request users who may call an operation: those with rights on the package, or all. */
type Access = 'rights' | 'tool' | 'any'

const inPackage = '/workflow/{env}/api/developer/forms/{formId}/packages/{packageId}'
const inTools = '/workflow/{env}/api/developer/tools/forms/{formId}/packages/{packageId}'
const voided = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
const override = {
  subjectUnivid: people.firstApprover,
  type: 'DELEGATE',
  reason: 'CONFLICT_OF_INTEREST',
  replacementUnivid: people.administrator,
}

/** Each operation as in the spec, who may call it, and a call of the initiator that succeeds. */
const table: Readonly<
  Record<
    WorkflowOperation,
    {
      readonly path: string
      readonly access: Access
      readonly prepare: (system: System) => Call | Promise<Call>
    }
  >
> = {
  createPackage: {
    path: 'POST /workflow/{env}/api/developer/forms/{formId}/packages',
    access: 'any',
    prepare: () => ({ body: { state: 'DRAFT', entry: travelEntry() } }),
  },
  routePackage: {
    path: `PUT ${inPackage}`,
    access: 'rights',
    prepare: async (system) => {
      const { id } = await system.ok<Package>('createPackage', {
        body: { state: 'PRE_ROUTING', entry: travelEntry() },
      })
      return { params: { packageId: id }, body: { state: 'ROUTING' } }
    },
  },
  getPackage: { path: `GET ${inPackage}`, access: 'rights', prepare: () => ({}) },
  getPdf: { path: `GET ${inPackage}/pdf`, access: 'rights', prepare: () => ({}) },
  getHistory: { path: `GET ${inPackage}/history`, access: 'rights', prepare: () => ({}) },
  getFutureHistory: { path: `GET ${inPackage}/future_history`, access: 'rights', prepare: () => ({}) },
  getActions: {
    path: 'GET /workflow/{env}/api/developer/forms/{formId}/packages/actions',
    access: 'any',
    prepare: () => ({ query: { id: 42 } }),
  },
  getEntry: { path: `GET ${inPackage}/entry`, access: 'rights', prepare: () => ({}) },
  updateEntry: { path: `PUT ${inTools}/entry`, access: 'tool', prepare: () => ({ body: travelEntry() }) },
  getComments: { path: `GET ${inPackage}/comments`, access: 'rights', prepare: () => ({}) },
  getAttachmentTypes: { path: `GET ${inPackage}/attachments/types`, access: 'rights', prepare: () => ({}) },
  uploadAttachment: {
    path: `POST ${inPackage}/attachments/types/{attachmentTypeId}`,
    access: 'rights',
    prepare: () => ({ params: { attachmentTypeId: 3 } }),
  },
  getAttachments: { path: `GET ${inPackage}/attachments`, access: 'rights', prepare: () => ({}) },
  downloadAttachment: {
    path: `GET ${inPackage}/attachments/{attachmentId}`,
    access: 'rights',
    prepare: async (system) => {
      const { id } = await system.ok<{ id: number }>('uploadAttachment', { params: { attachmentTypeId: 3 } })
      return { params: { attachmentId: id } }
    },
  },
  getStatus: {
    path: 'GET /workflow/{env}/api/developer/forms/{formId}/packages/status',
    access: 'tool',
    prepare: () => ({ query: { id: 42 } }),
  },
  voidPackage: { path: `PUT ${inTools}`, access: 'tool', prepare: () => ({ body: voided }) },
  unvoidPackage: {
    path: `PUT ${inTools}/unvoid`,
    access: 'tool',
    prepare: async (system) => {
      await system.ok('voidPackage', { body: voided })
      return {}
    },
  },
  restartPackage: { path: `PUT ${inTools}/restart`, access: 'tool', prepare: () => ({}) },
  returnPackage: {
    path: `PUT ${inTools}/return`,
    access: 'tool',
    prepare: async (system) => {
      await complete(system)
      return { body: { univid: people.viewer } }
    },
  },
  removePackage: { path: `PUT ${inTools}/remove`, access: 'tool', prepare: () => ({}) },
  reinitiatePackage: {
    path: `PUT ${inTools}/re_initiate`,
    access: 'tool',
    prepare: async (system) => {
      await system.ok('removePackage')
      return {}
    },
  },
  returnToInitiator: {
    path: `PUT ${inTools}/returnToInitiator`,
    access: 'tool',
    prepare: () => ({ body: { comment: 'Which hotel?' } }),
  },
  createOverride: {
    path: 'POST /{env}/api/developer/forms/{formId}/packages/{packageId}/routing/overrides',
    access: 'rights',
    prepare: () => ({ body: override }),
  },
  getOverrides: {
    path: 'GET /{env}/api/developer/forms/{formId}/packages/{packageId}/routing/overrides',
    access: 'rights',
    prepare: () => ({}),
  },
  deactivateOverride: {
    path: 'DELETE /{env}/api/developer/forms/{formId}/packages/{packageId}/routing/overrides/{univid}',
    access: 'rights',
    prepare: async (system) => {
      await system.ok('createOverride', { body: override })
      return { params: { univid: people.firstApprover } }
    },
  },
  searchOffices: {
    path: 'GET /workflow/api/v2/search/offices/flat',
    access: 'any',
    prepare: () => ({ query: { searchTerm: '05' } }),
  },
  findOffices: {
    path: 'GET /workflow/{env}/api/offices',
    access: 'any',
    prepare: () => ({ query: { key: '05' } }),
  },
  getOfficeRoute: {
    path: 'GET /api/v2/developer/offices/{officeKey}/forms/{formId}/route',
    access: 'any',
    prepare: () => ({ params: { officeKey: '05-0333' } }),
  },
  getRouteSummary: {
    path: 'GET /api/v2/developer/offices/routes/{routeId}',
    access: 'any',
    prepare: () => ({ params: { routeId: 701 } }),
  },
  deleteLock: {
    path: `DELETE ${inPackage}/notification_locks/{lockId}`,
    access: 'rights',
    prepare: async (system) => {
      const url = 'http://127.0.0.1:9/callbacks'
      await system.control('PUT', '/test/forms/6025/stops/1/callback', { url, freeze: true })
      await system.ok('restartPackage')
      const [callback] = await system.control<{ id: number }[]>('GET', '/callbacks')
      return { params: { lockId: callback?.id ?? 0 } }
    },
  },
  getPublicKey: { path: 'GET /api/v2/public-key', access: 'any', prepare: () => ({}) },
}

const rows = Object.entries(table).map(([name, row]) => ({ name: name as WorkflowOperation, ...row }))
const bypassHeader = 'x-workflow-bypass-authorization'

describeSection('routing/Authentication', (it) => {
  for (const { name, prepare } of rows) {
    it(`${name} requires the credentials of a client`, async (system) => {
      const call = await prepare(system)
      await system.refused(401, name, { ...call, client: null })
      // An unknown client id, with some secret.
      await system.refused(401, name, { ...call, client: 'nobody' })
      for (const authorization of [
        `Basic ${btoa('demo-app:wrong')}`,
        `Basic ${btoa('demo-app:partner-secret')}`,
        `Basic ${btoa('demo-app:')}`,
        `Basic ${btoa('demo-app')}`,
        `Basic ${btoa(':')}`,
        `Basic ${btoa(`${people.initiator}:demo-secret`)}`,
        `Bearer ${btoa('demo-app:demo-secret')}`,
        'Basic demo-app:demo-secret',
        'Basic',
      ]) {
        await system.refused(401, name, { ...call, headers: { Authorization: authorization } })
      }
      await system.ok(name, call)
    })

    it(`${name} requires a request user who exists`, async (system) => {
      const call = await prepare(system)
      for (const user of [null, '', '10000000', '99999999', 'nobody', 'Amara Okafor']) {
        await system.refused(400, name, { ...call, user })
        await system.refused(400, name, { ...call, user, bypass: true })
      }
      await system.ok(name, call)
    })

    it(`${name} accepts the id of a client as request user`, async (system) => {
      await system.ok(name, { ...(await prepare(system)), user: 'partner-app' })
    })

    it(`${name} accepts only true or false for bypass`, async (system) => {
      const call = await prepare(system)
      for (const value of ['yes', '1', 'TRUE', 'true,true']) {
        await system.refused(400, name, { ...call, headers: { [bypassHeader]: value } })
      }
      await system.ok(name, { ...call, bypass: false })
    })

    it(`with bypass, anyone may call ${name}`, async (system) => {
      await system.ok(name, { ...(await prepare(system)), user: people.outsider, bypass: true })
    })
  }

  for (const { name, access, prepare } of rows) {
    if (access === 'rights') {
      it(`without bypass, ${name} requires rights on the package`, async (system) => {
        const call = await prepare(system)
        await system.refused(403, name, { ...call, user: people.outsider })
        await system.refused(403, name, { ...call, user: people.outsider, bypass: false })
        await system.ok(name, call)
      })
    } else {
      const title = access === 'tool' ? `the tool ${name} checks no rights` : `anyone may call ${name}`
      it(title, async (system) => {
        await system.ok(name, { ...(await prepare(system)), user: people.outsider, bypass: false })
      })
    }
  }

  it('a tool checks no rights, not even those of the subject of an override', async (system) => {
    await system.ok('createOverride', { body: { ...override, type: 'CHANGE' } })
    await system.refused(403, 'getPackage', { user: people.firstApprover })
    const found = await system.ok<Package>('voidPackage', { body: voided, user: people.firstApprover })
    assert.equal(found.state, 'VOID')
    assert.equal(found.actions?.canView, false)
  })

  it('any client may act on behalf of any user', async (system) => {
    for (const client of ['demo-app', 'partner-app', 'storage-admin']) {
      await system.ok('getPackage', { client })
      await system.ok('getPackage', { client, user: 'demo-app' })
    }
    await system.refused(403, 'getPackage', { client: 'storage-admin', user: people.outsider })
  })

  it('the name of the scheme may be in any case', async (system) => {
    for (const scheme of ['basic', 'BASIC']) {
      const headers = { Authorization: `${scheme} ${btoa('demo-app:demo-secret')}` }
      await system.ok('getPackage', { headers })
      await system.refused(401, 'getPackage', { headers: { Authorization: `${scheme} x` } })
    }
  })

  it('credentials and request user are checked before the path parameters', async (system) => {
    await system.refused(401, 'getPackage', { client: null, params: { packageId: 7 } })
    await system.refused(400, 'getPackage', { user: null, params: { packageId: 7 } })
    await system.refused(404, 'getPackage', { params: { packageId: 7 } })
  })

  it('the request user is what routing history records, not the client', async (system) => {
    const actor = async (user: string, client: string) => {
      const { id } = await system.ok<Package>('createPackage', {
        body: { entry: travelEntry() },
        user,
        client,
      })
      const [initiation] = await system.ok<HistoryEvent[]>('getHistory', {
        params: { packageId: id },
        user,
      })
      return initiation?.person?.displayName
    }
    assert.equal(await actor(people.outsider, 'demo-app'), 'Theo Marchetti')
    assert.equal(await actor('partner-app', 'demo-app'), 'partner-app')
    assert.equal(await actor('demo-app', 'partner-app'), 'demo-app')
  })

  it('bypass does not override the state of a package', async (system) => {
    for (const user of [people.outsider, 'demo-app']) {
      const call = { user, bypass: true }
      await system.refused(409, 'routePackage', { ...call, body: { state: 'ROUTING' } })
      await system.refused(409, 'unvoidPackage', call)
      await system.refused(409, 'reinitiatePackage', call)
      await system.refused(409, 'returnPackage', { ...call, body: { univid: people.viewer } })
    }
    await system.ok('voidPackage', { user: people.outsider, bypass: true, body: voided })
  })

  it('bypass does not make missing packages, forms and locks exist', async (system) => {
    const call = { user: people.outsider, bypass: true }
    await system.refused(404, 'getPackage', { ...call, params: { packageId: 7 } })
    await system.refused(404, 'getPackage', { ...call, params: { formId: 7 } })
    await system.refused(404, 'deleteLock', { ...call, params: { lockId: 7 } })
    await system.ok('getPackage', call)
  })
})

describeSection('routing/Versioning', (it) => {
  for (const { name, path, prepare } of rows) {
    it(`${name} is at ${path}`, async (system) => {
      const call = await prepare(system)
      await system.control('DELETE', '/journal')
      await system.ok(name, call)
      const [request, ...others] = await system.control<{ method: string; url: string }[]>('GET', '/journal')
      assert.deepEqual(others, [])
      assert.ok(request)
      const values: Readonly<Record<string, string | number>> = {
        env: 'test',
        formId: 6025,
        packageId: 42,
        ...call.params,
      }
      const expected = path
        .replace(/\{(\w+)\}/g, (_, key: string) => String(values[key]))
        .replace(' ', ' /wf')
      assert.equal(`${request.method} ${request.url.split('?')[0]}`, expected)
    })
  }

  for (const { name, path, prepare } of rows.filter(({ path }) => path.includes('{packageId}'))) {
    assert.ok(path.includes('{env}'))
    it(`${name} finds a package of test only in test`, async (system) => {
      const call = await prepare(system)
      await system.refused(404, name, { ...call, env: 'prod' })
      await system.refused(404, name, { ...call, env: 'prod', user: people.outsider, bypass: true })
      await system.ok(name, call)
    })
  }

  for (const name of ['getStatus', 'getActions'] as const) {
    it(`${name} finds a package of test only in test`, async (system) => {
      assert.deepEqual(await system.ok(name, { query: { id: 42 }, env: 'prod' }), [])
      assert.equal((await system.ok<unknown[]>(name, { query: { id: 42 } })).length, 1)
    })
  }

  it('a package created in one environment does not exist in the other', async (system) => {
    for (const [env, other] of [
      ['test', 'prod'],
      ['prod', 'test'],
    ] as const) {
      const { id } = await system.ok<Package>('createPackage', { env, body: { entry: travelEntry() } })
      const call = { params: { packageId: id } }
      await system.refused(404, 'getPackage', { ...call, env: other })
      assert.equal((await system.ok<Package>('getPackage', { ...call, env })).state, 'ROUTING')
    }
  })

  it('a form is configured separately in each environment', async (system) => {
    await system.control('PUT', '/prod/forms/6025/stops/1/callback', {
      url: 'http://127.0.0.1:9/callbacks',
      freeze: true,
    })
    const received = async (env: 'test' | 'prod') => {
      const { id } = await system.ok<Package>('createPackage', { env, body: { entry: travelEntry() } })
      const history = await system.ok<unknown[]>('getHistory', { env, params: { packageId: id } })
      return history.length - 1
    }
    assert.equal(await received('test'), 2)
    assert.equal(await received('prod'), 0)
  })

  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'application/vnd.workflow+json',
    'application/vnd.workflow+json;version=1.0',
  ]) {
    it(`responses have version 1.0 with Accept ${accept}`, async (system) => {
      const headers = accept === undefined ? {} : { Accept: accept }
      const entry = travelEntry()
      assert.deepEqual(await system.ok('updateEntry', { body: entry, headers }), entry)
      assert.deepEqual(await system.ok('getEntry', { headers }), entry)
      assert.deepEqual(await system.ok('getStatus', { query: { id: 42 }, headers }), [
        { id: 42, state: 'ROUTING' },
      ])
      assert.equal((await system.ok<Package>('getPackage', { headers })).id, 42)
    })
  }

  for (const space of ['', ' ']) {
    it(`the Accept header selects version 1.1 of entries and 1.2 of the status${space && ', with a space, too'}`, async (system) => {
      const version = (number: string) => ({
        Accept: `application/vnd.workflow+json;${space}version=${number}`,
      })
      const entry = travelEntry()
      const wrapped = { entry, emailContent: { packageDetails: null } }
      const call = { headers: version('1.1') }
      assert.deepEqual(await system.ok('updateEntry', { ...call, body: { entry } }), wrapped)
      assert.deepEqual(await system.ok('getEntry', call), wrapped)
      const [status] = await system.ok<object[]>('getStatus', { query: { id: 42 }, headers: version('1.2') })
      assert.deepEqual(Object.keys(status ?? {}).toSorted(), ['id', 'inboxSignatures', 'state'])
    })
  }

  it('a version that an operation does not have is rejected', async (system) => {
    await system.refused(406, 'getEntry', { version: '1.2' })
    await system.refused(406, 'getStatus', { query: { id: 42 }, version: '1.1' })
    await system.refused(406, 'getEntry', { version: '2' })
    await system.refused(406, 'updateEntry', { body: travelEntry({ purpose: 'x' }), version: '1.10' })
    assert.equal(
      (await system.ok<{ purpose: string }>('getEntry')).purpose,
      'Annual meeting of the Society for Freshwater Science',
    )
    await system.ok('getEntry', { version: '1.1' })
  })

  it('an operation without versions accepts any of them', async (system) => {
    for (const version of ['1.0', '1.1', '1.2', '2']) {
      const { id } = await system.ok<{ id: number }>('getPackage', { version })
      assert.equal(id, 42)
      await system.ok('getActions', { query: { id: 42 }, version })
      await system.ok('getHistory', { version })
    }
    const { state } = await system.ok<{ state: string }>('voidPackage', { body: voided, version: '1.1' })
    assert.equal(state, 'VOID')
  })

  it('the version is also found among other media types', async (system) => {
    for (const [accept, isWrapped] of [
      ['application/vnd.workflow+json;version=1.1, */*', true],
      ['application/json, application/vnd.workflow+json; version="1.1"', true],
      ['Application/VND.workflow+json;Version=1.1;q=0.9', true],
      ['application/vnd.workflow+json;charset=utf-8;version=1.1', true],
      ['application/vnd.workflow+json', false],
      ['application/json, */*', false],
    ] as const) {
      const body = await system.ok<object>('getEntry', { headers: { Accept: accept } })
      assert.equal('emailContent' in body, isWrapped, accept)
    }
  })
})
