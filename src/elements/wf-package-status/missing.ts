import type { AttachmentType } from '../../contract/schemas/attachments.ts'
import type { OpenLock } from '../../contract/schemas/callbacks.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import { isSamePerson } from '../../contract/values/patterns.ts'
import { attachments } from '../../locales/en-attachments.ts'
import { missing as english } from '../../locales/en-missing.ts'
import { route } from '../../locales/en-route.ts'
import type { Texts } from '../../locales/messages.ts'
import { formattingLanguage, messagesFor } from '../text/messages.ts'
import { isRequiredNow, missingTypes, titleOf } from '../wf-attachments/attachment-rules.ts'
import { routeOfEvents } from '../wf-route/route-events.ts'
import type { RouteStop } from '../wf-route/route-stops.ts'
import type { CardReads } from './card-reads.ts'
import { approversOf, holdersOf, type PackageStatusContent, waitsForNobody } from './content.ts'

/** Facts about a package before the next step. */
export interface MissingFacts {
  readonly content: PackageStatusContent
  readonly reads: CardReads
  /** The operations that have failed. */
  readonly failed: ReadonlySet<string>
  /** University id of the signed-in person; `undefined` if it is not known. */
  readonly person: string | undefined
  /** The lock that freezes the route; `undefined` if none is known. */
  readonly lock?: OpenLock | undefined
}

/** What a package lacks before the next step, or what about it could not be checked. */
export type Missing =
  /** The person's own signature. */
  | { readonly kind: 'signature' }
  /** Documents without which routing cannot start, the service may refuse the last signature, or routing cannot complete. */
  | {
      readonly kind: 'documents'
      readonly until: 'routing' | 'signature' | 'completion'
      readonly types: readonly AttachmentType[]
    }
  /** The release of the route at a stop. `isOwn`: whether the person may do it; `undefined` if the lock is not known. */
  | { readonly kind: 'release'; readonly stop: string; readonly isOwn: boolean | undefined }
  /** A person at a stop. */
  | { readonly kind: 'person'; readonly stop: string }
  /** Another approver than the person who made the request. */
  | { readonly kind: 'otherApprover'; readonly stop: string }
  | { readonly kind: 'check'; readonly of: 'documents' | 'route' | 'pause' }

/** What a package in no inbox waits for, and a sentence about it. */
export interface Wait {
  /** Absent if it waits for nobody. */
  readonly what?: readonly string[]
  readonly why: string
}

/**
 * Returns what a package lacks before the next step: before its initiator starts the routing, before the person signs, or
 * before a route without a holder goes on. Uses only what was read for the card or the form.
 */
export function missingOf(
  { content, reads, failed, person, lock }: MissingFacts,
  messages: Pick<Texts['route'], 'stop'>,
): readonly Missing[] {
  const { found, actions, inbox } = content
  const { getHistory, getFutureHistory: ahead, getAttachmentTypes, getAttachments } = reads
  const isStart = isBeforeRouting(found.state)
  const isHeld = waitsForNobody(content)
  const isSigning = found.state === 'ROUTING' && actions?.canSign === true
  if (!isStart && !isHeld && !isSigning) return []

  const lacking = (until: 'routing' | 'completion') =>
    missingTypes(getAttachmentTypes, getAttachments, (type) => isRequiredNow(type, found.state, until))
  const documents = (
    until: 'routing' | 'signature' | 'completion',
    types: readonly AttachmentType[] | undefined,
  ): Missing[] => (types?.length ? [{ kind: 'documents', until, types }] : [])
  const check = (
    of: 'documents' | 'route' | 'pause',
    ...names: (keyof CardReads | 'getLocks')[]
  ): Missing[] =>
    names.some((name) => failed.has(name) && (name === 'getLocks' || !reads[name]))
      ? [{ kind: 'check', of }]
      : []

  const isInitiator = isSamePerson(person, found.initiator?.univid)
  const requester = { id: found.initiator?.univid, isSelf: isInitiator, name: '' }
  const here = getHistory?.filter((event) => event?.isInInbox) ?? []
  const { stops } = routeOfEvents([...(isStart ? [] : here), ...(ahead ?? [])], requester, messages)
  const isOwn = ({ people }: RouteStop) =>
    people.some(
      ({ permission, id }) =>
        /^SIGNATURE_/.test(`${permission}`) && isSamePerson(id as string | null, person),
    )
  const routing = isStart ? lacking('routing') : []
  const completion = lacking('completion')
  const isListed = inbox?.some((row) => row && row.id === actions?.signatureId)
  return [
    ...(isSigning && !isListed ? [{ kind: 'signature' } as const] : []),
    ...(isHeld ? releaseOf(stops, lock) : []),
    ...documents('routing', routing),
    ...(isStart
      ? documents(
          'completion',
          completion?.filter((type) => !routing?.includes(type)),
        )
      : isHeld
        ? documents('completion', ahead?.length === 0 ? completion : [])
        : documents('signature', isLastSigner(content, ahead) ? completion : [])),
    ...stops
      .filter(({ people }) => people.every(({ name }) => name === null))
      .map(({ name }) => ({ kind: 'person', stop: name }) as const),
    ...(isInitiator && !isHeld ? stops.filter(isOwn) : []).map(
      ({ name }) => ({ kind: 'otherApprover', stop: name }) as const,
    ),
    ...check('documents', 'getAttachmentTypes', 'getAttachments'),
    ...check('route', 'getFutureHistory'),
    ...(isHeld ? check('pause', 'getLocks') : []),
  ]
}

