import type { Operation } from '../../contract/operation.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import type { Log } from '../log.ts'
import { refusals } from '../refusals.ts'
import { redactRestricted } from '../rights/redact.ts'

/** Operations on entry data, whose fields belong to the form. */
export const entryOperations: readonly OperationName[] = ['getEntry', 'updateEntry']

/**
 * Parses the body of a successful response, validates it against the contract and removes contact details that are not
 * public. Throws `ProxyError` if the body is not valid.
 */
export function readServiceResponse(
  text: string,
  { name, version, requestId }: { name: OperationName; version: string | undefined; requestId: string },
  log: Log,
): unknown {
  const operation: Operation = operations[name]
  if (operation.response === 'nothing') return undefined

  const schema = (version && operation.results?.[version]) || operation.result
  if (!schema) throw new TypeError(`${name} has no result`)
  const parsed = schema.safeParse(operation.response === 'json' ? parseJson(text) : parseText(text))
  if (!parsed.success) {
    const at = parsed.error.issues.map(({ path }) => path.join('.'))
    log('error', `${name}: the response breaks the contract`, { requestId, at })
    throw refusals.unexpectedResponse()
  }
  // A form may use the field names of a person for its own data.
  return entryOperations.includes(name) ? parsed.data : redactRestricted(parsed.data)
}

/** Parses JSON; `undefined` if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a text response, which some deployments write as a JSON string. */
function parseText(text: string): unknown {
  return text.startsWith('"') ? parseJson(text) : text.trim()
}
