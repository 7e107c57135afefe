import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import {
  browserOperations,
  type OperationForBrowsers,
} from '../../src/contract/services/browser-operations.ts'
import type { Operation, SampleFacts } from '../../src/contract/services/operation.ts'
import { type OperationName, operations } from '../../src/contract/services/operations.ts'
import type { Route } from '../../src/contract/routes/route.ts'
import { type BrowserOperation, routes } from '../../src/contract/routes/routes.ts'
import type { Environment } from '../../src/contract/values/values.ts'
import { scenarios } from '../../src/emulator/scenarios/index.ts'
import {
  type Send,
  type SendResponse,
  createFetchSend,
  type SendRequest,
} from '../../src/proxy/upstream/send.ts'
import { personaCookieName } from '../../src/proxy/identity/identity.ts'
import { people, setUp, type SetUp } from './mount.ts'

/** A request exactly as the proxy sent it. */
export type Sent = Pick<SendRequest, 'service' | 'method' | 'url' | 'headers'>

/** A call of a browser, parsed without any code of the proxy. */
export interface Call {
  readonly name: BrowserOperation
  /** Values of the placeholders, as in the path. */
  readonly params: Readonly<Record<string, string>>
  readonly search: URLSearchParams
}

/** Parses a path by comparing its segments. Returns `undefined` unless it matches a route exactly. */
export function callOf(method: string, path: string, search = ''): Call | undefined {
  const given = path.split('/')
  for (const [name, wanted] of segments[method] ?? []) {
    const isIt =
      wanted.length === given.length &&
      wanted.every((segment, index) =>
        segment.startsWith(':') ? isValue(segment.slice(1), given[index] ?? '') : segment === given[index],
      )
    if (!isIt) continue
    const params = wanted.flatMap((segment, index) =>
      segment.startsWith(':') ? [[segment.slice(1), given[index] ?? '']] : [],
    )
    return { name, params: Object.fromEntries(params) as Call['params'], search: new URLSearchParams(search) }
  }
  return undefined
}

/** Segments of every path, by method. */
const segments: Record<string, [BrowserOperation, string[]][]> = {}
for (const [name, { method, path }] of Object.entries<Route>(routes)) {
  ;(segments[method] ??= []).push([name as BrowserOperation, `/api/wf${path}`.split('/')])
}

/** Whether a value has the only valid form of its parameter. */
export function isValue(name: string, text: string): boolean {
  const isOf = (characters: string, most: number) =>
    text.length > 0 && text.length <= most && [...text].every((each) => characters.includes(each))
  if (name === 'univid') return isOf(digits, 12)
  if (name === 'officeKey') {
    const lengths = text.split('-').map((part) => part.length)
    return ['2', '2,4', '2,4,4'].includes(lengths.join()) && isOf(`${digits}-`, 12)
  }
  if (name === 'granteeClientId') return isOf(`${digits}${letters}${letters.toUpperCase()}-_`, 64)
  if (name === 'uuid' || name === 'fileAssetUuid') {
    const lengths = text.split('-').map((part) => part.length)
    return lengths.join() === '8,4,4,4,12' && isOf(`${digits}abcdef-`, 36)
  }
  return isId(text)
}

/** Whether a text is the only form of an id that a number can represent. */
export function isId(text: string): boolean {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 && String(id) === text
}

const digits = '0123456789'
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** Returns the other operations that a call may send to the services, and whether each uses bypass. */
function companions(name: BrowserOperation): readonly (readonly [OperationName, boolean])[] {
  const { rights }: OperationForBrowsers = browserOperations[name]
  if (name === 'getEntry')
    return [
      ['getEntry', true],
      ['getActions', false],
      ['getPackage', false],
    ]
  if (name === 'getActions')
    return [
      ['getStatus', false],
      ['getPackage', true],
    ]
  if (name === 'routePackage') return [['getPackage', false]]
  if (name === 'uploadAttachment') return [['getAttachmentTypes', false]]
  if (name === 'downloadAttachment') return [['getAttachments', false]]
  if (rights === 'canView') return [['getActions', false]]
  if (rights === 'canEdit' || rights === 'void')
    return [
      ['getActions', false],
      ['getPackage', false],
    ]
  if (name === 'createOverride' || name === 'deactivateOverride') {
    return [
      ['getPackage', true],
      ['getOverrides', true],
    ]
  }
  if (rights === 'tool' || rights === 'policy') return [['getPackage', true]]
  if (rights === 'owner' || rights === 'sharing') return [['getFileMeta', false]]
  return []
}

