import type { HistoryEvent } from '../../contract/history.ts'
import type { Messages } from '../../locales/messages.ts'
import type { Formatting } from '../format.ts'
import { humanize } from '../humanize.ts'

/** Events of a past or a future. An event that could not be read is null. */
export type Events = readonly (HistoryEvent | null)[]

/** The messages that describe events, and how their times are written. */
export interface EventLanguage {
  readonly messages: Messages['history']
  readonly common: Messages['common']
  readonly formatting: Formatting
}

/** The meaning of an event. Each kind has its own icon. `other` is a class that the spec does not list. */
export type EventKind =
  | 'initiation'
  | 'now'
  | 'view'
  | 'received'
  | 'signed'
  | 'passed'
  | 'void'
  | 'unvoid'
  | 'remove'
  | 're_initiate'
  | 'complete'
  | 'future'
  | 'other'

export function eventKindOf({ '@class': type, isInInbox, permission, state }: HistoryEvent): EventKind {
  if (type !== 'signature') {
    return /^(?:initiation|void|unvoid|remove|re_initiate|complete)$/.test(type)
      ? (type as EventKind)
      : 'other'
  }
  if (isInInbox) return permission === 'VIEW_ONLY' ? 'view' : 'now'
  if (state === 'APPROVED') return 'signed'
  // A person who may only view was not expected to sign.
  return state === 'BYPASSED_REMOVE' && permission !== 'VIEW_ONLY' ? 'passed' : 'received'
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
  const isOdd = kind === 'received' && !['RECEIVED', 'BYPASSED_REMOVE', null].includes(state)
  const unknown = isOdd ? state : kind === 'other' || (isAhead && permission === null) ? type : null
  if (unknown !== null) {
    const who = person ? personNameOf(event, common) : ''
    return [who, `${who && ': '}${humanize(unknown)}`]
  }
  const verbs: Readonly<Record<string, string>> = isAhead ? common.permissions : messages.verbs
  const verb = (isAhead ? permission : kind === 'signed' && autoSigned ? 'autoSigned' : kind) ?? ''
  return [personNameOf(event, common), ` ${Object.hasOwn(verbs, verb) ? verbs[verb] : humanize(verb)}`]
}

export function personNameOf(event: HistoryEvent | null, common: Messages['common']): string {
  return event?.person?.displayName ?? common.someone
}

/** Returns a key that identifies the stop of an event; empty if the event has no stop. */
export function stopKeyOf(event: HistoryEvent | null | undefined): string {
  return event?.stop ? `${event.stop.stopNumber} ${event.stop.name}` : ''
}
