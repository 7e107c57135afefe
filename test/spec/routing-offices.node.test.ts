import assert from 'node:assert/strict'
import type { Office, OfficeRouteAssignment } from '../../src/contract/schemas/offices.ts'
import { describeSection, people, type System } from './system.ts'

const college = {
  id: 300,
  lastSynced: '2026-11-15T02:00:00',
  name: 'College of Sciences',
  naturalKey: '05',
  scopeNaturalKey: 'org',
  state: 'IMPORTED',
}
const travelOffice = {
  ...college,
  id: 301,
  name: 'Travel Office',
  naturalKey: '05-0100',
  scopeNaturalKey: 'department',
}
const deansOffice = {
  ...travelOffice,
  id: 302,
  name: 'College of Sciences, Dean’s Office',
  naturalKey: '05-0333',
}
const purchasing = {
  ...deansOffice,
  id: 303,
  name: 'Dean’s Office, Purchasing',
  naturalKey: '05-0333-0001',
  scopeNaturalKey: 'sub_department',
}

/** Both shapes of the office search. */
const shapes = [
  { shape: 'search/offices/flat?searchTerm', name: 'searchOffices', parameter: 'searchTerm' },
  { shape: 'offices?key', name: 'findOffices', parameter: 'key' },
] as const

describeSection('routing/Office search', (it) => {
  for (const { shape, name, parameter } of shapes) {
    const search = (system: System, key: string) =>
      system.ok<Office[]>(name, { query: { [parameter]: key }, user: people.outsider })

    it(`${shape} returns the office and the offices whose key extends it`, async (system) => {
      assert.deepEqual(await search(system, '05'), [college, travelOffice, deansOffice, purchasing])
      assert.deepEqual(await search(system, '05-0333'), [deansOffice, purchasing])
      assert.deepEqual(await search(system, '05-0333-0001'), [purchasing])
      assert.deepEqual(await search(system, '05-0100'), [travelOffice])
    })

    it(`${shape} returns an empty array if no office matches`, async (system) => {
      for (const key of ['06', '03', '33', '01', '05-0999', '05-0333-0002', '05-0100-0001']) {
        assert.deepEqual(await search(system, key), [], key)
      }
      assert.equal((await search(system, '05-0100')).length, 1)
    })

    it(`${shape} accepts one natural key and no other text`, async (system) => {
      for (const key of [
        '',
        '5',
        '05-',
        '05-03',
        '05-0333-',
        '05-0333-1',
        '050333',
        '05*',
        ' 05',
        '０５',
        'Dean',
      ]) {
        await system.refused(400, name, { query: { [parameter]: key } })
      }
      await system.refused(400, name)
      await system.refused(400, name, { query: { [parameter]: ['05', '05-0333'] } })
      await system.refused(400, name, { query: { [parameter]: '05', page: '1' } })
      await system.ok(name, { query: { [parameter]: '05' } })
    })
  }

  it('each shape has its own name for the key', async (system) => {
    await system.refused(400, 'searchOffices', { query: { key: '05' } })
    await system.refused(400, 'findOffices', { query: { searchTerm: '05' } })
    await system.ok('searchOffices', { query: { searchTerm: '05' } })
    await system.ok('findOffices', { query: { key: '05' } })
  })

  it('both environments have the same offices', async (system) => {
    const query = { key: '05-0333' }
    const found = await system.ok('findOffices', { query })
    assert.deepEqual(await system.ok('findOffices', { query, params: { env: 'prod' } }), found)
    assert.deepEqual(await system.ok('searchOffices', { query: { searchTerm: '05-0333' } }), found)
  })
})

describeSection('routing/Office', (it) => {
  it('it has exactly the documented fields', async (system) => {
    const [office] = await system.ok<Office[]>('searchOffices', { query: { searchTerm: '05-0333-0001' } })
    assert.deepEqual(office, purchasing)
  })
})

