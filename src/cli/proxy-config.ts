import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { isRecord } from '../contract/record.ts'
import { checkMounts, MountsError } from '../proxy/mounts.ts'
import { isSecure, MountVariables, ProcessVariables } from './proxy-variables.ts'

/** A configuration that is not valid. The message has one line per problem, for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Validated configuration of `routeslip proxy`. */
export interface ProxyConfig {
  readonly host: string
  /** 0 uses any free port. */
  readonly port: number
  /** Time in seconds in which open requests may finish after a signal to stop. */
  readonly shutdownSeconds: number
  readonly logLevel: 'info' | 'warn' | 'error'
  readonly redisUrl?: string
  readonly mounts: readonly MountConfig[]
}

/** One environment at its own base path. */
export interface MountConfig {
  readonly env: 'test' | 'prod'
  readonly basePath: string
  readonly forms: readonly number[]
  readonly workflow: ServiceConfig
  readonly storage: ServiceConfig & { readonly objectOrigins: readonly string[] }
  readonly identity: IdentityConfig
  /** University ids. */
  readonly admins: readonly string[]
  readonly origins: readonly string[]
  readonly callbackEncoding: 'base64' | 'base64url' | 'hex'
  readonly limits: {
    /** In bytes. */
    readonly maxFileSize: number
    /** In seconds. If absent, the service decides. */
    readonly maxExpiresIn?: number
    readonly linkSeconds: number
    /** In milliseconds. */
    readonly timeout: number
    /** In lower case, without a dot. If absent, all are accepted. */
    readonly extensions?: readonly string[]
    readonly requestsPerPerson: number
    readonly streamsPerPerson: number
    readonly streams: number
  }
  readonly clamd?: { readonly host: string; readonly port: number }
}

export interface ServiceConfig {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly clientId: string
  /** A function if a file contains it: it reads the file again. */
  readonly clientSecret: string | (() => string)
}

export type IdentityConfig =
  | { readonly kind: 'header'; readonly header: string; readonly secret: string }
  | {
      readonly kind: 'jwt'
      readonly jwksUrl: string
      readonly issuer: string
      readonly audience: string
      readonly claim: string
      readonly cookie?: string
    }

type Values = Readonly<Record<string, unknown>>
type ReadText = (path: string) => string

/** Context of reading a set of variables. */
interface Reading {
  readonly readFile: ReadText
  /** Which mount it is, for messages; empty if there is only one. */
  readonly place: string
  /** Problems so far, one line each. */
  readonly problems: string[]
}

const processNames = Object.keys(ProcessVariables.shape)
const mountNames = Object.keys(MountVariables.shape)
const names = [...processNames, ...mountNames]

/** Variables of secrets: those with a `_FILE` variant. */
const secretNames = names.filter((name) => names.includes(`${name}_FILE`))

/**
 * Reads the configuration from the environment and from the file at `ROUTESLIP_CONFIG`. Throws `ConfigError` if a variable
 * is missing, not valid or unknown.
 */
export function readProxyConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: ReadText = (path) => readFileSync(path, 'utf8'),
): ProxyConfig {
  const given = Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => value !== undefined && (name.startsWith('ROUTESLIP_') || names.includes(name)),
    ),
  )
  const { common, mounts } = readConfigFile(env['ROUTESLIP_CONFIG'], readFile)
  const problems = [...misplaced(given, names), ...misplaced(common, namesInFile)]
  const reading = { readFile, place: '', problems }

  const settings = readProcess(over(common, given), reading)
  const read = mounts.flatMap((mount, index) => {
    const place = mounts.length > 1 ? ` (mounts[${index}])` : ''
    problems.push(...misplaced(mount, mountNames, place))
    return readMount(over(over(common, mount), given), { ...reading, place }) ?? []
  })
  if (problems.length > 0 || !settings) throw new ConfigError([...new Set(problems)].join('\n'))

  try {
    checkMounts(read)
  } catch (error) {
    if (!(error instanceof MountsError)) throw error
    const name = error.option === 'basePath' ? 'ROUTESLIP_BASE_PATH' : 'ROUTESLIP_STORAGE_URL'
    throw new ConfigError(`${name}: ${error.message}`, { cause: error })
  }
  return { ...settings, mounts: read }
}

const namesInFile = names.filter((name) => name !== 'ROUTESLIP_CONFIG')

function readConfigFile(
  path: string | undefined,
  readFile: ReadText,
): { common: Values; mounts: readonly Values[] } {
  if (path === undefined) return { common: {}, mounts: [{}] }
  const problem = (what: string, cause?: unknown) =>
    new ConfigError(`ROUTESLIP_CONFIG: ${JSON.stringify(path)} ${what}`, { cause })
  let content: string
  let value: unknown
  try {
    content = readFile(path)
  } catch (cause) {
    throw problem(`is not readable (${codeOf(cause)}). Check the path and its permissions.`, cause)
  }
  try {
    value = JSON.parse(content)
  } catch {
    // The parser's message quotes the file, which may contain secrets.
    throw problem('is not valid JSON.')
  }
  const { mounts = [{}], ...common } = isRecord(value) ? value : { mounts: null }
  if (!Array.isArray(mounts) || mounts.length === 0 || !mounts.every(isRecord)) {
    throw problem('must contain an object. If it has mounts, they must be a list of objects.')
  }
  return { common, mounts }
}

