import type { z } from 'zod'
import type { ListOptions } from '../../proxy/desk/desk.ts'
import { checkMounts, MountsError } from '../../proxy/mount/mounts.ts'
import { PolicyError, type PolicyRules } from '../../proxy/rights/policy-rules.ts'
import { ConfigError } from './config-error.ts'
import { type ForwardConfig, readForward } from './forward-config.ts'
import {
  type ConfigValues,
  mergeValues,
  readConfigFile,
  type ReadText,
  readTextFile,
} from './config-values.ts'
import { readPolicyFile } from './policy-file.ts'
import { MountVariables, ProcessVariables } from './proxy-variables.ts'
import { allNames, checkNames, fileNames, mountNames, secretNames } from './variable-names.ts'
import { formatValue, invalidValue, type Reading, readVariables, secretReader } from './variable-reader.ts'
import { isSecure } from './variable-types.ts'

/** Validated configuration of `routeslip proxy`. */
export interface ProxyConfig {
  readonly host: string
  /** 0 uses any free port. */
  readonly port: number
  /** Port of the metrics. Default: that of the proxy. */
  readonly metricsPort?: number
  /** Time in seconds in which open requests may finish after a signal to stop. */
  readonly shutdownSeconds: number
  readonly logLevel: 'info' | 'warn' | 'error'
  /** Header in which the front server sends the id of a request. Default: none. */
  readonly requestIdHeader?: string
  /** Maximum number of connections. Default: no limit. */
  readonly maxConnections?: number
  /** In milliseconds. */
  readonly idleTimeout: number
  /** Minimum rate of transfers, in bytes per second. */
  readonly minRate: number
  /** Time over which the rate is measured, in seconds. */
  readonly stallSeconds: number
  readonly services: {
    /** In milliseconds. */
    readonly connectTimeout: number
    /** Time between two parts of a response, in milliseconds. */
    readonly bodyTimeout: number
    readonly breaker: {
      readonly calls: number
      /** Share of failed calls, from 0 to 1. */
      readonly failures: number
      /** In milliseconds. */
      readonly window: number
      /** In milliseconds. */
      readonly resetTimeout: number
    }
  }
  /** Directory that keeps callbacks. Default: they are kept in memory. */
  readonly dataDirectory?: string
  /** Age in ms at which an open lock raises an alarm. */
  readonly lockAlarmAge: number
  readonly redisUrl?: string
  /** File that contains the address, if one does. */
  readonly redisUrlFile?: string
  readonly redisPrefix: string
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
  /** The policy file and its content, if there is one. */
  readonly policy?: { readonly path: string; readonly rules: PolicyRules }
  readonly origins: readonly string[]
  readonly callbackEncoding: 'base64' | 'base64url' | 'hex'
  /** Application that gets the callbacks. Default: none. */
  readonly forward?: ForwardConfig
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
    /** In milliseconds. */
    readonly uploadTimeout: number
    /** In milliseconds. */
    readonly downloadTimeout: number
    /** In milliseconds. */
    readonly bodyTimeout: number
    /** In milliseconds. */
    readonly scanTimeout: number
    /** In bytes. */
    readonly maxBodySize: number
    /** In bytes. */
    readonly maxResponseSize: number
    readonly bodiesPerPerson: number
    /** In bytes. */
    readonly bufferSize: number
    readonly files: number
    readonly filesPerPerson: number
    readonly calls: number
    readonly callsPerPerson: number
    readonly largeReads: number
    readonly largeReadsPerPerson: number
    readonly requestsPerPerson: number
    /** If absent, any number is accepted. */
    readonly requestsPerMinute?: number
    readonly packagesPerHour: number
    readonly streamsPerPerson: number
    readonly watchInterval: number
    readonly streams: number
  }
  readonly clamd?: { readonly host: string; readonly port: number }
  readonly resubmit: 'ask' | 'link'
  /** Absent if the proxy keeps no lists. */
  readonly lists?: Required<Pick<ListOptions, 'callsPerSecond' | 'days' | 'reminders'>>
}

