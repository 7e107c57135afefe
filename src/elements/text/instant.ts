import { serverNow } from '../../client/index.ts'
import { cached, inLargestUnit } from './format.ts'

/** Formats the age of an instant, in ms since 1970, like `formatAge()`. One in the future is "now", because clocks differ. */
export function formatInstantAge(instant: number, language: string | undefined, now = serverNow()): string {
  const [count, unit] = inLargestUnit(Math.max(0, now - instant) / 1000)
  const format = cached(Intl.RelativeTimeFormat, language, { numeric: 'auto' })
  return format.format(-count, count ? unit : 'second')
}
