// The patterns are sources of regular expressions, because paths, schemas and the OpenAPI document combine them.

/** A positive integer in plain decimal digits. Numbers above `Number.MAX_SAFE_INTEGER` match too; see `parseId()`. */
export const idPattern = '[1-9][0-9]{0,15}'

/** A university id. */
export const unividPattern = '[0-9]{1,12}'

/** A client id. */
export const clientIdPattern = '[A-Za-z0-9_-]{1,64}'

/** A UUID in lower case, as both services and the proxy write it. */
export const uuidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Natural keys of offices, by level (spec, Entry). */
export const officeKeyPatterns = {
  org: '[0-9]{2}',
  department: '[0-9]{2}-[0-9]{4}',
  sub_department: '[0-9]{2}-[0-9]{4}-[0-9]{4}',
} as const

/** Natural key of an office of any level. */
export const officeKeyPattern = '[0-9]{2}(?:-[0-9]{4}){0,2}'

/** Returns a regular expression that matches a text only as a whole. */
export function wholeText(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`)
}

const univid = /* @__PURE__ */ wholeText(unividPattern)

/** Whether a value is a university id. */
export function isUnivid(value: unknown): value is string {
  return typeof value === 'string' && univid.test(value)
}

/** Returns the same text for all forms of a university id: those that differ only in leading zeros name one person. */
export function personKey(univid: string): string {
  return univid.replace(/^0+(?=.)/, '')
}

/** Whether two university ids name the same person. Without an id, nobody is named. */
export function isSamePerson(one: string | null | undefined, other: string | null | undefined): boolean {
  return one != null && other != null && personKey(one) === personKey(other)
}
