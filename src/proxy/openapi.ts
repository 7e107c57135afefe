import { z } from 'zod'
import {
  Attachment,
  AttachmentDescription,
  AttachmentList,
  AttachmentType,
  AttachmentTypeList,
} from '../contract/attachments.ts'
import { browserOperations, type OperationForBrowsers, type Rights } from '../contract/browser-operations.ts'
import { CallbackBody, verificationHeader } from '../contract/callbacks.ts'
import { Comment, CommentList } from '../contract/comments.ts'
import { Entry, EntryWithEmail, UpdateEntryBody, ValidationFailure } from '../contract/entry.ts'
import { HistoryEvent, HistoryEventList, Resolution, StopReference } from '../contract/history.ts'
import { Office } from '../contract/offices.ts'
import { RoutingOverride, RoutingOverrideBody, RoutingOverrideList } from '../contract/overrides.ts'
import { type OwnOperation, ownRoutes } from '../contract/own-routes.ts'
import { isNumberParameter, parameterPattern } from '../contract/path.ts'
import { Person } from '../contract/person.ts'
import { Problem, problemTitles, problemType } from '../contract/problem.ts'
import { acceptVersion, callHeader, personHeader } from '../contract/route.ts'
import type { BrowserOperation } from '../contract/routes.ts'
import { AllowedActions, AllowedActionsList, Session } from '../contract/session.ts'
import { Share, ShareBody, SharePage } from '../contract/shares.ts'
import { FileAsset, UpdateMetaBody, UploadMeta } from '../contract/storage.ts'
import {
  InboxSignature,
  Package,
  PackageActions,
  PackageStatus,
  PackageStatus12,
  PackageStatus12List,
  PackageStatusList,
  ResponsibleOffice,
  ReturnBody,
  ReturnToInitiatorBody,
  RoutePackageBody,
  VoidBody,
} from '../contract/workflow.ts'

export interface OpenapiFacts {
  /** Path below which the proxy is mounted, such as `/api/wf`. */
  readonly basePath: string
  /** Version of the API. Default `1.0`. */
  readonly version?: string
}

/** An OpenAPI 3.1 document, as far as its readers here look into it. */
export interface OpenapiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  /** Operations by path and by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenapiOperation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

export interface OpenapiOperation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
  /** Who decides, see `Rights`. */
  readonly 'x-rights'?: Rights
}

/** A part of the document. */
type Json = Readonly<Record<string, unknown>>

/** Describes the proxy's API, drawn from the contract. */
export function createOpenapi({ basePath, version = '1.0' }: OpenapiFacts): OpenapiDocument {
  const paths: Record<string, Record<string, OpenapiOperation>> = {}
  const add = (path: string, method: string, operation: OpenapiOperation) => {
    const written = path.replace(/:(\w+)/g, '{$1}')
    paths[written] = { ...paths[written], [method.toLowerCase()]: operation }
  }
  for (const [name, operation] of Object.entries<OperationForBrowsers>(browserOperations)) {
    add(operation.path, operation.method, describe(name as BrowserOperation, operation))
  }
  for (const [name, { path, method }] of Object.entries(ownRoutes)) {
    add(path, method, { operationId: name, ...own[name as OwnOperation] })
  }

  return {
    openapi: '3.1.0',
    info: { title: 'Routeslip proxy', version, ...about },
    servers: [{ url: basePath }],
    paths,
    components: { schemas: componentSchemas(), parameters: { Call: callParameter }, responses: problems() },
  }
}

const about = {
  description: [
    'What the pages of a site may ask about packages and files.',
    'The proxy knows who is signed in from the site itself; no request names a person, an environment or a credential.',
    'Calls must come from the same origin, as `Sec-Fetch-Site` says, or from one that the operator allows.',
    'Errors are problem details (RFC 9457). Which operations a site serves, `GET /session` tells; others are 404.',
    'States, permissions, event classes and codes are open: expect values that are not known yet.',
  ].join(' '),
  license: { name: 'MIT', identifier: 'MIT' },
}

function describe(name: BrowserOperation, operation: OperationForBrowsers): OpenapiOperation {
  const { path, query, response, rights } = operation
  const isNavigation = response === 'file' || response === 'redirect'
  return {
    operationId: name,
    summary: summaries[name],
    ...{ description: `Who may: ${rightsInWords[rights]}.` },
    parameters: [
      ...(isNavigation ? [] : [callReference]),
      ...pathParameters(path),
      ...(query ? queryParameters(query) : []),
    ],
    ...(operation.requestBody && { requestBody: bodyOf(operation) }),
    responses: { ...successOf(name, operation), ...failuresOf(operation) },
    'x-rights': rights,
  }
}

const callParameter = {
  name: callHeader,
  in: 'header',
  required: true,
  description: 'A page of another origin cannot send it without being asked first.',
  schema: { const: '1' },
}
const callReference = { $ref: '#/components/parameters/Call' }

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: isNumberParameter(name)
      ? { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
      : { type: 'string', pattern: `^(?:${parameterPattern(name)})$` },
  }))
}

