import type {
  BrowserBody,
  BrowserResult,
  Input,
  OperationWithResponse,
  Params,
  UploadOperation,
} from '../contract/browser-operations.ts'
import type { Version } from '../contract/operation-types.ts'
import { ownRoutes } from '../contract/own-routes.ts'
import { fillPath } from '../contract/path.ts'
import { readers } from '../contract/readers.ts'
import { acceptVersion, callHeader, personHeader } from '../contract/headers.ts'
import { type BrowserOperation, type Route, routes } from '../contract/routes.ts'
import type { Session } from '../contract/session.ts'
import { serializeQuery } from '../contract/serialize-query.ts'
import { maxIds } from '../contract/values.ts'
import { createBatch, type BatchedLoad } from './batch.ts'
import {
  ClientError,
  ForbiddenError,
  NotFoundError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from './errors.ts'
import { createLiveStream } from './live-stream.ts'
import { createQueryCache } from './query-cache.ts'
import { backoff, createRetryBudget, parseRetryAfter } from './retry.ts'
import { createRevalidation, type Revalidation, type RevalidationOptions } from './revalidation.ts'
import { createLimiter } from './limiter.ts'
import { type Upload, xhrUpload } from './upload.ts'

export interface ClientOptions extends Omit<RevalidationOptions, 'onInvalidate' | 'onScopes'> {
  /** Root URL of the proxy, such as `/api/wf`. */
  readonly endpoint: string
  /** Performs the calls. Defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Performs the uploads. Defaults to XMLHttpRequest, for its progress. */
  readonly upload?: Upload
  /** Most milliseconds until an answer begins, uploads apart; twelve times that until it ends. Default 10 000. */
  readonly timeout?: number
  /** Whether to follow live events of the proxy, by one stream for all pages of the browser. Default true. */
  readonly live?: boolean
  /** How often a read is repeated that failed for a reason that may pass. Writes never are. Default 2. */
  readonly retries?: number
}

export interface CallOptions<V extends string | undefined = undefined> {
  /** Gives up on the call; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Representation version to ask for, where the operation has more than one. */
  readonly version?: V
}

export interface UploadOptions {
  /** Gives up on the upload; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called as bytes leave: `sent` of `total` bytes. They stand at the total while the answer is awaited. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
}

/** Operations whose answers pages know how to read, and those that answer nothing. */
type KnownOperation = (keyof typeof readers & BrowserOperation) | OperationWithResponse<'nothing'>
type JsonOperation = Exclude<KnownOperation, UploadOperation>
type NavigationOperation = OperationWithResponse<'redirect' | 'file'>

/** A call of one operation; its rejections are the errors of `errors.ts`, or `ParameterError` before anything is sent. */
type Call<Name extends JsonOperation> = <V extends Version<Name> | undefined = undefined>(
  input: Input<Name>,
  options?: CallOptions<V>,
) => Promise<BrowserResult<Name, V>>

/** What an upload sends: `body` is its part besides the file, where there is one. */
type UploadInput<Name extends UploadOperation> = {
  readonly file: File
  readonly body?: BrowserBody<Name>
} & (keyof Params<Name> extends never ? unknown : { readonly params: Params<Name> })

/**
 * One method per operation of the contract's table that pages use, and what elements of one page share. Reads of one
 * moment share one request; bulk reads of one tick go together, 100 ids at most.
 */
export type Client = { readonly [Name in JsonOperation]: Call<Name> } & {
  /** Sends one file. At most three travel at once; further ones wait. */
  readonly [Name in UploadOperation]: (
    input: UploadInput<Name>,
    options?: UploadOptions,
  ) => Promise<BrowserResult<Name>>
} & {
  /** Who is signed in, and what the proxy serves. */
  getSession(options?: CallOptions): Promise<Session>
  /**
   * What a read has answered last, however old: to show something while it is read again. `undefined` where nothing is
   * known, or someone else has signed in since.
   */
  getCached<Name extends JsonOperation, V extends Version<Name> | undefined = undefined>(
    name: Name,
    input: Input<Name>,
    version?: V,
  ): BrowserResult<Name, V> | undefined
  /** Address of an operation that a link leads to. */
  href<Name extends NavigationOperation>(
    name: Name,
    params: Params<Name>,
    query?: Readonly<Record<string, boolean>>,
  ): string
  /** What is known of a scope, or of everything, may be old: the next read asks anew. */
  invalidate(scope?: string): void
  /** See `Revalidation`. The scope of a package is `packageScope(formId, packageId)`. */
  readonly watch: Revalidation['watch']
}

/** Scope of everything that belongs to one package, for `Client.watch`. */
export function packageScope(formId: number, packageId: number): string {
  return `${formId}/${packageId}`
}

/** Creates a client whose methods are the operations of the contract, called through a proxy. */
export function createClient({
  endpoint,
  fetch: ownFetch,
  upload = xhrUpload,
  timeout = 10_000,
  live: isLive = true,
  retries = 2,
  ...revalidationOptions
}: ClientOptions): Client {
  const fetch = ownFetch ?? globalThis.fetch.bind(globalThis)
  const root = endpoint.replace(/\/+$/, '')
  const reads = createQueryCache()
  const revalidation = createRevalidation({
    ...revalidationOptions,
    onInvalidate: reads.invalidate,
    onScopes: follow,
  })
  /** What hints have named since they were told of last: a burst of them is one reason to ask again. */
  const hinted = new Set<string | undefined>()
  let telling: ReturnType<typeof setTimeout> | undefined
  const live = createLiveStream({
    root,
    fetch,
    isShared: ownFetch === undefined,
    onHint: (hint) => {
      hinted.add(hint ? packageScope(hint.formId, hint.packageId) : undefined)
      telling ??= setTimeout(tellHints, 200)
    },
    onLive: revalidation.setLive,
  })
  const limit = createLimiter(3)
  const budget = createRetryBudget()
  /** University id of whom the last answer was for, where the proxy tells. */
  let person: string | undefined
  let isSignedOut = false

  function tellHints(): void {
    const scopes = hinted.has(undefined) ? [undefined] : [...hinted]
    hinted.clear()
    telling = undefined
    for (const scope of scopes) revalidation.changed(scope)
  }

  function follow(scopes: readonly string[]): void {
    const packages = scopes.flatMap((scope) => {
      const [, formId, packageId] = /^(\d+)\/(\d+)$/.exec(scope) ?? []
      return packageId ? [{ formId: Number(formId), packageId: Number(packageId) }] : []
    })
    if (isLive) live.follow(packages)
  }

  /** Asks for what changes nothing: with others who want the same, and again where that may help. */
  async function read(
    name: ReadName,
    input: LooseInput,
    { signal, version }: LooseOptions = {},
  ): Promise<unknown> {
    signal?.throwIfAborted()
    const ids = input.query?.['id']
    if (Array.isArray(ids)) return await readMany(name, input, ids as number[], { signal, version })
    const path = pathOf(name, input)
    return await reads.read(
      `${version} ${path}`,
      scopeOf(input),
      (shared) => repeat(name, () => ask(name, path, { signal: shared, version }), shared),
      signal,
    )
  }

  const batches = new Map<string, BatchedLoad<number, unknown>>()

  /** One row for each id, whoever else asks for others; ids for which there is no readable row are left out. */
  async function readMany(
    name: ReadName,
    input: LooseInput,
    ids: readonly number[],
    { signal, version }: LooseOptions,
  ): Promise<unknown> {
    const { params = {} } = input
    const key = manyKey(name, input, version)
    let load = batches.get(key)
    if (!load) {
      load = createBatch<number, unknown>(
        async (id, shared) => {
          const path = pathOf(name, { params, query: { id } })
          const call = () => ask(name, path, { signal: shared, version })
          const rows = (await repeat(name, call, shared)) as readonly Row[]
          return new Map(rows.map((row) => [row?.packageId ?? row?.id ?? 0, row]))
        },
        // The service may refuse all because of one.
        { size: maxIds, isPartial: (error) => error instanceof ClientError && !isGeneral(error) },
      )
      batches.set(key, load)
    }
    const one = load
    const rows = await Promise.all(
      ids.map((id) =>
        reads.read(
          `${key} ${id}`,
          scopeOf({ params: { ...params, packageId: id } }),
          (shared) => one(id, shared),
          signal,
        ),
      ),
    )
    return rows.filter((row) => row !== undefined)
  }

  /** Calls again, a little later, after a failure that may pass: never where the proxy asks for more patience than that. */
  async function repeat(name: ReadName, call: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      try {
        const value = await call()
        budget.earn()
        revalidation.report(true)
        return value
      } catch (error) {
        const wait = Math.max(backoff(attempt, 2000, Math.random, 300), retryAfterOf(error))
        const mayRepeat = error instanceof UnavailableError && error.isTransient && wait <= 2000
        if (signal.aborted || !mayRepeat || attempt >= retries || !budget.spend()) {
          if (!signal.aborted && error instanceof UnavailableError)
            revalidation.report(false, error.retryAfter)
          throw error
        }
        await pause(wait, signal)
      }
    }
  }

  async function write(
    name: BrowserOperation,
    input: LooseInput,
    { signal, version }: LooseOptions = {},
  ): Promise<unknown> {
    signal?.throwIfAborted()
    const path = pathOf(name, input)
    return await changing(input, () => ask(name, path, { signal, version }, input.body))
  }

  async function send(
    name: UploadOperation,
    input: LooseInput & { readonly file: File },
    options: UploadOptions = {},
  ): Promise<unknown> {
    const body = new FormData()
    const route: Route = routes[name]
    const part = input.body
    // The proxy reads the parts as they come, so the file goes last.
    if (part !== undefined)
      body.append(route.part ?? '', route.part === 'meta' ? JSON.stringify(part) : `${part as string}`)
    body.append('file', input.file)
    const url = root + pathOf(name, input)
    const headers = { [callHeader]: '1', Accept: 'application/json' }

    // A place in line is for what travels: an answer is read while the next one is sent.
    const perform = () => limit(() => upload({ url, headers, body, ...options }), options.signal)
    return await changing(input, () => settle(name, options, perform))
  }

  /** Also after a failure: an answer that was lost does not mean that nothing has changed. */
  async function changing(input: LooseInput, perform: () => Promise<unknown>): Promise<unknown> {
    try {
      return await perform()
    } catch (error) {
      if (error instanceof UnavailableError) revalidation.report(false, error.retryAfter)
      throw error
    } finally {
      const { packageId } = input.params ?? {}
      if (packageId) revalidation.changed(scopeOf(input))
    }
  }

  async function ask(
    name: BrowserOperation | 'getSession',
    path: string,
    { signal, version }: LooseOptions,
    body?: unknown,
  ): Promise<unknown> {
    const init: RequestInit = {
      method: name === 'getSession' ? 'GET' : routes[name].method,
      // Where the page allows a proxy on another origin, the session is that proxy's.
      credentials: 'include',
      headers: {
        [callHeader]: '1',
        Accept: version ? acceptVersion(version) : 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    // Not `AbortSignal.any`: in Node 20 the garbage collector takes a combined signal away before it fires.
    const abort = new AbortController()
    const onAbort = () => abort.abort(signal?.reason)
    const giveUp = () => abort.abort(new DOMException('No answer in time', 'TimeoutError'))
    let timer = setTimeout(giveUp, timeout)
    signal?.addEventListener('abort', onAbort)

    try {
      return await settle(name, { signal, version }, async () => {
        const response = await fetch(root + path, { ...init, signal: abort.signal })
        // A long answer over a slow connection is on its way.
        clearTimeout(timer)
        timer = setTimeout(giveUp, timeout * 12)
        return response
      })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Turns what came back, or did not, into a value or into one of our errors. */
  async function settle(
    name: BrowserOperation | 'getSession',
    { signal, version }: LooseOptions,
    perform: () => Promise<Response>,
  ): Promise<unknown> {
    let response: Response | undefined
    let body: unknown
    try {
      response = await perform()
      const { ok, status } = response
      // The words of a failure may be anyone's: what counts is its status.
      body =
        status === 204
          ? undefined
          : await response.json().catch((cause: unknown) => {
              if (ok) throw cause
            })
    } catch (cause) {
      signal?.throwIfAborted()
      const isTransient = response === undefined && (cause as Error).name !== 'TimeoutError'
      throw new UnavailableError(name, 'got no usable answer', { cause, isTransient })
    }
    signal?.throwIfAborted()
    if (!response.ok) {
      const failure = failureOf(name, response, body)
      if (failure instanceof SignedOutError) {
        meet(undefined)
        isSignedOut = true
      }
      throw failure
    }
    // The stream was refused meanwhile, and does not ask again by itself.
    if (isSignedOut) live.restart()
    isSignedOut = false
    if (!meet(response.headers.get(personHeader) ?? person)) {
      throw new UnavailableError(name, 'was answered for someone else, who has signed in meanwhile')
    }

    const isNothing = name !== 'getSession' && routes[name].response === 'nothing'
    const known: Readonly<Record<string, (value: unknown) => unknown>> = readers
    const value = known[version ? `${name};version=${version}` : name]?.(body)
    if (value === undefined && !isNothing)
      throw new UnavailableError(name, 'got an answer that the contract does not allow')
    return value
  }

  /** Whether this is whom everything so far was for; else all of that is forgotten. */
  function meet(univid: string | undefined): boolean {
    const before = person
    person = univid
    if (before === undefined || before === univid) return true
    reads.clear()
    revalidation.personChanged()
    live.restart()
    return false
  }

  function pathOf(name: BrowserOperation | 'getSession', { params = {}, query }: LooseInput): string {
    const { path } = name === 'getSession' ? ownRoutes.getSession : routes[name]
    return fillPath(path, params) + serializeQuery(query)
  }

  const methods: Record<string, unknown> = {}
  for (const [name, { method, requestBody, response }] of Object.entries<Route>(routes)) {
    if (!(name in readers) && response !== 'nothing') continue
    const perform = requestBody === 'multipart' ? send : method === 'GET' ? read : write
    methods[name] = perform.bind(null, name as never)
  }

  return Object.assign(methods, {
    getSession: (options?: LooseOptions) => read('getSession', {}, options),
    getCached: (name: BrowserOperation, input: LooseInput, version?: string) => {
      const ids = input.query?.['id']
      if (!Array.isArray(ids)) return reads.getCached(`${version} ${pathOf(name, input)}`)
      const rows = ids.map((id) => reads.getCached(`${manyKey(name, input, version)} ${id}`))
      return rows.includes(undefined) ? undefined : rows
    },
    href: (
      name: NavigationOperation,
      params: Params<NavigationOperation>,
      query?: Readonly<Record<string, boolean>>,
    ) => root + pathOf(name, { params, ...(query && { query }) }),
    invalidate: reads.invalidate,
    watch: revalidation.watch,
  }) as Client
}

/** What is read; the session is the proxy's own to tell. */
type ReadName = BrowserOperation | 'getSession'

/** A row of a bulk answer. */
type Row = { readonly id?: number; readonly packageId?: number } | null

/** Whether it says something about the person or the service, and nothing about what was asked for. */
function isGeneral(error: ClientError): boolean {
  return error instanceof UnavailableError || error instanceof SignedOutError
}

function retryAfterOf(error: unknown): number {
  return (error instanceof UnavailableError && error.retryAfter) || 0
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    const leave = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', leave, { once: true })
  })
}

function scopeOf({ params: { formId, packageId } = {} }: LooseInput): string {
  return packageId === undefined ? '' : packageScope(Number(formId), Number(packageId))
}

function manyKey(name: string, { params }: LooseInput, version: string | undefined): string {
  return `${name} ${version} ${params?.['formId']}`
}

/** `Input` with its link to one operation forgotten; `Client` has already checked it. */
interface LooseInput {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

interface LooseOptions {
  readonly signal?: AbortSignal | undefined
  readonly version?: string | undefined
}

function failureOf(name: string, { status, headers }: Response, body: unknown) {
  const detail = fieldOf(body, 'detail')
  const requestId = fieldOf(body, 'requestId')
  const facts = requestId === undefined ? {} : { requestId }
  if (status === 401) return new SignedOutError(name, 'needs someone to sign in', facts)
  if (status === 403) return new ForbiddenError(name, 'is not allowed to this person', facts)
  if (status === 404 || status === 410) return new NotFoundError(name, 'found nothing', facts)
  if (status === 429 || status >= 500)
    return new UnavailableError(name, `failed with status ${status}`, {
      ...facts,
      retryAfter: parseRetryAfter(headers.get('retry-after')),
      isTransient: status !== 500,
    })
  return new RefusedError(name, status, detail, requestId)
}

function fieldOf(body: unknown, field: 'detail' | 'requestId'): string | undefined {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined
  return typeof value === 'string' ? value : undefined
}
