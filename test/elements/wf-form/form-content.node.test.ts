import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ForbiddenError, NotFoundError, type PageClient } from '../../../src/client/index.ts'
import { formReaders } from '../../../src/contract/readers/form-readers.ts'
import { formRoutes } from '../../../src/contract/routes/form-routes.ts'
import { loadFormContent, UnservedFormError } from '../../../src/elements/wf-form/state/form-content.ts'

const { signal } = new AbortController()
const session = { univid: '1', forms: [6025], allows: { operations: ['createPackage'] } }
const rights = { packageId: 42, canView: true, canEdit: true }
const params = { formId: 6025, packageId: 42 }

describe('loadFormContent() of a new request', () => {
  it('reads only the session', async () => {
    const { client, log } = createLog({ getSession: session })
    assert.deepEqual(await loadFormContent([client, 6025, 0], signal), { session })
    assert.deepEqual(log, [
      ['extend', { routes: formRoutes, readers: formReaders }],
      ['getSession', { signal }],
    ])
  })

  it('is forbidden if the proxy creates no packages', async () => {
    const { client } = createLog({ getSession: { ...session, allows: { operations: ['getPackage'] } } })
    await assert.rejects(
      loadFormContent([client, 6025, 0], signal),
      (error) =>
        error instanceof ForbiddenError &&
        !(error instanceof UnservedFormError) &&
        error.operation === 'createPackage' &&
        error.message === new ForbiddenError('createPackage', 'is not served here').message,
    )
  })

  it('names a form that the proxy does not serve, also if the package is not found', async () => {
    const missing = new NotFoundError('getActions', 'was not found')
    for (const [own, isUnserved] of [
      [{ ...session, forms: [42] }, true],
      [session, false],
    ] as const) {
      const { client } = createLog({ getSession: own, getActions: missing })
      await assert.rejects(
        loadFormContent([client, 6025, 42], signal),
        isUnserved ? UnservedFormError : NotFoundError,
      )
    }
    const { client } = createLog({ getSession: { ...session, forms: [] } })
    await assert.rejects(loadFormContent([client, 6025, 0], signal), UnservedFormError)
  })
})

describe('loadFormContent() of a package', () => {
  const found = { id: 42, state: 'PRE_ROUTING' }
  const entry = { purpose: 'Field work' }

  it('reads the session and the rights, then the package and its entry', async () => {
    const { client, log } = createLog({
      getSession: session,
      getActions: [rights],
      getPackage: found,
      getEntry: { entry },
    })
    assert.deepEqual(await loadFormContent([client, 6025, 42], signal), {
      session,
      found,
      actions: rights,
      entry,
    })
    assert.deepEqual(log.slice(1), [
      ['getSession', { signal }],
      ['getActions', { params: { formId: 6025 }, query: { id: [42] } }, { signal }],
      ['getPackage', { params }, { signal }],
      ['getEntry', { params }, { signal, version: '1.1' }],
    ])
  })

  it('reads nothing of a package that the person may not see', async () => {
    for (const [actions, expected] of [
      [[{ ...rights, canView: false }], ForbiddenError],
      [[null, { ...rights, packageId: 43 }], NotFoundError],
    ] as const) {
      const { client, log } = createLog({ getSession: session, getActions: actions })
      await assert.rejects(loadFormContent([client, 6025, 42], signal), expected)
      assert.equal(log.length, 3)
    }
  })
})

/** A client with these responses, and the calls that it gets. */
function createLog(responses: Readonly<Record<string, unknown>>) {
  const log: unknown[][] = []
  const client: Record<string, unknown> = {
    extend: (...args: unknown[]) => (log.push(['extend', ...args]), client),
  }
  for (const [name, response] of Object.entries(responses))
    client[name] = async (...args: unknown[]) => {
      log.push([name, ...args])
      if (response instanceof Error) throw response
      return response
    }
  return { client: client as unknown as PageClient, log }
}
