import type { z } from 'zod'
import { browserOperations, type OperationForBrowsers } from '../contract/browser-operations.ts'
import { createOpenapi } from './openapi.ts'
import { type OwnOperation, ownRoutes } from '../contract/own-routes.ts'
import { matchPath } from '../contract/path.ts'
import { parseQuery } from '../contract/parse-query.ts'
import { acceptVersion, personHeader } from '../contract/headers.ts'
import { isUnivid } from '../contract/patterns.ts'
import type { BrowserOperation } from '../contract/routes.ts'
import type { Session } from '../contract/session.ts'
import type { FileAsset, UpdateMetaBody } from '../contract/storage.ts'
import { type Environment, maxFileSize as defaultMaxFileSize } from '../contract/values.ts'
import { checked, readBody } from './body.ts'
import type { Bus } from './live/bus.ts'
import { downloadFile } from './files/download.ts'
import type { Identify, Identity } from './identity/identity.ts'
import { leavingOf } from './connection.ts'
import { type CallbackOptions, createLiveUpdates } from './live/live-updates.ts'
import type { Log } from './log.ts'
import { changeToSend, fileForBrowser } from './files/metadata.ts'
import type { Metrics } from './metrics.ts'
import type { Policy } from './rights/policy.ts'
import { baseHeaders, problem, ProxyError, type Respond, respondPlainly } from './problem.ts'
import { type OperationRequest, createAuthorizer } from './rights/authorizer.ts'
import type { Scan } from './files/scan.ts'
import type { DedupeStore } from './callbacks/dedupe-store.ts'
import { type Send, createFetchSend } from './send.ts'
import { createCsrfGuard, type Site } from './csrf.ts'
import { type ReadUpload, readUploadWhole } from './files/read-upload.ts'
import { uploadFile } from './files/upload.ts'
import { createUpstream, type Service, type UpstreamCall } from './upstream.ts'

export interface ProxyOptions {
  /** Deployment that this mount serves. The browser never names it. */
  readonly env: Environment
  /** Ids of the forms that this mount serves. Packages of others do not exist here. */
  readonly forms: readonly number[]
  /** The workflow routing service. */
  readonly workflow: Service
  /** The file storage service, and the origins to which its download links may lead. */
  readonly storage: Service & { readonly objectOrigins: readonly string[] }
  /** Tells who makes a request. Nobody: 401. */
  readonly identify: Identify
  /** Rules of the host that widen rights. Default: none, so that everything undecided is denied. */
  readonly policy?: Policy
  /** Names of the operations to serve. Default: all but those on overrides, locks and shares. */
  readonly operations?: readonly BrowserOperation[]
  /** Path below which the proxy is mounted. Default `/api/wf`. */
  readonly basePath?: string
  /** Origins besides the own one whose pages may call, such as `https://forms.example.edu`. Default: none. */
  readonly origins?: readonly string[]
  readonly limits?: ProxyLimits
  /** Sends requests to the services. Default: over `fetch`; `proxy/node` has a faster one. */
  readonly send?: Send
  /** What requests are sent with where there is no `send`. Defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Makes the response of a text. Default: `Response`; `proxy/node` has one that costs Node less. */
  readonly respond?: Respond
  /**
   * Calls `done` when the answer to a request has been sent, so that one that nobody reads counts as under way. Default:
   * at once; `proxy/node` knows.
   */
  readonly onSent?: (request: Request, done: () => void) => void
  /** Reads uploads. Default: whole, in memory; `proxy/node` reads them as a stream. */
  readonly readUpload?: ReadUpload
  /** Looks for harmful content in uploads. Where it fails, so does the upload. Default: none. */
  readonly scan?: Scan
  /**
   * Tells where a request comes from. Default: what `Sec-Fetch-Site` says. A handler that runs inside the page itself,
   * where no such header exists, answers `same-origin`.
   */
  readonly site?: (request: Request) => Site | null
  /** Writes down what an operator should know. Default: nowhere. */
  readonly log?: Log
  /** Counts. Default: not, and `/metrics` is not there. */
  readonly metrics?: Metrics
  /** Carries live events. Default: inside this process; `proxy/node` has one for several. */
  readonly bus?: Bus
  /** Remembers callbacks. Default: inside this process. */
  readonly dedupeStore?: DedupeStore
  readonly callbacks?: CallbackOptions
}

