import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { clamdScan } from '../../../src/proxy/node/clamd.ts'
import { until } from '../until.ts'
import { scanStream } from '../../../src/proxy/files/scan.ts'

const facts = { filename: 'a.pdf', contentType: 'application/pdf', univid: '10000001' }
// In pieces, so that no scanner takes this file away.
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('')

describe('clamdScan()', () => {
  const closing: (() => void)[] = []
  afterEach(() => closing.splice(0).forEach((close) => close()))

  /** Starts a server that calls `serve` for each connection. Returns its port. */
  async function listen(serve: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      serve(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => {
      server.close()
      sockets.forEach((socket) => socket.destroy())
    })
    return (server.address() as AddressInfo).port
  }

  const scanAt = (port: number, timeout?: number) =>
    clamdScan({ host: '127.0.0.1', port, ...(timeout !== undefined && { timeout }) })

  it('reports a clean file, however it is divided into chunks', async () => {
    const received: Buffer[] = []
    const scan = scanAt(await listen(clamd({ received })))
    const parts = ['', 'a', 'b'.repeat(300_000), '', eicar.slice(0, 30)]
    assert.deepEqual(await scan(facts, bytesOf(...parts)), { isClean: true })
    assert.equal(received[0]?.toString('latin1'), parts.join(''))
  })

  it('reports what clamd found, also across chunks (T22)', async () => {
    const scan = scanAt(await listen(clamd({})))
    const finding = { isClean: false, finding: 'Eicar-Test-Signature' }
    assert.deepEqual(await scan(facts, bytesOf(eicar)), finding)
    assert.deepEqual(await scan(facts, bytesOf('x', '', eicar.slice(0, 20), eicar.slice(20))), finding)
  })

  it('accepts a finding before the end of the file (T22)', async () => {
    let connection: Socket | undefined
    const port = await listen((socket) => {
      connection = socket
      socket.resume().write('stream: Early FOUND\0')
    })
    const scan = scanAt(port, 600_000)
    assert.deepEqual(await scan(facts, endless()), { isClean: false, finding: 'Early' })
    // It has disconnected, although clamd has not.
    await until(() => connection?.closed === true)
  })

  it('rejects if the stream is longer than clamd allows (T22)', async () => {
    const scan = scanAt(await listen(clamd({ maxLength: 1000 })))
    assert.deepEqual(await scan(facts, bytesOf('x'.repeat(1000))), { isClean: true })
    await assert.rejects(scan(facts, endless()))
  })

  for (const fixedReply of [
    ...[
      'stream: OK',
      'stream: OK\n',
      'stream: OK\0stream: X FOUND\0',
      ' stream: OK\0',
      'stream: OK \0',
      'stream: ok\0',
      'OK\0',
    ],
    ...[
      'stream: FOUND\0',
      'stream:  FOUND\0',
      '1: stream: OK\0',
      'stream: OK FOUND OK\0',
      'stream: lstat() failed ERROR\0',
    ],
    ...[
      'INSTREAM size limit exceeded. ERROR\0',
      'UNKNOWN COMMAND\0',
      '\0',
      '',
      'HTTP/1.1 200 OK\r\n\r\n',
      'x'.repeat(100_000),
    ],
  ]) {
    it(`rejects if clamd replies ${JSON.stringify(fixedReply.slice(0, 40))} (T22)`, async () => {
      const scan = scanAt(await listen(clamd({ fixedReply })))
      await assert.rejects(scan(facts, bytesOf('x')))
    })
  }

  it('rejects if clamd reports a clean file that it has not read (T22)', async () => {
    const port = await listen((socket) => socket.end('stream: OK\0'))
    await assert.rejects(scanAt(port)(facts, endless()))
  })

  it('rejects if clamd is not running or does not reply (T22)', async () => {
    const port = await listen(() => {})
    await assert.rejects(scanAt(port, 20)(facts, bytesOf('x')), /in time/)
    await assert.rejects(scanAt(port, 20)(facts, endless()), /in time/)
    closing.splice(0).forEach((close) => close())
    await assert.rejects(scanAt(port)(facts, bytesOf('x')), { code: 'ECONNREFUSED' })
  })

  it('rejects if clamd resets the connection (T22)', async () => {
    const port = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()))
    await assert.rejects(scanAt(port)(facts, endless()))
    await assert.rejects(scanAt(port)(facts, bytesOf('x')))
  })

  it('does not count the time of the upload towards the timeout', async (t) => {
    const { mock } = t.mock.method(Socket.prototype, 'setTimeout')
    const current = () => mock.calls.at(-1)?.arguments[0]
    const scan = scanAt(await listen(clamd({})), 20_000)
    const duringUpload: unknown[] = []
    async function* slow() {
      duringUpload.push(current())
      yield Buffer.from('x')
      duringUpload.push(current())
      yield Buffer.from('y')
      duringUpload.push(current())
    }
    assert.deepEqual(await scan(facts, slow()), { isClean: true })
    assert.deepEqual(duringUpload, [0, 0, 0], 'no timeout')
    assert.equal(current(), 20_000, 'while it waits for the reply')
  })

  it('disconnects if the upload fails, without ending the stream (T22)', async () => {
    const received: Buffer[] = []
    const serve = clamd({ received })
    let connection: Socket | undefined
    const port = await listen((socket) => serve((connection = socket)))
    async function* broken() {
      yield Buffer.from('x')
      throw new Error('gone')
    }
    await assert.rejects(scanAt(port)(facts, broken()), /gone/)
    if (connection && !connection.closed) await once(connection, 'close')
    assert.deepEqual(received, [])
  })

  it('works as the scanner of scanStream() (T22)', async () => {
    const scan = scanAt(await listen(clamd({})))
    const through = async (...parts: string[]) => {
      let text = ''
      for await (const chunk of scanStream(bytesOf(...parts), scan, facts, { timeout: 10_000 }))
        text += Buffer.from(chunk).toString()
      return text
    }
    assert.equal(await through('a', 'b'), 'ab')
    await assert.rejects(through('a', eicar), { status: 422 })
    const silent = scanAt(await listen(clamd({ fixedReply: '' })))
    const bytes = scanStream(bytesOf('a'), silent, facts, { timeout: 10_000 })
    await bytes.next()
    await assert.rejects(bytes.next(), { status: 503 })
  })
})

