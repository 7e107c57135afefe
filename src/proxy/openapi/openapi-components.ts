import { z } from 'zod'
import { browserOperations, type OperationForBrowsers } from '../../contract/services/browser-operations.ts'
import { callHeader, personHeader } from '../../contract/values/headers.ts'
import * as contract from '../../contract/index.ts'
import { parameterPattern } from '../../contract/values/path.ts'
import { problemTitles, problemType } from '../../contract/schemas/problem.ts'
import type { Rights } from '../../contract/routes/rights.ts'
import { ownServiceOperations } from '../../contract/services/own-service-operations.ts'

/** Part of an OpenAPI document. */
export type JsonObject = Readonly<Record<string, unknown>>

/** One operation of an OpenAPI document. */
export interface OpenapiOperation {
  /** Name of the operation in the contract. */
  readonly operationId: string
  /** One sentence about the operation. */
  readonly summary: string
  /** Further sentences. */
  readonly description?: string
  /** Parameters in the path, search and headers. */
  readonly parameters?: readonly JsonObject[]
  /** The body of a request. */
  readonly requestBody?: JsonObject
  /** Responses by status. */
  readonly responses: Readonly<Record<string, JsonObject>>
  /** Who decides; see `Rights`. */
  readonly 'x-rights'?: Rights
}

/** Parameters that operations share. */
export const parameters = {
  Call: {
    name: callHeader,
    in: 'header',
    required: true,
    description: 'Pages of other origins need a CORS preflight to send this header.',
    schema: { const: '1' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A quoted string, new for each change. A request with the same key as an earlier one of the same user gets its reply, and is not run again. The key of another request gets 422.',
    schema: { type: 'string', pattern: '^"[ !#-\\[\\]-~]{16,128}"$' },
  },
}
export const keyReference = { $ref: '#/components/parameters/IdempotencyKey' }
export const callReference = { $ref: '#/components/parameters/Call' }

/** Header of every response. */
export const markHeaders = {
  [callHeader]: {
    required: true,
    description: 'Shows that the response comes from a proxy, and not from another server at its path.',
    schema: { const: '1' },
  },
}

/** Headers of the responses that belong to a user. */
export const personHeaders = {
  ...markHeaders,
  [personHeader]: {
    description:
      'University id of the user that the response belongs to. Pages use it to detect that somebody else has signed in. Optional.',
    schema: { type: 'string', pattern: `^${parameterPattern('univid')}$` },
  },
}

/** Statuses of the errors that the proxy returns. */
const problemStatuses = [400, 401, 403, 404, 409, 413, 415, 422, 429, 502, 503] as const

/** Statuses whose responses have a `Retry-After` header. */
const retryStatuses: readonly number[] = [429, 503]

/** Returns the error responses that operations share, by name. */
export function problemResponses(): Record<string, JsonObject> {
  return Object.fromEntries(
    problemStatuses.map((status) => [
      problemName(status),
      {
        description: `${problemTitles[status]}.`,
        headers: {
          ...markHeaders,
          ...(retryStatuses.includes(status) && {
            'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } },
          }),
        },
        content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

/** Returns references to the error responses with these statuses. */
export function problemReferences(
  ...statuses: (typeof problemStatuses)[number][]
): Record<string, JsonObject> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${problemName(status)}` }]),
  )
}

function problemName(status: number): string {
  return (problemTitles[status] ?? 'Error').replaceAll(' ', '')
}

const exported: Readonly<Record<string, unknown>> = contract

/** Every schema that the contract exports, by its name. */
const named = new Map(
  Object.entries(exported).flatMap(([name, schema]) =>
    schema instanceof z.ZodType ? [[schema, name] as const] : [],
  ),
)

/** Returns a reference to a schema. Throws if the contract does not export the schema. */
export function reference(schema: z.ZodType | undefined): JsonObject {
  return { $ref: `#/components/schemas/${nameOf(schema)}` }
}

/** Returns the name of a schema. Throws if the contract does not export the schema. */
export function nameOf(schema: z.ZodType | undefined): string {
  const name = schema && named.get(schema)
  if (!name) throw new TypeError('The OpenAPI document needs a schema that contract/index.ts does not export')
  return name
}

/**
 * Returns the schemas that the document refers to. Bodies, callbacks and problems are described as callers write them;
 * responses as the proxy writes them, without fields that the contract does not name.
 */
export function componentSchemas(): Record<string, JsonObject> {
  const operations = Object.values<OperationForBrowsers>({
    ...browserOperations,
    ...ownServiceOperations,
  })
  const responses = operations.flatMap(({ response, result, results = {} }) =>
    response === 'json' ? [result, ...Object.values(results)] : [],
  )
  const bodies = operations.flatMap(({ body, bodies: versions = {} }) => [body, ...Object.values(versions)])
  const { CallbackBody, Problem, Session, ValidationFailure } = contract
  return {
    ...withReferences([Session, ...responses].map(nameOf), jsonSchemas([...named.keys()], 'output')),
    ...jsonSchemas([...bodies.filter(isDefined), CallbackBody, Problem, ValidationFailure], 'input'),
  }
}

function isDefined(schema: z.ZodType | undefined): schema is z.ZodType {
  return schema !== undefined
}

/** Returns the schemas with these names and those that they refer to. */
function withReferences(
  names: readonly string[],
  all: Readonly<Record<string, JsonObject>>,
): Record<string, JsonObject> {
  const found: Record<string, JsonObject> = {}
  const add = (name: string) => {
    const schema = all[name]
    if (!schema || Object.hasOwn(found, name)) return
    found[name] = schema
    for (const [, other = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      add(other)
  }
  names.forEach(add)
  return found
}

function jsonSchemas(each: Iterable<z.ZodType>, io: 'input' | 'output'): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>()
  for (const schema of new Set(each)) registry.add(schema, { id: nameOf(schema) })
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { uri, io, override: simplifySchema })
  const isKept = ([key]: readonly [string, unknown]) => key !== '$id' && key !== '$schema'
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [
      id,
      Object.fromEntries(Object.entries(schema).filter(isKept)),
    ]),
  )
}

/** Removes what callers do not need: defaults that only replace unreadable values, and choices of equal schemas. */
export function simplifySchema({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.default
  const [first, ...others] = jsonSchema.anyOf ?? []
  if (
    first &&
    others.length > 0 &&
    others.every((other) => JSON.stringify(other) === JSON.stringify(first))
  ) {
    delete jsonSchema.anyOf
    Object.assign(jsonSchema, first)
  }
}