export interface ProxyLimits {
  /** Largest file that may be uploaded, in bytes. Default 50 MB. */
  readonly maxFileSize?: number
  /** Extensions that may be uploaded, without the dot. Default null: any. */
  readonly extensions?: readonly string[] | null
  /** How long a stored file may live, in seconds. Default null: as long as the service keeps it. */
  readonly maxExpiresIn?: number | null
  /** How long a download link lives, in seconds, 1 to 60. Default 60. */
  readonly linkSeconds?: number
  /** Most milliseconds to wait for an answer of a service. Default 8000. */
  readonly timeout?: number
  /** Most milliseconds to wait for a scanner, after the last byte of a file. Default 60 000. */
  readonly scanTimeout?: number
  /** Largest answer to read from a service as a whole, in bytes. Default 16 MB. */
  readonly maxAnswerSize?: number
  /** Most requests of one person at a time. Default 50. */
  readonly requestsPerPerson?: number
  /** Most uploads and downloads of one person at a time. Default 8. */
  readonly filesPerPerson?: number
  /** Most streams of live events of one person. Default 6. */
  readonly streamsPerPerson?: number
  /** Most streams of live events in this process. Default 5000. */
  readonly streams?: number
}

/** A fetch handler. */
export interface Proxy {
  (request: Request): Promise<Response>
  /** Ends live streams and timers. Requests are still answered. */
  readonly close: () => Promise<void>
}

/** Operations that a mount serves only where its host says so. */
const notByDefault: readonly BrowserOperation[] = [
  'createOverride',
  'getOverrides',
  'deactivateOverride',
  'deleteLock',
  'createShare',
  'getShares',
  'revokeShare',
]

const own = Object.entries(ownRoutes) as [OwnOperation, (typeof ownRoutes)[OwnOperation]][]
const allOperations = Object.keys(browserOperations) as BrowserOperation[]

