import { changes } from '../../locales/en-changes.ts'
import { loading } from '../../locales/en-loading.ts'
import { messagesFor } from '../text/messages.ts'

/** The statuses with which servers refuse a request before they send it on. With others, they may refuse its response. */
const beforehand = [401, 405, 407, 411, 413, 414, 415, 417, 431, 501, 505, 511]

/** Whether a server with this status has not sent the request on, so that nothing was changed. */
export function isRefusedBeforehand(status: number | undefined): boolean {
  return status !== undefined && beforehand.includes(status)
}

/** Returns what to say of a change that a server before the proxy refused, with its status. */
export function refusedBetweenText(host: Element, status: number): string {
  const { notDone, mayBeDone } = messagesFor(host, 'changes', changes)
  const { between } = messagesFor(host, 'common', loading)
  return `${between(String(status))} ${isRefusedBeforehand(status) ? notDone : mayBeDone}`
}
