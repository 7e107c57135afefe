import type { z } from 'zod'
import { type OperationForBrowsers, operations } from '../contract/operations.ts'
import { matchPath } from '../contract/path.ts'
import { parseQuery } from '../contract/query.ts'
import { acceptVersion, callHeader } from '../contract/route.ts'
import { type BrowserOperation, routes } from '../contract/routes.ts'
import type { FileAsset, UploadMeta } from '../contract/storage.ts'
import { type Environment, maxFileSize as defaultMaxFileSize } from '../contract/values.ts'
import type { Identify, Identity } from './identity.ts'
import { answerHeaders, problem, ProxyError } from './problem.ts'
import { authorize, ownerKey, type Policy, reservedPrefix } from './rights.ts'
import { cleanFilename, encodeMultipart, type ReadUpload, readUploadWhole, tooLarge } from './upload.ts'
import { readText } from './read-text.ts'
import { createUpstream, type Log, type Service } from './upstream.ts'

/** Where a request comes from, as the browser says in `Sec-Fetch-Site`. */
export type Site = 'same-origin' | 'same-site' | 'cross-site' | 'none'

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
  /** Path below which the proxy is mounted. Default `/api/wf`. */
  readonly basePath?: string
  /** Largest file that may be uploaded, in bytes. Default 50 MB. */
  readonly maxFileSize?: number
  /** How long a download link lives, in seconds, 60 at most. Default 60. */
  readonly linkSeconds?: number
  /** Most milliseconds to wait for a service, uploads apart. Default 8000. */
  readonly timeout?: number
  /** Largest answer to read from a service, in bytes. Default 16 MB. */
  readonly maxAnswerSize?: number
  /** Performs the requests to the services. Defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Reads uploads. Default: whole, in memory; `proxy/node` reads them as a stream. */
  readonly readUpload?: ReadUpload
  /**
   * Tells where a request comes from. Default: what `Sec-Fetch-Site` says. A handler that runs inside the page itself,
   * where no such header exists, answers `same-origin`.
   */
  readonly site?: (request: Request) => Site | null
  /** Writes down what an operator should know. Default: nowhere. */
  readonly log?: Log
}