/** Creates the fetch handler that stands between browsers and both services, for one environment. */
export function createProxy({
  env,
  forms,
  workflow,
  storage,
  identify,
  policy,
  operations = allOperations.filter((name) => !notByDefault.includes(name)),
  basePath = '/api/wf',
  origins = [],
  limits: {
    maxFileSize = defaultMaxFileSize,
    extensions = null,
    maxExpiresIn = null,
    linkSeconds = 60,
    timeout = 8000,
    scanTimeout = 60_000,
    maxAnswerSize = 16 * 1024 * 1024,
    requestsPerPerson = 50,
    filesPerPerson = 8,
    streamsPerPerson = 6,
    streams = 5000,
  } = {},
  fetch = globalThis.fetch.bind(globalThis),
  send = createFetchSend(fetch),
  respond = respondPlainly,
  onSent = (_, done) => done(),
  readUpload = readUploadWhole,
  scan,
  site = (request) => request.headers.get('sec-fetch-site') as Site | null,
  log = () => {},
  metrics,
  bus,
  dedupeStore,
  callbacks = {},
}: ProxyOptions): Proxy {
  if (!(linkSeconds >= 1 && linkSeconds <= 60)) throw new RangeError('linkSeconds must lie between 1 and 60')
  const guard = createCsrfGuard(origins, site)
  const services = { workflow, storage }
  const upstream = createUpstream({ env, services, send, log, metrics, timeout, maxAnswerSize })
  const rights = createAuthorizer(upstream, policy)
  const live = createLiveUpdates({
    ...{ env, forms, upstream, rights, bus, dedupeStore, callbacks, streamsPerPerson, streams, log, metrics },
  })
  const uploads = { read: readUpload, maxFileSize, extensions, maxExpiresIn, scan, scanTimeout, log }
  const served = operations.map((name) => [name, browserOperations[name] as OperationForBrowsers] as const)
  const slots = createSlots(requestsPerPerson)
  const fileSlots = createSlots(filesPerPerson)
  let openapi: string | undefined

  async function handle(request: Request): Promise<Response> {
    const requestId = crypto.randomUUID()
    const start = performance.now()
    const found = find(request)
    let response: Response
    try {
      response = await answer(request, found, requestId)
    } catch (error) {
      response = problem(errorOf(request, error, requestId), requestId, respond)
    }
    metrics?.request(found?.name ?? 'unknown', response.status, (performance.now() - start) / 1000)
    return guard.readable(request, response)
  }

  function errorOf(request: Request, error: unknown, requestId: string): ProxyError {
    if (error instanceof ProxyError) {
      if (error.status === 403) metrics?.count('right_denied')
      return error
    }
    if (leavingOf(request).aborted) return new ProxyError(400, 'The request was broken off.')
    log('error', 'The proxy failed', { requestId, error: String(error) })
    return new ProxyError(500, 'The proxy failed. Its operator can find out why.')
  }

  function find(request: Request): Found | undefined {
    const { method } = request
    const path = pathOf(request)
    if (!path.startsWith(`${basePath}/`)) return undefined
    const below = path.slice(basePath.length)
    for (const [name, route] of own) {
      if (route.method === method && route.path === below) return { isOwn: true, name }
    }
    for (const [name, operation] of served) {
      const params = operation.method === method ? matchPath(operation.path, below) : undefined
      if (params) return { isOwn: false, name, operation, params }
    }
    return undefined
  }

  async function answer(request: Request, found: Found | undefined, requestId: string): Promise<Response> {
    if (request.method === 'OPTIONS') return guard.preflight(request)
    if (!found) throw new ProxyError(404, 'There is no such operation.')
    if (found.isOwn && ownRoutes[found.name].for === 'anyone') {
      return await answerAnyone(found.name, request)
    }

    guard.check(request, !found.isOwn && isNavigation(found.operation))
    const person = await identify(request)
    if (!person || !isPerson(person)) throw new ProxyError(401, 'Sign in to go on.')
    if (found.isOwn) return found.name === 'getEvents' ? live.open(request, person) : session(request, person)

    const { requestBody, response } = found.operation
    const isFile = requestBody === 'multipart' || response === 'file'
    const release = (isFile ? fileSlots : slots).take(person.univid)
    try {
      return await operate(request, found, person, requestId)
    } finally {
      onSent(request, release)
    }
  }

  async function answerAnyone(name: OwnOperation, request: Request): Promise<Response> {
    if (name === 'receiveCallback') return await live.receiveCallback(request)
    if (name === 'getHealth') return json({ status: 'ok' })
    if (name === 'getOpenapi') return jsonText((openapi ??= JSON.stringify(createOpenapi({ basePath }))))
    if (!metrics) throw new ProxyError(404, 'There is no such operation.')
    const { type, text } = await metrics.read()
    return respond(text, { headers: { ...baseHeaders, 'Content-Type': type } })
  }

  function session(request: Request, { univid }: Identity): Response {
    refuseSearch(request)
    const value: Session = {
      univid,
      env,
      forms: [...forms],
      allows: { operations: [...operations], maxFileSize, extensions: extensions && [...extensions] },
    }
    return json(value, univid)
  }

  /** A person and never the application: a client id would act with all of its rights (spec, Authentication 2). */
  function isPerson({ univid }: Identity): boolean {
    // Hosts write in JavaScript too: a number would read like an id and differ from every client id.
    return isUnivid(univid) && univid !== workflow.clientId && univid !== storage.clientId
  }

  async function operate(
    request: Request,
    { name, operation, params }: FoundOperation,
    person: Identity,
    requestId: string,
  ): Promise<Response> {
    if ('formId' in params && !forms.includes(Number(params['formId']))) {
      throw new ProxyError(404, 'This site does not serve that form.')
    }
    const signal = leavingOf(request)
    const accept = operation.versions && request.headers.get('accept')
    const version = operation.versions?.find((known) => accept === acceptVersion(known))
    if (!operation.query) refuseSearch(request)
    const asked: OperationRequest = {
      name,
      operation,
      params,
      person,
      requestId,
      signal,
      query: operation.query && checkedQuery(operation.query, request),
      body:
        operation.requestBody === 'json'
          ? await readBody(request, name, operation, version, params)
          : undefined,
    }
    const { query, file } = await rights.authorize(asked)
    const call: UpstreamCall = {
      params,
      query,
      version,
      as: person,
      requestId,
      signal,
      bypass: operation.bypass === true,
      body: asked.body === undefined ? undefined : { json: asked.body },
    }

    if (name === 'getActions') return json(await rights.allowedActions(asked), person.univid)
    if (name === 'getFileMeta' && file) return json(fileForBrowser(file), person.univid)
    if (name === 'presignFile') return await redirect(call)
    if (operation.response === 'file') return await downloadFile({ ...asked, query }, upstream)
    if (operation.rights === 'canView' && idsOf(query).length === 0) return json([], person.univid)

    const isRead = operation.method === 'GET'
    const result = await (isRead ? upstream.call(name, call) : performAndNote(request, asked, call, file))
    if (operation.response === 'nothing') return new Response(null, { status: 204, headers: baseHeaders })
    if (operation.rights === 'canView') return json(onlyIds(result, idsOf(query)), person.univid)
    return json(name === 'uploadFile' || file ? fileForBrowser(result as FileAsset) : result, person.univid)
  }

  /** A change that may have been carried out is noted, whether or not anybody has waited for the answer. */
  async function performAndNote(
    request: Request,
    asked: OperationRequest,
    call: UpstreamCall,
    file: FileAsset | undefined,
  ): Promise<unknown> {
    let isRefused = false
    let isDone = false
    try {
      const result = await perform(request, asked, call, file)
      isDone = true
      return result
    } catch (error) {
      isRefused = error instanceof ProxyError && error.status < 500 && !asked.signal.aborted
      throw error
    } finally {
      if (!isRefused) noteChange(asked, isDone)
    }
  }

  async function perform(
    request: Request,
    asked: OperationRequest,
    call: UpstreamCall,
    file: FileAsset | undefined,
  ): Promise<unknown> {
    if (asked.operation.requestBody === 'multipart')
      return await uploadFile(request, asked, upstream, uploads)
    if (asked.name === 'updateFileMeta' && file) {
      const change = changeToSend(asked.body as UpdateMetaBody, file, maxExpiresIn)
      return await upstream.call(asked.name, { ...call, body: { json: change } })
    }
    return await upstream.call(asked.name, call)
  }

  /** Who has changed what goes into the log, and to the browsers that show it. */
  function noteChange(
    { name, params, person: { univid }, requestId }: OperationRequest,
    isDone: boolean,
  ): void {
    log(isDone ? 'info' : 'warn', isDone ? name : `${name}: it is not known whether it was carried out`, {
      ...params,
      univid,
      requestId,
    })
    const { formId, packageId } = params
    if (formId && packageId) live.announceChange({ formId: Number(formId), packageId: Number(packageId) })
  }

  async function redirect(call: UpstreamCall): Promise<Response> {
    const query = { expiresIn: `${linkSeconds}s` }
    const link = new URL(String(await upstream.call('presignFile', { ...call, query })))
    // The origin of a `blob:` address is that of the page it belongs to.
    const isPlain = /^https?:$/.test(link.protocol) && !link.username && !link.password
    if (!isPlain || !storage.objectOrigins.includes(link.origin)) {
      log('error', 'presignFile: the link leads to an origin that is not configured', { origin: link.origin })
      throw new ProxyError(502, 'The service gave an unexpected answer. Try again in a moment.')
    }
    return new Response(null, { status: 303, headers: { ...baseHeaders, Location: link.href } })
  }

  /** `univid`: whom the answer is for. */
  function json(value: unknown, univid?: string): Response {
    return jsonText(JSON.stringify(value), univid)
  }

  function jsonText(text: string, univid?: string): Response {
    // Small reads are many, and to spread a second object costs much more than to write a field.
    const headers: Record<string, string> = { ...baseHeaders, 'Content-Type': 'application/json' }
    if (univid !== undefined) headers[personHeader] = univid
    return respond(text, { headers })
  }

  return Object.assign(handle, {
    close: async () => {
      await live.close()
    },
  })
}

