import type { z } from 'zod'
import { type ConfigValues, type ReadText, unreadableFile } from './config-values.ts'
import type { MountVariables, ProcessVariables } from './proxy-variables.ts'
import { secretNames } from './variable-names.ts'
import { parseSecret } from './variable-types.ts'

/** Context of reading a set of variables. */
export interface Reading {
  readonly readText: ReadText
  /** Name of the mount for messages; empty if there is only one. */
  readonly place: string
  /** Problems so far, one line each. */
  readonly problems: string[]
}

/**
 * Validates the variables of a schema, and reads secrets from their files. If a variable is not valid, it adds problems
 * and returns undefined.
 */
export function readVariables<T extends typeof ProcessVariables | typeof MountVariables>(
  schema: T,
  values: ConfigValues,
  { readText, place, problems }: Reading,
): z.output<T> | undefined {
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
      known[name] = withoutNewline(readText(path))
    } catch (error) {
      problems.push(`${file}${place}: ${JSON.stringify(path)} ${unreadableFile(error)}`)
    }
  }

  const result = schema.safeParse(known)
  for (const { path, message: expected } of result.error?.issues ?? []) {
    const name = String(path[0])
    const file = values[`${name}_FILE`]
    problems.push(
      typeof file === 'string' && !(name in values)
        ? `${name}_FILE${place}: ${JSON.stringify(file)} is not valid. It must contain ${expected}.`
        : invalidValue({ name, value: values[name], expected, place }),
    )
  }
  return problems.length === before ? (result.data as z.output<T>) : undefined
}

interface InvalidValue {
  readonly name: string
  /** Undefined if the variable is missing. */
  readonly value: unknown
  /** Description of valid values. */
  readonly expected: string
  readonly place: string
}

/** Returns the message about a variable that is missing or not valid. */
export function invalidValue({ name, value, expected, place }: InvalidValue): string {
  const state = value === undefined ? 'missing' : value === '' ? 'empty' : formatValue(name, value)
  return `${name}${place} is ${state}. Set it to ${expected}.`
}

/** Formats a value for a message. Hides secrets and addresses that may contain one. */
export function formatValue(name: string, value: unknown): string {
  const text = JSON.stringify(value)
  if (secretNames.includes(name) || text.includes('@')) return 'not usable'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Returns a function that reads a secret from its file. If the file is missing or not valid, it returns the last secret. */
export function secretReader(path: string, first: string, readText: ReadText): () => string {
  let last = first
  return () => {
    try {
      last = parseSecret(withoutNewline(readText(path))) ?? last
    } catch {
      // The file may be in the middle of a replacement.
    }
    return last
  }
}

function withoutNewline(content: string): string {
  return content.replace(/\r?\n$/, '')
}
