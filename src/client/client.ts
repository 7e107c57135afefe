import type {
  BrowserBody,
  BrowserResult,
  Input,
  OperationWithResponse,
  Params,
  UploadOperation,
} from '../contract/services/browser-operations.ts'
import type { Version } from '../contract/services/operation-types.ts'
import type { OwnServiceOperation } from '../contract/routes/own-routes.ts'
import type {
  FormListQuery,
  FormRequestList,
  ListQuery,
  Reminder,
  ReminderBody,
  RequestList,
} from '../contract/schemas/lists.ts'
import type { OpenLockList, Release } from '../contract/schemas/callbacks.ts'
import type { PagePart } from '../contract/routes/package-page.ts'
import type { PageOperation } from '../contract/routes/page-routes.ts'
import type { readers } from '../contract/readers/readers.ts'
import type { BrowserOperation } from '../contract/routes/routes.ts'
import type { Session } from '../contract/schemas/session.ts'
import { rootOf, takeEarlyRead } from './transport/early-read.ts'
import { UnavailableError } from './transport/errors.ts'
import type { createFileUpload, FileUpload, UploadOptions } from './uploads/file-upload.ts'
import { createIdentityTracker } from './transport/identity-tracker.ts'
import { createLateLiveHints } from './late-live-hints.ts'
import {
  type ClientOperation,
  type OperationInput,
  type OperationOptions,
  type OperationTable,
  operationPath,
  operationsOf,
  scopeOf,
} from './transport/operation-input.ts'
import type { createPageParts, PageParts, SendToProxy } from './transport/page-parts.ts'
import { createPoller, type PollerOptions } from './reads/poller.ts'
import { createProxyProbe } from './transport/proxy-probe.ts'
import { createQueryCache } from './reads/query-cache.ts'
import { createReads, isSlow } from './reads/reads.ts'
import { createRequest } from './transport/request.ts'
import { createRetry } from './transport/retry.ts'
import { createRevalidation, type RevalidationReason } from './reads/revalidation.ts'
import type { Upload } from './uploads/xhr-upload.ts'

/** Options of `createClient()`. */
export interface ClientOptions extends Pick<PollerOptions, 'interval' | 'liveInterval' | 'maxBackoff'> {
  /** Root URL of the proxy, such as `/api/wf`. */
  readonly endpoint: string
  /** Sends the requests. Defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Sends the uploads. Defaults to XMLHttpRequest, which reports progress. */
  readonly upload?: Upload
  /** Timeout in ms until response headers arrive (uploads excluded). The body may take 12 times as long. Default 10,000. */
  readonly timeout?: number
  /** Whether to receive live events of the proxy, in one stream while the page is visible. Default true. */
  readonly live?: boolean
  /** Maximum number of retries of a read after a transient failure. Writes are never retried. Default 2. */
  readonly retries?: number
}

/** Options of one call of a client. */
export interface CallOptions<V extends string | undefined = undefined> {
  /** Cancels the call. The promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Representation version to request, if the operation has several. */
  readonly version?: V
  /**
   * Value of `Idempotency-Key` of a change. The proxy carries out a change once for each key, so a repetition with the same
   * key gets the response of the first call. Default: a new key for each call. See `createIdempotencyKey`.
   */
  readonly idempotencyKey?: string | undefined
}

/** Operations that have a reader, and those without a response body. */
type KnownOperation = (keyof typeof readers & BrowserOperation) | OperationWithResponse<'nothing'>
type JsonOperation = Exclude<KnownOperation, UploadOperation>
type NavigationOperation = OperationWithResponse<'redirect' | 'file'>

/** Calls one operation. Rejects with an error of `errors.ts`, or with `ParameterError` before anything is sent. */
type Call<Name extends JsonOperation> = <V extends Version<Name> | undefined = undefined>(
  input: Input<Name>,
  options?: CallOptions<V>,
) => Promise<BrowserResult<Name, V>>

/** Input of an upload. `body` is the part besides the file, if the operation has one. */
type UploadInput<Name extends UploadOperation> = {
  readonly file: File
  readonly body?: BrowserBody<Name>
} & (keyof Params<Name> extends never ? unknown : { readonly params: Params<Name> })

/** Input of an operation on a package. */
export interface PackageInput {
  /** The form, and the package. */
  readonly params: { readonly formId: number; readonly packageId: number }
}

/**
 * One method per operation of the contract that pages use. Concurrent reads of the same thing share one request. Bulk
 * reads of the same tick share one call, with up to 100 ids.
 */
