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