interface FakeClamd {
  /** Receives the content of each complete stream. */
  readonly received?: Buffer[]
  /** The reply to send instead of the result. */
  readonly fixedReply?: string
  /** Its `StreamMaxLength`. */
  readonly maxLength?: number
}

/** Reads `INSTREAM` as clamd does. It finds only the Eicar test file. */
function clamd({ received, fixedReply, maxLength = Infinity }: FakeClamd): (socket: Socket) => void {
  return (socket) => {
    let input = Buffer.alloc(0)
    let stream = Buffer.alloc(0)
    let isAsked = false
    socket.on('data', (data: Buffer) => {
      input = Buffer.concat([input, data])
      if (!isAsked) {
        if (input.length < 10) return
        if (input.subarray(0, 10).toString('latin1') !== 'zINSTREAM\0')
          return void socket.end('UNKNOWN COMMAND\0')
        isAsked = true
        input = input.subarray(10)
      }
      while (input.length >= 4) {
        const length = input.readUInt32BE(0)
        if (length === 0) {
          received?.push(stream)
          const verdict = stream.includes(eicar) ? 'Eicar-Test-Signature FOUND' : 'OK'
          return void socket.end(fixedReply ?? `stream: ${verdict}\0`)
        }
        if (input.length < 4 + length) return
        stream = Buffer.concat([stream, input.subarray(4, 4 + length)])
        input = input.subarray(4 + length)
        if (stream.length > maxLength) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
      }
    })
  }
}

async function* bytesOf(...parts: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const part of parts) yield Buffer.from(part, 'latin1')
}

async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    yield Buffer.alloc(64 * 1024)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