export type Client = { readonly [Name in JsonOperation]: Call<Name> } & {
  /** Sends one file. Up to three are sent at the same time; the others wait. */
  readonly [Name in UploadOperation]: (
    input: UploadInput<Name>,
    options?: UploadOptions,
  ) => Promise<BrowserResult<Name>>
} & {
  /** Returns the signed-in user and what the proxy serves. */
  getSession(options?: CallOptions): Promise<Session>
  /**
   * Returns a part of the requests that the user has started, or of those that wait for the user. The list contains what the
   * proxy has learnt of, and is never known to be complete.
   */
  getList(input: { readonly query: ListQuery }, options?: CallOptions): Promise<RequestList>
  /**
   * Returns a part of the requests of a form that meet some conditions and that the user may view, if the policy of the site lets the user
   * list them. Like `getList`, it is never known to be complete.
   */
  getFormList(
    input: { readonly params: { readonly formId: number }; readonly query: FormListQuery },
    options?: CallOptions,
  ): Promise<FormRequestList>
  /** Returns the reminder that the user could have sent about a package now, and what was sent. */
  getReminder(input: PackageInput, options?: CallOptions): Promise<Reminder>
  /** Has the service email the approvers of a package, without changing it. */
  sendReminder(
    input: PackageInput & { readonly body: ReminderBody },
    options?: CallOptions,
  ): Promise<Reminder>
  /** Returns the open lock of a package, if its route is frozen and the proxy knows the lock. */
  getLocks(input: PackageInput, options?: CallOptions): Promise<OpenLockList>
  /** Returns the open locks of a form that the user may release. */
  getFormLocks(
    input: { readonly params: { readonly formId: number } },
    options?: CallOptions,
  ): Promise<OpenLockList>
  /** Releases a lock. Doing so again does no harm. */
  releaseLock(
    input: {
      readonly params: PackageInput['params'] & { readonly lockId: number }
      readonly body: { readonly reason: string }
    },
    options?: CallOptions,
  ): Promise<Release>
  /**
   * Names the reads of a package that follow, so that one response answers them all. It has an effect only if the rights of
   * the package (`getActions`) are read in the same tick.
   */
  expect(params: PackageInput['params'], parts: readonly PagePart[]): void
  /**
   * Returns the last result of a read, however old, to show it while the read runs again. Returns `undefined` if there is
   * none, or if another user has signed in since.
   */
  getCached<Name extends JsonOperation, V extends Version<Name> | undefined = undefined>(
    name: Name,
    input: Input<Name>,
    version?: V,
  ): BrowserResult<Name, V> | undefined
  getCached(name: 'getSession', input: object): Session | undefined
  /**
   * Returns the URL of an operation whose response is a file or a redirect, for a link: `getPdf`, `downloadAttachment` or
   * `presignFile`.
   */
  href<Name extends NavigationOperation>(
    name: Name,
    params: Params<Name>,
    query?: Readonly<Record<string, boolean>>,
  ): string
  /** Makes the next read of a scope, or of everything, load again. */
  invalidate(scope?: string): void
  /**
   * Calls `listener` when the data of a scope may have changed: `changed` after a write through this client or a live event;
   * `poll` at each interval while the page is visible, and when it becomes visible or is online again; `user` after another
   * user has signed in. The scope of a package is `packageScope(formId, packageId)`, that of lists is `/list`. Returns a
   * function that stops this.
   */
  watch(scope: string, listener: (reason: RevalidationReason) => void): () => void
  /** Adds the operations of a table to this client, and returns it. They share its cache, limiter and live events. */
  extend<Name extends BrowserOperation | OwnServiceOperation>(
    table: OperationTable<Name>,
  ): PageClient & Pick<Client, Name & keyof Client>
}

/** A client that knows only the operations of `pageRoutes`. Elements add further ones when they need them. */
export type PageClient = Omit<Client, Exclude<BrowserOperation, PageOperation> | OwnServiceOperation>

type Method = (operation: ClientOperation, input: never, options: never) => Promise<unknown>

/** Operations, and what they need besides requests. A page that has only badges uploads nothing and reads no other parts. */
export interface ClientTable<Name extends string = string> extends OperationTable<Name> {
  readonly createFileUpload?: typeof createFileUpload
  readonly createPageParts?: typeof createPageParts
}

