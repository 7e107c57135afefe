// Generates load over raw sockets. An HTTP client would need much more of the processor time that the proxies share.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { median } from './report.ts'

/** The requests to send, and their target. */
export interface Target {
  readonly port: number
  /** Path with its query. */
  readonly path: string
  /** Returns the headers of a connection. Each connection belongs to another user. */
  readonly headers: (connection: number) => Readonly<Record<string, string>>
}

export interface Load {
  readonly requests: number
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/**
 * Repeats a request over persistent connections until it has sent a number of requests or a number of seconds has passed.
 * Each connection sends the next request when it has the complete response. Any status except 200 is an error.
 */
export async function load(
  target: Target,
  connections: number,
  most: { readonly requests: number; readonly seconds: number },
): Promise<Load> {
  const times: number[] = []
  const start = performance.now()
  const isOver = () => times.length >= most.requests || performance.now() >= start + most.seconds * 1000
  await Promise.all(Array.from({ length: connections }, (_, index) => askUntil(isOver, target, index, times)))
  const all = times.sort((a, b) => a - b)
  return {
    requests: all.length,
    seconds: (performance.now() - start) / 1000,
    p50: median(all),
    p99: all[Math.floor(all.length * 0.99)] ?? NaN,
  }
}

async function askUntil(
  isOver: () => boolean,
  target: Target,
  connection: number,
  times: number[],
): Promise<void> {
  const socket = connect(target.port, '127.0.0.1').setNoDelay()
  const request = headOf('GET', target, target.headers(connection))
  await once(socket, 'connect')
  await new Promise<void>((resolve, reject) => {
    let began = 0
    let text = ''
    const sendNext = () => {
      began = performance.now()
      socket.write(request)
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (!isWhole(text)) return
      if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(`${target.path}: ${text.slice(0, 300)}`))
      text = ''
      times.push(performance.now() - began)
      if (isOver()) resolve()
      else sendNext()
    })
    socket.on('close', () => reject(new Error(`${target.path}: the connection was closed after ${text}`)))
    socket.on('error', reject)
    sendNext()
  }).finally(() => socket.destroy())
}

/** Whether a text begins with a complete response. */
export function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /^content-length: (\d+)/im.exec(text.slice(0, end))?.[1]
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length)
}

/**
 * Returns a function that takes the chunks of responses, one response after the other. It returns the status of a response
 * with its last chunk. It keeps no content.
 */
export function createResponseReader(): (chunk: Buffer) => number | undefined {
  let head = ''
  let length: number | undefined
  let received = 0
  let last = ''

  return (chunk) => {
    const text = chunk.toString('latin1')
    const wasInHead = !head.includes('\r\n\r\n')
    if (wasInHead) head += text
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    if (wasInHead) {
      const value = /^content-length: (\d+)/im.exec(head.slice(0, end))?.[1]
      length = value === undefined ? undefined : Number(value)
      received = head.length - end - 4
      last = head.slice(end + 4).slice(-7)
    } else {
      received += text.length
      last = (last + text).slice(-7)
    }
    const isWhole = length === undefined ? last.endsWith('0\r\n\r\n') : received >= length
    if (!isWhole) return undefined
    const status = Number(head.slice(9, 12))
    head = ''
    return status
  }
}

/** The head of a request, as it is sent. */
export function headOf(
  method: string,
  { port, path }: Pick<Target, 'port' | 'path'>,
  headers: Readonly<Record<string, string | number>>,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`
}

/** Sends a file as multipart, and waits for the response. Disconnects after `until` bytes. */
export async function sendFile(target: Target, size: number, until = Infinity): Promise<void> {
  const boundary = 'bench'
  const open = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const close = `\r\n--${boundary}--\r\n`
  const socket = connect(target.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  const closed = new Promise<void>((resolve) => socket.on('close', resolve).on('error', () => {}))
  socket.write(
    headOf('POST', target, {
      ...target.headers(0),
      connection: 'close',
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': open.length + size + close.length,
    }) + open,
  )
  for (let sent = 0; sent < size; sent += piece.length) {
    if (sent >= until || socket.destroyed) return void socket.destroy()
    if (!socket.write(piece.subarray(0, size - sent))) await Promise.race([once(socket, 'drain'), closed])
  }
  socket.write(close)
  await closed
  if (!/^HTTP\/1\.1 20\d /.test(text)) throw new Error(`${target.path}: ${text.slice(0, 300)}`)
}

const piece = Buffer.alloc(256 * 1024, 'x')

/** Downloads a file and discards it. Returns the number of received bytes. Disconnects after `until` bytes. */
export async function fetchFile(target: Target, until = Infinity): Promise<number> {
  let head = ''
  let received = 0
  const socket: Socket = connect({
    port: target.port,
    host: '127.0.0.1',
    // One buffer for all data.
    onread: {
      buffer: Buffer.alloc(256 * 1024),
      callback(bytes, buffer) {
        received += bytes
        if (!head.includes('\r\n\r\n'))
          head += Buffer.from(buffer.buffer, buffer.byteOffset, bytes).toString('latin1')
        if (received >= until) socket.destroy()
        return true
      },
    },
  })
  socket.on('error', () => {})
  socket.write(headOf('GET', target, { ...target.headers(0), connection: 'close' }))
  await once(socket, 'close')
  const end = head.indexOf('\r\n\r\n')
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`${target.path}: ${head.slice(0, 300)}`)
  return received - end - 4
}

/** Returns the peak (`VmHWM`) or current (`VmRSS`) resident memory of a process, in MB. */
export async function megabytes(pid: number, name: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1000
}

/** Resets the peak to the current size (proc(5), clear_refs). */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
}

/** Returns the user and system processor time of a process, in seconds. */
export async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Returns the number of established connections of a process to local ports (proc(5), net/tcp). */
export async function connectionsOf(pid: number, ports: readonly number[]): Promise<number> {
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  )
  const wanted = ports.map((port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`)
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/))
  return rows.filter(
    ([, , remote = '', state, , , , , , inode]) =>
      state === '01' && wanted.some((end) => remote.endsWith(end)) && links.includes(`socket:[${inode}]`),
  ).length
}
