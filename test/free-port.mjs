import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Returns a TCP port of this machine for a server that cannot choose one itself and report it. The port is below those that
 * systems give to connections and to listeners without a port of their own. So none of them takes it before the server starts, or
 * while the server restarts.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const server = createServer()
    const isFree = await new Promise((resolve) =>
      server.once('error', () => resolve(false)).listen(port, () => resolve(true)),
    )
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
