import type { BrowserOperation } from '../../contract/routes/routes.ts'
import { browserOperations } from '../../contract/services/browser-operations.ts'
import { type Environment, maxFileSize } from '../../contract/values/values.ts'
import { createLocalLimiter, type Limiter } from '../admission/limiter.ts'
import { type CallbackStore, createMemoryCallbackStore } from '../callbacks/callback-store.ts'
import type { Slots } from '../admission/slots.ts'
import type { ListOptions } from '../desk/desk.ts'
import type { PackageIndex } from '../desk/package-index.ts'
import type { Site } from '../http/csrf.ts'
import type { Scan } from '../files/scan.ts'
import { createOutcomeStore, type OutcomeStore } from '../idempotency/outcome-store.ts'
import type { Identify } from '../identity/identity.ts'
import type { Bus } from '../changes/bus.ts'
import type { CallbackOptions } from '../live/live-updates.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Policy } from '../rights/policy.ts'
import { fetchRuntime, type ProxyRuntime } from './runtime.ts'
import { continueTrace, type StartSpan } from '../observe/tracing.ts'
import type { Service } from '../upstream/credentials.ts'

/** Options of `createProxy()`. */
export interface ProxyOptions {
  /** Deployment that this mount serves. The browser never names it. */
  readonly env: Environment
  /** Ids of the forms that this mount serves. Packages of other forms do not exist here. */
  readonly forms: readonly number[]
  /** Path below which the proxy is mounted. Default `/api/wf`. */
  readonly basePath?: string
  /**
   * Names of the operations to serve. Default: all except those on overrides, locks and shares. With
   * `deleteLock`, the mount also lists and releases locks itself.
   */
  readonly operations?: readonly BrowserOperation[]
  /** The services that the mount calls. */
  readonly services: ProxyServices
  /** Whose requests the mount serves, and what they may do. */
  readonly identity: ProxyIdentity
  /** Limits of time, size and number. */
  readonly limits?: ProxyLimits
  /** Scans uploads for harmful content. If it fails, the upload fails. Default: none. */
  readonly scan?: Scan
  /** How callbacks of the routing service are handled. */
  readonly callbacks?: CallbackOptions
  /**
   * What pages do with a draft that its initiator submits, such as a request that was returned. `ask`: they send it, and show why
   * the service refuses it if it does. `link`: they only link to the service. Default `ask`.
   */
  readonly resubmit?: 'ask' | 'link'
  /** Keeps an index of the packages that it learns of, for lists of requests. Default: none. */
  readonly lists?: ListOptions
  /** The stores that several processes share, or that outlive this one. Default: in memory, for one process. */
  readonly storage?: ProxyStorage
  /** The reports for operators. Default: none. */
  readonly observe?: ProxyObservation
  /** The platform that runs the proxy. Default `fetchRuntime()`; on Node, use `nodeRuntime()` of `proxy/node`. */
  readonly runtime?: ProxyRuntime
}

/** The services that a mount calls. */
export interface ProxyServices {
  /** The workflow routing service. */
  readonly workflow: Service
  /** The file storage service, and the origins to which its download links may lead. */
  readonly storage: Service & { readonly objectOrigins: readonly string[] }
}

/** Whose requests a mount serves, and what they may do. */
export interface ProxyIdentity {
  /** Returns the person who makes a request. If it returns null, the proxy replies 401. */
  readonly identify: Identify
  /** Rules of the host that widen rights. Default: none; the proxy denies everything that the services leave open. */
  readonly policy?: Policy
  /** Other origins whose pages may call the proxy, such as `https://forms.example.edu`. Default: none. */
  readonly origins?: readonly string[]
  /**
   * Returns the site that a request comes from. Default: the value of `Sec-Fetch-Site`. A handler that runs inside the page
   * itself, which has no such header, returns `same-origin`.
   */
  readonly site?: (request: Request) => Site | null
}

/**
 * The stores that several processes share, or that outlive this one. `openStorage()` and `createRedis()` of `proxy/node` return it. Default
 * of each part: in memory, for one process.
 */