/** Merges two sets; `upper` wins. A secret and its `_FILE` variant count as one variable. */
function over(lower: Values, upper: Values): Values {
  const isReplaced = (name: string) =>
    secretNames.some(
      (secret) =>
        (name === secret || name === `${secret}_FILE`) && (secret in upper || `${secret}_FILE` in upper),
    )
  return { ...Object.fromEntries(Object.entries(lower).filter(([name]) => !isReplaced(name))), ...upper }
}

/** Returns a message for each name that is not allowed. */
function misplaced(values: Values, allowed: readonly string[], place = ''): readonly string[] {
  return Object.keys(values)
    .filter((name) => !allowed.includes(name))
    .map((name) => {
      if (name === 'ROUTESLIP_CONFIG') return `${name} is the path of this file. Remove it from the file.`
      if (names.includes(name)) return `${name}${place} applies to all mounts. Move it out of mounts.`
      const [nearest] = allowed
        .map((other) => ({ other, steps: distance(name, other) }))
        .sort((a, b) => a.steps - b.steps)
      const hint = nearest && nearest.steps <= 4 ? `Did you mean ${nearest.other}?` : 'Remove it.'
      return `${name}${place} is not a variable of the proxy. ${hint}`
    })
}

function readProcess(values: Values, reading: Reading): Omit<ProxyConfig, 'mounts'> | undefined {
  const read = readVariables(ProcessVariables, values, reading)
  return (
    read && {
      host: read.ROUTESLIP_HOST,
      port: read.ROUTESLIP_PORT,
      shutdownSeconds: read.ROUTESLIP_SHUTDOWN_SECONDS,
      logLevel: read.ROUTESLIP_LOG_LEVEL,
      ...(read.REDIS_URL !== undefined && { redisUrl: read.REDIS_URL }),
    }
  )
}

function readMount(values: Values, reading: Reading): MountConfig | undefined {
  const read = readVariables(MountVariables, values, reading)
  const { problems, place } = reading
  const isGiven = (name: string) => name in values || `${name}_FILE` in values
  const isJwt = values['ROUTESLIP_IDENTITY'] === 'jwt'
  const missing = [...requiredAlways, ...(isJwt ? requiredForJwt : requiredForHeader)].filter(
    (name) => !isGiven(name),
  )
  problems.push(...missing.map((name) => problemOf(name, undefined, giveOf(name), place)))
  const [kind, other] = isJwt ? ['jwt', 'header'] : ['header', 'jwt']
  problems.push(
    ...(isJwt ? onlyForHeader : onlyForJwt)
      .filter(isGiven)
      .map(
        (name) =>
          `${name}${place} applies to ROUTESLIP_IDENTITY=${other}, but it is ${kind}. Remove one of them.`,
      ),
  )
  if (!read) return undefined

  for (const name of ['ROUTESLIP_WORKFLOW_URL', 'ROUTESLIP_STORAGE_URL'] as const) {
    if (read.ROUTESLIP_ALLOW_HTTP === 'false' && !isSecure(new URL(read[name]))) {
      problems.push(
        `${name}${place} is ${shown(name, values[name])}. Give an https address, or set ROUTESLIP_ALLOW_HTTP=true if you control the network in between.`,
      )
    }
  }
  const clientSecret = (name: 'ROUTESLIP_WORKFLOW_CLIENT_SECRET' | 'ROUTESLIP_STORAGE_CLIENT_SECRET') => {
    const path = read[`${name}_FILE`]
    const value = read[name] ?? ''
    return path === undefined ? value : rereading(path, value, reading.readFile)
  }
  return {
    env: read.ROUTESLIP_ENV,
    basePath: read.ROUTESLIP_BASE_PATH,
    forms: read.ROUTESLIP_FORMS,
    workflow: {
      baseUrl: read.ROUTESLIP_WORKFLOW_URL,
      clientId: read.ROUTESLIP_WORKFLOW_CLIENT_ID,
      clientSecret: clientSecret('ROUTESLIP_WORKFLOW_CLIENT_SECRET'),
    },
    storage: {
      baseUrl: read.ROUTESLIP_STORAGE_URL,
      clientId: read.ROUTESLIP_STORAGE_CLIENT_ID,
      clientSecret: clientSecret('ROUTESLIP_STORAGE_CLIENT_SECRET'),
      objectOrigins: read.ROUTESLIP_STORAGE_OBJECT_ORIGINS,
    },
    identity: isJwt
      ? {
          kind: 'jwt',
          jwksUrl: read.ROUTESLIP_IDENTITY_JWKS_URL ?? '',
          issuer: read.ROUTESLIP_IDENTITY_ISSUER ?? '',
          audience: read.ROUTESLIP_IDENTITY_AUDIENCE ?? '',
          claim: read.ROUTESLIP_IDENTITY_CLAIM,
          ...(read.ROUTESLIP_IDENTITY_COOKIE !== undefined && { cookie: read.ROUTESLIP_IDENTITY_COOKIE }),
        }
      : {
          kind: 'header',
          header: read.ROUTESLIP_IDENTITY_HEADER,
          secret: read.ROUTESLIP_IDENTITY_SECRET ?? '',
        },
    admins: read.ROUTESLIP_ADMINS,
    origins: read.ROUTESLIP_ORIGINS,
    callbackEncoding: read.ROUTESLIP_CALLBACK_ENCODING,
    limits: {
      maxFileSize: read.ROUTESLIP_MAX_FILE_SIZE,
      ...(read.ROUTESLIP_FILE_DAYS !== undefined && { maxExpiresIn: read.ROUTESLIP_FILE_DAYS * 86_400 }),
      linkSeconds: read.ROUTESLIP_LINK_SECONDS,
      timeout: read.ROUTESLIP_TIMEOUT_SECONDS * 1000,
      ...(read.ROUTESLIP_EXTENSIONS !== undefined && { extensions: read.ROUTESLIP_EXTENSIONS }),
      requestsPerPerson: read.ROUTESLIP_REQUESTS_PER_PERSON,
      streamsPerPerson: read.ROUTESLIP_STREAMS_PER_PERSON,
      streams: read.ROUTESLIP_STREAMS,
    },
    ...(read.ROUTESLIP_CLAMD !== undefined && { clamd: read.ROUTESLIP_CLAMD }),
  }
}

