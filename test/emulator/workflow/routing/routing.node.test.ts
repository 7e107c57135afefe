import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HistoryEvent } from '../../../../src/contract/schemas/history.ts'
import type { Package } from '../../../../src/contract/schemas/workflow.ts'
import { createEmulator, type Emulator } from '../../../../src/emulator/emulator.ts'
import { scenarios } from '../../../../src/emulator/scenarios/index.ts'
import type { Destination, Form, OfficeRoute, Stop } from '../../../../src/emulator/state/stored-forms.ts'

const initiator = '10000001'
const first = '10000002'
const second = '10000003'
const third = '10000004'

describe('routing', () => {
  it('moves on when all required signatures of a stop are there, in any order', async () => {
    for (const order of [
      [first, second],
      [second, first],
    ]) {
      const emulator = start([
        stop('Both', [must(first), must(second), may(third)]),
        stop('Last', [must(third)]),
      ])
      await create(emulator)
      assert.deepEqual(await inboxes(emulator), [first, second, third])
      await sign(emulator, order[0]!)
      assert.equal((await inboxes(emulator)).length, 2)
      await sign(emulator, order[1]!)
      assert.deepEqual(await inboxes(emulator), [third])
    }
  })

  it('skips a stop without required signatures, and completes a route without any', async () => {
    const emulator = start([stop('Information', [view(third)]), stop('One', [must(first)])])
    await create(emulator)
    assert.deepEqual(await inboxes(emulator), [first])

    const empty = start([stop('Information', [view(third)])])
    assert.equal((await create(empty)).state, 'COMPLETE')
    assert.equal((await create(start([]))).state, 'COMPLETE')
  })

  it('reassigns the signatures of a void package without notifying anyone', async () => {
    const emulator = start([stop('One', [must(first)])])
    await create(emulator)
    const override = { subjectUnivid: first, replacementUnivid: second, type: 'CHANGE' }
    const body = { ...override, reason: 'CONFLICT_OF_INTEREST' }
    const mails = () => [...emulator.outbox.values()].map(({ recipients }) => recipients[0]?.univid)
    assert.deepEqual(mails(), [first])

    await tool(emulator, '', { id: 1000, state: 'VOID', voidReason: 'INCORRECT_FORM' })
    await json(send(emulator, 'POST', overrides, body))
    assert.deepEqual(mails(), [first])
    await tool(emulator, '/unvoid')
    assert.deepEqual(await inboxes(emulator), [second])
    assert.deepEqual(mails(), [first])

    // Outside a void, the same change is mailed.
    const other = start([stop('One', [must(first)])])
    await create(other)
    await json(send(other, 'POST', overrides, body))
    assert.deepEqual(
      [...other.outbox.values()].map(({ recipients }) => recipients[0]?.univid),
      [first, second],
    )
  })

  it('restores the context of each signature of a person with two when an override ends', async () => {
    const role: Destination = {
      type: 'OFFICE_ROLE',
      office: '05-0333',
      role: 'Dean',
      permission: 'SIGNATURE_REQUIRED',
    }
    const dean = scenarios.small().offices.get('05-0333')!.roles['Dean']!
    for (const destinations of [
      [role, may(dean)],
      [may(dean), role],
    ]) {
      const emulator = start([stop('One', destinations)])
      await create(emulator)
      const contexts = async () =>
        new Map((await history(emulator)).slice(1).map((event) => [event.permission, event.context]))
      const own = new Map([
        ['SIGNATURE_REQUIRED', 'Dean of College of Sciences, Dean’s Office'],
        ['SIGNATURE_PERMITTED', null],
      ])
      assert.deepEqual(await contexts(), own)

      const override = { subjectUnivid: dean, replacementUnivid: third, type: 'CHANGE' }
      await json(send(emulator, 'POST', overrides, { ...override, reason: 'CONFLICT_OF_INTEREST' }))
      assert.notDeepEqual(await contexts(), own)
      assert.ok((await send(emulator, 'DELETE', `${overrides}/${dean}`)).ok)
      assert.deepEqual(await contexts(), own)
    }
  })

  it('forgets the state before a void when the package is removed', async () => {
    const emulator = start([])
    assert.equal((await create(emulator)).state, 'COMPLETE')
    const stored = () => emulator.packages.test.get(1000)
    await tool(emulator, '', { id: 1000, state: 'VOID', voidReason: 'INCORRECT_FORM' })
    assert.equal(stored()?.heldState, 'COMPLETE')
    await tool(emulator, '/remove')
    assert.equal(stored()?.heldState, null)
    assert.equal(stored()?.voidReason, null)
  })

  it('mails each approver once, even with two signatures at a stop', async () => {
    const emulator = start([stop('One', [must(first), may(first)])])
    await create(emulator)
    assert.equal((await inboxes(emulator)).length, 2)
    assert.deepEqual(
      [...emulator.outbox.values()].map(({ recipients }) => recipients.map(({ univid }) => univid)),
      [[first]],
    )
  })

  describe('auto-sign', () => {
    it('does not sign at other stops', async () => {
      const emulator = start([stop('One', [must(initiator)])])
      await create(emulator)
      assert.deepEqual(await inboxes(emulator), [initiator])
    })

    it('ignores signatures from before a restart', async () => {
      const emulator = start([
        { ...stop('One', [must(first)]), autoSign: true },
        { ...stop('Two', [must(first), must(second)]), autoSign: true },
        stop('Three', [must(third)]),
      ])
      await create(emulator)
      await sign(emulator, first)
      assert.deepEqual(await inboxes(emulator), [second])
      await tool(emulator, '/restart')
      assert.deepEqual(await inboxes(emulator), [first])
    })

    it('does not complete a package without a required attachment', async () => {
      const emulator = start([{ ...stop('One', [must(initiator)]), autoSign: true }], {
        attachmentTypes: scenarios
          .small()
          .forms.test.get(6025)!
          .attachmentTypes.filter(({ requiredBeforeComplete }) => requiredBeforeComplete),
      })
      assert.equal((await create(emulator)).state, 'ROUTING')
      assert.deepEqual(await inboxes(emulator), [initiator])
      const refused = await control(emulator, 'sign', { univid: initiator })
      assert.equal(refused.status, 409)
      assert.match(await refused.text(), /Receipt/)
    })
  })

  describe('through offices', () => {
    const office = (key: string, destination: string, optOutIfPossible = false): OfficeRoute => ({
      routeId: Number(key.replaceAll('-', '')),
      routeType: 'DEFAULT_OFFICE',
      routeName: key,
      office: key,
      formId: 7000,
      subType: null,
      optOutIfPossible,
      stops: [stop(key, [must(destination)])],
    })

    it('uses the route of the office in the entry, or of the nearest one above it', async () => {
      for (const [department, approver] of [
        ['05-0333', second],
        ['05-0100', first],
        [null, first],
      ] as const) {
        const emulator = start([{ office: { field: 'department' }, mayOptOut: false }], {}, [
          office('05', first),
          office('05-0333', second),
        ])
        await create(emulator, { department })
        assert.deepEqual(await inboxes(emulator), [approver], String(department))
      }
    })

    it('skips an office that opts out, if the form allows it', async () => {
      for (const [mayOptOut, optsOut, isLeftOut] of [
        [true, true, true],
        [true, false, false],
        [false, true, false],
      ] as const) {
        const emulator = start([{ office: '05-0333', mayOptOut }, stop('Last', [must(first)])], {}, [
          office('05-0333', second, optsOut),
        ])
        await create(emulator)
        assert.deepEqual(await inboxes(emulator), [isLeftOut ? first : second])
      }
    })

    it('skips no stop when an edit of the entry removes another', async () => {
      const emulator = start(
        [
          { office: { field: 'department' }, mayOptOut: false },
          stop('Department', [must(first)]),
          stop('Payroll', [must(third)]),
        ],
        {},
        [office('05-0333', second)],
      )
      await create(emulator, { department: '05-0333' })
      await sign(emulator, second)
      assert.deepEqual(await inboxes(emulator), [first])
      // Office 05-0100 has no route, so the route is one stop shorter now.
      await tool(emulator, '/entry', { department: '05-0100' })
      await sign(emulator, first)
      assert.deepEqual(await inboxes(emulator), [third])
    })
  })
})