export interface ServiceConfig {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly clientId: string
  /** A function if a file contains it: it reads the file again. */
  readonly clientSecret: string | (() => string)
}

export type IdentityConfig =
  | ({
      readonly kind: 'header'
      readonly header: string
      readonly secret: string
      /** File that contains the secret, if one does. */
      readonly secretFile?: string
    } & GroupsConfig<'groupsHeader'>)
  | ({
      readonly kind: 'jwt'
      readonly jwksUrl: string
      readonly issuer: string
      readonly audience: string
      readonly claim: string
      readonly cookie?: string
    } & GroupsConfig<'groupsClaim'>)
  /** For development: everyone is this person. */
  | { readonly kind: 'persona'; readonly univid: string }

/** Where the sign-in service puts the groups of a person, if it does. */
type GroupsConfig<Source extends string> = { readonly [Name in Source]?: string } & {
  readonly groupsSeparator: ',' | ';'
}

/**
 * Reads the configuration from the environment and from the file at `ROUTESLIP_CONFIG`. Throws `ConfigError` if a variable
 * is missing, not valid or unknown.
 */
export function readProxyConfig(
  env: Readonly<Record<string, string | undefined>>,
  readText: ReadText = readTextFile,
): ProxyConfig {
  const fromEnv = Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => value !== undefined && (name.startsWith('ROUTESLIP_') || allNames.includes(name)),
    ),
  )
  const { common, mounts: fromFile } = readConfigFile(env['ROUTESLIP_CONFIG'], readText)
  const problems = [
    ...checkNames(Object.keys(fromEnv), allNames),
    ...checkNames(Object.keys(common), fileNames),
  ]
  const reading = { readText, place: '', problems }

  const settings = readProcess(mergeValues(common, fromEnv), reading)
  const mounts = fromFile.flatMap((mount, index) => {
    const place = fromFile.length > 1 ? ` (mounts[${index}])` : ''
    problems.push(...checkNames(Object.keys(mount), mountNames, place))
    return readMount(mergeValues(mergeValues(common, mount), fromEnv), { ...reading, place }) ?? []
  })
  if (problems.length > 0 || !settings) throw new ConfigError([...new Set(problems)].join('\n'))

  try {
    checkMounts(
      mounts.map(({ env, basePath, workflow, storage }) => ({
        env,
        basePath,
        services: { workflow, storage },
      })),
    )
  } catch (error) {
    if (!(error instanceof MountsError)) throw error
    const name = error.option === 'basePath' ? 'ROUTESLIP_BASE_PATH' : 'ROUTESLIP_STORAGE_URL'
    throw new ConfigError(`${name}: ${error.message}`, { cause: error })
  }
  return { ...settings, mounts }
}

function readProcess(values: ConfigValues, reading: Reading): Omit<ProxyConfig, 'mounts'> | undefined {
  const read = readVariables(ProcessVariables, values, reading)
  return (
    read && {
      host: read.ROUTESLIP_HOST,
      port: read.ROUTESLIP_PORT,
      ...(read.ROUTESLIP_METRICS_PORT !== undefined && { metricsPort: read.ROUTESLIP_METRICS_PORT }),
      shutdownSeconds: read.ROUTESLIP_SHUTDOWN_SECONDS,
      logLevel: read.ROUTESLIP_LOG_LEVEL,
      ...(read.ROUTESLIP_REQUEST_ID_HEADER !== undefined && {
        requestIdHeader: read.ROUTESLIP_REQUEST_ID_HEADER,
      }),
      ...(read.ROUTESLIP_MAX_CONNECTIONS !== undefined && { maxConnections: read.ROUTESLIP_MAX_CONNECTIONS }),
      idleTimeout: read.ROUTESLIP_IDLE_SECONDS * 1000,
      minRate: read.ROUTESLIP_MIN_RATE,
      stallSeconds: read.ROUTESLIP_STALL_SECONDS,
      services: {
        connectTimeout: read.ROUTESLIP_CONNECT_TIMEOUT_SECONDS * 1000,
        bodyTimeout: read.ROUTESLIP_CHUNK_TIMEOUT_SECONDS * 1000,
        breaker: {
          calls: read.ROUTESLIP_BREAKER_CALLS,
          failures: read.ROUTESLIP_BREAKER_PERCENT / 100,
          window: read.ROUTESLIP_BREAKER_WINDOW_SECONDS * 1000,
          resetTimeout: read.ROUTESLIP_BREAKER_PAUSE_SECONDS * 1000,
        },
      },
      lockAlarmAge: read.ROUTESLIP_LOCK_ALARM_HOURS * 3_600_000,
      ...(read.ROUTESLIP_DATA !== undefined && { dataDirectory: read.ROUTESLIP_DATA }),
      ...(read.REDIS_URL !== undefined && { redisUrl: read.REDIS_URL }),
      ...(read.REDIS_URL_FILE !== undefined && { redisUrlFile: read.REDIS_URL_FILE }),
      redisPrefix: read.ROUTESLIP_REDIS_PREFIX,
    }
  )
}

