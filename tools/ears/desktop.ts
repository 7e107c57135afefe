import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startDisplay } from '../engines/display.mjs'
import { readLinesOf } from './lines.ts'
import type { Listener } from './perform.ts'
import type { Heard } from './transcript.ts'

/** A desktop without a screen, with the accessibility bus on which browsers talk to screen readers. */
export interface Desktop extends Listener {
  /** The environment of programs on this desktop. */
  readonly env: NodeJS.ProcessEnv
  /** Presses a key of the keyboard, by its keysym, for the whole desktop. */
  readonly press: (keysym: number) => Promise<void>
  readonly close: () => Promise<void>
}

const listenerScript = fileURLToPath(new URL('listener.py', import.meta.url))

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
  const { take } = readLinesOf<Heard>(listener)
  await take(({ kind }) => kind === 'ready', 'that it is ready')
  return {
    env,
    heardUntil: (mark) => take((line) => 'text' in line && line.text.includes(mark), mark),
    async press(keysym) {
      listener.stdin?.write(`press ${keysym}\n`)
      await take(({ kind }) => kind === 'pressed', 'that a key was pressed')
    },
    async read(role, name = '') {
      listener.stdin?.write(`read ${role} ${name}\n`)
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
