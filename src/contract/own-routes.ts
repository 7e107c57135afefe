/** What the proxy answers itself, below its root, beside the operations of the services; and who may ask. */
export const ownRoutes = {
  /** Who is signed in, and what this mount allows. */
  getSession: { method: 'GET', path: '/session', for: 'pages' },
  /** Live events about packages, as server-sent events. */
  getEvents: { method: 'GET', path: '/events', for: 'pages' },
  /** Takes the callbacks of the routing service. */
  receiveCallback: { method: 'POST', path: '/callbacks', for: 'anyone' },
  /** Whether the proxy is up. */
  getHealth: { method: 'GET', path: '/healthz', for: 'anyone' },
  /** Figures for Prometheus. */
  getMetrics: { method: 'GET', path: '/metrics', for: 'anyone' },
  /** This API as an OpenAPI 3.1 document. */
  getOpenapi: { method: 'GET', path: '/openapi.json', for: 'anyone' },
} as const

/** Name of something that the proxy answers itself. */
export type OwnOperation = keyof typeof ownRoutes
