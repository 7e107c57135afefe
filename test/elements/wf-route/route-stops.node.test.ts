import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RouteSummary } from '../../../src/contract/schemas/offices.ts'
import { compileMessages, numberRules } from '../../../src/elements/text/compile-messages.ts'
import {
  isSigner,
  present,
  type ShownRoute,
  routeOfSummary,
  type RoutePerson,
  warningsOf,
} from '../../../src/elements/wf-route/route-stops.ts'
import { route } from '../../../src/locales/en-route.ts'

const messages = compileMessages(route, route, numberRules('en'))

const destination = {
  type: 'PERSON',
  subject: '10000002',
  approverName: 'Daniel Reyes',
  permission: 'SIGNATURE_REQUIRED',
  approver: 7,
  isSelf: false,
}
const summary = (...stops: unknown[]) => ({ stops }) as unknown as RouteSummary

describe('routeOfSummary()', () => {
  it('names people, and roles by who has them at present', () => {
    const found = routeOfSummary(
      [
        summary({
          name: 'Department',
          destinations: [
            destination,
            { ...destination, approverName: null },
            { ...destination, type: 'OFFICE_ROLE', subject: 'Chair' },
            { ...destination, type: 'OFFICE_ROLE', subject: 'Chair', approverName: null, approver: null },
            { ...destination, type: 'COMMITTEE', subject: '' },
          ],
        }),
      ],
      messages,
    )
    const person = {
      ...{ name: 'Daniel Reyes', details: [], isRole: false, permission: 'SIGNATURE_REQUIRED' },
      ...{ id: 7, hasSigned: false },
    }
    assert.deepEqual(found.stops, [
      {
        name: 'Department',
        people: [
          person,
          { ...person, name: '10000002' },
          { ...person, isRole: true, details: ['Chair'] },
          { ...person, isRole: true, details: ['Chair'], name: null, id: null },
          { ...person, isRole: true, details: ['COMMITTEE'] },
        ],
      },
    ])
  })

  it('numbers stops without a name over all summaries, and counts rows that could not be read', () => {
    const found = routeOfSummary(
      [
        summary({ name: 'Department', destinations: null }, null),
        null,
        summary({ name: null, destinations: [null, destination] }, { name: 'Dean', destinations: [] }),
      ],
      messages,
    )
    assert.deepEqual(
      found.stops.map(({ name, people }) => [name, people.length]),
      [
        ['Department', 0],
        ['Stop 2', 1],
        ['Dean', 0],
      ],
    )
    assert.equal(found.leftOut, 3)
  })

  it('finds the requester among the approvers', () => {
    const one = summary({
      name: 'A',
      destinations: [destination, { ...destination, approver: 9, isSelf: true }],
    })
    assert.deepEqual(routeOfSummary([one], messages).requester, { id: 9, isSelf: true, name: '' })
    const other = summary({ name: 'A', destinations: [destination] })
    assert.equal(routeOfSummary([other], messages).requester.id, null)
  })
})

describe('warningsOf()', () => {
  const person = (fields: Partial<RoutePerson> = {}): RoutePerson => ({
    ...{
      name: 'Daniel',
      details: [],
      isRole: false,
      permission: 'SIGNATURE_REQUIRED',
      id: 1,
      hasSigned: false,
    },
    ...fields,
  })
  const routeWith = (stops: Record<string, RoutePerson[]>, fields: Partial<ShownRoute> = {}): ShownRoute => ({
    stops: Object.entries(stops).map(([name, people]) => ({ name, people })),
    leftOut: 0,
    requester: { id: 9, isSelf: true, name: 'Amara' },
    ...fields,
  })
  const warnings = (one: ShownRoute) => warningsOf(one, messages, 'en')

  it('has nothing to say about an ordinary route, and repeats its notes', () => {
    const stops = { A: [person()], B: [person({ id: 2 })] }
    assert.deepEqual(warnings(routeWith(stops)), [])
    assert.deepEqual(warnings(routeWith(stops, { notes: ['One.', 'Two.'] })), ['One.', 'Two.'])
  })

  it('names each stop at which people approve their own request', () => {
    const stops = { A: [person({ id: 9, permission: 'SIGNATURE_PERMITTED' })], B: [person()] }
    assert.deepEqual(warnings(routeWith(stops)), ['You approve your own request at “A”.'])
    const requester = { id: 9, isSelf: false, name: 'Amara' }
    assert.deepEqual(warnings(routeWith(stops, { requester })), [
      'Amara made this request and approves it at “A”.',
    ])
    const viewing = { A: [person({ id: 9, permission: 'VIEW_ONLY' })] }
    assert.deepEqual(warnings(routeWith(viewing)), [])
    const nobody = { A: [person({ id: null })] }
    assert.deepEqual(warnings(routeWith(nobody, { requester: { ...requester, id: null } })), [])
  })

  it('names people who have to approve more than once', () => {
    const stops = { A: [person()], B: [person({ id: 2 })], C: [person()], D: [person()] }
    assert.deepEqual(warnings(routeWith(stops)), ['Daniel has to approve more than once: A, C, and D.'])
    const { A, C } = stops
    assert.deepEqual(warnings(routeWith({ A, C })), ['Daniel has to approve more than once: A and C.'])
    const viewing = { A: [person()], C: [person({ permission: 'VIEW_AND_EDIT' })] }
    assert.deepEqual(warnings(routeWith(viewing)), [])
    const unknown = { A: [person({ id: null })], C: [person({ id: null })] }
    assert.deepEqual(warnings(routeWith(unknown)), [])
  })

  it('names stops at which nobody is named', () => {
    const vacant = person({ name: null, id: null, isRole: true })
    const text = (stop: string) =>
      `Nobody is named at “${stop}”. Ask the office before you submit the request.`
    assert.deepEqual(warnings(routeWith({ A: [vacant], B: [vacant, person()], C: [] })), [
      text('A'),
      text('C'),
    ])
  })
})

describe('isSigner() and present()', () => {
  it('know both permissions to sign, and leave out what is empty', () => {
    const permissions = ['SIGNATURE_REQUIRED', 'SIGNATURE_PERMITTED', 'VIEW_ONLY', 'VIEW_AND_EDIT', null]
    const signers = permissions.map((permission) => isSigner({ permission } as RoutePerson))
    assert.deepEqual(signers, [true, true, false, false, false])
    assert.deepEqual(present([0, null, '', undefined, 'a', false]), [0, 'a', false])
  })
})
