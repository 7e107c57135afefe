import assert from 'node:assert/strict'
import type { OpenLockList } from '../../../src/contract/schemas/callbacks.ts'
import type { PolicyQuestion } from '../../../src/proxy/rights/policy.ts'
import { changeElsewhere } from '../elsewhere.ts'
import { everyOperation, people, type Role, setUp, type SetUp } from '../mount.ts'
import { until } from '../until.ts'

export const callbackUrl = 'https://northfield.test/api/wf/callbacks'

/** Lets the administrator release locks. */
export const administrators = ({ person, operation }: PolicyQuestion) =>
  person.univid === people.administrator && operation === 'deleteLock'

/** Creates a mount whose form freezes at its first two stops, and the requests about its locks. */
export function withLocks(options: SetUp = {}) {
  const mount = setUp({
    operations: everyOperation,
    identity: { policy: administrators },
    limits: { watchInterval: 2 ** 30 },
    ...options,
    emulator: {
      ...options.emulator,
      control: true,
      fetch: (input, init) => receive(new Request(input, init)),
    },
  })
  let receive: (request: Request) => Promise<Response> = mount.proxy
  const { control, deliver } = changeElsewhere(mount.emulator)
  const ofPackage = (packageId: number) => `/forms/6025/packages/${packageId}/locks`

  /** Creates a package that a callback freezes at the first stop, and waits until the proxy has processed the callback. */
  async function freeze(): Promise<{ readonly packageId: number; readonly lockId: number }> {
    for (const stop of [1, 2])
      await control('PUT', `test/forms/6025/stops/${stop}/callback`, { url: callbackUrl, freeze: true })
    const entry = structuredClone(mount.emulator.packages.test.get(42)!.entry)
    const response = await mount.request('/forms/6025/packages', {
      as: 'initiator',
      method: 'POST',
      json: { state: 'ROUTING', entry },
    })
    const { id: packageId } = (await response.json()) as { readonly id: number }
    assert.equal(response.status, 200)
    await deliver()
    const lockId = mount.emulator.packages.test.get(packageId)!.lock
    assert.ok(lockId !== null, 'the route is frozen')
    return { packageId, lockId }
  }

  async function list(path: string, as: Role): Promise<OpenLockList> {
    const response = await mount.request(path, { as })
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as OpenLockList
  }

  return {
    ...mount,
    control,
    deliver,
    freeze,
    ofPackage,
    /** Sends the callbacks of the service to another receiver. */
    receiveWith(next: (request: Request) => Promise<Response>) {
      receive = next
    },
    locksOf: (packageId: number, as: Role = 'administrator') => list(ofPackage(packageId), as),
    locksOfForm: (as: Role = 'administrator') => list('/forms/6025/locks', as),
    /** Waits until the lock of a package is known. */
    isKnown: (packageId: number) =>
      until(async () => (await list(ofPackage(packageId), 'initiator')).locks.length > 0),
    release: (
      { packageId, lockId }: { readonly packageId: number; readonly lockId: number },
      as: Role = 'administrator',
      json: unknown = { reason: 'The budget is approved.' },
      headers: Readonly<Record<string, string | null>> = {},
    ) => mount.request(`${ofPackage(packageId)}/${lockId}/release`, { as, method: 'POST', json, headers }),
  }
}
