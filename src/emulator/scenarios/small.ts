import type { Person } from '../../contract/schemas/person.ts'
import { emptyState, type EmulatorState } from '../state/state.ts'
import type {
  Field,
  Form,
  OfficeRoute,
  Stop,
  StoredAttachmentType,
  StoredOffice,
} from '../state/stored-forms.ts'
import type { StoredPackage } from '../state/stored-packages.ts'

/** Creates the scenario `small`: three forms, one package in routing, and its people. */
export function small(): EmulatorState {
  // A copy, so that tests may change people and offices.
  return structuredClone({
    ...emptyState(),
    clients: new Map(clients.map((client) => [client.id, client])),
    people: new Map(smallPeople.map((each) => [each.univid ?? '', each])),
    positions: new Map([
      ['00012345', 'Associate Professor'],
      ['00023456', 'Associate Dean'],
    ]),
    offices: new Map(smallOffices.map((office) => [office.naturalKey, office])),
    officeRoutes: new Map(smallOfficeRoutes.map((route) => [route.routeId, route])),
    forms: { test: createForms(), prod: createForms() },
    packages: { test: new Map([[42, createPackage42()]]), prod: new Map() },
  })
}

/** Clients of all scenarios: two applications and an administrator. */
const clients = [
  { id: 'demo-app', secret: 'demo-secret', isAdministrator: false },
  { id: 'partner-app', secret: 'partner-secret', isAdministrator: false },
  { id: 'storage-admin', secret: 'admin-secret', isAdministrator: true },
]

/** University ids by role in package 42 of form 6025. */
export const people = {
  initiator: '10000001',
  firstApprover: '10000002',
  secondApprover: '10000003',
  viewer: '10000004',
  outsider: '10000008',
  administrator: '10000009',
} as const

const smallPeople: readonly Person[] = [
  createPerson(1, 'Amara Okafor', 'Associate Professor', 'Biology'),
  createPerson(2, 'Daniel Reyes', 'Department Administrator', 'Biology'),
  createPerson(3, 'Mei-Ling Zhou', 'Associate Dean', 'Dean’s Office'),
  createPerson(4, 'Ruth Lindqvist', 'Budget Officer', 'Biology'),
  createPerson(8, 'Theo Marchetti', 'Lecturer', 'History'),
  createPerson(9, 'Priya Raman', 'Systems Administrator', 'Information Technology'),
]

const smallOffices: readonly StoredOffice[] = [
  createOffice(300, '05', 'College of Sciences', 'org', {}),
  createOffice(301, '05-0100', 'Travel Office', 'department', { Manager: '10000004' }),
  createOffice(302, '05-0333', 'College of Sciences, Dean’s Office', 'department', {
    Dean: '10000003',
    Manager: '10000003',
  }),
  createOffice(303, '05-0333-0001', 'Dean’s Office, Purchasing', 'sub_department', {}),
  createOffice(310, '11', 'School of Life Sciences', 'org', {}),
  createOffice(311, '11-0420', 'Biology', 'department', {
    Administrator: '10000002',
    'Budget officer': '10000004',
  }),
  createOffice(312, '11-0420-0010', 'Freshwater Laboratory', 'sub_department', { Head: '10000001' }),
  createOffice(313, '11-0420-0020', 'Herbarium', 'sub_department', {}),
  createOffice(314, '11-0430', 'Chemistry', 'department', {}),
  createOffice(315, '11-0430-0001', 'Chemistry Stores', 'sub_department', {}),
]

const collegeStop: Stop = {
  name: 'College',
  destinations: [{ type: 'OFFICE_ROLE', office: '05-0333', role: 'Dean', permission: 'SIGNATURE_REQUIRED' }],
}

const biologyStop: Stop = {
  name: 'Department',
  destinations: [
    { type: 'OFFICE_ROLE', office: '11-0420', role: 'Administrator', permission: 'SIGNATURE_REQUIRED' },
    { type: 'OFFICE_ROLE', office: '11-0420', role: 'Budget officer', permission: 'VIEW_ONLY' },
  ],
}

/** The stop of a laboratory whose head, the initiator of package 42, would approve their own requests. */
const laboratoryStop: Stop = {
  name: 'Laboratory',
  destinations: [
    { type: 'OFFICE_ROLE', office: '11-0420-0010', role: 'Head', permission: 'SIGNATURE_REQUIRED' },
  ],
}