/** The user, the services and our credentials. */
export interface Setting {
  readonly univid: string
  readonly env?: Environment
  /** `Accept` header of the browser. */
  readonly accept?: string | null
  /** The file that the body names, if any. */
  readonly file?: string
  /** Id and secret of our client. */
  readonly credentials?: string
}

/**
 * Returns what is wrong with a request to a service, given the call of the browser. A correct request is the operation itself
 * or one that decides about it, at exactly its address, with exactly our headers.
 */
export function offence(sent: Sent, call: Call | undefined, setting: Setting): string | undefined {
  const label = `${sent.method} ${sent.url}`
  if (!call) return `${label}: nothing may be sent`
  const operation: OperationForBrowsers = browserOperations[call.name]
  const plans = [[call.name, operation.bypass === true] as const, ...companions(call.name)]
  const [address = '', ...search] = sent.url.split('?')
  const isBypassed = Object.hasOwn(sent.headers, 'x-workflow-bypass-authorization')
  const plan = plans.find(
    ([name, bypass]) =>
      bypass === isBypassed &&
      operations[name].method === sent.method &&
      addressOf(name, call, setting) === address,
  )
  if (!plan) return `${label}: not of ${call.name}`
  const [name, bypass] = plan
  if (!isSearch(name, search.join('?'), call)) return `${label}: the search is not of ${call.name}`

  const { service }: Operation = operations[name]
  const { 'x-request-id': requestId = '', 'content-type': type, ...headers } = sent.headers
  const own = operation.versions?.find((each) => setting.accept === versioned(each))
  // The rights come with the inboxes, which only this version of the status has.
  const accept = name === call.name ? own : name === 'getStatus' ? '1.2' : undefined
  const wanted = {
    'accept-encoding': 'identity',
    authorization: `Basic ${btoa(setting.credentials ?? 'demo-app:demo-secret')}`,
    accept: accept === undefined ? plainAccept(operations[name]) : versioned(accept),
    ...(service === 'workflow' && { 'x-workflow-request-user': setting.univid }),
    ...(bypass && { 'x-workflow-bypass-authorization': 'true' }),
  }
  if (written(headers) !== written(wanted)) return `${label}: headers ${written(headers)}`
  if (!isValue('uuid', requestId)) return `${label}: request id ${requestId}`
  const sends = name === call.name ? operation.requestBody : undefined
  const isType =
    sends === 'json'
      ? type === 'application/json'
      : sends === 'multipart'
        ? /^multipart\/form-data; boundary=[\w-]+$/.test(type ?? '')
        : type === undefined
  return isType ? undefined : `${label}: content type ${type}`
}

function addressOf(name: OperationName, { params, search }: Call, setting: Setting): string {
  const route: Operation = operations[name]
  const { env = 'test' } = setting
  const values: Readonly<Record<string, string | undefined>> = {
    env,
    // The package or the file that only the search parameters name.
    packageId: search.getAll('id')[0],
    uuid: search.get('fileAssetUuid') ?? setting.file,
    ...params,
  }
  const path = route.upstream.split('/').map((part) => (part.startsWith(':') ? values[part.slice(1)] : part))
  return `http://emulator.test/${route.service === 'workflow' ? 'wf' : `fs/${env}`}${path.join('/')}`
}

function isSearch(name: OperationName, given: string, { search }: Call): boolean {
  if (name === 'presignFile') {
    return given === 'expiresIn=60s' || (search.has('inline') && given === 'expiresIn=60s&inline=true')
  }
  if (name === 'getActions' || name === 'getStatus') {
    const ids = search.getAll('id')
    const named = given.split('&').map((part) => (part.startsWith('id=') ? part.slice(3) : ''))
    // The proxy requests rights with the id of the path only.
    return named.every((id) => isId(id) && (ids.length === 0 || ids.includes(id)))
  }
  if (name === 'revokeShare') return given === `fileAssetUuid=${search.get('fileAssetUuid')}`
  const passesSearch: readonly OperationName[] = [
    'getShares',
    'getPdf',
    'searchOffices',
    'findOffices',
    'getOfficeRoute',
  ]
  if (passesSearch.includes(name)) return given === search.toString()
  return given === ''
}

function versioned(version: string): string {
  return `application/vnd.workflow+json;version=${version}`
}

