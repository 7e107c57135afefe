import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Starts an X server without a screen. Returns the name of its display. */
export async function startDisplay() {
  const server = spawn(
    process.env.XVFB,
    ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  )
  const lines = createInterface({ input: server.stdio[3] })
  const { value } = await lines[Symbol.asyncIterator]().next()
  if (value === undefined) throw new Error('Xvfb did not start.')
  return { name: `:${value}`, close: () => server.kill() }
}
