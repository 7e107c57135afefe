import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { serveEmulator } from '../../src/cli/emulator/emulator.ts'
import type { Operation } from '../../src/contract/services/operation.ts'
import { type OperationName, operations } from '../../src/contract/services/operations.ts'
import { fillPath } from '../../src/contract/values/path.ts'
import { acceptVersion } from '../../src/contract/values/headers.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { people } from '../../src/emulator/scenarios/small.ts'
import type { Section } from './sections.ts'

export { people }

/** Secrets of the clients in all scenarios. */
export const secrets: Readonly<Record<string, string>> = {
  'demo-app': 'demo-secret',
  'partner-app': 'partner-secret',
  'storage-admin': 'admin-secret',
}

/** Options of a call. Defaults: form 6025, package 42, environment `test`. */
export interface Call {
  readonly env?: 'test' | 'prod'
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number | readonly (string | number)[]>>
  /** JSON body. For an upload: its `meta` or `description`. */
  readonly body?: unknown
  readonly file?: File
  /** Request user. Default: the initiator. Null omits the header. */
  readonly user?: string | null
  readonly bypass?: boolean
  /** Id of the client whose credentials are sent. Default `demo-app`. Null sends none. */
  readonly client?: string | null
  readonly version?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A response with its whole body. */
export interface SystemResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** The body as JSON, or `undefined` if it is not valid JSON. */
  readonly json: unknown
}

