import type { Permission } from '../../contract/values.ts'
import type { Destination, Field, Form, OfficeRoute, Stop, StoredOffice } from '../state.ts'
import { campusUnivid } from './campus-people.ts'
import { attachmentType, office } from './small.ts'

/** Offices of the scenario `campus`, besides those of `small`. The departments of languages, engineering and neurology route. */
export const campusOffices: readonly StoredOffice[] = [
  office(400, '12', 'Faculty of Humanities', 'org', {}),
  office(401, '12-0100', 'Department of Languages', 'department', {
    Head: campusUnivid(8),
    Budget: campusUnivid(9),
  }),
  office(402, '12-0100-0001', 'Languages, Phonetics Laboratory', 'sub_department', {}),
  office(403, '12-0100-0002', 'Languages, Translation', 'sub_department', {}),
  office(410, '20', 'School of Engineering', 'org', {}),
  office(411, '20-0200', 'Civil Engineering', 'department', {
    Chair: campusUnivid(14),
    Dean: campusUnivid(16),
  }),
  office(412, '20-0200-0001', 'Civil Engineering, Hydraulics', 'sub_department', { Chair: campusUnivid(27) }),
  office(420, '30', 'School of Medicine', 'org', {}),
  office(421, '30-0300', 'Neurology', 'department', { Chair: campusUnivid(12) }),
  office(422, '30-0300-0001', 'Neurology, Sleep Research', 'sub_department', {}),
  office(430, '40', 'Central Administration', 'org', {}),
  // Made by hand in the service, so no directory has ever been asked about it.
  {
    ...office(431, '40-0400', 'Institute in Foundation', 'department', {}),
    lastSynced: null,
    state: 'CREATED',
  },
]

/** Titles of the positions of the scenario `campus`, besides those of `small`. */
export const campusPositions: readonly (readonly [string, string])[] = [
  ['00034567', 'Lecturer'],
  ['00045678', 'Laboratory Technician'],
  ['00056789', 'Coordinator of International Programmes'],
]

const languages: readonly Stop[] = [
  {
    name: 'Head of department',
    destinations: [role('12-0100', 'Head'), role('12-0100', 'Budget', 'VIEW_AND_EDIT')],
  },
]

const engineering: readonly Stop[] = [
  { name: 'Chair', destinations: [role('20-0200', 'Chair')] },
  { name: 'Dean', destinations: [role('20-0200', 'Dean'), role('20-0200', 'Chair', 'VIEW_ONLY')] },
]

const neurology: readonly Stop[] = [{ name: 'Chair', destinations: [role('30-0300', 'Chair')] }]

