import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type EmulatorServer, serveEmulator } from '../../src/cli/emulator.ts'

// The command `routeslip proxy` in front of an emulator, set up as docs/proxy.md shows it.

/** What the front server of these tests sends as `x-routeslip-front`. */
export const frontSecret = 'front-secret-that-nobody-may-ever-see'

export interface Launched {
  readonly child: ChildProcess
  readonly output: () => string
  readonly errors: () => string
}

export interface Started extends Launched {
  /** Address with a trailing slash. */
  readonly url: string
}

const emulators = new Set<EmulatorServer>()
/** Processes, and the signal that ends each at once. */
const children = new Map<ChildProcess, NodeJS.Signals>()

/** Ends whatever a test has started. */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...children].map(([child, signal]) => {
      const closed = once(child, 'close')
      child.kill(signal)
      return closed
    }),
  )
  await Promise.all([...emulators].map((emulator) => emulator.close()))
  emulators.clear()
}

/** Starts an emulator, and answers its address with a trailing slash. */
export async function startEmulator(): Promise<string> {
  const emulator = await serveEmulator({ port: 0 })
  emulators.add(emulator)
  return emulator.services.url
}

/** The variables of the example in docs/proxy.md, for this emulator and any free port. */
export function exampleEnv(emulatorUrl: string): Record<string, string> {
  const document = readFileSync(new URL('../../docs/proxy.md', import.meta.url), 'utf8')
  const env = Object.fromEntries(
    [...document.matchAll(/^export ([A-Z_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace('http://127.0.0.1:8081/', emulatorUrl).replace('http://127.0.0.1:8081', emulatorUrl),
    ]),
  )
  return { ...env, ROUTESLIP_IDENTITY_SECRET: frontSecret, ROUTESLIP_PORT: '0' }
}

/** Variables without some of them. */
export function without(
  env: Readonly<Record<string, string>>,
  ...names: readonly string[]
): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
}

/** Starts the command and nothing else. */
export function launch(env: Readonly<Record<string, string>>, ...options: readonly string[]): Launched {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'proxy', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  })
  return watch(child)
}

/** Keeps what a process says, and ends it with this signal after the test. */
export function watch(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Launched {
  children.set(child, signal)
  child.once('close', () => children.delete(child))
  let output = ''
  let errors = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return { child, output: () => output, errors: () => errors }
}

/** Starts the command, and waits until it says that it is ready. */
export async function start(
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<Started> {
  const launched = launch(env, ...options)
  for (;;) {
    const url = /^Routeslip proxy on (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(launched.output())?.[1]
    if (url !== undefined) return { ...launched, url }
    if (launched.child.exitCode !== null) throw new Error(`It has ended: ${launched.errors()}`)
    await pause(10)
  }
}

/** What the client of a page sends, besides who asks. */
export const fromPage = { 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }

/** What the front server sends for this person. */
export function as(univid: string): Record<string, string> {
  return { ...fromPage, 'x-remote-user': univid, 'x-routeslip-front': frontSecret }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Asks over Node's own client: `fetch` does not let anybody set `Sec-Fetch-Site`. */
export async function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string | Buffer
  } = {},
): Promise<Answer> {
  const asked = request(url, { method, headers })
  asked.end(body)
  return await answerTo(asked)
}

/** The answer to a request, whole. */
export async function answerTo(asked: ClientRequest): Promise<Answer> {
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
}

/** A form with one file, and its type. */
export function formOf(content: Buffer, filename = 'notes.txt'): { type: string; body: Buffer } {
  const body = Buffer.concat([
    Buffer.from(
      `--limit\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n` +
        'Content-Type: text/plain\r\n\r\n',
    ),
    content,
    Buffer.from('\r\n--limit--\r\n'),
  ])
  return { type: 'multipart/form-data; boundary=limit', body }
}

/** Sends half of an upload, and waits until it is under way at the service. */
export async function beginUpload(
  url: string,
  emulatorUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly answer: Promise<Answer>; readonly finish: () => void }> {
  const { type, body } = formOf(Buffer.alloc(1024 * 1024, 'text '))
  const upload = request(`${url}api/wf/files`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type, 'content-length': body.length },
  })
  const answer = answerTo(upload)
  // It may fail before anybody waits for it.
  answer.catch(() => {})
  upload.write(body.subarray(0, body.length / 2))
  await until(async () =>
    (await journal(emulatorUrl)).some(
      ({ operation, status }) => operation === 'uploadFile' && status === null,
    ),
  )
  return { answer, finish: () => upload.end(body.subarray(body.length / 2)) }
}

/** One request as the services of the emulator have seen it. */
export interface Seen {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly operation: string | null
  readonly status: number | null
}

/** Every request that the services have seen. */
export async function journal(emulatorUrl: string): Promise<readonly Seen[]> {
  return (await (await fetch(`${emulatorUrl}_emulator/journal`)).json()) as readonly Seen[]
}

/** Waits for it, and not for ever. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const signal = AbortSignal.timeout(30_000)
  while (!(await condition())) await pause(10, undefined, { signal })
}
