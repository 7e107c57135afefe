import { z } from 'zod'
import { browserOperations, type OperationForBrowsers } from '../../contract/services/browser-operations.ts'
import { acceptVersion } from '../../contract/values/headers.ts'
import { ownRoutes, type OwnServiceOperation } from '../../contract/routes/own-routes.ts'
import { isNumberParameter, parameterPattern } from '../../contract/values/path.ts'
import type { Rights } from '../../contract/routes/rights.ts'
import {
  callReference,
  componentSchemas,
  type JsonObject,
  nameOf,
  type OpenapiOperation,
  keyReference,
  markHeaders,
  parameters,
  personHeaders,
  problemReferences,
  problemResponses,
  reference,
  simplifySchema,
} from './openapi-components.ts'
import { ownServiceOperations } from '../../contract/services/own-service-operations.ts'
import { ownOperations } from './openapi-own-routes.ts'

/** Options of `createOpenapi()`. */
export interface OpenapiOptions {
  /** Path of the proxy's root, such as `/api/wf`. */
  readonly basePath: string
  /** Version of the API. Default `1.0`. */
  readonly version?: string
}

/** An OpenAPI 3.1 document, with the members that its readers use. */
export interface OpenapiDocument {
  /** Version of OpenAPI. */
  readonly openapi: string
  /** Title and version of the API. */
  readonly info: { readonly title: string; readonly version: string }
  /** Address of the root. */
  readonly servers: readonly { readonly url: string }[]
  /** Operations by path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenapiOperation>>>>
  /** Schemas, parameters and responses that operations share. */
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
}

/** Describes the API of the proxy, derived from the contract. */
export function createOpenapi({ basePath, version = '1.0' }: OpenapiOptions): OpenapiDocument {
  const paths: Record<string, Record<string, OpenapiOperation>> = {}
  const add = (route: string, method: string, operation: OpenapiOperation) => {
    const path = route.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const [name, operation] of Object.entries<OperationForBrowsers>(browserOperations)) {
    add(operation.path, operation.method, describe(name, operation))
  }
  for (const [name, operation] of Object.entries(ownOperations)) {
    const { path, method } = ownRoutes[name as keyof typeof ownOperations]
    add(path, method, { operationId: name, ...operation })
  }
  for (const [name, operation] of Object.entries(ownServiceOperations)) {
    const description = ownDescriptions[name as OwnServiceOperation]
    add(operation.path, operation.method, { ...describe(name, operation), description })
  }

  return {
    openapi: '3.1.0',
    info: { title: 'Routeslip proxy', version, ...about },
    servers: [{ url: basePath }],
    paths,
    components: { schemas: componentSchemas(), parameters, responses: problemResponses() },
  }
}

const about = {
  description: [
    'What the pages of a site can do with packages and files.',
    'The proxy gets the signed-in user from the site. No request names a user, an environment or a credential.',
    'Calls must come from the same origin, as reported by `Sec-Fetch-Site`, or from an origin that the operator allows.',
    'Errors are problem details (RFC 9457). `GET /session` lists the operations that a site serves; others return 404.',
    'States, permissions, event classes and codes are open sets: expect unknown values.',
  ].join(' '),
  license: { name: 'MIT', identifier: 'MIT' },
}

function describe(name: string, operation: OperationForBrowsers): OpenapiOperation {
  const { path, query, response, requestBody, rights, summary } = operation
  const isNavigation = response === 'file' || response === 'redirect'
  return {
    operationId: name,
    summary,
    description: `Allowed to ${allowedTo[rights]}.`,
    parameters: [
      ...(isNavigation ? [] : [callReference]),
      ...(operation.method === 'GET' ? [] : [keyReference]),
      ...pathParameters(path),
      ...(query ? queryParameters(query) : []),
    ],
    ...(requestBody && { requestBody: describeBody(operation) }),
    responses: { ...successOf(operation), ...failuresOf(operation) },
    'x-rights': rights,
  }
}

