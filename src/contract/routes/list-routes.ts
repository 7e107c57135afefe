import type { Route } from './route.ts'

/** The proxy's own routes to lists of requests. The services list no packages, so the proxy remembers those that it learns of. */
export const ownListRoutes = {
  /** The requests that the user has started, or those that wait for the user. */
  getList: { method: 'GET', path: '/list', response: 'json' },
  /** The requests of a form, for those who may see them all. */
  getFormList: { method: 'GET', path: '/forms/:formId/list', response: 'json' },
} as const satisfies Readonly<Record<string, Route>>

/** Name of one of the proxy's own routes to lists. */
export type ListOperation = keyof typeof ownListRoutes

/** The proxy's own routes about reminders: the service has no operation that only sends an e-mail. */
export const ownReminderRoutes = {
  /** The reminder that the user could have sent now, and those that were sent. */
  getReminder: { method: 'GET', path: '/forms/:formId/packages/:packageId/reminder', response: 'json' },
  /** Has the service email the approvers of a package. */
  sendReminder: {
    method: 'POST',
    path: '/forms/:formId/packages/:packageId/reminder',
    requestBody: 'json',
    response: 'json',
  },
} as const satisfies Readonly<Record<string, Route>>

/** Name of one of the proxy's own routes about reminders. */
export type ReminderOperation = keyof typeof ownReminderRoutes
