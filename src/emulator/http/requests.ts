import type { z } from 'zod'
import type { Operation } from '../../contract/services/operation.ts'
import { type OperationName, operations } from '../../contract/services/operations.ts'
import { matchPath } from '../../contract/values/path.ts'
import type { Environment } from '../../contract/values/values.ts'
import type { Caller } from './handler.ts'
import { requireValid, parseJsonText } from './json.ts'
import { methodNotAllowed, ServiceError } from './service-error.ts'
import { adminSchemas } from '../storage/shares.ts'
import type { EmulatorState } from '../state/state.ts'

/** The operation that a request is for. */
export interface RequestedOperation {
  readonly name: OperationName
  readonly operation: Operation
  readonly params: Readonly<Record<string, string | number>>
  /** Deployment of the storage service. */
  readonly env: Environment
}

/**
 * Finds the operation for a method and path. Throws `ServiceError` 404, or 405 if the path has operations for other
 * methods only.
 */
export function findOperation(method: string, pathname: string): RequestedOperation {
  const [, root = '', path = ''] = /^(\/wf|\/fs\/test|\/fs\/prod)(\/.*)$/.exec(pathname) ?? []
  const env: Environment = root === '/fs/prod' ? 'prod' : 'test'
  const allow: string[] = []
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const isHere = root.startsWith(operation.service === 'workflow' ? '/wf' : '/fs')
    const params = isHere ? matchPath(operation.upstream, path) : undefined
    if (params && operation.method === method) return { name: name as OperationName, operation, params, env }
    if (params) allow.push(operation.method)
  }
  if (allow.length > 0) throw methodNotAllowed(allow)
  throw new ServiceError(404, 'This operation does not exist')
}

/** Returns the id of the client from the Basic credentials. Throws `ServiceError` 401 if they are missing or wrong. */
export function authenticate({ clients }: EmulatorState, headers: Headers): string {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headers.get('authorization') ?? '') ?? []
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(decodeBase64(encoded)) ?? []
  if (id === '' || clients.get(id)?.secret !== secret) {
    throw new ServiceError(401, 'Client credentials are missing or wrong')
  }
  return id
}

/** Reads the request user and the bypass header (spec, Authentication 2 and 3). Throws `ServiceError` 400. */
export function callerOf({ people, clients }: EmulatorState, headers: Headers): Caller {
  const user = headers.get('x-workflow-request-user')
  if (user === null || !(people.has(user) || clients.has(user))) {
    throw new ServiceError(400, 'x-workflow-request-user must be a known university id or client id')
  }
  const bypass = headers.get('x-workflow-bypass-authorization') ?? 'false'
  if (bypass !== 'true' && bypass !== 'false') {
    throw new ServiceError(400, 'x-workflow-bypass-authorization must be true or false')
  }
  return { user, bypass: bypass === 'true' }
}

/**
 * Returns the version that the Accept header selects, or `undefined` for the default version 1.0 (spec, Versioning).
 * Throws `ServiceError` 406 if the operation has versions, but not this one. Clients send the header with all requests, so
 * operations without versions ignore it.
 */
export function versionOf({ versions }: Operation, headers: Headers): string | undefined {
  if (!versions) return undefined
  for (const accepted of (headers.get('accept') ?? '').split(',')) {
    const [type, ...parameters] = accepted.split(';').map((part) => part.trim().toLowerCase())
    if (type !== 'application/vnd.workflow+json') continue
    const [, version = '1.0'] =
      parameters.map((each) => /^version="?([^"]*)"?$/.exec(each)).find((found) => found !== null) ?? []
    if (version === '1.0') return undefined
    if (versions.includes(version)) return version
    throw new ServiceError(406, `Accept: only these versions exist: ${['1.0', ...versions].join(', ')}`)
  }
  return undefined
}

/** Parses the text part of an upload. Throws `ServiceError` 400 if it is not valid. */
export function readPart({ part, body }: Operation, text: string): unknown {
  const value = part === 'meta' ? parseJsonText(text, 'The part "meta"') : text
  return body && requireValid(body.safeParse(value))
}

/**
 * Parses a query or body with the schema of its operation, or, if that fails, with the schema for administrators. Throws
 * `ServiceError` 400 if neither fits.
 */
export function parseWithAdminSchemas(
  name: OperationName,
  side: 'query' | 'body',
  schema: z.ZodType | undefined,
  parse: (schema: z.ZodType) => z.ZodSafeParseResult<unknown>,
): unknown {
  if (!schema) return undefined
  const parsed = parse(schema)
  const schemas: Partial<Record<OperationName, { readonly query?: z.ZodType; readonly body?: z.ZodType }>> =
    adminSchemas
  const adminSchema = schemas[name]?.[side]
  const parsedAsAdmin = !parsed.success && adminSchema ? parse(adminSchema) : undefined
  return requireValid(parsedAsAdmin?.success ? parsedAsAdmin : parsed)
}

/** Decodes credentials, which are UTF-8 (RFC 7617). Returns an empty string if they are not valid base64. */
function decodeBase64(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  } catch {
    return ''
  }
}
