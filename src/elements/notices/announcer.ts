import { html, type LitElement, nothing, type ReactiveController, type TemplateResult } from 'lit'
import { common } from '../../locales/en.ts'
import { messagesFor, messagesLanguage } from '../text/messages.ts'

/** Milliseconds in which several messages are collected into one. */
export const collectionTime = 300

/** Milliseconds until the text is removed again. The page shows the same information elsewhere. */
const lifetime = 5000

/** The announcers of the elements in the page, in the order in which they came. */
const present = new Set<Announcer>()

/** The one whose element has the status region of the page: people who go through the page meet a single one. */
let speaker: Announcer | undefined

/** The messages that are announced next, together. */
let waiting: readonly { readonly from: Announcer; readonly message: string }[] = []

/** The text that is announced now. */
let text = ''

let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Announces changes to assistive technology in a polite live region, so that no message interrupts another, even one
 * of another element.
 */
export class Announcer implements ReactiveController {
  /** The element that announces. */
  readonly host: LitElement
  /** Whether another element, a visible one, shows the same information: pages hide elements that have nothing to show. */
  isShownElsewhere: (() => boolean) | undefined

  constructor(host: LitElement) {
    this.host = host
    host.addController(this)
  }

  /**
   * Announces a message, together with others of the same moment. Equal messages are announced once. A message that sums
   * up others comes first, and replaces those of them that wait. Nothing is announced that nobody can see.
   */
  announce(message: string, replaced?: readonly string[]): void {
    if (!replaced && this.isWaiting(message)) return
    const others = waiting.filter((one) => one.message !== message && !replaced?.includes(one.message))
    const added = { from: this, message }
    waiting = replaced ? [added, ...others] : [...others, added]
    // A live region announces only changes, so it exists before the text, and the same text is removed first.
    if (waiting.length === 1) show('', speakerFor(this), speak, collectionTime)
  }

  /** Whether a message has not been announced yet. */
  isWaiting(message: string): boolean {
    return waiting.some((one) => one.message === message)
  }

  /** Renders the live region, if this element has that of the page. */
  render(): TemplateResult | typeof nothing {
    return speaker === this
      ? html`<div class="announcement" role="status" lang=${messagesLanguage(this.host)}>${text}</div>`
      : nothing
  }

  hostConnected(): void {
    present.add(this)
    speaker ??= [...present][0]
  }

  hostDisconnected(): void {
    present.delete(this)
    waiting = waiting.filter(({ from }) => from !== this)
    if (speaker !== this) return
    speaker = undefined
    show('', [...present][0], speak, collectionTime)
  }

  /** Removes what was announced or waits: it may name people whom the next person at this computer must not see. */
  clear(): void {
    waiting = []
    show('')
  }
}

/** Whether an element is displayed. */
export function isVisible(element: Partial<Element>): boolean {
  // Browsers from before 2024 do not have this method.
  return element.checkVisibility?.() ?? true
}

/** Returns who can be heard for an element: a region that is not displayed, or behind a modal dialog of the page, is not. */
function speakerFor(one: Announcer): Announcer {
  if (document.querySelector('dialog[open], [aria-modal=true]')) return one
  return [speaker ?? one, ...present].find(({ host }) => isVisible(host)) ?? one
}

function speak(): void {
  waiting = waiting.filter(({ from }) => isVisible(from.host) || from.isShownElsewhere?.())
  const [first] = waiting
  if (!first) return
  const next = speakerFor(first.from)
  if (next !== speaker) return show('', next, speak, collectionTime)
  const more = waiting.length - 3
  const texts = waiting.slice(0, 3).map(({ message }) => message)
  if (more > 0) texts.push(messagesFor(next.host, 'common', common).more(more))
  waiting = []
  show(texts.join(' '), next, () => show(''), lifetime)
}

/** Shows a text in the region of an element, and does something else after a time in milliseconds. */
function show(newText: string, by = speaker, then?: () => void, time?: number): void {
  clearTimeout(timer)
  text = newText
  speaker?.host.requestUpdate()
  speaker = by
  speaker?.host.requestUpdate()
  timer = then && setTimeout(then, time)
}
