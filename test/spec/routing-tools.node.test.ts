import assert from 'node:assert/strict'
import type { Comment } from '../../src/contract/schemas/comments.ts'
import type { HistoryEvent } from '../../src/contract/schemas/history.ts'
import type { OperationName } from '../../src/contract/services/operations.ts'
import { voidReasons } from '../../src/contract/values/values.ts'
import type { Package, PackageStatus12 } from '../../src/contract/schemas/workflow.ts'
import type { Mail } from '../../src/emulator/state/stored-packages.ts'
import {
  type Call,
  complete,
  describeSection,
  packageFields,
  people,
  sign,
  type System,
  travelEntry,
} from './system.ts'

const voidBody = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }

/** Each tool that changes a package, with a call that succeeds. */
const tools: readonly {
  readonly tool: OperationName
  readonly call?: Call
  readonly prepare?: (system: System) => Promise<unknown>
}[] = [
  { tool: 'voidPackage', call: { body: voidBody } },
  {
    tool: 'unvoidPackage',
    prepare: (system) => system.ok('voidPackage', { body: voidBody }),
  },
  { tool: 'restartPackage' },
  { tool: 'returnPackage', call: { body: { univid: people.viewer } }, prepare: complete },
  { tool: 'removePackage' },
  { tool: 'reinitiatePackage', prepare: (system) => system.ok('removePackage') },
  { tool: 'returnToInitiator', call: { body: { comment: 'Which hotel?' } } },
]

describeSection('routing/Routing tools', (it) => {
  for (const { tool, call, prepare } of tools) {
    it(`${tool} returns the changed package, with exactly the documented fields`, async (system) => {
      await prepare?.(system)
      const found = await system.ok<Package>(tool, call)
      assert.deepEqual(Object.keys(found).sort(), packageFields)
      assert.deepEqual(found, await getPackage(system))
    })

    it(`${tool} returns 404 and changes nothing if the package does not exist or belongs to another form or environment`, async (system) => {
      await prepare?.(system)
      const before = await getPackage(system)
      for (const params of [{ packageId: 43 }, { formId: 6026 }, { formId: 1 }, { env: 'prod' }]) {
        const given = call?.body as { id?: number } | undefined
        const body = given && { ...given, ...(given.id && 'packageId' in params && { id: 43 }) }
        await system.refused(404, tool, { params, body })
      }
      assert.deepEqual(await getPackage(system), before)
      await system.ok(tool, call)
    })
  }
})

describeSection('routing/Void', (it) => {
  for (const voidReason of voidReasons) {
    it(`${voidReason} is accepted as reason, and the package shows it`, async (system) => {
      const found = await system.ok<Package>('voidPackage', { body: { ...voidBody, voidReason } })
      assert.equal(found.state, 'VOID')
      assert.equal(found.voidReason, voidReason)
      assert.equal((await getPackage(system)).voidReason, voidReason)
    })
  }

  it('other reasons are rejected, and a reason is required', async (system) => {
    for (const voidReason of ['BORED', 'incorrect_form', '', null, 1, ['INCORRECT_FORM'], undefined]) {
      await system.refused(400, 'voidPackage', { body: { ...voidBody, voidReason } })
    }
    assert.equal((await getPackage(system)).state, 'ROUTING')
    await system.ok('voidPackage', { body: voidBody })
  })

  it('the id must be that of the package', async (system) => {
    const { id } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
    for (const other of [id, 43, '42', null, undefined, 42.5]) {
      await system.refused(400, 'voidPackage', { body: { ...voidBody, id: other } })
    }
    assert.equal((await getPackage(system)).state, 'ROUTING')
    assert.equal((await getPackage(system, id)).state, 'ROUTING')
    await system.ok('voidPackage', { body: voidBody })
  })

  it('the state must be VOID', async (system) => {
    for (const state of ['ROUTING', 'COMPLETE', 'void', null, undefined]) {
      await system.refused(400, 'voidPackage', { body: { ...voidBody, state } })
    }
    await system.ok('voidPackage', { body: voidBody })
  })

  it('the body must be a JSON object without other fields', async (system) => {
    for (const body of [{ ...voidBody, comment: 'Wrong form' }, [voidBody], 'VOID', null, undefined]) {
      await system.refused(400, 'voidPackage', { body })
    }
    const response = await system.fetch('/wf/workflow/test/api/developer/tools/forms/6025/packages/42', {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"id":42,',
    })
    assert.equal(response.status, 400)
    await system.ok('voidPackage', { body: voidBody })
  })

  it('a package that is not void has no void reason', async (system) => {
    assert.equal((await getPackage(system)).voidReason, null)
    await system.ok('voidPackage', { body: voidBody })
    await system.ok('unvoidPackage')
    assert.equal((await getPackage(system)).voidReason, null)
    await system.ok('voidPackage', { body: voidBody })
    await system.ok('removePackage')
    assert.equal((await getPackage(system)).voidReason, null)
  })

  it('a void package is in no inbox and cannot be signed', async (system) => {
    assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
    await system.ok('voidPackage', { body: voidBody })
    assert.deepEqual(await inboxes(system), [])
    assert.equal((await trySign(system, people.firstApprover)).status, 409)
    await system.ok('unvoidPackage')
    assert.equal((await trySign(system, people.firstApprover)).status, 200)
  })

  it('the history records the request user', async (system) => {
    await system.ok('voidPackage', { body: voidBody, user: people.administrator })
    const last = (await system.ok<HistoryEvent[]>('getHistory')).at(-1)
    assert.equal(last?.['@class'], 'void')
    assert.equal(last.person?.displayName, 'Priya Raman')
  })
})

