import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:net'
import { createClient } from '@redis/client'
import type { RedisOptions } from '../../../../src/proxy/node/redis/redis.ts'

// Starts a real Redis server for a test.

/** For tests that are not about a Redis that replies late: the disk of a busy machine may take seconds. */
export const patient: Partial<RedisOptions> = { timeout: 30_000 }

/** Starts a server. By default, it keeps its data in memory only. `flags` are settings of its configuration file. */
export async function startServer(
  port: number,
  directory: string,
  flags: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const all = { port, bind: '127.0.0.1', dir: directory, save: '', appendonly: 'no', ...flags }
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = spawn(process.env['REDIS_SERVER'] ?? 'redis-server', args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`redis-server has ended: ${output}`)))
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Ready to accept connections')) resolve()
    })
  })
  return server
}

export async function stopServer(server: ChildProcess): Promise<void> {
  // A server that could not start again has ended before.
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, 'exit')
  server.kill('SIGKILL')
  await exit
}

/** Sends a command to a server as another process would. Rejects if there is none. */
export async function sendCommand(url: string, args: string[]): Promise<unknown> {
  const client = createClient({ url, socket: { reconnectStrategy: false, socketTimeout: 30_000 } })
  await client.connect()
  const reply = await client.sendCommand(args)
  await client.close()
  return reply
}

export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