export interface ProxyStorage {
  /** Keeps callbacks until `onCallback` has processed them, and the locks that they name until these are released. */
  readonly callbackStore?: CallbackStore
  /** Remembers the outcomes of changes with an `Idempotency-Key`. */
  readonly outcomeStore?: OutcomeStore
  /** Keeps which packages exist, for `lists`. */
  readonly packageIndex?: PackageIndex
  /** Places for one change of the entry of a package at a time, for `lists`. */
  readonly entryTurns?: Pick<Slots, 'take'>
  /** Carries live events. */
  readonly bus?: Bus
  /** Counts what each person uses. */
  readonly limiter?: Limiter
}

/** The reports for operators. */
export interface ProxyObservation {
  /** Logs what an operator should know. Default: nothing is logged. */
  readonly log?: Log
  /** Counts requests and events. Default: none, and `/metrics` does not exist. */
  readonly metrics?: Metrics
  /**
   * Begins the span of a request. Default `continueTrace`: the trace that `traceparent` names is continued in the calls of the
   * services and in the log. `proxy/node` has one for OpenTelemetry.
   */
  readonly startSpan?: StartSpan
  /**
   * Header in which a trusted front server sends the id of each request, such as `x-request-id`. The front server has to
   * overwrite it. Default: the proxy chooses the ids.
   */
  readonly requestIdHeader?: string
  /**
   * Whether the problem details of a request that is refused before rights are decided name the exact cause. Only for
   * development: strangers learn from it how people sign in. Default false.
   */
  readonly explainRefusals?: boolean
}

/** Limits of time, size and number. A request that exceeds one is refused, or waits if the limit says so. */
export interface ProxyLimits {
  /** Maximum size of an upload, in bytes. Default 50 MB. */
  readonly maxFileSize?: number
  /** Extensions that may be uploaded, without the dot. Default null: any. */
  readonly extensions?: readonly string[] | null
  /** Maximum lifetime of a stored file, in seconds. Default null: as long as the service keeps it. */
  readonly maxExpiresIn?: number | null
  /** Lifetime of a download link, in seconds, 1 to 60. Default 60. */
  readonly linkSeconds?: number
  /** Timeout for a response of a service, in milliseconds. Default 8000. */
  readonly timeout?: number
  /** Timeout for the service to store an upload, in milliseconds after its last byte. Default 60,000; at least `timeout`. */
  readonly uploadTimeout?: number
  /**
   * Timeout for a download to begin, in milliseconds. Default 100,000, because the service may have to render a PDF; at least
   * `timeout`.
   */
  readonly downloadTimeout?: number
  /** Timeout for a JSON body to arrive, from a browser or in a callback, in milliseconds. Default 15,000. */
  readonly bodyTimeout?: number
  /** Timeout for a scanner, in milliseconds after the last byte of a file. Default 60,000. */
  readonly scanTimeout?: number
  /** Maximum size of a JSON body from the browser, in bytes. Default 256 kB. */
  readonly maxBodySize?: number
  /** Maximum size of a response that is read as a whole, in bytes. Default 16 MB. */
  readonly maxResponseSize?: number
  /** Maximum number of concurrent requests per person in this process. Default 50. */
  readonly requestsPerPerson?: number
  /** Maximum number of requests per person and minute. Default null: any. */
  readonly requestsPerMinute?: number | null
  /** Maximum number of JSON bodies of one person that are read at a time. Default 8. */
  readonly bodiesPerPerson?: number
  /**
   * Maximum size of all JSON bodies and all responses of more than 64 kB in memory at a time, in bytes. One person may use a
   * quarter with several of them. Default 64 MB; at least the size of the largest.
   */
  readonly bufferSize?: number
  /** Maximum number of concurrent uploads and downloads per person. Default 8. */
  readonly filesPerPerson?: number
  /** Maximum number of packages that a person creates per hour. Default 60. */
  readonly packagesPerHour?: number
  /** Maximum number of concurrent uploads and downloads. If all are in use, people get equal shares. Default 100. */
  readonly files?: number
  /** Maximum number of concurrent calls of each service, files excepted. Further calls wait. Default 100. */
  readonly calls?: number
  /** Maximum number of concurrent calls of each service for one person, files excepted. Default 16. */
  readonly callsPerPerson?: number
  /** Maximum number of responses of more than 64 kB in memory at a time. Default 8. */
  readonly largeReads?: number
  /** Maximum number of responses of more than 64 kB in memory for one person. Default 2. */
  readonly largeReadsPerPerson?: number
  /** Maximum number of live event streams per person. Each visible page has one. Default 20. */
  readonly streamsPerPerson?: number
  /** Maximum number of live event streams in this process. Default 5000. */
  readonly streams?: number
  /**
   * Time between two searches for changes that the service does not announce, such as new comments, in milliseconds. Default
   * 15,000.
   */
  readonly watchInterval?: number
}

