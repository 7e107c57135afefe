import type { Person } from '../contract/workflow.ts'
import type { EmulatorState, Form, StoredPackage } from './state.ts'

/** The scenario `small`: one form, one package on its way, and everyone who has to do with it. */
export function small(): EmulatorState {
  return {
    clients: new Map([['demo-app', { id: 'demo-app', secret: 'demo-secret' }]]),
    people: new Map(people.map((person) => [person.univid ?? '', person])),
    offices: new Map(
      [
        { id: 301, name: 'Travel Office', naturalKey: '05-0100' },
        { id: 302, name: 'College of Sciences, Dean’s Office', naturalKey: '05-0333' },
      ].map((office) => [office.naturalKey, office]),
    ),
    forms: new Map([[travelRequest.id, travelRequest]]),
    packages: { test: new Map([[42, package42()]]), prod: new Map() },
    files: { test: new Map(), prod: new Map() },
    links: new Map(),
  }
}

const people: readonly Person[] = [
  person(1, 'Amara Okafor', 'Associate Professor', 'Biology'),
  person(2, 'Daniel Reyes', 'Department Administrator', 'Biology'),
  person(3, 'Mei-Ling Zhou', 'Associate Dean', 'Dean’s Office'),
  person(4, 'Ruth Lindqvist', 'Budget Officer', 'Biology'),
  person(8, 'Theo Marchetti', 'Lecturer', 'History'),
  person(9, 'Priya Raman', 'Systems Administrator', 'Information Technology'),
]

const travelRequest: Form = {
  id: 6025,
  name: 'Travel request',
  office: '05-0100',
  administrators: ['10000009'],
  stops: [
    {
      name: 'Department',
      destinations: [
        { type: 'PERSON', univid: '10000002', permission: 'SIGNATURE_REQUIRED' },
        { type: 'PERSON', univid: '10000004', permission: 'VIEW_ONLY' },
      ],
    },
    {
      name: 'College',
      destinations: [
        { type: 'OFFICE_ROLE', office: '05-0333', univid: '10000003', permission: 'SIGNATURE_REQUIRED' },
      ],
    },
  ],
}

function package42(): StoredPackage {
  return {
    id: 42,
    formId: travelRequest.id,
    subType: null,
    packageDetails: null,
    initiator: '10000001',
    routingDate: '2026-11-16T09:42:10',
    actionDate: '2026-11-16T09:42:12',
    state: 'ROUTING',
    voidReason: null,
    inbox: (travelRequest.stops[0]?.destinations ?? []).map((destination, index) => ({
      signatureId: 9001 + index,
      destination,
    })),
  }
}

function person(number: number, displayName: string, title: string, hrdeptdesc: string): Person {
  const [first = '', last = ''] = displayName
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .split(' ')
  return {
    id: 500 + number,
    displayName,
    hrdeptdesc,
    collegeName: hrdeptdesc === 'History' ? 'College of Humanities' : 'College of Sciences',
    personType: 'EMPLOYEE',
    title,
    univid: String(10000000 + number),
    email: `${first}-${last}@northfield.example`,
    campusPostalAddress: null,
    officePhone: null,
  }
}
