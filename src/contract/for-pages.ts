// The part of the contract that pages need: routes, values, readers and types, without schemas. `routeslip/contract` exports
// it. `routeslip-server/contract` exports everything, with schemas.
export type { BrowserBody, BrowserResult, Input, Params } from './services/browser-operations.ts'
export type { Body, Query, ReadBody, Result, Version } from './services/operation-types.ts'
export type { OperationName } from './services/operations.ts'
export { ownRoutes, type OwnOperation } from './routes/own-routes.ts'
export { acceptVersion, callHeader, keyHeader, personHeader } from './values/headers.ts'
export { type Route, serializeQuery } from './routes/route.ts'
export { routes, type BrowserOperation } from './routes/routes.ts'
export {
  mayFollow,
  toolNames,
  transitions,
  type ToolName,
  type TransitionName,
} from './values/transitions.ts'
export * from './values/patterns.ts'
export * from './values/values.ts'

export type * from './schemas/attachments.ts'
export type * from './schemas/callbacks.ts'
export type * from './schemas/comments.ts'
export type * from './schemas/entry.ts'
export type * from './schemas/history.ts'
export type * from './schemas/lists.ts'
export type * from './schemas/offices.ts'
export type * from './schemas/overrides.ts'
export type * from './schemas/person.ts'
export type * from './schemas/problem.ts'
export type * from './schemas/session.ts'
export type * from './schemas/shares.ts'
export type * from './schemas/storage.ts'
export type * from './schemas/workflow.ts'

export { parseDuration } from './values/duration.ts'
export { fillPath, ParameterError, type PathParams } from './values/path.ts'
export { isRecord } from './values/values.ts'
export type { Reader } from './readers/field-readers.ts'
export { readHistory } from './readers/page-readers.ts'
export { readers } from './readers/readers.ts'
export { mayVoid, type Rights } from './routes/rights.ts'
export { parseTimestamp, type WallClock } from './values/timestamp.ts'
