import { connect, type Socket } from 'node:net'
import type { Scan } from '../files/scan.ts'

/** Options of `clamdScan()`. */
export interface ClamdOptions {
  /** Name or address of the machine that runs clamd. */
  readonly host: string
  /** TCP port of clamd. */
  readonly port: number
  /** Timeout for clamd to take a chunk or to reply, in ms. Default 30,000. */
  readonly timeout?: number
}

/**
 * Creates a scanner that uses clamd over TCP (command `INSTREAM`). The setting `StreamMaxLength` of clamd must be at least the
 * maximum file size of the proxy. The scan rejects unless clamd reports either a clean stream or a finding, so that the file
 * is refused.
 */
export function clamdScan({ host, port, timeout = 30_000 }: ClamdOptions): Scan {
  return async (_file, bytes) => {
    const socket = connect(port, host)
    socket.setTimeout(timeout, () => socket.destroy(new Error('clamd did not reply in time')))
    let isSettled = false
    const reply = readReply(socket).finally(() => (isSettled = true))
    // Awaited below, after the bytes.
    reply.catch(() => {})

    try {
      await writeToSocket(socket, 'zINSTREAM\0')
      for await (const chunk of pauseTimeout(bytes, socket, timeout)) {
        if (isSettled) break
        // An empty chunk would end the stream.
        if (chunk.byteLength === 0) continue
        await writeToSocket(socket, encodeLength(chunk.byteLength))
        await writeToSocket(socket, chunk)
      }
      const isComplete = !isSettled
      if (isComplete) await writeToSocket(socket, encodeLength(0))
      return parseReply(await reply, isComplete)
    } catch (error) {
      socket.destroy()
      // clamd may have sent a reason before it disconnected, such as a stream that is too long.
      const text = await reply.catch(() => {
        throw socket.errored ?? error
      })
      return parseReply(text, false)
    } finally {
      socket.destroy()
    }
  }
}

/** Passes the bytes on. The timeout does not run while the upload delivers the next chunk. */
async function* pauseTimeout(
  bytes: AsyncIterable<Uint8Array>,
  socket: Socket,
  timeout: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  socket.setTimeout(0)
  for await (const chunk of bytes) {
    socket.setTimeout(timeout)
    yield chunk
    socket.setTimeout(0)
  }
  socket.setTimeout(timeout)
}

function parseReply(text: string, isComplete: boolean): Awaited<ReturnType<Scan>> {
  const [, finding] = /^stream: (.{1,200}) FOUND$/.exec(text) ?? []
  if (finding !== undefined) return { isClean: false, finding }
  if (text === 'stream: OK' && isComplete) return { isClean: true }
  throw new Error(`clamd replied "${text.slice(0, 200)}"`)
}

function writeToSocket(socket: Socket, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(data, (error) => (error ? reject(error) : resolve()))
  })
}

/** Encodes a length as four bytes, highest byte first. */
function encodeLength(size: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, size)
  return bytes
}

/** Reads the reply of clamd, which ends with a zero byte. */
function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      const end = text.indexOf('\0')
      if (end >= 0) resolve(end === text.length - 1 ? text.slice(0, end) : text)
      else if (text.length > 1000) socket.destroy(new Error('The reply of clamd is too long'))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('clamd disconnected without a reply')))
  })
}
