import type { z } from 'zod'
import { operations, type Operation } from '../contract/operations.ts'
import { matchPath } from '../contract/path.ts'
import { parseQuery } from '../contract/query.ts'
import { acceptVersion } from '../contract/route.ts'
import type { OperationName } from '../contract/routes.ts'
import type { Environment } from '../contract/values.ts'
import { createClock } from './clock.ts'
import type { Caller, Handlers } from './handlers.ts'
import { problem, Refusal } from './refusal.ts'
import { small } from './small.ts'
import type { EmulatorState } from './state.ts'
import { createStorage } from './storage.ts'
import { createWorkflow } from './workflow.ts'

export interface EmulatorOptions {
  /** What there is at the start. Default: the scenario `small`. */
  readonly seed?: EmulatorState
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Zone of the local date-times that the services write. Default UTC. */
  readonly timeZone?: string
  /** Where presigned links lead: the address under which `/objects` is reached. Default `http://emulator.test/objects`. */
  readonly objectsUrl?: string
}

export interface Emulator extends EmulatorState {
  /**
   * Answers as the real services would: the routing service below `/wf`, file storage below `/fs/test` and `/fs/prod`,
   * presigned links below `/objects`.
   */
  readonly fetch: typeof globalThis.fetch
}

/** Creates both services in memory, each emulator with data of its own. */
export function createEmulator({
  seed = small(),
  now = Date.now,
  timeZone = 'UTC',
  objectsUrl = 'http://emulator.test/objects',
}: EmulatorOptions = {}): Emulator {
  const clock = createClock(now, timeZone)
  const { download, ...storage } = createStorage(seed, clock, objectsUrl)
  const handlers: Handlers = { ...createWorkflow(seed, clock), ...storage }

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const token = /^\/objects\/([^/]+)$/.exec(pathname)?.[1]
    if (token !== undefined) {
      if (request.method !== 'GET') throw new Refusal(405, 'Links can only be read')
      return download(token)
    }

    const { name, operation, params, env } = find(request.method, pathname)
    const client = authenticate(request.headers)
    const multipart = operation.sends === 'multipart' ? await readMultipart(request) : undefined
    const body = multipart ? multipart.meta : operation.sends === 'json' ? await readJson(request) : undefined
    const result = handlers[name]({
      params,
      query: operation.query && checked(parseQuery(operation.query, searchParams)),
      body: operation.body && body !== undefined ? checked(operation.body.safeParse(body)) : undefined,
      version: operation.versions?.find(
        (version) => request.headers.get('accept') === acceptVersion(version),
      ),
      caller: operation.service === 'workflow' ? callerOf(request.headers) : { user: client, bypass: false },
      client,
      env,
      file: multipart?.file,
    } as never)

    return typeof result === 'string' ? new Response(result) : Response.json(result)
  }

  function find(method: string, pathname: string) {
    const [, root = '', path = ''] = /^(\/wf|\/fs\/test|\/fs\/prod)(\/.*)$/.exec(pathname) ?? []
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const isHere = root.startsWith(operation.service === 'workflow' ? '/wf' : '/fs')
      const params = isHere && operation.method === method ? matchPath(operation.upstream, path) : undefined
      if (params) {
        const env: Environment = root === '/fs/prod' ? 'prod' : 'test'
        return { name: name as OperationName, operation, params, env }
      }
    }
    throw new Refusal(404, 'There is no such operation')
  }

  function authenticate(headers: Headers): string {
    const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]+)$/.exec(headers.get('authorization') ?? '') ?? []
    const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(decode(encoded)) ?? []
    if (id === '' || seed.clients.get(id)?.secret !== secret)
      throw new Refusal(401, 'Client credentials are missing or wrong')
    return id
  }

  function callerOf(headers: Headers): Caller {
    const user = headers.get('x-workflow-request-user')
    if (user === null || !(seed.people.has(user) || seed.clients.has(user))) {
      throw new Refusal(400, 'x-workflow-request-user must name a university id or a client id')
    }
    return { user, bypass: headers.get('x-workflow-bypass-authorization') === 'true' }
  }

  return {
    ...seed,
    async fetch(input, init) {
      // A request of another implementation, as servers on Node hand over, cannot be made into one of ours.
      const request = input instanceof Request && !init ? input : new Request(input, init)
      try {
        return await answer(request)
      } catch (error) {
        const refusal =
          error instanceof Refusal ? error : new Refusal(500, 'The emulator failed: ' + String(error))
        return problem(refusal, new URL(request.url).pathname)
      }
    },
  }
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    throw new Refusal(400, 'The body is not JSON')
  }
}

/** The parts `file` and `meta`; the latter may arrive as text or as a part with a type of its own. */
async function readMultipart(request: Request): Promise<{ file: File; meta: unknown }> {
  const form = await request.formData().catch(() => {
    throw new Refusal(400, 'The body is not multipart/form-data')
  })
  const [file, ...others] = form.getAll('file')
  const meta = form.get('meta')
  if (!(file instanceof File) || others.length > 0) throw new Refusal(400, 'There must be one part "file"')
  try {
    const text = meta instanceof File ? await meta.text() : meta
    return { file, meta: text === null ? undefined : JSON.parse(text) }
  } catch {
    throw new Refusal(400, 'The part "meta" is not JSON')
  }
}

function checked<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Refusal(400, issues.join('; '))
}

function decode(base64: string): string {
  try {
    return atob(base64)
  } catch {
    return ''
  }
}