const allowedTo: Readonly<Record<Rights, string>> = {
  service: 'the users that the routing service allows',
  'service-or-canEdit': 'the users that the routing service allows, and users with the flag canEdit',
  'signed-in': 'every signed-in user',
  creation: 'every signed-in user, up to a number of packages per hour',
  canView: 'every signed-in user; packages without the flag canView are left out',
  canEdit: 'users with the flag canEdit',
  void: 'users with canVoid while ROUTING, the initiator with canInitiatorVoid while ROUTING, and users with canVoidAfter if COMPLETE',
  tool: "the users that the host's policy allows, in a state that the operation starts from",
  policy: "the users that the host's policy allows",
  owner: "the user who uploaded the file, and users that the host's policy adds; others get 404",
  sharing: "the users that the host's policy allows; a single file must also be theirs",
}

const ownDescriptions: Readonly<Record<OwnServiceOperation, string>> = {
  getList:
    'Allowed to every signed-in user, if the site keeps lists; requests without the flag canView are left out. The list is never known to be complete, because the services list no packages: the proxy remembers those that it learns of.',
  getFormList:
    "Allowed to the users that the host's policy lets list the requests of a form (`getFormList`), if the site keeps lists; requests without the flag canView are left out. Like `getList`, it is never known to be complete.",
  getReminder:
    "Allowed to users with the flag canView whom the host's policy lets remind people (`remind`), if the site keeps lists.",
  sendReminder:
    "Allowed to users with the flag canView whom the host's policy lets remind people (`remind`), if the site keeps lists. The proxy writes the entry back unchanged, because the service has no operation that only sends an e-mail. A note also needs `remindNote`, and the e-mail quotes it; 403 without that permission. 409 if `getReminder` gives a reason against it.",
  getLocks:
    "Allowed to users with the flag canView, and to those that the host's policy lets release locks. The services list no locks: the proxy remembers them from callbacks.",
  getFormLocks:
    "Allowed to every signed-in user; locks that the host's policy does not let them release are left out.",
  releaseLock:
    "Allowed to the users that the host's policy allows to delete locks. Releasing a lock again does no harm. The reason goes to the log of the proxy.",
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: isNumberParameter(name)
      ? { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
      : { type: 'string', pattern: `^(?:${parameterPattern(name)})$` },
  }))
}

function queryParameters(query: z.ZodType): JsonObject[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'output', override: simplifySchema })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function describeBody({ body, bodies = {}, requestBody, part = 'meta' }: OperationForBrowsers): JsonObject {
  if (requestBody === 'multipart') {
    const file = { contentMediaType: 'application/octet-stream' }
    return {
      required: true,
      description: `\`${part}\` is optional. If it is present, it comes first.`,
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: { [part]: reference(body), file }, required: ['file'] },
          ...(part === 'meta' && { encoding: { meta: { contentType: 'application/json' } } }),
        },
      },
    }
  }
  const versions = Object.entries(bodies)
  const choice = versions.map(
    ([version, schema]) => `With \`Accept: ${acceptVersion(version)}\`: ${nameOf(schema)}.`,
  )
  const all = [body, ...versions.map(([, schema]) => schema)].map(reference)
  return {
    required: true,
    ...(choice.length > 0 && { description: choice.join(' ') }),
    content: { 'application/json': { schema: all.length > 1 ? { anyOf: all } : all[0] } },
  }
}

function successOf(operation: OperationForBrowsers): Record<string, JsonObject> {
  const { response, result, results = {}, mediaType = '*/*' } = operation
  if (response === 'nothing') return { 204: { description: 'Done.', headers: markHeaders } }
  if (response === 'redirect') {
    const headers = {
      ...markHeaders,
      Location: { required: true, schema: { type: 'string', format: 'uri' } },
    }
    return { 303: { description: 'A download link that expires within a minute.', headers } }
  }
  if (response === 'file') {
    const headers = { ...markHeaders, 'Content-Disposition': { schema: { type: 'string' } } }
    return { 200: { description: 'The file.', headers, content: { [mediaType]: {} } } }
  }
  const versions = Object.entries(results).map(
    ([version, schema]) => [acceptVersion(version), { schema: reference(schema) }] as const,
  )
  const content = { 'application/json': { schema: reference(result) }, ...Object.fromEntries(versions) }
  return { 200: { description: 'The result.', headers: personHeaders, content } }
}

function failuresOf({ method, requestBody }: OperationForBrowsers): Record<string, JsonObject> {
  return problemReferences(
    ...([400, 401, 403, 404] as const),
    ...(method === 'GET' ? [] : ([409] as const)),
    ...(requestBody ? ([413, 415] as const) : []),
    ...([422, 429, 502, 503] as const),
  )
}
