import type { HistoryEvent } from '../../contract/schemas/history.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Formatting } from '../text/format.ts'
import { humanize } from '../text/humanize.ts'

/** Events of a past or a future. An event that could not be read is null. */
export type Events = readonly (HistoryEvent | null)[]

/** The messages that describe events, and how their times are written. */
export interface EventLanguage {
  readonly messages: Texts['history']
  readonly common: Texts['common']
  readonly formatting: Formatting
}

/** The meaning of an event. Each kind has its own icon. `other` is a class or an outcome that is not known. */
export type EventKind =
  | 'initiation'
  | 'now'
  | 'view'
  | 'received'
  | 'signed'
  | 'passed'
  | 'voided'
  | 'void'
  | 'unvoid'
  | 'remove'
  | 're_initiate'
  | 'office_opt_out'
  | 'notification'
  | 'notification_unlock'
  | 'complete'
  | 'future'
  | 'other'

/** Classes whose name is their kind. The service is known to use the last three, although the spec does not list them. */
const ownKinds =
  /^(?:initiation|void|unvoid|remove|re_initiate|complete|office_opt_out|notification|notification_unlock)$/

export function eventKindOf({ '@class': type, isInInbox, permission, state }: HistoryEvent): EventKind {
  if (type !== 'signature') return ownKinds.test(type) ? (type as EventKind) : 'other'
  if (isInInbox) return permission === 'VIEW_ONLY' ? 'view' : 'now'
  // People who may only view or edit were not expected to sign.
  if (state === 'BYPASSED_REMOVE') return permission?.startsWith('VIEW_') ? 'received' : 'passed'
  const outcomes: Readonly<Record<string, EventKind>> = {
    RECEIVED: 'received',
    APPROVED: 'signed',
    VOIDED: 'voided',
  }
  return (Object.hasOwn(outcomes, state ?? 'RECEIVED') && outcomes[state ?? 'RECEIVED']) || 'other'
}

/** Describes who did what, as the two parts of a sentence. */
export function describeEvent(
  event: HistoryEvent,
  kind: EventKind,
  { messages, common }: EventLanguage,
): readonly [who: string, what: string] {
  if (kind === 'complete') return ['', messages.complete]
  const { '@class': type, permission, person, state, autoSigned } = event
  const isAhead = kind === 'now' || kind === 'view' || kind === 'future'
  if (kind === 'other' || (isAhead && permission === null)) {
    const unknown = kind === 'other' && type === 'signature' ? (state ?? type) : type
    const who = person ? personNameOf(event, common) : ''
    return [who, `${who && ': '}${humanize(unknown)}`]
  }
  const verbs: Readonly<Record<string, string>> = isAhead ? common.permissions : messages.verbs
  const verb = (isAhead ? permission : kind === 'signed' && autoSigned ? 'autoSigned' : kind) ?? ''
  const optedOut = kind === 'office_opt_out' ? (event.office ?? event.resolution)?.name : null
  const application = kind.startsWith('notification') && !person ? messages.application : null
  return [
    optedOut ?? application ?? personNameOf(event, common),
    ` ${Object.hasOwn(verbs, verb) ? verbs[verb] : humanize(verb)}`,
  ]
}

export function personNameOf(event: HistoryEvent | null, common: Texts['common']): string {
  return event?.person?.displayName ?? common.someone
}

/** Returns a key that identifies the stop of an event; empty if the event has no stop. */
export function stopKeyOf(event: HistoryEvent | null | undefined): string {
  return event?.stop ? `${event.stop.stopNumber} ${event.stop.name}` : ''
}