describeSection('routing/Unvoid', (it) => {
  it('unvoid needs no body and restores the state before the void', async (system) => {
    await sign(system, people.firstApprover)
    const before = await inboxes(system)
    await system.ok('voidPackage', { body: voidBody })
    const found = await bare(system, 'unvoid')
    assert.equal(found.state, 'ROUTING')
    assert.deepEqual(await inboxes(system), before)
  })

  it('the history records the request user', async (system) => {
    await system.ok('voidPackage', { body: voidBody })
    await system.ok('unvoidPackage', { user: people.administrator })
    const last = (await system.ok<HistoryEvent[]>('getHistory')).at(-1)
    assert.equal(last?.['@class'], 'unvoid')
    assert.equal(last.person?.displayName, 'Priya Raman')
  })
})

describeSection('routing/Restart routing', (it) => {
  it('a restart needs no body and starts at the first stop again', async (system) => {
    await sign(system, people.firstApprover)
    assert.deepEqual(await inboxes(system), ['Mei-Ling Zhou'])
    const found = await bare(system, 'restart')
    assert.equal(found.state, 'ROUTING')
    assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
    assert.equal((await trySign(system, people.secondApprover)).status, 409)
    assert.equal((await trySign(system, people.firstApprover)).status, 200)
  })

  it('approvers are notified again', async (system) => {
    await system.ok('restartPackage')
    const mail = (await outbox(system)).filter(({ kind }) => kind === 'approver_notification')
    assert.deepEqual(
      mail.flatMap(({ recipients }) => recipients.map(({ univid }) => univid)),
      [people.firstApprover, people.viewer],
    )
  })
})

describeSection('routing/Return to routing', (it) => {
  it('the body must be the university id of a person who exists, and nothing else', async (system) => {
    await complete(system)
    for (const body of [
      { univid: '99999999' },
      { univid: 'demo-app' },
      { univid: '' },
      { univid: 10000004 },
      { univid: null },
      {},
      { univid: people.viewer, comment: 'Please' },
      undefined,
    ]) {
      await system.refused(400, 'returnPackage', { body })
    }
    assert.equal((await getPackage(system)).state, 'COMPLETE')
    await system.ok('returnPackage', { body: { univid: people.viewer } })
  })

  it('the package may be returned to a person who was not an approver, and this person may sign', async (system) => {
    await complete(system)
    await system.refused(403, 'getPackage', { user: people.outsider })
    await system.ok('returnPackage', { body: { univid: people.outsider } })
    assert.deepEqual(await inboxes(system), ['Theo Marchetti'])
    assert.equal((await system.ok<Package>('getPackage', { user: people.outsider })).actions?.canSign, true)
    assert.equal((await trySign(system, people.firstApprover)).status, 409)
    await sign(system, people.outsider)
    assert.equal((await getPackage(system)).state, 'COMPLETE')
  })

  it('a package may be returned more than once', async (system) => {
    await complete(system)
    for (const univid of [people.viewer, people.outsider]) {
      await system.ok('returnPackage', { body: { univid } })
      await sign(system, univid)
    }
    const numbers = (await system.ok<HistoryEvent[]>('getHistory')).map(({ stop }) => stop?.stopNumber)
    assert.deepEqual(numbers, [0, 1, 1, 2, undefined, 3, undefined, 4, undefined])
    assert.equal((await getPackage(system)).state, 'COMPLETE')
  })
})

