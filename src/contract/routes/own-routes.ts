import {
  type ListOperation,
  ownListRoutes,
  ownReminderRoutes,
  type ReminderOperation,
} from './list-routes.ts'
import { type LockOperation, ownLockRoutes } from './lock-routes.ts'

/** Routes that the proxy serves itself, besides the operations of the services. `for`: who can call them. */
export const ownRoutes = {
  /** The signed-in user, and what this mount allows. */
  getSession: { method: 'GET', path: '/session', for: 'pages' },
  /** Live events about packages, as server-sent events. */
  getEvents: { method: 'GET', path: '/events', for: 'pages' },
  /** Several reads of one package in one response, each as soon as it is ready. */
  getPage: { method: 'GET', path: '/forms/:formId/packages/:packageId/page', for: 'pages' },
  getList: { ...ownListRoutes.getList, for: 'pages' },
  getFormList: { ...ownListRoutes.getFormList, for: 'pages' },
  getLocks: { ...ownLockRoutes.getLocks, for: 'pages' },
  getFormLocks: { ...ownLockRoutes.getFormLocks, for: 'pages' },
  releaseLock: { ...ownLockRoutes.releaseLock, for: 'pages' },
  getReminder: { ...ownReminderRoutes.getReminder, for: 'pages' },
  sendReminder: { ...ownReminderRoutes.sendReminder, for: 'pages' },
  /** Receives the callbacks of the routing service. */
  receiveCallback: { method: 'POST', path: '/callbacks', for: 'anyone' },
  /** Reports that the proxy is running. */
  getHealth: { method: 'GET', path: '/healthz', for: 'anyone' },
  /** Reports whether the proxy has all that it needs. */
  getReadiness: { method: 'GET', path: '/readyz', for: 'anyone' },
  /** Metrics for Prometheus. */
  getMetrics: { method: 'GET', path: '/metrics', for: 'anyone' },
  /** The API as an OpenAPI 3.1 document. */
  getOpenapi: { method: 'GET', path: '/openapi.json', for: 'anyone' },
} as const

/** Name of a route that the proxy serves itself. */
export type OwnOperation = keyof typeof ownRoutes

/** Name of one of the proxy's own routes that has rights, parameters and a result like the operations of a service. */
export type OwnServiceOperation = ListOperation | LockOperation | ReminderOperation