function readMount(values: ConfigValues, reading: Reading): MountConfig | undefined {
  const read = readVariables(MountVariables, values, reading)
  const { problems, place } = reading
  const isGiven = (name: string) => name in values || `${name}_FILE` in values
  const isJwt = values['ROUTESLIP_IDENTITY'] === 'jwt'
  const missing = [...requiredAlways, ...(isJwt ? requiredForJwt : requiredForHeader)].filter(
    (name) => !isGiven(name),
  )
  problems.push(
    ...missing.map((name) => invalidValue({ name, value: undefined, expected: expectedValue(name), place })),
  )
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
        `${name}${place} is ${formatValue(name, values[name])}. Use an https address, or set ROUTESLIP_ALLOW_HTTP=true if you control the network in between.`,
      )
    }
  }
  const clientSecret = (name: 'ROUTESLIP_WORKFLOW_CLIENT_SECRET' | 'ROUTESLIP_STORAGE_CLIENT_SECRET') => {
    const path = read[`${name}_FILE`]
    const value = read[name] ?? ''
    return path === undefined ? value : secretReader(path, value, reading.readText)
  }
  const groupsSeparator = read.ROUTESLIP_GROUPS_SEPARATOR === 'comma' ? ',' : ';'
  const policy = readPolicy(read, reading)
  const forward = readForward(read, reading)
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
          ...(read.ROUTESLIP_GROUPS_CLAIM !== undefined && { groupsClaim: read.ROUTESLIP_GROUPS_CLAIM }),
          groupsSeparator,
        }
      : {
          kind: 'header',
          header: read.ROUTESLIP_IDENTITY_HEADER,
          secret: read.ROUTESLIP_IDENTITY_SECRET ?? '',
          ...(read.ROUTESLIP_IDENTITY_SECRET_FILE !== undefined && {
            secretFile: read.ROUTESLIP_IDENTITY_SECRET_FILE,
          }),
          ...(read.ROUTESLIP_GROUPS_HEADER !== undefined && { groupsHeader: read.ROUTESLIP_GROUPS_HEADER }),
          groupsSeparator,
        },
    admins: read.ROUTESLIP_ADMINS,
    ...(policy && { policy }),
    origins: read.ROUTESLIP_ORIGINS,
    callbackEncoding: read.ROUTESLIP_CALLBACK_ENCODING,
    ...(forward && { forward }),
    limits: {
      maxFileSize: read.ROUTESLIP_MAX_FILE_SIZE,
      ...(read.ROUTESLIP_FILE_DAYS !== undefined && { maxExpiresIn: read.ROUTESLIP_FILE_DAYS * 86_400 }),
      linkSeconds: read.ROUTESLIP_LINK_SECONDS,
      timeout: read.ROUTESLIP_TIMEOUT_SECONDS * 1000,
      ...(read.ROUTESLIP_EXTENSIONS !== undefined && { extensions: read.ROUTESLIP_EXTENSIONS }),
      uploadTimeout: read.ROUTESLIP_UPLOAD_TIMEOUT_SECONDS * 1000,
      downloadTimeout: read.ROUTESLIP_DOWNLOAD_TIMEOUT_SECONDS * 1000,
      bodyTimeout: read.ROUTESLIP_BODY_TIMEOUT_SECONDS * 1000,
      scanTimeout: read.ROUTESLIP_SCAN_TIMEOUT_SECONDS * 1000,
      maxBodySize: read.ROUTESLIP_MAX_BODY_SIZE,
      maxResponseSize: read.ROUTESLIP_MAX_RESPONSE_SIZE,
      bodiesPerPerson: read.ROUTESLIP_BODIES_PER_PERSON,
      bufferSize: read.ROUTESLIP_BUFFER_SIZE,
      files: read.ROUTESLIP_FILES,
      filesPerPerson: read.ROUTESLIP_FILES_PER_PERSON,
      calls: read.ROUTESLIP_CALLS,
      callsPerPerson: read.ROUTESLIP_CALLS_PER_PERSON,
      largeReads: read.ROUTESLIP_LARGE_READS,
      largeReadsPerPerson: read.ROUTESLIP_LARGE_READS_PER_PERSON,
      requestsPerPerson: read.ROUTESLIP_REQUESTS_PER_PERSON,
      ...(read.ROUTESLIP_REQUESTS_PER_MINUTE !== undefined && {
        requestsPerMinute: read.ROUTESLIP_REQUESTS_PER_MINUTE,
      }),
      packagesPerHour: read.ROUTESLIP_PACKAGES_PER_HOUR,
      streamsPerPerson: read.ROUTESLIP_STREAMS_PER_PERSON,
      streams: read.ROUTESLIP_STREAMS,
      watchInterval: read.ROUTESLIP_WATCH_SECONDS * 1000,
    },
    ...(read.ROUTESLIP_CLAMD !== undefined && { clamd: read.ROUTESLIP_CLAMD }),
    resubmit: read.ROUTESLIP_RESUBMIT,
    ...(read.ROUTESLIP_LISTS === 'true' && {
      lists: {
        callsPerSecond: read.ROUTESLIP_LIST_CALLS,
        days: read.ROUTESLIP_LIST_DAYS,
        reminders: { hours: read.ROUTESLIP_REMIND_HOURS, language: read.ROUTESLIP_LANGUAGE },
      },
    }),
  }
}