type ConditionalName = (typeof requiredAlways | typeof requiredForHeader | typeof requiredForJwt)[number]
const requiredAlways = ['ROUTESLIP_WORKFLOW_CLIENT_SECRET', 'ROUTESLIP_STORAGE_CLIENT_SECRET'] as const
const requiredForHeader = ['ROUTESLIP_IDENTITY_SECRET'] as const
const requiredForJwt = [
  'ROUTESLIP_IDENTITY_JWKS_URL',
  'ROUTESLIP_IDENTITY_ISSUER',
  'ROUTESLIP_IDENTITY_AUDIENCE',
] as const
const onlyForHeader = [...requiredForHeader, 'ROUTESLIP_IDENTITY_HEADER'] as const
const onlyForJwt = [...requiredForJwt, 'ROUTESLIP_IDENTITY_CLAIM', 'ROUTESLIP_IDENTITY_COOKIE'] as const

/** Reads the variables of a schema, and secrets from their files. Returns undefined and adds problems if any is wrong. */
function readVariables<T extends typeof ProcessVariables | typeof MountVariables>(
  schema: T,
  values: Values,
  reading: Reading,
): z.output<T> | undefined {
  const { place, problems } = reading
  const known: Record<string, unknown> = Object.fromEntries(
    Object.entries(values).filter(([name]) => name in schema.shape),
  )
  const before = problems.length
  for (const name of secretNames) {
    const file = `${name}_FILE`
    const path = known[file]
    if (typeof path !== 'string' || path === '') continue
    if (name in known) {
      problems.push(`${name}${place} and ${file} are both set. Remove one of them.`)
      continue
    }
    try {
      known[name] = withoutNewline(reading.readFile(path))
    } catch (error) {
      problems.push(
        `${file}${place}: ${JSON.stringify(path)} is not readable (${codeOf(error)}). Check the path and its permissions.`,
      )
    }
  }

  const result = schema.safeParse(known)
  for (const { path, message } of result.error?.issues ?? []) {
    const name = String(path[0])
    const file = values[`${name}_FILE`]
    problems.push(
      typeof file === 'string' && !(name in values)
        ? `${name}_FILE${place}: ${JSON.stringify(file)} is not valid. ${message}`
        : problemOf(name, values[name], message, place),
    )
  }
  return problems.length === before ? (result.data as z.output<T>) : undefined
}

/** Returns a function that reads a secret from its file. If the file is empty or missing, it returns the last secret. */
function rereading(path: string, first: string, readFile: ReadText): () => string {
  let last = first
  return () => {
    try {
      last = withoutNewline(readFile(path)) || last
    } catch {
      // The file may be in the middle of a replacement.
    }
    return last
  }
}

function withoutNewline(content: string): string {
  return content.replace(/\r?\n$/, '')
}

function problemOf(name: string, value: unknown, give: string, place: string): string {
  const state = value === undefined ? 'missing' : value === '' ? 'empty' : shown(name, value)
  return `${name}${place} is ${state}. ${give}`
}

/** Formats a value for a message. Hides secrets and addresses that may contain one. */
function shown(name: string, value: unknown): string {
  const text = JSON.stringify(value)
  if (secretNames.includes(name) || text.includes('@')) return 'not usable'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Returns the expected value of a variable that only some configurations need. */
function giveOf(name: ConditionalName): string {
  const result = MountVariables.shape[name].unwrap().safeParse(undefined)
  const file = secretNames.includes(name) ? ` Or set ${name}_FILE to a file that contains it.` : ''
  return `${result.error?.issues[0]?.message}${file}`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason'
}

/** Returns the edit distance of two words. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1]
    for (const [index, other] of [...to].entries()) {
      const replaced = (row[index] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
