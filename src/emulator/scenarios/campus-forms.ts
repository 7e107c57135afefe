import { fieldKinds, type Permission } from '../../contract/values/values.ts'
import type { Destination, Field, Form, OfficeRoute, Stop, StoredOffice } from '../state/stored-forms.ts'
import { campusUnivid } from './campus-people.ts'
import { createAttachmentType, createOffice } from './small.ts'

/** Offices that the scenario `campus` adds to `small`. Languages, Civil Engineering and Neurology have routes. */
export const campusOffices: readonly StoredOffice[] = [
  createOffice(400, '12', 'Faculty of Humanities', 'org', {}),
  createOffice(401, '12-0100', 'Department of Languages', 'department', {
    Head: campusUnivid(8),
    Budget: campusUnivid(9),
  }),
  createOffice(402, '12-0100-0001', 'Languages, Phonetics Laboratory', 'sub_department', {}),
  createOffice(403, '12-0100-0002', 'Languages, Translation', 'sub_department', {}),
  createOffice(410, '20', 'School of Engineering', 'org', {}),
  createOffice(411, '20-0200', 'Civil Engineering', 'department', {
    Chair: campusUnivid(14),
    Dean: campusUnivid(16),
  }),
  createOffice(412, '20-0200-0001', 'Civil Engineering, Hydraulics', 'sub_department', {
    Chair: campusUnivid(27),
  }),
  createOffice(420, '30', 'School of Medicine', 'org', {}),
  createOffice(421, '30-0300', 'Neurology', 'department', { Chair: campusUnivid(12) }),
  createOffice(422, '30-0300-0001', 'Neurology, Sleep Research', 'sub_department', {}),
  createOffice(430, '40', 'Central Administration', 'org', {}),
  // Created by hand in the service, and never synced with the directory.
  {
    ...createOffice(431, '40-0400', 'Institute in Foundation', 'department', {}),
    lastSynced: null,
    state: 'CREATED',
  },
]

/** Titles of the positions that the scenario `campus` adds to `small`. */
export const campusPositions: readonly (readonly [string, string])[] = [
  ['00034567', 'Lecturer'],
  ['00045678', 'Laboratory Technician'],
  ['00056789', 'Coordinator of International Programmes'],
]

const languagesStops: readonly Stop[] = [
  {
    name: 'Head of department',
    destinations: [roleDestination('12-0100', 'Head'), roleDestination('12-0100', 'Budget', 'VIEW_AND_EDIT')],
  },
]

const engineeringStops: readonly Stop[] = [
  { name: 'Chair', destinations: [roleDestination('20-0200', 'Chair')] },
  {
    name: 'Dean',
    destinations: [roleDestination('20-0200', 'Dean'), roleDestination('20-0200', 'Chair', 'VIEW_ONLY')],
  },
]

const neurologyStops: readonly Stop[] = [
  { name: 'Chair', destinations: [roleDestination('30-0300', 'Chair')] },
]

/** Routes of the offices. Neurology opts out if a form allows it. */
export const campusOfficeRoutes: readonly OfficeRoute[] = (
  [
    [801, '12-0100', 6101, null, false, languagesStops],
    [802, '12-0100', 6103, null, false, languagesStops],
    [811, '20-0200', 6101, 'FACULTY', false, engineeringStops],
    [812, '20-0200', 6101, 'STAFF', false, engineeringStops.slice(0, 1)],
    [813, '20-0200', 6103, null, false, engineeringStops.slice(0, 1)],
    [814, '20-0200', 6104, null, false, engineeringStops],
    [821, '30-0300', 6101, null, true, neurologyStops],
    [822, '30-0300', 6103, null, true, neurologyStops],
    [823, '30-0300', 6104, null, true, neurologyStops],
  ] as const
).map(([routeId, key, formId, subType, optOutIfPossible, stops]) => ({
  routeId,
  routeType: 'DEFAULT_OFFICE',
  routeName: `${campusOffices.find(({ naturalKey }) => naturalKey === key)?.name}, default route`,
  office: key,
  formId,
  subType,
  optOutIfPossible,
  stops,
}))

