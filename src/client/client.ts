import type {
  BrowserBody,
  BrowserResult,
  Input,
  OperationsAnswering,
  Params,
  UploadOperation,
} from '../contract/browser-operations.ts'
import type { Version } from '../contract/operations.ts'
import { fillPath } from '../contract/path.ts'
import { readers } from '../contract/readers.ts'
import { acceptVersion, type BrowserRoute, callHeader } from '../contract/route.ts'
import { type BrowserOperation, routes } from '../contract/routes.ts'
import { ForbiddenError, NotFoundError, RefusedError, SignedOutError, UnavailableError } from './errors.ts'
import { createRevalidation, type Revalidation, type RevalidationOptions } from './revalidation.ts'
import { createLine, type Upload, xhrUpload } from './upload.ts'

export interface ClientOptions extends RevalidationOptions {
  /** Root URL of the proxy, such as `/api/wf`. */
  readonly endpoint: string
  /** Performs the calls. Defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Performs the uploads. Defaults to XMLHttpRequest, for its progress. */
  readonly upload?: Upload
  /** Most milliseconds to wait for an answer, uploads apart. Default 10 000. */
  readonly timeout?: number
}

export interface CallOptions<V extends string | undefined = undefined> {
  /** Gives up on the call; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Representation version to ask for, where the operation has more than one. */
  readonly version?: V
}

export interface UploadOptions {
  /** Gives up on the upload; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Called as bytes leave: `sent` of `total` bytes. They stand at the total while the answer is awaited. */
  readonly onProgress?: (sent: number, total: number) => void
}

/** Operations whose answers pages know how to read. */
type ReadOperation = keyof typeof readers & BrowserOperation
type JsonOperation = Exclude<ReadOperation, UploadOperation>
type FileOperation = Extract<ReadOperation, UploadOperation>
type NavigationOperation = OperationsAnswering<'redirect' | 'file'>

/** A call of one operation; its rejections are the errors of `errors.ts`, or `ParameterError` before anything is sent. */
type Call<Name extends JsonOperation> = <V extends Version<Name> | undefined = undefined>(
  input: Input<Name>,
  options?: CallOptions<V>,
) => Promise<BrowserResult<Name, V>>

