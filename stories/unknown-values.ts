/** A history with classes, states and permissions that the spec does not list, and one row that is not valid. */
export const unknownValues = [
  {
    '@class': 'initiation',
    actionDate: '2026-11-16T09:42:10',
    person: { displayName: 'Amara Okafor', title: 'Associate Professor' },
    stop: { name: null, stopNumber: 0 },
  },
  {
    '@class': 'signature',
    actionDate: '2026-11-16T10:01:00',
    routingDate: '2026-11-16T09:42:12',
    person: { displayName: 'Daniel Reyes', title: 'Department Administrator' },
    stop: { name: 'Department', stopNumber: 1 },
    state: 'APPROVED',
    autoSigned: true,
  },
  {
    '@class': 'HELD_FOR_AUDIT',
    actionDate: '2026-11-16T11:00:00',
    person: { displayName: 'Priya Raman' },
    stop: { name: 'Internal audit', stopNumber: 2 },
  },
  {
    '@class': 'signature',
    actionDate: null,
    person: { displayName: 'Dean of Sciences' },
    resolution: { '@class': 'person', displayName: 'Mei-Ling Zhou' },
    stop: { name: 'College', stopNumber: 3 },
    permission: 'COUNTERSIGNATURE',
    context: 'Approver of College of Sciences',
    office: { name: 'College of Sciences', naturalKey: '05-0333' },
    state: 'SENT_BACK',
  },
  { actionDate: '2026-11-16T12:00:00' },
  { '@class': 'complete', actionDate: 'soon' },
]

/** A history with values that the spec does not list, although the service is known to return them. */
export const beyondSpec = [
  {
    '@class': 'initiation',
    actionDate: '2026-11-16T09:42:10',
    person: { displayName: 'Amara Okafor', title: 'Associate Professor' },
    stop: { name: null, stopNumber: 0 },
  },
  {
    '@class': 'office_opt_out',
    actionDate: '2026-11-16T09:42:11',
    stop: { name: 'College', stopNumber: 1 },
    office: { name: 'College of Sciences', naturalKey: '05-0333' },
  },
  { '@class': 'notification', actionDate: '2026-11-16T09:42:12', stop: { name: 'Budget', stopNumber: 2 } },
  {
    '@class': 'notification_unlock',
    actionDate: '2026-11-16T10:30:00',
    stop: { name: 'Budget', stopNumber: 2 },
  },
  {
    '@class': 'signature',
    actionDate: '2026-11-16T11:00:00',
    person: { displayName: 'Mei-Ling Zhou' },
    resolution: { '@class': 'position', name: 'Dean of Sciences' },
    stop: { name: 'Budget', stopNumber: 2 },
    permission: 'SIGNATURE_REQUIRED',
    state: 'VOIDED',
  },
]
