// The programs that benchmarks start: the proxy, the services and their peers.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const children: ChildProcess[] = []

// Ends with this process, also if a signal or an error ends it.
process.once('exit', () => {
  for (const child of children) child.kill()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** A program that listens on a port of this machine. */
export interface Started {
  readonly pid: number
  readonly port: number
}

/** Starts a program that prints its address, with Node. */
export async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const child = endLater(
    spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  let output: string | undefined = ''
  return await new Promise((resolve, reject) => {
    // Reads to the end: a program may wait for the reader of its output.
    child.stdout.on('data', (chunk) => {
      if (output === undefined) return
      output += String(chunk)
      const port = / on http:[/][/]127[.]0[.]0[.]1:(\d+)[/]/.exec(output)?.[1]
      if (port === undefined) return
      output = undefined
      resolve({ pid: child.pid ?? 0, port: Number(port) })
    })
    child.stdout.once('end', () => reject(new Error(`${args.join(' ')} did not start: ${output}`)))
  })
}

/** Starts a program of `tools/bench/peers`. */
export function startPeer(name: string, ...args: readonly string[]): Promise<Started> {
  return start([fileURLToPath(new URL(`peers/${name}.mjs`, import.meta.url)), ...args])
}

/** Makes `endAll()` end a program. */
export function endLater<Child extends ChildProcess>(child: Child): Child {
  children.push(child)
  return child
}

/** Ends all programs, and waits until they have ended. */
export async function endAll(): Promise<void> {
  for (const child of children) child.kill()
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  children.length = 0
}

/**
 * Bundles the command line to a folder where Node resolves the dependencies of the package, not those of this folder. The
 * plugins make changes to the sources that a budget must detect.
 */
export async function bundleCommands(seeds: readonly Plugin[] = []): Promise<string> {
  const folder = join(root, 'node_modules/.cache/routeslip-bench')
  const outDir = join(folder, 'lib/cli')
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [...seeds],
    build: {
      ssr: true,
      rollupOptions: {
        input: { main: 'src/cli/main.ts', 'work-thread': 'src/proxy/node/thread/work-thread.ts' },
        // The proxy looks for the thread beside the file that starts it.
        output: { chunkFileNames: '[name]-[hash].js' },
      },
      outDir,
      emptyOutDir: true,
      target: 'node22',
      minify: false,
    },
  })
  // The command reads its version there.
  await copyFile(join(root, 'server/package.json'), join(folder, 'package.json'))
  return join(outDir, 'main.js')
}

/** Returns the settings of a proxy for form 6025 between these services. */
export function proxySettings(workflowUrl: string, storageUrl: string): Readonly<Record<string, string>> {
  return {
    ROUTESLIP_PORT: '0',
    ROUTESLIP_ENV: 'test',
    ROUTESLIP_FORMS: '6025',
    ROUTESLIP_WORKFLOW_URL: workflowUrl,
    ROUTESLIP_WORKFLOW_CLIENT_ID: 'demo-app',
    ROUTESLIP_WORKFLOW_CLIENT_SECRET: 'demo-secret',
    ROUTESLIP_STORAGE_URL: storageUrl,
    ROUTESLIP_STORAGE_CLIENT_ID: 'demo-app',
    ROUTESLIP_STORAGE_CLIENT_SECRET: 'demo-secret',
    ROUTESLIP_STORAGE_OBJECT_ORIGINS: storageUrl,
    ROUTESLIP_LOG_LEVEL: 'error',
    // As in the container and the service of docs/deploy.
    MALLOC_ARENA_MAX: '1',
  }
}