/** One method per operation of the contract's table that has a reader, and what elements of one page share. */
export type Client = { readonly [Name in JsonOperation]: Call<Name> } & {
  /** Sends one file with its `meta` part. At most three travel at once; further ones wait. */
  readonly [Name in FileOperation]: (
    input: { readonly file: File; readonly body?: BrowserBody<Name> },
    options?: UploadOptions,
  ) => Promise<BrowserResult<Name>>
} & {
  /** Address of an operation that a link leads to. */
  href<Name extends NavigationOperation>(name: Name, params: Params<Name>): string
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
  fetch = globalThis.fetch.bind(globalThis),
  upload = xhrUpload,
  timeout = 10_000,
  ...revalidationOptions
}: ClientOptions): Client {
  const root = endpoint.replace(/\/+$/, '')
  const revalidation = createRevalidation(revalidationOptions)
  const inLine = createLine(3)

  async function call(
    name: BrowserOperation,
    input: LooseInput,
    options: LooseOptions = {},
  ): Promise<unknown> {
    const route: BrowserRoute = routes[name]
    const url = root + fillPath(route.path, input.params ?? {}) + search(input.query)
    const init: RequestInit = {
      method: route.method,
      headers: {
        [callHeader]: '1',
        Accept: options.version ? acceptVersion(options.version) : 'application/json',
        ...(input.body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    }
    options.signal?.throwIfAborted()
    // Not `AbortSignal.any`: in Node 20 the garbage collector takes a combined signal away before it fires.
    const abort = new AbortController()
    const onAbort = () => abort.abort(options.signal?.reason)
    const timer = setTimeout(
      () => abort.abort(new DOMException('No answer in time', 'TimeoutError')),
      timeout,
    )
    options.signal?.addEventListener('abort', onAbort)

    try {
      return await settle(name, options, () => fetch(url, { ...init, signal: abort.signal }))
    } finally {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', onAbort)
      // Also after a failure: an answer that was lost does not mean that nothing has changed.
      const { formId, packageId } = input.params ?? {}
      if (route.method !== 'GET' && formId && packageId) {
        revalidation.changed(packageScope(Number(formId), Number(packageId)))
      }
    }
  }

  async function send(
    name: UploadOperation,
    input: UploadInput,
    options: UploadOptions = {},
  ): Promise<unknown> {
    const body = new FormData()
    // The proxy reads the parts as they come, so `meta` goes first.
    if (input.body !== undefined) body.append('meta', JSON.stringify(input.body))
    body.append('file', input.file)
    const url = root + fillPath(routes[name].path, {})
    const headers = { [callHeader]: '1', Accept: 'application/json' }

    return await inLine(
      () => settle(name, options, () => upload({ url, headers, body, ...options })),
      options.signal,
    )
  }

  /** Turns what came back, or did not, into a value or into one of our errors. */
  async function settle(
    name: BrowserOperation,
    { signal, version }: LooseOptions,
    perform: () => Promise<Response>,
  ): Promise<unknown> {
    let response: Response
    let body: unknown
    try {
      response = await perform()
      // The words of a failure may be anyone's: what counts is its status.
      body = await response.json().catch((cause: unknown) => {
        if (response.ok) throw cause
      })
    } catch (cause) {
      signal?.throwIfAborted()
      revalidation.report(false)
      throw new UnavailableError(name, 'got no usable answer', { cause })
    }

    const failure = response.ok ? undefined : failureOf(name, response.status, body)
    revalidation.report(!(failure instanceof UnavailableError))
    if (failure) throw failure

    const known: Readonly<Record<string, (value: unknown) => unknown>> = readers
    const value = known[version ? `${name};version=${version}` : name]?.(body)
    if (value === undefined)
      throw new UnavailableError(name, 'got an answer that the contract does not allow')
    return value
  }

  const methods: Record<string, unknown> = {}
  for (const [name, route] of Object.entries<BrowserRoute>(routes)) {
    if (!(name in readers)) continue
    methods[name] =
      route.sends === 'multipart'
        ? send.bind(null, name as UploadOperation)
        : call.bind(null, name as BrowserOperation)
  }

  return Object.assign(methods, {
    href: (name: NavigationOperation, params: Params<NavigationOperation>) =>
      root + fillPath(routes[name].path, params),
    watch: revalidation.watch,
  }) as Client
}

/** `Input` with its link to one operation forgotten; `Client` has already checked it. */
interface LooseInput {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

interface LooseOptions {
  readonly signal?: AbortSignal
  readonly version?: string
}

interface UploadInput {
  readonly file: File
  readonly body?: unknown
}

function search(query: Readonly<Record<string, unknown>> = {}): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') {
        parts.append(name, `${item}`)
      }
    }
  }
  return parts.size > 0 ? `?${parts}` : ''
}

function failureOf(name: BrowserOperation, status: number, body: unknown) {
  const detail = fieldOf(body, 'detail')
  const requestId = fieldOf(body, 'requestId')
  const facts = requestId === undefined ? {} : { requestId }
  if (status === 401) return new SignedOutError(name, 'needs someone to sign in', facts)
  if (status === 403) return new ForbiddenError(name, 'is not allowed to this person', facts)
  if (status === 404 || status === 410) return new NotFoundError(name, 'found nothing', facts)
  if (status === 429 || status >= 500)
    return new UnavailableError(name, `failed with status ${status}`, facts)
  return new RefusedError(name, status, detail, requestId)
}

function fieldOf(body: unknown, field: 'detail' | 'requestId'): string | undefined {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined
  return typeof value === 'string' ? value : undefined
}