describeSection('routing/Remove from routing', (it) => {
  it('remove needs no body and takes the package out of all inboxes', async (system) => {
    const found = await bare(system, 'remove')
    assert.equal(found.state, 'PRE_ROUTING')
    assert.deepEqual(await inboxes(system), [])
    assert.equal((await trySign(system, people.firstApprover)).status, 409)
  })

  it('authorized users still find a removed package, but approvers do not', async (system) => {
    await system.ok('getPackage', { user: people.firstApprover })
    await system.ok('removePackage')
    await system.refused(403, 'getPackage', { user: people.firstApprover })
    for (const user of [people.initiator, people.administrator, 'demo-app']) {
      assert.equal((await system.ok<Package>('getPackage', { user })).state, 'PRE_ROUTING')
    }
    await system.ok('reinitiatePackage')
    await system.ok('getPackage', { user: people.firstApprover })
  })
})

describeSection('routing/Re-initiate', (it) => {
  it('re-initiate needs no body, starts at the first stop, and adds an event to the history', async (system) => {
    await sign(system, people.firstApprover)
    await system.ok('removePackage')
    const found = await bare(system, 're_initiate')
    assert.equal(found.state, 'ROUTING')
    assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
    const events = (await system.ok<HistoryEvent[]>('getHistory')).filter(
      (event) => event['@class'] === 're_initiate',
    )
    assert.deepEqual(
      events.map(({ person }) => person?.univid),
      [people.initiator],
    )
  })
})

describeSection('routing/Return to initiator', (it) => {
  it('the comment is mailed to the initiator', async (system) => {
    const comment = 'Which hotel? <b>"Mill & Inn"</b>'
    await system.ok('returnToInitiator', { body: { comment }, user: people.firstApprover })
    const [mail, ...others] = (await outbox(system)).filter(({ kind }) => kind === 'return_to_initiator')
    assert.deepEqual(others, [])
    assert.deepEqual(mail?.recipients, [
      { univid: people.initiator, email: 'amara-okafor@northfield.example' },
    ])
    // Comments are text, but mails are HTML.
    assert.ok(mail.html.includes('Which hotel? &lt;b&gt;&quot;Mill &amp; Inn&quot;&lt;/b&gt;'), mail.html)
  })

  it('the comment is shown with the package', async (system) => {
    const comment = 'Which hotel? <b>"Mill & Inn"</b>'
    const found = await system.ok<Package>('returnToInitiator', {
      body: { comment },
      user: people.firstApprover,
    })
    assert.equal(found.commentCount, 1)
    const [listed, ...others] = await system.ok<Comment[]>('getComments')
    assert.deepEqual(others, [])
    assert.equal(listed?.comment, comment)
    assert.equal(listed.approversOnly, false)
    assert.equal(listed.state, 'ACTIVE')
    assert.equal(listed.person?.displayName, 'Daniel Reyes')
  })

  it('the body must be a comment that is not empty', async (system) => {
    for (const body of [
      {},
      { comment: '' },
      { comment: null },
      { comment: 1 },
      { comment: 'Which hotel?', univid: people.viewer },
      undefined,
    ]) {
      await system.refused(400, 'returnToInitiator', { body })
    }
    assert.equal((await getPackage(system)).state, 'ROUTING')
    assert.deepEqual(await outbox(system), [])
    await system.ok('returnToInitiator', { body: { comment: 'Which hotel?' } })
  })

  it('the package is in no inbox until its initiator submits it again', async (system) => {
    await sign(system, people.firstApprover)
    await system.ok('returnToInitiator', { body: { comment: 'Which hotel?' } })
    assert.deepEqual(await inboxes(system), [])
    assert.equal((await trySign(system, people.secondApprover)).status, 409)
    await system.control('POST', '/test/forms/6025/packages/42/submit', { univid: people.initiator })
    assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
  })
})

