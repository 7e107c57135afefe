import { connect, type Socket } from 'node:net'
import type { Scan } from '../files/scan.ts'

export interface ClamdOptions {
  readonly host: string
  readonly port: number
  /** Milliseconds that clamd may take to take a chunk or to answer. Default 30 000. */
  readonly timeout?: number
}

/**
 * Scans with clamd over TCP, by its command `INSTREAM`. Its `StreamMaxLength` has to be at least the largest file that the
 * proxy takes. Rejects where clamd says anything but that the stream is clean or what it found, so that the file is refused.
 */
export function clamdScan({ host, port, timeout = 30_000 }: ClamdOptions): Scan {
  return async (_file, bytes) => {
    const socket = connect(port, host)
    socket.setTimeout(timeout, () => socket.destroy(new Error('clamd did not answer in time')))
    let isAnswered = false
    const answer = readAnswer(socket).finally(() => (isAnswered = true))
    // Heard of below, after the bytes.
    answer.catch(() => {})

    try {
      await write(socket, 'zINSTREAM\0')
      for await (const chunk of waitingFor(bytes, socket, timeout)) {
        if (isAnswered) break
        // An empty chunk would mean the end.
        if (chunk.byteLength === 0) continue
        await write(socket, lengthOf(chunk.byteLength))
        await write(socket, chunk)
      }
      const isWhole = !isAnswered
      if (isWhole) await write(socket, lengthOf(0))
      return verdictOf(await answer, isWhole)
    } catch (error) {
      socket.destroy()
      // clamd may have said why before it hung up, such as that the stream is too long.
      const text = await answer.catch(() => {
        throw socket.errored ?? error
      })
      return verdictOf(text, false)
    } finally {
      socket.destroy()
    }
  }
}

/** The bytes, with the clock stopped while the next ones are on their way to us. */
async function* waitingFor(
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

function verdictOf(text: string, isWhole: boolean): Awaited<ReturnType<Scan>> {
  const [, finding] = /^stream: (.{1,200}) FOUND$/.exec(text) ?? []
  if (finding !== undefined) return { isClean: false, finding }
  if (text === 'stream: OK' && isWhole) return { isClean: true }
  throw new Error(`clamd answered "${text.slice(0, 200)}"`)
}

function write(socket: Socket, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(data, (error) => (error ? reject(error) : resolve()))
  })
}

/** A length as clamd reads it: four bytes, the highest first. */
function lengthOf(size: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, size)
  return bytes
}

/** What clamd says until it hangs up or ends its answer with a zero byte. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      const end = text.indexOf('\0')
      if (end >= 0) resolve(end === text.length - 1 ? text.slice(0, end) : text)
      else if (text.length > 1000) socket.destroy(new Error('clamd answered too much'))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('clamd hung up without an answer')))
  })
}