/** Both services, in process or over HTTP. Tests reach them only through requests. */
export interface System {
  /** Calls an operation of the contract. */
  readonly call: (name: OperationName, call?: Call) => Promise<SystemResponse>
  /** Calls an operation, asserts success and returns its JSON. */
  readonly ok: <T = unknown>(name: OperationName, call?: Call) => Promise<T>
  /** Calls an operation and asserts that it fails with this status. */
  readonly refused: (status: number, name: OperationName, call?: Call) => Promise<SystemResponse>
  /** Calls the control API, asserts success and returns its JSON. `path` is below `/_emulator`. */
  readonly control: <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>
  /** Sends any request. `path` begins at the root or is a whole URL. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<SystemResponse>
}

type Transport = (path: string, init?: RequestInit) => Promise<Response>

/** A test of one sentence of the spec. */
interface Sentence {
  readonly section: Section
  readonly title: string
  readonly run: (system: System) => Promise<void>
}

/**
 * Registers sentences of a section of the spec as tests. Each runs twice, on a system in the scenario `small`: against
 * `createEmulator().fetch` and against the server over HTTP.
 */
export function describeSection(
  section: Section,
  define: (it: (title: string, run: Sentence['run']) => void) => void,
): void {
  if (sentences.length === 0) queueMicrotask(register)
  define((title, run) => sentences.push({ section, title, run }))
}

const sentences: Sentence[] = []

function register(): void {
  describe('createEmulator().fetch', () => {
    for (const { section, title, run } of sentences) {
      it(`${section}: ${title}`, async () => {
        const emulator = createEmulator({ control: true })
        await run(systemOver((path, init) => emulator.fetch(new URL(path, 'http://emulator.test'), init)))
      })
    }
  })

  describe('routeslip emulator, over HTTP', () => {
    let server: Awaited<ReturnType<typeof serveEmulator>>
    before(async () => {
      server = await serveEmulator({ port: 0 })
    })
    after(() => server.close())

    for (const { section, title, run } of sentences) {
      it(`${section}: ${title}`, async () => {
        const system = systemOver((path, init) => fetch(new URL(path, server.services.url), init))
        await system.control('POST', '/reset', { scenario: 'small' })
        await run(system)
      })
    }
  })
}

/** Creates a `System` over a transport. */
export function systemOver(transport: Transport): System {
  const system: System = {
    async fetch(path, init) {
      const response = await transport(path, init)
      const bytes = new Uint8Array(await response.arrayBuffer())
      const text = new TextDecoder().decode(bytes)
      return { status: response.status, headers: response.headers, bytes, text, json: parse(text) }
    },

    call(name, { env = 'test', params, query = {}, body, file, ...rest } = {}) {
      const operation: Operation = operations[name]
      const { user = people.initiator, client = 'demo-app', bypass, version } = rest
      const root = operation.service === 'workflow' ? '/wf' : `/fs/${env}`
      const path = fillPath(operation.upstream, { env, formId: 6025, packageId: 42, ...params })
      const search = new URLSearchParams(
        Object.entries(query).flatMap(([key, value]) => [value].flat().map((each) => [key, String(each)])),
      )
      const headers: Record<string, string> = {
        ...(client !== null && { Authorization: `Basic ${btoa(`${client}:${secrets[client] ?? 'wrong'}`)}` }),
        ...(operation.service === 'workflow' && user !== null && { 'x-workflow-request-user': user }),
        ...(bypass !== undefined && { 'x-workflow-bypass-authorization': String(bypass) }),
        ...(version !== undefined && { Accept: acceptVersion(version) }),
        ...(operation.requestBody === 'json' && { 'Content-Type': 'application/json' }),
        ...rest.headers,
      }
      return system.fetch(`${root}${path}${search.size > 0 ? `?${search}` : ''}`, {
        method: operation.method,
        headers,
        ...(operation.requestBody === 'json' && { body: JSON.stringify(body) }),
        ...(operation.part && { body: multipart(operation.part, file ?? textFile(), body) }),
      })
    },

    async ok<T>(name: OperationName, call?: Call) {
      const response = await system.call(name, call)
      assert.ok(
        response.status >= 200 && response.status < 300,
        `${name}: ${response.status} ${response.text}`,
      )
      return response.json as T
    },

    async refused(status, name, call) {
      const response = await system.call(name, call)
      assert.equal(response.status, status, `${name}: ${response.text}`)
      return response
    },

    async control<T>(method: string, path: string, body?: unknown) {
      const response = await system.fetch(`/_emulator${path}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      assert.equal(response.status, 200, `${method} ${path}: ${response.text}`)
      return response.json as T
    },
  }
  return system
}

/** Creates a text file, by default with five bytes. */
export function textFile(name = 'hello.txt', type = 'text/plain', content: BlobPart = 'hello'): File {
  return new File([content], name, { type })
}

function multipart(part: 'meta' | 'description', file: File, body: unknown): FormData {
  const form = new FormData()
  form.append('file', file)
  if (body === undefined) return form
  if (part === 'description') form.append(part, body as string)
  else form.append(part, new Blob([JSON.stringify(body)], { type: 'application/json' }))
  return form
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns an entry with all fields of form 6025. Optional fields are null unless `values` has them. */
export function travelEntry(values: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    purpose: 'Field work',
    departure: '2026-12-07',
    website: null,
    contact: null,
    nights: null,
    cost: 100,
    notice: null,
    traveler: null,
    org: null,
    department: null,
    sub_department: null,
    position: null,
    ...values,
  }
}

/** Completes package 42: uploads its required attachment and gives all signatures. */
export async function complete(system: System): Promise<void> {
  await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 }, user: 'demo-app' })
  await sign(system, people.firstApprover)
  await sign(system, people.secondApprover)
}

/** Signs a package, by default 42, as in the screens of the service. */
export async function sign(system: System, univid: string, packageId = 42, formId = 6025): Promise<void> {
  await system.control('POST', `/test/forms/${formId}/packages/${packageId}/sign`, { univid })
}

/** A callback that a receiver got. */
export interface ReceivedCallback {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The body, byte for byte. */
  readonly body: Buffer
  readonly json: Record<string, unknown>
}

/** An application's callback URL on this machine. */
export interface Receiver {
  readonly url: string
  readonly received: ReceivedCallback[]
  /** Status of the response. Null sends no response. */
  status: number | null
  /** Headers of the response. */
  answerHeaders: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

/** Opens a callback URL while `run` runs. */
export async function withReceiver(run: (receiver: Receiver) => Promise<void>): Promise<void> {
  const received: ReceivedCallback[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      received.push({
        method: request.method,
        headers: request.headers,
        body,
        json: JSON.parse(body.toString()) as Record<string, unknown>,
      })
      if (receiver.status !== null) response.writeHead(receiver.status, receiver.answerHeaders).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    received,
    status: 200,
    answerHeaders: {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  try {
    await run(receiver)
  } finally {
    await receiver.close()
  }
}

/** All documented fields of a package. */
export const packageFields = [
  'actionDate',
  'actions',
  'attachmentCount',
  'commentCount',
  'emailContent',
  'id',
  'initiator',
  'routingDate',
  'state',
  'subType',
  'voidReason',
]

/** The initiator of package 42 in the directory. */
export const initiatorOf42 = {
  id: 501,
  displayName: 'Amara Okafor',
  hrdeptdesc: 'Biology',
  collegeName: 'College of Sciences',
  personType: 'EMPLOYEE',
  title: 'Associate Professor',
  univid: people.initiator,
  email: 'amara-okafor@northfield.example',
  campusPostalAddress: null,
  officePhone: null,
}
