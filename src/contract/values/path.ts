import {
  clientIdPattern,
  idPattern,
  officeKeyPattern,
  unividPattern,
  uuidPattern,
  wholeText,
} from './patterns.ts'
import type { Environment } from './values.ts'

/** Names of the `:name` placeholders of a path. */
type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Values of the placeholders of a path: ids are numbers, all others are strings. */
export type PathParams<Path extends string> = {
  readonly [Name in ParamName<Path>]: Name extends 'env'
    ? Environment
    : Name extends (typeof numbers)[number]
      ? number
      : string
}

/** Names of the parameters that are numbers. */
const numbers = [
  'formId',
  'packageId',
  'attachmentTypeId',
  'attachmentId',
  'lockId',
  'routeId',
  'stopNumber',
  'commentId',
] as const

/**
 * Pattern of each placeholder. Values are never coerced or percent-decoded. Paths are built and matched with these patterns
 * only, so they cannot contain a dot segment, an escape or a second form of an id.
 */
const patterns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(numbers.map((name) => [name, idPattern])),
  env: 'test|prod',
  uuid: uuidPattern,
  univid: unividPattern,
  officeKey: officeKeyPattern,
  granteeClientId: clientIdPattern,
}

/** Thrown if a path parameter is missing or does not match its pattern. No request was sent. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError'
  /** Name of the parameter. */
  readonly parameter: string

  constructor(parameter: string, value: unknown) {
    super(`${parameter} is ${JSON.stringify(value) ?? 'missing'}; expected ${parameterPattern(parameter)}`)
    this.parameter = parameter
  }
}

/** Whether a value is an id: a positive integer that JavaScript represents exactly. */
export function isId(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value > 0
}

/** Reads an id from text. Returns `undefined` if the text is not a positive safe integer in plain digits. */
export function parseId(text: string): number | undefined {
  const id = Number(text)
  return wholeText(idPattern).test(text) && Number.isSafeInteger(id) ? id : undefined
}

/** Builds a path from its template. Throws a `ParameterError` if a value is missing or invalid. */
export function fillPath(template: string, params: Readonly<Record<string, string | number>>): string {
  return template.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    const text = String(value)
    if (value === undefined || !isOfForm(name, text) || !isSafe(name, text)) {
      throw new ParameterError(name, value)
    }
    return text
  })
}

/** Reads the placeholder values from a raw path. Returns `undefined` if the path does not match the template. */
export function matchPath(template: string, path: string): Record<string, string | number> | undefined {
  const found = matcher(template).exec(path)
  if (!found) return undefined

  const params: Record<string, string | number> = {}
  for (const name in found.groups) {
    const text = found.groups[name] ?? ''
    if (!isSafe(name, text)) return undefined
    params[name] = isNumberParameter(name) ? Number(text) : text
  }
  return params
}

const forms = new Map<string, RegExp>()

function isOfForm(name: string, text: string): boolean {
  let form = forms.get(name)
  if (!form) forms.set(name, (form = wholeText(parameterPattern(name))))
  return form.test(text)
}

const matchers = new Map<string, RegExp>()

function matcher(template: string): RegExp {
  let found = matchers.get(template)
  if (!found) {
    found = new RegExp(
      `^${template.replace(/:(\w+)/g, (_, name: string) => `(?<${name}>${parameterPattern(name)})`)}$`,
    )
    matchers.set(template, found)
  }
  return found
}

/** Returns the pattern of a path parameter, as the source of a regular expression for the whole value. */
export function parameterPattern(name: string): string {
  const found = patterns[name]
  if (!found) throw new TypeError(`No pattern for the path parameter ${name}`)
  return found
}

function isSafe(name: string, text: string): boolean {
  return !isNumberParameter(name) || Number.isSafeInteger(Number(text))
}

/** Whether a path parameter is a number. */
export function isNumberParameter(name: string): boolean {
  return patterns[name] === idPattern
}
