import type { OperationName } from '../contract/services/operations.ts'
import { parseQuery } from '../contract/services/parse-query.ts'
import { createCallbackSender } from './workflow/callback-sender.ts'
import { createClock } from './clock.ts'
import { createControl } from './control/control.ts'
import { createFaults, type Faults } from './control/faults.ts'
import { encodeForm } from './http/encode-form.ts'
import { handlers } from './handlers.ts'
import type { Caller, Handler, HandlerInput } from './http/handler.ts'
import { type JournalEntry, addJournalEntry, journalBody } from './control/journal.ts'
import { readMultipart } from './http/multipart.ts'
import { createMemoryStore, type ObjectStore } from './state/object-store.ts'
import { readJson } from './http/json.ts'
import { methodNotAllowed, toProblemResponse, ServiceError } from './http/service-error.ts'
import {
  authenticate,
  callerOf,
  findOperation,
  parseWithAdminSchemas,
  type RequestedOperation,
  readPart,
  versionOf,
} from './http/requests.ts'
import { scenarios } from './scenarios/index.ts'
import { createSigning } from './workflow/signing.ts'
import { replaceState } from './state/snapshot.ts'
import { type EmulatorState, namedObjects } from './state/state.ts'
import { download } from './storage/download.ts'
import { createQuirks, type Quirks } from './control/quirks.ts'
import { defaultSpecOptions, type SpecOptions } from './control/spec-options.ts'
import type { EmulatorContext } from './context.ts'

export interface EmulatorOptions {
  /** Initial state. The emulator changes it. Default: the scenario `small`. */
  readonly seed?: EmulatorState
  /** Returns the current time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Time zone of the local date-times in responses. Default `UTC`. */
  readonly timeZone?: string
  /** Base URL of presigned links: the URL at which clients reach `/objects`. Default `http://emulator.test/objects`. */
  readonly objectsUrl?: string
  /** Stores the contents of files. Default: in memory. */
  readonly objects?: ObjectStore
  /** Whether the control API below `/_emulator` is enabled. Default false: it returns 403. */
  readonly control?: boolean
  /** Behaviours that the spec leaves open. Default: the first value of each list in `spec-options.ts`. */
  readonly specOptions?: Partial<SpecOptions>
  /** Sends callbacks. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** How long a batch of callbacks waits for one response, in milliseconds of real time. Default 1000. */
  readonly callbackTimeout?: number
  /** Starts the timer of `callbackTimeout`. Default: the global `setTimeout`. */
  readonly setTimeout?: (callback: () => void, delay: number) => ReturnType<typeof globalThis.setTimeout>
  /** Stops a timer that `setTimeout` started. Default: the global `clearTimeout`. */
  readonly clearTimeout?: (timer: ReturnType<typeof globalThis.setTimeout> | undefined) => void
  /** Saves the state. Requests that change it wait for the promise before they respond. Default: the state is not saved. */
  readonly save?: () => Promise<void>
}

/** Both services, with their whole state. Tests may read and change it at any time. */
export interface Emulator extends EmulatorState {
  /**
   * Handles a request like the real services: the routing service below `/wf`, file storage below `/fs/test` and
   * `/fs/prod`, presigned links below `/objects`, and the control API below `/_emulator`. Never rejects.
   */
  readonly fetch: typeof globalThis.fetch
  /** Delivers the callbacks that are due. Call it at intervals. Never rejects. */
  readonly tick: () => Promise<void>
  /** The requests that the services received, oldest first. */
  readonly journal: JournalEntry[]
  /** Failures of the next calls. */
  readonly faults: Faults
  /** Awkward behaviours of real services. */
  readonly quirks: Quirks
  /** Behaviours that the spec leaves open. May be changed at any time. */
  readonly specOptions: SpecOptions
  /** Contents of files and attachments, by their `object` key. */
  readonly objects: ObjectStore
}

