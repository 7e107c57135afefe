import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/** The JSON objects that a program prints, one in each line. */
export interface Lines<Line> {
  /** Takes all lines up to the first that fits. Rejects if there is none in time; `what` says what is missing. */
  readonly take: (fits: (line: Line) => boolean, what: string) => Promise<readonly Line[]>
  /** Forgets what has arrived. */
  readonly clear: () => void
}

/** Milliseconds to wait for a line. Nothing is measured by it. */
const patience = 60_000

export function readLinesOf<Line>({ stdout }: ChildProcess): Lines<Line> {
  let lines: Line[] = []
  let wake = () => {}
  createInterface({ input: stdout! }).on('line', (line) => {
    // Programs also print other things.
    if (!line.startsWith('{')) return
    lines.push(JSON.parse(line) as Line)
    wake()
  })
  return {
    clear: () => void (lines = []),
    async take(fits, what) {
      for (const end = Date.now() + patience; ;) {
        const at = lines.findIndex(fits)
        if (at >= 0) return lines.splice(0, at + 1)
        if (Date.now() > end) {
          const arrived = lines.map((line) => JSON.stringify(line)).join('\n')
          throw new Error(`Nothing reported ${what}. What was reported:\n${arrived}`)
        }
        await Promise.race([
          new Promise<void>((resolve) => (wake = resolve)),
          new Promise((resolve) => setTimeout(resolve, 1000)),
        ])
      }
    },
  }
}
