import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type EmulatorServer, serveEmulator } from '../../src/cli/emulator/emulator.ts'
import { builtCommand } from './built-command.ts'

// Runs the command `routeslip proxy` in front of an emulator, with the configuration of docs/proxy.md.

/** Secret that the front server of these tests sends in `x-routeslip-front`. */
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
/** Running processes, each with the signal that stops it at once. */
const children = new Map<ChildProcess, NodeJS.Signals>()

/** Stops all processes and emulators that a test has started. */
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

/** Starts an emulator and returns its address with a trailing slash. */
export async function startEmulator(): Promise<string> {
  const emulator = await serveEmulator({ port: 0 })
  emulators.add(emulator)
  return emulator.services.url
}

/** Returns the variables of the example in docs/proxy.md, with this emulator and any free port. */
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

/** Removes variables by name. */
export function without(
  env: Readonly<Record<string, string>>,
  ...names: readonly string[]
): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
}

/** Starts the command. Does not wait until it is ready. */
export function launch(env: Readonly<Record<string, string>>, ...options: readonly string[]): Launched {
  const child = spawn(process.execPath, [builtCommand, 'proxy', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  })
  return watch(child)
}

/** Records the output of a process. `endAll()` stops it with this signal. */
export function watch(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Launched {
  children.set(child, signal)
  child.once('close', () => children.delete(child))
  let output = ''
  let errors = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return { child, output: () => output, errors: () => errors }
}

/** Starts the command and waits until it reports that it is ready. */
export async function start(
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<Started> {
  const launched = launch(env, ...options)
  for (;;) {
    const url = /^Routeslip proxy on (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(launched.output())?.[1]
    if (url !== undefined) return { ...launched, url }
    if (launched.child.exitCode !== null) throw new Error(`The command exited: ${launched.errors()}`)
    await pause(10)
  }
}

/** Headers that the client of a page sends. */
export const fromPage = { 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }

/** Returns the headers that the front server sends for a user. */
export function as(univid: string): Record<string, string> {
  return { ...fromPage, 'x-remote-user': univid, 'x-routeslip-front': frontSecret }
}

export interface ReceivedResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Sends a request with Node's own client, because `fetch` cannot set `Sec-Fetch-Site`. */
export async function sendRequest(
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
): Promise<ReceivedResponse> {
  const sent = request(url, { method, headers })
  sent.end(body)
  return await receiveResponse(sent)
}

/** Returns the response to a request, with its complete body. */
export async function receiveResponse(sent: ClientRequest): Promise<ReceivedResponse> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
}

/** Returns the body of a form with one file, and its media type. */
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

/** Sends half of an upload and waits until the service receives it. */
export async function beginUpload(
  url: string,
  emulatorUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly response: Promise<ReceivedResponse>; readonly finish: () => void }> {
  const { type, body } = formOf(Buffer.alloc(1024 * 1024, 'text '))
  const upload = request(`${url}api/wf/files`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type, 'content-length': body.length },
  })
  const response = receiveResponse(upload)
  // The request may fail before a test waits for it.
  response.catch(() => {})
  upload.write(body.subarray(0, body.length / 2))
  await until(async () =>
    (await journal(emulatorUrl)).some(
      ({ operation, status }) => operation === 'uploadFile' && status === null,
    ),
  )
  return { response, finish: () => upload.end(body.subarray(body.length / 2)) }
}

/** A request that the emulator received. */
export interface ReceivedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly operation: string | null
  readonly status: number | null
}

/** Returns all requests that the emulator received. */
export async function journal(emulatorUrl: string): Promise<readonly ReceivedRequest[]> {
  return (await (await fetch(`${emulatorUrl}_emulator/journal`)).json()) as readonly ReceivedRequest[]
}

/** Waits until a condition holds. Throws after 30 seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited 30 seconds in vain for: ${condition.toString()}`)
    await pause(10)
  }
}