/** Creates an emulator of both services with a state of its own. */
export function createEmulator({
  seed = scenarios.small(),
  now = Date.now,
  timeZone = 'UTC',
  objectsUrl = 'http://emulator.test/objects',
  objects = createMemoryStore(),
  control: isControlled = false,
  specOptions: chosen = {},
  fetch = globalThis.fetch.bind(globalThis),
  callbackTimeout = 1000,
  setTimeout = globalThis.setTimeout.bind(globalThis),
  clearTimeout = globalThis.clearTimeout.bind(globalThis),
  save = () => Promise.resolve(),
}: EmulatorOptions = {}): Emulator {
  const state = seed
  const clock = createClock(now, timeZone, state.clock)
  const specOptions: SpecOptions = { ...defaultSpecOptions(), ...chosen }
  const signing = createSigning(state.signingKeys, specOptions)
  const context: EmulatorContext = { state, clock, objects, specOptions, signing, objectsUrl }
  const quirks = createQuirks()
  const faults = createFaults()
  const journal: JournalEntry[] = []
  const callbacks = createCallbackSender(context, {
    fetch,
    quirks,
    timeout: callbackTimeout,
    setTimeout,
    clearTimeout,
    onLateResponse: () => void save().catch(() => {}),
  })
  const control = createControl({
    ...context,
    callbacks,
    faults,
    quirks,
    journal,
    async reset(fresh) {
      const before = await objects.keys()
      replaceState(state, fresh)
      faults.clear()
      quirks.active.clear()
      journal.length = 0
      Object.assign(specOptions, defaultSpecOptions(), chosen)
      // Save first: if the process ends in between, unreferenced contents are left over, but none are missing.
      await save()
      const named = namedObjects(state)
      await Promise.all(before.filter((key) => !named.has(key)).map((key) => objects.delete(key)))
    },
  })

  async function respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/_emulator' || pathname.startsWith('/_emulator/')) {
      if (!isControlled) throw new ServiceError(403, 'The control API of this emulator is disabled')
      const response = await control(request)
      if (request.method !== 'GET') await save()
      return response
    }

    const entry = addJournalEntry(journal, clock.localNow(), request)
    try {
      const response = await serve(request, entry)
      entry.status = response.status
      return await quirks.response(request, response)
    } catch (error) {
      const response = toProblemResponse(toServiceError(error), pathname)
      entry.status = response.status
      return await quirks.response(request, response)
    }
  }

  async function serve(request: Request, entry: JournalEntry): Promise<Response> {
    const { pathname, headers } = quirks.request(request)
    const token = /^\/objects\/([^/]+)$/.exec(pathname)?.[1]
    if (token !== undefined) {
      entry.operation = 'download'
      if (request.method !== 'GET') throw methodNotAllowed(['GET'])
      return await faults.through('download', pathname, () => download(context, token, headers))
    }

    const found = findOperation(request.method, pathname)
    const { name, operation, params } = found
    entry.operation = name
    entry.params = params
    const client = authenticate(state, headers)
    const caller =
      operation.service === 'workflow' ? callerOf(state, headers) : { user: client, bypass: false }
    return await faults.through(name, pathname, async () => {
      const response = await perform(context, request, entry, { ...found, client, caller, headers })
      // Presigned links and the public key are created by GET requests and are part of the state too.
      if (request.method !== 'GET' || name === 'presignFile' || name === 'getPublicKey') await save()
      return response
    })
  }

  return {
    ...state,
    journal,
    faults,
    quirks,
    specOptions,
    objects,
    async fetch(input, init) {
      // Do not copy a `Request`: those of Node servers are of another implementation and cannot be copied.
      const request = input instanceof Request && !init ? input : createRequest(input, init)
      try {
        return await respond(request)
      } catch (error) {
        return toProblemResponse(toServiceError(error), new URL(request.url).pathname)
      }
    },
    async tick() {
      try {
        if (await callbacks.tick()) await save()
      } catch {
        // The next call sends and saves again.
      }
    },
  }
}

function createRequest(input: RequestInfo | URL, init: RequestInit = {}): Request {
  return new Request(input, init.body instanceof FormData ? { ...init, body: encodeForm(init.body) } : init)
}

function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError
    ? error
    : new ServiceError(500, `The emulator failed: ${String(error)}`)
}

/** The sender of a request. */
interface RequestSender {
  readonly client: string
  readonly caller: Caller
  readonly headers: Headers
}

/** Reads the input of an operation and performs it. */
async function perform(
  context: EmulatorContext,
  request: Request,
  entry: JournalEntry,
  { name, operation, params, env, client, caller, headers }: RequestedOperation & RequestSender,
): Promise<Response> {
  const version = versionOf(operation, headers)
  const { searchParams } = new URL(request.url)
  const query = parseWithAdminSchemas(name, 'query', operation.query, (schema) =>
    parseQuery(schema, searchParams),
  )

  const upload = operation.requestBody === 'multipart' && operation.part
  const received = upload ? await readMultipart(request, context.objects, upload) : undefined
  let body: unknown
  if (operation.requestBody === 'json') {
    const value = await readJson(request)
    entry.body = journalBody(value)
    const schema = (version && operation.bodies?.[version]) || operation.body
    body = parseWithAdminSchemas(name, 'body', schema, (each) => each.safeParse(value))
  }

  const handle = handlers[name] as Handler<OperationName>
  const input = { params, query, body, version, caller, client, env, file: received?.file }
  let result: unknown
  try {
    if (received) {
      entry.body = journalBody(received)
      input.body =
        operation.body && received.value !== undefined ? readPart(operation, received.value) : undefined
    }
    result = await handle(context, input as unknown as HandlerInput<OperationName>)
  } catch (error) {
    if (received) await context.objects.delete(received.file.object)
    throw error
  }
  return result instanceof Response ? result : Response.json(result)
}
