// The changes to the proxy with which the benchmark `proxy` proves that its budgets can fail.
import { seed } from './builds.ts'

/** Changes to the proxy that the budgets must detect. */
export const slowDown = [
  // Each response is validated 50 times.
  seed(
    'proxy/validation/service-response.ts',
    'const data = validate(value)',
    'for (let time = 1; time < 50; time++) validate(value)\n  const data = validate(value)',
  ),
  // Each request verifies its token.
  seed(
    'proxy/identity/jwt-identity.ts',
    'if (left > 0 && left <= verifiedTime) return entry.identity',
    'if (left > verifiedTime * 2) return entry.identity',
  ),
  // Uploads and downloads are copied 20 times, and uploads stay in memory.
  seed(
    'proxy/node/upload.ts',
    'yield chunk',
    'for (let time = 0; time < 20; time++) kept[time] = new Uint8Array(chunk)\n          kept.push(new Uint8Array(chunk))\n          yield chunk',
  ),
  seed(
    'proxy/node/upload.ts',
    'async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void, undefined> {',
    'async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void, undefined> { const kept: Uint8Array[] = []',
  ),
  seed(
    'proxy/files/download.ts',
    'body: response.stream(),',
    `body: response.stream().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, to) {
          for (let time = 0; time < 20; time++) new Uint8Array(chunk).reverse()
          to.enqueue(chunk)
        },
      }),
    ),`,
  ),
  // Clients that disconnect leave their calls behind: nothing is told, and the stream of a response does not end with its reader.
  seed(
    'proxy/node/node-connection.ts',
    "if (!this.#outgoing.writableFinished) this.abort('The client has disconnected.')",
    '',
  ),
  seed(
    'proxy/node/listener.ts',
    'pipeline(source, outgoing, stop)',
    'source.pipe(outgoing).on("finish", stop)',
  ),
  seed('proxy/node/upload.ts', "source.on('error', refuse)", "source.on('error', () => {})"),
  seed('proxy/node/upload.ts', 'if (!source.readableEnded) refuse()', ''),
]