/** A stop with a role that nobody holds. */
const chemistryStop: Stop = {
  name: 'Department',
  destinations: [{ type: 'OFFICE_ROLE', office: '11-0430', role: 'Chair', permission: 'SIGNATURE_REQUIRED' }],
}

/** The routes of the Dean's Office, of Biology and its laboratory, and of Chemistry. */
const smallOfficeRoutes: readonly OfficeRoute[] = (
  [
    [701, '05-0333', 6025, null, [collegeStop]],
    [702, '05-0333', 6026, 'DOMESTIC', [collegeStop]],
    [703, '05-0333', 6026, 'FOREIGN', [collegeStop]],
    [711, '11-0420', 6025, null, [biologyStop, collegeStop]],
    [712, '11-0420-0010', 6025, null, [laboratoryStop, biologyStop, collegeStop]],
    [713, '11-0430', 6025, null, [chemistryStop, collegeStop]],
    [714, '11-0420', 6026, 'DOMESTIC', [biologyStop]],
    [715, '11-0420', 6026, 'FOREIGN', [biologyStop, collegeStop]],
  ] as const
).map(([routeId, office, formId, subType, stops]) => ({
  routeId,
  routeType: 'DEFAULT_OFFICE',
  routeName: `${smallOffices.find(({ naturalKey }) => naturalKey === office)?.name.replace(/^.*, (?=Dean)/, '')}, default route`,
  office,
  formId,
  subType,
  optOutIfPossible: false,
  stops,
}))

const departmentStop = {
  name: 'Department',
  destinations: [
    { type: 'PERSON', univid: '10000002', permission: 'SIGNATURE_REQUIRED' },
    { type: 'PERSON', univid: '10000004', permission: 'VIEW_ONLY' },
  ],
} as const

function createForms(): Map<number, Form> {
  const common = {
    kind: 'developer',
    office: '05-0100',
    administrators: ['10000009'],
    owners: ['10000009'],
    callbackUrl: null,
    stopCallbacks: {},
  } as const
  const travelRequest: Form = {
    ...common,
    id: 6025,
    name: 'Travel request',
    subTypes: [],
    fields: travelFields,
    attachmentTypes: [
      createAttachmentType(1, 'itinerary', 'Itinerary', { visiblePreRouting: true, pdf: true }),
      createAttachmentType(2, 'receipt', 'Receipt', {
        visiblePreRouting: true,
        requiredBeforeComplete: true,
      }),
      createAttachmentType(3, 'other', 'Other', { visiblePreRouting: true }),
    ],
    route: [departmentStop, { office: '05-0333', mayOptOut: false }],
  }
  const purchase: Form = {
    ...common,
    id: 6026,
    name: 'Purchase',
    subTypes: ['DOMESTIC', 'FOREIGN'],
    fields: [
      { naturalKey: 'item', kind: 'text', required: true },
      { naturalKey: 'price', kind: 'currency', required: true },
      { naturalKey: 'needed_by', kind: 'date', required: false },
    ],
    attachmentTypes: [
      createAttachmentType(11, 'quotation', 'Quotation', {
        visiblePreRouting: true,
        requiredPreRouting: true,
      }),
      createAttachmentType(12, 'invoice', 'Invoice', { pdf: true }),
    ],
    route: [
      departmentStop,
      {
        name: 'Export control',
        subTypes: ['FOREIGN'],
        destinations: [{ type: 'PERSON', univid: '10000009', permission: 'SIGNATURE_REQUIRED' }],
      },
      { office: '05-0333', mayOptOut: false },
    ],
  }
  // The route depends on the entry. It has an auto-sign stop and all permissions except VIEW_ONLY.
  const loan: Form = {
    ...common,
    id: 6030,
    name: 'Equipment loan',
    subTypes: [],
    fields: [
      { naturalKey: 'item', kind: 'text', required: true },
      { naturalKey: 'department', kind: 'department', required: false },
    ],
    attachmentTypes: [],
    route: [
      {
        name: 'Unit',
        destinations: [
          {
            type: 'OFFICE_ROLE',
            office: { field: 'department' },
            role: 'Manager',
            permission: 'SIGNATURE_REQUIRED',
          },
          { type: 'PERSON', univid: '10000002', permission: 'VIEW_AND_EDIT' },
          { type: 'PERSON', univid: '10000009', permission: 'SIGNATURE_PERMITTED' },
        ],
      },
      {
        name: 'Handover',
        autoSign: true,
        destinations: [{ type: 'PERSON', univid: '10000001', permission: 'SIGNATURE_REQUIRED' }],
      },
    ],
  }
  return new Map([travelRequest, purchase, loan].map((form) => [form.id, form]))
}

