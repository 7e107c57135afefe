import { z } from 'zod'
import { parseDuration } from '../../contract/duration.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import { toProblemResponse, ServiceError } from '../http/service-error.ts'

/** How an answer may drift away from the contract. */
const drifts = [
  'unknown_fields',
  'unknown_values',
  'missing_fields',
  'nulls',
  'retyped',
  'reordered',
] as const
type Drift = (typeof drifts)[number]

/** Longest delay, in milliseconds. */
const maxDelay = 3_600_000

function inRange(milliseconds = -1): boolean {
  return milliseconds >= 0 && milliseconds <= maxDelay
}

const FaultDelay = z.union([
  z.number().nonnegative().max(maxDelay),
  z.string().refine((text) => inRange(parseDuration(text)), {
    error: 'expected milliseconds, or a duration such as "2s", of an hour at most',
  }),
])

/** Something that goes wrong with the next calls of one operation: exactly one of the five ways. */
export const Fault = z
  .strictObject({
    /** Name of an operation of the contract's table, `download` for a presigned link, or `*` for any. */
    operation: z.enum([...(Object.keys(operations) as OperationName[]), 'download', '*'] as const, {
      error: 'expected the name of an operation, "download" or "*"',
    }),
    /** How many calls it hits. */
    times: z.number().int().positive().default(1),
    /** Answers this error, or redirects elsewhere, and does nothing. */
    status: z.number().int().min(300).max(599).optional(),
    /** Waits so long, in milliseconds or as a duration, then goes on as usual. */
    delay: FaultDelay.optional(),
    /** Does what was asked, then breaks the answer off after so many bytes; `true`: in its middle. */
    cut: z.union([z.literal(true), z.number().int().nonnegative()]).optional(),
    /** Does what was asked, then answers this text in place of the real one; `true`: a login page. */
    garbage: z.union([z.literal(true), z.string()]).optional(),
    /** Does what was asked, then answers something that the contract does not quite allow; `true`: with unknown fields. */
    drift: z.union([z.literal(true), z.enum(drifts)]).optional(),
  })
  .refine((fault) => faultKinds.filter((kind) => fault[kind] !== undefined).length === 1, {
    error: `must name exactly one of status, delay, cut, garbage, drift`,
  })
export type Fault = z.output<typeof Fault>

/** Ways in which a fault goes wrong. */
export const faultKinds = ['status', 'delay', 'cut', 'garbage', 'drift'] as const

/** Faults that wait for their call. */
export interface Faults {
  readonly list: () => readonly Fault[]
  readonly add: (faults: readonly Fault[]) => void
  readonly clear: () => void
  /** Answers a call of an operation, through the first fault that is meant for it. */
  readonly through: (
    operation: string,
    instance: string,
    answer: () => Promise<Response>,
  ) => Promise<Response>
}

/** Creates an empty list of faults. */
export function createFaults(): Faults {
  let waiting: Fault[] = []

  function take(operation: string): Fault | undefined {
    const fault = waiting.find((each) => each.operation === operation || each.operation === '*')
    if (!fault) return undefined
    fault.times--
    waiting = waiting.filter(({ times }) => times > 0)
    return fault
  }

  return {
    list: () => waiting,
    add: (faults) => {
      waiting = [...waiting, ...faults.map((fault) => ({ ...fault }))]
    },
    clear: () => {
      waiting = []
    },

    async through(operation, instance, answer) {
      const fault = take(operation)
      if (fault?.status !== undefined) {
        const response = toProblemResponse(
          new ServiceError(fault.status, 'A fault that was asked for'),
          instance,
        )
        if (fault.status < 400) response.headers.set('Location', 'https://elsewhere.example/')
        return response
      }
      if (fault?.delay !== undefined) {
        const { delay } = fault
        const milliseconds = typeof delay === 'number' ? delay : (parseDuration(delay) ?? 0)
        await new Promise((resolve) => setTimeout(resolve, milliseconds))
      }
      const response = await answer()
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
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!isSent) {
        isSent = true
        controller.enqueue(kept)
        return
      }
      // A server that looks ahead would answer an error of its own, had it not begun to answer.
      await new Promise((resolve) => setTimeout(resolve, 20))
      controller.error(new Error('Cut by a fault'))
    },
  })
  const headers = new Headers(response.headers)
  // More than will come, so that nobody takes what has come for the whole.
  headers.set('Content-Length', String(Math.max(bytes.length, kept.length + 1)))
  // 204 allows no body that could break off.
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
  return Response.json(changes[kind === true ? 'unknown_fields' : kind](value), { status })
}

const changes: Readonly<Record<Drift, (value: unknown) => unknown>> = {
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