function queryParameters(query: z.ZodType): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'output', override: tidy })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function bodyOf({ body, bodies = {}, requestBody, part = 'meta' }: OperationForBrowsers): Json {
  if (requestBody === 'multipart') {
    const file = { contentMediaType: 'application/octet-stream' }
    return {
      required: true,
      description: `\`${part}\` may be left out; where it is there, it comes first.`,
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

function successOf(name: BrowserOperation, operation: OperationForBrowsers): Record<string, Json> {
  const { response, result, results = {} } = operation
  if (response === 'nothing') return { 204: { description: 'Done.' } }
  if (response === 'redirect') {
    const headers = { Location: { required: true, schema: { type: 'string', format: 'uri' } } }
    return { 303: { description: 'A download link that dies within a minute.', headers } }
  }
  if (response === 'file') {
    const headers = { 'Content-Disposition': { schema: { type: 'string' } } }
    const content = { [name === 'getPdf' ? 'application/pdf' : '*/*']: {} }
    return { 200: { description: 'The file.', headers, content } }
  }
  const versions = Object.entries(results).map(
    ([version, schema]) => [acceptVersion(version), { schema: reference(schema) }] as const,
  )
  const content = { 'application/json': { schema: reference(result) }, ...Object.fromEntries(versions) }
  return { 200: { description: 'What was asked for.', headers: personHeaders, content } }
}

function failuresOf(operation: OperationForBrowsers): Record<string, Json> {
  const isRead = operation.method === 'GET'
  const statuses = [
    ...[400, 401, 403, 404],
    ...(isRead ? [] : [409]),
    ...(operation.requestBody ? [413, 415] : []),
    ...[422, 429, 502, 503],
  ]
  return Object.fromEntries(statuses.map((status) => [status, problemReference(status)]))
}

/** Statuses that some operation answers a problem with. */
const failing: readonly number[] = [400, 401, 403, 404, 409, 413, 415, 422, 429, 502, 503]

/** Statuses that say when to come again. */
const retried: readonly number[] = [429, 503]

function problems(): Record<string, Json> {
  return Object.fromEntries(
    failing.map((status) => [
      problemName(status),
      {
        description: `${problemTitles[status]}.`,
        ...(retried.includes(status) && {
          headers: { 'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } } },
        }),
        content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function problemReference(status: number): Json {
  return { $ref: `#/components/responses/${problemName(status)}` }
}

function problemName(status: number): string {
  return (problemTitles[status] ?? 'Error').replaceAll(' ', '')
}

/** Schemas of answers by the name they get in the document. */
const answers = {
  Package,
  PackageActions,
  AllowedActions,
  AllowedActionsList,
  PackageStatus,
  PackageStatusList,
  PackageStatus12,
  PackageStatus12List,
  InboxSignature,
  ResponsibleOffice,
  HistoryEvent,
  HistoryEventList,
  StopReference,
  Resolution,
  Office,
  Person,
  Entry,
  EntryWithEmail,
  ValidationFailure,
  Comment,
  CommentList,
  Attachment,
  AttachmentList,
  AttachmentType,
  AttachmentTypeList,
  RoutingOverride,
  RoutingOverrideList,
  FileAsset,
  Share,
  SharePage,
  Session,
} as const satisfies Readonly<Record<string, z.ZodType>>

/** Schemas of bodies, as a caller writes them; and of what may hold more than is named. */
const bodies = {
  Entry,
  UpdateEntryBody,
  RoutePackageBody,
  VoidBody,
  ReturnBody,
  ReturnToInitiatorBody,
  RoutingOverrideBody,
  AttachmentDescription,
  UploadMeta,
  UpdateMetaBody,
  ShareBody,
  CallbackBody,
  ValidationFailure,
  Problem,
} as const satisfies Readonly<Record<string, z.ZodType>>

function componentSchemas(): Record<string, Json> {
  return { ...schemasOf(answers, 'output'), ...schemasOf(bodies, 'input') }
}

function schemasOf(named: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { uri, io, override: tidy })
  const isOurs = ([key]: readonly [string, unknown]) => key !== '$id' && key !== '$schema'
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [
      id,
      Object.fromEntries(Object.entries(schema).filter(isOurs)),
    ]),
  )
}

/** Takes out what says nothing to a caller: what is read in place of a broken value, and the same choice twice. */
function tidy({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
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

function reference(schema: z.ZodType | undefined): Json {
  return { $ref: `#/components/schemas/${nameOf(schema)}` }
}

function nameOf(schema: z.ZodType | undefined): string {
  const named = Object.entries<z.ZodType>({ ...answers, ...bodies })
  const found = named.find(([, each]) => each === schema)
  if (!found) throw new TypeError('A schema of the contract has no name in openapi.ts; add it there')
  return found[0]
}

const rightsInWords: Readonly<Record<Rights, string>> = {
  service: 'whom the routing service lets, asked as the signed-in person',
  'signed-in': 'everyone who is signed in',
  canView: 'everyone who is signed in; packages without the flag canView are left out',
  canEdit: 'whoever has the flag canEdit',
  void: 'while ROUTING whoever has canVoid, and the initiator with canInitiatorVoid; once COMPLETE whoever has canVoidAfter',
  tool: "whom the host's policy lets, in a state that the tool starts from",
  policy: "whom the host's policy lets",
  owner: "whoever uploaded the file, and whom the host's policy adds; for others there is no such file",
  sharing: "whom the host's policy lets; a single file only where it is also theirs",
}

const summaries: Readonly<Record<BrowserOperation, string>> = {
  routePackage: 'Starts routing a package',
  getPackage: 'Basic package information',
  getPdf: 'The package as a PDF',
  getHistory: 'What has happened to a package',
  getFutureHistory: 'The route that lies ahead',
  getActions: 'What the signed-in person may do with each package',
  getStatus: 'State of many packages',
  getEntry: 'Entry data',
  updateEntry: 'Replaces entry data',
  getComments: 'What was said about a package',
  getAttachmentTypes: 'Kinds of attachments that the form knows',
  uploadAttachment: 'Adds an attachment',
  getAttachments: 'Attachments that were uploaded',
  downloadAttachment: 'One attachment',
  voidPackage: 'Ends routing',
  unvoidPackage: 'Puts a voided package back',
  restartPackage: 'Starts routing again',
  returnPackage: 'Puts a complete package into one more inbox',
  removePackage: 'Takes a package out of routing',
  reinitiatePackage: 'Routes a removed package anew',
  returnToInitiator: 'Makes a package a draft of its initiator',
  createOverride: 'Passes on what one user may do with a package',
  getOverrides: 'Active overrides of a package',
  deactivateOverride: 'Ends an override',
  deleteLock: 'Lets a frozen route go on',
  uploadFile: 'Stores a file',
  presignFile: 'Downloads a file',
  getFileMeta: 'Name, size, type, dates and metadata of a file',
  updateFileMeta: 'Changes name, expiration or metadata of a file',
  deleteFile: 'Makes a file unreachable for good',
  createShare: 'Gives another client access to a file',
  getShares: 'Active shares, page by page',
  revokeShare: 'Ends the share of a file with a client',
}

const personHeaders = {
  [personHeader]: {
    description:
      'University id of whom the answer is for: by it, pages notice that someone else has signed in. May be left out.',
    schema: { type: 'string', pattern: '^[0-9]{1,12}$' },
  },
}

const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })

/** What the proxy answers itself. */
const own: Readonly<Record<OwnOperation, Omit<OpenapiOperation, 'operationId'>>> = {
  getSession: {
    summary: 'Who is signed in, and what this site serves',
    parameters: [callReference],
    responses: {
      200: { description: 'Somebody is.', headers: personHeaders, content: json('Session') },
      401: problemReference(401),
      403: problemReference(403),
    },
  },
  getEvents: {
    summary: 'Live events about packages',
    parameters: [
      callReference,
      {
        name: 'package',
        in: 'query',
        required: true,
        description:
          'Packages to hear of, as `<formId>-<packageId>`. Those that the person may not view stay silent.',
        schema: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'string',
            pattern: `^${parameterPattern('formId')}-${parameterPattern('packageId')}$`,
          },
        },
      },
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'The event after which to go on.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description: [
          'Server-sent events without end. `change`: the package that the data `{"formId", "packageId"}` names has',
          'changed; ask for the rest. `resync`: events may have been missed; read everything again.',
        ].join(' '),
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      400: problemReference(400),
      401: problemReference(401),
      403: problemReference(403),
      429: problemReference(429),
      503: problemReference(503),
    },
  },
  receiveCallback: {
    summary: 'Takes the callbacks of the routing service',
    parameters: [
      {
        name: verificationHeader,
        in: 'header',
        required: true,
        description: 'Ed25519 signature of the bytes of the body.',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content: json('CallbackBody') },
    responses: {
      200: { description: 'Taken, or known already.' },
      400: problemReference(400),
      401: problemReference(401),
      413: problemReference(413),
      503: problemReference(503),
    },
  },
  getHealth: {
    summary: 'Whether the proxy is up',
    responses: {
      200: { description: 'It is.', content: { 'application/json': { schema: { type: 'object' } } } },
    },
  },
  getMetrics: {
    summary: 'Figures for Prometheus',
    responses: {
      200: { description: 'The figures.', content: { 'text/plain': { schema: { type: 'string' } } } },
      404: problemReference(404),
    },
  },
  getOpenapi: {
    summary: 'This document',
    responses: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    },
  },
}
