import { readFileSync } from 'node:fs'
import { isRecord } from '../../contract/values/values.ts'
import { JsonTextError, parseJsonText } from '../../proxy/rights/json-text.ts'
import { ConfigError } from './config-error.ts'
import { secretNames } from './variable-names.ts'

/** Values of variables by name, before they are validated. */
export type ConfigValues = Readonly<Record<string, unknown>>

/** Returns the content of a file. Throws if it is not readable. */
export type ReadText = (path: string) => string

export const readTextFile: ReadText = (path) => readFileSync(path, 'utf8')

/** Content of a configuration file. */
interface ConfigFile {
  /** Values that apply to all mounts. */
  readonly common: ConfigValues
  /** Values of each mount, at least one. */
  readonly mounts: readonly ConfigValues[]
}

/** Reads a configuration file. Without a path, there is one mount without values. Throws `ConfigError`. */
export function readConfigFile(path: string | undefined, readText: ReadText): ConfigFile {
  if (path === undefined) return { common: {}, mounts: [{}] }
  const problem = (reason: string, cause?: unknown) =>
    new ConfigError(`ROUTESLIP_CONFIG: ${JSON.stringify(path)} ${reason}`, { cause })
  let content: string
  let value: unknown
  try {
    content = readText(path)
  } catch (cause) {
    throw problem(unreadableFile(cause), cause)
  }
  try {
    value = parseJsonText(content)
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause
    throw problem(cause.message, cause)
  }
  // Editors read `$schema`.
  const { mounts = [{}], $schema: _, ...common } = isRecord(value) ? value : { mounts: null }
  if (!Array.isArray(mounts) || mounts.length === 0 || !mounts.every(isRecord)) {
    throw problem('must contain an object. If it has mounts, they must be a list of objects.')
  }
  return { common, mounts }
}

/** Merges two sets of values; `upper` wins. A secret and its `_FILE` variant count as one variable. */
export function mergeValues(lower: ConfigValues, upper: ConfigValues): ConfigValues {
  const isReplaced = (name: string) =>
    secretNames.some(
      (secret) =>
        (name === secret || name === `${secret}_FILE`) && (secret in upper || `${secret}_FILE` in upper),
    )
  return { ...Object.fromEntries(Object.entries(lower).filter(([name]) => !isReplaced(name))), ...upper }
}

/** Returns the predicate of a message about a file that could not be read. */
export function unreadableFile(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason'
  return `is not readable (${code}). Check the path and its permissions.`
}