/** Reads the policy file of a mount, and adds its problems. */
function readPolicy(
  { ROUTESLIP_POLICY: path, ROUTESLIP_ADMINS: admins }: z.output<typeof MountVariables>,
  { readText, place, problems }: Reading,
): MountConfig['policy'] {
  if (path === undefined) return undefined
  if (admins.length > 0) {
    problems.push(
      `ROUTESLIP_ADMINS${place} and ROUTESLIP_POLICY are both set. Write a rule for these people into the policy file, and remove ROUTESLIP_ADMINS.`,
    )
  }
  try {
    return { path, rules: readPolicyFile(path, readText) }
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    const lines = error.message.split('\n')
    problems.push(...lines.map((line) => `ROUTESLIP_POLICY${place}: ${JSON.stringify(path)}: ${line}`))
    return undefined
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
const onlyForHeader = [...requiredForHeader, 'ROUTESLIP_IDENTITY_HEADER', 'ROUTESLIP_GROUPS_HEADER'] as const
const onlyForJwt = [
  ...requiredForJwt,
  'ROUTESLIP_IDENTITY_CLAIM',
  'ROUTESLIP_IDENTITY_COOKIE',
  'ROUTESLIP_GROUPS_CLAIM',
] as const

/** Describes the valid values of a variable that is required only in some configurations. */
function expectedValue(name: ConditionalName): string {
  const result = MountVariables.shape[name].unwrap().safeParse(undefined)
  const file = secretNames.includes(name) ? `, or set ${name}_FILE to a file that contains it` : ''
  return `${result.error?.issues[0]?.message}${file}`
}
