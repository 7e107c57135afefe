// Formats generated texts as `npm run format` formats files.
import { readFileSync } from 'node:fs'
import { format } from 'oxfmt'

const options = JSON.parse(readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8'))

/** Returns a text in the format of the project. The name tells which language it is in. */
export async function formatted(name, text) {
  const { code, errors } = await format(name, text, options)
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join(' ')}`)
  return code
}
