import type { PagePart, PagePartHead } from '../../contract/routes/package-page.ts'
import { packagePageUrl } from './early-read.ts'
import { type ClientOperation, operationPath } from './operation-input.ts'
import type { ProxyResponse } from './proxy-probe.ts'

/** Time in ms for which a part that nobody has read yet is kept. */
const keptTime = 1000

/** The same for an early read: the code of some elements may arrive later than that of others. */
const earlyKeptTime = 5000

/** A copy whose type the contract checks: pages do not download the proxy's own routes. */
const partsType: (typeof import('../../contract/routes/package-page.ts'))['pagePartsType'] =
  'application/x-ndjson'

interface PagePartsOptions {
  /** Root URL of the proxy without a trailing slash. */
  readonly root: string
  readonly fetch: typeof globalThis.fetch
}

/** Sends a request to a path of the proxy. Rejects as `fetch` does. */
export type SendToProxy = (path: string, init: PartInit) => Promise<ProxyResponse>

type PartInit = RequestInit & { readonly signal: AbortSignal }

interface PackageParams {
  readonly formId: number
  readonly packageId: number
}

/**
 * Combines the reads of a package that begin with reading the rights: the request for the rights also brings what will be
 * read once they are known.
 */
export interface PageParts {
  readonly send: SendToProxy
  /** Names reads that follow if the rights to a package are about to be read. Without such a read, nothing happens. */
  expect(params: PackageParams, operations: readonly ClientOperation[]): void
  /** Uses a response that was requested before the client existed. `operations` are its parts, including the rights. */
  adopt(params: PackageParams, operations: readonly ClientOperation[], response: Promise<Response>): void
  /** Drops what has arrived: it may have changed since. */
  forget(): void
}

export function createPageParts({ root, fetch }: PagePartsOptions): PageParts {
  /** Paths of expected parts by operation, by the path of the rights. */
  const expected = new Map<string, Map<string, string>>()
  /** Responses of parts, by path. */
  const arriving = new Map<string, Promise<ProxyResponse>>()
  let isServed = true

  /** Requests parts with the rights, which are one of them. */
  async function sendParts(
    path: string,
    parts: ReadonlyMap<string, string>,
    init: PartInit,
  ): Promise<ProxyResponse> {
    const [, formId, packageId] = /(\d+)\D+(\d+)$/.exec(path) ?? []
    const response = await fetch(packagePageUrl(root, { formId, packageId }, [...parts.keys()]), init)
    // A proxy of an earlier release.
    isServed = response.status !== 404
    if (!isServed) return await fetch(root + path, init)
    if (!hasParts(response)) return response

    receive(parts, Promise.resolve(response), keptTime)
    return (await take(path)) as ProxyResponse
  }

  /** Keeps the parts of a response, each as soon as it arrives. */
  function receive(parts: ReadonlyMap<string, string>, pending: Promise<Response>, keptFor: number): void {
    const waiting = new Map<
      string,
      { resolve: (part: ProxyResponse) => void; reject: (error: unknown) => void }
    >()
    for (const [name, path] of parts)
      keep(path, new Promise((resolve, reject) => waiting.set(name, { resolve, reject })), keptFor)
    void pending
      .then((response) => readParts(response, (name, part) => waiting.get(name)?.resolve(part)))
      .catch((error: unknown) => error)
      .then((error) => {
        for (const { reject } of waiting.values()) reject(error ?? new TypeError('A part is missing'))
      })
  }

  /** Keeps a part for its reader. */
  function keep(path: string, part: Promise<ProxyResponse>, keptFor: number): void {
    arriving.set(path, part)
    const drop = () =>
      setTimeout(() => {
        if (arriving.get(path) === part) arriving.delete(path)
      }, keptFor)
    part.then(drop, drop)
  }

  /** Returns a part that has been requested, to its only reader. */
  function take(path: string): Promise<ProxyResponse> | undefined {
    const part = arriving.get(path)
    arriving.delete(path)
    return part
  }

  return {
    async send(path, init) {
      const parts = expected.get(path)
      expected.delete(path)
      const part = take(path)
      // If the connection ended before the part came, it is requested on its own.
      const early = part && (await unlessAborted(part, init.signal).catch(() => init.signal.throwIfAborted()))
      if (early) return early
      return await (isServed && parts && parts.size > 1
        ? sendParts(path, parts, init)
        : fetch(root + path, init))
    },

    expect(params, operations) {
      const rights = rightsPath(params)
      let parts = expected.get(rights)
      if (!parts) {
        expected.set(rights, (parts = new Map([['getActions', rights]])))
        // The rights are read after the current tick, with those to other packages.
        setTimeout(() => setTimeout(() => expected.delete(rights)))
      }
      for (const operation of operations) parts.set(operation.name, partPath(operation, params))
    },

    adopt(params, operations, response) {
      const parts = new Map(operations.map((operation) => [operation.name, partPath(operation, params)]))
      receive(parts, response, earlyKeptTime)
    },

    forget: () => arriving.clear(),
  }
}

function rightsPath({ formId, packageId }: PackageParams): string {
  return `/forms/${formId}/packages/actions?id=${packageId}`
}

function partPath(operation: ClientOperation, params: PackageParams): string {
  return operation.name === 'getActions'
    ? rightsPath(params)
    : operationPath(operation, { params: { ...params } })
}

function hasParts({ body, headers }: Response): boolean {
  return body !== null && headers.get('content-type') === partsType
}

/** Reads the parts of a response as they arrive. Each has two lines: one about it, and its body. */
async function readParts(
  response: Response,
  onPart: (name: string, part: ProxyResponse) => void,
): Promise<void> {
  const { body, headers, status } = response
  if (!hasParts(response)) {
    // A refusal, such as 401, is also that of the rights. A proxy of an earlier release has no such page.
    if (status !== 404) onPart('getActions' satisfies PagePart, response)
    return
  }
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .getReader()
  let head: PagePartHead | undefined
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    let searched = text.length
    text += value
    for (let end; (end = text.indexOf('\n', searched)) >= 0; searched = 0) {
      const line = text.slice(0, end)
      text = text.slice(end + 1)
      if (head) {
        const own = new Headers(headers)
        if (head.retryAfter) own.set('retry-after', head.retryAfter)
        const { part, status } = head
        // Not a `Response`, whose body takes several tasks to read: what arrives together is rendered in one frame.
        const json = () => Promise.resolve(line).then(JSON.parse)
        onPart(part, { ok: status < 300, status, headers: own, json })
        head = undefined
      } else head = JSON.parse(line) as PagePartHead
    }
  }
}

/** Rejects with the signal's reason if it aborts first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    promise.then(resolve, reject)
  })
}
