import type { SendOptions } from '../../src/client/index.ts'

/** One send of a transfer, which continues only when the test calls a function, and fails when it is aborted. */
export interface HeldSend {
  readonly signal: AbortSignal
  readonly progress: (sent: number, total: number) => void
  readonly key: string
  readonly respond: (value: string) => void
  readonly fail: (error: Error) => void
}

/** Returns a function that sends for a transfer, and a list of its sends. */
export function holdSends(): {
  readonly sends: HeldSend[]
  readonly send: (options: SendOptions) => Promise<string>
} {
  const sends: HeldSend[] = []
  return {
    sends,
    send: ({ signal, onProgress: progress, idempotencyKey: key }) =>
      new Promise((respond, fail) => {
        sends.push({ signal, progress, key, respond, fail })
        signal.addEventListener('abort', () => fail(signal.reason as Error))
      }),
  }
}
