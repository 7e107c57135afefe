import type { Operation } from '../../contract/services/operation.ts'
import { type OperationName, operations } from '../../contract/services/operations.ts'
import { isRecord } from '../../contract/values/values.ts'
import { FileAsset } from '../../contract/schemas/storage.ts'
import { Package } from '../../contract/schemas/workflow.ts'
import type { Log } from '../observe/log.ts'
import { maxHtmlLength, type Sanitize, sanitizeHtml } from './html.ts'
import { refusals } from '../http/refusals.ts'
import { redactRestricted } from './redact.ts'

/** Operations on entry data, whose fields belong to the form. */
const entryOperations: readonly string[] = ['getEntry', 'updateEntry']

/** The facts about a call that its response is checked against. */
export interface ResponseFacts {
  readonly name: OperationName
  readonly params: Readonly<Record<string, string | number>> | undefined
  readonly version: string | undefined
  readonly requestId: string
}

/**
 * Parses the body of a successful response, validates it against the contract and removes contact details that are not
 * public, and HTML that is not allowed. Throws `ProxyError` if the body is not valid, or is about another package or file
 * than the call.
 */
export async function readServiceResponse(
  bytes: Uint8Array,
  { name, params, version, requestId }: ResponseFacts,
  log: Log,
  sanitize: Sanitize = sanitizeHtml,
): Promise<unknown> {
  const operation: Operation = operations[name]
  if (operation.response === 'nothing') return undefined

  const schema = (version && operation.results?.[version]) || operation.result
  if (!schema) throw new TypeError(`${name} has no result`)
  const validate = (value: unknown) => {
    const parsed = schema.safeParse(value)
    if (!parsed.success) {
      const at = parsed.error.issues.map(({ path }) => path.join('.'))
      log('error', `${name}: the response breaks the contract`, { requestId, at })
      throw refusals.unexpectedResponse()
    }
    // A form may use the field names of a person for its own data.
    return entryOperations.includes(name) ? parsed.data : redactRestricted(parsed.data)
  }

  const text = utf8.decode(bytes)
  const value = operation.response === 'json' ? parseJson(text) : parseText(text)
  if (Array.isArray(value) && value.length > rowsPerPiece) {
    const rows: unknown[] = []
    // From the end, so that the rows that have been validated are dropped: two copies of a long list need much memory.
    while (value.length > 0) {
      const piece = value.splice(-rowsPerPiece)
      rows.push(...(validate(piece) as unknown[]).reverse())
    }
    return rows.reverse()
  }
  const data = validate(value)
  if (!isRequested(data, operation, params)) {
    log('error', `${name}: the response is about something else than the request`, { requestId })
    throw refusals.unexpectedResponse()
  }
  if (operation.result !== Package) return data
  // Another application may have written the details.
  const html = (data as Package).emailContent?.packageDetails
  if (!html) return data
  const clean = html.length > maxHtmlLength ? undefined : await sanitize(html)
  return { ...(data as Package), emailContent: { packageDetails: clean ?? null } }
}

const utf8 = new TextDecoder()

/** Number of rows of a list that are validated at a time. */
const rowsPerPiece = 250

/** Whether a package or a file is the one that the path of the call names. Other responses do not name theirs. */
function isRequested(data: unknown, { result }: Operation, params: ResponseFacts['params'] = {}): boolean {
  const { packageId, uuid } = params
  if (result === Package && packageId !== undefined) {
    const { id, actions } = data as Package
    return id === Number(packageId) && (actions === null || actions.packageId === id)
  }
  if (result === FileAsset && uuid !== undefined) return isRecord(data) && data['uuid'] === uuid
  return true
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
