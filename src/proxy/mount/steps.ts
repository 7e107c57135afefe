import { isUnivid, personKey } from '../../contract/values/patterns.ts'
import type { Finding } from '../http/finding.ts'
import { RevocableConnection } from '../http/connection.ts'
import { explained, problemReply, ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import type { Reply } from '../http/reply.ts'
import { idempotencyKeyOf, lastingConnection, requestHead } from '../idempotency/idempotency-key.ts'
import { compose, Exchange, type Step } from './exchange.ts'
import { isNavigation, isShareable, isTransfer } from '../operation/operation-kinds.ts'
import { readKey, readOperationRequest } from '../operation/operation-request.ts'
import { packagesIn } from './packages-in.ts'
import type { Parts } from './parts.ts'

/**
 * The way of every request. The order is the policy: nothing below `authorized` runs for people without rights. The numbers are
 * those of the threats in `docs/security.md`.
 */
export function stepsOf(parts: Parts): readonly Step[] {
  /** What `/page` repeats for each of its parts, with the same person. */
  const ofPerson: readonly Step[] = [
    operationsOnly(parts, (part) => replyToPart(part)), //  session, events, page
    keyed, //                  400: the key of a change, which goes on without its browser
    revocable, //              may end for somebody who holds less (T23)
    concurrent(parts), //      429 (T23)
    fileSlot(parts), //       503, or waits for a slot (T23)
    servedForm(parts), //      404 (T6)
    read(parts), //            400: path, query, version (T9)
    once(parts), //            replays the reply to an earlier request with this key
    shared(parts), //          joins the same read of the same person (T25)
    learnt(parts), //          adds the package to the lists
    authorized(parts), //      403, before the body is read if the decision allows it (T4, T6, T12, T23)
    carriedOut, //             calls the service
  ]
  const replyToPart = compose([problems(parts), find(parts), signedInOnly, ...ofPerson])
  return [
    withoutBody, //            HEAD
    readable(parts), //        headers for the pages of other origins (T30)
    find(parts), //            the route
    reported(parts), //        span, duration, status
    problems(parts), //        problem details for whatever is thrown below (T24)
    preflight(parts), //       OPTIONS (T30)
    forAnyone, //              404; callbacks, health, OpenAPI
    fromOurPages(parts), //    403 (T30)
    identified(parts), //      401 (T2)
    perMinute(parts), //       429 (T23)
    ...ofPerson,
  ]
}

/** A HEAD request gets what GET would, without the body (RFC 9110, 9.3.2). */
const withoutBody: Step = (at, next) => (at.request.method === 'HEAD' ? headOf(at, next) : next())

const headOf: Step = async (at, next) => {
  const { url, headers, signal } = at.request
  at.request = new Request(url, { headers, signal })
  const reply = await next()
  if (reply.body instanceof ReadableStream) await reply.body.cancel()
  return { ...reply, body: null }
}

function readable({ csrf, identity: { origins } }: Parts): Step {
  if (origins.length === 0) return (_, next) => next()
  return async (at, next) => csrf.allowReading(at.request, await next())
}

const find =
  ({ match }: Parts): Step =>
  (at, next) => {
    at.match = match(at.request)
    return next()
  }

const reported =
  ({ startRequest, observe: { metrics } }: Parts): Step =>
  async ({ match, request, requestId }, next) => {
    const start = performance.now()
    const name = match?.route.name ?? 'unknown'
    const endRequest = startRequest(requestId, name, request.headers)
    const reply = await next()
    endRequest(reply.status)
    metrics?.request(name, reply.status, (performance.now() - start) / 1000)
    return reply
  }

function problems({ reportRefusal, observe: { explainRefusals, metrics, log } }: Parts): Step {
  function refusalOf(error: unknown, { client: { disconnect }, requestId }: Exchange): ProxyError {
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

  return async (at, next) => {
    try {
      return await next()
    } catch (error) {
      return problemReply(refusalOf(error, at), at.requestId)
    }
  }
}

const preflight =
  ({ csrf }: Parts): Step =>
  ({ request }, next) =>
    request.method === 'OPTIONS' ? csrf.preflight(request) : next()

const forAnyone: Step = ({ match, request }, next) => {
  if (!match) throw refusals.unknownOperation()
  return match.route.access === 'anyone' ? match.route.handle(request) : next()
}

const signedInOnly: Step = ({ match }, next) => {
  if (!match || match.route.access === 'anyone') throw refusals.unknownOperation()
  return next()
}

const fromOurPages =
  ({ csrf }: Parts): Step =>
  ({ match, request }, next) => {
    csrf.check(request, match?.route.access === 'operation' && isNavigation(match.route.operation))
    return next()
  }

/** Accepts persons, not applications: a client id would act with all of its rights (spec, Authentication 2). */
function identified({ identity: { identify }, services: { workflow, storage } }: Parts): Step {
  // Hosts also write JavaScript: a number would read like an id and differ from every client id.
  const isPerson = ({ univid }: Exchange['person']) =>
    isUnivid(univid) && univid !== workflow.clientId && univid !== storage.clientId

  return async (at, next) => {
    let finding: Finding | undefined
    const person = await identify(at.request, (found) => (finding = found))
    if (!person || !isPerson(person)) throw refusals.signInRequired(finding ?? notIdentified)
    at.person = person
    return await next()
  }
}

const notIdentified: Finding = { cause: 'not_identified', text: 'identify() returned no person.' }

function perMinute({ storage: { limiter }, limits: { requestsPerMinute } }: Parts): Step {
  if (requestsPerMinute === null) return (_, next) => next()
  return async ({ person }, next) => {
    const wait = await limiter.count('requests', personKey(person.univid), requestsPerMinute, 60_000)
    if (wait > 0) throw refusals.tooManyRequestsInMinute(wait)
    return await next()
  }
}

/** Replies to requests for what is not an operation of a service. A part of a page gets a reply as a request of its own does. */
const operationsOnly =
  ({ basePath }: Parts, replyToPart: (part: Exchange) => Promise<Reply>): Step =>
  (at, next) => {
    const { match, request, client, requestId, person } = at
    if (!match || match.route.access === 'anyone') throw refusals.unknownOperation()
    const { route, params } = match
    if (route.access === 'operation') {
      at.route = route
      return next()
    }
    const readPart = async (path: string) => {
      const { headers } = request
      const part = new Exchange(
        new Request(new URL(basePath + path, request.url), { headers }),
        client,
        requestId,
      )
      part.person = person
      return await replyToPart(part)
    }
    return route.handle(request, { params, person, requestId, read: readPart })
  }

const keyed: Step = (at, next) => {
  if (at.route.operation.method !== 'GET') at.key = idempotencyKeyOf(at.request)
  if (at.key !== undefined) at.connection = lastingConnection(at.client)
  return next()
}

const revocable: Step = (at, next) => {
  const connection = new RevocableConnection(at.connection)
  at.connection = connection
  at.revoke = (reason) => connection.revoke(reason)
  return next()
}

function concurrent({ storage: { limiter }, requestSlots, limits: { filesPerPerson } }: Parts): Step {
  function hold(at: Exchange, release: (() => void) | undefined): void {
    if (!release) throw refusals.tooManyRequests()
    at.untilSent(release)
  }
  const transfer: Step = async (at, next) => {
    hold(at, await limiter.hold('files', personKey(at.person.univid), filesPerPerson))
    return await next()
  }

  return (at, next) => {
    if (isTransfer(at.route.operation)) return transfer(at, next)
    hold(at, requestSlots.acquire(personKey(at.person.univid)))
    return next()
  }
}

function fileSlot({ fileSlots }: Parts): Step {
  const transfer: Step = async (at, next) => {
    const holder = personKey(at.person.univid)
    const revoke = () => at.revoke(refusals.tooBusy())
    at.untilSent(await fileSlots.take({ holder, signal: at.client.disconnect, revoke }))
    return await next()
  }
  return (at, next) => (isTransfer(at.route.operation) ? transfer(at, next) : next())
}

const servedForm =
  ({ forms }: Parts): Step =>
  ({ match }, next) => {
    const formId = match?.params['formId']
    if (formId !== undefined && !forms.includes(Number(formId))) throw refusals.unknownForm()
    return next()
  }

const read =
  ({ bodies }: Parts): Step =>
  (at, next) => {
    const { request, connection, person, requestId, match, route } = at
    const { name, operation } = route
    const facts = { name, operation, params: match?.params ?? {}, person, requestId, holding: at }
    at.operationRequest = readOperationRequest(request, connection, facts)
    let reading: ReturnType<Exchange['readBody']> | undefined
    at.readBody = () =>
      (reading ??=
        operation.requestBody === 'json'
          ? bodies.read(request, at.operationRequest)
          : Promise.resolve(undefined))
    return next()
  }

const once =
  ({ basePath, runOnce, fingerprints, limits: { maxFileSize } }: Parts): Step =>
  (at, next) => {
    const { key, request, connection, client, person, requestId } = at
    if (key === undefined) return next()
    const { requestBody, part } = at.route.operation
    const upload = {
      known: () => fingerprints.known(request),
      async read() {
        const { bytes } = await fingerprints.read(request, { maxFileSize, part }, connection)
        for await (const chunk of bytes) void chunk
        return fingerprints.known(request)
      },
    }
    const owner = personKey(person.univid)
    const body = async () => (await at.readBody())?.json
    const mayHaveRun = () => at.isHandling && client.isBodyComplete?.() !== false
    const facts = { owner, scope: [basePath], key, head: requestHead(request), body, mayHaveRun, requestId }
    return runOnce(
      { ...facts, signal: client.disconnect, ...(requestBody === 'multipart' && { upload }) },
      async () => await next(),
    )
  }

/** A change makes what has been read before obsolete. */
function shared({ sharedReads }: Parts): Step {
  const change: Step = async (_, next) => {
    try {
      return await next()
    } finally {
      sharedReads.forget()
    }
  }
  return (at, next) => {
    const { route, operationRequest, person } = at
    if (!isShareable(route.operation)) return change(at, next)
    const key = JSON.stringify(readKey(operationRequest))
    return sharedReads.share(personKey(person.univid), key, operationRequest, ({ signal, holding }) => {
      at.operationRequest = { ...operationRequest, signal, holding }
      return next()
    })
  }
}

/** Only what a person was allowed to read or change is learnt of. */
function learnt({ desk }: Parts): Step {
  if (!desk) return (_, next) => next()
  return async (at, next) => {
    const reply = await next()
    if (reply.status < 300) await desk.learn(packagesIn(at, reply))
    return reply
  }
}

const authorized =
  ({ bodies }: Parts): Step =>
  async (at, next) => {
    const { route: rights, request } = at
    const { operation } = rights
    const hasBody = operation.requestBody === 'json'
    if (hasBody) bodies.check(request)
    // Reading a body costs memory and processor time, so it comes second if the decision does not depend on it.
    if (rights.isAboutBody(operation))
      at.operationRequest = { ...at.operationRequest, body: await at.readBody() }
    at.authorization = await rights.authorize(at.operationRequest)
    if (hasBody) at.operationRequest = { ...at.operationRequest, body: await at.readBody() }
    if (operation.method !== 'GET') await rights.authorizeBody(at.operationRequest)
    return await next()
  }

const carriedOut: Step = (at) => {
  at.isHandling = true
  return at.route.handle(at)
}