/** One field of each kind. */
const travelFields: readonly Field[] = [
  { naturalKey: 'purpose', kind: 'text', required: true },
  { naturalKey: 'departure', kind: 'date', required: true },
  { naturalKey: 'website', kind: 'url', required: false },
  { naturalKey: 'contact', kind: 'email', required: false },
  { naturalKey: 'nights', kind: 'number', required: false },
  { naturalKey: 'cost', kind: 'currency', required: true },
  { naturalKey: 'notice', kind: 'no_answer', required: false },
  { naturalKey: 'traveler', kind: 'university_id', required: false },
  { naturalKey: 'org', kind: 'org', required: false },
  { naturalKey: 'department', kind: 'department', required: false },
  { naturalKey: 'sub_department', kind: 'sub_department', required: false },
  { naturalKey: 'position', kind: 'position', required: false },
]

function createPackage42(): StoredPackage {
  const received = '2026-11-16T09:42:12'
  return {
    id: 42,
    formId: 6025,
    subType: null,
    packageDetails: null,
    initiator: '10000001',
    routingDate: '2026-11-16T09:42:10',
    actionDate: received,
    state: 'ROUTING',
    heldState: null,
    isRemoved: false,
    voidReason: null,
    entry: {
      purpose: 'Annual meeting of the Society for Freshwater Science',
      departure: '2027-05-14',
      website: 'https://rivers.example/2026',
      contact: 'amara-okafor@northfield.example',
      nights: 4,
      cost: 1250.5,
      notice: null,
      traveler: '10000001',
      org: '05',
      department: '05-0333',
      sub_department: '05-0333-0001',
      position: '00012345',
    },
    stopNumber: 1,
    position: [0, 0],
    roundStart: 0,
    inbox: [9001, 9002],
    lock: null,
    history: [
      {
        class: 'initiation',
        actionDate: '2026-11-16T09:42:10',
        person: '10000001',
        stop: { name: null, stopNumber: 0 },
        signature: null,
      },
      ...departmentStop.destinations.map(({ univid, permission }, index) => ({
        class: 'signature' as const,
        actionDate: received,
        person: univid,
        stop: { name: 'Department', stopNumber: 1 },
        signature: {
          id: 9001 + index,
          permission,
          subject: univid,
          context: null,
          isRole: false,
          office: null,
          responsibleOffice: '05-0100',
          routingDate: received,
          state: 'RECEIVED' as const,
          autoSigned: null,
          inboxSigned: null,
        },
      })),
    ],
    comments: [],
    attachments: [],
    overrides: [],
  }
}

function createPerson(number: number, displayName: string, title: string, hrdeptdesc: string): Person {
  const [first = '', last = ''] = displayName
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .split(' ')
  const univid = String(10000000 + number)
  return {
    id: 500 + number,
    displayName,
    hrdeptdesc,
    collegeName: hrdeptdesc === 'History' ? 'College of Humanities' : 'College of Sciences',
    personType: 'EMPLOYEE',
    title,
    univid,
    email: `${first}-${last}@northfield.example`,
    campusPostalAddress: null,
    officePhone: null,
    naturalKey: univid,
    type: 'person',
    loginid: `${first.slice(0, 1)}${last}`,
    jobCode: null,
    directoryRestricted: false,
    activeUser: true,
  }
}

/** Creates an office that was imported from the directory. */
export function createOffice(
  id: number,
  naturalKey: string,
  name: string,
  scopeNaturalKey: string,
  roles: StoredOffice['roles'],
): StoredOffice {
  return {
    id,
    name,
    naturalKey,
    scopeNaturalKey,
    lastSynced: '2026-11-15T02:00:00',
    state: 'IMPORTED',
    roles,
  }
}

/** Creates an attachment type. All rules default to false. */
export function createAttachmentType(
  id: number,
  naturalKey: string,
  title: string,
  {
    visiblePreRouting = false,
    requiredPreRouting = false,
    requiredBeforeComplete = false,
    pdf = false,
  }: Partial<
    Pick<StoredAttachmentType, 'visiblePreRouting' | 'requiredPreRouting' | 'requiredBeforeComplete'>
  > & {
    readonly pdf?: boolean
  },
): StoredAttachmentType {
  return {
    id,
    naturalKey,
    title,
    visiblePreRouting,
    requiredPreRouting,
    requiredBeforeComplete,
    mimeTypeRestrictions: { pdf },
  }
}