/** Only a callback stops a route before a stop at which somebody is named (spec, Events). */
function releaseOf([next]: readonly RouteStop[], lock: OpenLock | undefined): Missing[] {
  const stop = lock?.stop?.name ?? next?.name
  const isNamed = next?.people.some(({ name }) => name !== null)
  return stop !== undefined && (lock || isNamed) ? [{ kind: 'release', stop, isOwn: lock?.mayRelease }] : []
}

/** Whether the person's signature is the last one that is required, as far as that is known for certain. */
function isLastSigner(
  { inbox, actions }: PackageStatusContent,
  ahead: CardReads['getFutureHistory'],
): boolean {
  const { leftOut } = holdersOf(inbox)
  const mayBeRequired = ({ permission }: { readonly permission: string | null }) =>
    !/^(?:SIGNATURE_PERMITTED|VIEW_AND_EDIT|VIEW_ONLY)$/.test(`${permission}`)
  const required = approversOf(inbox).filter(mayBeRequired)
  return (
    ahead?.every((event) => event && !mayBeRequired(event)) === true &&
    leftOut === 0 &&
    required.length === 1 &&
    (required[0]?.id === actions?.signatureId || actions?.signatureId === null)
  )
}

/** Sentences about what a package lacks. */
export interface MissingTexts {
  /** What a package in no inbox waits for; `undefined` if it is not known. */
  readonly wait?: Wait | undefined
  readonly sentences: readonly string[]
  /** The one of them that keeps routing from starting. */
  readonly blocking?: string | undefined
}

/** Describes what a package lacks, in the language of an element. */
export function describeMissing(element: Element, facts: MissingFacts): MissingTexts {
  const t = messagesFor(element, 'missing', english)
  const routeMessages = messagesFor(element, 'route', route)
  const attachmentMessages = messagesFor(element, 'attachments', attachments)
  const list = new Intl.ListFormat(formattingLanguage(element))
  const missing = missingOf(facts, routeMessages)
  const isStart = isBeforeRouting(facts.content.found.state)
  const titlesOf = (types: readonly AttachmentType[]) =>
    types.map((type) => titleOf(type, attachmentMessages))
  const sentenceOf = (one: Missing): string => {
    switch (one.kind) {
      case 'signature':
        return t.signature
      case 'documents': {
        const titles = list.format(titlesOf(one.types))
        if (one.until === 'routing') return attachmentMessages.wanted(one.types.length, titles)
        if (one.until === 'signature') return t.refusal(one.types.length, titles)
        return isStart ? t.completion(titles) : ''
      }
      case 'release':
        return one.isOwn === false ? t.releasers : ''
      case 'person':
        return isStart ? routeMessages.nobodyAt(one.stop) : t.nobodyAt(one.stop)
      case 'otherApprover':
        return routeMessages.own(one.stop)
      case 'check':
        return t.unchecked[one.of]
      default:
        one satisfies never
        return ''
    }
  }
  const blocking = missing.find((one) => one.kind === 'documents' && one.until === 'routing')
  return {
    wait: waitsForNobody(facts.content) ? waitOf(facts, missing) : undefined,
    sentences: missing.map(sentenceOf).filter(Boolean),
    blocking: blocking && sentenceOf(blocking),
  }

  function waitOf({ reads }: MissingFacts, [first]: readonly Missing[]): Wait | undefined {
    if (first?.kind === 'release') return { what: [t.release(first.stop)], why: t.held }
    if (first?.kind === 'documents')
      return { what: titlesOf(first.types), why: t.lacksDocument(first.types.length) }
    const isKnown = reads.getFutureHistory && reads.getAttachmentTypes && reads.getAttachments
    return first || !isKnown ? undefined : { why: t.unknownReason }
  }
}
