import { uuidPattern } from '../../contract/values/patterns.ts'

/** Returns the uuids in a text, each once. */
export function uuidsIn(text: string): readonly string[] {
  return [...new Set(text.match(new RegExp(uuidPattern, 'g')))]
}