/** Routes of the offices of the scenario `campus`. Neurology opts out wherever a form lets it. */
export const campusOfficeRoutes: readonly OfficeRoute[] = (
  [
    [801, '12-0100', 6101, null, false, languages],
    [802, '12-0100', 6103, null, false, languages],
    [811, '20-0200', 6101, 'FACULTY', false, engineering],
    [812, '20-0200', 6101, 'STAFF', false, engineering.slice(0, 1)],
    [813, '20-0200', 6103, null, false, engineering.slice(0, 1)],
    [814, '20-0200', 6104, null, false, engineering],
    [821, '30-0300', 6101, null, true, neurology],
    [822, '30-0300', 6103, null, true, neurology],
    [823, '30-0300', 6104, null, true, neurology],
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

/** Forms of the scenario `campus`, besides those of `small`. New ones at every call, because forms can be changed. */
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
    // Every kind of field; a route by department, from which an office may opt out; every permission at its last stop.
    {
      ...common,
      id: 6101,
      name: 'Hiring proposal',
      office: '12-0100',
      subTypes: ['FACULTY', 'STAFF'],
      fields: [
        required('candidate', 'text'),
        required('start_date', 'date'),
        optional('posting', 'url'),
        optional('contact', 'email'),
        optional('weekly_hours', 'number'),
        required('salary', 'currency'),
        optional('instructions', 'no_answer'),
        optional('supervisor', 'university_id'),
        optional('org', 'org'),
        required('department', 'department'),
        optional('sub_department', 'sub_department'),
        optional('position', 'position'),
      ],
      attachmentTypes: [
        attachmentType(21, 'cv', 'Curriculum vitae', {
          visiblePreRouting: true,
          requiredPreRouting: true,
          pdf: true,
        }),
        attachmentType(22, 'reference', 'Letter of reference', { visiblePreRouting: true }),
      ],
      route: [
        { name: 'Administration', destinations: [person(2), person(13, 'VIEW_AND_EDIT')] },
        { office: { field: 'department' }, mayOptOut: true },
        { name: 'Dean of Faculty', subTypes: ['FACULTY'], destinations: [person(10)] },
        {
          name: 'Human resources',
          destinations: [
            person(7),
            person(15, 'SIGNATURE_PERMITTED'),
            person(17, 'VIEW_AND_EDIT'),
            person(18, 'VIEW_ONLY'),
          ],
        },
      ],
    },
    // Of the form builder, without attachments; whoever has signed already need not sign for safety too.
    {
      ...common,
      id: 6102,
      name: 'Room booking',
      kind: 'form_builder',
      fields: [
        required('event', 'text'),
        required('day', 'date'),
        optional('seats', 'number'),
        optional('fee', 'currency'),
        optional('house_rules', 'no_answer'),
        optional('host', 'university_id'),
      ],
      attachmentTypes: [],
      route: [
        { name: 'Rooms', destinations: [person(23), person(24, 'SIGNATURE_PERMITTED')] },
        { name: 'Safety', autoSign: true, destinations: [person(23), person(25)] },
      ],
    },
    // Three stops, the second of them by department; nothing completes without the return form.
    {
      ...common,
      id: 6103,
      name: 'Leave of absence',
      fields: [
        required('reason', 'text'),
        required('first_day', 'date'),
        required('last_day', 'date'),
        required('department', 'department'),
        optional('substitute', 'university_id'),
      ],
      attachmentTypes: [
        attachmentType(31, 'certificate', 'Certificate', { visiblePreRouting: true, pdf: true }),
        attachmentType(32, 'return_form', 'Return form', { requiredBeforeComplete: true }),
      ],
      route: [
        { name: 'Group leader', destinations: [person(28), person(39, 'VIEW_ONLY')] },
        { office: { field: 'department' }, mayOptOut: false },
        { name: 'Payroll', destinations: [person(21), person(22, 'SIGNATURE_PERMITTED')] },
      ],
    },
    // Freezes at its second stop; one office opts out; an attachment type for every rule.
    {
      ...common,
      id: 6104,
      name: 'Grant agreement',
      office: '20-0200',
      stopCallbacks: { 2: { url: 'http://127.0.0.1:9/callbacks', freeze: true } },
      fields: [
        required('sponsor', 'text'),
        required('amount', 'currency'),
        optional('until', 'date'),
        optional('call', 'url'),
      ],
      attachmentTypes: [
        attachmentType(41, 'budget', 'Budget', { visiblePreRouting: true }),
        attachmentType(42, 'agreement', 'Agreement', {
          visiblePreRouting: true,
          requiredPreRouting: true,
          pdf: true,
        }),
        attachmentType(43, 'countersigned', 'Countersigned agreement', {
          requiredBeforeComplete: true,
          pdf: true,
        }),
        attachmentType(44, 'letters', 'Correspondence', {}),
      ],
      route: [
        { name: 'Research office', destinations: [person(26), person(37, 'VIEW_AND_EDIT')] },
        { name: 'Sponsor’s portal', autoSign: true, destinations: [person(26)] },
        { office: '30-0300', mayOptOut: true },
        { office: '20-0200', mayOptOut: true },
        { name: 'Provost', destinations: [person(29), person(5, 'VIEW_ONLY')] },
      ],
    },
    // Nobody has to sign for a short loan, so that it waits for nothing but its record.
    {
      ...common,
      id: 6105,
      name: 'Equipment loan',
      subTypes: ['SHORT', 'LONG'],
      fields: [required('item', 'text'), required('until', 'date'), optional('value', 'currency')],
      attachmentTypes: [
        attachmentType(51, 'handover', 'Handover record', { requiredBeforeComplete: true }),
        attachmentType(52, 'photo', 'Photo', { visiblePreRouting: true }),
      ],
      route: [
        { name: 'Keeper', subTypes: ['SHORT'], destinations: [person(31, 'VIEW_ONLY')] },
        { name: 'Keeper', subTypes: ['LONG'], destinations: [person(31)] },
        { name: 'Insurance', subTypes: ['LONG'], destinations: [person(30)] },
      ],
    },
  ]
}

function person(number: number, permission: Permission = 'SIGNATURE_REQUIRED'): Destination {
  return { type: 'PERSON', univid: campusUnivid(number), permission }
}

function role(key: string, name: string, permission: Permission = 'SIGNATURE_REQUIRED'): Destination {
  return { type: 'OFFICE_ROLE', office: key, role: name, permission }
}

function required(naturalKey: string, kind: Field['kind']): Field {
  return { naturalKey, kind, required: true }
}

function optional(naturalKey: string, kind: Field['kind']): Field {
  return { naturalKey, kind, required: false }
}
