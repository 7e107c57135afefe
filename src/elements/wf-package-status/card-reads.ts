import type { Attachment, AttachmentType } from '../../contract/schemas/attachments.ts'
import type { Comment } from '../../contract/schemas/comments.ts'
import type { HistoryEvent } from '../../contract/schemas/history.ts'
import type { PackageState } from '../../contract/values/package-states.ts'
import { isEverRequired } from '../wf-attachments/attachment-rules.ts'
import { holdersOf, type PackageStatusContent, waitsForNobody } from './content.ts'

/** The results that a card has read besides the package, by operation. A read that has not succeeded yet is absent. */
export interface CardReads {
  readonly getHistory?: readonly (HistoryEvent | null)[] | undefined
  readonly getFutureHistory?: readonly (HistoryEvent | null)[] | undefined
  readonly getAttachmentTypes?: readonly (AttachmentType | null)[] | undefined
  readonly getAttachments?: readonly (Attachment | null)[] | undefined
  readonly getComments?: readonly (Comment | null)[] | undefined
}

const documentReads = ['getAttachmentTypes', 'getAttachments'] as const
const aheadReads = [...documentReads, 'getFutureHistory'] as const

/**
 * Returns the operations that explain how long, or why, a package waits, what it lacks, and how it ended. Most packages need
 * one. `reads`: what is known by now.
 */
export function neededReads(
  content: PackageStatusContent,
  { getAttachmentTypes: types }: CardReads,
  isInitiator: boolean,
): readonly (keyof CardReads)[] {
  const state = content.found.state as PackageState
  switch (state) {
    case 'PRE_ROUTING':
      return isInitiator ? ['getHistory', ...aheadReads] : ['getHistory', ...documentReads]
    case 'DRAFT':
      return ['getHistory', 'getComments']
    case 'ROUTING':
      if (waitsForNobody(content)) return aheadReads
      return [
        ...(holdersOf(content.inbox).holders.length > 0 ? (['getHistory'] as const) : []),
        // Most forms require no document, so the rest is not read for them.
        ...(content.actions?.canSign
          ? types?.some((type) => type && isEverRequired(type))
            ? aheadReads
            : (['getAttachmentTypes'] as const)
          : []),
      ]
    case 'COMPLETE':
    case 'VOID':
      return ['getHistory']
    default:
      void (state satisfies never)
      return []
  }
}

/** Returns the latest event that started the routing of a package or removed it; `undefined` if it was never in routing. */
export function latestStart({ getHistory }: CardReads): HistoryEvent | null | undefined {
  return getHistory?.findLast((event) => /^(?:initiation|re_initiate|remove)$/.test(event?.['@class'] ?? ''))
}

/** Returns the latest event of a class; `undefined` if there is none, or the history is not known. */
export function latestOf(
  { getHistory }: CardReads,
  type: 'complete' | 'void',
): HistoryEvent | null | undefined {
  return getHistory?.findLast((event) => event?.['@class'] === type)
}

/** Returns the event that removed a package from routing; `undefined` if it was not removed, or the event is not known. */
export function removalOf(reads: CardReads): HistoryEvent | undefined {
  const latest = latestStart(reads)
  return latest?.['@class'] === 'remove' ? latest : undefined
}