describeSection('routing/Office route assignment', (it) => {
  it('it returns the route of an office for a form, with exactly the documented fields', async (system) => {
    const route = { officeKey: '05-0333', formId: 6025 }
    assert.deepEqual(await system.ok('getOfficeRoute', { params: route, user: people.outsider }), {
      routeId: 701,
      routeType: 'DEFAULT_OFFICE',
      routeName: 'Dean’s Office, default route',
      optOutIfPossible: false,
    })
  })

  it('the sub-type is required for forms that use sub-types, and selects the route', async (system) => {
    const params = { officeKey: '05-0333', formId: 6026 }
    const routeOf = async (subType: string) =>
      (await system.ok<OfficeRouteAssignment>('getOfficeRoute', { params, query: { subType } })).routeId
    await system.refused(400, 'getOfficeRoute', { params })
    for (const subType of ['', 'domestic', 'LUNAR']) {
      await system.refused(400, 'getOfficeRoute', { params, query: { subType } })
    }
    await system.refused(400, 'getOfficeRoute', { params, query: { subType: ['DOMESTIC', 'FOREIGN'] } })
    await system.refused(400, 'getOfficeRoute', { params, query: { subtype: 'DOMESTIC' } })
    assert.equal(await routeOf('DOMESTIC'), 702)
    assert.equal(await routeOf('FOREIGN'), 703)
  })

  it('an office without its own route has the route of the office above it', async (system) => {
    const { routeId } = await system.ok<OfficeRouteAssignment>('getOfficeRoute', {
      params: { officeKey: '05-0333-0001' },
    })
    assert.equal(routeId, 701)
    await system.refused(404, 'getOfficeRoute', { params: { officeKey: '05-0100' } })
    await system.refused(404, 'getOfficeRoute', { params: { officeKey: '05' } })
  })

  it('office and form must exist', async (system) => {
    await system.refused(404, 'getOfficeRoute', { params: { officeKey: '06' } })
    await system.refused(404, 'getOfficeRoute', { params: { officeKey: '05-0333', formId: 6027 } })
    for (const key of ['5', '05-333', '05-0333-', '05%2D0333']) {
      const response = await system.fetch(`/wf/api/v2/developer/offices/${key}/forms/6025/route`, { headers })
      assert.equal(response.status, 404, key)
    }
    const found = await system.fetch('/wf/api/v2/developer/offices/05-0333/forms/6025/route', { headers })
    assert.equal(found.status, 200)
  })
})

describeSection('routing/Office route summary', (it) => {
  it('it returns the stops and recipients of a route, with exactly the documented fields', async (system) => {
    const { routeId } = await system.ok<OfficeRouteAssignment>('getOfficeRoute', {
      params: { officeKey: '05-0333' },
    })
    assert.deepEqual(await system.ok('getRouteSummary', { params: { routeId }, user: people.outsider }), [
      {
        type: 'DEFAULT_OFFICE',
        name: 'Dean’s Office, default route',
        stops: [
          {
            name: 'College',
            destinations: [
              {
                type: 'OFFICE_ROLE',
                subject: 'Dean of College of Sciences, Dean’s Office',
                approverUnivid: people.secondApprover,
                approverName: 'Mei-Ling Zhou',
                permission: 'SIGNATURE_REQUIRED',
              },
            ],
          },
        ],
      },
    ])
  })

  it('the route must exist', async (system) => {
    for (const routeId of [700, 704]) await system.refused(404, 'getRouteSummary', { params: { routeId } })
    for (const routeId of [701, 702, 703]) await system.ok('getRouteSummary', { params: { routeId } })
  })
})

const headers = {
  Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
  'x-workflow-request-user': people.initiator,
}

describeSection('routing/Office route assignment', (it) => {
  it('a form without sub-types accepts none', async (system) => {
    const params = { officeKey: '05-0333' }
    await system.refused(400, 'getOfficeRoute', { params, query: { subType: 'DOMESTIC' } })
    await system.ok('getOfficeRoute', { params })
  })
})
