import {
  type CallbackAccess,
  createCallbackAccess,
  type ListedCallback,
  openMountStorage,
} from './callback-access.ts'
import { connectToProxy } from '../control.ts'
import { ConfigError } from '../config/config-error.ts'
import { withRedis } from '../config/connect-redis.ts'
import type { ProxyConfig } from '../config/proxy-config.ts'

export interface CallbacksCommand {
  /** `list`, `show` or `replay`. */
  readonly action: string | undefined
  /** Id of a callback or the beginning of one. */
  readonly id: string | undefined
  /** Beginning and end of the time of arrival, as dates or date-times with a time zone. */
  readonly since: string | undefined
  readonly until: string | undefined
}

/**
 * Lists, shows or replays callbacks that have not taken effect: in Redis, through the running proxy, or in its stores while it
 * is stopped. Returns the lines to print. Throws `ConfigError` if the command is not valid.
 */
export async function runCallbacks(
  {
    dataDirectory,
    redisUrl,
    redisPrefix,
    mounts,
  }: Pick<ProxyConfig, 'dataDirectory' | 'redisUrl' | 'redisPrefix' | 'mounts'>,
  command: CallbacksCommand,
): Promise<readonly string[]> {
  const range = { since: timeOf('--since', command.since), until: timeOf('--until', command.until) }
  if (redisUrl !== undefined) {
    return await withRedis({ redisUrl, redisPrefix }, mounts, (shared) => {
      const stores = shared.map(({ mount: { env, basePath }, redis: { callbackStore: store } }) => ({
        ...{ env, basePath },
        store,
      }))
      return run(createCallbackAccess(stores), command, range, 'when a proxy is running')
    })
  }
  if (dataDirectory === undefined) {
    throw new ConfigError(
      'ROUTESLIP_DATA or REDIS_URL is missing. Set it as for the proxy whose callbacks you mean.',
    )
  }
  const running = await connectToProxy(dataDirectory)
  if (running) return await run(running.callbacks, command, range, 'now')

  const opened = []
  try {
    for (const { env, basePath } of mounts)
      opened.push({ env, basePath, ...(await openMountStorage(dataDirectory, { env, basePath })) })
    const stores = opened.map(({ env, basePath, callbackStore }) => ({ env, basePath, store: callbackStore }))
    return await run(createCallbackAccess(stores), command, range, 'when the proxy starts')
  } finally {
    for (const { close } of opened) await close()
  }
}

interface Range {
  readonly since: number | undefined
  readonly until: number | undefined
}

async function run(
  access: CallbackAccess,
  { action, id }: CallbacksCommand,
  { since = -Infinity, until = Infinity }: Range,
  /** When replayed callbacks are processed. */
  when: string,
): Promise<readonly string[]> {
  const all = await access.list()
  const inRange = all.filter(({ receivedAt }) => receivedAt >= since && receivedAt < until)
  if (action === 'list' && id === undefined) return linesOf(inRange)
  if (action === 'show' && id !== undefined) {
    const callback = find(all, id)
    const body = (await access.read(callback.id)) ?? 'It has taken effect in the meantime.'
    return [
      ...linesOf([callback]),
      `id: ${callback.id}`,
      `error: ${callback.progress.lastError ?? 'none'}`,
      body,
    ]
  }
  if (action === 'replay' && (id !== undefined) !== (since > -Infinity || until < Infinity)) {
    const chosen = id === undefined ? inRange : [find(all, id)]
    let count = 0
    for (const callback of chosen) if (await access.replay(callback.id)) count += 1
    return [`Callbacks that are processed ${when}: ${count}`]
  }
  throw new ConfigError(
    'Use: routeslip callbacks list | show ID | replay ID | replay --since DATE --until DATE. Either date may be left out.',
  )
}

/** Returns the only callback whose id begins with these characters. */
function find(callbacks: readonly ListedCallback[], start: string): ListedCallback {
  const matches = callbacks.filter(({ id }) => id.startsWith(start.toLowerCase()))
  const [match] = matches
  if (match && (matches.length === 1 || matches.every(({ id }) => id === match.id))) return match
  throw new ConfigError(
    match
      ? `${matches.length} callbacks have ids that begin with ${start}. Add more characters.`
      : `No stored callback has an id that begins with ${start}. "routeslip callbacks list" lists all; those that have taken effect are not stored.`,
  )
}

function linesOf(callbacks: readonly ListedCallback[]): readonly string[] {
  if (callbacks.length === 0) return ['No callbacks are waiting, and there are no dead letters.']
  const rows = callbacks.map(({ id, env, formId, packageId, receivedAt, progress }) => [
    id.slice(0, 12),
    env,
    `${formId}/${packageId}`,
    new Date(receivedAt).toISOString(),
    String(progress.attempts),
    progress.dueAt === null ? 'dead letter' : new Date(progress.dueAt).toISOString(),
    progress.lastError?.replace(/\s+/g, ' ').slice(0, 80) ?? '',
  ])
  const table = [['ID', 'ENV', 'PACKAGE', 'RECEIVED', 'FAILED', 'NEXT ATTEMPT', 'LAST ERROR'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Returns a time in ms since 1970. A date begins at midnight UTC. */
function timeOf(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const isValid = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(value)
  const time = isValid ? Date.parse(value) : NaN
  if (!Number.isNaN(time)) return time
  throw new ConfigError(`${name} is "${value}". Use a date such as 2026-11-16, or 2026-11-16T08:30:00-06:00.`)
}
