import { type DestinationStream, type Level, pino, stdTimeFunctions } from 'pino'
import type { Log } from '../../observe/log.ts'
import { standardOutput } from './standard-output.ts'

/** Options of `createLog()`. */
export interface LogOptions {
  /** Minimum level that is logged. Default `info`. */
  readonly level?: Level | 'silent'
  /** Receives the lines. Default: `standardOutput()`. */
  readonly destination?: DestinationStream
}

/**
 * Creates a log of JSON lines. Everything that looks like a credential is redacted, at any depth. This is a second safeguard,
 * because facts should not contain credentials in the first place.
 */
export function createLog({ level = 'info', destination = standardOutput() }: LogOptions = {}): Log {
  const options = {
    level,
    base: null,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const logger = pino(options, destination)
  return (severity, message, facts) => {
    if (!logger.isLevelEnabled(severity)) return
    logger[severity](scrub(facts, 0) as object, scrubText(message))
  }
}

const secretKey = /authorization|cookie|secret|password|token|credential/i
const redacted = '[redacted]'

/** Maximum depth of facts. Deeper values, including those of circular references, are omitted. */
const maxDepth = 6

function scrub(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrubText(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return '[…]'
  if (value instanceof Error) return scrubError(value, depth)
  if (value instanceof URL) return scrubText(value.href)
  if (value instanceof Date) return value
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1))
  const entries = value instanceof Map || value instanceof Headers ? [...value] : Object.entries(value)
  return Object.fromEntries(
    (entries as [unknown, unknown][]).map(([key, item]) => [
      scrubText(String(key)),
      secretKey.test(String(key)) ? redacted : scrub(item, depth + 1),
    ]),
  )
}

/** Logs an error with its cause, but without the stack, which may quote the data that was being read. */
function scrubError(error: Error, depth: number): unknown {
  const { name, message, cause } = error
  const code = 'code' in error ? { code: scrub(error.code, depth + 1) } : {}
  const because = cause === undefined ? {} : { cause: scrub(cause, depth + 1) }
  return { name, message: scrubText(message), ...code, ...because }
}

function scrubText(text: string): string {
  return replacements.reduce((result, [pattern, by]) => result.replace(pattern, by), text)
}

const replacements: readonly (readonly [RegExp, string])[] = [
  // Credentials (RFC 7617 and RFC 6750).
  [/\b(Basic|Bearer)\s+[\w+/=.~-]+/gi, `$1 ${redacted}`],
  // Signed tokens (JWT).
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, redacted],
  // User names and passwords in addresses.
  [/\b([a-z][a-z\d+.-]*:\/\/)[^\s/?#@]+@/gi, `$1${redacted}@`],
  // The whole query of an absolute address, and the signing parameters of any other text.
  [/\b(https?:\/\/[^\s?#"'<>]+)[?#][^\s"'<>]*/gi, `$1?${redacted}`],
  [
    /([?&;](?:x-amz-[\w-]+|x-goog-[\w-]+|[\w-]*signature|sig|[\w-]*token|[\w-]*key|[\w-]*credential|policy)=)[^\s&"'<>]+/gi,
    `$1${redacted}`,
  ],
]
