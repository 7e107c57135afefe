import { Worker } from 'node:worker_threads'
import type { DatabaseFile, Order, Outcome, StorageFailure, ThreadReport } from './database-messages.ts'

/** A SQLite file that belongs to this process. */
export interface Database {
  /**
   * Carries out statements together, and resolves when they are on the disk. Orders that arrive meanwhile share one flush.
   * Rejects if nothing of them has taken effect.
   */
  readonly run: (...order: Order) => Promise<readonly Outcome[]>
  /** Waits for all orders and unlocks the file. */
  readonly close: () => Promise<void>
}

/** A file that cannot be opened. The message is for the operator. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  /** Name of the cause. */
  readonly kind: StorageFailure['kind']

  constructor({ kind, detail }: StorageFailure, path: string) {
    super(messages[kind](path, detail))
    this.kind = kind
  }
}

const messages: Readonly<Record<StorageFailure['kind'], (path: string, detail: string) => string>> = {
  'in-use': (path) => `${path} is in use by another process. Stop it, or choose another folder.`,
  damaged: (path, detail) =>
    `${path} is damaged: ${detail}. Restore it from a backup, or move it away to begin with an empty one.`,
  'other-version': (path, detail) =>
    `${path} was written by another version of Routeslip: ${detail}. Use that version, or move the file away.`,
  'first-version': (path) =>
    `${path} was written by a version of Routeslip whose callbacks this one cannot read. Let that version run until "routeslip callbacks" lists none, then move the folder away.`,
  unusable: (path, detail) => `${path} cannot be used: ${detail}.`,
}

interface Waiting {
  readonly resolve: (outcomes: readonly Outcome[]) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly run: (order: Order) => Promise<readonly Outcome[]>
  readonly close: () => Promise<void>
}

/**
 * Opens a SQLite file in a thread of its own, and creates it if it does not exist. Rejects with a `StorageError`. If the thread
 * ends for a reason of its own, the next order starts another one.
 */
export async function openDatabase(file: DatabaseFile): Promise<Database> {
  let isClosed = false
  let thread: Promise<Thread> | undefined = startThread(file, forget)
  function forget(): void {
    thread = undefined
  }
  await thread

  return {
    async run(...order) {
      if (isClosed) throw new Error(`${file.path} is closed`)
      thread ??= startThread(file, forget)
      return await (await thread).run(order)
    },
    async close() {
      isClosed = true
      await (await thread)?.close()
    },
  }
}

async function startThread(file: DatabaseFile, onEnd: () => void): Promise<Thread> {
  const worker = new Worker(threadModule, {
    workerData: file,
    // Node 22 calls its SQLite experimental.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const waiting: Waiting[] = []
  let isClosing = false
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))

  await new Promise<void>((resolve, reject) => {
    let failure: Error | undefined
    worker.on('error', (error: Error) => (failure = error))
    // Only now has the thread unlocked the file, so that another one can open it.
    worker.on('exit', () => {
      onEnd()
      const error = failure ?? new Error(`The thread of ${file.path} has ended`)
      reject(error)
      for (const one of waiting.splice(0)) one.reject(error)
    })
    worker.on('message', (report: ThreadReport) => {
      if (report === 'ready') return resolve()
      if ('failure' in report) {
        failure = new StorageError(report.failure, file.path)
        return void worker.terminate()
      }
      const next = waiting.shift()
      if ('error' in report) next?.reject(new Error(report.error))
      else next?.resolve(report)
      // An idle thread does not keep the process running, but one that closes does until its file is unlocked.
      if (waiting.length === 0 && !isClosing) worker.unref()
    })
  })
  worker.unref()

  return {
    run: (order) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        worker.ref()
        worker.postMessage(order)
      }),
    async close() {
      isClosing = true
      worker.ref()
      worker.postMessage('close')
      await ended
    },
  }
}

/** The module beside this one: a source in a checkout, a bundle in the package. */
const threadModule = new URL(
  import.meta.url.endsWith('.ts') ? './database-thread.ts' : './database-thread.js',
  import.meta.url,
)