/** Lets each person have so many of something at a time. */
function createSlots(perPerson: number): { readonly take: (univid: string) => () => void } {
  const taken = new Map<string, number>()
  return {
    take(univid) {
      const before = taken.get(univid) ?? 0
      if (before >= perPerson) {
        throw new ProxyError(429, 'There are too many requests at once. Try again in a moment.', {
          retryAfter: 1,
        })
      }
      taken.set(univid, before + 1)
      return () => {
        const left = (taken.get(univid) ?? 1) - 1
        if (left > 0) taken.set(univid, left)
        else taken.delete(univid)
      }
    },
  }
}

/** What a request asks for: something of the proxy's own, or an operation of a service. */
type Found = { readonly isOwn: true; readonly name: OwnOperation } | FoundOperation

interface FoundOperation {
  readonly isOwn: false
  readonly name: BrowserOperation
  readonly operation: OperationForBrowsers
  readonly params: Readonly<Record<string, string | number>>
}

function isNavigation({ response }: OperationForBrowsers): boolean {
  return response === 'redirect' || response === 'file'
}

/** Path of a request, letter for letter. */
export function pathOf(request: Request): string {
  const [address = ''] = partsOf(request)
  return address.slice(address.indexOf('/', address.indexOf('//') + 2))
}

/** What stands before and what after the question mark; a fragment is no part of what is asked for. */
function partsOf({ url }: Request): readonly [string, string | undefined] {
  const hash = url.indexOf('#')
  const whole = hash < 0 ? url : url.slice(0, hash)
  const mark = whole.indexOf('?')
  return mark < 0 ? [whole, undefined] : [whole.slice(0, mark), whole.slice(mark + 1)]
}

function checkedQuery(schema: z.ZodType, request: Request): OperationRequest['query'] {
  // With its mark, because a leading one is taken away, and a second one is part of a name.
  const search = new URLSearchParams(`?${partsOf(request)[1] ?? ''}`)
  return checked(parseQuery(schema, search)) as OperationRequest['query']
}

/** What the proxy adds to an address is not the browser's to choose; other operations take nothing either. */
function refuseSearch(request: Request): void {
  if (partsOf(request)[1] !== undefined) throw new ProxyError(400, 'This address takes no parameters.')
}

function idsOf(query: OperationRequest['query']): readonly unknown[] {
  return Array.isArray(query?.['id']) ? query['id'] : []
}

/** Rows that were asked for, whatever else the service sent. */
function onlyIds(result: unknown, ids: readonly unknown[]): unknown {
  if (!Array.isArray(result)) return []
  return result.filter((row: { id?: unknown } | null) => row === null || ids.includes(row.id))
}
