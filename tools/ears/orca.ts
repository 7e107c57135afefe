import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Desktop } from './desktop.ts'
import { readLinesOf } from './lines.ts'
import type { Listener } from './perform.ts'

/** What Orca says. */
interface Speech {
  readonly kind: 'said' | 'read' | 'end'
  readonly text?: string
}

/** The keysym of the key with which people let Orca read everything: plus on the numeric keypad. */
const sayAllKey = 0xffab

/** Starts the screen reader Orca on a desktop, with a speech server that makes no sound. */
export async function startOrca(
  desktop: Desktop,
): Promise<Listener & { readonly close: () => Promise<void> }> {
  const settings = join(desktop.env['HOME'] ?? '', 'orca')
  mkdirSync(settings)
  writeFileSync(join(settings, 'orca-customizations.py'), customizations)
  const orca = spawn(process.env['ORCA'] ?? '', ['--user-prefs', settings, '--enable', 'speech'], {
    env: { ...desktop.env, PYTHONPATH: fileURLToPath(new URL('.', import.meta.url)) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = readLinesOf<Speech>(orca)
  await lines.take(({ text }) => text === 'Screen reader on.', 'that Orca is on')
  return {
    readable: ['main', 'complementary'],
    async heardUntil(mark) {
      const speech = await lines.take(({ text }) => text?.includes(mark) ?? false, mark)
      // What Orca says about leaving a part depends on where it was before.
      const texts = speech.map(({ text = '' }) => text).filter((text) => !text.startsWith('leaving '))
      return texts.map((text) => ({ kind: 'said', text }))
    },
    async read(role, name) {
      lines.clear()
      await desktop.press(sayAllKey)
      const speech = await lines.take(({ kind }) => kind === 'end', 'the end of the page')
      const texts = speech.flatMap(({ kind, text }) => (kind === 'read' && text ? [text] : []))
      const start = texts.findIndex(
        (text, at) => text === `${role} content` && (!name || texts[at + 1] === name),
      )
      const end = texts.indexOf(`leaving ${role} content.`, start)
      if (start < 0 || end < 0) throw new Error(`Orca did not read the ${role} ${name}:\n${texts.join('\n')}`)
      return texts.slice(start, end).map((text) => ({ text }))
    },
    async close() {
      // Orca asks other programs before it ends, and some of those have ended.
      orca.kill('SIGKILL')
      if (orca.exitCode === null && orca.signalCode === null) await once(orca, 'exit')
    },
  }
}

/** Orca reads a page only if somebody asks for it, so that each run is the same. */
const customizations = `
import orca.settings
orca.settings.sayAllOnLoad = False
orca.settings.enableKeyEcho = False
orca.settings.speechServerFactory = 'silent_speech'
orca.settings.speechFactoryModules = ['silent_speech']
`