function plainAccept({ response }: Operation): string {
  if (response === 'file') return '*/*'
  return response === 'text' ? 'text/plain, application/json' : 'application/json'
}

function written(headers: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(headers).sort())
}

/** Creates a mount that records every request to a service. `via` forwards it, by default to the emulator. */
export function watch({ via, ...options }: SetUp & { readonly via?: Send } = {}) {
  const sent: SendRequest[] = []
  const mount = setUp({
    ...options,
    send: (request) => {
      sent.push(request)
      return send(request)
    },
  })
  const send = via ?? createFetchSend(mount.emulator.fetch)
  return { ...mount, sent }
}

/** A response of a service. */
export function jsonResponse(value: unknown, status = 200): SendResponse {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return {
    status,
    header: (name) => (name.toLowerCase() === 'content-type' ? 'application/pdf' : null),
    bytes: async () => new TextEncoder().encode(text),
    stream: () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        },
      }),
  }
}

/**
 * A service that allows everything, so that every request that passes the proxy's own checks is visible. `ids` are the ids of
 * all attachments.
 */
export function agreeable(ids: readonly number[] = [1]): Send {
  const rows = (of: (id: number) => object) => JSON.stringify(ids.map(of))
  const types = rows((id) => ({ id, mimeTypeRestrictions: { pdf: false } }))
  const attachments = rows((id) => ({ id, fileName: 'a.txt' }))
  return async ({ method, url }) => {
    const [path = '', search = ''] = url.split('?')
    const last = path.slice(path.lastIndexOf('/') + 1)
    const wantedIds = new URLSearchParams(search).getAll('id').map(Number)
    if (method === 'GET' && last === 'actions') return jsonResponse(wantedIds.map((id) => yes(id)))
    if (last === 'flat' || path.endsWith('/offices') || path.includes('/routes/')) return jsonResponse('[]')
    if (last === 'route') return jsonResponse({ routeId: 1 })
    if (method === 'GET' && last === 'status')
      return jsonResponse(wantedIds.map((id) => ({ id, state: 'ROUTING' })))
    if (last === 'types') return jsonResponse(types)
    if (last === 'attachments') return jsonResponse(attachments)
    if (last === 'history' || last === 'future_history' || last === 'comments' || last === 'overrides') {
      return jsonResponse('[]')
    }
    if (last === 'presign') return jsonResponse('http://emulator.test/objects/1')
    if (last === 'meta') return jsonResponse(ownFile(path.split('/').at(-2) ?? ''))
    return jsonResponse({ id: Number(/packages\/(\d+)/.exec(path)?.[1] ?? 1), state: 'ROUTING' })
  }
}

function yes(packageId: number): object {
  const flags = 'canView canEdit canSign canVoid canInitiatorVoid canAddApprover canVoidAfter'.split(' ')
  return { ...Object.fromEntries(flags.map((flag) => [flag, true])), packageId, signatureId: null }
}

function ownFile(uuid: string): object {
  return { uuid, filename: 'a.txt', metadata: { 'routeslip-owner': people.administrator } }
}

const override = {
  subjectUnivid: people.firstApprover,
  type: 'DELEGATE',
  reason: 'CONFLICT_OF_INTEREST',
  replacementUnivid: people.outsider,
} as const
export const sampleUuid = '00000000-0000-4000-8000-000000000000'

/** Changes to package 42 with which the sample of an operation succeeds. */
const found: Readonly<Partial<Record<BrowserOperation, object>>> = {
  routePackage: { state: 'PRE_ROUTING', initiator: people.administrator },
  getEntry: { initiator: people.administrator },
  unvoidPackage: { state: 'VOID', heldState: 'ROUTING' },
  returnPackage: { state: 'COMPLETE' },
  reinitiatePackage: { state: 'PRE_ROUTING', isRemoved: true },
  deactivateOverride: { overrides: [override] },
  deleteLock: { lock: 1 },
}

/** Values of the placeholders in the samples. */
export const sampleValues: Readonly<Record<string, string>> = {
  formId: '6025',
  packageId: '42',
  attachmentTypeId: '3',
  attachmentId: '1',
  lockId: '1',
  univid: people.firstApprover,
  uuid: sampleUuid,
  granteeClientId: 'partner-app',
  officeKey: '05-0333',
  routeId: '701',
}

