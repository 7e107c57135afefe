import { createServer } from 'node:net'

/** Returns a TCP port of this machine that is free at the moment. */
export async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
