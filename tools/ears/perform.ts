import type { Moment } from './moments.ts'
import { openStage } from './stage.ts'
import { heardLines, type Heard, type ReadLine, readLines } from './transcript.ts'
import { type Actor, createUser } from './user.ts'

/** Receives what a browser tells assistive technology. */
export interface Listener {
  /** All that was heard since the last call, up to the announcement of `mark`. */
  readonly heardUntil: (mark: string) => Promise<readonly Heard[]>
  /** The content of the first object with a role and a name, in the order of reading. */
  readonly read: (role: string, name?: string) => Promise<readonly ReadLine[]>
  /** Roles of what can be read. Default: all. */
  readonly readable?: readonly string[]
}

/** Milliseconds after which all announcements of a change have been made: an outage collects for 1.8 seconds. */
const settleTime = 2500

/** Milliseconds for which an announcement stays in the page. */
const announcementTime = 5000

const isSettled = `
  const hosts = [...document.querySelectorAll('*')].filter((host) => /^(wf|fs)-/.test(host.localName))
  return hosts.length > 0 && hosts.every((host) => host.localName === 'wf-context' || (host.shadowRoot && !host.matches(':state(loading)')))`

const isQuiet = `
  const hosts = [...document.querySelectorAll('*')].filter((host) => host.shadowRoot)
  return hosts.every((host) => !host.shadowRoot.querySelector('[role=status]')?.textContent)`

/** Announces a text in a live region of its own: in the open dialog, if there is one, because the rest of the page is inert. */
const markScript = `
  const roots = [document, ...[...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot)]
  const dialog = roots.map((root) => root?.querySelector('dialog[open]')).find(Boolean)
  const [text] = arguments
  window.mark = document.createElement('div')
  mark.role = 'status'
  const place = dialog ?? document.body
  place.append(mark)
  // Again and again, because a text that a new region has at once is not announced.
  const timer = setInterval(() => {
    if (!mark.isConnected) return clearInterval(timer)
    mark.textContent = ''
    mark.textContent = text
  }, 100)`

/** Lets a moment happen in a new page. Returns its transcript. */
export async function perform(moment: Moment, actor: Actor, listener: Listener): Promise<string> {
  const { as, path = '/', prepare, before, act, reads, mayMiss } = moment
  const stage = await openStage(as)
  let marks = 0
  let heard: Heard[] = []
  /** Waits until all announcements have been made and heard. */
  async function listen(): Promise<void> {
    await actor.settle(settleTime)
    const mark = `The end of part ${++marks} of ${moment.name}.`
    await actor.evaluate(markScript, mark)
    const lines = await listener.heardUntil(mark)
    await actor.evaluate('mark.remove()')
    const isMark = (text: string) => text.includes('The end of part')
    heard.push(...lines.filter((one) => !('text' in one && (isMark(one.text) || mayMiss?.test(one.text)))))
  }
  const user = createUser(actor, listen)
  try {
    await prepare?.(stage)
    await actor.goto(stage.url + path)
    await user.see(isSettled)
    if (path === '/' && as !== 'outsider') await until(stage.isFollowed)
    await listen()
    await before?.(user, stage)
    if (before) await listen()
    heard = []
    await act?.(user, stage)
    if (act) await listen()
    // Announcements are removed again after a while, as the page shows the same.
    if (reads && !(await actor.evaluate(isQuiet))) await actor.settle(announcementTime)
    if (reads) await user.see(isQuiet)
    const isRead = reads && (listener.readable?.includes(reads[0]) ?? true)
    const read = isRead
      ? readLines(await listener.read(...reads)).filter((line) => !line.includes('The end of part'))
      : []
    return [
      moment.title,
      ...(act ? ['', 'Heard:', ...heardLines(heard)] : []),
      ...(isRead ? ['', `Read: ${reads.filter(Boolean).join(' ')}`, ...read] : []),
      '',
    ].join('\n')
  } finally {
    await actor.goto('about:blank')
    await stage.close()
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !condition();) {
    if (Date.now() > end) throw new Error(`Never true: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