/** Creates the fetch handler that stands between browsers and both services, for one environment. */
export function createProxy({
  env,
  forms,
  workflow,
  storage,
  identify,
  policy = () => false,
  basePath = '/api/wf',
  maxFileSize = defaultMaxFileSize,
  linkSeconds = 60,
  timeout = 8000,
  maxAnswerSize = 16 * 1024 * 1024,
  fetch = globalThis.fetch.bind(globalThis),
  readUpload = readUploadWhole,
  site = (request) => request.headers.get('sec-fetch-site') as Site | null,
  log = () => {},
}: ProxyOptions): (request: Request) => Promise<Response> {
  if (!(linkSeconds >= 1 && linkSeconds <= 60)) throw new RangeError('linkSeconds must lie between 1 and 60')
  const call = createUpstream({ env, services: { workflow, storage }, fetch, log, timeout, maxAnswerSize })

  return async (request) => {
    const requestId = crypto.randomUUID()
    try {
      return await answer(request)
    } catch (error) {
      if (error instanceof ProxyError) return problem(error, requestId)
      if (request.signal.aborted)
        return problem(new ProxyError(400, 'The request was broken off.'), requestId)
      log('error', 'The proxy failed', { requestId, error: String(error) })
      return problem(new ProxyError(500, 'The proxy failed. Its operator can find out why.'), requestId)
    }
  }

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const { name, operation, params } = find(request.method, url.pathname)
    checkSite(request, operation)
    const person = await identify(request)
    if (!person || !isPerson(person)) throw new ProxyError(401, 'Sign in to go on.')
    if ('formId' in params && !forms.includes(Number(params['formId']))) {
      throw new ProxyError(404, 'This site does not serve that form.')
    }

    // What the proxy adds to a link's address is not the browser's to choose; other operations take nothing either.
    const isRedirect = operation.answers === 'redirect'
    if ((isRedirect || !operation.query) && url.search)
      throw new ProxyError(400, 'This address takes no parameters.')
    const asked =
      operation.query && !isRedirect ? checked(parseQuery(operation.query, url.searchParams)) : undefined
    const body = operation.sends === 'json' ? await readBody(request, operation, params) : undefined
    const { signal } = request
    const allowed = await authorize(
      { name, operation, params, query: asked as Record<string, unknown> | undefined, person, signal },
      call,
      policy,
    )
    const { query } = allowed

    if (operation.sends === 'multipart')
      return json(forBrowser(await upload(request, name, operation, person)))
    if (isRedirect) return await redirect(name, params, signal)
    if (Array.isArray(query?.['id']) && query['id'].length === 0) return json([])
    if (allowed.answer !== undefined) return json(forBrowser(allowed.answer))

    const result = await call(name, {
      params,
      query,
      version: operation.versions?.find(
        (version) => request.headers.get('accept') === acceptVersion(version),
      ),
      ...(body !== undefined && { body: { json: body } }),
      user: person.univid,
      signal,
    })
    if (operation.rights === 'canView') return json(onlyIds(result, query?.['id']))
    return json(operation.service === 'storage' ? forBrowser(result) : result)
  }

  function find(method: string, pathname: string) {
    if (pathname.startsWith(`${basePath}/`)) {
      for (const name of Object.keys(routes) as BrowserOperation[]) {
        const operation: OperationForBrowsers = operations[name]
        const params =
          operation.method === method ? matchPath(operation.path, pathname.slice(basePath.length)) : undefined
        if (params) return { name, operation, params }
      }
    }
    throw new ProxyError(404, 'There is no such operation.')
  }

  /** A person and never the application: a client id would act with all of its rights (spec, Authentication 2). */
  function isPerson({ univid }: Identity): boolean {
    return /^\d{1,12}$/.test(univid) && univid !== workflow.clientId && univid !== storage.clientId
  }

  /** Keeps other sites out, reads too: calls carry a header that needs permission, links may only be followed from here. */
  function checkSite(request: Request, { answers }: OperationForBrowsers): void {
    const from = site(request)
    const isOurs =
      answers === 'redirect'
        ? from === 'same-origin' || from === 'none'
        : from === 'same-origin' && request.headers.has(callHeader)
    if (!isOurs) throw new ProxyError(403, 'Only pages of this site may ask this.')
  }

  async function upload(
    request: Request,
    name: BrowserOperation,
    operation: OperationForBrowsers,
    person: Identity,
  ): Promise<unknown> {
    // Other parts than the file are small; this only saves reading what cannot fit.
    const declared = Number(request.headers.get('content-length'))
    if (declared > maxFileSize + 100_000) throw tooLarge(maxFileSize)

    const file = await readUpload(request, { maxFileSize })
    try {
      const meta = file.meta === undefined ? {} : (parseMeta(file.meta, operation) as UploadMeta)
      const body = encodeMultipart(
        { ...file, filename: cleanFilename(file.filename) },
        {
          ...meta,
          ...(meta.filename !== undefined && { filename: cleanFilename(meta.filename) }),
          metadata: { ...meta.metadata, [ownerKey]: person.univid },
        },
      )
      return await call(name, { body, user: person.univid, signal: request.signal }).catch(
        (error: unknown) => {
          // What broke off the request is the reason, not that it broke off.
          throw body.failure() ?? error
        },
      )
    } finally {
      file.discard()
    }
  }

  async function redirect(
    name: BrowserOperation,
    params: Readonly<Record<string, string | number>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const link = new URL(
      String(await call(name, { params, query: { expiresIn: `${linkSeconds}s` }, signal })),
    )
    if (!storage.objectOrigins.includes(link.origin) || link.username || link.password) {
      log('error', `${name}: the link leads to an origin that is not configured`, { origin: link.origin })
      throw new ProxyError(502, 'The service gave an unexpected answer. Try again in a moment.')
    }
    return new Response(null, { status: 303, headers: { ...answerHeaders, Location: link.href } })
  }
}

async function readBody(
  request: Request,
  operation: OperationForBrowsers,
  params: Readonly<Record<string, string | number>>,
): Promise<unknown> {
  if (!/^application\/json(?:;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new ProxyError(415, 'Send JSON, as application/json.')
  }
  const text = await readText(
    request.body,
    maxJsonSize,
    () => new ProxyError(413, `The body is larger than ${maxJsonSize} bytes.`),
  )
  const body = parse(text, operation.body)
  if (typeof body === 'object' && body !== null && 'id' in body && body.id !== params['packageId']) {
    throw new ProxyError(400, 'The id of the body is not the package of the address.')
  }
  return body
}

/** Largest JSON body, in bytes: far more than any operation needs. */
const maxJsonSize = 256 * 1024

function parseMeta(text: string, operation: OperationForBrowsers): unknown {
  const meta = parse(text, operation.body) as UploadMeta
  if (Object.keys(meta.metadata ?? {}).some((key) => key.startsWith(reservedPrefix))) {
    throw new ProxyError(422, `Metadata keys that begin with "${reservedPrefix}" are reserved.`)
  }
  return meta
}

function parse(text: string, schema: z.ZodType | undefined): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ProxyError(400, 'The body is not JSON.', { cause })
  }
  if (!schema) throw new TypeError('The operation takes no body')
  return checked(schema.safeParse(value))
}

function checked<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`)
  throw new ProxyError(400, issues.join('; '))
}

/** A file without what is ours: who uploaded it. */
function forBrowser(result: unknown): unknown {
  const asset = result as FileAsset
  const metadata = Object.entries(asset.metadata ?? {}).filter(([key]) => !key.startsWith(reservedPrefix))
  return { ...asset, metadata: Object.fromEntries(metadata) }
}

/** Rows that were asked for, whatever else the service sent. */
function onlyIds(result: unknown, ids: unknown): unknown {
  if (!Array.isArray(result) || !Array.isArray(ids)) return []
  return result.filter((row: { id?: unknown } | null) => row === null || ids.includes(row.id))
}

function json(value: unknown): Response {
  return Response.json(value, { headers: answerHeaders })
}
