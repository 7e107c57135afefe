// What the proxy holds in memory: 1 GB up, 1 GB down, and 2,000 idle streams of live events. The proxy and the emulator
// run as commands of their own, as an operator would start them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const gigabyte = 1024 ** 3
const streams = 2000
const secret = 'a secret of the bench, 32 characters at least'
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

const folder = await mkdtemp(join(tmpdir(), 'routeslip-bench-'))
const children: ChildProcess[] = []
try {
  await run()
} finally {
  agent.destroy()
  for (const child of children) child.kill()
  for (const child of children) if (child.exitCode === null) await once(child, 'exit')
  await rm(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const emulator = await start('emulator', {}, ['--port', '0', '--data', folder])
  const services = emulator.url.replace(/\/$/, '')
  const proxy = await start('proxy', {
    ROUTESLIP_PORT: '0',
    ROUTESLIP_ENV: 'test',
    ROUTESLIP_FORMS: '6025',
    ROUTESLIP_WORKFLOW_URL: `${services}/wf`,
    ROUTESLIP_WORKFLOW_CLIENT_ID: 'demo-app',
    ROUTESLIP_WORKFLOW_CLIENT_SECRET: 'demo-secret',
    ROUTESLIP_STORAGE_URL: `${services}/fs/test`,
    ROUTESLIP_STORAGE_CLIENT_ID: 'demo-app',
    ROUTESLIP_STORAGE_CLIENT_SECRET: 'demo-secret',
    ROUTESLIP_STORAGE_OBJECT_ORIGINS: services,
    ROUTESLIP_IDENTITY: 'header',
    ROUTESLIP_IDENTITY_SECRET: secret,
    ROUTESLIP_MAX_FILE_SIZE: `${2 * gigabyte}`,
    ROUTESLIP_STREAMS: `${streams + 10}`,
    ROUTESLIP_LOG_LEVEL: 'error',
  })
  const root = new URL('/api/wf/', proxy.url)
  const package42 = new URL('forms/6025/packages/42/', root)
  const rows: Record<string, string | number>[] = []
  const measure = async (what: string, perform: () => Promise<string>) => {
    await resetPeak(proxy.pid)
    const start = performance.now()
    const figure = await perform()
    rows.push({
      what,
      'peak resident MB': await megabytes(proxy.pid, 'VmHWM'),
      seconds: ((performance.now() - start) / 1000).toFixed(1),
      figure,
    })
  }

  await measure('at rest', () => Promise.resolve('started'))
  let attachment = 0
  await measure('1 GB up', async () => {
    const began = performance.now()
    attachment = await upload(new URL('attachments/types/3', package42))
    return rate(began)
  })
  await measure('1 GB down', async () => {
    const began = performance.now()
    const received = await download(new URL(`attachments/${attachment}`, package42))
    if (received !== gigabyte) throw new Error(`${received} bytes came back`)
    return rate(began)
  })
  await measure(`${streams} idle streams`, async () => {
    const open: ClientRequest[] = []
    let bytes = 0
    for (let index = 0; index < streams; index++) {
      const call = ask(new URL('events?package=6025-42', root), 'GET', person(index))
      open.push(call)
      call.on('error', () => {})
      call.end()
      const response = await answered(call)
      if (response.statusCode !== 200) throw new Error(`Stream ${index}: ${response.statusCode}`)
      response.on('data', (chunk: Buffer) => (bytes += chunk.byteLength))
      response.on('error', () => {})
    }
    const cpu = await cpuSeconds(proxy.pid)
    await new Promise((resolve) => setTimeout(resolve, 30_000))
    const used = (await cpuSeconds(proxy.pid)) - cpu
    for (const call of open) call.destroy()
    return `${((used / 30) * 100).toFixed(1)} % of a core, ${(bytes / streams).toFixed(0)} bytes each`
  })
  console.table(rows)
}

/** University ids that differ: a person may have only so many streams. */
function person(index: number): string {
  return String(20_000_000 + index)
}

async function start(
  command: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<{ url: string; pid: number }> {
  const main = new URL('../src/cli/main.ts', import.meta.url)
  const child = spawn(process.execPath, ['--import', 'tsx', main.pathname, command, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    const url = new RegExp(`^Routeslip ${command} on (http://\\S+)$`, 'm').exec(output)?.[1]
    if (url) {
      child.stdout.resume()
      return { url, pid: child.pid ?? 0 }
    }
  }
  throw new Error(`The ${command} did not start:\n${output}`)
}

function ask(
  url: URL,
  method: string,
  univid: string,
  headers: Readonly<Record<string, string | number>> = {},
): ClientRequest {
  return request(url, {
    agent,
    method,
    headers: {
      'x-routeslip': '1',
      'sec-fetch-site': 'same-origin',
      'x-remote-user': univid,
      'x-routeslip-front': secret,
      ...headers,
    },
  })
}

async function answered(call: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return response
}

async function upload(url: URL): Promise<number> {
  const boundary = 'bench'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  const call = ask(url, 'POST', '10000001', {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + gigabyte + tail.length,
  })
  const answer = answered(call)
  await pipeline(
    Readable.from(
      (function* () {
        yield Buffer.from(head)
        for (let sent = 0; sent < gigabyte; sent += chunk.length) yield chunk
        yield Buffer.from(tail)
      })(),
    ),
    call,
  )
  const response = await answer
  let text = ''
  for await (const part of response) text += String(part)
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${text}`)
  return (JSON.parse(text) as { id: number }).id
}

async function download(url: URL): Promise<number> {
  const call = ask(url, 'GET', '10000001')
  call.end()
  const response = await answered(call)
  let received = 0
  for await (const part of response) received += (part as Buffer).byteLength
  return received
}

function rate(began: number): string {
  return `${(gigabyte / 1e6 / ((performance.now() - began) / 1000)).toFixed(0)} MB/s`
}

/** Peak (`VmHWM`) or present (`VmRSS`) resident memory of a process. */
async function megabytes(pid: number, name: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1000)
}

/** Makes the present size the peak (proc(5), clear_refs). */
async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
}

/** Processor time that a process has used. */
async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
