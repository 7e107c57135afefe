import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'

/** The standard output as the destination of a log. */
interface StandardOutput {
  readonly write: (line: string) => void
  /** Waits until all lines are written, at most `timeout` ms. */
  readonly drain: (timeout: number) => Promise<void>
}

/** Maximum length of lines that wait for the reader, in bytes. */
const maxLength = 4 * 1024 * 1024
/** Number of attempts to write the last lines when the process exits, one every 100 ms. */
const lastTries = 10

let opened: StandardOutput | undefined

/**
 * Returns the standard output of this process, for lines of a log. A program that reads it may stop for a while. Requests do
 * not wait for it: lines wait in memory, and are dropped and counted when there are too many.
 */
export function standardOutput(): StandardOutput {
  return (opened ??= open())
}

function open(): StandardOutput {
  let isExiting = false
  let tries = 0
  let dropped = 0
  let isWriting = false
  /** Since the last attempt to write failed. */
  let isBroken = false
  // Ahead of the listener of pino, which writes the remaining lines.
  process.once('exit', () => (isExiting = true))
  const stream = pino.destination({
    dest: 1,
    sync: false,
    maxLength,
    retryEAGAIN: () => !isExiting || ++tries < lastTries,
  })
  const { flushSync } = stream
  stream.flushSync = () => {
    // After an error, it would try forever.
    if (isBroken) return
    try {
      flushSync.call(stream)
    } catch {
      // Nobody reads the lines. That must not change the exit code.
    }
  }
  const write = (line: string) => {
    isWriting = true
    stream.write(line)
  }
  // The disk of a log may be full, and a reader may have gone. Neither must end the process.
  stream.on('error', () => (isBroken = true))
  stream.on('drop', () => dropped++)
  stream.on('drain', () => {
    isWriting = false
    isBroken = false
    if (dropped === 0) return
    const message = 'Lines of this log were dropped because nothing read the standard output'
    write(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), message, dropped })}\n`)
    dropped = 0
  })

  return {
    write,
    async drain(timeout) {
      const timer = new AbortController()
      const isOver = pause(timeout, undefined, { signal: timer.signal, ref: false }).catch(() => {})
      // Rejects on an error of the stream: nobody reads the lines.
      const isDrained = once(stream, 'drain').catch(() => {})
      if (isWriting) await Promise.race([isDrained, isOver])
      timer.abort()
    },
  }
}
