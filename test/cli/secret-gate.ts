import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server in front of the emulator that accepts other client secrets than the emulator does. */
export interface SecretGate {
  /** Address with a trailing slash. */
  readonly url: string
  /** The client secrets of all requests so far, in their order. */
  readonly received: readonly string[]
  /** Accepts only these client secrets from now on. Others get 401. */
  readonly accept: (...secrets: readonly string[]) => void
  /** Holds back the second half of the responses below this path. The function that it returns releases them. */
  readonly hold: (path: string) => () => void
  readonly close: () => void
}

const emulatorAuthorization = `Basic ${btoa('demo-app:demo-secret')}`

/** Starts a gate in front of the emulator at this address. */
export async function startSecretGate(emulatorUrl: string): Promise<SecretGate> {
  const received: string[] = []
  let accepted: readonly string[] = []
  let held: { readonly path: string; readonly released: Promise<void> } | undefined

  const server = createServer((incoming, outgoing) => {
    const secret = secretOf(incoming)
    received.push(secret)
    if (!accepted.includes(secret)) {
      incoming.resume()
      outgoing.writeHead(401).end()
      return
    }
    const { method, url: path = '/', headers } = incoming
    const sent = request(new URL(path, emulatorUrl), {
      ...(method !== undefined && { method }),
      headers: { ...headers, authorization: emulatorAuthorization },
    })
    const { released } = held && path.includes(held.path) ? held : {}
    sent.once('response', (response) => void pass(response, released))
    sent.once('error', () => outgoing.destroy())
    incoming.pipe(sent)

    async function pass(response: IncomingMessage, released: Promise<void> | undefined): Promise<void> {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      if (!released) {
        response.pipe(outgoing)
        return
      }
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      const middle = Math.floor(body.length / 2)
      outgoing.write(body.subarray(0, middle))
      await released
      outgoing.end(body.subarray(middle))
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    accept: (...secrets) => (accepted = secrets),
    hold(path) {
      let release = () => {}
      held = { path, released: new Promise((resolve) => (release = resolve)) }
      return () => {
        held = undefined
        release()
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function secretOf({ headers }: IncomingMessage): string {
  return atob(headers.authorization?.replace('Basic ', '') ?? '').replace(/^[^:]*:/, '')
}