/** Creates the forms that the scenario `campus` adds to `small`. Forms are mutable, so each call creates new ones. */
export function campusForms(): Form[] {
  const common = {
    kind: 'developer',
    office: '40-0400',
    administrators: [campusUnivid(40), '10000009'],
    owners: [campusUnivid(40)],
    subTypes: [],
    callbackUrl: null,
    stopCallbacks: {},
  } as const

  return [
    // All kinds of fields, a step by department that an office may opt out of, and all permissions at the last stop.
    {
      ...common,
      id: 6101,
      name: 'Hiring proposal',
      office: '12-0100',
      subTypes: ['FACULTY', 'STAFF'],
      fields: [
        requiredField('candidate', 'text'),
        requiredField('start_date', 'date'),
        optionalField('posting', 'url'),
        optionalField('contact', 'email'),
        optionalField('weekly_hours', 'number'),
        requiredField('salary', 'currency'),
        optionalField('instructions', 'no_answer'),
        optionalField('supervisor', 'university_id'),
        optionalField('org', 'org'),
        requiredField('department', 'department'),
        optionalField('sub_department', 'sub_department'),
        optionalField('position', 'position'),
      ],
      attachmentTypes: [
        createAttachmentType(21, 'cv', 'Curriculum vitae', {
          visiblePreRouting: true,
          requiredPreRouting: true,
          pdf: true,
        }),
        createAttachmentType(22, 'reference', 'Letter of reference', { visiblePreRouting: true }),
      ],
      route: [
        {
          name: 'Administration',
          destinations: [personDestination(2), personDestination(13, 'VIEW_AND_EDIT')],
        },
        { office: { field: 'department' }, mayOptOut: true },
        { name: 'Dean of Faculty', subTypes: ['FACULTY'], destinations: [personDestination(10)] },
        {
          name: 'Human resources',
          destinations: [
            personDestination(7),
            personDestination(15, 'SIGNATURE_PERMITTED'),
            personDestination(17, 'VIEW_AND_EDIT'),
            personDestination(18, 'VIEW_ONLY'),
          ],
        },
      ],
    },
    // A form-builder form without attachments. People who have signed are signed automatically at the second stop.
    {
      ...common,
      id: 6102,
      name: 'Room booking',
      kind: 'form_builder',
      fields: [
        requiredField('event', 'text'),
        requiredField('day', 'date'),
        optionalField('seats', 'number'),
        optionalField('fee', 'currency'),
        optionalField('house_rules', 'no_answer'),
        optionalField('host', 'university_id'),
      ],
      attachmentTypes: [],
      route: [
        {
          name: 'Rooms',
          destinations: [personDestination(23), personDestination(24, 'SIGNATURE_PERMITTED')],
        },
        { name: 'Safety', autoSign: true, destinations: [personDestination(23), personDestination(25)] },
      ],
    },
    // Three stops, the second by department. Completion requires the return form.
    {
      ...common,
      id: 6103,
      name: 'Leave of absence',
      fields: [
        requiredField('reason', 'text'),
        requiredField('first_day', 'date'),
        requiredField('last_day', 'date'),
        requiredField('department', 'department'),
        optionalField('substitute', 'university_id'),
      ],
      attachmentTypes: [
        createAttachmentType(31, 'certificate', 'Certificate', { visiblePreRouting: true, pdf: true }),
        createAttachmentType(32, 'return_form', 'Return form', { requiredBeforeComplete: true }),
      ],
      route: [
        { name: 'Group leader', destinations: [personDestination(28), personDestination(39, 'VIEW_ONLY')] },
        { office: { field: 'department' }, mayOptOut: false },
        {
          name: 'Payroll',
          destinations: [personDestination(21), personDestination(22, 'SIGNATURE_PERMITTED')],
        },
      ],
    },
    // Freezes at the second stop. One office opts out. Has an attachment type for each rule.
    {
      ...common,
      id: 6104,
      name: 'Grant agreement',
      office: '20-0200',
      stopCallbacks: { 2: { url: 'http://127.0.0.1:9/callbacks', freeze: true } },
      fields: [
        requiredField('sponsor', 'text'),
        requiredField('amount', 'currency'),
        optionalField('until', 'date'),
        optionalField('call', 'url'),
      ],
      attachmentTypes: [
        createAttachmentType(41, 'budget', 'Budget', { visiblePreRouting: true }),
        createAttachmentType(42, 'agreement', 'Agreement', {
          visiblePreRouting: true,
          requiredPreRouting: true,
          pdf: true,
        }),
        createAttachmentType(43, 'countersigned', 'Countersigned agreement', {
          requiredBeforeComplete: true,
          pdf: true,
        }),
        createAttachmentType(44, 'letters', 'Correspondence', {}),
      ],
      route: [
        {
          name: 'Research office',
          destinations: [personDestination(26), personDestination(37, 'VIEW_AND_EDIT')],
        },
        { name: 'Sponsor’s portal', autoSign: true, destinations: [personDestination(26)] },
        { office: '30-0300', mayOptOut: true },
        { office: '20-0200', mayOptOut: true },
        { name: 'Provost', destinations: [personDestination(29), personDestination(5, 'VIEW_ONLY')] },
      ],
    },
    // A short loan requires no signature, only the handover record.
    {
      ...common,
      id: 6105,
      name: 'Equipment loan',
      subTypes: ['SHORT', 'LONG'],
      fields: [
        requiredField('item', 'text'),
        requiredField('until', 'date'),
        optionalField('value', 'currency'),
      ],
      attachmentTypes: [
        createAttachmentType(51, 'handover', 'Handover record', { requiredBeforeComplete: true }),
        createAttachmentType(52, 'photo', 'Photo', { visiblePreRouting: true }),
      ],
      route: [
        { name: 'Keeper', subTypes: ['SHORT'], destinations: [personDestination(31, 'VIEW_ONLY')] },
        { name: 'Keeper', subTypes: ['LONG'], destinations: [personDestination(31)] },
        { name: 'Insurance', subTypes: ['LONG'], destinations: [personDestination(30)] },
      ],
    },
    // Required fields of all kinds, for forms that must be corrected until each field is valid.
    {
      ...common,
      id: 6106,
      name: 'Visiting appointment',
      subTypes: ['PAID', 'UNPAID'],
      fields: fieldKinds.map((kind) => requiredField(kind, kind)),
      attachmentTypes: [
        createAttachmentType(61, 'invitation', 'Letter of invitation', {
          visiblePreRouting: true,
          requiredPreRouting: true,
          pdf: true,
        }),
      ],
      route: [
        { office: { field: 'department' }, mayOptOut: true },
        { name: 'Payroll', subTypes: ['PAID'], destinations: [personDestination(21)] },
      ],
    },
  ]
}

function personDestination(number: number, permission: Permission = 'SIGNATURE_REQUIRED'): Destination {
  return { type: 'PERSON', univid: campusUnivid(number), permission }
}

function roleDestination(
  key: string,
  name: string,
  permission: Permission = 'SIGNATURE_REQUIRED',
): Destination {
  return { type: 'OFFICE_ROLE', office: key, role: name, permission }
}

function requiredField(naturalKey: string, kind: Field['kind']): Field {
  return { naturalKey, kind, required: true }
}

function optionalField(naturalKey: string, kind: Field['kind']): Field {
  return { naturalKey, kind, required: false }
}
