import type { TransitionName } from '../values/transitions.ts'
import type { Route } from './route.ts'

/** The operations that change the state of a package. Pages load them when a person takes an action or sends a form. */
export const transitionRoutes = {
  routePackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId',
    requestBody: 'json',
    response: 'json',
  },
  voidPackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/void',
    requestBody: 'json',
    response: 'json',
  },
  unvoidPackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/unvoid', response: 'json' },
  restartPackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/restart', response: 'json' },
  returnPackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/return',
    requestBody: 'json',
    response: 'json',
  },
  removePackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/remove', response: 'json' },
  reinitiatePackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/re_initiate',
    response: 'json',
  },
  returnToInitiator: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/returnToInitiator',
    requestBody: 'json',
    response: 'json',
  },
} as const satisfies Readonly<Record<TransitionName, Route>>
