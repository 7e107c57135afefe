// Both services and the proxy as data, with schemas. Pages import the client instead, which needs no schemas.
export {
  type BrowserBody,
  browserOperations,
  type BrowserResult,
  type Input,
  type OperationForBrowsers,
  type Params,
} from './services/browser-operations.ts'
export type { Operation } from './services/operation.ts'
export { operations, type OperationName } from './services/operations.ts'
export type { Body, Query, ReadBody, Result, Version } from './services/operation-types.ts'
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
export { cleanNote, maxNoteLength, noteLength, type NoteProblem, noteProblem } from './values/note.ts'
export * from './values/values.ts'

export * from './schemas/attachments.ts'
export * from './schemas/callbacks.ts'
export * from './schemas/comments.ts'
export * from './schemas/entry.ts'
export * from './schemas/history.ts'
export * from './schemas/lists.ts'
export * from './schemas/offices.ts'
export * from './schemas/overrides.ts'
export * from './schemas/person.ts'
export * from './schemas/problem.ts'
export * from './schemas/session.ts'
export * from './schemas/shares.ts'
export * from './schemas/storage.ts'
export * from './schemas/workflow.ts'

export { decodeBytes, encodeBytes, type ByteText } from './values/byte-text.ts'
export { parseDuration } from './values/duration.ts'
export { fillPath, matchPath, ParameterError, type PathParams } from './values/path.ts'
export { isRecord } from './values/values.ts'
export { parseQuery } from './services/parse-query.ts'
export { readPublicKey, readSignature } from './values/public-key.ts'
export type { Reader } from './readers/field-readers.ts'
export { readHistory } from './readers/page-readers.ts'
export { readers } from './readers/readers.ts'
export { mayVoid, type Rights } from './routes/rights.ts'
export { parseTimestamp, type WallClock } from './values/timestamp.ts'
