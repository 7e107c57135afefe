import { readFileSync } from 'node:fs'
import { parseId } from '../../contract/values/path.ts'
import { isUnivid } from '../../contract/values/patterns.ts'
import type { Hint } from '../../proxy/changes/bus.ts'
import { openMountStorage } from '../callbacks/callback-access.ts'
import { ConfigError } from '../config/config-error.ts'
import { withRedis } from '../config/connect-redis.ts'
import type { ProxyConfig } from '../config/proxy-config.ts'
import { connectToProxy } from '../control.ts'
import { createDeskAccess, type DeskAccess, type DeskStatus } from './desk-access.ts'

export type DeskCommand =
  | { readonly action: 'status' }
  /** `env` may be missing if all mounts that keep lists have the same. */
  | {
      readonly action: 'import'
      readonly file: string
      readonly env?: string | undefined
      /** The time of which the file has all requests, as `FROM/TO`. */
      readonly covers?: string | undefined
    }
  | { readonly action: 'forget'; readonly univid: string }
  | { readonly action: 'resume'; readonly form: string }

/**
 * Shows or changes the lists of requests that a proxy keeps: in Redis, through the running proxy, or in its stores while it is
 * stopped. Returns the lines to print. Throws `ConfigError` if the command is not valid.
 */
export async function runDesk(
  {
    dataDirectory,
    redisUrl,
    redisPrefix,
    mounts,
  }: Pick<ProxyConfig, 'dataDirectory' | 'redisUrl' | 'redisPrefix' | 'mounts'>,
  command: DeskCommand,
): Promise<readonly string[]> {
  const listing = mounts.filter(({ lists }) => lists)
  if (listing.length === 0)
    throw new ConfigError(
      'The proxy keeps no lists. Set ROUTESLIP_LISTS=true, as for the proxy that you mean.',
    )
  if (redisUrl !== undefined) {
    return await withRedis({ redisUrl, redisPrefix }, listing, (shared) => {
      const indexes = shared.map(({ mount: { env, basePath, forms }, redis: { packageIndex: index } }) => ({
        ...{ env, basePath, forms },
        index,
      }))
      return run(createDeskAccess(indexes), command)
    })
  }
  if (dataDirectory === undefined)
    throw new ConfigError(
      'ROUTESLIP_DATA or REDIS_URL is missing. Without them, lists end with the process of the proxy.',
    )
  const running = await connectToProxy(dataDirectory)
  if (running) return await run(running.desk, command)
  const opened = []
  try {
    for (const { env, basePath, forms } of listing)
      opened.push({ env, basePath, forms, ...(await openMountStorage(dataDirectory, { env, basePath })) })
    return await run(
      createDeskAccess(opened.map(({ packageIndex: index, ...mount }) => ({ ...mount, index }))),
      command,
    )
  } finally {
    for (const { close } of opened) await close()
  }
}

async function run(desk: DeskAccess, command: DeskCommand): Promise<readonly string[]> {
  switch (command.action) {
    case 'status':
      return (await desk.status()).flatMap(linesOf)
    case 'import':
      return await importFile(desk, command)
    case 'forget': {
      const { univid } = command
      if (!isUnivid(univid))
        throw new ConfigError(`"${String(univid)}" is not a university id. Use up to 12 digits.`)
      await desk.forget(univid)
      return [
        `${univid} is no longer in the lists. Requests that this person starts, or holds when they change, are stored again.`,
      ]
    }
    case 'resume': {
      const formId = parseId(command.form)
      if (formId === undefined)
        throw new ConfigError(`"${command.form}" is not the id of a form. Use its number.`)
      return (await desk.resume(formId))
        ? [`Reminders of form ${formId} are sent again.`]
        : [`Reminders of form ${formId} were not stopped.`]
    }
  }
}

function linesOf({
  env,
  basePath,
  count,
  since,
  ran,
  isDue,
  dueSince,
  gaps,
  stopped,
}: DeskStatus): readonly string[] {
  return [
    `${env} ${basePath}: ${count} ${count === 1 ? 'request' : 'requests'}${since === null ? '' : `, known since ${since}`}`,
    `  last run: ${ran ?? 'never'}`,
    `  checks: ${!isDue ? 'none is due' : dueSince === null ? 'due' : `due since ${dueSince}`}`,
    ...gaps.map(
      ({ from, to }) => `  no proxy ran from ${from} to ${to}: requests of that time may be missing`,
    ),
    ...stopped.map(
      (form) =>
        `  no reminders for form ${form}, because one changed data. Look into the log, then: routeslip desk resume ${form}`,
    ),
  ]
}

async function importFile(
  desk: DeskAccess,
  { file, env: wanted, covers: period }: DeskCommand & { readonly action: 'import' },
): Promise<readonly string[]> {
  const mounts = await desk.status()
  const envs = [...new Set(mounts.map(({ env }) => env))]
  const env = wanted === undefined && envs.length === 1 ? envs[0] : envs.find((one) => one === wanted)
  if (env === undefined)
    throw new ConfigError(
      `Name the environment whose requests the file lists: --env ${envs.join(' or --env ')}.`,
    )
  const covers = period === undefined ? undefined : readPeriod(period)
  const forms = mounts.flatMap((mount) => (mount.env === env ? mount.forms : []))
  const packages = readPackages(file, forms)
  for (let start = 0; start < packages.length; start += batchSize)
    await desk.learn({ env, packages: packages.slice(start, start + batchSize) })
  if (covers) await desk.learn({ env, packages: [], covers })
  return [
    `Requests that the proxy will look for: ${packages.length}. It lists those that the service returns; "routeslip desk status" shows whether checks are due.`,
  ]
}

/** Reads a time such as `2026-11-16T09:31Z/2026-11-16T10:39Z`, as `desk status` writes gaps. The last minute belongs to it. */
function readPeriod(text: string): readonly [from: number, to: number] {
  const [from = NaN, to = NaN, ...rest] = text
    .split('/')
    .map((time) => (/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(time) ? Date.parse(time) : NaN))
  if (!(from <= to) || rest.length > 0)
    throw new ConfigError(
      `"${text}" is not a time. Copy both ends from "routeslip desk status", such as 2026-11-16T09:31Z/2026-11-16T10:39Z.`,
    )
  return [from, to + 60_000]
}

/** Reads a CSV file with a form and a package in each line. The first line may name the columns. */
function readPackages(file: string, forms: readonly number[]): readonly Hint[] {
  let lines: readonly string[]
  try {
    lines = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
  } catch (cause) {
    throw new ConfigError(`${file} cannot be read: ${(cause as Error).message}`, { cause })
  }
  return lines.flatMap((line, at) => {
    if (line.trim() === '' || (at === 0 && /^\D*,\D*$/.test(line))) return []
    const [formId, packageId, ...rest] = line
      .split(',')
      .map((cell) => parseId(cell.trim().replaceAll('"', '')))
    const place = `${file}, line ${at + 1}`
    if (formId === undefined || packageId === undefined || rest.length > 0)
      throw new ConfigError(
        `${place}: "${line}". Each line needs the id of a form and of a package, such as 6025,42.`,
      )
    if (!forms.includes(formId))
      throw new ConfigError(`${place}: form ${formId} is not one of this proxy (ROUTESLIP_FORMS).`)
    return [{ formId, packageId }]
  })
}

/** Number of requests that are stored at once. */
const batchSize = 1000