describeSection('routing/Bulk status', (it) => {
  it('version 1.0 returns id and state, and is the default', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      body: { state: 'DRAFT', entry: travelEntry() },
    })
    const expected = [
      { id: 42, state: 'ROUTING' },
      { id, state: 'DRAFT' },
    ]
    for (const version of [undefined, '1.0']) {
      const rows = await system.ok('getStatus', { query: { id: [42, id] }, ...(version && { version }) })
      assert.deepEqual(rows, expected)
    }
  })

  it('version 1.2 adds the inboxes that hold the package, with exactly the documented fields', async (system) => {
    const travelOffice = { id: 301, name: 'Travel Office', naturalKey: '05-0100' }
    assert.deepEqual(await system.ok('getStatus', { query: { id: 42 }, version: '1.2' }), [
      {
        id: 42,
        state: 'ROUTING',
        inboxSignatures: [
          {
            id: 9001,
            approver: 'Daniel Reyes',
            state: 'RECEIVED',
            permission: 'SIGNATURE_REQUIRED',
            responsibleOffice: travelOffice,
          },
          {
            id: 9002,
            approver: 'Ruth Lindqvist',
            state: 'RECEIVED',
            permission: 'VIEW_ONLY',
            responsibleOffice: travelOffice,
          },
        ],
      },
    ])
  })

  it('version 1.2 returns an empty array if no inbox holds the package', async (system) => {
    const { id: draft } = await system.ok<Package>('createPackage', {
      body: { state: 'DRAFT', entry: travelEntry() },
    })
    await complete(system)
    assert.deepEqual(await system.ok('getStatus', { query: { id: [42, draft] }, version: '1.2' }), [
      { id: 42, state: 'COMPLETE', inboxSignatures: [] },
      { id: draft, state: 'DRAFT', inboxSignatures: [] },
    ])
  })

  it('the responsible office is that of an office destination, or else the one that owns the form', async (system) => {
    const offices = async () => {
      const [row] = await system.ok<PackageStatus12[]>('getStatus', { query: { id: 42 }, version: '1.2' })
      return (row?.inboxSignatures ?? []).map((each) => [each?.approver, each?.responsibleOffice])
    }
    const travelOffice = { id: 301, name: 'Travel Office', naturalKey: '05-0100' }
    assert.deepEqual(await offices(), [
      ['Daniel Reyes', travelOffice],
      ['Ruth Lindqvist', travelOffice],
    ])
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
    await sign(system, people.firstApprover)
    const deansOffice = { id: 302, name: 'College of Sciences, Dean’s Office', naturalKey: '05-0333' }
    assert.deepEqual(await offices(), [['Mei-Ling Zhou', deansOffice]])
    await sign(system, people.secondApprover)
    await system.ok('returnPackage', { body: { univid: people.outsider } })
    assert.deepEqual(await offices(), [['Theo Marchetti', travelOffice]])
  })

  it('ids that are not packages of this form and environment are left out', async (system) => {
    const { id: purchase } = await system.ok<Package>('createPackage', {
      params: { formId: 6026 },
      body: { state: 'DRAFT', subType: 'FOREIGN', entry: { item: 'Lens', price: 9.5, needed_by: null } },
    })
    const readStatus = (params: Call['params'] = {}) =>
      system.ok('getStatus', { params, query: { id: [7, purchase, 42, 9007199254740991] } })
    assert.deepEqual(await readStatus(), [{ id: 42, state: 'ROUTING' }])
    assert.deepEqual(await readStatus({ formId: 6026 }), [{ id: purchase, state: 'DRAFT' }])
    assert.deepEqual(await readStatus({ env: 'prod' }), [])
    assert.deepEqual(await readStatus({ formId: 1 }), [])
  })

  it('it accepts up to 100 ids, and rejects more', async (system) => {
    const ids = Array.from({ length: 99 }, (_, index) => index + 1000)
    assert.deepEqual(await system.ok('getStatus', { query: { id: [...ids, 42] } }), [
      { id: 42, state: 'ROUTING' },
    ])
    await system.refused(400, 'getStatus', { query: { id: [...ids, 42, 43] } })
  })

  it('the ids must be plain digits, and at least one is required', async (system) => {
    for (const id of [
      '',
      '0',
      '-1',
      '+42',
      ' 42',
      '042',
      '1e1',
      '0x2a',
      '42.0',
      '４２',
      '9007199254740993',
      'x',
    ]) {
      await system.refused(400, 'getStatus', { query: { id } })
      await system.refused(400, 'getStatus', { query: { id: [42, id] } })
    }
    await system.refused(400, 'getStatus')
    await system.refused(400, 'getStatus', { query: { id: '42,43' } })
    await system.refused(400, 'getStatus', { query: { id: 42, state: 'ROUTING' } })
    await system.ok('getStatus', { query: { id: 42 } })
  })
})

const headers = {
  Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
  'x-workflow-request-user': people.initiator,
}

/** Calls a tool without a body. */
async function bare(system: System, tool: string): Promise<Package> {
  const path = `/wf/workflow/test/api/developer/tools/forms/6025/packages/42/${tool}`
  const response = await system.fetch(path, { method: 'PUT', headers })
  assert.equal(response.status, 200, response.text)
  return response.json as Package
}

function getPackage(system: System, packageId = 42): Promise<Package> {
  return system.ok<Package>('getPackage', { params: { packageId } })
}

async function inboxes(system: System): Promise<(string | null | undefined)[]> {
  const [row] = await system.ok<PackageStatus12[]>('getStatus', { query: { id: 42 }, version: '1.2' })
  return (row?.inboxSignatures ?? []).map((signature) => signature?.approver)
}

function outbox(system: System): Promise<Mail[]> {
  return system.control<Mail[]>('GET', '/outbox')
}

function trySign(system: System, univid: string) {
  return system.fetch('/_emulator/test/forms/6025/packages/42/sign', {
    method: 'POST',
    body: JSON.stringify({ univid }),
  })
}
