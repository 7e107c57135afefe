/** A text that is not valid JSON. The message is one line with the place, the reason and the next step, and quotes nothing. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError'
}

/** Reads JSON that an operator has written. Throws `JsonTextError`. The messages of `JSON.parse` may quote secrets. */
export function parseJsonText(text: string): unknown {
  if (text.startsWith('\uFEFF')) {
    throw new JsonTextError('begins with a byte order mark. Save it as UTF-8 without one.')
  }
  if (text.trim() === '') throw new JsonTextError('is empty. Write a JSON object.')
  try {
    return JSON.parse(text)
  } catch {
    // The reason below is for people.
  }
  const at = firstError(text)
  const before = text.slice(0, at)
  const line = before.split('\n').length
  throw new JsonTextError(`is not valid JSON in line ${line}: ${reasonOf(before.trimEnd(), text.slice(at))}`)
}

/** Returns the reason and the next step, by what stands before and after the error. */
function reasonOf(before: string, after: string): string {
  const next = after[0]
  if (next === undefined) return 'it ends too early. Add the quotation mark or bracket that is missing.'
  if (next === '}' || next === ']') {
    return before.endsWith(',')
      ? `there is a comma before ${next}. Remove the comma.`
      : `${next} is not expected here. Check the brackets and what stands before it.`
  }
  if (next === '/' || next === '#') return 'JSON has no comments. Remove it.'
  if (next === "'") return 'a text is in single quotation marks. Use ".'
  if (/["{[\w-]/.test(next) && /["}\]\w]$/.test(before)) return 'a comma or colon is missing. Add it.'
  if (next === '"') return 'a text has no end, or contains a line break or a wrong escape. Check it.'
  if (/[A-Za-z_$]/.test(next)) return 'a word is not in quotation marks. Use ", or true, false or null.'
  return 'a character is not expected here. Check the quotation marks, commas and brackets.'
}

const token =
  /[ \t\n\r]*(?:("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))|([{}[\],:])|$)/uy

/** What may follow. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end'

/** Returns the position of the first error of a text that is not valid JSON. */
function firstError(text: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  token.lastIndex = 0
  for (;;) {
    const start = token.lastIndex
    const [whole = '', string, literal, sign] = token.exec(text) ?? []
    const found = string ?? literal ?? sign ?? ''
    const at = start + (/[^ \t\n\r]/.exec(text.slice(start))?.index ?? text.length - start)
    if (whole === '' || found === '') return at
    const isKey = expected === 'key' || expected === 'key or }'
    const isValue = expected === 'value' || expected === 'value or ]'
    if (isKey && string !== undefined) expected = ':'
    else if (expected === ':' && sign === ':') expected = 'value'
    else if (isValue && (sign === '{' || sign === '[')) {
      open.push(sign)
      expected = sign === '{' ? 'key or }' : 'value or ]'
    } else if (isValue && sign === undefined) expected = ', or end'
    else if (expected === ', or end' && sign === ',' && open.length > 0) {
      expected = open.at(-1) === '{' ? 'key' : 'value'
    } else if (
      (sign === '}' && open.at(-1) === '{' && (expected === 'key or }' || expected === ', or end')) ||
      (sign === ']' && open.at(-1) === '[' && (expected === 'value or ]' || expected === ', or end'))
    ) {
      open.pop()
      expected = ', or end'
    } else return at
  }
}
