// A service that stores nothing: reads each request to its end, and sends the response in its argument. It uses raw sockets,
// so that it is faster than every proxy. `node sink.mjs RESPONSE`
import { createServer } from 'node:net'
import { printAddress } from './serve.mjs'

const body = process.argv[2] ?? '{}'
const response = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const last = Buffer.from('\r\n0\r\n\r\n')

const server = createServer((socket) => {
  let head = ''
  /** The number of remaining bytes, or undefined for a chunked request. */
  let left
  /** The last received bytes. */
  let tail = Buffer.alloc(0)

  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    if (head === undefined) return take(chunk)
    head += chunk.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = /^content-length: (\d+)/im.exec(head.slice(0, end))?.[1]
    left = length === undefined ? undefined : Number(length)
    const rest = Buffer.from(head.slice(end + 4), 'latin1')
    head = undefined
    take(rest)
  })

  function take(chunk) {
    if (left !== undefined) left -= chunk.length
    else tail = Buffer.concat([tail, chunk.subarray(-last.length)]).subarray(-last.length)
    if (left === undefined ? !tail.equals(last) : left > 0) return
    head = ''
    tail = Buffer.alloc(0)
    socket.write(response)
  }
})
server.listen(0, '127.0.0.1', () => printAddress(server))
