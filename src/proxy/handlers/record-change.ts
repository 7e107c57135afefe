import { isRecord } from '../../contract/values/values.ts'
import type { Hint } from '../changes/bus.ts'
import type { Log } from '../observe/log.ts'
import type { OperationRequest } from '../operation/operation-request.ts'
import { ProxyError } from '../http/problem.ts'

export interface ChangeRecorderOptions {
  readonly log: Log
  /** Publishes that a package has changed, with its new state if that is known. Resolves to the id of the event, if known. */
  readonly onChange: (hint: Hint, state?: string) => Promise<string | undefined>
}

/** The result of a change, and the id of the event that announces it. */
interface RecordedChange<T> {
  readonly result: T
  readonly eventId: string | undefined
}

/** Makes a change, and records it if the service may have made it, even if the client no longer waits for the response. */
type RecordChange = <T>(
  operationRequest: OperationRequest,
  change: () => Promise<T>,
  /** Further facts for the log. */
  facts?: Readonly<Record<string, unknown>>,
) => Promise<RecordedChange<T>>

/** Creates a recorder that logs who changed what and publishes the change to browsers that show the package. */
export function createChangeRecorder({ log, onChange }: ChangeRecorderOptions): RecordChange {
  async function record(
    { name, params, person: { univid }, requestId }: OperationRequest,
    isDone: boolean,
    further: Readonly<Record<string, unknown>>,
    result?: unknown,
  ): Promise<string | undefined> {
    const facts = { ...params, univid, requestId, ...further }
    if (isDone) log('info', name, facts)
    else log('warn', `${name}: it is not known whether the service made the change`, facts)
    const { formId, packageId } = params
    if (!formId || !packageId) return undefined
    const state = isRecord(result) && typeof result['state'] === 'string' ? result['state'] : undefined
    return await onChange({ formId: Number(formId), packageId: Number(packageId) }, state)
  }

  return async (operationRequest, change, facts = {}) => {
    let result
    try {
      result = await change()
    } catch (error) {
      const isRefused = error instanceof ProxyError && error.status < 500 && !operationRequest.signal.aborted
      if (!isRefused) void record(operationRequest, false, facts)
      throw error
    }
    return { result, eventId: await record(operationRequest, true, facts, result) }
  }
}
