import { z } from 'zod'
import { parseDuration } from '../../contract/values/duration.ts'
import { type OperationName, operations } from '../../contract/services/operations.ts'
import { hour } from '../clock.ts'
import { toProblemResponse, ServiceError } from '../http/service-error.ts'

/** Ways in which a response may deviate from the contract. */
const drifts = [
  'unknown_fields',
  'unknown_values',
  'missing_fields',
  'nulls',
  'retyped',
  'reordered',
] as const
type Drift = (typeof drifts)[number]

/** Maximum delay, in milliseconds. */
const maxDelay = hour

function inRange(milliseconds = -1): boolean {
  return milliseconds >= 0 && milliseconds <= maxDelay
}

const FaultDelay = z.union([
  z.number().nonnegative().max(maxDelay),
  z.string().refine((text) => inRange(parseDuration(text)), {
    error: 'must be milliseconds or a duration such as "2s", at most one hour',
  }),
])

/** A failure of the next calls of one operation. It has exactly one of the five kinds. */
export const Fault = z
  .strictObject({
    /** Name of an operation in the contract, `download` for a presigned link, or `*` for any call. */
    operation: z.enum([...(Object.keys(operations) as OperationName[]), 'download', '*'] as const, {
      error: 'must be the name of an operation, "download" or "*"',
    }),
    /** Number of calls that fail. Default 1. */
    times: z.number().int().positive().default(1),
    /** Returns this error or redirect without performing the operation. */
    status: z.number().int().min(300).max(599).optional(),
    /** Waits, in milliseconds or as a duration, then performs the operation. */
    delay: FaultDelay.optional(),
    /** Performs the operation, then breaks off the response after this number of bytes, or in the middle (`true`). */
    cut: z.union([z.literal(true), z.number().int().nonnegative()]).optional(),
    /** Performs the operation, then returns this text, or a login page (`true`), instead of the response. */
    garbage: z.union([z.literal(true), z.string()]).optional(),
    /** Performs the operation, then returns a response that violates the contract. `true` adds unknown fields. */
    drift: z.union([z.literal(true), z.enum(drifts)]).optional(),
  })
  .refine((fault) => faultKinds.filter((kind) => fault[kind] !== undefined).length === 1, {
    error: 'must have exactly one of status, delay, cut, garbage, drift',
  })
export type Fault = z.output<typeof Fault>

/** The kinds of faults. */
export const faultKinds = ['status', 'delay', 'cut', 'garbage', 'drift'] as const

/** The list of pending faults. */
export interface Faults {
  /** Returns the pending faults. */
  readonly list: () => readonly Fault[]
  /** Adds faults. */
  readonly add: (faults: readonly Fault[]) => void
  /** Removes all faults. */
  readonly clear: () => void
  /** Performs a call of an operation, with the first pending fault that applies to it. */
  readonly through: (
    operation: string,
    instance: string,
    perform: () => Promise<Response>,
  ) => Promise<Response>
}

/** Creates an empty list of faults. */
export function createFaults(): Faults {
  let pending: Fault[] = []

  function take(operation: string): Fault | undefined {
    const fault = pending.find((each) => each.operation === operation || each.operation === '*')
    if (!fault) return undefined
    fault.times--
    pending = pending.filter(({ times }) => times > 0)
    return fault
  }

  return {
    list: () => pending,
    add: (faults) => {
      pending = [...pending, ...faults.map((fault) => ({ ...fault }))]
    },
    clear: () => {
      pending = []
    },

    async through(operation, instance, perform) {
      const fault = take(operation)
      if (fault?.status !== undefined) {
        const response = toProblemResponse(new ServiceError(fault.status, 'Injected fault'), instance)
        if (fault.status < 400) response.headers.set('Location', 'https://elsewhere.example/')
        return response
      }
      if (fault?.delay !== undefined) {
        const { delay } = fault
        const milliseconds = typeof delay === 'number' ? delay : (parseDuration(delay) ?? 0)
        await new Promise((resolve) => setTimeout(resolve, milliseconds))
      }
      const response = await perform()
      if (fault?.cut !== undefined) return await truncateResponse(response, fault.cut)
      if (fault?.garbage !== undefined) return garbageResponse(fault.garbage)
      if (fault?.drift !== undefined) return await driftResponse(response, fault.drift)
      return response
    },
  }
}

async function truncateResponse(response: Response, after: true | number): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const kept = bytes.slice(0, after === true ? Math.floor(bytes.length / 2) : after)
  let isSent = kept.length === 0
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull(controller) {
      if (isSent) controller.error(new Error('Response cut by a fault'))
      else controller.enqueue(kept)
      isSent = true
    },
  }
  // Fails only when the reader has taken the kept bytes and asks for more: a failure discards what waits in a queue.
  const body = new ReadableStream(source, { highWaterMark: 0 })
  const headers = new Headers(response.headers)
  // Promise more than arrives, so that no reader takes the part for the whole.
  headers.set('Content-Length', String(Math.max(bytes.length, kept.length + 1)))
  // A 204 has no body that could break off.
  return new Response(body, { status: response.status === 204 ? 200 : response.status, headers })
}

function garbageResponse(text: true | string): Response {
  if (text !== true) return new Response(text, { headers: { 'Content-Type': 'application/json' } })
  const page = '<!doctype html><title>Sign in</title><form><input type="password"></form>'
  return new Response(page, { headers: { 'Content-Type': 'text/html' } })
}

async function driftResponse(response: Response, kind: true | Drift): Promise<Response> {
  const { status, headers } = response
  if (!/json/.test(headers.get('content-type') ?? '')) return response
  const value: unknown = JSON.parse(await response.text())
  return Response.json(driftChanges[kind === true ? 'unknown_fields' : kind](value), { status })
}

const driftChanges: Readonly<Record<Drift, (value: unknown) => unknown>> = {
  unknown_fields: (value) =>
    everyObject(value, (object) => ({ ...object, internalUrl: 'https://internal.example/' })),
  unknown_values: (value) =>
    everyObject(value, (object) =>
      mapEntries(object, (key, field) =>
        /^(state|type|permission|@class)$/.test(key) && typeof field === 'string' ? 'SOMETHING_NEW' : field,
      ),
    ),
  missing_fields: (value) =>
    everyObject(value, (object) =>
      Object.fromEntries(Object.entries(object).filter(([key]) => /^(id|state|uuid|@class)$/.test(key))),
    ),
  nulls: (value) => everyObject(value, (object) => mapEntries(object, () => null)),
  retyped: (value) =>
    everyObject(value, (object) =>
      mapEntries(object, (_, field) =>
        typeof field === 'number' || typeof field === 'boolean' ? String(field) : field,
      ),
    ),
  reordered: (value) =>
    Array.isArray(value)
      ? [...(value as unknown[])].reverse()
      : everyObject(value, (object) => Object.fromEntries(Object.entries(object).reverse())),
}

function everyObject(
  value: unknown,
  change: (object: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((item) => everyObject(item, change))
  if (typeof value !== 'object' || value === null) return value
  return change(mapEntries(value as Record<string, unknown>, (_, field) => everyObject(field, change)))
}

function mapEntries(
  object: Record<string, unknown>,
  change: (key: string, value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]))
}
