import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startDisplay } from '../../scripts/engines/display.mjs'
import type { Heard, ReadLine } from './transcript.ts'

/** A desktop without a screen, with the accessibility bus on which browsers talk to screen readers. */
export interface Desktop {
  /** The environment of programs on this desktop. */
  readonly env: NodeJS.ProcessEnv
  /** All that was heard since the last call, up to and including the announcement of `mark`. */
  readonly heardUntil: (mark: string) => Promise<readonly Heard[]>
  /** The content of the first object with a role and a name, in the order of reading. */
  readonly read: (role: string, name?: string) => Promise<readonly ReadLine[]>
  readonly close: () => Promise<void>
}

const listenerScript = fileURLToPath(new URL('listener.py', import.meta.url))

/** Milliseconds to wait for the accessibility bus. Nothing is measured by it. */
const patience = 30_000

export async function startDesktop(): Promise<Desktop> {
  const home = mkdtempSync(join(tmpdir(), 'ears-'))
  const display = await startDisplay()
  const started: ChildProcess[] = []
  const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv) => {
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
    started.push(child)
    return child
  }
  const base = {
    ...process.env,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    DISPLAY: display.name,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    // Turns the accessibility of browsers on, as a screen reader does.
    GNOME_ACCESSIBILITY: '1',
    ACCESSIBILITY_ENABLED: '1',
    MOZ_ENABLE_WAYLAND: '0',
    GDK_BACKEND: 'x11',
  }
  const daemon = run(
    process.env['DBUS_DAEMON'] ?? '',
    ['--session', '--nofork', '--nopidfile', '--print-address=1'],
    base,
  )
  const address = await firstLine(daemon)
  const env = { ...base, DBUS_SESSION_BUS_ADDRESS: address }
  run(process.env['AT_SPI_LAUNCHER'] ?? '', ['--launch-immediately', '--a11y=1', '--screen-reader=1'], env)

  const listener = run('/usr/bin/python3', [listenerScript], env)
  let lines: Heard[] = []
  let wake = () => {}
  const reader = createInterface({ input: listener.stdout })
  reader.on('line', (line) => {
    lines.push(JSON.parse(line) as Heard)
    wake()
  })

  /** Takes all lines up to the first that fits. */
  async function take(fits: (line: Heard) => boolean, what: string): Promise<readonly Heard[]> {
    const end = Date.now() + patience
    for (;;) {
      const at = lines.findIndex(fits)
      if (at >= 0) {
        const taken = lines.slice(0, at + 1)
        lines = lines.slice(at + 1)
        return taken
      }
      if (Date.now() > end)
        throw new Error(
          `The accessibility bus did not report ${what}. It reported:\n${lines.map((line) => JSON.stringify(line)).join('\n')}`,
        )
      await Promise.race([
        new Promise<void>((resolve) => (wake = resolve)),
        new Promise((resolve) => setTimeout(resolve, 1000)),
      ])
    }
  }

  await take(({ kind }) => kind === 'ready', 'that it is ready')
  return {
    env,
    heardUntil: (mark) => take((line) => 'text' in line && line.text.includes(mark), mark),
    async read(role, name = '') {
      listener.stdin.write(`read ${role} ${name}\n`)
      const last = (await take(({ kind }) => kind === 'read', `the ${role} ${name}`)).at(-1)
      if (last?.kind !== 'read' || !last.lines) throw new Error(`There is no ${role} "${name}".`)
      return last.lines
    },
    async close() {
      for (const child of started.reverse()) {
        child.kill()
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
      display.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line
  throw new Error(`${child.spawnfile} did not start.`)
}
