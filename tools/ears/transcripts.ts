import { existsSync, readFileSync, writeFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('transcripts/', import.meta.url)

const pathOf = (name: string, engine?: string) =>
  fileURLToPath(new URL(`${name}${engine ? `.${engine}` : ''}.txt`, folder))

/** Returns the transcript of a moment in an engine: its own one if it differs from that of Chromium. */
export function expectedTranscript(name: string, engine: string): string {
  const own = pathOf(name, engine)
  return readFileSync(existsSync(own) ? own : pathOf(name), 'utf8')
}

/** Writes the transcript of a moment. That of Chromium comes first; Firefox gets one of its own only if it differs. */
export function writeTranscript(name: string, engine: string, text: string): void {
  if (engine === 'chromium') return writeFileSync(pathOf(name), text)
  if (text === readFileSync(pathOf(name), 'utf8')) rmSync(pathOf(name, engine), { force: true })
  else writeFileSync(pathOf(name, engine), text)
}
