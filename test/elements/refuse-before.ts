import type { Backend } from '../../stories/backend.ts'

/** Lets a server before the proxy, such as a firewall, refuse all requests of a method. */
export function refuseBefore(backend: Backend, method: string, status: number): void {
  const { send } = backend
  backend.send = async (input, init) =>
    new Request(input, init).method === method
      ? new Response('<h1>No</h1>', { status })
      : await send(input, init)
}
