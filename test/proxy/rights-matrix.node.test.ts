import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BrowserOperation } from '../../src/contract/routes/routes.ts'
import type { Policy } from '../../src/proxy/rights/policy.ts'
import { everyOperation, people, type Role, setUp, type SetUp } from './mount.ts'
import { prepare, requestFor, sampleUuid, sampleValues } from './oracle.ts'

/** The policies of a host. */
const policies = {
  absent: undefined,
  'that denies everything': () => false,
  'that allows everything': () => true,
  'of the administrator': ({ person }) => person.univid === people.administrator,
  'that is not boolean': (() => 'yes') as unknown as Policy,
} as const satisfies Readonly<Record<string, Policy | undefined>>

type Expected = Readonly<Record<keyof typeof policies, readonly Role[]>>

const everyone: readonly Role[] = [
  'initiator',
  'firstApprover',
  'secondApprover',
  'viewer',
  'outsider',
  'administrator',
]

const byPolicy: Expected = {
  absent: [],
  'that denies everything': [],
  'that allows everything': everyone,
  'of the administrator': ['administrator'],
  'that is not boolean': [],
}

/** The sample override is of the first approver by the outsider. Neither may change it, whatever the policy allows. */
const exceptConcerned: Expected = {
  ...byPolicy,
  'that allows everything': ['initiator', 'secondApprover', 'viewer', 'administrator'],
}

/** The administrator owns the sample file, and needs no policy. */
const ownerOrPolicy: Expected = {
  absent: ['administrator'],
  'that denies everything': ['administrator'],
  'that allows everything': everyone,
  'of the administrator': ['administrator'],
  'that is not boolean': ['administrator'],
}

interface Row {
  readonly name: BrowserOperation
  readonly threat: string
  readonly changes: boolean
  /** The people to whom each policy gives the right. */
  readonly allowed: Expected
  /** Status of a success, and of a refusal: 404 if people must not learn that something exists. */
  readonly success: number
  readonly refusal: number
  /** Status if the package or the file belongs to the other environment, also for those whom the policy allows all. */
  readonly elsewhere: number
}

const change = { changes: true, success: 200, refusal: 403, elsewhere: 403 }

/** Written by hand: no value comes from the code. */
const rows: readonly Row[] = [
  { ...change, name: 'createOverride', threat: 'T4', allowed: exceptConcerned },
  { ...change, name: 'getOverrides', threat: 'T4', allowed: byPolicy, changes: false },
  { ...change, name: 'deactivateOverride', threat: 'T4', allowed: exceptConcerned, success: 204 },
  { ...change, name: 'createShare', threat: 'T9', allowed: byPolicy },
  // The other environment has a list too. It is empty.
  { ...change, name: 'getShares', threat: 'T9', allowed: byPolicy, changes: false, elsewhere: 200 },
  { ...change, name: 'revokeShare', threat: 'T9', allowed: byPolicy, success: 204 },
  { ...change, name: 'updateFileMeta', threat: 'T12', allowed: ownerOrPolicy, refusal: 404, elsewhere: 404 },
]

/** Creates a mount, and a function that calls an operation in the state in which its sample succeeds. */
function mountWith(options: SetUp) {
  const mount = setUp({ operations: everyOperation, ...options })
  const { emulator } = mount
  const reset = prepare(mount)
  const state = () =>
    JSON.stringify([
      emulator.packages.test.get(42)?.overrides,
      [...emulator.shares.test.keys()],
      emulator.files.test.get(sampleUuid)?.asset,
    ])
  async function call(name: BrowserOperation, as: Role, values = sampleValues) {
    await reset(name)
    if (name === 'getShares') {
      emulator.shares.test.set(`demo-app partner-app ${sampleUuid}`, {
        ...{ ownerClientId: 'demo-app', granteeClientId: 'partner-app', fileAssetUuid: sampleUuid },
        ...{ type: 'SINGLE_FILE', createdAt: '2026-11-16T09:42:12' },
      })
    }
    const before = state()
    const sent = mount.mutations().length
    const response = await mount.proxy(requestFor(name, { as: people[as], values }))
    const text = await response.text()
    return {
      status: response.status,
      text,
      isSent: mount.mutations().length > sent,
      hasChanged: state() !== before,
    }
  }
  return call
}

describe('the rights to overrides, shares and file metadata', () => {
  for (const { name, threat, changes, allowed, success, refusal } of rows) {
    for (const [kind, policy] of Object.entries<Policy | undefined>(policies)) {
      it(`are as listed for ${name} with a policy ${kind} (${threat})`, async () => {
        const call = mountWith(policy ? { identity: { policy } } : {})
        for (const as of everyone) {
          const isAllowed = allowed[kind as keyof typeof policies].includes(as)
          const { status, isSent, hasChanged, text } = await call(name, as)
          assert.equal(status, isAllowed ? success : refusal, `${as}: ${text}`)
          assert.equal(isSent, isAllowed && changes, `${as}: what is sent`)
          assert.equal(hasChanged, isAllowed && changes, `${as}: the state`)
          if (!isAllowed) assert.doesNotMatch(text, /partner-app|replacementUnivid|a\.txt/, as)
        }
      })
    }
  }

  for (const { name, threat, elsewhere } of rows) {
    it(`do not reach the other environment by ${name} (T10, ${threat})`, async () => {
      const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
      const call = mountWith({
        env: 'prod',
        identity: { policy: () => true },
        services: {
          storage: {
            ...{ baseUrl: 'http://emulator.test/fs/prod', objectOrigins: ['http://emulator.test'] },
            ...credentials,
          },
        },
      })
      const { status, text, hasChanged } = await call(name, 'administrator')
      assert.equal(status, elsewhere, text)
      assert.equal(hasChanged, false)
      assert.doesNotMatch(text, /partner-app|replacementUnivid|a\.txt/)
    })
  }

  for (const { name } of rows.slice(0, 3)) {
    it(`do not reach a package below another form by ${name} (T4, T6)`, async () => {
      const values = { ...sampleValues, formId: '6031' }
      const served = mountWith({ identity: { policy: () => true }, forms: [6025, 6031] })
      const notServed = mountWith({ identity: { policy: () => true } })
      for (const [call, expected] of [
        [served, 403],
        [notServed, 404],
      ] as const) {
        const { status, isSent, hasChanged, text } = await call(name, 'administrator', values)
        assert.equal(status, expected, text)
        assert.deepEqual([isSent, hasChanged], [false, false])
      }
      assert.ok((await served(name, 'administrator')).status < 300, 'below its own form')
    })
  }
})
