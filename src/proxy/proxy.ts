import { isUnivid, personKey } from '../contract/values/patterns.ts'
import { browserOperations } from '../contract/services/browser-operations.ts'
import type { BrowserOperation } from '../contract/routes/routes.ts'
import { maxFileSize as defaultMaxFileSize } from '../contract/values/values.ts'
import { createBodyReader } from './operation/body.ts'
import { createBufferSpace } from './admission/buffer-space.ts'
import { createMemoryCallbackStore } from './callbacks/callback-store.ts'
import { type Connection, connectionOf, revocable } from './http/connection.ts'
import { createCsrfGuard, type Site } from './http/csrf.ts'
import { workAtOnce } from './heavy-work.ts'
import { createLockHandlers, servedLockOperations } from './handlers/lock-handlers.ts'
import { createUploadFingerprints } from './files/upload-fingerprint.ts'
import { createOperationHandlers } from './handlers/operation-handlers.ts'
import { createOwnHandlers } from './handlers/own-handlers.ts'
import { createHealth } from './observe/health.ts'
import type { Identity } from './identity/identity.ts'
import { createFairPlaces } from './admission/fair-places.ts'
import { requestHead, idempotencyKeyOf, lastingConnection } from './idempotency/idempotency-key.ts'
import { createOutcomeStore } from './idempotency/outcome-store.ts'
import { createRunOnce, type OnceRequest } from './idempotency/run-once.ts'
import { createLocalLimiter } from './admission/limiter.ts'
import { createQuota } from './admission/quota.ts'
import { createLiveUpdates } from './live/live-updates.ts'
import { lockOperations } from './locks/lock-operations.ts'
import { createMemoryLockStore } from './locks/lock-store.ts'
import { createOpenLocks } from './locks/open-locks.ts'
import { createStandstills } from './locks/standstills.ts'
import { isNavigation, isShareable, isTransfer } from './operation/operation-kinds.ts'
import {
  type OperationRequest,
  readKey,
  readOperationRequest,
  type RequestFacts,
} from './operation/operation-request.ts'
import { operationsOffByDefault, type ProxyOptions } from './options.ts'
import type { Finding } from './http/finding.ts'
import { explained, ProxyError, problemReply } from './http/problem.ts'
import { refusals } from './http/refusals.ts'
import { type Reply, responseOf } from './http/reply.ts'
import { createAuthorizer } from './rights/authorizer.ts'
import { createRouter, type RouteMatch } from './http/router.ts'
import { fetchRuntime } from './runtime.ts'
import {
  type OperationRoute,
  operationRoute,
  type PageRoute,
  routesOf,
  type ServedRoute,
  withoutBodyRights,
} from './operation/served-routes.ts'
import { createSharedReads } from './admission/shared-reads.ts'
import { createRefusalLog } from './observe/refusal-log.ts'
import { continueTrace, createTracing, requestIdOf } from './observe/tracing.ts'
import { createUpstream, type Holding } from './upstream/upstream.ts'
import type { ValidBody } from './operation/valid-body.ts'

/** A fetch handler. */
export interface Proxy {
  (request: Request): Promise<Response>
  /** Handles a request for the adapter of a runtime, which knows the connection and writes the reply itself. */
  readonly handle: (request: Request, connection: Connection) => Promise<Reply>
  /** Paths below which it is mounted, such as `/api/wf`. */
  readonly basePaths: readonly string[]
  /**
   * Ends live streams and timers, and waits for `onCallback`, at most `callbacks.closeTimeout`. The proxy still handles
   * requests. Call this again after the last request to wait for callbacks that have arrived in the meantime.
   */
  readonly close: () => Promise<void>
  /**
   * Processes a dead letter of `callbacks.store` again, or a callback that waits for its next attempt now. `id` is the SHA-256
   * of its body. Resolves to false if it is not in the store.
   */
  readonly replayCallback: (id: string) => Promise<boolean>
}