const must = (univid: string): Destination => ({ type: 'PERSON', univid, permission: 'SIGNATURE_REQUIRED' })
const may = (univid: string): Destination => ({ type: 'PERSON', univid, permission: 'SIGNATURE_PERMITTED' })
const view = (univid: string): Destination => ({ type: 'PERSON', univid, permission: 'VIEW_ONLY' })

function stop(name: string, destinations: readonly Destination[]): Stop {
  return { name, destinations }
}

/** Creates an emulator with a form 7000 that has the given route. */
function start(
  route: Form['route'],
  more: Partial<Form> = {},
  officeRoutes: readonly OfficeRoute[] = [],
): Emulator {
  const seed = scenarios.small()
  seed.forms.test.set(7000, {
    ...seed.forms.test.get(6025)!,
    id: 7000,
    fields: [{ naturalKey: 'department', kind: 'department', required: false }],
    attachmentTypes: [],
    route,
    ...more,
  })
  for (const each of officeRoutes) seed.officeRoutes.set(each.routeId, each)
  return createEmulator({ seed, control: true })
}

const forms = '/wf/workflow/test/api/developer/forms/7000/packages'
const overrides = '/wf/test/api/developer/forms/7000/packages/1000/routing/overrides'

function create(emulator: Emulator, entry: object = { department: null }): Promise<Package> {
  return json<Package>(send(emulator, 'POST', forms, { entry }))
}

function history(emulator: Emulator): Promise<HistoryEvent[]> {
  return json<HistoryEvent[]>(send(emulator, 'GET', `${forms}/1000/history`))
}

/** Returns the university ids of the people who have package 1000 in their inbox. */
async function inboxes(emulator: Emulator): Promise<(string | null | undefined)[]> {
  return (await history(emulator)).filter(({ isInInbox }) => isInInbox).map(({ person }) => person?.univid)
}

async function sign(emulator: Emulator, univid: string): Promise<void> {
  await json(control(emulator, 'sign', { univid }))
}

function control(emulator: Emulator, action: string, body: unknown): Promise<Response> {
  return send(emulator, 'POST', `/_emulator/test/forms/7000/packages/1000/${action}`, body)
}

async function tool(emulator: Emulator, name: string, body?: unknown): Promise<void> {
  await json(send(emulator, 'PUT', `${forms.replace('forms', 'tools/forms')}/1000${name}`, body))
}

function send({ fetch }: Emulator, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`http://emulator.test${path}`, {
    method,
    headers: {
      Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-workflow-request-user': initiator,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function json<T = unknown>(response: Promise<Response>): Promise<T> {
  const settled = await response
  const text = await settled.text()
  assert.equal(settled.status, 200, text)
  return JSON.parse(text) as T
}