/** Operations that a mount serves only if its options name them. */
export const operationsOffByDefault: readonly BrowserOperation[] = [
  'createOverride',
  'getOverrides',
  'deactivateOverride',
  'deleteLock',
  'createShare',
  'getShares',
  'revokeShare',
]

const defaultLimits: Required<ProxyLimits> = {
  maxFileSize,
  extensions: null,
  maxExpiresIn: null,
  linkSeconds: 60,
  timeout: 8000,
  uploadTimeout: 60_000,
  downloadTimeout: 100_000,
  bodyTimeout: 15_000,
  scanTimeout: 60_000,
  maxBodySize: 256 * 1024,
  maxResponseSize: 16 * 1024 * 1024,
  requestsPerPerson: 50,
  requestsPerMinute: null,
  bodiesPerPerson: 8,
  bufferSize: 64 * 1024 * 1024,
  filesPerPerson: 8,
  packagesPerHour: 60,
  files: 100,
  calls: 100,
  callsPerPerson: 16,
  largeReads: 8,
  largeReadsPerPerson: 2,
  streamsPerPerson: 20,
  streams: 5000,
  watchInterval: 15_000,
}

/** The options of a mount, with their defaults. */
export interface Settings extends ProxyOptions {
  readonly basePath: string
  readonly operations: readonly BrowserOperation[]
  readonly identity: ProxyIdentity & Required<Pick<ProxyIdentity, 'origins' | 'site'>>
  readonly limits: Required<ProxyLimits>
  readonly callbacks: CallbackOptions
  readonly resubmit: 'ask' | 'link'
  readonly storage: ProxyStorage & Required<Omit<ProxyStorage, 'bus' | 'packageIndex' | 'entryTurns'>>
  readonly observe: ProxyObservation & Required<Pick<ProxyObservation, 'log' | 'startSpan'>>
  readonly runtime: ProxyRuntime
}

/** Returns the options with their defaults. Throws `RangeError` if a value is out of range. */
export function withDefaults(options: ProxyOptions): Settings {
  const limits = { ...defaultLimits, ...given(options.limits) }
  const { linkSeconds } = limits
  if (!(linkSeconds >= 1 && linkSeconds <= 60)) throw new RangeError('linkSeconds must be from 1 to 60')
  const all = Object.keys(browserOperations) as BrowserOperation[]
  return {
    basePath: defaultBasePath,
    operations: all.filter((name) => !operationsOffByDefault.includes(name)),
    callbacks: {},
    resubmit: 'ask',
    runtime: fetchRuntime(),
    ...given(options),
    identity: {
      origins: [],
      site: (request) => request.headers.get('sec-fetch-site') as Site | null,
      ...given(options.identity),
    },
    limits,
    storage: {
      callbackStore: createMemoryCallbackStore(),
      outcomeStore: createOutcomeStore(),
      limiter: createLocalLimiter(),
      ...given(options.storage),
    },
    observe: { log: () => {}, startSpan: continueTrace, ...given(options.observe) },
  }
}

/** Returns the options that are set. Hosts also write JavaScript, where one that is not may be there as `undefined`. */
function given<Options extends object>(options: Options | undefined): Options {
  const set = Object.entries(options ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set) as Options
}

/** Path below which a proxy is mounted by default. */
export const defaultBasePath = '/api/wf'
