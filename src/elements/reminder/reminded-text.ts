import type { Reminder } from '../../contract/schemas/lists.ts'
import type { Texts } from '../../locales/messages.ts'
import { formatInstantAge } from '../text/instant.ts'

/** Returns when the approvers of a package were reminded, or that this is not known; empty if they were not. */
export function remindedText(
  { sentAt, isUncertain, count, limit }: Pick<Reminder, 'sentAt' | 'isUncertain' | 'count' | 'limit'>,
  texts: Texts['listExtras'],
  language: string | undefined,
): string {
  if (isUncertain) return texts.lastUncertain
  return sentAt === null ? '' : texts.reminded(formatInstantAge(Date.parse(sentAt), language), count, limit)
}