function sampleFacts(): SampleFacts {
  return {
    packageId: 42,
    entry: scenarios.small().packages.test.get(42)!.entry,
    approver: people.firstApprover,
    stranger: people.outsider,
    uuid: sampleUuid,
    grantee: 'partner-app',
  }
}

/** Returns the path of an operation with these values, without any validation. */
export function addressFor(name: BrowserOperation, values = sampleValues): string {
  return routes[name].path.replace(/:(\w+)/g, (_, placeholder: string) => values[placeholder] ?? '')
}

/** Returns a body with the required part of an upload, and its media type. */
export const uploadType = 'multipart/form-data; boundary=corpus'
export const uploadBody =
  '--corpus\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n' +
  'Content-Type: text/plain\r\n\r\nhello\r\n--corpus--\r\n'

/** Headers that a browser adds to a request. */
export interface Added {
  readonly as?: string
  readonly values?: Readonly<Record<string, string>>
  readonly headers?: readonly (readonly [string, string])[]
  readonly search?: string
}

/** Returns a request for the sample of an operation, with additions. */
export function requestFor(
  name: BrowserOperation,
  { as = people.administrator, values = sampleValues, headers = [], search = '' }: Added,
): Request {
  const { requestBody, sample }: OperationForBrowsers = browserOperations[name]
  const { query, body } = sample?.(sampleFacts()) ?? {}
  const json = requestBody === 'json' ? body : undefined
  const upload = requestBody === 'multipart'
  const address = `https://northfield.test/api/wf${addressFor(name, values)}`
  const cookie = `${personaCookieName}=${as}`
  const sent = new Headers({ cookie, 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' })
  if (json !== undefined) sent.set('content-type', 'application/json')
  if (upload) sent.set('content-type', uploadType)
  for (const [header, value] of headers) sent.append(header, value)
  const joined = [`${new URLSearchParams(query)}`, search].filter((part) => part !== '').join('&')
  return new Request(`${address}${joined && `?${joined}`}`, {
    method: routes[name].method,
    headers: sent,
    body: json === undefined ? (upload ? uploadBody : null) : JSON.stringify(json),
  })
}

/** Puts the services into the state in which the sample of an operation succeeds. */
export function prepare({ emulator }: Pick<ReturnType<typeof setUp>, 'emulator'>) {
  const first = structuredClone(emulator.packages.test.get(42)!)
  return async (name: BrowserOperation) => {
    await emulator.objects.put('sample', new Blob(['hello']).stream())
    const attachment = {
      ...{ id: 1, type: 3, fileName: 'a.txt', description: '', contentType: 'text/plain', fileSize: 5 },
      ...{ person: people.initiator, uploadTimestamp: '2026-11-16T09:42:12', object: 'sample' },
    }
    emulator.packages.test.set(42, {
      ...structuredClone(first),
      attachments: [attachment],
      ...found[name],
    })
    emulator.files.test.set(sampleUuid, {
      asset: {
        ...{ uuid: sampleUuid, filename: 'a.txt', fileSize: 5, contentType: 'text/plain' },
        ...{ uploadDate: '2026-11-16T09:42:12.000000', expirationDate: null },
        metadata: { 'routeslip-owner': people.administrator },
      },
      ...{ owner: 'demo-app', object: 'sample', uploadedAt: Date.now(), expiresAt: null, isDeleted: false },
    })
    emulator.shares.test.clear()
    if (name !== 'revokeShare') return
    emulator.shares.test.set(`demo-app partner-app ${sampleUuid}`, {
      ...{ ownerClientId: 'demo-app', granteeClientId: 'partner-app', fileAssetUuid: sampleUuid },
      ...{ type: 'SINGLE_FILE', createdAt: '2026-11-16T09:42:12' },
    })
  }
}

/** A raw response of a server. Status 0 means that the connection ended without a response. */
export interface RawAnswer {
  readonly status: number
  readonly text: string
}

/** Sends raw bytes to a server of this machine and reads until the server ends the connection. */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const done = () => {
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text })
    }
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('end', done)
    // A server that refuses may end the connection before it has read everything.
    socket.on('error', done)
    socket.write(bytes)
  })
}

/** Starts a server on a free port of this machine. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Runs a function for each item, with limited concurrency. */
export async function forEachOf<T>(
  all: readonly T[],
  atOnce: number,
  act: (each: T) => Promise<void>,
): Promise<void> {
  const rest = all[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const each of rest) await act(each)
    }),
  )
}

/** Returns a generator of reproducible numbers below 1. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
