import type { OperationForBrowsers } from '../../contract/services/browser-operations.ts'

/** Whether browsers follow a link to this operation, which carries no header of ours. */
export function isNavigation({ response }: OperationForBrowsers): boolean {
  return response === 'redirect' || response === 'file'
}

/** Whether a request is an upload or a download, which may take long. */
export function isTransfer({ requestBody, response }: OperationForBrowsers): boolean {
  return requestBody === 'multipart' || response === 'file'
}

/** Whether requests of one person may share a reply of this operation. */
export function isShareable({ method, response }: OperationForBrowsers): boolean {
  return method === 'GET' && response === 'json'
}
