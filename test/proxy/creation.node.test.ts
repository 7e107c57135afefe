import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scenarios } from '../../src/emulator/scenarios/index.ts'
import type { PolicyQuestion } from '../../src/proxy/rights/policy.ts'
import { people, setUp, type SetUp } from './mount.ts'

const { entry } = scenarios.small().packages.test.get(42)!
const create = { method: 'POST', json: { state: 'PRE_ROUTING', entry } } as const
const details = { emailContent: { packageDetails: '<p>Please hurry</p>' } }

async function created(response: Response): Promise<number> {
  assert.equal(response.status, 200)
  return ((await response.json()) as { id: number }).id
}

describe('createPackage', () => {
  it('creates a package as the signed-in user', async () => {
    const { request, emulator } = setUp()
    const id = await created(await request('/forms/6025/packages', { as: 'outsider', ...create }))
    const pkg = emulator.packages.test.get(id)
    assert.equal(pkg?.initiator, people.outsider)
    assert.equal(pkg?.state, 'PRE_ROUTING')
  })

  it('refuses forms that the mount does not serve', async () => {
    const { request, mutations } = setUp()
    const response = await request('/forms/6026/packages', { as: 'initiator', ...create })
    assert.equal(response.status, 404)
    assert.deepEqual(mutations(), [])
  })

  it('allows each user a number of packages per hour', async () => {
    const { request, mutations } = setUp({ limits: { packagesPerHour: 2 } })
    for (let count = 0; count < 2; count++) {
      await created(await request('/forms/6025/packages', { as: 'initiator', ...create }))
    }
    const refused = await request('/forms/6025/packages', { as: 'initiator', ...create })
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 3500)
    assert.equal(mutations().length, 2)
    await created(await request('/forms/6025/packages', { as: 'outsider', ...create }))
  })

  it('passes on the codes of fields that the service refuses', async () => {
    const { request } = setUp()
    const json = { state: 'PRE_ROUTING', entry: { ...entry, departure: 'tomorrow', cost: null } }
    const response = await request('/forms/6025/packages', { as: 'initiator', method: 'POST', json })
    assert.equal(response.status, 422)
    const { errors } = (await response.json()) as { errors: unknown }
    assert.deepEqual(errors, {
      "entry['departure']": ['validation.badAnswerType'],
      "entry['cost']": ['validation.required'],
    })
  })
})

describe('the text in e-mails about a package', () => {
  const paths = {
    createPackage: ['/forms/6025/packages', { method: 'POST', json: { entry, ...details } }],
    routePackage: ['/forms/6025/packages/42', { method: 'PUT', json: { state: 'ROUTING', ...details } }],
    updateEntry: [
      '/forms/6025/packages/42/entry',
      {
        method: 'PUT',
        json: { entry, ...details },
        headers: { accept: 'application/vnd.workflow+json;version=1.1' },
      },
    ],
  } as const

  function draft(options: SetUp = {}) {
    const mount = setUp(options)
    const found = mount.emulator.packages.test.get(42)!
    mount.emulator.packages.test.set(42, { ...found, state: 'PRE_ROUTING' })
    return mount
  }

  for (const [operation, [path, call]] of Object.entries(paths)) {
    it(`needs the policy of the host in ${operation}`, async () => {
      const { request, mutations } = draft()
      const response = await request(path, { as: 'initiator', ...call })
      assert.equal(response.status, 403)
      assert.deepEqual(mutations(), [])

      const questions: PolicyQuestion[] = []
      const allowing = draft({ identity: { policy: (question) => questions.push(question) > 0 } })
      assert.equal((await allowing.request(path, { as: 'initiator', ...call })).status, 200)
      assert.deepEqual(
        questions.map(({ person, ...question }) => ({ univid: person.univid, ...question })),
        [
          {
            univid: people.initiator,
            operation,
            isText: true,
            formId: 6025,
            packageId: operation === 'createPackage' ? null : 42,
          },
        ],
      )
    })
  }

  it('needs no policy where the request leaves it as it is', async () => {
    const { request } = draft()
    const json = { entry, emailContent: { packageDetails: null, deltaSummary: '<p>New dates</p>' } }
    const [path, call] = paths.updateEntry
    assert.equal((await request(path, { as: 'initiator', ...call, json })).status, 200)
  })
})

describe('offices', () => {
  it('are read once for everyone', async () => {
    const { request, journal } = setUp()
    for (const as of ['initiator', 'outsider'] as const) {
      const response = await request('/offices/search?searchTerm=05-0333', { as })
      const rows = (await response.json()) as { naturalKey: string }[]
      assert.deepEqual(
        rows.map(({ naturalKey }) => naturalKey),
        ['05-0333', '05-0333-0001'],
      )
    }
    assert.equal(journal.length, 1)
    await request('/offices?key=05-0333', { as: 'initiator' })
    await request('/offices?key=05', { as: 'initiator' })
    assert.equal(journal.length, 3)
  })

  it('are not remembered after a failure', async () => {
    let isDown = true
    const { request } = setUp({
      intercept: (request, emulator) =>
        isDown ? new Response('', { status: 500 }) : emulator.fetch(request),
    })
    assert.equal((await request('/offices?key=05', { as: 'initiator' })).status, 502)
    isDown = false
    assert.equal((await request('/offices?key=05', { as: 'initiator' })).status, 200)
  })

  it('need a sign-in', async () => {
    const { request, journal } = setUp()
    assert.equal((await request('/offices?key=05')).status, 401)
    assert.deepEqual(journal, [])
  })

  it('show the approvers of a route without their university ids', async () => {
    const { request } = setUp()
    const read = async (as: 'initiator' | 'secondApprover') => {
      const response = await request('/offices/routes/701', { as })
      assert.equal(response.status, 200)
      return await response.text()
    }
    const text = await read('initiator')
    assert.doesNotMatch(text, /1000000\d/)
    const [summary] = JSON.parse(text) as { stops: { destinations: object[] }[] }[]
    const [destination] = summary!.stops[0]!.destinations
    assert.deepEqual(destination, {
      type: 'OFFICE_ROLE',
      subject: 'Dean of College of Sciences, Dean’s Office',
      approverName: emulatorName(people.secondApprover),
      permission: 'SIGNATURE_REQUIRED',
      approver: 1,
      isSelf: false,
    })
    assert.match(await read('secondApprover'), /"isSelf":true/)
  })
})

function emulatorName(univid: string): string {
  return scenarios.small().people.get(univid)!.displayName ?? ''
}
