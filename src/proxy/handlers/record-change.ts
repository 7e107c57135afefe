import type { Hint } from '../live/bus.ts'
import type { Log } from '../log.ts'
import type { OperationRequest } from '../operation-request.ts'
import { ProxyError } from '../problem.ts'

export interface ChangeRecorderOptions {
  readonly log: Log
  /** Publishes that a package has changed. */
  readonly onChange: (hint: Hint) => void
}

/** Makes a change, and records it if the service may have made it, even if the client no longer waits for the response. */
export type RecordChange = <T>(operationRequest: OperationRequest, change: () => Promise<T>) => Promise<T>

/** Creates a recorder that logs who changed what and publishes the change to browsers that show the package. */
export function createChangeRecorder({ log, onChange }: ChangeRecorderOptions): RecordChange {
  function record({ name, params, person: { univid }, requestId }: OperationRequest, isDone: boolean): void {
    const facts = { ...params, univid, requestId }
    if (isDone) log('info', name, facts)
    else log('warn', `${name}: it is not known whether the service made the change`, facts)
    const { formId, packageId } = params
    if (formId && packageId) onChange({ formId: Number(formId), packageId: Number(packageId) })
  }

  return async (operationRequest, change) => {
    let result
    try {
      result = await change()
    } catch (error) {
      const isRefused = error instanceof ProxyError && error.status < 500 && !operationRequest.signal.aborted
      if (!isRefused) record(operationRequest, false)
      throw error
    }
    record(operationRequest, true)
    return result
  }
}