/** Creates a client that calls the operations of a table through a proxy. */
export function createPageClient(
  {
    endpoint,
    fetch: ownFetch,
    upload: sendUpload,
    timeout = 10_000,
    live: isLive = true,
    retries = 2,
    ...intervals
  }: ClientOptions,
  table: ClientTable,
): PageClient {
  const operations: Record<string, ClientOperation> = {}
  const added = new WeakSet<ClientTable>()
  const fetch = ownFetch ?? globalThis.fetch.bind(globalThis)
  const root = rootOf(endpoint)
  const cache = createQueryCache()
  let pageParts: PageParts | undefined
  let sendFile: FileUpload | undefined
  const invalidate = (scope?: string) => {
    cache.invalidate(scope)
    pageParts?.forget()
  }
  const revalidation = createRevalidation({
    onInvalidate: invalidate,
    onScopes(scopes) {
      if (scopes.length > 0) poller.start()
      else poller.stop()
      live?.setScopes(scopes)
    },
  })
  const poller = createPoller({ ...intervals, onPoll: () => revalidation.notify('poll') })
  const live = isLive
    ? createLateLiveHints({
        root,
        fetch,
        isShared: ownFetch === undefined,
        onChange: (scope) => revalidation.notify('changed', scope),
        onLive: poller.setLive,
      })
    : undefined
  const identity = createIdentityTracker({
    onIdentity() {
      cache.clear()
      pageParts?.forget()
      revalidation.notify('user')
      live?.restart()
    },
    // The proxy refused the stream while the user was signed out, and a refused stream does not reconnect.
    onSignIn: () => live?.restart(),
  })
  const reader = { identity, probe: createProxyProbe(root), onOwnEvent: (id: string) => live?.ignore(id) }
  const send: SendToProxy = (path, init) =>
    pageParts ? pageParts.send(path, init) : fetch(root + path, init)
  const request = createRequest({ send, timeout, ...reader })
  const retry = createRetry({ retries, onResult: (error) => poller.report(!error, error?.retryAfter) })
  const { read, getCached } = createReads({ cache, request, retry })

  async function sendChange(
    operation: ClientOperation,
    input: OperationInput,
    options: OperationOptions = {},
  ): Promise<unknown> {
    options.signal?.throwIfAborted()
    const path = operationPath(operation, input)
    return await change(input, request(operation, path, { ...options, body: input.body }))
  }

  /** Notifies the listeners of a package after a write, even a failed one: only its response may have been lost. */
  async function change(input: OperationInput, result: Promise<unknown>): Promise<unknown> {
    try {
      return await result
    } catch (error) {
      if (error instanceof UnavailableError) poller.report(false, error.retryAfter)
      throw error
    } finally {
      const scope = scopeOf(input)
      if (scope) {
        live?.settle(scope)
        revalidation.notify('changed', scope)
      }
    }
  }

  /** Its code may be added after the operations. */
  const upload: FileUpload = (...call) => sendFile!(...call)

  function add(table: ClientTable): void {
    if (added.has(table)) return
    added.add(table)
    if (table.createFileUpload) {
      const send = table.createFileUpload({ root, send: sendUpload, ...reader })
      sendFile = async (operation, input, options) => await change(input, send(operation, input, options))
    }
    for (const operation of operationsOf(table)) {
      const { name, method, requestBody, response } = operation
      operations[name] = operation
      if (response === 'file' || response === 'redirect') continue
      const call: Method | undefined =
        requestBody === 'multipart' ? upload : method === 'GET' ? read : sendChange
      client[name] = name === 'getSession' ? read.bind(null, operation, {}) : call?.bind(null, operation)
    }
    if (pageParts || !table.createPageParts) return
    pageParts = table.createPageParts({ root, fetch })
    const early = ownFetch ? undefined : takeEarlyRead(root)
    if (early) pageParts.adopt(early, early.parts.map(named), early.response)
  }
  const named = (name: string) => operations[name] as ClientOperation

  const client: Record<string, unknown> = {
    expect: (params: PackageInput['params'], parts: readonly PagePart[]) =>
      pageParts?.expect(
        params,
        parts.map(named).filter((operation) => !isSlow(operation) || !getCached(operation, { params })),
      ),
    getCached: (name: string, input: OperationInput, version?: string) =>
      getCached(named(name), input, version),
    href: (name: string, params: Params<NavigationOperation>, query?: OperationInput['query']) =>
      root + operationPath(named(name), { params, ...(query && { query }) }),
    invalidate,
    watch: revalidation.watch,
    extend(table: ClientTable) {
      add(table)
      return client
    },
  }
  add(table)
  return client as unknown as PageClient
}
