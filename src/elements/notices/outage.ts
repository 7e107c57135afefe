import { common } from '../../locales/en.ts'
import type { Announcer } from './announcer.ts'
import { byPlace } from './document-order.ts'
import { joinTexts } from '../text/join-texts.ts'
import { messagesFor } from '../text/messages.ts'

/** Milliseconds in which the affected elements are collected. Their retries end at different moments. */
const collectionTime = 1500

/** The elements that an outage affects now, and how each loads its content again. */
const affected = new Map<object, () => Promise<unknown>>()

/** The texts that were announced or are waiting since the outage began, each with the names of the affected content. */
const reported = new Map<string, Set<string>>()

/** Texts that a form of the page has said already. */
const said = new Set<string>()

let waiting: { readonly announcer: Announcer; readonly name: string; readonly text: string }[] = []
let timer: ReturnType<typeof setTimeout> | undefined
let isAnnounced = false

/**
 * Announces an outage once for the page, whichever of its elements report it, and names what is affected, in the order of the
 * page. An element that fails later is announced only
 * if its name is new. `retry` loads its content again. `isSaid`: whether a form has said the text.
 */
export function reportOutage(
  announcer: Announcer,
  name: string,
  text: string,
  retry: () => Promise<unknown>,
  isSaid = false,
): void {
  noteOutage(announcer, retry)
  if (isSaid) said.add(text)
  const names = reported.get(text) ?? new Set()
  if (names.has(name)) return
  reported.set(text, names.add(name))
  waiting.push({ announcer, name, text })
  if (waiting.length === 1) timer = setTimeout(announce, collectionTime)
}

/**
 * Loads the content of all elements again that an outage affects: a person who tries again in one of them expects the page to
 * work. Returns `undefined` if it does not affect the given one.
 */
export function retryOutage(announcer: Announcer): Promise<unknown> | undefined {
  return affected.has(announcer) ? Promise.all([...affected.values()].map((retry) => retry())) : undefined
}

/** Notes that an outage affects an element that has no live region, and leaves the announcement to the others. */
export function noteOutage(affectedBy: object, retry: () => Promise<unknown>): void {
  affected.set(affectedBy, retry)
}

/** Notes that an element has recovered, or has left the page. Returns whether this ends an outage that was announced. */
export function endOutage(announcer: object): boolean {
  if (!affected.delete(announcer) || affected.size > 0) return false
  const wasAnnounced = isAnnounced
  // What was to be said of it is no longer true, and would be said twice if the next one began in this time.
  clearTimeout(timer)
  waiting = []
  reported.clear()
  said.clear()
  isAnnounced = false
  return wasAnnounced
}

/** Returns a text after the names of the contents that it is about, each once. */
export function withNames(host: HTMLElement, names: readonly string[], text: string): string {
  return messagesFor(host, 'common', common).labelled(joinTexts(host, [...new Set(names)]), text)
}

function announce(): void {
  const current = waiting
    .filter(({ announcer }) => affected.has(announcer))
    .sort((one, other) => byPlace(one.announcer, other.announcer))
  waiting = []
  const announcer = current[0]?.announcer
  if (!announcer) return
  isAnnounced = true
  for (const text of new Set(current.map((one) => one.text))) {
    if (said.has(text)) continue
    const names = current.filter((one) => one.text === text).map(({ name }) => name)
    announcer.announce(withNames(announcer.host, names, text))
  }
}
