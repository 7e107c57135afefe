import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AllowedActions } from '../../src/contract/schemas/session.ts'
import { everyOperation, people, type Role, setUp } from './mount.ts'

const path = '/forms/6025/packages/42/overrides'
const options = { operations: everyOperation, identity: { policy: () => true } }

type Pair = readonly [subject: Role, replacement: Role]

const bodyOf = ([subject, replacement]: Pair) => ({
  subjectUnivid: people[subject],
  type: 'DELEGATE' as const,
  reason: 'CONFLICT_OF_INTEREST' as const,
  replacementUnivid: people[replacement],
})

/** Creates a mount on which everyone may manage overrides, with these overrides of package 42. */
function withOverrides(active: readonly Pair[], more: Parameters<typeof setUp>[0] = {}) {
  const mount = setUp({ ...options, ...more })
  const overrides = active.map(bodyOf)
  Object.assign(mount.emulator.packages.test.get(42)!, { overrides })
  return {
    ...mount,
    create: (as: Role, pair: Pair) => mount.request(path, { as, method: 'POST', json: bodyOf(pair) }),
    end: (as: Role, subject: Role) => mount.request(`${path}/${people[subject]}`, { as, method: 'DELETE' }),
    activeNow: () => mount.emulator.packages.test.get(42)!.overrides,
  }
}

const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail

describe('an override', () => {
  const own = 'This replacement concerns you, so you cannot make or end it. Ask somebody else who may.'

  /** Who cannot create the override of the first approver by the viewer, given the active ones. */
  const creators: readonly (readonly [string, Role, readonly Pair[]])[] = [
    ['its subject', 'firstApprover', []],
    ['its replacement', 'viewer', []],
    ['the person who replaces its replacement', 'administrator', [['viewer', 'administrator']]],
    ['the person whom its subject replaces', 'administrator', [['administrator', 'firstApprover']]],
    ['the subject of another override', 'administrator', [['administrator', 'outsider']]],
    [
      'the end of a chain',
      'administrator',
      [
        ['viewer', 'outsider'],
        ['outsider', 'administrator'],
      ],
    ],
  ]
  for (const [who, as, active] of creators) {
    it(`cannot be created by ${who}, whatever the policy allows (T4)`, async () => {
      const { create, mutations, activeNow } = withOverrides(active)
      const response = await create(as, ['firstApprover', 'viewer'])
      assert.equal(response.status, 403)
      assert.equal(await detailOf(response), own)
      assert.deepEqual(mutations(), [])
      assert.equal(activeNow().length, active.length)
    })
  }

  it('can be created by others, also if they replace somebody else (control)', async () => {
    const { create, activeNow } = withOverrides([['secondApprover', 'administrator']])
    assert.equal((await create('administrator', ['firstApprover', 'viewer'])).status, 200)
    assert.deepEqual(activeNow().at(-1), bodyOf(['firstApprover', 'viewer']))
  })

  const chain: readonly Pair[] = [
    ['firstApprover', 'viewer'],
    ['viewer', 'outsider'],
  ]
  for (const as of ['firstApprover', 'viewer', 'outsider'] as const) {
    it(`cannot be ended by the ${as} in its chain (T4)`, async () => {
      const { end, mutations, activeNow } = withOverrides(chain)
      for (const subject of ['firstApprover', 'viewer'] as const) {
        const response = await end(as, subject)
        assert.equal(response.status, 403)
        assert.equal(await detailOf(response), own)
      }
      assert.deepEqual(mutations(), [])
      assert.equal(activeNow().length, 2)
    })
  }

  it('can be ended by others (control)', async () => {
    const { end, activeNow } = withOverrides(chain)
    assert.equal((await end('administrator', 'firstApprover')).status, 204)
    assert.deepEqual(activeNow(), [bodyOf(['viewer', 'outsider'])])
  })

  it('is refused with the next step if the subject has one already', async () => {
    const { create, mutations } = withOverrides([['firstApprover', 'viewer']])
    const response = await create('administrator', ['firstApprover', 'outsider'])
    assert.equal(response.status, 409)
    assert.match(await detailOf(response), /already replaced on this package\. End that replacement first/)
    assert.deepEqual(mutations(), [])
  })

  const unreadable: Readonly<Record<string, () => Response>> = {
    'fail to load': () => new Response(null, { status: 500 }),
    'cannot be read': () => Response.json([{ type: 'CHANGE' }]),
    'name no replacement': () => Response.json([{ subjectUnivid: people.secondApprover, type: 'CHANGE' }]),
  }
  for (const [what, respond] of Object.entries(unreadable)) {
    it(`does not change while the active overrides ${what} (T4)`, async () => {
      const { create, end, mutations } = withOverrides([['firstApprover', 'viewer']], {
        intercept: (request, emulator) =>
          request.method === 'GET' && request.url.endsWith('/overrides')
            ? respond()
            : emulator.fetch(request),
      })
      assert.equal((await create('administrator', ['secondApprover', 'outsider'])).status, 502)
      assert.equal((await end('administrator', 'firstApprover')).status, 502)
      assert.deepEqual(mutations(), [])
    })
  }

  it('is asked for only after the policy has allowed it (T4)', async () => {
    const { create, journal } = withOverrides([], { identity: { policy: () => false } })
    const response = await create('administrator', ['firstApprover', 'viewer'])
    assert.equal(response.status, 403)
    assert.notEqual(await detailOf(response), own)
    assert.ok(!journal.some(({ url }) => url.endsWith('/overrides')))
  })

  it('can be offered to exactly the people whom the policy allows it', async () => {
    const toolsFor = async (allowed: readonly string[], operations = everyOperation) => {
      const { request } = setUp({
        operations,
        identity: { policy: ({ operation }) => allowed.includes(operation) },
      })
      const response = await request('/forms/6025/packages/actions?id=42', { as: 'viewer' })
      return ((await response.json()) as AllowedActions[])[0]?.tools
    }
    assert.deepEqual(await toolsFor(['createOverride', 'deleteLock']), ['createOverride', 'deleteLock'])
    assert.deepEqual(await toolsFor([]), [])
    const without = everyOperation.filter((name) => name !== 'createOverride')
    assert.deepEqual(await toolsFor(['createOverride'], without), [], 'the mount does not serve it')
  })
})
