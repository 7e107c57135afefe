import { CallbackBody, verificationHeader } from '../../contract/schemas/callbacks.ts'
import type { OwnOperation, OwnServiceOperation } from '../../contract/routes/own-routes.ts'
import { pageParts, pagePartsType } from '../../contract/routes/package-page.ts'
import { parameterPattern } from '../../contract/values/path.ts'
import { Session } from '../../contract/schemas/session.ts'
import {
  callReference,
  type OpenapiOperation,
  personHeaders,
  problemReferences,
  reference,
} from './openapi-components.ts'

const anyObject = { 'application/json': { schema: { type: 'object' } } }

/** Describes the routes that the proxy serves itself, apart from those about locks, which resemble operations of the service. */
export const ownOperations: Readonly<
  Record<Exclude<OwnOperation, OwnServiceOperation>, Omit<OpenapiOperation, 'operationId'>>
> = {
  getSession: {
    summary: 'Returns the signed-in user and what this site serves',
    parameters: [callReference],
    responses: {
      200: {
        description: 'The session.',
        headers: personHeaders,
        content: { 'application/json': { schema: reference(Session) } },
      },
      ...problemReferences(401, 403),
    },
  },
  getPage: {
    summary: 'Returns several reads of one package, each as soon as it is ready',
    parameters: [
      callReference,
      ...['formId', 'packageId'].map((name) => ({
        name,
        in: 'path' as const,
        required: true,
        schema: { type: 'integer' as const, minimum: 1 },
      })),
      {
        name: 'part',
        in: 'query',
        required: true,
        description: 'The reads, by operation. The parameter repeats.',
        schema: { type: 'array', minItems: 1, items: { enum: [...pageParts] } },
      },
    ],
    responses: {
      200: {
        description: [
          'JSON texts, one per line. Each part has two lines: first `{"part", "status"}`, with the status that the part would',
          'have as a response of its own and, if there is one, `retryAfter`; then the body of that response. The rights',
          '(`getActions`) come first. Without the right to view the package, the other parts are refused. A part is missing',
          'only if the connection ends early.',
        ].join(' '),
        headers: personHeaders,
        content: { [pagePartsType]: { schema: { type: 'string' } } },
      },
      ...problemReferences(400, 401, 403),
    },
  },
  getEvents: {
    summary: 'Streams live events about packages',
    parameters: [
      callReference,
      {
        name: 'package',
        in: 'query',
        description:
          'Packages to follow, as `<formId>-<packageId>`. Packages that the user may not view send no events.',
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
        name: 'list',
        in: 'query',
        description:
          'Whether to follow the lists of the user too. Without it, at least one package is required.',
        schema: { type: 'string', const: '1' },
      },
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'Id of the last event received. The stream continues after it.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description: [
          'An endless stream of server-sent events. `change`: the package in the data `{"formId", "packageId"}` has',
          'changed, or the user may no longer view it; request it again. `resync`: events may be missing; request',
          'everything again. `list`: the lists of the user may have changed. `pause`: changes cannot be found at present; poll until the next event or comment.',
        ].join(' '),
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...problemReferences(400, 401, 403, 429, 503),
    },
  },
  receiveCallback: {
    summary: 'Receives the callbacks of the routing service',
    parameters: [
      {
        name: verificationHeader,
        in: 'header',
        required: true,
        description: 'Ed25519 signature of the bytes of the body.',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: reference(CallbackBody) } } },
    responses: {
      200: { description: 'The callback is stored, or it was stored before.' },
      ...problemReferences(400, 401, 413, 503),
    },
  },
  getHealth: {
    summary: 'Reports that the proxy is running',
    responses: { 200: { description: 'The proxy is running.', content: anyObject } },
  },
  getReadiness: {
    summary: 'Reports whether the proxy has all that it needs',
    responses: {
      200: { description: 'The proxy is ready.', content: anyObject },
      503: { description: 'The proxy lacks what `lacks` names.', content: anyObject },
    },
  },
  getMetrics: {
    summary: 'Returns metrics for Prometheus',
    responses: {
      200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } },
      ...problemReferences(404),
    },
  },
  getOpenapi: {
    summary: 'Returns this document',
    responses: { 200: { description: 'An OpenAPI 3.1 document.', content: anyObject } },
  },
}
