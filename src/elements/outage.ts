import { common } from '../locales/en.ts'
import type { Announcer } from './announcer.ts'
import { joinTexts } from './join-texts.ts'
import { messagesFor } from './messages.ts'

/** Milliseconds in which the affected elements are collected. Their retries end at different moments. */
const collectionTime = 1500

/** The elements that an outage affects now. */
const affected = new Set<Announcer>()

/** What was announced, or waits, since the outage began: each text with the names of what it concerns. */
const reported = new Map<string, Set<string>>()

let waiting: { readonly announcer: Announcer; readonly name: string; readonly text: string }[] = []
let isAnnounced = false

/**
 * Announces an outage once for the page, whichever of its elements report it, and names what is affected. Elements without a live
 * region, such as badges, leave that to the others. An element that
 * fails later is announced only if its name is new.
 */
export function reportOutage(announcer: Announcer, name: string, text: string): void {
  affected.add(announcer)
  if (!announcer.isRendered) return
  const names = reported.get(text) ?? new Set()
  if (names.has(name)) return
  reported.set(text, names.add(name))
  waiting.push({ announcer, name, text })
  if (waiting.length === 1) setTimeout(announce, collectionTime)
}

/** Notes that an element has recovered, or has left the page. Returns whether this ends an outage that was announced. */
export function endOutage(announcer: Announcer): boolean {
  if (!affected.delete(announcer) || affected.size > 0) return false
  const wasAnnounced = isAnnounced
  reported.clear()
  isAnnounced = false
  return wasAnnounced
}

function announce(): void {
  const current = waiting.filter(({ announcer }) => affected.has(announcer))
  waiting = []
  const [first] = current
  if (!first) return
  isAnnounced = true
  for (const text of new Set(current.map((one) => one.text))) {
    const names = current.filter((one) => one.text === text).map(({ name }) => name)
    const { host } = first.announcer
    first.announcer.announce(messagesFor(host, 'common', common).labelled(joinTexts(host, names), text))
  }
}
