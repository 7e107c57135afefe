/** Returns the text of a member of a JSON object, so that its numbers stay as they were written. The JSON has to be valid. */
export function memberText(json: string, name: string): string | undefined {
  let depth = 0
  let key: string | undefined
  /** Where the value of the current member begins. */
  let start = -1
  let found: string | undefined
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (char === '"') {
      const end = endOfString(json, at)
      if (depth === 1 && start < 0) key = JSON.parse(json.slice(at, end)) as string
      at = end - 1
    } else if (char === ':' && depth === 1 && start < 0) start = at + 1
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    const isEnd = (char === ',' && depth === 1) || (char === '}' && depth === 0)
    if (!isEnd || start < 0) continue
    // Of members with the same name, the last one counts.
    if (key === name) found = json.slice(start, at).trim()
    start = -1
  }
  return found
}

function endOfString(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

/** Whether two JSON values are the same, whatever the order of their members. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isSameJson((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  )
}