/** Creates the fetch handler between browsers and both services, for one environment. */
export function createProxy({
  env,
  forms,
  workflow,
  storage,
  identify,
  policy,
  operations = allOperations.filter((name) => !operationsOffByDefault.includes(name)),
  basePath = '/api/wf',
  origins = [],
  limits: {
    maxFileSize = defaultMaxFileSize,
    extensions = null,
    maxExpiresIn = null,
    linkSeconds = 60,
    timeout = 8000,
    uploadTimeout = 60_000,
    downloadTimeout = 100_000,
    bodyTimeout = 15_000,
    scanTimeout = 60_000,
    maxBodySize = 256 * 1024,
    maxResponseSize = 16 * 1024 * 1024,
    requestsPerPerson = 50,
    requestsPerMinute = null,
    bodiesPerPerson = 8,
    bufferSize = 64 * 1024 * 1024,
    filesPerPerson = 8,
    packagesPerHour = 60,
    files = 100,
    calls = 100,
    callsPerPerson = 16,
    largeReads = 8,
    largeReadsPerPerson = 2,
    streamsPerPerson = 20,
    streams = 5000,
    watchInterval = 15_000,
  } = {},
  runtime: { send, readUpload, pausedServices, work = workAtOnce } = fetchRuntime(),
  scan,
  site = (request) => request.headers.get('sec-fetch-site') as Site | null,
  log: write = () => {},
  startSpan = continueTrace,
  requestIdHeader,
  explainRefusals = false,
  metrics,
  bus,
  outcomeStore = createOutcomeStore(),
  limiter = createLocalLimiter(),
  callbacks: { store: callbackStore = createMemoryCallbackStore(), lockAlarmAge, ...callbacks } = {},
}: ProxyOptions): Proxy {
  if (!(linkSeconds >= 1 && linkSeconds <= 60)) throw new RangeError('linkSeconds must be from 1 to 60')
  const { log, startRequest, startCall } = createTracing(startSpan, write)
  const csrf = createCsrfGuard(origins, site)
  const reportRefusal = createRefusalLog({ log, metrics })
  // The largest body or response fits in any case.
  const space = createBufferSpace(Math.max(bufferSize, maxBodySize, maxResponseSize))
  const upstream = createUpstream({
    env,
    services: { workflow, storage },
    send,
    timeouts: { timeout, uploadTimeout, downloadTimeout },
    maxResponseSize,
    calls,
    callsPerPerson,
    largeReads,
    largeReadsPerPerson,
    space,
    work,
    startCall,
    log,
    metrics,
  })
  const authorizer = createAuthorizer(upstream, policy, operations)
  const sharedReads = createSharedReads()
  const locks = createOpenLocks({
    store: callbackStore.locks ?? createMemoryLockStore(),
    readStandstills: createStandstills(upstream, () => ({
      as: 'application',
      requestId: crypto.randomUUID(),
      signal: new AbortController().signal,
    })),
    log,
    metrics,
    ...(lockAlarmAge !== undefined && { alarmAge: lockAlarmAge }),
  })
  const live = createLiveUpdates({
    forms,
    upstream,
    rights: authorizer,
    bus,
    callbacks: { ...callbacks, store: callbackStore },
    locks,
    onAnnounced: sharedReads.forget,
    bodyTimeout,
    limiter,
    streamsPerPerson,
    streams,
    watchInterval,
    log,
    metrics,
  })
  const runOnce = createRunOnce({ store: outcomeStore, log })
  const requestQuota = createQuota({ perKey: requestsPerPerson })
  const filePlaces = createFairPlaces({ perPerson: filesPerPerson, total: files, timeout: fileTimeout })
  const bodies = createBodyReader({
    maxSize: maxBodySize,
    timeout: bodyTimeout,
    perPerson: bodiesPerPerson,
    work,
    space,
  })

  const lockNames = servedLockOperations(operations)
  const health = createHealth({ bus, pausedServices, live, metrics })
  const ownHandlers = createOwnHandlers({
    basePath,
    session: {
      env,
      forms: [...forms],
      allows: {
        operations: [...operations, ...lockNames],
        maxFileSize,
        extensions: extensions && [...extensions],
      },
    },
    live,
    health,
    metrics,
  })
  const fingerprints = createUploadFingerprints(readUpload)
  const handlerOf = createOperationHandlers({
    upstream,
    authorizer,
    uploads: { read: fingerprints.read, maxFileSize, extensions, maxExpiresIn, scan, scanTimeout, log },
    countCreation: (univid) => limiter.count('packages', personKey(univid), packagesPerHour, 3_600_000),
    presign: { linkSeconds, objectOrigins: storage.objectOrigins, log },
    locks,
    onChange: live.announceChange,
    log,
  })
  const lockHandlers = createLockHandlers({ upstream, authorizer, locks, onChange: live.announceChange, log })
  const match = createRouter<ServedRoute>(basePath, [
    ...routesOf(ownHandlers.anyone).map((route) => ({ ...route, access: 'anyone' as const })),
    ...routesOf(ownHandlers.pages).map((route) => ({ ...route, access: 'page' as const })),
    ...operations.map((name) =>
      operationRoute(name, browserOperations[name], { ...authorizer, handle: handlerOf(name) }),
    ),
    ...lockNames.map((name) =>
      operationRoute(name, lockOperations[name], { ...withoutBodyRights, ...lockHandlers[name] }),
    ),
  ])

  /** A HEAD request gets what GET would, without the body (RFC 9110, 9.3.2). */
  async function handle(request: Request, connection: Connection): Promise<Reply> {
    if (request.method !== 'HEAD') return await handleFull(request, connection)
    const { url, headers, signal } = request
    const reply = await handleFull(new Request(url, { headers, signal }), connection)
    if (reply.body instanceof ReadableStream) await reply.body.cancel()
    return { ...reply, body: null }
  }

  async function handleFull(request: Request, connection: Connection): Promise<Reply> {
    const requestId = requestIdOf(request.headers, requestIdHeader)
    const start = performance.now()
    const found = match(request)
    const name = found?.route.name ?? 'unknown'
    const endRequest = startRequest(requestId, name, request.headers)
    let reply: Reply
    try {
      reply = await replyTo(request, connection, found, requestId)
    } catch (error) {
      reply = problemReply(refusalOf(error, connection, requestId), requestId)
    }
    endRequest(reply.status)
    metrics?.request(name, reply.status, (performance.now() - start) / 1000)
    return csrf.allowReading(request, reply)
  }

  async function replyTo(
    request: Request,
    connection: Connection,
    found: RouteMatch<ServedRoute> | undefined,
    requestId: string,
  ): Promise<Reply> {
    if (request.method === 'OPTIONS') return csrf.preflight(request)
    if (!found) throw refusals.unknownOperation()
    const { route, params } = found
    if (route.access === 'anyone') return await route.handle(request)

    csrf.check(request, route.access === 'operation' && isNavigation(route.operation))
    let finding: Finding = { cause: 'not_identified', text: 'identify() returned no person.' }
    const person = await identify(request, (found) => (finding = found))
    if (!person || !isPerson(person)) throw refusals.signInRequired(finding)
    if (requestsPerMinute !== null) {
      const wait = await limiter.count('requests', personKey(person.univid), requestsPerMinute, 60_000)
      if (wait > 0) throw refusals.tooManyRequestsInMinute(wait)
    }
    const facts: RequestFacts = { params, person, requestId }
    return await handleFor(facts, route, request, connection)
  }

  /** Handles a request of the signed-in person. */
  async function handleFor(facts: RequestFacts, route: PageRoute, request: Request, connection: Connection) {
    if (route.access === 'operation') return await serve(route, request, connection, facts)
    const read = (path: string) => readPart(path, request, connection, facts)
    return await route.handle(request, { ...facts, read })
  }

  /** Replies to a part of a page as to a request of its own. Never rejects. */
  async function readPart(
    path: string,
    whole: Request,
    connection: Connection,
    { person, requestId }: RequestFacts,
  ): Promise<Reply> {
    const request = new Request(new URL(basePath + path, whole.url), { headers: whole.headers })
    try {
      const found = match(request)
      if (!found || found.route.access === 'anyone') throw refusals.unknownOperation()
      const { route, params } = found
      return await handleFor({ params, person, requestId }, route, request, connection)
    } catch (error) {
      return problemReply(refusalOf(error, connection, requestId), requestId)
    }
  }

  /** Carries out an operation within the limits of a person. */
  async function serve(route: OperationRoute, request: Request, connection: Connection, facts: RequestFacts) {
    const { params, person, requestId } = facts
    const key = route.operation.method === 'GET' ? undefined : idempotencyKeyOf(request)
    const holder = personKey(person.univid)
    const isFile = isTransfer(route.operation)
    const release = isFile
      ? await limiter.hold('files', holder, filesPerPerson)
      : requestQuota.acquire(holder)
    if (!release) throw refusals.tooManyRequests()
    const endable = revocable(key === undefined ? connection : lastingConnection(connection))
    // Releases resources that the request holds until its reply has been created.
    const releases: (() => void)[] = []
    const holding: Holding = {
      untilReply: (end) => void releases.push(end),
      untilSent: (end) => connection.onEnd(end),
      revoke: endable.revoke,
    }
    let leave: (() => void) | undefined
    try {
      if (isFile) {
        const revoke = () => endable.revoke(refusals.tooBusy())
        leave = await filePlaces.take({ holder, signal: connection.disconnect, revoke })
      }
      const connections = { client: connection, connection: endable }
      return await carryOut(route, request, connections, { params, person, requestId, holding }, key)
    } finally {
      for (const end of releases) end()
      connection.onEnd(() => {
        release()
        leave?.()
      })
    }
  }

  async function carryOut(
    { name, operation, handle: handler, ...rights }: OperationRoute,
    request: Request,
    { client, connection }: { readonly client: Connection; readonly connection: Connection },
    facts: Pick<OperationRequest, 'params' | 'person' | 'requestId' | 'holding'>,
    key: string | undefined,
  ): Promise<Reply> {
    const { formId } = facts.params
    if (formId !== undefined && !forms.includes(Number(formId))) throw refusals.unknownForm()
    let operationRequest = readOperationRequest(request, connection, { name, operation, ...facts })
    if (isShareable(operation)) {
      const key = JSON.stringify(readKey(operationRequest))
      return await sharedReads.share(key, operationRequest, async (reader) => {
        const read = { ...operationRequest, ...reader }
        const authorization = await rights.authorize(read)
        return await handler({ request, connection, operationRequest: read, authorization })
      })
    }
    let reading: Promise<ValidBody | undefined> | undefined
    const readBody = () =>
      (reading ??=
        operation.requestBody === 'json'
          ? bodies.read(request, operationRequest)
          : Promise.resolve(undefined))
    let isHandling = false

    const run = async () => {
      if (operation.requestBody === 'json') bodies.check(request)
      // Reading a body costs memory and processor time, so it comes second if the decision does not depend on it.
      if (rights.isAboutBody(operation)) operationRequest = { ...operationRequest, body: await readBody() }
      const authorization = await rights.authorize(operationRequest)
      operationRequest = { ...operationRequest, body: await readBody() }
      await rights.authorizeBody(operationRequest)
      isHandling = true
      return await handler({ request, connection, operationRequest, authorization })
    }
    if (key === undefined) return await run().finally(sharedReads.forget)
    const once: OnceRequest = {
      owner: personKey(facts.person.univid),
      scope: [basePath],
      key,
      head: requestHead(request),
      body: async () => (await readBody())?.json,
      ...(operation.requestBody === 'multipart' && {
        upload: {
          known: () => fingerprints.known(request),
          async read() {
            const { bytes } = await fingerprints.read(
              request,
              { maxFileSize, part: operation.part },
              connection,
            )
            for await (const chunk of bytes) void chunk
            return fingerprints.known(request)
          },
        },
      }),
      mayHaveRun: () => isHandling && client.isBodyComplete?.() !== false,
      requestId: facts.requestId,
      signal: client.disconnect,
    }
    return await runOnce(once, () => run().finally(sharedReads.forget))
  }

  function refusalOf(error: unknown, { disconnect }: Connection, requestId: string): ProxyError {
    if (error instanceof ProxyError) {
      if (error.finding) {
        reportRefusal(error.finding)
        if (explainRefusals) return explained(error, error.finding)
      }
      if (error.status === 403) metrics?.count('right_denied')
      return error
    }
    if (disconnect.aborted) return refusals.interrupted()
    log('error', 'The proxy failed', { requestId, error: String(error) })
    return refusals.proxyFailed()
  }

  /** Whether this is a person, not an application: a client id would act with all of its rights (spec, Authentication 2). */
  function isPerson({ univid }: Identity): boolean {
    // Hosts also write JavaScript: a number would read like an id and differ from every client id.
    return isUnivid(univid) && univid !== workflow.clientId && univid !== storage.clientId
  }

  return Object.assign(async (request: Request) => responseOf(await handle(request, connectionOf(request))), {
    handle,
    basePaths: [basePath],
    close: () => {
      health.stop()
      return live.close()
    },
    replayCallback: live.replayCallback,
  })
}

/** Maximum time that a file waits for a place, in ms. */
const fileTimeout = 30_000

const allOperations = Object.keys(browserOperations) as BrowserOperation[]
