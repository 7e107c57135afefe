import type { EmulatorState } from '../state/state.ts'
import { seedKey } from '../state/seed-content.ts'
import type { StoredEvent } from '../state/stored-packages.ts'
import { people, small } from './small.ts'

/**
 * Creates the scenario `demo`: `small`, but package 42 is in the middle of its life. One of two signers of the first stop
 * has signed and commented, a document is there, another is needed, and one stop is to come.
 */
export function demo(): EmulatorState {
  const state = small()
  const budgetOfficer = state.people.get(people.viewer)
  const found = state.packages.test.get(42)
  if (!budgetOfficer || !found) throw new Error('The scenario small has changed')

  const manager = '10000005'
  state.people.set(manager, {
    ...budgetOfficer,
    id: 505,
    displayName: 'Samuel Adeyemi',
    title: 'Laboratory Manager',
    univid: manager,
    naturalKey: manager,
    email: 'samuel-adeyemi@northfield.example',
    loginid: 'sadeyemi',
  })

  const [initiation, ...received] = found.history
  if (!initiation) throw new Error('Package 42 has no history')
  const signed: StoredEvent = {
    class: 'signature',
    actionDate: '2026-11-16T15:20:05',
    person: manager,
    stop: { name: 'Department', stopNumber: 1 },
    signature: {
      id: 9000,
      permission: 'SIGNATURE_REQUIRED',
      subject: manager,
      context: null,
      isRole: false,
      office: null,
      responsibleOffice: '05-0100',
      routingDate: '2026-11-16T09:42:12',
      state: 'APPROVED',
      autoSigned: false,
      inboxSigned: true,
    },
  }
  state.packages.test.set(42, {
    ...found,
    actionDate: signed.actionDate,
    history: [initiation, signed, ...received],
    comments: [
      {
        id: 8001,
        comment: 'The boat is booked for 15 May, so please keep these dates.',
        approversOnly: false,
        createdAt: '2026-11-16T15:19:40',
        person: manager,
        state: 'ACTIVE',
      },
    ],
    attachments: [
      {
        id: 8002,
        type: 1,
        fileName: 'Itinerary Portland.pdf',
        description: 'Flights and four nights in Portland',
        contentType: 'application/pdf',
        person: people.initiator,
        fileSize: 48_213,
        uploadTimestamp: '2026-11-16T09:41:55',
        object: seedKey(8002),
      },
    ],
  })
  return state
}
