import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

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
